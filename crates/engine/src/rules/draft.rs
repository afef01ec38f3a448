//! The list as one command would leave it: reads fall through to the store, writes stay here until decided.
//! Not a transaction: nothing is locked and nothing is written.

use super::{Change, Refusal, Request, Tasks};
use crate::{
    claim::{Claim, Entry},
    id::TaskId,
    task::Task,
};
use foldhash::HashMap;
use std::{borrow::Borrow, sync::Arc};

/// Where one command notes what it would change.
pub(super) struct Draft<'a> {
    pub(super) tasks: &'a dyn Tasks,
    pub(super) request: &'a Request,
    touched: HashMap<TaskId, Change>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(tasks: &'a dyn Tasks, request: &'a Request) -> Self {
        Draft { tasks, request, touched: HashMap::default() }
    }

    pub(super) fn get(&self, id: &TaskId) -> Option<Arc<Entry>> {
        match self.touched.get(id) {
            Some(change) => change.after.clone(),
            None => self.tasks.get(id),
        }
    }

    /// Whether a task is there.
    pub(super) fn has(&self, id: &TaskId) -> bool {
        match self.touched.get(id) {
            Some(change) => change.after.is_some(),
            None => self.tasks.get(id).is_some(),
        }
    }

    /// Changes a task that is there, where it stands.
    pub(super) fn edit(&mut self, id: &TaskId, edit: impl FnOnce(&mut Entry)) {
        if let Some(change) = self.touched.get_mut(id) {
            if let Some(entry) = &mut change.after {
                edit(Arc::make_mut(entry));
            }
        } else if let Some(mut entry) = self.tasks.get(id) {
            edit(Arc::make_mut(&mut entry));
            self.note(id.clone(), Some(entry));
        }
    }

    pub(super) fn require(&self, id: &TaskId) -> Result<Entry, Refusal> {
        let entry = self.get(id).map(Arc::unwrap_or_clone);
        entry.ok_or_else(|| Refusal::NotFound { id: id.clone() })
    }

    /// Every task as this draft has it, new ones last.
    pub(super) fn all(&self) -> Vec<Arc<Entry>> {
        let stored = self.tasks.all();
        if self.touched.is_empty() {
            return stored;
        }
        let known: std::collections::HashSet<TaskId> = stored.iter().map(|it| it.task.id.clone()).collect();
        let new = in_order(self.touched.values().filter(|it| !known.contains(&it.id)).collect());
        let new: Vec<_> = new.into_iter().filter_map(|it| it.after.clone()).collect();
        let stored = stored.into_iter().filter_map(|entry| match self.touched.get(&entry.task.id) {
            Some(change) => change.after.clone(),
            None => Some(entry),
        });
        stored.chain(new).collect()
    }

    pub(super) fn put(&mut self, entry: Entry) {
        let id = entry.task.id.clone();
        self.note(id, Some(Arc::new(entry)));
    }

    pub(super) fn remove(&mut self, id: &TaskId) {
        self.note(id.clone(), None);
    }

    fn note(&mut self, id: TaskId, after: Option<Arc<Entry>>) {
        let tasks = self.tasks;
        let change = self.touched.entry(id.clone()).or_insert_with(|| Change {
            before: tasks.get(&id),
            id,
            after: None,
        });
        change.after = after;
    }

    /// The changes so far, in the order of their ids.
    pub(super) fn touched(&self) -> Vec<&Change> {
        in_order(self.touched.values().filter(|it| it.is_real()).collect())
    }

    /// What a task still waits for, as this draft has it.
    pub(super) fn open_blockers(&self, task: &Task) -> Vec<TaskId> {
        let open = |id: &&TaskId| self.get(id).is_none_or(|it| it.task.is_open());
        task.blocked_by.iter().filter(open).cloned().collect()
    }

    /// Refuses a task that still waits for something, unless the list is lenient.
    pub(super) fn unblocked(&self, task: &Task) -> Result<(), Refusal> {
        let by = self.open_blockers(task);
        if by.is_empty() || self.request.lenient {
            return Ok(());
        }
        let missing = by.iter().filter(|it| self.get(it).is_none()).cloned().collect();
        Err(Refusal::Blocked { id: task.id.clone(), by, missing })
    }

    /// Whether a claim is the caller's: by its number if one is given, else by the session.
    pub(super) fn is_mine(&self, claim: &Claim, token: Option<u64>) -> bool {
        token.map_or(claim.by.session == self.request.actor.session, |token| token == claim.token)
    }

    /// Refuses if another session holds a live claim.
    pub(super) fn not_anothers(&self, entry: &Entry, token: Option<u64>) -> Result<(), Refusal> {
        match &entry.standing.claim {
            Some(claim) if !self.is_mine(claim, token) && self.tasks.life(claim).is_alive() => {
                Err(self.claimed(&entry.task.id, claim))
            }
            _ => Ok(()),
        }
    }

    /// The refusal that names who holds a task.
    pub(super) fn claimed(&self, id: &TaskId, claim: &Claim) -> Refusal {
        Refusal::AlreadyClaimed {
            id: id.clone(),
            by: Some(claim.by.agent.clone()),
            until: self.tasks.life(claim).until(),
            mine: claim.by.session == self.request.actor.session,
        }
    }

    /// What was decided: real changes only, with the time of the change on each task that changed. A task that comes
    /// with a time of its own keeps it.
    pub(super) fn finish(self) -> Vec<Change> {
        let now = self.request.now;
        let real = in_order(self.touched.into_values().filter(Change::is_real).collect());
        real.into_iter()
            .map(|mut change| {
                let before = change.before.as_ref().map(|it| &it.task);
                let comes = |it: &Task| before.is_none() && it.updated_at.is_some();
                if let Some(after) =
                    change.after.as_mut().filter(|it| before != Some(&it.task) && !comes(&it.task))
                {
                    Arc::make_mut(after).task.updated_at = Some(now);
                }
                change
            })
            .collect()
    }
}

/// Changes in the order of their ids.
fn in_order<C: Borrow<Change>>(mut changes: Vec<C>) -> Vec<C> {
    changes.sort_unstable_by(|one, other| one.borrow().id.cmp(&other.borrow().id));
    changes
}
