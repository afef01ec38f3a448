//! What the harness promises: hooks, MCP servers and subagents of the client are within reach of a test. The server here
//! is ten lines of Python, so that a fault is the harness's. Not a test of `wl`.

use crate::{
    claude::Claude,
    kit::tool,
    model::{Model, Script, Turn},
    wl::Wl,
};
use serde_json::{Value, json};

const SERVER: &str = "\
from mcp.server import MCPServer

server = MCPServer('probe', instructions='Greet everybody.')

@server.tool()
def greet(name: str) -> str:
    return f'hello {name}'

server.run()
";

#[test]
fn hooks_servers_and_subagents_are_within_reach() {
    let wl = Wl::new();
    wl.write("server.py", SERVER);
    let python = tool("python/bin/python3").display().to_string();
    let greet = |name: &str| Turn::calls("mcp__probe__greet", json!({"name": name}));
    let helper = json!({
        "description": "greet", "prompt": "you are the helper", "subagent_type": "general-purpose",
        "run_in_background": false,
    });
    let model = Model::playing([
        Script::of("greet all")
            .turn(greet("ann"))
            .turn(Turn::calls("TaskCreate", json!({"subject": "x", "description": "x"})))
            .turn(Turn::calls("Agent", helper))
            .turn(Turn::says("greeted")),
        Script::of("you are the helper").turn(greet("bob")).turn(Turn::says("bob is greeted")),
    ]);
    let said = Claude::new(&wl, &model)
        .list("team")
        .server("probe", &python, &["server.py"])
        .hook("SessionStart", "", "echo The board is red.")
        .hook("PreToolUse", "TaskCreate", "cat > asked.json; echo not today >&2; exit 2")
        .run("greet all");
    assert_eq!(said.result(), "greeted");
    assert_eq!(said.init()["mcp_servers"][0]["status"], "connected", "{}", said.init());

    let asked = model.asked("greet all");
    assert!(asked[0].tools().contains(&"mcp__probe__greet"), "{:?}", asked[0].tools());
    assert!(asked[0].news().contains("The board is red."), "{}", asked[0].news());
    let seen = asked[0].system() + &asked[0].news();
    assert!(seen.contains("## probe\nGreet everybody."), "{seen}");
    assert!(asked[1].results()[0].text.contains("hello ann"), "{:?}", asked[1].results());
    let denied = &asked[2].results()[0];
    assert!(denied.is_error && denied.text.contains("not today"), "{denied:?}");
    assert!(asked[3].results()[0].text.contains("bob is greeted"), "{:?}", asked[3].results());
    let helped = model.asked("you are the helper");
    assert!(helped[1].results()[0].text.contains("hello bob"), "{:?}", helped[1].results());

    let input: Value = serde_json::from_str(&wl.read("asked.json")).expect("the hook's input");
    assert_eq!(input["tool_input"]["subject"], "x");
    assert_eq!(wl.run(&["list", "--list", "team"]).code(4).out, "", "the hook denied it");
}
