//! What is shown of a run: a live view on a terminal, lines in a pipe, objects for programs. Not the work.

use super::{
    shift::{Shift, Stage},
    work::Told,
};
use crate::{
    context::{Context, resized},
    failure::Failure,
    output::{BUSY, FAINT, GOOD, WAITS, WRONG, counted, cut_painted, paint, seconds, span, visible},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::Duration,
};
use worklist::{
    State, TaskId, TaskList, TaskView,
    clock::{Clock, SystemClock},
    graph::Graph,
    json::Object,
};

/// So often the live view is drawn anew.
const FRAME: Duration = Duration::from_millis(250);
/// So many of the latest pieces of news stay in view.
const LATEST: usize = 6;
/// How wide the bar is.
const BAR: usize = 30;

/// A terminal that knows these shows a picture only when it is whole; others pass over them.
const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";

/// What a worker tells.
pub(super) enum News {
    Began {
        worker: String,
        view: Box<TaskView>,
    },
    /// The server of the list does not answer.
    Away {
        reason: String,
    },
    Ended {
        worker: String,
        id: TaskId,
        subject: String,
        milliseconds: u64,
        commit: Option<String>,
        /// Whether some of the output could not be kept.
        unkept: bool,
        told: Told,
    },
}

/// What came of a run.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    pub(crate) done: usize,
    pub(crate) failed: usize,
    pub(crate) parked: Vec<TaskId>,
    /// What its own command gave back, and nobody has done since.
    pub(crate) given_back: BTreeSet<TaskId>,
    pub(crate) lost: usize,
    pub(crate) milliseconds: u64,
    /// Whether somebody ended it before its time.
    pub(crate) stopped: bool,
    /// How long all attempts that succeeded took together.
    worked: u64,
}

/// What is going on.
#[derive(Default)]
struct Scene {
    /// Worker → the task and since when.
    busy: BTreeMap<String, (TaskId, String, u64)>,
    latest: Vec<String>,
    summary: Summary,
    /// How many lines of the terminal the last picture took.
    drawn: usize,
}

