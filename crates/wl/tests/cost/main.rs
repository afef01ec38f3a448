//! What commands execute, counted by callgrind: a command about one task must not grow with the list. Instructions, so that
//! no noise and no machine matters, and ratios, so that no compiler does. Not how long: that is `cargo xtask bench`.
#![expect(clippy::disallowed_methods, reason = "tests start processes and prepare folders")]

use serde_json::{Value, json};
use std::{
    fs::{self, File},
    path::PathBuf,
    process::{Command, Stdio},
    thread,
};

const SMALL: usize = 100;
const LARGE: usize = 1_000;
/// How much more a command may execute in a list that is ten times as long.
const GROWTH: f64 = 1.1;
/// How much more it may execute for each name in the folder, if it reads them all: a new id comes after every id that any
/// program has given. Far less than reading a file.
const NAME: u64 = 2_500;
/// How much the start of the program may execute: about twice as much as it does without any optimisation.
const START: u64 = 3_000_000;

/// What is typed, in an order in which each can be done. The first two tasks are free and have the same neighbours in every
/// list.
const TYPED: [(Counted, &[&str]); 9] = [
    (Counted::Yes, &["show", "3"]),
    (Counted::Yes, &["claim", "1"]),
    (Counted::Yes, &["heartbeat", "1"]),
    (Counted::Yes, &["edit", "1", "--active-form", "Working on it"]),
    (Counted::Yes, &["release", "1"]),
    (Counted::No, &["claim", "2"]),
    (Counted::Yes, &["done", "2"]),
    (Counted::Names, &["add", "One more"]),
    (Counted::Names, &["add", "One more behind another", "--after", "3"]),
];

/// Whether something is measured, or only done so that the next can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Yes,
    /// The same, but it reads the names in the folder.
    Names,
    No,
}

/// A list in a folder of its own.
struct List {
    place: tempfile::TempDir,
}

#[test]
fn a_command_about_one_task_does_not_grow_with_the_list() {
    let [small, large] = thread::scope(|scope| {
        [SMALL, LARGE]
            .map(|size| scope.spawn(move || List::of(size).counts()))
            .map(|it| it.join().expect("counts"))
    });
    let mut grown = Vec::new();
    for ((typed, counted, few), (_, _, many)) in small.iter().zip(&large) {
        let names = if *counted == Counted::Names { NAME * (LARGE - SMALL) as u64 } else { 0 };
        let ratio = ratio(many.saturating_sub(names), *few);
        let line = format!("{ratio:.3} = ({many} - {names}) / {few}: {typed}");
        println!("{line}");
        if ratio > GROWTH {
            grown.push(line);
        }
    }
    assert!(grown.is_empty(), "more than {GROWTH} times as many instructions:\n{}", grown.join("\n"));
}

#[test]
fn starting_up_is_bounded() {
    let list = List { place: tempfile::tempdir().expect("a folder") };
    let count = list.count(&["--version"]);
    println!("{count}: --version");
    assert!(count < START, "{count} instructions to say the version, at most {START}");
}

impl List {
    /// A chain in which each task waits for the two before it.
    fn of(size: usize) -> List {
        let list = List { place: tempfile::tempdir().expect("a folder") };
        let task = |n: usize| {
            let after: Vec<String> = (n.saturating_sub(2).max(1)..n).map(|it| format!("t{it}")).collect();
            let after = if n < 3 { Vec::new() } else { after };
            let description = "A few lines about what is to be done, and why. ".repeat(8);
            json!({"name": format!("t{n}"), "subject": format!("Task {n}"), "description": description, "after": after})
        };
        let tasks: Vec<Value> = (1..=size).map(task).collect();
        let path = list.place.path().join("plan.json");
        fs::write(&path, json!({"tasks": tasks}).to_string()).expect("a plan");
        let mut plan = list.command(wl(), &["plan", "-"]);
        let done = plan.stdin(File::open(path).expect("a plan")).status().expect("it runs");
        assert!(done.success());
        list
    }

    /// What each command executes.
    fn counts(&self) -> Vec<(String, Counted, u64)> {
        let mut counts = Vec::new();
        for (counted, typed) in TYPED {
            let count = self.count(typed);
            if counted != Counted::No {
                counts.push((typed.join(" "), counted, count));
            }
        }
        counts
    }

    /// Everything that it executes, other processes that it starts with it.
    fn count(&self, typed: &[&str]) -> u64 {
        let program = wl().display().to_string();
        let how = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-children=yes", &program];
        let output = self.command("valgrind".into(), &[&how, typed].concat()).output();
        let output = output.unwrap_or_else(|error| panic!("valgrind: {error}; run `cargo xtask kit`"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "wl {}: {said}", typed.join(" "));
        let counts = said.lines().filter_map(|it| it.split_once("Collected : "));
        let count = counts.map(|it| it.1.trim().parse::<u64>().expect("a number")).sum();
        assert!(count > 0, "wl {} was not counted: {said}", typed.join(" "));
        count
    }

    fn command(&self, program: PathBuf, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(words).current_dir(self.place.path()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.place.path().join("home")).env("USER", "me");
        command.env("WORKLIST_DIR", self.place.path().join("list"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }
}

fn wl() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_wl"))
}

fn ratio(one: u64, other: u64) -> f64 {
    let number = |it: u64| f64::from(u32::try_from(it / 100).expect("not so many"));
    number(one) / number(other)
}
