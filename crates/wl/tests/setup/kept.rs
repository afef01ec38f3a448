//! Files that others wrote, in every layout: what is not ours keeps its bytes, there and back.

use crate::site::{Case, SHARED, everything, project};
use std::{fs, os::unix::fs::PermissionsExt};

/// Texts that stand in the place of `KEY`'s file, `KEY` being what servers stand under.
const JSON: &[&str] = &[
    "{}",
    "{ }\n",
    "{\n}\n",
    "{\"KEY\":{}}",
    "{\n  \"KEY\": {}\n}\n",
    "{\n  \"KEY\": {\n  }\n}",
    "{\"a\":1}",
    "{\"a\": 1, \"KEY\": {\"x\": {\"command\": \"y\"}}}",
    "{\"KEY\":{\"x\":{\"command\":\"y\"}},\"a\":1}\n\n",
    "{\n\t\"z\": 1.0,\n\t\"KEY\": {\n\t\t\"other\": { \"command\": \"o\" }\n\t},\n\t\"a\": [1,2]\n}\n",
    "{\r\n    \"KEY\": {\r\n        \"other\": {}\r\n    }\r\n}\r\n",
    "\u{feff}// mine\n{\n  // servers\n  \"KEY\": {\n    \"other\": {}, // the other\n  }, /* last */\n}\n// end",
    "{\n  \"KEY\": {\n    // none yet\n  }\n}\n",
    "{\n  \"KEY\": {\n    \"other\": {} /* two\n    lines */\n    // after\n  }\n  // and after\n}\n",
    "{\n   \"odd\"  :   true   ,\n      \"KEY\" : { \"other\" : {} } }\n",
    "{\"KEY\": {\"other\": {},},}",
    "{\n  \"\\u004b\": \"}\", \"s\": \"// no comment, \\\" }\"\n}",
];

const TOML: &[&str] = &[
    "",
    "\n",
    "model = \"x\"",
    "# mine\nmodel = \"x\"   # odd\n\n[mcp_servers.other]\ncommand = 'o'\n\n# the end\n",
    "[mcp_servers]\n[mcp_servers.other]\nargs = [\n  \"a\", # one\n]\n",
    "a = 1\r\n\r\n[b]\r\nc = \"\"\"\r\n[mcp_servers.worklist]\r\n\"\"\"\r\n",
    "mcp_servers.other.command = \"x\"\n",
    "[[profiles]]\nname = \"a\"\n\n\n",
];

fn texts(case: Case) -> Vec<String> {
    if case.is_toml() {
        return TOML.iter().map(|it| (*it).to_owned()).collect();
    }
    JSON.iter().map(|it| it.replace("KEY", case.key())).collect()
}

#[test]
fn everything_else_keeps_its_bytes() {
    let mut trials = 0;
    for case in SHARED {
        for text in texts(case) {
            let wl = project();
            wl.write(case.file, &text);
            fs::set_permissions(wl.path(case.file), fs::Permissions::from_mode(0o640)).unwrap();
            let before = everything(&wl);
            case.install(&wl);
            let entered = wl.read(case.file);
            let kept: String = text.chars().filter(|it| !it.is_whitespace()).collect();
            let mut rest = entered.chars();
            assert!(kept.chars().all(|it| rest.any(|found| found == it)), "{case:?} {text:?}\n{entered}");
            assert!(case.is_toml() || entered.matches("\"worklist\"").count() == 1, "{entered}");
            let mode = fs::metadata(wl.path(case.file)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o640, "{case:?}");
            let after = everything(&wl);
            case.ok(&wl, &[]).stdout_has("nothing to do");
            assert_eq!(everything(&wl), after, "{case:?} a second time");
            case.ok(&wl, &["--remove"]);
            assert_eq!(everything(&wl), before, "{case:?} there and back, by way of\n{entered}");
            trials += 1;
        }
    }
    assert_eq!(trials, 7 * JSON.len() + 2 * TOML.len());
}

