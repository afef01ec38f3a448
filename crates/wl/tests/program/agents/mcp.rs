//! `wl mcp` as a command. What it serves has tests of its own, in `tests/mcp`.

use crate::{Tested, Wl};

pub(crate) const TESTED: Tested = Tested::new("mcp", [text, json, failures]);

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

#[test]
fn text() {
    let said = Wl::new().input(&format!("{HELLO}\n")).ok(&["mcp"]);
    said.stdout_has("\"name\":\"worklist\"").stderr("");
    assert_eq!(said.out.lines().count(), 1);
}

/// The protocol is JSON anyway.
#[test]
fn json() {
    let wl = Wl::new().input(&format!("{HELLO}\n"));
    assert_eq!(wl.ok(&["mcp", "--json"]).out, wl.ok(&["mcp"]).out);
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["mcp", "--tools", "odd"], 2, "invalid");
    wl.fails(&["mcp", "--http", "0.0.0.0:0"], 2, "invalid")
        .says("--http must be an address of this machine alone");
    wl.fails(&["mcp", "--token-file", "x"], 2, "usage");
    wl.fails(&["mcp", "--log", "none/x.log"], 1, "io").says("could not write to none/x.log");
}

/// What happens goes to a file if asked to; standard output stays the protocol's.
#[test]
fn it_writes_down_what_happens() {
    let wl = Wl::new().input(&format!("{HELLO}\n"));
    wl.ok(&["mcp", "--log", "mcp.log"]);
    assert!(!wl.read("mcp.log").is_empty());
    wl.ok(&["mcp", "-v"]).stderr_has("list ");
}
