//! The user's own checks on what the client's tools make and complete: a `before-` hook guards them, too. How long a check
//! takes is the user's business.

use super::{Call, said::Said};
use crate::{failure::Failure, own_hooks::Runner};
use worklist::{
    Status,
    hooks::{Hooks, Moment, Notice},
};

pub(super) fn created(call: &Call<'_>) -> Result<Said, Failure> {
    check(call, Moment::Created)
}

pub(super) fn completed(call: &Call<'_>) -> Result<Said, Failure> {
    check(call, Moment::Completed)
}

fn check(call: &Call<'_>, moment: Moment) -> Result<Said, Failure> {
    let context = call.client()?;
    let Some(checks) =
        Runner::new(&context.settings, context.shown(), context.variables(), context.output.clone())
    else {
        return Ok(Said::nothing());
    };
    if !checks.asks_before() {
        return Ok(Said::nothing());
    }
    let actor = call.actor(&context);
    let Some(mut task) = call.input.task() else { return Ok(Said::nothing()) };
    if let Some(place) = call.open(context)?
        && let Some(found) = place.list.show(&task.id)?
    {
        task = found.task.into();
    }
    if moment == Moment::Completed {
        task.status = Status::Completed;
    }
    let denied = checks.before(&Notice { moment, task, actor, seq: None });
    Ok(denied.err().map_or_else(Said::nothing, |reason| Said::denial(reason.trim())))
}
