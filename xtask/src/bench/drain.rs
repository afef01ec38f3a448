//! Eight workers empty a list through the program, each task with one `next` and one `done`; every mistake is counted. Not a
//! proof of the locks: those are in docs/proof.md.

use super::{
    Bench, Measured,
    figures::{Figure, Unit},
    program::Program,
    rounds::{id_of, planned},
};
use std::{
    collections::BTreeSet,
    io,
    path::Path,
    process::{Output, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};
use worklist::json::{self, Json};

const WORKERS: usize = 8;
const TASKS: usize = 1_000;
/// How the program ends when nothing is ready.
const NOTHING: i32 = 6;
/// Whoever is not through by then has lost a task on which others wait.
const PATIENCE: Duration = Duration::from_mins(2);

/// What one worker did.
#[derive(Default)]
struct Worked {
    completed: Vec<String>,
    errors: Vec<String>,
}

/// Drains a list a few times and takes the middle; mistakes are those of all runs.
pub(super) fn run(bench: &mut Bench) -> io::Result<Vec<Measured>> {
    let (mut times, mut double, mut lost, mut errors) = (Vec::new(), 0, 0, 0);
    for n in 0..bench.repeats(3, 1) {
        let folder = planned(bench, &format!("drained-{n}"), TASKS)?;
        let started = Instant::now();
        let worked = drain(&bench.program, &folder);
        times.push(started.elapsed().as_secs_f64());
        let completed: Vec<&String> = worked.iter().flat_map(|it| &it.completed).collect();
        let distinct: BTreeSet<&&String> = completed.iter().collect();
        double += completed.len() - distinct.len();
        lost += still_open(&bench.program, &folder)?;
        errors += worked.iter().map(|it| it.errors.len()).sum::<usize>();
        if let Some(error) = worked.iter().flat_map(|it| &it.errors).next() {
            bench.say(&format!("drain: {error}"));
        }
    }
    let runs = times.len();
    let count = |name, value| {
        Measured::new(
            name,
            TASKS,
            Figure { samples: runs, ..Figure::once(super::to_f64(value), Unit::Count) },
        )
    };
    let time = Measured::new("eight workers, until all is done", TASKS, Figure::median(times, Unit::Seconds));
    Ok(vec![time, count("done twice", double), count("not done", lost), count("errors", errors)])
}

fn drain(program: &Program, folder: &Path) -> Vec<Worked> {
    let left = AtomicUsize::new(TASKS);
    thread::scope(|scope| {
        let left = &left;
        let workers: Vec<_> =
            (0..WORKERS).map(|n| scope.spawn(move || work(program, folder, n, left))).collect();
        workers.into_iter().map(|it| it.join().unwrap_or_default()).collect()
    })
}

/// One worker: takes and completes until nothing is left. What fails is noted.
fn work(program: &Program, folder: &Path, n: usize, left: &AtomicUsize) -> Worked {
    let mut worked = Worked::default();
    let (who, started) = (format!("worker-{n}"), Instant::now());
    while left.load(Ordering::Relaxed) > 0 && started.elapsed() < PATIENCE {
        let next = ask(program, &["next", "--json"], folder, &who);
        let id = match next {
            Ok(output) if output.status.success() => id_of(&output.stdout),
            Ok(output) if output.status.code() == Some(NOTHING) => continue,
            other => {
                worked.errors.push(complaint(&other));
                continue;
            }
        };
        let Some(id) = id else { continue };
        left.fetch_sub(1, Ordering::Relaxed);
        // Whoever is told that it did not work says so again, as a worker would.
        while started.elapsed() < PATIENCE {
            match ask(program, &["done", &id], folder, &who) {
                Ok(output) if output.status.success() => {
                    worked.completed.push(id);
                    break;
                }
                other => worked.errors.push(complaint(&other)),
            }
        }
    }
    worked
}

fn ask(program: &Program, words: &[&str], folder: &Path, who: &str) -> io::Result<Output> {
    let folder = folder.display().to_string();
    let words = [words, &["--dir", &folder, "--as", who, "--session", who]].concat();
    program.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).output()
}

fn complaint(run: &io::Result<Output>) -> String {
    match run {
        Ok(output) => {
            let said = [&output.stdout[..], &output.stderr].concat();
            format!("{}: {}", output.status, String::from_utf8_lossy(&said).trim())
        }
        Err(error) => error.to_string(),
    }
}

fn still_open(program: &Program, folder: &Path) -> io::Result<usize> {
    let output = ask(program, &["list", "--all", "--json"], folder, "observer")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let parsed = json::parse(&text).map_err(io::Error::other)?;
    let tasks = parsed.as_object().and_then(|it| it.get("tasks")?.as_array()).unwrap_or_default();
    let is_done = |it: &&Json| it.as_object().and_then(|it| it.get("status")?.as_str()) == Some("completed");
    Ok(TASKS.saturating_sub(tasks.iter().filter(is_done).count()))
}
