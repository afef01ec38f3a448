//! A service that says what a script tells it to: a server on loopback that speaks the Messages API and chat completions,
//! as streams. Not clever: each request takes the next step, whatever it asks.

use crate::http::{self, Message};
use serde_json::{Value, json};
use std::{
    collections::VecDeque,
    io::Write,
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex},
    thread,
    time::Duration,
};

/// Nothing that is waited for here takes so long.
const LIMIT: Duration = Duration::from_mins(1);

/// What is done with one request.
pub(crate) enum Step {
    /// A whole turn.
    Turn(Turn),
    /// A turn that depends on what was asked.
    Then(Box<dyn FnOnce(&Asked) -> Turn + Send>),
    /// A stream that ends in the middle of a turn.
    Cut(Turn),
    /// An error within a stream, after some text.
    Broken(Value),
    /// An answer that is no success.
    Status(u16, Vec<(&'static str, &'static str)>, Value),
    /// An answer that never comes.
    Silence,
    /// These very bytes.
    Raw(String),
}

/// What a model says: text, calls of tools, or both.
#[derive(Clone, Default)]
pub(crate) struct Turn {
    text: String,
    calls: Vec<(String, String)>,
}

impl Turn {
    pub(crate) fn says(text: &str) -> Turn {
        Turn { text: text.to_owned(), calls: Vec::new() }
    }

    pub(crate) fn calls(tool: &str, input: Value) -> Turn {
        Turn::default().and(tool, input)
    }

    /// One more call in the same turn.
    pub(crate) fn and(self, tool: &str, input: Value) -> Turn {
        self.raw(tool, &input.to_string())
    }

    /// A call with these very arguments.
    pub(crate) fn raw(mut self, tool: &str, arguments: &str) -> Turn {
        self.calls.push((tool.to_owned(), arguments.to_owned()));
        self
    }
}

/// What was asked: where, with which headers, what.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) headers: String,
    pub(crate) body: Value,
}

impl Asked {
    /// What came since the model last spoke: results of tools, reminders, the person's words.
    pub(crate) fn news(&self) -> Vec<String> {
        let messages = self.body["messages"].as_array().expect("messages");
        let last = messages.iter().rposition(|it| it["role"] == "assistant").map_or(0, |it| it + 1);
        messages[last..].iter().flat_map(|it| texts(&it["content"])).collect()
    }

    /// The only news.
    pub(crate) fn result(&self) -> String {
        self.news().into_iter().next().unwrap_or_default()
    }

    pub(crate) fn tools(&self) -> Vec<String> {
        let name =
            |it: &Value| it["name"].as_str().or_else(|| it["function"]["name"].as_str()).map(str::to_owned);
        self.body["tools"].as_array().expect("tools").iter().filter_map(name).collect()
    }

    pub(crate) fn system(&self) -> String {
        let openai = &self.body["messages"][0]["content"];
        self.body["system"].as_str().or_else(|| openai.as_str()).expect("a system text").to_owned()
    }
}

fn texts(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => {
            let inner =
                |it: &Value| it["text"].as_str().map_or_else(|| texts(&it["content"]), |it| vec![it.into()]);
            blocks.iter().flat_map(inner).collect()
        }
        _ => Vec::new(),
    }
}

#[derive(Default)]
struct Played {
    steps: VecDeque<Step>,
    asked: Vec<Asked>,
    /// Streams that are kept open without a word.
    silent: Vec<TcpStream>,
}

/// The service.
#[derive(Clone)]
pub(crate) struct Service {
    address: SocketAddr,
    played: Arc<(Mutex<Played>, Condvar)>,
}

