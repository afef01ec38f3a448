//! `wl completions`.

use crate::{Tested, Wl};

pub(crate) const TESTED: Tested = Tested::new("completions", [text, json, failures]);

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

#[test]
fn text() {
    let wl = Wl::new();
    for shell in SHELLS {
        wl.ok(&["completions", shell]).stdout_has("WORKLIST_COMPLETE").stdout_has("wl");
    }
}

/// A script is a script, with `--json` or without.
#[test]
fn json() {
    let wl = Wl::new();
    for shell in SHELLS {
        assert_eq!(wl.ok(&["completions", shell, "--json"]).out, wl.ok(&["completions", shell]).out);
    }
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["completions"], 2, "usage").says("<SHELL>");
    wl.fails(&["completions", "tcsh"], 2, "invalid").says("elvish");
}

/// What bash would offer for a line that ends in the word that is being typed.
fn offered(wl: &Wl, line: &str) -> String {
    wl.write("complete.bash", &wl.ok(&["completions", "bash"]).out);
    let script = wl.path("complete.bash");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_wl")).parent().expect("a folder").display();
    let words: Vec<String> = line.split(' ').map(|it| format!("'{it}'")).collect();
    let typed = format!(
        "PATH={program}:$PATH; source {}; COMP_WORDS=({}); COMP_CWORD={}; COMP_LINE='{line}'; COMP_POINT={}; COMP_TYPE=63; \
         function=$(complete -p wl | sed 's/.*-F \\([^ ]*\\).*/\\1/'); \
         $function wl \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\" 2>&1; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.join(" "),
        words.len() - 1,
        line.len()
    );
    wl.program("bash", &["-c", &typed]).code(0).out
}

/// The script really runs in bash, and what can be typed comes from the list.
#[test]
fn bash_completes_ids() {
    let wl = Wl::with_tasks(&["first", "second", "third < first"]);
    wl.ok(&["claim", "2"]);
    assert!(offered(&wl, "wl cla").contains("claim"));
    let ready = offered(&wl, "wl claim ");
    assert!(
        ready.contains('1') && !ready.contains('2') && !ready.contains('3'),
        "only what is ready: {ready}"
    );
    let started = offered(&wl, "wl done ");
    assert!(started.contains('2') && !started.contains('1'), "only what somebody has: {started}");
    assert!(offered(&wl, "wl help ag").contains("agents"));
    assert!(offered(&wl, "wl edit 1 --priority ").contains("medium"));
}

/// Shells that show what an id is are told its subject.
#[test]
fn subjects_come_along() {
    let wl = Wl::with_tasks(&["first", "second"]);
    let asked = wl.with("WORKLIST_COMPLETE", "fish");
    let fish = asked.ok(&["--", "wl", "show", ""]);
    fish.stdout_has("1\tfirst").stdout_has("2\tsecond");
    let zsh = wl.with("WORKLIST_COMPLETE", "zsh").with("_CLAP_COMPLETE_INDEX", "2");
    zsh.ok(&["--", "wl", "show", ""]).stdout_has("1:first");
}

/// Without a list there is nothing to offer, and nothing to complain about.
#[test]
fn silent_without_a_list() {
    let wl = Wl::new();
    wl.with("WORKLIST_COMPLETE", "fish").ok(&["--", "wl", "claim", ""]).stderr("");
}
