//! One attempt at a task: the command under its guardian, watched until it ends. Stopped when it takes too long, when the
//! claim is lost, or when the run is ended. Not what the list is told of it.

use super::{
    job::shown,
    runs::{Ended, Record},
    shift::{Shift, Stage},
};
use crate::processes::{Ward, guarded};
use std::io;
use worklist::{
    Actor, Task, TaskId, TaskList,
    clock::{Clock, SystemClock},
};

/// So often it is looked whether to go on.
const STEP_MS: u64 = 20;
/// So often it is looked whether the claim still stands.
const CLAIM_MS: u64 = 1_000;
/// A longer subject does not fit into an environment.
const SUBJECT: usize = 16 * 1024;

/// A task that this worker has claimed.
pub(super) struct Claimed<'a> {
    pub(super) list: &'a TaskList,
    pub(super) shift: &'a Shift,
    pub(super) actor: &'a Actor,
    pub(super) task: &'a Task,
    pub(super) token: u64,
}

/// How an attempt ended.
pub(super) struct Result {
    pub(super) exit: Option<i32>,
    pub(super) milliseconds: u64,
    pub(super) command: String,
    pub(super) end: End,
}

/// Why it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// By itself.
    Itself,
    /// It took too long.
    TooLong,
    /// The claim is not ours any more.
    Lost,
    /// The run was ended.
    Stopped,
    /// There was no running it.
    NotStarted(String),
}

impl Claimed<'_> {
    pub(super) fn attempt(&self) -> Result {
        let line = self.shift.job.line(self.task);
        let command = shown(&line);
        let began = SystemClock.ticks();
        let mut record = Record {
            id: self.task.id.as_str().to_owned(),
            token: self.token,
            worker: self.actor.agent.clone(),
            command: command.clone(),
            began: SystemClock.now().0,
            ended: None,
        };
        self.shift.runs.note(&record);
        let (exit, end) = match self.start(&line) {
            Ok(ward) => self.watch(ward, began),
            Err(error) => (None, End::NotStarted(error.to_string())),
        };
        let milliseconds = SystemClock.ticks().saturating_sub(began);
        record.ended = Some(Ended { milliseconds, exit, outcome: end.word(exit).to_owned() });
        self.shift.runs.note(&record);
        Result { exit, milliseconds, command, end }
    }

    /// The command under a guardian, with the task's description as its input.
    fn start(&self, line: &[String]) -> io::Result<Ward> {
        let log = self.shift.runs.log(self.task.id.as_str(), self.token);
        let mut command = guarded(Some(&log), line);
        command.envs(self.variables()).env("WORKLIST_DIR", &self.shift.job.folder);
        Ward::start(command, self.task.description.as_bytes())
    }

    /// What the command finds in its environment: the task, and who it acts for, so that its own `wl` is ours.
    fn variables(&self) -> Vec<(&'static str, String)> {
        let plain = |text: &str| text.replace('\0', "");
        vec![
            ("WORKLIST_TASK_ID", plain(self.task.id.as_str())),
            ("WORKLIST_TASK_SUBJECT", plain(&self.task.subject).chars().take(SUBJECT).collect()),
            ("WORKLIST_TASK_TOKEN", self.token.to_string()),
            ("WORKLIST_AGENT", plain(&self.actor.agent)),
            ("WORKLIST_SESSION", plain(&self.actor.session)),
        ]
    }

    fn watch(&self, mut ward: Ward, began: u64) -> (Option<i32>, End) {
        let mut end = End::Itself;
        let mut looked = began;
        loop {
            match ward.ended() {
                Ok(Some(exit)) => return (Some(exit), end),
                Ok(None) => {}
                Err(error) => return (None, End::NotStarted(error.to_string())),
            }
            let now = SystemClock.ticks();
            if end == End::Itself {
                end = self.reason_to_stop(now.saturating_sub(began), now, &mut looked);
                if end != End::Itself {
                    ward.stop();
                }
            }
            SystemClock.sleep(STEP_MS);
        }
    }

    fn reason_to_stop(&self, lasted: u64, now: u64, looked: &mut u64) -> End {
        if self.shift.stage() == Stage::Stopping {
            return End::Stopped;
        }
        if self.shift.job.timeout.is_some_and(|most| lasted >= most) {
            return End::TooLong;
        }
        if now.saturating_sub(*looked) >= CLAIM_MS {
            *looked = now;
            if is_lost(self.list, &self.task.id, self.token) {
                return End::Lost;
            }
        }
        End::Itself
    }
}

/// Whether somebody else has the task now. One that is done, or given back by the command itself, is not lost.
fn is_lost(list: &TaskList, id: &TaskId, token: u64) -> bool {
    // What cannot be read now says nothing: the number decides in the end.
    let Ok(Some(view)) = list.show(id) else { return false };
    view.claim.is_some_and(|it| it.token != token)
}

impl End {
    /// In a word, for the record.
    fn word(&self, exit: Option<i32>) -> &'static str {
        match self {
            End::Itself if exit == Some(0) => "succeeded",
            End::Itself => "failed",
            End::TooLong => "took too long",
            End::Lost => "claim lost",
            End::Stopped => "stopped",
            End::NotStarted(_) => "not started",
        }
    }
}
