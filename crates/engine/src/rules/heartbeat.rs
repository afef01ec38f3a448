//! A sign of life. Needs the claim that stands; writes only if the lease becomes another.

use super::{Decision, Refusal, draft::Draft};
use crate::id::TaskId;

pub(super) fn decide(
    draft: &mut Draft<'_>,
    id: &TaskId,
    token: Option<u64>,
    lease: Option<i64>,
) -> Result<Decision, Refusal> {
    let mut entry = draft.require(id)?;
    let Some(claim) = entry.standing.claim.as_mut().filter(|it| draft.is_mine(it, token)) else {
        let holder = entry.standing.claim.map(|it| it.by.agent);
        return Err(Refusal::StaleToken { id: id.clone(), holder });
    };
    if lease.is_some_and(|it| it <= 0) {
        return Err(Refusal::invalid("lease", "must be longer than nothing"));
    }
    claim.lease = lease.unwrap_or(claim.lease);
    let token = claim.token;
    draft.put(entry);
    Ok(Decision::about(id).with_token(token))
}
