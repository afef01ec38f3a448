//! One attempt at a task: the command under its guardian, watched until it ends. Stopped when it takes too long, when the
//! claim is lost, or when the run is ended. Not what the list is told of it.

use super::{
    job::shown,
    runs::{Ended, Record},
    shift::{Shift, Stage},
};
use crate::{
    own_hooks::lead,
    processes::{Ward, guarded},
    worktrees::{Base, Refusal, TIES, Tree, head},
};
use std::{collections::HashSet, io, path::Path};
use worklist::{
    Actor, SessionGuard, Task, TaskId, TaskList,
    clock::{Clock, SystemClock},
};

/// So often it is looked whether to go on.
const STEP_MS: u64 = 20;
/// A longer subject does not fit into an environment.
const SUBJECT: usize = 16 * 1024;

/// A task that this worker has claimed.
pub(super) struct Claimed<'a> {
    pub(super) list: &'a TaskList,
    pub(super) shift: &'a Shift,
    pub(super) actor: &'a Actor,
    pub(super) task: &'a Task,
    pub(super) token: u64,
    /// What makes this process the session; none if another one is it.
    pub(super) session: Option<&'a SessionGuard>,
}

/// How an attempt ended.
pub(super) struct Result {
    pub(super) exit: Option<i32>,
    pub(super) milliseconds: u64,
    pub(super) command: String,
    pub(super) end: End,
    /// Whether some of the output could not be kept.
    pub(super) unkept: bool,
    /// The commit that it led to.
    pub(super) commit: Option<String>,
    /// The worktree that it ran in.
    pub(super) tree: Option<Tree>,
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
    /// There is no place to run it in, and there will be none.
    NoPlace(String),
    /// It ended well, but its work could not be committed.
    NotCommitted(String),
}

impl From<End> for Result {
    fn from(end: End) -> Result {
        Result {
            exit: None,
            milliseconds: 0,
            command: String::new(),
            end,
            unkept: false,
            commit: None,
            tree: None,
        }
    }
}

impl Claimed<'_> {
    pub(super) fn attempt(&self) -> Result {
        let line = self.shift.job.line(self.task);
        let began = SystemClock.ticks();
        let mut record = Record {
            id: self.task.id.as_str().to_owned(),
            token: self.token,
            worker: self.actor.agent.clone(),
            command: shown(&line),
            began: SystemClock.now().0,
            ended: None,
        };
        self.shift.runs.note(&record);
        let mut result = self.within(&line, began);
        result.milliseconds = SystemClock.ticks().saturating_sub(began);
        result.command.clone_from(&record.command);
        let (exit, outcome) = (result.exit, result.end.word(result.exit).to_owned());
        record.ended = Some(Ended { milliseconds: result.milliseconds, exit, outcome });
        self.shift.runs.note(&record);
        result
    }

    /// Runs it in its place; how it ended, and the commit that it led to.
    fn within(&self, line: &[String], began: u64) -> Result {
        let tree = match self.place() {
            Ok(tree) => tree,
            Err(Refusal::Conflict(why)) => return End::NoPlace(why).into(),
            Err(Refusal::Other(why)) => return End::NotStarted(why).into(),
        };
        let job = &self.shift.job;
        let folder = tree.as_ref().map_or(job.here.as_path(), |it| it.path.as_path());
        // Beside others nobody can tell whose commit it is.
        let alone = job.workers == 1 && tree.is_none();
        let before = alone.then(|| head(folder)).flatten();
        let mut result = match self.start(line, folder) {
            Ok(ward) => self.watch(ward, began),
            Err(error) => End::NotStarted(error.to_string()).into(),
        };
        result.commit = before.and_then(|before| head(folder).filter(|it| *it != before));
        if let (Some(tree), End::Itself, Some(0)) = (&tree, &result.end, result.exit) {
            match tree.commit(&self.message()) {
                Ok(led_to) => result.commit = led_to,
                Err(why) => result.end = End::NotCommitted(why),
            }
        }
        Result { tree, ..result }
    }

    fn message(&self) -> String {
        format!("{}\n\nTask: #{}\n", self.task.subject.trim(), self.task.id)
    }

    /// The worktree of the task, if tasks have them.
    fn place(&self) -> std::result::Result<Option<Tree>, Refusal> {
        let Some(trees) = &self.shift.job.worktrees else { return Ok(None) };
        let bases = self.bases().map_err(|error| Refusal::Other(error.to_string()))?;
        trees.begin(self.task, &bases).map(Some)
    }

    /// What the work of everything that the task waited for has led to. Who has led to nothing hands on what it had.
    fn bases(&self) -> std::result::Result<Vec<Base>, worklist::Error> {
        let mut open: Vec<TaskId> = self.task.blocked_by.iter().rev().cloned().collect();
        let (mut seen, mut bases) = (HashSet::new(), Vec::new());
        while let Some(id) = open.pop() {
            if !seen.insert(id.clone()) {
                continue;
            }
            let Some(view) = self.list.show(&id)? else { continue };
            let trees = self.shift.job.worktrees.as_ref();
            let led_to = view.evidence.and_then(|it| it.commit);
            match led_to.or_else(|| trees?.branch_of(&view.task)) {
                Some(commit) => bases.push(Base { of: format!("#{id}"), commit }),
                None => open.extend(view.task.blocked_by.iter().rev().cloned()),
            }
        }
        Ok(bases)
    }

    /// The command under a guardian, with the task's description as its input.
    fn start(&self, line: &[String], folder: &Path) -> io::Result<Ward> {
        let log = self.shift.runs.log(self.task.id.as_str(), self.token);
        let mut command = guarded(Some(&log), line);
        let job = &self.shift.job;
        command.envs(self.variables());
        lead(&mut command, &job.home);
        command.envs(job.variables.iter().cloned());
        if job.worktrees.is_some() {
            for tie in TIES {
                command.env_remove(tie);
            }
        }
        command.current_dir(folder);
        Ward::start(command, job.input(self.task).as_bytes())
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

    fn watch(&self, mut ward: Ward, began: u64) -> Result {
        let mut end = End::Itself;
        let claim = self.shift.claims.watch(&self.task.id, self.token);
        loop {
            match ward.ended() {
                Ok(Some(exit)) => {
                    return Result { exit: Some(exit), unkept: ward.has_lost_output(), ..end.into() };
                }
                Ok(None) => {}
                Err(error) => return End::NotStarted(error.to_string()).into(),
            }
            let now = SystemClock.ticks();
            if end == End::Itself {
                end = self.reason_to_stop(now.saturating_sub(began), claim.is_lost());
                if end != End::Itself {
                    ward.stop();
                }
            }
            SystemClock.sleep(STEP_MS);
        }
    }

    fn reason_to_stop(&self, lasted: u64, is_lost: bool) -> End {
        if self.shift.stage() == Stage::Stopping {
            return End::Stopped;
        }
        if self.shift.job.timeout.is_some_and(|most| lasted >= most) {
            return End::TooLong;
        }
        // Whoever cannot be heard of for long stops: others will be given the task.
        if is_lost || self.session.is_some_and(|it| !it.stands()) {
            return End::Lost;
        }
        End::Itself
    }
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
            End::NotStarted(_) | End::NoPlace(_) => "not started",
            End::NotCommitted(_) => "not committed",
        }
    }
}
