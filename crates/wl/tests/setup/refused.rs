//! What set-up does not do: touch a file that it cannot read, or write over what somebody changed by hand.

use crate::site::{SHARED, everything, project};
use std::fs;

#[test]
fn a_damaged_file_is_left_alone() {
    for case in SHARED {
        let damaged: &[&str] = if case.is_toml() {
            &["a = \n", "[x", "mcp_servers = 1\n", "mcp_servers = { other = {} }\n"]
        } else {
            &[
                "",
                "{",
                "[]",
                "null",
                "{\"KEY\": []}",
                "{\"KEY\": {\"a\": }}",
                "{\"a\": 1,,}",
                "{ /* ",
                "{} x",
                "{'a': 1}",
            ]
        };
        for text in damaged {
            let wl = project();
            wl.write(case.file, &text.replace("KEY", case.key()));
            let before = everything(&wl);
            let arguments = ["setup", case.client, case.flag];
            let failed = wl.fails(&arguments, 1, "unreadable").hints("nothing was changed");
            failed.says(case.file).has("file", wl.path(case.file).display().to_string());
            assert_eq!(everything(&wl), before, "{case:?} {text:?}");
            wl.ok(&["setup"]).stdout_has("unreadable").stderr_has(case.file);
        }
        let wl = project();
        wl.write(case.file, "");
        fs::write(wl.path(case.file), [0xff, 0xfe]).unwrap();
        wl.fails(&["setup", case.client, case.flag], 1, "unreadable").says("UTF-8");
        assert_eq!(fs::read(wl.path(case.file)).unwrap(), [0xff, 0xfe]);
    }
}

/// Nothing at all is written if one of two files cannot be.
#[test]
fn all_or_nothing() {
    let wl = project();
    wl.write("AGENTS.md", "<!-- worklist:begin hash=0 -->\nno end\n");
    let before = everything(&wl);
    wl.fails(&["setup", "cursor"], 1, "unreadable").says("does not end");
    assert_eq!(everything(&wl), before);
}

#[test]
fn a_block_that_was_changed_by_hand_stays() {
    let wl = project();
    wl.ok(&["setup", "codex"]);
    wl.replace("AGENTS.md", "## Tasks", "## Our tasks");
    let mine = wl.read("AGENTS.md");
    wl.fails(&["setup", "codex"], 3, "edited").says("AGENTS.md was changed by hand").hints("--force");
    wl.fails(&["setup", "codex", "--remove"], 3, "edited");
    wl.fails(&["setup", "codex", "--check"], 1, "outdated").has("state", "edited");
    assert_eq!(wl.read("AGENTS.md"), mine);
    wl.ok(&["setup", "codex", "--print"]).stdout_has("- ## Our tasks");
    wl.ok(&["setup"]).stdout_has("edited");
    wl.ok(&["setup", "codex", "--force"]);
    assert!(wl.read("AGENTS.md").contains("\n## Tasks\n"));
    wl.ok(&["setup", "codex", "--check"]);
}

/// What an older version wrote has its own number and is replaced without a word.
#[test]
fn an_older_block_is_replaced() {
    let wl = project();
    // The number of the one line `old`.
    let old =
        "before\n\n<!-- worklist:begin hash=bb5d6f26a2a6d34c -->\nold\n<!-- worklist:end -->\n\nbehind\n";
    wl.write("AGENTS.md", old);
    let number = fnv("old\n");
    wl.replace("AGENTS.md", "bb5d6f26a2a6d34c", &number);
    wl.ok(&["setup", "codex"]);
    let text = wl.read("AGENTS.md");
    assert!(
        text.starts_with("before\n\n<!-- worklist:begin")
            && text.ends_with("<!-- worklist:end -->\n\nbehind\n")
    );
    assert!(!text.contains("\nold\n"));
}

fn fnv(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    format!("{:016x}", text.bytes().fold(0xCBF2_9CE4_8422_2325, step))
}

#[test]
fn a_plugin_that_was_changed_by_hand_stays() {
    let wl = project();
    wl.ok(&["setup", "claude"]);
    let skill = ".claude/skills/worklist/skills/task-manager/SKILL.md";
    wl.replace(skill, "# Working", "# How we are working");
    let mine = wl.read(skill);
    wl.fails(&["setup", "claude"], 3, "edited").says("SKILL.md");
    wl.fails(&["setup", "claude", "--remove"], 3, "edited");
    assert_eq!(wl.read(skill), mine);
    wl.ok(&["setup", "claude", "--force"]);
    wl.ok(&["setup", "claude", "--check"]);
    let hooks = ".claude/skills/worklist/hooks/hooks.json";
    fs::remove_file(wl.path(hooks)).unwrap();
    wl.ok(&["setup", "claude"]).stdout_has("hooks.json");
    wl.ok(&["setup", "claude", "--check"]);
}

#[test]
fn what_a_client_does_not_have() {
    let wl = project();
    let failed = wl.fails(&["setup", "vscode", "--user"], 2, "invalid").has("field", "--user");
    failed.hints("MCP: Open User Configuration");
    wl.fails(&["setup", "codex", "--native"], 2, "invalid").has("field", "--native");
    wl.fails(&["setup", "claude", "--native", "--user"], 2, "invalid").has("field", "--native");
    wl.with("HOME", "").fails(&["setup", "codex", "--user"], 2, "invalid").has("field", "HOME");
    wl.fails(&["setup", "codex", "--export", "x"], 2, "invalid").has("field", "--export");
    assert_eq!(everything(&wl), everything(&project()));
}
