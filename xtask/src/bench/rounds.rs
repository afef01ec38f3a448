//! Runs the rows of a table in turn, round after round, and takes the medians. Not what is in the tables.

use super::{
    Bench, Measured,
    figures::{Figure, Unit},
    lists::{List, flush, plan},
    program,
    text::Author,
    workloads::{Work, Workload},
};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};
use worklist::json::{self, Json, Object, Style};

/// What a look at the whole list may keep for the next one.
const SNAPSHOT: &str = ".worklist/snapshot";

/// A table while it is run.
struct Rounds<'a> {
    bench: &'a mut Bench,
    round: usize,
    /// The last task that was taken.
    taken: String,
    /// Folders and files beneath the place of the bench, for plans.
    plans: usize,
}

/// Runs a table so many times.
pub(super) fn run(bench: &mut Bench, table: &[Workload], rounds: usize) -> io::Result<Vec<Measured>> {
    let mut samples: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    let largest = bench.largest();
    let mut running = Rounds { bench, round: 0, taken: String::new(), plans: 0 };
    // The first round fills caches and is not counted.
    for round in 0..=rounds {
        running.round = round;
        for (n, row) in table.iter().enumerate() {
            for &size in row.sizes.iter().filter(|it| **it <= largest) {
                if !row.is_due(size, round.saturating_sub(1)) {
                    continue;
                }
                let took = running.sample(row, size)?;
                if let (Some(took), 1..) = (took, round) {
                    samples.entry((n, size)).or_default().push(took.as_secs_f64());
                }
            }
        }
    }
    let median = |((n, size), all): ((usize, usize), _)| {
        Measured::new(table[n].name, size, Figure::median(all, Unit::Seconds))
    };
    Ok(samples.into_iter().map(median).collect())
}

impl Rounds<'_> {
    /// Does one row once; what is only done aside has no time.
    fn sample(&mut self, row: &Workload, size: usize) -> io::Result<Option<Duration>> {
        let took = match row.work {
            Work::Limit(limit) => self.bench.limit(limit, size)?,
            Work::Run(words) => program::time(&mut self.command(words, size)?)?,
            Work::Take(words) => {
                let (took, output) = program::time_heard(&mut self.command(words, size)?)?;
                self.taken = id_of(&output.stdout).ok_or_else(|| io::Error::other("no task was taken"))?;
                took
            }
            Work::Warm(words) => {
                program::time(&mut self.command(words, size)?)?;
                program::time(&mut self.command(words, size)?)?
            }
            Work::Cold(words) => {
                forget(&self.bench.list(size)?.folder)?;
                program::time(&mut self.command(words, size)?)?
            }
            Work::Aside(words) => {
                program::time(&mut self.command(words, size)?)?;
                return Ok(None);
            }
            Work::Plan => self.plan(size)?,
        };
        Ok(Some(took))
    }

    fn command(&mut self, words: &[&str], size: usize) -> io::Result<Command> {
        let (taken, round) = (self.taken.clone(), self.round);
        let program = self.bench.program.clone();
        if size == 0 {
            return Ok(program.command(words));
        }
        let list = self.bench.list(size)?;
        let filled = words.iter().map(|it| filled(it, list, round, &taken));
        let mut words: Vec<String> = filled.collect();
        words.extend(["--dir".to_owned(), list.folder.display().to_string()]);
        Ok(program.command(&words))
    }

    /// Folders are kept until the end: files are made slowly for a while after many were removed.
    fn plan(&mut self, size: usize) -> io::Result<Duration> {
        let file = self.bench.place.join(format!("plan-{size}.json"));
        if self.plans == 0 {
            fs::write(&file, written_plan(size))?;
        }
        self.plans += 1;
        let folder = self.bench.place.join(format!("planned-{}", self.plans));
        let (plan, folder) = (file.display().to_string(), folder.display().to_string());
        let mut command = self.bench.program.command(&["plan", &plan, "--dir", &folder]);
        program::time(&mut command)
    }
}

fn filled(word: &str, list: &List, round: usize, taken: &str) -> String {
    let text = || Author::new(u64::try_from(round).unwrap_or(0)).subject();
    match word {
        "{id}" => list.id(round).to_owned(),
        "{taken}" => taken.to_owned(),
        "{text}" => text(),
        word => word.to_owned(),
    }
}

/// The task that an answer is about.
pub(super) fn id_of(answer: &[u8]) -> Option<String> {
    let answer = json::parse(str::from_utf8(answer).ok()?).ok()?;
    Some(answer.as_object()?.get("task")?.as_object()?.get("id")?.as_str()?.to_owned())
}

fn forget(list: &Path) -> io::Result<()> {
    match fs::remove_file(list.join(SNAPSHOT)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A plan as a person or an agent would write it.
pub(super) fn written_plan(size: usize) -> String {
    let tasks = plan(size).tasks.into_iter().map(|it| {
        let task = Object::new().with("name", it.name.unwrap_or_default()).with("subject", it.task.subject);
        let task = task.with("description", it.task.description).with("after", Json::strings(&it.after));
        Json::from(task)
    });
    let plan = Object::new().with("tasks", Json::Array(tasks.collect()));
    json::write(&plan.into(), Style::JAVASCRIPT, "")
}

/// A list of its own, made through the program.
pub(super) fn planned(bench: &Bench, name: &str, size: usize) -> io::Result<PathBuf> {
    let (file, folder) = (bench.place.join(format!("{name}.json")), bench.place.join(name));
    fs::write(&file, written_plan(size))?;
    let mut command = bench.program.command(&["plan", "-", "--dir", &folder.display().to_string()]);
    program::time(command.stdin(Stdio::from(File::open(file)?)))?;
    flush(&folder)?;
    Ok(folder)
}
