//! Where there was nothing: what is written, that writing it again changes nothing, and that nothing is left of it.

use crate::{
    site::{Case, OWN, SHARED, everything, project},
    wl::Wl,
};
use serde_json::{Value, json};

fn all() -> impl Iterator<Item = Case> {
    SHARED.into_iter().chain(OWN)
}

#[test]
fn set_up_twice_and_taken_out() {
    for case in all() {
        let wl = project();
        let before = everything(&wl);
        case.ok(&wl, &[]).stdout_has("(created)").stdout_has("is set up for");
        let after = everything(&wl);
        assert!(after.len() > before.len() && wl.path(case.file).is_file(), "{case:?}");
        case.ok(&wl, &[]).stdout_has("nothing to do");
        assert_eq!(everything(&wl), after, "{case:?} a second time");
        case.ok(&wl, &["--remove"]).stdout_has("(removed)").stdout_has("taken out of");
        assert_eq!(everything(&wl), before, "{case:?} taken out");
        case.ok(&wl, &["--remove"]).stdout_has("nothing to do");
        assert!(!wl.path("home/.local/state/worklist/setup.jsonl").exists(), "{case:?}");
    }
}

/// On another machine nothing is known of who made what: whatever is empty goes.
#[test]
fn taken_out_where_nothing_is_known() {
    for case in all() {
        let wl = project();
        let before = everything(&wl);
        case.install(&wl);
        std::fs::remove_file(wl.path("home/.local/state/worklist/setup.jsonl")).unwrap();
        case.ok(&wl, &["--remove"]);
        assert_eq!(everything(&wl), before, "{case:?}");
    }
}

#[test]
fn printing_writes_nothing() {
    for case in all() {
        let wl = project();
        let before = everything(&wl);
        case.ok(&wl, &["--print"]).stdout_has("wl").stdout_has("Nothing was written.");
        assert_eq!(everything(&wl), before, "{case:?}");
        assert!(!wl.path("home/.local").exists());
        case.install(&wl);
        let after = everything(&wl);
        case.ok(&wl, &["--print", "--remove"]).stdout_has("(removed)").stdout_has("Nothing was written.");
        assert_eq!(everything(&wl), after, "{case:?}");
    }
}

#[test]
fn a_check_says_missing_stale_and_current() {
    for case in all() {
        let wl = project();
        let check = ["setup", case.client, case.flag, "--check"];
        let missing = wl.fails(&check, 1, "not_set_up").has("state", "missing").has("client", case.client);
        missing.hints(&format!("`wl setup {}", case.client));
        case.ok(&wl, &[]);
        assert_eq!(wl.json(&check)["state"], "current", "{case:?}");
        let ours = if case.client == "opencode" { "\"local\"" } else { "\"mcp\"" };
        wl.replace(case.file, ours, "\"old\"");
        let state = if case.client == "claude" { "edited" } else { "stale" };
        wl.fails(&check, 1, "outdated").has("state", state);
    }
}

/// What each client reads, byte for byte what it documents.
#[test]
fn the_entries_are_what_the_clients_read() {
    let wl = project();
    let entry = |client: &str, file: &str, keys: [&str; 2]| -> Value {
        wl.ok(&["setup", client]);
        let document: Value = serde_json::from_str(&wl.read(file)).unwrap();
        document[keys[0]][keys[1]].clone()
    };
    let words = json!({"command": "wl", "args": ["mcp"]});
    assert_eq!(entry("gemini", ".gemini/settings.json", ["mcpServers", "worklist"]), words);
    assert_eq!(entry("cursor", ".cursor/mcp.json", ["mcpServers", "worklist"]), words);
    let typed = json!({"type": "stdio", "command": "wl", "args": ["mcp"]});
    assert_eq!(entry("vscode", ".vscode/mcp.json", ["servers", "worklist"]), typed);
    let local = json!({"type": "local", "command": ["wl", "mcp"]});
    assert_eq!(entry("opencode", "opencode.json", ["mcp", "worklist"]), local);
    wl.ok(&["setup", "codex"]);
    let codex = wl.read(".codex/config.toml");
    assert!(
        codex.starts_with("[mcp_servers.worklist]\ncommand = \"wl\"\nargs = [\"mcp\"]\nenv_vars = ["),
        "{codex}"
    );
    let text = wl.read("AGENTS.md");
    assert!(
        text.starts_with("<!-- worklist:begin hash=") && text.ends_with("<!-- worklist:end -->\n"),
        "{text}"
    );
    assert!(text.contains(&wl.ok(&["help", "agents"]).out[..400]), "the guide's own words");
}

/// A project's files suit every machine; a user's suit this one.
#[test]
fn the_program_is_called_by_its_name_where_that_leads_to_it() {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_wl"));
    let folder = program.parent().unwrap().display().to_string();
    for case in all() {
        let wl = project();
        let warned = case.ok(&wl, &["--print"]);
        let named = program.canonicalize().unwrap().display().to_string();
        if case.flag == "--user" {
            warned.stdout_has(&named).stderr("");
        } else {
            assert!(!warned.out.contains(&named), "{case:?}: {}", warned.out);
            warned.stderr_has("`wl` is not on the PATH");
        }
        let found = case.ok(&wl.with("PATH", &folder), &["--print"]);
        assert!(!found.out.contains(&named), "{case:?}: {}", found.out);
        found.stderr("");
    }
    let wl: Wl = project();
    wl.write("bin/wl", "#!/bin/sh\n");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(wl.path("bin/wl"), mode).unwrap();
    let other = wl.with("PATH", &wl.path("bin").display().to_string());
    other.ok(&["setup", "codex", "--print"]).stderr_has("is another one");
}

/// The plugin calls a hook at each moment, and the skill is the guide.
#[test]
fn the_plugin_is_whole() {
    let wl = project();
    wl.ok(&["setup", "claude"]);
    let file = |name: &str| wl.read(&format!(".claude/skills/worklist/{name}"));
    let hooks: Value = serde_json::from_str(&file("hooks/hooks.json")).unwrap();
    let moments = [
        "PreToolUse",
        "PostToolUse",
        "TaskCreated",
        "TaskCompleted",
        "SessionStart",
        "SubagentStop",
        "TeammateIdle",
        "Stop",
        "PreCompact",
        "SessionEnd",
    ];
    for moment in moments {
        let hook = &hooks["hooks"][moment][0];
        assert_eq!(hook["hooks"][0]["command"], format!("wl hook {moment}"));
        assert!(hook["hooks"][0]["timeout"].as_u64().unwrap() <= 60);
        assert_eq!(hook.get("matcher").is_some(), moment.contains("ToolUse"), "{moment}");
    }
    assert_eq!(hooks["hooks"].as_object().unwrap().len(), moments.len());
    assert!(file("skills/task-manager/SKILL.md").starts_with("---\nname: task-manager\n"));
    let manifest: Value = serde_json::from_str(&file(".claude-plugin/plugin.json")).unwrap();
    assert_eq!(manifest["mcpServers"]["worklist"], json!({"command": "wl", "args": ["mcp"]}));
}
