//! The server over HTTP: who may come in, who is who, and how much is taken in. Every request is written by hand.

use crate::Wl;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
    time::Duration,
};

struct Served {
    child: Child,
    port: u16,
    token: String,
}

impl Served {
    fn start(wl: &Wl, more: &[&str]) -> Served {
        let mut command = wl.command(&[&["mcp", "--http", "127.0.0.1:0"], more].concat());
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut said = String::new();
        BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut said).expect("a line");
        let port = said.split("127.0.0.1:").nth(1).and_then(|it| it.split('/').next()).expect("a port");
        let token = match said.split("the token is in ").nth(1) {
            Some(path) => std::fs::read_to_string(path.trim()).expect("a token").trim().to_owned(),
            None => String::new(),
        };
        assert!(token.is_empty() || !said.contains(&token), "a token is never shown");
        Served { child, port: port.parse().expect("a number"), token }
    }

    /// One request; status, head and body.
    fn request(&self, method: &str, headers: &[(&str, &str)], body: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a limit");
        let mut text =
            format!("{method} /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        // Whoever is refused early need not be read to the end.
        _ = stream.write_all(format!("{text}\r\n{body}").as_bytes());
        let mut answer = Vec::new();
        _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        (status, head.to_ascii_lowercase(), body.to_owned())
    }

    /// A message with everything that belongs to it.
    fn post(&self, token: &str, session: Option<&str>, message: &Value) -> (u16, String, String) {
        let (host, bearer) = (format!("127.0.0.1:{}", self.port), format!("Bearer {token}"));
        let mut headers = vec![
            ("Host", host.as_str()),
            ("Authorization", &bearer),
            ("Accept", "application/json, text/event-stream"),
            ("Content-Type", "application/json"),
        ];
        headers.extend(session.map(|it| ("Mcp-Session-Id", it)));
        self.request("POST", &headers, &message.to_string())
    }

    /// Opens a session of the older protocol.
    fn open(&self, token: &str) -> String {
        let (status, head, body) = self.post(token, None, &hello());
        assert_eq!(status, 200, "{head} {body}");
        let session = head.lines().find_map(|it| it.strip_prefix("mcp-session-id: ")).expect("a session");
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.post(token, Some(session), &done).0, 202);
        session.to_owned()
    }

    fn call(&self, token: &str, session: &str, tool: &str, arguments: Value) -> String {
        let params = json!({"name": tool, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        let (status, head, body) = self.post(token, Some(session), &message);
        assert_eq!(status, 200, "{head} {body}");
        body
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn hello() -> Value {
    let info = json!({"name": "tester", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
}

/// Host × Origin × token × method: only what is right in everything comes in.
#[test]
fn only_who_is_right_in_everything_comes_in() {
    let wl = Wl::new();
    let served = Served::start(&wl, &[]);
    let (port, other) = (served.port, served.port.wrapping_add(1));
    let hosts = [
        (Some(format!("127.0.0.1:{port}")), true),
        (Some(format!("localhost:{port}")), true),
        (Some("127.0.0.1".to_owned()), false),
        (Some(format!("127.0.0.1:{other}")), false),
        (Some(format!("evil.example:{port}")), false),
        (Some(format!("localhost.evil.example:{port}")), false),
        (Some(String::new()), false),
        (None, false),
    ];
    let origins = [
        (None, true),
        (Some(format!("http://127.0.0.1:{port}")), true),
        (Some(format!("http://localhost:{port}")), true),
        (Some(format!("https://127.0.0.1:{port}")), false),
        (Some(format!("http://127.0.0.1:{other}")), false),
        (Some("http://evil.example".to_owned()), false),
        (Some("null".to_owned()), false),
        (Some(String::new()), false),
    ];
    let tokens = [
        (Some(format!("Bearer {}", served.token)), true),
        (None, false),
        (Some("Bearer ".to_owned()), false),
        (Some(format!("Bearer {}x", served.token)), false),
        (Some(format!("Bearer {}", &served.token[1..])), false),
        (Some(format!("Basic {}", served.token)), false),
        (Some(served.token.clone()), false),
    ];
    let mut tried = 0;
    for (host, good_host) in &hosts {
        for (origin, good_origin) in &origins {
            for (token, good_token) in &tokens {
                for method in ["POST", "GET", "DELETE", "OPTIONS", "PUT"] {
                    let named = [("Host", host), ("Origin", origin), ("Authorization", token)];
                    let mut headers: Vec<(&str, &str)> =
                        named.iter().filter_map(|(name, it)| Some((*name, it.as_deref()?))).collect();
                    headers.push(("Accept", "application/json, text/event-stream"));
                    headers.push(("Content-Type", "application/json"));
                    let body = if method == "POST" { hello().to_string() } else { String::new() };
                    let (status, _, said) = served.request(method, &headers, &body);
                    let what = format!("{method} {headers:?}: {status} {said}");
                    match (*good_host && *good_origin, *good_token) {
                        (true, true) if method == "POST" => assert_eq!(status, 200, "{what}"),
                        (true, true) => assert!((400..500).contains(&status), "{what}"),
                        (true, false) => assert_eq!(status, 401, "{what}"),
                        // A host that is empty or missing may be refused before the gate.
                        (false, _) => assert!(status == 403 || status == 400, "{what}"),
                    }
                    tried += 1;
                }
            }
        }
    }
    println!("{tried} requests tried");
}

/// Two clients over one server are two claimants; neither can use the other's session.
#[test]
fn sessions_belong_to_the_client_that_opened_them() {
    let wl = Wl::with_tasks(&["one", "two"]);
    let (ann, bob) = ("a".repeat(40), "b".repeat(40));
    wl.write("tokens", &format!("ann {ann}\nbob {bob}\n"));
    let served = Served::start(&wl, &["--token-file", "tokens"]);
    let (of_ann, of_bob) = (served.open(&ann), served.open(&bob));
    assert!(served.call(&ann, &of_ann, "TaskNext", json!({})).contains("(@ann)"));
    assert!(served.call(&bob, &of_bob, "TaskNext", json!({})).contains("(@bob)"));
    let list = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list"});
    assert_eq!(served.post(&bob, Some(&of_ann), &list).0, 404);
    assert_eq!(served.post(&ann, Some("made-up"), &list).0, 404);
    let stolen = served.call(&bob, &of_bob, "TaskUpdate", json!({"taskId": "1", "status": "completed"}));
    assert!(stolen.contains("Not done: "), "{stolen}");
    let (host, bearer) = (format!("127.0.0.1:{}", served.port), format!("Bearer {ann}"));
    let headers = [("Host", host.as_str()), ("Authorization", &bearer), ("Mcp-Session-Id", &of_ann)];
    let status = served.request("DELETE", &headers, "").0;
    assert!((200..300).contains(&status), "{status}");
    // Who leaves gives back what it held, a moment after it is told that it may go; the other keeps its own.
    assert_eq!(wl.by("eve").json(&["next", "--wait", "30s"])["task"]["id"], "1");
    wl.by("eve").fails(&["claim", "2"], 3, "already_claimed");
}

#[test]
fn the_newer_protocol_needs_no_session() {
    let wl = Wl::with_tasks(&["one", "two"]);
    let served = Served::start(&wl, &[]);
    let call = |session: &str| {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
            "worklist/session": session,
        });
        let params = json!({"name": "TaskNext", "arguments": {}, "_meta": meta});
        let message = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        let (host, bearer) = (format!("127.0.0.1:{}", served.port), format!("Bearer {}", served.token));
        let headers = [
            ("Host", host.as_str()),
            ("Authorization", &bearer),
            ("Accept", "application/json, text/event-stream"),
            ("Content-Type", "application/json"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "TaskNext"),
        ];
        let (status, head, body) = served.request("POST", &headers, &message.to_string());
        assert_eq!(status, 200, "{head} {body}");
        body
    };
    assert!(call("x").contains("#1") && call("y").contains("#2"));
    wl.by("eve").fails(&["claim", "1"], 3, "already_claimed");
}

#[test]
fn only_so_much_is_taken_in() {
    let wl = Wl::new();
    let served = Served::start(&wl, &[]);
    let huge = json!({"jsonrpc": "2.0", "id": 1, "method": "x".repeat(5 * 1024 * 1024)});
    assert_eq!(served.post(&served.token, None, &huge).0, 413);
    assert_eq!(served.post(&served.token, None, &hello()).0, 200);
}

#[test]
fn other_machines_cannot_be_served() {
    let wl = Wl::new();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
        wl.fails(&["mcp", "--http", address], 2, "invalid").says("--http");
    }
    wl.fails(&["mcp", "--http", "127.0.0.1"], 2, "invalid");
    wl.fails(&["mcp", "--http", "127.0.0.1:0", "--token-file", "none"], 1, "io");
    wl.write("short", "abc\n");
    wl.fails(&["mcp", "--http", "127.0.0.1:0", "--token-file", "short"], 2, "invalid").says("--token-file");
}

/// The token is in a file of the user's own.
#[test]
fn nobody_else_can_read_the_token() {
    use std::os::unix::fs::PermissionsExt;
    let wl = Wl::new();
    let served = Served::start(&wl, &[]);
    let path = wl.path(&format!("home/.local/state/worklist/mcp-{}.token", served.port));
    assert_eq!(path.metadata().expect("a file").permissions().mode() & 0o777, 0o600);
    assert_eq!(served.token.len(), 64);
    let another = Served::start(&wl, &[]);
    assert_ne!(served.token, another.token);
}
