//! A model that says what a script tells it to: a server on loopback that speaks the Messages API, as a stream or at once.
//! Not clever: a conversation that no script knows gets one sentence.
//!
//! A script belongs to the conversations whose system text or first message has its mark in it, so that a subagent can
//! have its own. Its steps are taken in order; a step may look at the request and do something before it answers:
//!
//! ```text
//! let model = Model::playing([
//!     Script::of("plan it").turn(Turn::calls("TaskCreate", json!({…}))).then(|asked| { …; Turn::says("done") }),
//!     Script::of("you are the helper").turn(Turn::says("helped")),
//! ]);
//! ```
//!
//! Which step is next follows from what the model has said so far in the request, so a request that the client repeats
//! gets the same answer. Requests that offer no tools (titles, summaries) are no conversations.

use crate::http::{self, Message};
use serde_json::{Value, json};
use std::{
    net::{SocketAddr, TcpListener, TcpStream},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard},
    thread,
};

/// What a model says in one turn: text, calls of tools, or both.
#[derive(Clone, Default)]
pub(crate) struct Turn {
    blocks: Vec<Value>,
}

impl Turn {
    pub(crate) fn says(text: &str) -> Turn {
        Turn { blocks: vec![json!({"type": "text", "text": text})] }
    }

    pub(crate) fn calls(tool: &str, input: Value) -> Turn {
        Turn::default().and(tool, input)
    }

    /// One more call in the same turn. Its id is filled in when it is said.
    pub(crate) fn and(mut self, tool: &str, input: Value) -> Turn {
        let mut call = json!({"type": "tool_use", "name": tool});
        call["input"] = input;
        self.blocks.push(call);
        self
    }

    fn stop_reason(&self) -> &'static str {
        let calls = self.blocks.iter().any(|it| it["type"] == "tool_use");
        if calls { "tool_use" } else { "end_turn" }
    }
}

/// Behind a lock of its own: conversations go on at the same time.
type Step = Mutex<Box<dyn FnMut(&Asked) -> Turn + Send>>;

/// What the model says in a conversation.
pub(crate) struct Script {
    mark: String,
    steps: Vec<Step>,
}

impl Script {
    /// The script of conversations that have this in their system text or first message.
    pub(crate) fn of(mark: &str) -> Script {
        Script { mark: mark.to_owned(), steps: Vec::new() }
    }

    pub(crate) fn turn(self, turn: Turn) -> Script {
        self.then(move |_| turn.clone())
    }

    /// A turn that depends on what is asked, or that does something first. A panic in it fails the test.
    pub(crate) fn then(mut self, step: impl FnMut(&Asked) -> Turn + Send + 'static) -> Script {
        self.steps.push(Mutex::new(Box::new(step)));
        self
    }
}

/// What the client asked the model.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) body: Value,
}

/// The result of a call as the model sees it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Returned {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

impl Asked {
    /// The system text, with the instructions of MCP servers.
    pub(crate) fn system(&self) -> String {
        text_of(&self.body["system"])
    }

    /// The first message, which tells conversations apart.
    pub(crate) fn first(&self) -> String {
        text_of(&self.body["messages"][0]["content"])
    }

    /// What is new since the model last spoke: results of tools, and what hooks and reminders add, whoever says it.
    pub(crate) fn news(&self) -> String {
        let said = self.messages().iter().rposition(|it| it["role"] == "assistant").map_or(0, |it| it + 1);
        self.messages()[said..].iter().map(|it| text_of(&it["content"])).collect::<Vec<_>>().join("\n")
    }

    /// The names of the tools that are offered.
    pub(crate) fn tools(&self) -> Vec<&str> {
        array(&self.body["tools"]).iter().filter_map(|it| it["name"].as_str()).collect()
    }

    /// What the calls of the turn before gave, in the order of the calls; the client runs them at the same time.
    pub(crate) fn results(&self) -> Vec<Returned> {
        let Some(said) = self.messages().iter().rposition(|it| it["role"] == "assistant") else {
            return Vec::new();
        };
        let blocks: Vec<&Value> =
            self.messages()[said..].iter().flat_map(|it| array(&it["content"])).collect();
        let result = |call: &Value| blocks.iter().find(|it| it["tool_use_id"] == call["id"]).copied();
        let calls = blocks.iter().filter(|it| it["type"] == "tool_use");
        let read = |it: &Value| Returned { text: text_of(&it["content"]), is_error: it["is_error"] == true };
        calls.filter_map(|it| result(it)).map(read).collect()
    }

    /// How often the model has spoken in this conversation.
    pub(crate) fn turns(&self) -> usize {
        self.messages().iter().filter(|it| it["role"] == "assistant").count()
    }

    fn messages(&self) -> &[Value] {
        array(&self.body["messages"])
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The text in a content, which may be a text or blocks with text in them.
fn text_of(content: &Value) -> String {
    if let Some(text) = content.as_str() {
        return text.to_owned();
    }
    let inner = |it: &Value| it["text"].as_str().map_or_else(|| text_of(&it["content"]), str::to_owned);
    array(content).iter().map(inner).collect::<Vec<_>>().join("\n")
}

#[derive(Default)]
struct Heard {
    asked: Vec<Asked>,
    /// Hosts that somebody tried to reach through us.
    called: Vec<String>,
    /// What a step of a script found wrong.
    fault: Option<String>,
}

/// A model that listens on loopback. It ends with the tests.
#[derive(Clone)]
pub(crate) struct Model {
    address: SocketAddr,
    heard: Arc<Mutex<Heard>>,
}

impl Model {
    pub(crate) fn playing(scripts: impl IntoIterator<Item = Script>) -> Model {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
        let address = listener.local_addr().expect("an address");
        let heard = Arc::new(Mutex::new(Heard::default()));
        let scripts: Arc<[Script]> = scripts.into_iter().collect();
        let ears = heard.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (ears, scripts) = (ears.clone(), scripts.clone());
                thread::spawn(move || serve(stream, &ears, &scripts));
            }
        });
        Model { address, heard }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Everything that was asked in conversations with this mark, in its order.
    pub(crate) fn asked(&self, mark: &str) -> Vec<Asked> {
        let heard = locked(&self.heard);
        heard.asked.iter().filter(|it| is_of(it, mark)).cloned().collect()
    }

