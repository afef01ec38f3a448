//! What a claim costs: in a small list, in a large one, and against the least that a durable write can cost.
//! Ratios of one run on one disk. Not a test: times belong to a machine.
#![expect(clippy::print_stdout, reason = "a tool for the terminal")]
#![expect(clippy::disallowed_methods, reason = "a benchmark measures time and prepares folders")]

use crate::Outcome;
use std::{
    fs::{self, File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use worklist::{
    Actor, Command, Error, NewTask, Options, TaskId, TaskList,
    rules::{ClaimTask, Plan, PlanTask, ReleaseTask},
};

/// Claims of each list.
const ROUNDS: usize = 200;
const SMALL: usize = 100;
const LARGE: usize = 10_000;
/// How much more a claim may cost in a list that is a hundred times as long.
const LIMIT: f64 = 2.0;
/// Bytes of one durable append, about those of a short line of the journal.
const APPENDED: [u8; 200] = [b'x'; 200];

/// A list made for measuring.
struct Subject {
    folder: PathBuf,
    ids: Vec<TaskId>,
    times: Vec<Duration>,
}

/// Measures in turn, so that whatever else the machine does falls on all alike.
pub(crate) fn run(root: &Path) -> Outcome {
    if cfg!(debug_assertions) {
        // What users run is optimised.
        let mut cargo = std::process::Command::new("cargo");
        let status =
            cargo.current_dir(root).args(["run", "--quiet", "--release", "-p", "xtask", "bench"]).status();
        return match status {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err("see above".to_owned()),
            Err(error) => Err(error.to_string()),
        };
    }
    let target = root.join("target");
    fs::create_dir_all(&target).map_err(|error| error.to_string())?;
    // Not in the system's folder for such things: that is often no disk at all.
    let folder =
        tempfile::Builder::new().prefix("bench-").tempdir_in(&target).map_err(|error| error.to_string())?;
    let mut small = Subject::new(folder.path().join("small"), SMALL).map_err(|error| error.to_string())?;
    let mut large = Subject::new(folder.path().join("large"), LARGE).map_err(|error| error.to_string())?;
    let mut floor = floor_file(folder.path()).map_err(|error| error.to_string())?;
    let mut appends = Vec::new();
    for round in 0..ROUNDS {
        small.claim(round).map_err(|error| error.to_string())?;
        large.claim(round).map_err(|error| error.to_string())?;
        appends.push(append(&mut floor).map_err(|error| error.to_string())?);
    }
    report(median(small.times), median(large.times), median(appends))
}

impl Subject {
    fn new(folder: PathBuf, count: usize) -> Result<Subject, Error> {
        let options = Options { format: Some("claude".to_owned()), ..Options::default() };
        let list = TaskList::create(&folder, &options)?;
        let task = |n: usize| {
            let (subject, description) =
                (format!("Task {n}"), "What is to be done, in a line or two.".to_owned());
            PlanTask { task: NewTask { subject, description, ..NewTask::default() }, ..PlanTask::default() }
        };
        let plan = Plan { key: None, tasks: (0..count).map(task).collect() };
        let ids = list.run(&actor(), &Command::Plan(plan))?.decision.about;
        Ok(Subject { folder, ids, times: Vec::new() })
    }

    /// Claims one task as a process of its own would, then gives it back unmeasured.
    fn claim(&mut self, round: usize) -> Result<(), Error> {
        let id = self.ids[round * 7919 % self.ids.len()].clone();
        let started = Instant::now();
        let list = TaskList::open(&self.folder, &Options::default())?;
        let token = list.run(&actor(), &Command::Claim(ClaimTask::of(id.clone())))?.decision.token;
        self.times.push(started.elapsed());
        list.run(&actor(), &Command::Release(ReleaseTask { id, token, reason: None, force: false }))?;
        Ok(())
    }
}

fn actor() -> Actor {
    Actor::new("bench", "bench-session")
}

/// A file that is there already, as the journal is.
fn floor_file(folder: &Path) -> std::io::Result<File> {
    let path = folder.join("floor");
    fs::write(&path, APPENDED)?;
    let file = OpenOptions::new().append(true).open(path)?;
    file.sync_all()?;
    Ok(file)
}

fn append(file: &mut File) -> std::io::Result<Duration> {
    let started = Instant::now();
    file.write_all(&APPENDED)?;
    file.sync_data()?;
    Ok(started.elapsed())
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |it| it.as_secs_f64() * 1e6)
}

fn report(small: f64, large: f64, floor: f64) -> Outcome {
    println!("{:<44}{:>12}", "medians", "µs");
    println!("{:<44}{floor:>12.0}", "append 200 bytes + fdatasync (the floor)");
    println!("{:<44}{small:>12.0}", format!("open + claim, {SMALL} tasks"));
    println!("{:<44}{large:>12.0}", format!("open + claim, {LARGE} tasks"));
    println!();
    println!("{:<44}{:>12}{:>12}", "ratios", "measured", "limit");
    println!("{:<44}{:>12.2}{LIMIT:>12.1}", format!("claim of {LARGE} / claim of {SMALL}"), large / small);
    println!("{:<44}{:>12.2}{:>12}", format!("claim of {SMALL} / floor"), small / floor, "-");
    println!("{:<44}{:>12.2}{:>12}", format!("claim of {LARGE} / floor"), large / floor, "-");
    if large / small > LIMIT {
        return Err(format!(
            "a claim grows with the list: {:.2} times, at most {LIMIT:.1} are allowed",
            large / small
        ));
    }
    Ok(())
}
