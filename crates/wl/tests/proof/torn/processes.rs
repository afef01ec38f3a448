//! The processes that write and read: this very test program, started anew as one of them. Not what is made of it.

use std::{
    env, fs,
    fs::OpenOptions,
    io::Write,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use worklist::{Options, TaskId, TaskList};

/// The task that is written.
pub(crate) const TASK: &str = "1";
/// By these a process knows that it is one of them.
const FOLDER: &str = "PROOF_TORN_FOLDER";
const MANNER: &str = "PROOF_TORN_MANNER";
const READS: &str = "PROOF_TORN_READS";

/// How a program writes a file in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Empties it, then writes it in pieces.
    Pieces,
    /// Writes over it, then cuts what is left of the old text: so does Claude Code.
    Over,
}

impl Manner {
    pub(crate) const ALL: [(Manner, &'static str); 2] = [
        (Manner::Pieces, "R12 read while it is emptied and written in pieces"),
        (Manner::Over, "R12 read while it is written over and cut"),
    ];
}

/// The n-th text: a subject that says what the description must be, of changing length.
fn text(n: usize) -> String {
    let times = 1 + n * 7 % 90;
    let description = format!("{n} ").repeat(times);
    format!(
        "{{\n  \"id\": \"{TASK}\",\n  \"subject\": \"{n} {times}\",\n  \"description\": \"{description}\",\n  \
         \"status\": \"pending\",\n  \"blocks\": [],\n  \"blockedBy\": []\n}}"
    )
}

/// Whether a description is the one that was written with the subject.
pub(crate) fn is_whole(subject: &str, description: &str) -> bool {
    let Some((n, times)) = subject.split_once(' ') else { return false };
    times.parse().is_ok_and(|times| description == format!("{n} ").repeat(times))
}

/// Whether a description has words of one text and of the next. While a program writes over a file of the same shape
/// without emptying it, the system itself serves such texts now and then, in pieces that may take turns; nobody can tell
/// them from others.
fn is_mixed(description: &str) -> bool {
    let mut numbers: Vec<u64> = description.split(' ').filter_map(|it| it.parse().ok()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    matches!(numbers[..], [one, next] if next == one + 1)
}

pub(crate) fn writer(list: &Path, manner: Manner) -> Child {
    start("torn::processes::writes", list, &[(MANNER, format!("{manner:?}"))])
}

pub(crate) fn reader(list: &Path, manner: Manner, reads: u64) -> Child {
    start("torn::processes::reads", list, &[(MANNER, format!("{manner:?}")), (READS, reads.to_string())])
}

fn start(test: &str, list: &Path, variables: &[(&str, String)]) -> Child {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(["--exact", test, "--nocapture"]).env(FOLDER, list);
    command.envs(variables.iter().map(|(name, value)| (*name, value)));
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts")
}

/// Writes until it is killed. As a test of its own it has nothing to do.
#[test]
fn writes() {
    let Ok(folder) = env::var(FOLDER) else { return };
    let over = env::var(MANNER).is_ok_and(|it| it == "Over");
    let file = Path::new(&folder).join(format!("{TASK}.json"));
    for n in 1.. {
        let text = text(n);
        let mut open = OpenOptions::new();
        let mut file = open.write(true).truncate(!over).open(&file).expect("the task");
        if over {
            file.write_all(text.as_bytes()).expect("room");
            file.set_len(text.len() as u64).expect("a cut");
        } else {
            text.as_bytes().chunks(400).for_each(|it| file.write_all(it).expect("room"));
        }
        drop(file);
        // Between two texts there is a while in which it is whole; a very short one.
        let until = Instant::now() + Duration::from_micros((n as u64 * 37) % 300);
        while Instant::now() < until {}
    }
}

/// Reads so often and tells what was wrong. As a test of its own it has nothing to do.
#[test]
fn reads() {
    let (Ok(folder), Ok(reads)) = (env::var(FOLDER), env::var(READS)) else { return };
    let reads: u64 = reads.parse().expect("a number");
    let list = TaskList::open(Path::new(&folder), &Options::default()).expect("a list");
    let over = env::var(MANNER).is_ok_and(|it| it == "Over");
    let (id, mut last, mut versions, mut wrong, mut mixed) = (TaskId::from(1), String::new(), 0, 0, 0);
    for _ in 0..reads {
        let shown = list.show(&id);
        let found = shown.as_ref().ok().and_then(Option::as_ref);
        if over && found.is_some_and(|it| is_mixed(&it.task.description)) {
            mixed += 1;
        } else if !found.is_some_and(|it| is_whole(&it.task.subject, &it.task.description)) {
            wrong += 1;
            let now = fs::read_to_string(Path::new(&folder).join("1.json"));
            println!("\nwrong: {:?}; now {now:?}", shown.as_ref().map(|it| it.as_ref().map(|it| &it.task)));
        }
        let subject = found.map(|it| it.task.subject.clone()).unwrap_or_default();
        versions += u64::from(subject != last);
        last = subject;
    }
    println!("\nread: {reads} {versions} {wrong} {mixed}");
}