impl Service {
    pub(crate) fn playing(steps: impl IntoIterator<Item = Step>) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let played = Played { steps: steps.into_iter().collect(), ..Played::default() };
        let service = Service { address, played: Arc::new((Mutex::new(played), Condvar::new())) };
        let own = service.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = own.clone();
                thread::spawn(move || own.answer(stream));
            }
        });
        service
    }

    /// The turns of a dialogue.
    pub(crate) fn saying(turns: impl IntoIterator<Item = Turn>) -> Service {
        Service::playing(turns.into_iter().map(Step::Turn))
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All that was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.played.0.lock().expect("a lock").asked.clone()
    }

    /// Waits until so many requests have come.
    pub(crate) fn wait_for(&self, count: usize) {
        let played = self.played.0.lock().expect("a lock");
        let (played, late) =
            self.played.1.wait_timeout_while(played, LIMIT, |it| it.asked.len() < count).expect("a lock");
        assert!(!late.timed_out(), "{} requests came, not {count}", played.asked.len());
    }

    /// That the script was played to its end.
    pub(crate) fn ended(&self) {
        assert!(
            self.played.0.lock().expect("a lock").steps.is_empty(),
            "the script was not played to its end"
        );
    }

    fn answer(&self, mut stream: TcpStream) {
        let Some(asked) = read(&mut stream) else { return };
        let step = {
            let mut played = self.played.0.lock().expect("a lock");
            played.asked.push(asked.clone());
            self.played.1.notify_all();
            played.steps.pop_front()
        };
        let over = || Step::Turn(Turn::says("The script is over."));
        let text = match step.unwrap_or_else(over) {
            Step::Turn(turn) => ok(&stream_of(&asked.path, &turn).concat()),
            Step::Then(turn) => ok(&stream_of(&asked.path, &turn(&asked)).concat()),
            Step::Cut(turn) => {
                let events = stream_of(&asked.path, &turn);
                ok(&events[..events.len() - 2].concat())
            }
            Step::Broken(event) => {
                ok(&(stream_of(&asked.path, &Turn::says("Well"))[..2].concat() + &data(&event)))
            }
            Step::Status(status, headers, body) => head(status, &headers) + &body.to_string(),
            Step::Raw(text) => text,
            Step::Silence => {
                self.played.0.lock().expect("a lock").silent.push(stream);
                return;
            }
        };
        // A client that was killed does not read.
        _ = stream.write_all(text.as_bytes());
    }
}

fn ok(body: &str) -> String {
    head(200, &[("Content-Type", "text/event-stream")]) + body
}

fn head(status: u16, headers: &[(&str, &str)]) -> String {
    let headers =
        headers.iter().fold(String::new(), |text, (name, value)| text + name + ": " + value + "\r\n");
    format!("HTTP/1.1 {status} .\r\n{headers}Connection: close\r\n\r\n")
}

fn data(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or("message"))
}

/// The events of a turn, as the service at this path spells them. Arguments come in two pieces.
fn stream_of(path: &str, turn: &Turn) -> Vec<String> {
    if path.ends_with("/chat/completions") { completions(turn) } else { messages(turn) }
}

fn messages(turn: &Turn) -> Vec<String> {
    let mut events = vec![json!({"type": "message_start", "message": {"usage": {"input_tokens": 1}}})];
    let mut index = 0;
    if !turn.text.is_empty() {
        events.push(
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        );
        for part in halves(&turn.text) {
            events.push(json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": part}}));
        }
        events.push(json!({"type": "content_block_stop", "index": 0}));
        index = 1;
    }
    events.push(json!({"type": "ping"}));
    for (name, arguments) in &turn.calls {
        let block = json!({"type": "tool_use", "id": format!("toolu_{index}"), "name": name, "input": {}});
        events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        for part in halves(arguments) {
            let delta = json!({"type": "input_json_delta", "partial_json": part});
            events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        events.push(json!({"type": "content_block_stop", "index": index}));
        index += 1;
    }
    let reason = if turn.calls.is_empty() { "end_turn" } else { "tool_use" };
    events.push(
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 1}}),
    );
    events.push(json!({"type": "message_stop"}));
    events.iter().map(data).collect()
}

fn completions(turn: &Turn) -> Vec<String> {
    let chunk = |delta: Value, reason: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        format!("data: {}\n\n", json!({"object": "chat.completion.chunk", "choices": [choice]}))
    };
    let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
    for part in halves(&turn.text) {
        events.push(chunk(json!({"content": part}), Value::Null));
    }
    for (index, (name, arguments)) in turn.calls.iter().enumerate() {
        let [first, second] = halves(arguments);
        let call = json!({"index": index, "id": format!("call_{index}"), "type": "function",
            "function": {"name": name, "arguments": first}});
        events.push(chunk(json!({"tool_calls": [call]}), Value::Null));
        let call = json!({"index": index, "function": {"arguments": second}});
        events.push(chunk(json!({"tool_calls": [call]}), Value::Null));
    }
    let reason = if turn.calls.is_empty() { "stop" } else { "tool_calls" };
    events.push(chunk(json!({}), reason.into()));
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn halves(text: &str) -> [&str; 2] {
    let middle = (text.len() / 2..=text.len()).find(|it| text.is_char_boundary(*it)).unwrap_or(0);
    [&text[..middle], &text[middle..]]
}

/// The next request, unless the other side hung up.
fn read(stream: &mut TcpStream) -> Option<Asked> {
    let Message { path, headers, body, .. } = http::read(stream)?;
    Some(Asked { path, headers, body: serde_json::from_slice(&body).ok()? })
}
