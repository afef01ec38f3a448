//! A journal that a newer program wrote: every command refuses it and leaves it alone. Not a damaged one.

use super::frozen;
use crate::{
    snapshot::snapshot,
    tally::Tally,
    wl::{FORMATS, Wl},
};
use std::fs;

/// Commands that need the list, and what they are given.
const COMMANDS: [&str; 21] = [
    "init .tasks",
    "add x",
    "plan -",
    "edit 1 --subject x",
    "rm 1",
    "list",
    "ready",
    "show 1",
    "why 1",
    "graph",
    "next",
    "claim 1",
    "heartbeat 1",
    "done 1 --force",
    "release 1 --force",
    "log",
    "undo",
    "changes --since 0",
    "convert s12",
    "export",
    "doctor --fix",
];

/// Heads as a later version might write them: the same with more, and something altogether different.
const HEADS: [&str; 3] = [
    r#"{"worklist":2,"format":"FORMAT","from":0,"token":1,"highest":3,"plans":[],"more":{}}"#,
    r#"{"worklist":2}"#,
    r#"{"worklist":"2.1","lists":[{"format":"FORMAT"}]}"#,
];

/// Puts another head before the journal's lines, framed as the first line always is.
fn behead(wl: &Wl, head: &str) {
    let path = wl.path(".tasks/.worklist/journal");
    let text = fs::read_to_string(&path).expect("a journal");
    let (_, rest) = text.split_once('\n').expect("lines");
    // Length, checksum, the checksum before it, text.
    let sum = crc32c(&[&[0; 4], head.as_bytes()].concat());
    fs::write(path, format!("{:08x} {sum:08x} 00000000 {head}\n{rest}", head.len())).expect("a journal");
}

/// The checksum of the journal's lines, bit by bit.
fn crc32c(bytes: &[u8]) -> u32 {
    let step = |sum: u32| if sum & 1 == 1 { (sum >> 1) ^ 0x82f6_3b78 } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum: u32, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum)))
}

fn refused(wl: &Wl, command: &str) -> Result<(), String> {
    let words: Vec<&str> = command.split(' ').chain(["--json"]).collect();
    let before = snapshot(&wl.path("."), &[]);
    let run = wl.input("- [ ] x").run(&words);
    let told = run.out.contains("\"newer\"")
        && run.out.contains("version")
        && run.out.contains("nothing was changed");
    match (told, snapshot(&wl.path("."), &[]) == before) {
        (true, true) => {
            run.code(1);
            Ok(())
        }
        (told, same) => Err(format!("wl {command}: told: {told}, untouched: {same}: {}{}", run.out, run.err)),
    }
}

#[test]
fn a_newer_journal_is_refused_and_left_alone() {
    let mut tally = Tally::new("R18 a newer journal");
    let lists = FORMATS.iter().flat_map(|it| HEADS.map(|head| (it, head)));
    for (n, (format, head)) in lists.enumerate() {
        let wl = frozen::list("1", format);
        behead(&wl, &head.replace("FORMAT", format));
        // With its index and without: what the index knows is not asked before the head.
        if n % 2 == 0 {
            fs::remove_file(wl.path(".tasks/.worklist/index")).expect("it can go");
        }
        for command in COMMANDS {
            tally.trial(refused(&wl, command).map_err(|it| format!("{format}: {head}: {it}")));
        }
    }
    tally.end();
}

/// The second name of a journal, outside a folder that was removed, is not taken for a stranger's and put aside.
#[test]
fn a_newer_journal_of_a_removed_folder_is_left_alone() {
    let mut tally = Tally::new("R18 a newer journal of a removed folder");
    let wl = Wl::new().with("CLAUDE_CODE_TASK_LIST_ID", "team");
    wl.ok(&["add", "dig"]);
    let folder = wl.path("home/.claude/tasks/team");
    fs::rename(&folder, wl.path(".tasks")).expect("moved");
    behead(&wl, HEADS[1]);
    fs::remove_dir_all(wl.path(".tasks")).expect("gone");
    let state = wl.path("home/.local/state");
    let before = snapshot(&state, &[]);
    for command in ["init", "add x"] {
        wl.fails(&command.split(' ').collect::<Vec<_>>(), 1, "newer").hints("nothing was changed");
        let same = snapshot(&state, &[]) == before;
        tally.check(same, || format!("wl {command}: {:?}", snapshot(&state, &[]).keys()));
    }
    tally.end();
}
