//! How many instructions the hot paths execute: a figure that noise cannot move, compared with the one that was accepted.
//! Not a time: what waits for the disk executes nothing.

use super::{
    VALGRIND,
    lists::List,
    options::{Kind, Options},
    program::Program,
    to_f64,
};
use crate::Outcome;
use std::{
    fs, io,
    path::Path,
    process::{Command, Stdio},
};
use worklist::json::{self, Json, Object, Style};

/// How much more than accepted is a failure.
const TOLERANCE: f64 = 0.05;
const KEPT: &str = "docs/performance/instructions.json";
/// In lists of these sizes.
const SIZES: [usize; 2] = [100, 1_000];
/// The paths, in an order in which each can be run; `{id}` is a free task.
const PATHS: [(&str, &[&str]); 8] = [
    ("show", &["show", "{id}"]),
    ("claim", &["claim", "{id}"]),
    ("heartbeat", &["heartbeat", "{id}"]),
    ("edit", &["edit", "{id}", "--active-form", "Working on it"]),
    ("done", &["done", "{id}"]),
    ("add", &["add", "Something new"]),
    ("ready", &["ready", "--json"]),
    ("list", &["list", "--all", "--json"]),
];

/// A count by its name.
type Count = (String, u64);

/// Counts, and compares or accepts. Each profile has counts of its own.
pub(super) fn run(root: &Path, program: &Path, target: &Path, options: &Options) -> Outcome {
    let counts = counted(program, target).map_err(|error| error.to_string())?;
    let path = root.join(KEPT);
    let kept = fs::read_to_string(&path).ok().and_then(|it| json::parse(&it).ok());
    let kept = kept.as_ref().and_then(Json::as_object).cloned().unwrap_or_default();
    let accepted = kept.get(&options.profile).and_then(counts_of).unwrap_or_default();
    print(&counts, &accepted);
    if options.kind == Kind::Accepted {
        let text = written(kept, &options.profile, &counts);
        return fs::write(&path, text).map_err(|error| format!("{KEPT}: {error}"));
    }
    if accepted.is_empty() {
        return Err(format!("nothing was accepted of the profile {} yet: --accept does", options.profile));
    }
    let grown = grown(&counts, &accepted);
    if grown.is_empty() { Ok(()) } else { Err(format!("more than accepted: {}", grown.join(", "))) }
}

fn counted(program: &Path, target: &Path) -> io::Result<Vec<Count>> {
    let place = tempfile::Builder::new().prefix("count-").tempdir_in(target)?;
    let program = |words: &[&str]| {
        let words = [&HOW[..], &[program.to_str().unwrap_or_default()], words].concat();
        count(&mut Program::new("valgrind".as_ref(), place.path()).command(&words))
    };
    let mut counts = vec![("--version".to_owned(), program(&["--version"])?)];
    for size in SIZES {
        let list = List::make(&place.path().join(size.to_string()), size)?;
        let folder = list.folder.display().to_string();
        for (name, words) in PATHS {
            let words: Vec<&str> =
                words.iter().map(|it| if *it == "{id}" { list.id(0) } else { *it }).collect();
            let count = program(&[words, vec!["--dir", &folder]].concat())?;
            counts.push((format!("{name}, {size} tasks"), count));
        }
    }
    Ok(counts)
}

/// Nothing is left out: processes that the program starts are counted with it.
const HOW: [&str; 3] = [VALGRIND, "--callgrind-out-file=/dev/null", "--trace-children=yes"];

/// Runs it and adds up what each process says that it executed.
fn count(command: &mut Command) -> io::Result<u64> {
    command.env("PATH", crate::kit::path());
    let output = command.stderr(Stdio::piped()).output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let counts = said.lines().filter_map(|it| it.split_once("Collected : ")?.1.trim().parse::<u64>().ok());
    match counts.sum() {
        0 => Err(super::program::unexpected(command, &output)),
        _ if !output.status.success() => Err(super::program::unexpected(command, &output)),
        sum => Ok(sum),
    }
}

fn grown(counts: &[Count], accepted: &[Count]) -> Vec<String> {
    let known = |name: &str| accepted.iter().find(|it| it.0 == name).map(|it| it.1);
    let is_more = |it: &&Count| known(&it.0).is_some_and(|old| ratio(it.1, old) > 1.0 + TOLERANCE);
    counts.iter().filter(is_more).map(|it| it.0.clone()).collect()
}

fn ratio(count: u64, accepted: u64) -> f64 {
    to_f64(count / 1_000) / to_f64(accepted / 1_000).max(1.0)
}

fn print(counts: &[Count], accepted: &[Count]) {
    println!("{:<24}{:>16}{:>16}{:>9}", "", "instructions", "accepted", "");
    for (name, count) in counts {
        let old = accepted.iter().find(|it| it.0 == *name).map(|it| it.1);
        let (shown, change) = old.map_or_else(Default::default, |old| {
            (old.to_string(), format!("{:+.1} %", (ratio(*count, old) - 1.0) * 100.0))
        });
        println!("{name:<24}{count:>16}{shown:>16}{change:>9}");
    }
}

fn written(kept: Object, profile: &str, counts: &[Count]) -> String {
    let counts = counts.iter().fold(Object::new(), |all, (name, count)| all.with(name, *count));
    json::write(&kept.with(profile, counts).into(), Style::JAVASCRIPT, "") + "\n"
}

fn counts_of(value: &Json) -> Option<Vec<Count>> {
    value.as_object()?.iter().map(|(name, value)| Some((name.to_owned(), value.as_u64()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_twentieth_is_too_much() {
        let counts = |n: u64| vec![("show".to_owned(), n)];
        assert_eq!(grown(&counts(1_050_000), &counts(1_000_000)), [""; 0]);
        assert_eq!(grown(&counts(1_051_000), &counts(1_000_000)), ["show"]);
        assert_eq!(grown(&counts(9_000_000), &[]), [""; 0], "what is new has nothing to be held against");
    }

    #[test]
    fn counts_come_back_and_processes_add_up() {
        let counts = vec![("show".to_owned(), 123), ("add".to_owned(), 456)];
        let other = Object::new().with("proof", Object::new().with("show", 1_u64));
        let text = written(other, "release", &counts);
        let parsed = json::parse(&text).unwrap();
        let of = |profile: &str| parsed.as_object().and_then(|it| counts_of(it.get(profile)?));
        assert_eq!((of("release"), of("proof").map(|it| it.len())), (Some(counts), Some(1)));
        let script = "echo '==1== Collected : 40' >&2; echo '==2== Collected : 2' >&2";
        assert_eq!(count(Command::new("sh").args(["-c", script])).unwrap(), 42);
        assert!(count(Command::new("sh").args(["-c", "true"])).is_err());
    }
}
