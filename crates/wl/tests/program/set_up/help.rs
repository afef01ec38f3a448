//! `wl help` and `--help`.

use crate::{Tested, Wl, wl::commands};

pub(crate) const TESTED: Tested = Tested::new("help", [text, json, failures]);

const TOPICS: [&str; 5] = ["agents", "exit-codes", "environment", "formats", "json"];

#[test]
fn text() {
    let wl = Wl::new();
    let help = wl.ok(&["help"]);
    help.stdout_has("Usage: wl").stdout_has("Plan\n  init").stdout_has("--json").stderr("");
    assert_eq!(wl.ok(&["--help"]).out, help.out);
    assert_eq!(wl.ok(&["-h"]).out, help.out);
    wl.ok(&["--version"]).stdout_has("wl ");
    for topic in TOPICS {
        assert!(wl.ok(&["help", topic]).out.lines().count() > 8, "{topic}");
    }
    for command in commands().iter().filter(|it| *it != "overview") {
        wl.ok(&["help", command]).stdout_has(&format!("Usage: wl {command}")).stdout_has("Examples:");
    }
}

/// A page is a page, with `--json` or without.
#[test]
fn json() {
    let wl = Wl::new();
    for topic in TOPICS.iter().chain(&["claim"]) {
        assert_eq!(wl.ok(&["help", topic, "--json"]).out, wl.ok(&["help", topic]).out);
    }
    assert_eq!(wl.ok(&["claim", "--help"]).out, wl.shell("wl claim --help --json").code(0).out);
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["help", "formts"], 2, "usage").hints("did you mean `formats`?");
    wl.fails(&["help", "zzzzzz"], 2, "usage").hints("`wl help` shows them all");
    wl.fails(&["help", "a", "b"], 2, "usage");
}

/// An agent can afford to read its page: 700 tokens at some 3.6 characters each.
#[test]
fn the_page_for_agents_is_short() {
    let page = Wl::new().ok(&["help", "agents"]).out;
    assert!(page.chars().count() * 10 < 700 * 36, "{} characters", page.chars().count());
    for word in ["wl next", "wl done", "wl release", "wl add", "wl plan", "--session", "exit code"] {
        assert!(page.to_lowercase().contains(word), "{word}");
    }
}

/// The pages name every code that a failure can have, under its exit code.
#[test]
fn exit_codes_are_documented() {
    let wl = Wl::new();
    let page = wl.ok(&["help", "exit-codes"]).out;
    let published = wl.ok(&["tools", "--json-schemas"]).json();
    for code in published["exitCodes"].as_object().unwrap().keys() {
        assert!(page.contains(code.as_str()), "{code}");
    }
    for key in published["$defs"]["fields"]["properties"].as_object().unwrap().keys() {
        assert!(wl.ok(&["help", "json"]).out.contains(key.as_str()), "{key}");
    }
}
