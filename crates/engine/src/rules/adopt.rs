//! Answering for what another program wrote on somebody's behalf. It stands whoever answers for it: nothing is asked and
//! nothing changes but whose it is.

use super::{Decision, draft::Draft};
use crate::id::TaskId;

/// Looks at the tasks and at their neighbours: only what is looked at is noticed.
pub(super) fn decide(draft: &Draft<'_>, ids: &[TaskId]) -> Decision {
    for id in ids {
        match draft.get(id) {
            Some(entry) => {
                for neighbour in entry.task.blocked_by.iter().chain(&entry.task.blocks) {
                    draft.get(neighbour);
                }
            }
            // What is gone may have been named anywhere.
            None => _ = draft.all(),
        }
    }
    Decision { about: ids.to_vec(), adopted: ids.to_vec(), ..Decision::default() }
}
