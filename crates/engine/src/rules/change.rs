//! What a rule answers with: changes as values, before anything is written. Not the writing.

use super::Around;
use crate::{claim::Entry, id::TaskId, task::Field};
use std::sync::Arc;

/// What becomes of one task: from one state to another, where none is "does not exist".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The task.
    pub id: TaskId,
    /// How it was.
    pub before: Option<Arc<Entry>>,
    /// How it will be.
    pub after: Option<Arc<Entry>>,
}

impl Change {
    /// Whether it finishes or re-opens a task, or makes or removes it: then whoever waits for it is concerned.
    pub fn turns(&self) -> bool {
        let open = |entry: &Option<Arc<Entry>>| entry.as_ref().map(|it| it.task.is_open());
        open(&self.before) != open(&self.after)
    }
}

/// All that follows from one command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    /// What changes, at most one change a task. All of it or nothing is written.
    pub changes: Vec<Change>,
    /// The tasks that the command is about, in the order asked for.
    pub about: Vec<TaskId>,
    /// The number of the claim that was taken, kept or used.
    pub token: Option<u64>,
    /// The tasks that were blocked before and are not any more.
    pub freed: Vec<TaskId>,
    /// What a plan made, under which key.
    pub plan: Option<PlanNote>,
    /// Why a claim was given back, in the claimant's words.
    pub reason: Option<String>,
    /// The event that is taken back.
    pub undoes: Option<u64>,
    /// The tasks to which another program wrote on the caller's behalf.
    pub adopted: Vec<TaskId>,
    /// What was seen of the tasks around it.
    pub around: Around,
}

/// What a plan made: its key, and the id that each local name was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanNote {
    /// The key that makes repeating the plan harmless.
    pub key: Option<String>,
    /// Local names and ids, in the order of the plan. Tasks without a name are there under their position.
    pub names: Vec<(String, TaskId)>,
}

impl Decision {
    /// What becomes of a task, if it changes. Changes are in the order of their ids.
    pub fn change(&self, id: &TaskId) -> Option<&Change> {
        let place = self.changes.binary_search_by(|it| it.id.cmp(id)).ok()?;
        Some(&self.changes[place])
    }

    /// A decision about one task.
    pub(super) fn about(id: &TaskId) -> Decision {
        Decision { about: vec![id.clone()], ..Decision::default() }
    }

    /// The same with the number of a claim.
    pub(super) fn with_token(self, token: u64) -> Decision {
        Decision { token: Some(token), ..self }
    }
}

impl Change {
    /// The fields of the task that differ; all of them if it is new or gone.
    pub fn fields(&self) -> Vec<Field> {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => before.task.difference(&after.task),
            _ => Field::ALL.to_vec(),
        }
    }

    /// Whether anything differs.
    pub(super) fn is_real(&self) -> bool {
        self.before != self.after
    }
}
