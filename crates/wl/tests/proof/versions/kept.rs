//! What other programs keep in the files beside our fields: every command that writes leaves its bytes as they are. Not
//! what `wl convert` carries over: that says itself what it could not.

use crate::{
    files::task_files,
    tally::Tally,
    wl::{FORMATS, Read, Wl, commands},
};
use std::{fs, path::Path};

/// Keys that nobody knows, in a spelling that no writer of ours would choose.
const FOREIGN: &str = r#""x-theirs" : {"n":1.50, "e":1E3,"big":123456789012345678901234567890, "s":"\u00e9\/\u0007" , "deep":[ {"a":null},[]]},  "X":-0.0"#;
/// The same within `metadata`, where a format has it.
const INNER: &str = r#""theirs" : [1.50,"\u00e9\/", {"worklist":0.10} ]"#;

/// Commands that write tasks, with the ids of three tasks in a row: each with what it is given.
const WRITES: &[(&str, &str)] = &[
    ("add", "add new --after A --before B --parent A"),
    ("edit", "edit B --subject changed -d changed --priority high --tag t --meta q=1 --active-form changing"),
    ("edit", "edit B --meta q= --not-after A"),
    ("edit", "edit B --after A"),
    ("claim", "claim A"),
    ("heartbeat", "heartbeat A"),
    ("release", "release A"),
    ("next", "next"),
    ("release", "release A"),
    ("done", "done A"),
    ("undo", "undo"),
    ("call", r#"call TaskUpdate {"taskId":"A","subject":"called","addBlocks":["C"],"metadata":{"z":1}}"#),
    ("call", r#"call TaskUpdate {"taskId":"A","status":"completed"}"#),
    ("plan", "plan plan.md"),
    ("import", "import export.jsonl"),
    ("work", "work --workers 2 -- true"),
    ("doctor", "doctor --fix"),
    ("rm", "rm C"),
    ("undo", "undo"),
];

/// Commands that write no task, and those that write tasks through the same tools or say what they drop.
const OTHERS: &[&str] = &[
    "agent",
    "changes",
    "completions",
    "config",
    "convert",
    "export",
    "graph",
    "help",
    "hook",
    "init",
    "list",
    "lists",
    "log",
    "logs",
    "man",
    "mcp",
    "overview",
    "ready",
    "runs",
    "setup",
    "show",
    "store",
    "tools",
    "trust",
    "watch",
    "why",
    "worktrees",
];

#[test]
fn every_command_is_known_to_write_or_not() {
    let mut known: Vec<&str> = WRITES.iter().map(|it| it.0).chain(OTHERS.iter().copied()).collect();
    known.sort_unstable();
    known.dedup();
    let mut commands = commands();
    commands.sort_unstable();
    assert_eq!(known, commands);
}

/// A list of three tasks in a row, into whose files another program wrote what is its own.
fn list(format: &str) -> (Wl, [String; 3]) {
    let wl = Wl::of_format(format, &[]);
    let add = |subject: &str, more: &[&str]| {
        wl.json(&[&["add", subject, "--meta", "k=v"], more].concat())["task"].word("id").to_owned()
    };
    let first = add("dig", &[]);
    let second = add("lay", &["--after", &first]);
    let third = add("fill", &["--after", &second]);
    wl.write("plan.md", "- [ ] planned\n- [ ] too\n");
    wl.write("export.jsonl", &Wl::with_tasks(&["elsewhere"]).ok(&["export"]).out);
    for path in task_files(&wl) {
        let text = text(&path).replace("\"status\"", &format!("{FOREIGN},\n\"status\""));
        let text = text.replace("\"k\": \"v\"", &format!("\"k\": \"v\",{INNER}"));
        fs::write(path, text).expect("a file");
    }
    (wl, [first, second, third])
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("text")
}

/// How often the foreign texts stand in the files: outside, and within `metadata`.
fn counted(wl: &Wl) -> (usize, usize) {
    let text: String = task_files(wl).iter().map(|it| text(it)).collect();
    (text.matches(FOREIGN).count(), text.matches(INNER).count())
}

fn words(line: &str, ids: &[String; 3]) -> Vec<String> {
    let word = |it: &str| match it {
        "A" => ids[0].clone(),
        "B" => ids[1].clone(),
        "C" => ids[2].clone(),
        _ => it.replace("\"A\"", &format!("\"{}\"", ids[0])).replace("\"C\"", &format!("\"{}\"", ids[2])),
    };
    line.split(' ').map(word).collect()
}

/// Runs it, and sees whether it did what it is for: a command that was refused would prove nothing.
fn runs(wl: &Wl, line: &str, ids: &[String; 3]) -> Result<(), String> {
    let words = words(line, ids);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let run = wl.command(&words).output().expect("it runs");
    let said = [run.stdout, run.stderr].map(|it| String::from_utf8_lossy(&it).into_owned()).concat();
    if run.status.success() { Ok(()) } else { Err(format!("wl {line}: {:?}: {said}", run.status.code())) }
}

#[test]
fn what_others_keep_in_a_file_keeps_its_bytes() {
    let mut tally = Tally::new("R18 foreign fields through every write");
    for format in FORMATS {
        let (wl, ids) = list(format);
        let whole = counted(&wl);
        assert_eq!(whole.0, 3, "{format}");
        tally.count("texts in metadata", whole.1 as u64);
        let mut left = 0;
        for (_, line) in WRITES {
            // A task that was removed comes back with the fields that we know; all others keep what they have.
            left += usize::from(line.starts_with("rm"));
            let outcome = runs(&wl, line, &ids).and_then(|()| {
                let wanted = (whole.0 - left, whole.1.saturating_sub(left));
                let found = counted(&wl);
                if found == wanted {
                    Ok(())
                } else {
                    Err(format!("wl {line}: {found:?} instead of {wanted:?}"))
                }
            });
            tally.trial(outcome.map_err(|it| format!("{format}: {it}")));
        }
    }
    tally.end();
}

/// A list that had a life goes out, comes in, and goes out the same, in every format.
#[test]
fn an_export_comes_back_byte_for_byte() {
    let mut tally = Tally::new("R18 export, import, export");
    for format in FORMATS {
        let (wl, ids) = list(format);
        for (_, line) in WRITES {
            _ = runs(&wl, line, &ids);
        }
        let first = wl.ok(&["export"]).out;
        let other = Wl::new();
        other.input(&first).ok(&["import", "-"]);
        let second = other.ok(&["export"]).out;
        let same = first == second;
        tally.check(same, || format!("{format}:\n{first}\n{second}"));
    }
    tally.end();
}
