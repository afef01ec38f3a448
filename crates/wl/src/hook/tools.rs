//! Calls of tools: the client's own on its own list, and ours. What may be done is for the engine to say.

use super::{
    Call, Place,
    input::{
        tool::{Tool, tool},
        who,
    },
    said::Said,
    sentinel,
};
use crate::{
    callers::{self, Agent},
    failure::Failure,
};
use worklist::{
    Error, Refusal,
    tools::{Desk, Fault, Set, adopt, guard},
};

/// What the model is told is at most about so many tokens long.
const BOUND: usize = 300;

/// Before a call.
pub(super) fn before(call: &Call<'_>) -> Result<Said, Failure> {
    let tool = match tool(call.input) {
        Some(Tool::Ours) => return note(call),
        Some(Tool::Clients(tool)) => tool,
        None => return Ok(Said::nothing()),
    };
    let Some(place) = call.open(call.client()?)? else { return Ok(Said::nothing()) };
    match guard(&desk(&place), tool, call.input.value("tool_input")) {
        Ok(()) => Ok(Said::nothing()),
        Err(fault) => denied(fault),
    }
}

/// After a call.
pub(super) fn after(call: &Call<'_>) -> Result<Said, Failure> {
    let Some(Tool::Clients(tool)) = tool(call.input) else { return Ok(Said::nothing()) };
    let Some(place) = call.open(call.client()?)? else { return Ok(Said::nothing()) };
    let (input, response) = (call.input.value("tool_input"), call.input.value("tool_response"));
    let told = adopt(&desk(&place), tool, input, response).map_err(failure)?;
    if tool == "TaskCreate" {
        sentinel::keep(call, &place.context)?;
    }
    Ok(told.map_or_else(Said::nothing, |text| Said::context(call.event, &text)))
}

fn desk(place: &Place) -> Desk<'_> {
    Desk { bound: BOUND, ..Desk::new(&place.list, place.actor.clone()) }
}

/// A refusal denies. So does a list that is busy: two who were both let pass would both have the task.
fn denied(fault: Fault) -> Result<Said, Failure> {
    let text = Set::Claude.told(&fault);
    match &fault {
        Fault::List(Error::Refused(refusal)) => Ok(Said::denial(&format!("{text}. {}", instead(refusal)))),
        Fault::List(
            error @ (Error::Locked { .. } | Error::ForeignLocked { .. } | Error::Contended { .. }),
        ) => Ok(Said::denial(&format!("This could not be checked: {error}. Try again."))),
        _ => Err(failure(fault)),
    }
}

fn failure(fault: Fault) -> Failure {
    match fault {
        Fault::List(error) => Failure::from(error),
        Fault::Arguments(reason) => Failure::invalid("tool_input", &reason, None),
    }
}

/// What to do instead, with the tools that this agent has.
fn instead(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::AlreadyClaimed { .. } | Refusal::StaleToken { .. } => {
            "Leave it to whoever has it; TaskList shows what is free."
        }
        Refusal::Blocked { .. } => "Do what it waits for first; TaskList shows what is free.",
        Refusal::Cycle { .. } | Refusal::SelfEdge { .. } => "Leave one of these edges out.",
        Refusal::NotFound { .. } => "Nothing was changed; TaskList shows what there is.",
        Refusal::Parked { .. } => "A person must look at it first.",
        _ => "Nothing was changed.",
    }
}

/// The server is not told which agent calls; it finds it in a note.
fn note(call: &Call<'_>) -> Result<Said, Failure> {
    let (Some(key), Some(number)) = (who::subagent(call.input), call.input.name("tool_use_id")) else {
        return Ok(Said::nothing());
    };
    let agent = Agent { key: key.to_owned(), name: who::name(call.input, key) };
    if let Some(state) = call.project()?.state {
        callers::note(&state, number, &agent)
            .map_err(|error| Failure::other("note which agent calls", &error))?;
    }
    Ok(Said::nothing())
}