    /// Fails the test if a step of a script failed, or if anybody wanted to talk to another host.
    #[track_caller]
    pub(crate) fn check(&self) {
        let heard = locked(&self.heard);
        assert_eq!(heard.fault, None, "a step of the script failed");
        assert!(heard.called.is_empty(), "the client wanted to reach {:?}", heard.called);
    }
}

/// A step that panicked leaves what it saw; the lock is not what failed.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn is_of(asked: &Asked, mark: &str) -> bool {
    !asked.tools().is_empty() && (asked.first().contains(mark) || asked.system().contains(mark))
}

fn serve(mut stream: TcpStream, heard: &Mutex<Heard>, scripts: &[Script]) {
    let Some(message) = http::read(&mut stream) else { return };
    // The client hangs up on what it does not want to hear to its end.
    _ = match (message.method.as_str(), message.path.split('?').next().unwrap_or_default()) {
        ("POST", "/v1/messages") => answer(&mut stream, &message, heard, scripts),
        ("POST", "/v1/messages/count_tokens") => http::json(&mut stream, 200, &json!({"input_tokens": 1000})),
        ("CONNECT", host) => {
            locked(heard).called.push(host.to_owned());
            http::json(&mut stream, 403, &json!({}))
        }
        (_, path) if path.starts_with("http") => {
            locked(heard).called.push(path.to_owned());
            http::json(&mut stream, 403, &json!({}))
        }
        _ => http::json(
            &mut stream,
            404,
            &json!({"type": "error", "error": {"type": "not_found_error", "message": "?"}}),
        ),
    };
}

fn answer(
    stream: &mut TcpStream,
    message: &Message,
    heard: &Mutex<Heard>,
    scripts: &[Script],
) -> std::io::Result<()> {
    let asked = Asked { body: serde_json::from_slice(&message.body).unwrap_or_default() };
    locked(heard).asked.push(asked.clone());
    let turn = catch_unwind(AssertUnwindSafe(|| next(&asked, scripts)));
    let turn = turn.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        let words = words.or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).to_owned()));
        locked(heard).fault = Some(words.unwrap_or_default());
        Turn::says("The script failed.")
    });
    if asked.body["stream"] == true {
        http::events(stream, &events(&asked, &turn))
    } else {
        http::json(stream, 200, &whole(&asked, &turn))
    }
}

fn next(asked: &Asked, scripts: &[Script]) -> Turn {
    let script = scripts.iter().find(|it| is_of(asked, &it.mark));
    let step = script.and_then(|it| it.steps.get(asked.turns()));
    step.map_or_else(|| Turn::says("There is nothing more to say."), |it| locked(it)(asked))
}

/// The answer as one document.
fn whole(asked: &Asked, turn: &Turn) -> Value {
    let numbered = turn.blocks.iter().enumerate().map(|(n, block)| {
        let mut block = block.clone();
        if block["type"] == "tool_use" {
            block["id"] = json!(format!("toolu_{:02}_{n:02}_{:x}", asked.turns(), conversation(asked)));
        }
        block
    });
    json!({
        "id": format!("msg_{:02}_{:x}", asked.turns(), conversation(asked)),
        "type": "message",
        "role": "assistant",
        "model": asked.body["model"],
        "content": numbered.collect::<Vec<_>>(),
        "stop_reason": turn.stop_reason(),
        "stop_sequence": null,
        "usage": {"input_tokens": 100, "output_tokens": 10},
    })
}

/// A number that is another one in each conversation, so that no two calls have the same id.
fn conversation(asked: &Asked) -> usize {
    asked.first().bytes().fold(7, |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
}

/// The same as a stream: each block in one piece.
fn events(asked: &Asked, turn: &Turn) -> Vec<Value> {
    let mut start = whole(asked, turn);
    let blocks = std::mem::replace(&mut start["content"], json!([]));
    start["stop_reason"] = Value::Null;
    let mut events = vec![json!({"type": "message_start", "message": start})];
    for (n, mut block) in array(&blocks).iter().cloned().enumerate() {
        let delta = if block["type"] == "tool_use" {
            let input = std::mem::replace(&mut block["input"], json!({}));
            json!({"type": "input_json_delta", "partial_json": input.to_string()})
        } else {
            let text = std::mem::replace(&mut block["text"], json!(""));
            json!({"type": "text_delta", "text": text})
        };
        events.push(json!({"type": "content_block_start", "index": n, "content_block": block}));
        events.push(json!({"type": "content_block_delta", "index": n, "delta": delta}));
        events.push(json!({"type": "content_block_stop", "index": n}));
    }
    let stop = json!({"stop_reason": turn.stop_reason(), "stop_sequence": null});
    events.push(json!({"type": "message_delta", "delta": stop, "usage": {"output_tokens": 10}}));
    events.push(json!({"type": "message_stop"}));
    events
}
