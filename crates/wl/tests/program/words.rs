//! What is printed, whatever the command: hidden characters, colours, widths, readers that have gone.

use crate::{Wl, wl::Read};

#[test]
fn control_characters_are_made_visible() {
    let wl = Wl::new();
    wl.ok(&["add", "red \u{1b}[31m \u{202e}txt\u{200b}", "-d", "bell \u{7}\nnext"]);
    for arguments in [&["list"][..], &["show", "1"], &["log"], &["why"], &[], &["graph"], &["list", "--tree"]]
    {
        let run = wl.ok(arguments);
        assert!(run.out.chars().all(|it| it == '\n' || !it.is_control()), "{arguments:?}: {:?}", run.out);
        assert!(!run.out.contains('\u{202e}'), "{arguments:?}");
    }
    wl.ok(&["list"]).stdout_has("red \\x1b[31m \\u{202e}txt\\u{200b}");
    let json = wl.json(&["show", "1"]);
    assert_eq!(json["task"]["description"], "bell \u{7}\nnext");
    assert!(json["warnings"][0].as_str().unwrap().contains("hidden characters"));
}

#[test]
fn names_of_others_cannot_forge_lines() {
    let wl = Wl::with_tasks(&["a"]);
    wl.replace(".tasks/1.json", "\"a\"", "\"a\\n[x] #2 b\"");
    assert_eq!(wl.ok(&["list"]).out.lines().count(), 1);
}

#[test]
fn colours_only_where_they_are_wanted() {
    let wl = Wl::with_tasks(&["a"]);
    let coloured = |wl: &Wl, arguments: &[&str]| wl.ok(arguments).out.contains('\u{1b}');
    assert!(!coloured(&wl, &["list"]), "a pipe is no terminal");
    assert!(coloured(&wl, &["list", "--color", "always"]));
    assert!(coloured(&wl.with("CLICOLOR_FORCE", "1"), &["list"]));
    assert!(!coloured(&wl.with("CLICOLOR_FORCE", "1"), &["list", "--color", "never"]));
    assert!(!coloured(&wl, &["list", "--json", "--color", "always"]));
    wl.fails(&["list", "--color", "pink"], 2, "invalid");
}

#[test]
fn no_line_is_wider_than_asked_for() {
    let wl = Wl::with_tasks(&[
        "a subject that is long enough to be cut somewhere in its middle 世界世界世界",
        "b",
    ]);
    wl.ok(&[
        "edit",
        "2",
        "--subject",
        "word ".repeat(40).trim(),
        "--tag",
        "one",
        "--tag",
        "two",
        "--after",
        "1",
    ]);
    let narrow = wl.with("COLUMNS", "40");
    for arguments in [&["list"][..], &["log"], &["ready"], &["why"], &[]] {
        let run = narrow.ok(arguments);
        let lines = run.out.lines().filter(|it| it.contains(" #"));
        for line in lines {
            assert!(
                line.chars().map(|it| if it > '\u{1100}' && it != '…' { 2 } else { 1 }).sum::<usize>() <= 40,
                "{arguments:?}: {line}"
            );
        }
    }
}

/// What cannot be printed changes neither the exit code nor anything else.
#[test]
fn nobody_listening_is_no_panic() {
    let wl = Wl::with_tasks(&["a"]);
    for line in ["wl show 9 --json >/dev/full", "wl show 9 2>/dev/full", "wl show 9 --json | true; exit 4"] {
        wl.shell(line).code(4);
    }
    wl.shell("wl list | true").code(0);
    wl.shell("wl list >/dev/full").code(1);
}

/// One document, however many warnings.
#[test]
fn warnings_are_beside_the_document() {
    let wl = Wl::with_tasks(&["a"]);
    wl.write(".tasks/7.json", "{ not json");
    for arguments in [&["list"][..], &["ready"], &["why"], &["graph"], &[]] {
        assert_eq!(wl.json(arguments).items("warnings").len(), 1, "{arguments:?}");
    }
}
