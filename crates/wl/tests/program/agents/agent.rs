//! `wl agent` as a command. What it does with a model has tests of its own, in `tests/agent`.

use crate::{Tested, Wl};
use serde_json::json;
use std::{
    io::{Read, Write},
    net::TcpListener,
    thread,
};

pub(crate) const TESTED: Tested = Tested::new("agent", [text, json, failures]);

/// A service that says one word to everybody.
fn service() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let said = json!({"choices": [{"delta": {"content": "Hello."}, "finish_reason": "stop"}]});
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut asked = Vec::new();
            let mut part = [0; 4096];
            while !String::from_utf8_lossy(&asked).trim_end().ends_with("]}") {
                let Ok(length @ 1..) = stream.read(&mut part) else { break };
                asked.extend_from_slice(&part[..length]);
            }
            let answer =
                format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndata: {said}\n\ndata: [DONE]\n\n");
            // A client that broke off does not read.
            _ = stream.write_all(answer.as_bytes());
        }
    });
    url
}

fn asked(url: &str) -> Vec<&str> {
    vec!["agent", "--provider", "openai", "--model", "m", "--base-url", url]
}

#[test]
fn text() {
    let url = service();
    let wl = Wl::new();
    wl.ok(&[&asked(&url)[..], &["-p", "Hi"]].concat()).stdout("Hello.\n").stderr("");
    wl.input("Hi\nHi\n").ok(&asked(&url)).stdout("Hello.\nHello.\n");
    wl.input("Hi").ok(&[&asked(&url)[..], &["-p", "-"]].concat()).stdout("Hello.\n");
}

#[test]
fn json() {
    let url = service();
    let wl = Wl::with_tasks(&["Write the parser"]);
    let said = wl.ok(&[&asked(&url)[..], &["-p", "Hi", "--json"]].concat());
    let lines = said.lines();
    assert_eq!(lines[0]["type"], "start");
    assert_eq!(lines[0]["open"], json!([{"id": "1", "subject": "Write the parser", "state": "ready"}]));
    assert_eq!(lines[2], json!({"type": "end", "turns": 1, "stop": "done", "text": "Hello."}));
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["agent", "-p", "Hi"], 2, "invalid").says("ANTHROPIC_API_KEY is not set").hints("model.key");
    wl.fails(&["agent", "-p", "Hi", "--provider", "odd"], 2, "invalid");
    wl.fails(&["agent", "-p", "Hi", "--provider", "openai"], 2, "invalid").says("--model must be given");
    wl.fails(&["agent", "-p", "Hi", "--base-url", "nowhere"], 2, "invalid").says("--base-url");
    wl.fails(&["agent", "-p", "Hi", "--tools", "odd"], 2, "invalid");
    wl.fails(&["agent", "-p", "Hi", "--max-turns", "0"], 2, "invalid");
    let url = service();
    let at = asked(&url);
    wl.fails(&[&at[..], &["-p", " "]].concat(), 2, "invalid").says("PROMPT may not be empty");
    wl.fails(&[&at[..], &["-p", "Hi", "--workspace", "none"]].concat(), 2, "invalid").says("--workspace");
    wl.fails(&[&at[..], &["-p", "Hi", "--system", "none"]].concat(), 1, "io").says("could not read none");
}
