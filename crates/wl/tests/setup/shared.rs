//! Several clients in one project: what they share stays as long as one of them needs it, and the overview knows them all.

use crate::site::{everything, project};
use serde_json::json;

#[test]
fn a_shared_text_goes_with_the_last() {
    let wl = project();
    let before = everything(&wl);
    for client in ["codex", "cursor", "opencode"] {
        wl.ok(&["setup", client]);
    }
    assert_eq!(wl.read("AGENTS.md").matches("worklist:begin").count(), 1);
    wl.ok(&["setup", "codex", "--remove"]).stdout_has("AGENTS.md stays as it is: Cursor reads it as well");
    wl.ok(&["setup", "cursor", "--remove"]).stdout_has("opencode reads it as well");
    assert!(wl.path("AGENTS.md").is_file());
    wl.ok(&["setup", "opencode", "--remove"]);
    assert_eq!(everything(&wl), before);
}

/// Gemini CLI reads what its settings say.
#[test]
fn geminis_text_goes_where_it_reads() {
    for (file, settings, text) in [
        (".gemini/settings.json", "{\"context\": {\"fileName\": \"AGENTS.md\"}}", "AGENTS.md"),
        (
            ".gemini/settings.json",
            "{\"context\": {\"fileName\": [\"NOTES.md\", \"AGENTS.md\"]}}",
            "AGENTS.md",
        ),
        (".gemini/settings.json", "{\"contextFileName\": \"NOTES.md\"}", "NOTES.md"),
        (".gemini/settings.json", "{\"contextFileName\": \"../up.md\"}", "GEMINI.md"),
        ("home/.gemini/settings.json", "{\"context\": {\"fileName\": \"AGENTS.md\"}}", "AGENTS.md"),
    ] {
        let wl = project();
        wl.write(file, settings);
        wl.ok(&["setup", "gemini"]);
        assert!(wl.read(text).contains("worklist:end"), "{settings}");
        wl.ok(&["setup", "gemini", "--remove"]);
        assert!(!wl.path(text).exists() && wl.read(file) == settings);
    }
}

#[test]
fn the_overview_knows_every_client() {
    let wl = project();
    wl.ok(&["setup", "codex", "--user"]);
    wl.ok(&["setup", "claude"]);
    let clients = wl.json(&["setup"])["clients"].clone();
    let of = |name: &str| clients.as_array().unwrap().iter().find(|it| it["client"] == name).unwrap().clone();
    let codex = json!({"client": "codex", "title": "Codex", "detected": true, "project": "missing", "user": "current"});
    assert_eq!(of("codex"), codex);
    assert_eq!((&of("claude")["project"], &of("claude")["detected"]), (&json!("current"), &json!(true)));
    assert_eq!((&of("vscode")["user"], &of("vscode")["detected"]), (&json!(null), &json!(false)));
    assert_eq!(clients.as_array().unwrap().len(), 6);
}

/// Other places, where the variables of those programs say so.
#[test]
fn the_clients_own_variables_count() {
    let wl = project();
    let at = |name: &str| wl.path(name).display().to_string();
    let moved =
        wl.with("CODEX_HOME", &at("c")).with("XDG_CONFIG_HOME", &at("x")).with("CLAUDE_CONFIG_DIR", &at("l"));
    for client in ["codex", "opencode", "claude"] {
        moved.ok(&["setup", client, "--user"]);
    }
    for file in ["c/config.toml", "x/opencode/opencode.json", "l/skills/worklist/README.md"] {
        assert!(wl.path(file).is_file(), "{file}");
    }
    for client in ["codex", "opencode", "claude"] {
        moved.ok(&["setup", client, "--user", "--remove"]);
    }
    for folder in ["c", "l"] {
        assert!(!wl.path(folder).exists(), "{folder}");
    }
}
