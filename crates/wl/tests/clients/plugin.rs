//! What other programs say of the files that we give them: the client loads what `wl setup claude` writes, and the
//! validators of the clients pass it and what this repository publishes. Not which files those are.

use crate::{
    claude::Claude,
    kit::tool,
    model::{Model, Script, Turn},
    wl::{Read, Wl},
};
use serde_json::json;
use std::path::Path;

/// The root of this repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// The server of the plugin, as the client names it.
const SERVER: &str = "mcp__plugin_worklist_worklist";

#[test]
fn the_client_loads_what_set_up_wrote() {
    let wl = Wl::with_tasks(&["one"]);
    wl.ok(&["setup", "claude"]);
    let model = Model::playing([Script::of("go on")
        .turn(Turn::calls(&format!("{SERVER}__TaskNext"), json!({})))
        .turn(Turn::says("I have it"))]);
    let said = Claude::new(&wl, &model).open().allowing(SERVER).run("go on");
    assert_eq!(said.result(), "I have it");
    let server = &said.init()["mcp_servers"][0];
    assert_eq!(
        (&server["name"], &server["status"]),
        (&json!("plugin:worklist:worklist"), &json!("connected"))
    );
    assert!(said.init()["slash_commands"].to_string().contains("worklist:task-manager"), "no skill");

    let asked = model.asked("go on");
    assert!(asked[0].news().contains("#1 [ready] one"), "no hook: {}", asked[0].news());
    let text = asked[1].results().remove(0).text;
    assert!(text.starts_with("Claimed #1"), "{text}");
    let events = wl.json(&["log"]);
    let claimed = events.items("events").iter().find(|it| it["command"] == "next").expect("a claim");
    assert_eq!(claimed["agent"], "claude-code");
}

/// Has the client look a folder over. Warnings count as faults.
#[track_caller]
fn validated(wl: &Wl, folder: &Path, more: &[&str]) {
    let nobody = Model::playing([]);
    let mut command = Claude::new(wl, &nobody).program();
    command.args(["plugin", "validate"]).arg(folder).arg("--strict").args(more);
    let output = command.output().expect("the client runs");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", folder.display());
    nobody.check();
}

#[test]
fn the_client_has_nothing_to_say_against_the_plugin() {
    let wl = Wl::new();
    wl.ok(&["setup", "claude"]);
    let root = Path::new(ROOT);
    validated(&wl, &root.join("plugins/worklist"), &["--profile", "directory"]);
    validated(&wl, root, &[]);
    // Only a catalogue wants a picture, too.
    validated(&wl, &wl.path(".claude/skills/worklist"), &[]);
}

#[test]
fn gemini_has_nothing_to_say_against_the_extension() {
    let nobody = Model::playing([]);
    let wl = Wl::new().with("HTTPS_PROXY", &nobody.url()).with("HTTP_PROXY", &nobody.url());
    let node = tool("npm/node_modules/.bin/node").display().to_string();
    let gemini = tool("npm/node_modules/.bin/gemini").display().to_string();
    let folder = format!("{ROOT}/extensions/gemini");
    let run = wl.program(&node, &[&gemini, "extensions", "validate", &folder]).code(0);
    run.stderr_has("successfully validated");
    nobody.check();
}
