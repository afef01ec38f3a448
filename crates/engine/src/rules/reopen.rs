//! Making a finished or started task pending again. What waited for it waits again, unless it has begun.

use super::{Decision, Refusal, draft::Draft, release};
use crate::id::TaskId;

pub(super) fn decide(
    draft: &mut Draft<'_>,
    id: &TaskId,
    token: Option<u64>,
    force: bool,
) -> Result<Decision, Refusal> {
    let mut entry = draft.require(id)?;
    if !force {
        draft.not_anothers(&entry, token)?;
    }
    release::to_pending(&mut entry.task);
    entry.standing.clear();
    entry.standing.evidence = None;
    draft.put(entry);
    Ok(Decision::about(id))
}
