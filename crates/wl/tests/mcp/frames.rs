//! Messages that no client should send. The server answers or passes over them, goes on, and never dies of one.

use crate::{Client, Era, Streams, Wl};
use serde_json::{Value, json};

/// That it still works, after whatever was sent.
fn is_well(client: &Client, what: &str) {
    let answer = client.request("tools/call", json!({"name": "TaskList", "arguments": {}}));
    assert!(answer["result"]["content"][0]["text"].is_string(), "after {what}: {answer}");
}

/// Lines that are no messages, or the wrong ones.
fn lines() -> Vec<(&'static str, Vec<u8>)> {
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let nested = |n: usize| format!("{}1{}", "{\"a\":".repeat(n), "}".repeat(n));
    let call = |arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{{"name":"TaskCreate","arguments":{arguments}}}}}"#
        )
    };
    let texts = [
        ("nothing", String::new()),
        ("blanks", "   \t ".to_owned()),
        ("no JSON", "hello".to_owned()),
        ("half", r#"{"jsonrpc":"2.0","id":1,"meth"#.to_owned()),
        ("a number", "1".to_owned()),
        ("a list", r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#.to_owned()),
        ("null", "null".to_owned()),
        ("deep", deep(100_000)),
        ("deep objects", nested(100_000)),
        ("no method", r#"{"jsonrpc":"2.0","id":1}"#.to_owned()),
        ("a method that is a number", r#"{"jsonrpc":"2.0","id":1,"method":7}"#.to_owned()),
        ("another version", r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#.to_owned()),
        ("an id that is a list", r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#.to_owned()),
        ("an id that is null", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_owned()),
        (
            "parameters that are text",
            r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":"x"}"#.to_owned(),
        ),
        ("no tool", r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{}}"#.to_owned()),
        ("arguments that are a list", call("[1]")),
        ("arguments that are text", call("\"subject\"")),
        ("arguments that are deep", call(&format!(r#"{{"subject":"a","metadata":{}}}"#, nested(120)))),
        ("a subject that is an object", call(r#"{"subject":{"a":1}}"#)),
        ("a subject that is null", call(r#"{"subject":null}"#)),
        ("an answer to nothing", r#"{"jsonrpc":"2.0","id":99,"result":{}}"#.to_owned()),
        ("an error for nothing", r#"{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}"#.to_owned()),
        (
            "an unknown notification",
            r#"{"jsonrpc":"2.0","method":"notifications/odd","params":{}}"#.to_owned(),
        ),
        (
            "a cancellation of nothing",
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#.to_owned(),
        ),
        ("surrogates", r#"{"jsonrpc":"2.0","id":"x","method":"\ud800"}"#.to_owned()),
    ];
    let mut lines: Vec<(&str, Vec<u8>)> = texts.map(|(name, text)| (name, text.into_bytes())).into();
    lines
        .push(("bytes that are no text", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}".to_vec()));
    lines.push(("zeros", vec![0; 1000]));
    lines.push(("a long line", vec![b'a'; 5 * 1024 * 1024]));
    lines
}

#[test]
fn bad_messages_are_survived() {
    for era in [Era::Old, Era::New] {
        let wl = Wl::with_tasks(&["one"]);
        let client = Client::start(&wl, era);
        is_well(&client, "the start");
        for (name, mut line) in lines() {
            line.push(b'\n');
            client.raw(&line);
            is_well(&client, name);
        }
        // A list in the place of arguments, or a subject that is no text, made no task.
        assert_eq!(wl.json(&["list", "--all"])["total"], 1);
    }
}

/// The library would end the connection for anything but a request as the first message.
#[test]
fn bad_messages_before_the_first_good_one_are_survived() {
    for (name, mut line) in lines() {
        let wl = Wl::new();
        let client = Client::silent(&wl, &["mcp"], Streams::Sockets, Era::New, json!({}));
        line.push(b'\n');
        client.raw(&line);
        is_well(&client, name);
    }
}

#[test]
fn one_number_twice_is_survived() {
    let wl = Wl::with_tasks(&["one"]);
    let client = Client::start(&wl, Era::Old);
    let call =
        r#"{"jsonrpc":"2.0","id":"same","method":"tools/call","params":{"name":"TaskList","arguments":{}}}"#;
    client.raw(format!("{call}\n{call}\n{call}\n").as_bytes());
    assert!(client.answer("same")["result"].is_object());
    is_well(&client, "one number twice");
}

/// A message may come in pieces, and several in one piece.
#[test]
fn pieces_are_put_together() {
    let wl = Wl::with_tasks(&["one"]);
    let client = Client::start(&wl, Era::Old);
    let one = |id: u32| format!(r#"{{"jsonrpc":"2.0","id":"p{id}","method":"ping"}}"#) + "\n";
    for byte in one(1).bytes() {
        client.raw(&[byte]);
    }
    client.raw((2..50).map(one).collect::<String>().as_bytes());
    for id in 1..50 {
        assert_eq!(client.answer(&format!("p{id}"))["result"], json!({}));
    }
    client.raw(one(50).replace('\n', "\r\n").as_bytes());
    assert_eq!(client.answer("p50")["result"], json!({}));
}

/// Half a message and then nothing: the end is the end.
#[test]
fn a_client_may_leave_in_the_middle_of_a_word() {
    let wl = Wl::new();
    let client = Client::start(&wl, Era::Old);
    client.raw(br#"{"jsonrpc":"2.0","id":1,"meth"#);
    client.hang_up();
    assert_eq!(client.ended(), Some(0));
}

/// What models really send is understood; what cannot be meant is refused by name.
#[test]
fn arguments_are_taken_as_models_send_them() {
    let wl = Wl::with_tasks(&["one", "two"]);
    let client = Client::start(&wl, Era::Old);
    for id in [json!(1), json!("1"), json!("#1")] {
        assert!(client.call("TaskGet", json!({"taskId": id})).starts_with("#1 "));
    }
    let edges = json!({"taskId": "2", "addBlockedBy": "[\"1\"]"});
    assert!(client.call("TaskUpdate", edges).contains("[blocked by #1]"));
    let odd = client.result("TaskCreate", json!({"subject": "x", "colour": "red"}));
    assert_eq!(odd["isError"], Value::Bool(true));
    assert!(odd.to_string().contains("colour"), "{odd}");
}
