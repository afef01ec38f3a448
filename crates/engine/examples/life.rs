//! The life of a small list: one plan, three workers, and what is left on disk. Not a test: it shows what happens.
//!
//! `cargo run --release --example life -p worklist [FORMAT]`
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example for the terminal")]
#![expect(clippy::disallowed_methods, reason = "work takes time here, and the folder is shown as it is")]

use std::{error::Error, fs, path::Path, process::ExitCode, thread, time::Duration};
use worklist::{
    Actor, Command, NewTask, Options, State, TaskList,
    format::FORMATS,
    rules::{CompleteTask, NextTask, Plan, PlanTask},
};

/// What must be done, and what each waits for.
const PLAN: [(&str, &str, &[&str]); 6] = [
    ("design", "Draw the parts", &[]),
    ("parser", "Write the parser", &["design"]),
    ("writer", "Write the writer", &["design"]),
    ("pages", "Write the pages", &["design"]),
    ("tests", "Test reading and writing", &["parser", "writer"]),
    ("release", "Put it out", &["tests", "pages"]),
];

fn main() -> ExitCode {
    let format = std::env::args().nth(1).unwrap_or_else(|| "claude".to_owned());
    match live(&format) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let names: Vec<&str> = FORMATS.iter().map(|it| it.shape().name).collect();
            eprintln!("{error}\nformats: {}", names.join(" "));
            ExitCode::FAILURE
        }
    }
}

fn live(format: &str) -> Result<(), Box<dyn Error>> {
    let keep = tempfile::tempdir()?;
    let folder = keep.path().join("list");
    let options = Options { format: Some(format.to_owned()), ..Options::default() };
    let list = TaskList::create(&folder, &options)?;

    println!("A plan of {} tasks in the format {format}:", PLAN.len());
    let planned = list.run(&Actor::new("ann", "ann-1"), &Command::Plan(plan()))?;
    for it in &planned.tasks {
        let after: Vec<&str> = it.task.blocked_by.iter().map(worklist::TaskId::as_str).collect();
        let after = if after.is_empty() { String::new() } else { format!(", after {}", after.join(" and ")) };
        println!("  {} {}{after}", it.task.id, it.task.subject);
    }

    println!("\nThree workers, each with its own way in:");
    thread::scope(|scope| {
        let workers = ["bob", "cleo", "dan"].map(|name| scope.spawn(|| work(&folder, name)));
        workers
            .into_iter()
            .try_for_each(|it| it.join().unwrap_or_else(|_| Err(Box::from("a worker panicked"))))
    })
    .map_err(|error| -> Box<dyn Error> { error })?;
    for event in list.events_after(0)? {
        let tasks: Vec<&str> = event.changes.iter().map(|it| it.id.as_str()).collect();
        let freed: Vec<&str> = event.freed.iter().map(worklist::TaskId::as_str).collect();
        let freed =
            if freed.is_empty() { String::new() } else { format!(", which frees {}", freed.join(" and ")) };
        println!(
            "  {:>3}  {:<5} {:<9} {}{freed}",
            event.seq,
            event.actor.agent,
            event.command,
            tasks.join(" ")
        );
    }

    println!("\nWhat is on disk:");
    show(&folder, "")
}

fn plan() -> Plan {
    let tasks = PLAN.iter().map(|(name, subject, after)| PlanTask {
        name: Some((*name).to_owned()),
        after: after.iter().map(|it| (*it).to_owned()).collect(),
        task: NewTask { subject: (*subject).to_owned(), ..NewTask::default() },
        ..PlanTask::default()
    });
    Plan { key: None, tasks: tasks.collect() }
}

/// Takes what is ready, works, completes, until all is done.
fn work(folder: &Path, name: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
    let list = TaskList::open(folder, &Options::default())?;
    let me = Actor::new(name, format!("{name}-1"));
    // For as long as this lives, so do our claims; if we die, they are free at once.
    let _session = list.hold_session(&me)?;
    let mut watch = list.watch(0);
    loop {
        let taken = list.run(&me, &Command::Next(NextTask::default()))?;
        let Some(task) = taken.tasks.first() else {
            if list.board()?.tasks.iter().all(|it| it.state == State::Completed) {
                return Ok(());
            }
            watch.next(1_000)?;
            continue;
        };
        thread::sleep(Duration::from_millis(30));
        let done = CompleteTask { id: task.task.id.clone(), token: taken.decision.token, force: false };
        list.run(&me, &Command::Complete(done))?;
    }
}

fn show(folder: &Path, inner: &str) -> Result<(), Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder.join(inner))? {
        let entry = entry?;
        let name = format!("{inner}{}", entry.file_name().to_string_lossy());
        names.push((name, entry.metadata()?));
    }
    names.sort_by(|one, other| one.0.cmp(&other.0));
    for (name, about) in names {
        if about.is_dir() {
            let count = fs::read_dir(folder.join(&name))?.count();
            println!("  {name}/ ({count})");
            if name == ".worklist" {
                show(folder, ".worklist/")?;
            }
        } else {
            println!("  {name} ({} bytes)", about.len());
        }
    }
    Ok(())
}
