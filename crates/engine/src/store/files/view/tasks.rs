//! What a rule sees of a list in files. Not how it is found out.

use super::{View, first_token};
use crate::{
    claim::{Claim, Entry, Life},
    id::TaskId,
    rules::{self, Outline, PlanNote, Tasks},
    store::files::{session, sheet::Row},
};
use std::sync::Arc;

impl Tasks for View<'_> {
    fn get(&self, id: &TaskId) -> Option<Arc<Entry>> {
        let sheet = self.whole.borrow().clone();
        match sheet.filter(|_| !self.is_ahead.get()) {
            Some(sheet) => sheet.get(id),
            None => self.load(id)?.entry.clone(),
        }
    }

    fn all(&self) -> Vec<Arc<Entry>> {
        self.look_at_all().entries().to_vec()
    }

    fn lapsed(&self) -> Vec<Arc<Entry>> {
        let sheet = self.look_at_all();
        sheet.rows.iter().filter(|it| it.outline.claimed).map(Row::entry).collect()
    }

    fn best(&self, suits: &dyn Fn(&Entry) -> bool) -> Option<TaskId> {
        let sheet = self.look_at_all();
        let web = sheet.web();
        let ready = sheet.unblocked(&web, Outline::is_startable);
        let ready = ready.into_iter().map(|place| (place, sheet.rows[place].outline.priority)).collect();
        rules::chosen(&web, ready, |place| sheet.rows[place].entry(), suits)
    }

    fn dependents(&self, id: &TaskId) -> Vec<TaskId> {
        if !self.files.format.shape().has_blocks {
            self.look_at_all();
        }
        self.get(id).map(|it| it.task.blocks.clone()).unwrap_or_default()
    }

    fn is_seen_done(&self, id: &TaskId) -> Option<bool> {
        let is_done = |entry: Option<&Entry>| entry.is_some_and(|it| !it.task.is_open());
        if let Some(loaded) = self.loaded.borrow().get(id) {
            return Some(is_done(loaded.entry.as_deref()));
        }
        let sheet = self.whole.borrow().clone().filter(|_| !self.is_ahead.get())?;
        Some(is_done(sheet.get(id).as_deref()))
    }

    fn life(&self, claim: &Claim) -> Life {
        // Whether somebody lives cannot be guessed: what is decided without knowing is not written.
        self.ok(session::life(&*self.files.vfs, &*self.files.clock, claim)).unwrap_or(Life::Running)
    }

    fn fresh_ids(&self, count: usize) -> Vec<TaskId> {
        self.unused_ids(count)
    }

    fn fits(&self, id: &TaskId) -> bool {
        let format = self.files.format;
        id.is_plain() && format.is_task_file(&format.file_of(id))
    }

    fn next_token(&self) -> u64 {
        self.tokens.set(self.tokens.get() + 1);
        self.log.map_or_else(|| first_token(self.now), |it| it.mark.token) + self.tokens.get()
    }

    fn planned(&self, key: &str) -> Option<PlanNote> {
        self.ok(self.log?.planned(key)).flatten()
    }
}
