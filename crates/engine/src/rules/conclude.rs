//! The end of an attempt: the task is done, with what was run as evidence, or it is given back, and counted. Only for the
//! claim that stands.

use super::{CompleteTask, Conclusion, Decision, Refusal, ReleaseTask, complete, draft::Draft, release};

pub(super) fn decide(draft: &mut Draft<'_>, wanted: &Conclusion) -> Result<Decision, Refusal> {
    let (id, token) = (wanted.id.clone(), Some(wanted.token));
    let before = draft.require(&id)?.standing.failed;
    let Some(failing) = &wanted.failure else {
        let decision = complete::decide(draft, &CompleteTask { id: id.clone(), token, force: false })?;
        let mut entry = draft.require(&id)?;
        entry.standing.evidence = Some(Box::new(wanted.evidence.clone()));
        draft.put(entry);
        return Ok(decision);
    };
    let reason = Some(failing.reason.clone());
    let decision = release::decide(draft, &ReleaseTask { id: id.clone(), token, reason, force: false })?;
    let mut entry = draft.require(&id)?;
    entry.standing.failed = before.saturating_add(1);
    entry.standing.parked = entry.standing.failed >= failing.most;
    draft.put(entry);
    Ok(decision)
}