/// Tells until all workers have ended.
pub(super) fn tell(
    context: &Context,
    list: &TaskList,
    shift: &Shift,
    news: &Receiver<News>,
) -> Result<Summary, Failure> {
    let began = SystemClock.ticks();
    let live = context.output.is_terminal() && !context.output.json;
    let mut scene = Scene::default();
    loop {
        match news.recv_timeout(FRAME) {
            Ok(news) => {
                scene.note(&news);
                if !live {
                    // Whoever stopped reading has read enough; the work goes on.
                    _ = if context.output.json {
                        context.output.stream_json(object(&news))
                    } else {
                        context.output.stream(&line(&news))
                    };
                }
                scene.keep(line(&news));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if live {
            scene.draw(context, list, shift)?;
        }
    }
    if live {
        scene.draw(context, list, shift)?;
    }
    scene.summary.milliseconds = SystemClock.ticks().saturating_sub(began);
    scene.summary.stopped = !shift.begins();
    Ok(scene.summary)
}

impl Scene {
    fn note(&mut self, news: &News) {
        match news {
            News::Away { .. } => {}
            News::Began { worker, view } => {
                let task = &view.task;
                let doing = (task.id.clone(), task.subject.clone(), SystemClock.ticks());
                self.busy.insert(worker.clone(), doing);
            }
            News::Ended { worker, id, milliseconds, told, .. } => {
                self.busy.remove(worker);
                let summary = &mut self.summary;
                match told {
                    Told::Done { .. } | Told::Itself { done: true } => {
                        summary.done += 1;
                        summary.given_back.remove(id);
                        summary.worked += milliseconds;
                    }
                    Told::Failed { parked, .. } => {
                        summary.failed += 1;
                        summary.parked.extend(parked.then(|| id.clone()));
                    }
                    Told::Lost => summary.lost += 1,
                    Told::Itself { done: false } => _ = summary.given_back.insert(id.clone()),
                    Told::Stopped => {}
                }
            }
        }
    }

    fn keep(&mut self, line: String) {
        self.latest.push(line);
        let old = self.latest.len().saturating_sub(LATEST);
        self.latest.drain(..old);
    }

    /// A picture of the moment, drawn over the last one.
    fn draw(&mut self, context: &Context, list: &TaskList, shift: &Shift) -> Result<(), Failure> {
        let output = resized(&context.output);
        let board = match list.board() {
            // The picture stays as it is; that it does not answer is told by who needs it.
            Err(error) if error.is_absence() => return Ok(()),
            board => board?,
        };
        let done = board.count(State::Completed);
        let total = board.seen().count();
        let counts = format!(
            "{}  {}  {}  {}",
            paint(GOOD, &format!("{} ready", board.ready().len())),
            paint(BUSY, &format!("{} in progress", board.count(State::InProgress))),
            paint(WAITS, &format!("{} blocked", board.count(State::Blocked))),
            paint(WRONG, &format!("{} failed", self.summary.failed)),
        );
        let left = self.left(&board.tasks).map(|it| format!("  about {} left", span(it))).unwrap_or_default();
        let mut lines = vec![format!("{} {done}/{total}{}", bar(done, total), paint(FAINT, &left)), counts];
        lines.push(String::new());
        for n in 1..=shift.job.workers {
            let name = shift.job.actor(n).agent;
            lines.push(match self.busy.get(&name) {
                Some((id, subject, since)) => {
                    let lasts = i64::try_from(SystemClock.ticks().saturating_sub(*since)).unwrap_or(0);
                    let task = format!("#{} {}", visible(id.as_str()), visible(subject));
                    format!("{}  {task}  {}", paint(BUSY, &visible(&name)), paint(FAINT, &span(lasts)))
                }
                None => format!("{}  {}", paint(FAINT, &visible(&name)), paint(FAINT, "waits")),
            });
        }
        lines.push(String::new());
        lines.extend(self.latest.iter().cloned());
        lines.push(paint(FAINT, hint(shift.stage())));
        // What does not fit would scroll away, and could not be drawn over.
        lines.truncate(output.rows.map_or(usize::MAX, |it| it.saturating_sub(1).max(1)));
        let wide = output.width();
        let text: Vec<String> = lines.iter().map(|it| format!("{}\x1b[K\n", cut_painted(it, wide))).collect();
        let up = if self.drawn > 0 { format!("\x1b[{}A\r", self.drawn) } else { String::new() };
        self.drawn = lines.len();
        // Nobody looks any more: the work goes on.
        _ = output.frame(&format!("{BEGIN}{up}{}\x1b[J{END}", text.concat()));
        Ok(())
    }

    /// How long it will still take, by the longest chain of what is open and by how long tasks took so far.
    fn left(&self, tasks: &[TaskView]) -> Option<i64> {
        if self.summary.done == 0 {
            return None;
        }
        let open: Vec<_> = tasks.iter().filter(|it| it.task.is_open()).map(|it| &*it.task).collect();
        let chain = Graph::new(open.iter().copied()).critical_path().len();
        let each = self.summary.worked / self.summary.done as u64;
        i64::try_from(each.saturating_mul(chain as u64)).ok()
    }
}

fn hint(stage: Stage) -> &'static str {
    match stage {
        Stage::Working => "Ctrl-C: begin nothing new; twice: stop.",
        Stage::Draining => "Nothing new is begun. Ctrl-C stops what runs.",
        Stage::Stopping => "Stopping.",
    }
}

fn bar(done: usize, total: usize) -> String {
    let full = (BAR * done).checked_div(total).unwrap_or(0);
    format!("{}{}", paint(GOOD, &"█".repeat(full)), paint(FAINT, &"░".repeat(BAR - full)))
}

/// One piece of news as a line.
fn line(news: &News) -> String {
    let named = |id: &TaskId, subject: &str| format!("#{} {}", visible(id.as_str()), visible(subject));
    match news {
        News::Away { reason } => paint(WAITS, &format!("waiting: {}", visible(reason))),
        News::Began { worker, view } => {
            format!("{}  began {}", visible(worker), named(&view.task.id, &view.task.subject))
        }
        News::Ended { worker, id, subject, milliseconds, commit, unkept, told } => {
            let commit = commit.as_ref().map(|it| format!("  commit {}", &it[..it.len().min(10)]));
            let unkept = if *unkept { paint(WRONG, "; its output could not be kept") } else { String::new() };
            let more = more(told) + &commit.unwrap_or_default() + &unkept;
            let took = paint(FAINT, &format!("({})", seconds(*milliseconds)));
            format!("{}  {} {} {took}{}", visible(worker), verb(told), named(id, subject), more)
        }
    }
}

fn verb(told: &Told) -> String {
    match told {
        Told::Done { .. } | Told::Itself { done: true } => paint(GOOD, "done"),
        Told::Itself { done: false } => "gave back".to_owned(),
        Told::Failed { parked: true, .. } => paint(WRONG, "parked"),
        Told::Failed { .. } => paint(WRONG, "failed"),
        Told::Lost => paint(WAITS, "lost"),
        Told::Stopped => "stopped".to_owned(),
    }
}

fn more(told: &Told) -> String {
    match told {
        Told::Done { freed: freed @ 1.. } => format!("  unblocked {freed}"),
        Told::Failed { reason, failed, .. } => {
            format!("  attempt {failed}, {}", visible(reason.lines().next().unwrap_or_default()))
        }
        _ => String::new(),
    }
}

/// One piece of news for programs.
fn object(news: &News) -> Object {
    match news {
        News::Away { reason } => Object::new().with("event", "away").with("reason", reason.as_str()),
        News::Began { worker, view } => Object::new()
            .with("event", "began")
            .with("worker", worker.as_str())
            .with("id", view.task.id.as_str())
            .with("subject", view.task.subject.as_str()),
        News::Ended { worker, id, subject, milliseconds, commit, unkept, told } => {
            let mut object = Object::new()
                .with("event", word(told))
                .with("worker", worker.as_str())
                .with("id", id.as_str())
                .with("subject", subject.as_str())
                .with("milliseconds", *milliseconds);
            object.set_some("commit", commit.as_deref());
            object.set_some("outputLost", unkept.then_some(true));
            if let Told::Failed { reason, failed, parked } = told {
                object.set("reason", reason.as_str());
                object.set("attempt", u64::from(*failed));
                object.set("parked", *parked);
            }
            object
        }
    }
}

fn word(told: &Told) -> &'static str {
    match told {
        Told::Done { .. } | Told::Itself { done: true } => "done",
        Told::Itself { done: false } => "released",
        Told::Failed { .. } => "failed",
        Told::Lost => "lost",
        Told::Stopped => "stopped",
    }
}

impl Summary {
    /// What came of it, in a line.
    pub(crate) fn line(&self) -> String {
        let mut parts =
            vec![format!("{} done in {}", counted(self.done, "task"), seconds(self.milliseconds))];
        if self.failed > 0 {
            parts.push(counted(self.failed, "failed attempt"));
        }
        let given_back: Vec<&TaskId> = self.given_back.iter().collect();
        for (what, ids) in [("parked", self.parked.iter().collect()), ("given back", given_back)] {
            let ids: Vec<String> = ids.into_iter().map(|it| format!("#{}", visible(it.as_str()))).collect();
            parts.extend((!ids.is_empty()).then(|| format!("{what}: {}", ids.join(", "))));
        }
        if self.lost > 0 {
            parts.push(format!("{} lost to others", self.lost));
        }
        if self.stopped {
            parts.push("stopped before its time".to_owned());
        }
        parts.join("; ")
    }
}
