//! Codex and Gemini as workers: the real programs, each against a service on loopback that speaks its own dialect and plays
//! one script. Not what they can do beside: only what `wl work --agent` asks of them.

use crate::{http, kit::tool, wl::Wl, workers::assert_worked};
use serde_json::{Value, json};
use std::{
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Command, Output},
    thread,
};

/// The words of the one call of the script.
const BACK: &str = r#"{"taskId": "2", "status": "pending", "reason": "it needs a key"}"#;

/// A service that answers each request by a function of its path and body. Its address.
fn service(answer: fn(&str, &Value) -> Option<Vec<Value>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || served(stream, answer));
        }
    });
    url
}

fn served(mut stream: TcpStream, answer: fn(&str, &Value) -> Option<Vec<Value>>) {
    let Some(asked) = http::read(&mut stream) else { return };
    let body = serde_json::from_slice(&asked.body).unwrap_or_default();
    // What they ask of anybody else, through us as their proxy, is refused.
    _ = match answer(&asked.path, &body) {
        Some(events) => http::events(&mut stream, &events),
        None => http::json(&mut stream, 403, &json!({"error": "not here"})),
    };
}

/// Whether the task that is asked about is the one that cannot be done, and has not been given back yet.
fn cannot(body: &Value, answered: &str) -> bool {
    let text = body.to_string();
    text.contains("Task #2: ") && !text.contains(answered)
}

/// The program at work with a client, in the place of a test.
fn work(wl: &Wl, url: &str, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let programs = tool("npm/node_modules/.bin/node");
    let programs = programs.parent().unwrap_or(Path::new("/")).display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(env!("CARGO_BIN_EXE_wl"));
    command.env_clear().current_dir(wl.path("")).env("HOME", wl.path("home")).env("PATH", path);
    command.env("WORKLIST_DIR", wl.path(".tasks"));
    command.env("HTTPS_PROXY", url).env("NO_PROXY", "127.0.0.1,localhost").env("LANG", "C.UTF-8");
    command.envs(variables.iter().copied()).args(["work", "--attempts", "1"]).args(arguments);
    command.output().expect("it runs")
}

fn codexes(path: &str, body: &Value) -> Option<Vec<Value>> {
    if !path.ends_with("/responses") {
        return None;
    }
    let item = if cannot(body, "function_call_output") {
        json!({"type": "function_call", "id": "f", "call_id": "c", "namespace": "mcp__worklist",
            "name": "TaskUpdate", "arguments": BACK})
    } else {
        json!({"type": "message", "id": "m", "role": "assistant",
            "content": [{"type": "output_text", "text": "I have ended."}]})
    };
    let usage = json!({"input_tokens": 1, "output_tokens": 1, "total_tokens": 2});
    Some(vec![
        json!({"type": "response.created", "response": {"id": "r"}}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": {"id": "r", "usage": usage}}),
    ])
}

#[test]
fn codex_does_tasks_and_gives_back_what_it_cannot_do() {
    let wl = Wl::with_tasks(&["write it", "sign it"]);
    let url = service(codexes);
    let provider = format!(
        "model_providers.here={{name=\"here\", base_url=\"{url}/v1\", wire_api=\"responses\", env_key=\"K\"}}"
    );
    let own = ["-c", "model_provider=\"here\"", "-c", &provider, "-m", "any"];
    let output = work(&wl, &url, &[("K", "none")], &[&["--agent", "codex", "--"], &own[..]].concat());
    assert_worked(&wl, &output, "codex exec");
    wl.ok(&["logs", "1"]).stdout_has("I have ended.");
}

fn geminis(path: &str, body: &Value) -> Option<Vec<Value>> {
    if !path.contains("/models/") {
        return None;
    }
    let part = if cannot(body, "functionResponse") {
        let input: Value = serde_json::from_str(BACK).expect("JSON");
        json!({"functionCall": {"name": "mcp_worklist_TaskUpdate", "args": input}})
    } else {
        json!({"text": "I have ended."})
    };
    let usage = json!({"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2});
    let said = json!({"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0});
    Some(vec![json!({"candidates": [said], "usageMetadata": usage})])
}

#[test]
fn gemini_does_tasks_and_gives_back_what_it_cannot_do() {
    // It does not believe settings in a folder that everybody can write to, such as that of temporary files.
    let wl = Wl::beneath(env!("CARGO_TARGET_TMPDIR"));
    let wl = wl.with("WORKLIST_DIR", &wl.path(".tasks").display().to_string());
    wl.ok(&["init"]);
    wl.ok(&["add", "write it"]);
    wl.ok(&["add", "sign it"]);
    let settings = json!({"security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": false}});
    wl.write("home/.gemini/settings.json", &settings.to_string());
    let url = service(geminis);
    let variables = [("GEMINI_API_KEY", "none"), ("GOOGLE_GEMINI_BASE_URL", &url)];
    let output = work(&wl, &url, &variables, &["--agent", "gemini", "--", "-m", "gemini-2.5-pro"]);
    assert_worked(&wl, &output, "gemini ");
    wl.ok(&["logs", "1"]).stdout_has("I have ended.");
}
