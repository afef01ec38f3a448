//! A client on the server's standard streams: sends, sorts what comes back, and can do both at once from many threads.
//! Not an SDK: it says exactly what a test wants to say.

use crate::wl::Wl;
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Read, Write},
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::{Child, Stdio},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

/// Nothing that a server is asked here takes so long.
const LIMIT: Duration = Duration::from_mins(1);

/// What the server's streams are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Streams {
    Pipes,
    Sockets,
}

/// Which generation of the protocol is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// With `initialize`.
    Old,
    /// With everything in each request.
    New,
}

pub(crate) struct Client {
    pub(crate) child: Mutex<Child>,
    writer: Mutex<Option<Box<dyn Write + Send>>>,
    inbox: Arc<Inbox>,
    numbers: AtomicU64,
    era: Era,
    /// What the client says it can do.
    able: Value,
}

/// What came back.
#[derive(Default)]
struct Inbox {
    mail: Mutex<Mail>,
    came: Condvar,
}

#[derive(Default)]
struct Mail {
    answers: HashMap<String, Value>,
    others: Vec<Value>,
    ended: bool,
}

impl Client {
    /// Starts `wl mcp` and greets it.
    pub(crate) fn start(wl: &Wl, era: Era) -> Client {
        Client::with(wl, &["mcp"], Streams::Sockets, era, json!({}))
    }

    pub(crate) fn with(wl: &Wl, arguments: &[&str], streams: Streams, era: Era, able: Value) -> Client {
        let client = Client::silent(wl, arguments, streams, era, able);
        if era == Era::Old {
            let info = json!({"name": "tester", "version": "1"});
            let hello =
                json!({"protocolVersion": "2025-06-18", "capabilities": client.able, "clientInfo": info});
            client.request("initialize", hello)["result"]["serverInfo"]["name"].as_str().expect("a name");
            client.notify("notifications/initialized", json!({}));
        }
        client
    }

    /// Starts it and says nothing yet.
    pub(crate) fn silent(wl: &Wl, arguments: &[&str], streams: Streams, era: Era, able: Value) -> Client {
        let mut command = wl.command(arguments);
        command.stderr(Stdio::null());
        let (child, reader, writer): (Child, Box<dyn Read + Send>, Box<dyn Write + Send>) = match streams {
            Streams::Pipes => {
                let mut child =
                    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
                let (input, output) =
                    (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
                (child, Box::new(output), Box::new(input))
            }
            Streams::Sockets => {
                let (ours, theirs) = UnixStream::pair().expect("sockets");
                let (ours_too, theirs_too) = UnixStream::pair().expect("sockets");
                command.stdin(OwnedFd::from(theirs)).stdout(OwnedFd::from(theirs_too));
                (command.spawn().expect("it starts"), Box::new(ours_too), Box::new(ours))
            }
        };
        let inbox = Arc::new(Inbox::default());
        let mail = inbox.clone();
        thread::spawn(move || sort(reader, &mail));
        Client {
            child: Mutex::new(child),
            writer: Mutex::new(Some(writer)),
            inbox,
            numbers: AtomicU64::new(1),
            era,
            able,
        }
    }

    /// Sends these very bytes.
    pub(crate) fn raw(&self, bytes: &[u8]) {
        let mut writer = self.writer.lock().expect("a writer");
        let writer = writer.as_mut().expect("an open stream");
        writer.write_all(bytes).and_then(|()| writer.flush()).expect("the server reads");
    }

    /// Closes the stream to the server.
    pub(crate) fn hang_up(&self) {
        self.writer.lock().expect("a writer").take();
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.say(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub(crate) fn say(&self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes());
    }

    /// Sends a request; its number.
    pub(crate) fn send(&self, method: &str, mut params: Value) -> String {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        if self.era == Era::New {
            let meta = params.as_object_mut().expect("an object").entry("_meta").or_insert(json!({}));
            meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            meta["io.modelcontextprotocol/clientInfo"] = json!({"name": "tester", "version": "1"});
            meta["io.modelcontextprotocol/clientCapabilities"] = self.able.clone();
        }
        self.say(&json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params}));
        number.to_string()
    }

    /// Sends a request and waits for its answer.
    #[track_caller]
    pub(crate) fn request(&self, method: &str, params: Value) -> Value {
        let number = self.send(method, params);
        self.answer(&number)
    }

    /// Waits for the answer to a request.
    #[track_caller]
    pub(crate) fn answer(&self, number: &str) -> Value {
        let mail = self.inbox.mail.lock().expect("mail");
        let waited = self
            .inbox
            .came
            .wait_timeout_while(mail, LIMIT, |it| !it.answers.contains_key(number) && !it.ended);
        let (mut mail, _) = waited.expect("mail");
        mail.answers.remove(number).unwrap_or_else(|| panic!("no answer to {number}, ended: {}", mail.ended))
    }

    /// Waits for something that is no answer.
    #[track_caller]
    pub(crate) fn other(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        let mail = self.inbox.mail.lock().expect("mail");
        let there = |it: &mut Mail| !it.others.iter().any(&wanted) && !it.ended;
        let (mut mail, _) = self.inbox.came.wait_timeout_while(mail, LIMIT, there).expect("mail");
        let place = mail.others.iter().position(&wanted).unwrap_or_else(|| panic!("only {:?}", mail.others));
        mail.others.remove(place)
    }

    /// Calls a tool; the whole result.
    #[track_caller]
    pub(crate) fn result(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = answer["result"].clone();
        assert!(result.is_object(), "{answer}");
        assert!(result.get("structuredContent").is_none(), "it would take the place of the text: {result}");
        result
    }

    /// Calls a tool; what the model reads.
    #[track_caller]
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> String {
        text(&self.result(tool, arguments))
    }

    /// Waits for the end of the server; its exit code.
    pub(crate) fn ended(&self) -> Option<i32> {
        self.child.lock().expect("a child").wait().expect("it ends").code()
    }

    pub(crate) fn kill(&self) {
        let mut child = self.child.lock().expect("a child");
        child.kill().and_then(|()| child.wait()).expect("it dies");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let mut child = self.child.lock().expect("a child");
        _ = child.kill();
        _ = child.wait();
    }
}

/// The text of a result.
pub(crate) fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}")).to_owned()
}

fn sort(reader: Box<dyn Read + Send>, inbox: &Inbox) {
    for line in BufReader::new(reader).lines().map_while(Result::ok) {
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        let mut mail = inbox.mail.lock().expect("mail");
        let answer = message.get("method").is_none();
        match message.get("id").filter(|_| answer) {
            Some(id) => _ = mail.answers.insert(id.to_string().trim_matches('"').to_owned(), message),
            None => mail.others.push(message),
        }
        inbox.came.notify_all();
    }
    inbox.mail.lock().expect("mail").ended = true;
    inbox.came.notify_all();
}
