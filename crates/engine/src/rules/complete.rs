//! Finishing a task. One completion counts: that of the claim that stands.

use super::{CompleteTask, Decision, Refusal, draft::Draft};
use crate::{claim::Entry, task::Status};

pub(super) fn decide(draft: &mut Draft<'_>, wanted: &CompleteTask) -> Result<Decision, Refusal> {
    let mut entry = draft.require(&wanted.id)?;
    let last = entry.standing.fence;
    if entry.task.status == Status::Completed {
        // Saying it twice with the number that did it is saying it once.
        return if wanted.token == Some(last) {
            Ok(Decision::about(&wanted.id).with_token(last))
        } else {
            Err(Refusal::AlreadyResolved { id: wanted.id.clone() })
        };
    }
    if !wanted.force {
        may_finish(draft, &entry, wanted)?;
    }
    draft.unblocked(&entry.task)?;
    entry.task.status = Status::Completed;
    let token = entry.standing.claim.as_ref().map(|it| it.token);
    entry.standing.clear();
    draft.put(entry);
    Ok(Decision { token, ..Decision::about(&wanted.id) })
}

fn may_finish(draft: &Draft<'_>, entry: &Entry, wanted: &CompleteTask) -> Result<(), Refusal> {
    let id = wanted.id.clone();
    match (&entry.standing.claim, wanted.token) {
        (Some(claim), token) if draft.is_mine(claim, token) => Ok(()),
        (Some(claim), _) => Err(Refusal::StaleToken { id, holder: Some(claim.by.agent.clone()) }),
        (None, Some(_)) => Err(Refusal::StaleToken { id, holder: entry.task.owner.clone() }),
        (None, None) => match &entry.task.owner {
            Some(owner) if *owner != draft.request.actor.agent => {
                Err(Refusal::AlreadyClaimed { id, by: Some(owner.clone()), until: None, mine: false })
            }
            _ => Ok(()),
        },
    }
}