/// The new lines are like those around them.
#[test]
fn an_entry_looks_like_its_neighbours() {
    let entered = |text: &str| {
        let wl = project();
        wl.write(".cursor/mcp.json", text);
        wl.ok(&["setup", "cursor"]);
        wl.read(".cursor/mcp.json")
    };
    assert_eq!(
        entered("{\n\t\"mcpServers\": {\n\t\t\"a\": {} // one\n\t}\n}\n"),
        "{\n\t\"mcpServers\": {\n\t\t\"a\": {}, // one\n\t\t\"worklist\": {\n\t\t\t\"command\": \"wl\",\n\t\t\t\"args\": [\n\t\t\t\t\"mcp\"\n\t\t\t]\n\t\t}\n\t}\n}\n"
    );
    assert_eq!(
        entered("{\"mcpServers\":{\"a\":{}}}"),
        "{\"mcpServers\":{\"a\":{},\"worklist\":{\"command\":\"wl\",\"args\":[\"mcp\"]}}}"
    );
    assert_eq!(
        entered("{\n    \"a\": 1,\n}"),
        "{\n    \"a\": 1,\n    \"mcpServers\": {\n        \"worklist\": {\n            \"command\": \"wl\",\n            \"args\": [\n                \"mcp\"\n            ]\n        }\n    },\n}"
    );
}

/// An older entry gets the new words; what the user added to it stays.
#[test]
fn an_older_entry_is_brought_up_to_date() {
    let wl = project();
    let old = "{\n  \"mcpServers\": {\n    \"worklist\": {\n      \"command\": \"/old/wl\", // was here\n      \"env\": {\"A\": \"1\"},\n      \"trust\": true\n    }\n  }\n}\n";
    wl.write(".gemini/settings.json", old);
    wl.fails(&["setup", "gemini", "--check"], 1, "outdated").has("state", "stale");
    wl.ok(&["setup", "gemini"]).stdout_has("- ");
    let new = wl.read(".gemini/settings.json");
    for kept in
        ["\"command\": \"wl\", // was here\n", "\"env\": {\"A\": \"1\"}", "\"trust\": true", "\"args\": ["]
    {
        assert!(new.contains(kept), "{kept}: {new}");
    }
    wl.write(".codex/config.toml", "[mcp_servers.worklist]\ncommand = '/old/wl' # was here\nstartup_timeout_sec = 20\n\n[mcp_servers.worklist.env]\nA = \"1\"\n\n[x]\ny = 1\n");
    wl.ok(&["setup", "codex"]);
    let new = wl.read(".codex/config.toml");
    for kept in
        ["command = \"wl\" # was here\n", "startup_timeout_sec = 20\n", "A = \"1\"", "args = [\"mcp\"]\n"]
    {
        assert!(new.contains(kept), "{kept}: {new}");
    }
    wl.ok(&["setup", "codex", "--remove"]);
    assert_eq!(wl.read(".codex/config.toml"), "[x]\ny = 1\n");
}

/// What others did to the file between set-up and removal stays.
#[test]
fn later_changes_of_others_stay() {
    let wl = project();
    wl.write(".cursor/mcp.json", "{\n  \"mcpServers\": {}\n}\n");
    wl.ok(&["setup", "cursor"]);
    wl.replace(".cursor/mcp.json", "      ]\n    }\n", "      ]\n    },\n    // new\n    \"later\": {}\n");
    wl.ok(&["setup", "cursor", "--remove"]);
    assert_eq!(
        wl.read(".cursor/mcp.json"),
        "{\n  \"mcpServers\": {\n    // new\n    \"later\": {}\n  }\n}\n"
    );
    wl.write(".codex/config.toml", "a = 1\n");
    wl.ok(&["setup", "codex"]);
    let text = wl.read(".codex/config.toml");
    wl.write(".codex/config.toml", &format!("{text}\n# later\n[mcp_servers.later]\ncommand = \"l\"\n"));
    wl.ok(&["setup", "codex", "--remove"]);
    assert_eq!(wl.read(".codex/config.toml"), "a = 1\n\n# later\n[mcp_servers.later]\ncommand = \"l\"\n");
}

/// A block of text goes behind what is there, and is replaced in its place.
#[test]
fn a_text_keeps_what_is_around_the_block() {
    for text in ["", "\n", "# Mine\n", "# Mine", "# Mine\r\n\r\nText\r\n", "a\n\n\n"] {
        let wl = project();
        wl.write("AGENTS.md", text);
        wl.ok(&["setup", "codex"]);
        let with = wl.read("AGENTS.md");
        assert!(with.starts_with(text.trim_end()) && with.contains("worklist:end"), "{with:?}");
        assert_eq!(with.contains("\r\n"), text.contains("\r\n"));
        wl.ok(&["setup", "codex", "--check"]);
        wl.ok(&["setup", "codex", "--remove"]);
        assert_eq!(wl.read("AGENTS.md"), text);
    }
}
