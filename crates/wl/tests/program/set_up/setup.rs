//! `wl setup`; what becomes of the files is in `tests/setup`.

use crate::{Tested, Wl, wl::Read};

pub(crate) const TESTED: Tested = Tested::new("setup", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::new();
    wl.ok(&["setup"]).stdout_has("CLIENT").stdout_has("opencode  no     missing  missing  opencode");
    wl.ok(&["setup", "cursor"])
        .stdout_has(".cursor/mcp.json (created)")
        .stdout_has("+     \"worklist\": {")
        .stdout_has("Cursor is set up for this project.");
    wl.ok(&["setup", "cursor"]).stdout("Cursor: nothing to do for this project.\n");
    wl.ok(&["setup", "cursor", "--check"]).stdout("Cursor: nothing to do for this project.\n");
    wl.ok(&["setup", "cursor", "--remove"]).stdout_has("Cursor: Worklist is taken out of this project.");
}

#[test]
fn json() {
    let wl = Wl::new();
    assert_eq!(wl.json(&["setup"]).items("clients").len(), 6);
    let printed = wl.json(&["setup", "codex", "--print"]);
    assert_eq!((printed.word("state"), printed["written"].as_bool()), ("missing", Some(false)));
    let done = wl.json(&["setup", "codex"]);
    assert_eq!(
        (done.word("client"), done.word("scope"), &done["written"]),
        ("codex", "project", &true.into())
    );
    let file = &done.items("files")[0];
    assert_eq!((file.word("state"), file.word("change")), ("missing", "created"));
    assert_eq!(file.items("lines")[0], "+[mcp_servers.worklist]");
    let again = wl.json(&["setup", "codex"]);
    assert_eq!((again.word("state"), &again["written"]), ("current", &false.into()));
    assert_eq!(again.items("files")[0].word("change"), "none");
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["setup", "emacs"], 2, "invalid").says("emacs");
    wl.fails(&["setup", "--check"], 2, "usage").says("<CLIENT>");
    wl.fails(&["setup", "codex", "--check", "--remove"], 2, "usage");
    wl.fails(&["setup", "codex", "--user", "--project"], 2, "usage");
    wl.fails(&["setup", "codex", "--check"], 1, "not_set_up").has("scope", "project");
    wl.write(".codex", "a file in the way");
    wl.fails(&["setup", "codex"], 1, "io").says("could not read");
}
