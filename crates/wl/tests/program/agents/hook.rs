//! `wl hook`: that it is there and how it is asked. What it answers is tested in `hooks`.

use crate::{Tested, Wl};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("hook", [text, json, failures]);

fn start(wl: &Wl) -> Wl {
    wl.input(&json!({"session_id": "s", "cwd": wl.path("").display().to_string()}).to_string())
}

#[test]
fn text() {
    let wl = Wl::with_tasks(&["Write the parser"]);
    let said = start(&wl).ok(&["hook", "SessionStart"]);
    said.stdout_has("{\"hookSpecificOutput\":{\"hookEventName\":\"SessionStart\",")
        .stdout_has("Write the parser");
    assert_eq!(said.out.lines().count(), 1);
    let help = wl.ok(&["hook", "--help"]);
    for event in ["PreToolUse", "PostToolUse", "TaskCreated", "TaskCompleted", "SessionStart", "SubagentStop"]
    {
        help.stdout_has(event);
    }
}

/// What the client understands is what it is, with `--json` or without.
#[test]
fn json() {
    let wl = Wl::with_tasks(&["Write the parser"]);
    let said = start(&wl).json(&["hook", "SessionStart"]);
    assert_eq!(said["hookSpecificOutput"]["hookEventName"], "SessionStart");
    start(&Wl::new()).ok(&["hook", "SessionStart", "--json"]).stdout("");
}

/// Its exit codes are the client's: 2 denies, everything else lets pass.
#[test]
fn failures() {
    let wl = Wl::with_tasks(&["a", "b < a"]).with("CLAUDE_CODE_TASK_LIST_ID", "x");
    wl.fails(&["hook"], 2, "usage").says("<EVENT>");
    wl.run(&["hook", "Odd"]).code(0).stdout("").stderr("wl hook Odd: this event is not known\n");
    wl.input("{").run(&["hook", "Stop"]).code(0).stdout("").stderr_has("the input is not JSON");
    wl.ok(&["init"]);
    wl.ok(&["add", "a"]);
    wl.ok(&["claim", "1", "--as", "ann", "--session", "other"]);
    let input = json!({"session_id": "s", "tool_name": "TaskUpdate", "tool_input": {"taskId": "1", "status": "completed"}});
    wl.input(&input.to_string()).run(&["hook", "PreToolUse"]).code(2).stdout("").stderr_has("claimed by ann");
}
