//! An agent ends its turn: what it says to have completed is completed, what a subagent leaves behind is given back, and
//! an agent may be asked to go on. Never twice for the same stop.

use super::{Call, Place, input::who, said::Said};
use crate::failure::Failure;
use worklist::{
    Command, Error, TaskId, TaskView,
    json::{Json, Object},
    rules::{CompleteTask, Holder},
    tools::Stop,
};

/// So many ready tasks are named.
const NAMED: usize = 3;

/// A subagent is done.
pub(super) fn subagent(call: &Call<'_>) -> Result<Said, Failure> {
    let mut end = End::default();
    for place in call.lists()? {
        end.complete(call, &place)?;
        if who::subagent(call.input).is_some() && !who::lives_on(call.input) {
            end.release(call, &place)?;
        }
    }
    Ok(end.said(call))
}

/// The main agent or a teammate has nothing more to do. Its claims stand: it can be woken.
pub(super) fn idle(call: &Call<'_>) -> Result<Said, Failure> {
    let mut end = End::default();
    for place in call.lists()? {
        end.complete(call, &place)?;
        if place.context.settings.is_on("claude.continue") && !call.input.is_true("stop_hook_active") {
            let board = place.list.board()?;
            end.ready.extend(board.ready().into_iter().cloned());
        }
    }
    Ok(end.said(call))
}

/// What came of an end.
#[derive(Default)]
struct End {
    completed: Vec<TaskId>,
    released: Vec<TaskView>,
    /// What is there to go on with.
    ready: Vec<TaskView>,
    who: String,
    lines: Vec<String>,
}

impl End {
    /// Completes what the agent says it has, if it holds it.
    fn complete(&mut self, call: &Call<'_>, place: &Place) -> Result<(), Failure> {
        let sessions = who::sessions(call.input, &place.actor);
        for id in call.input.ids("tasks_completed") {
            let claim = place.list.show(&id)?.and_then(|it| it.claim);
            let Some(claim) = claim.filter(|it| sessions.contains(&it.by.session)) else { continue };
            let done = CompleteTask { id: id.clone(), token: Some(claim.token), force: false };
            match place.list.run(&claim.by, &Command::Complete(done)) {
                Ok(_) => self.completed.push(id),
                Err(Error::Refused(refusal)) => {
                    self.lines.push(format!("wl hook {}: {refusal}", call.event));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Gives back what the agent still holds.
    fn release(&mut self, call: &Call<'_>, place: &Place) -> Result<(), Failure> {
        self.who.clone_from(&place.actor.agent);
        for session in who::sessions(call.input, &place.actor) {
            let outcome = place.list.run(&place.actor, &Command::ReleaseAll(Holder::Session(session)))?;
            self.released.extend(outcome.tasks);
        }
        Ok(())
    }

    fn said(self, call: &Call<'_>) -> Said {
        let mut document = Object::new();
        if !self.ready.is_empty() {
            document.set("decision", "block");
            document.set("reason", go_on(&self.ready));
        }
        if !self.released.is_empty() {
            document.set("systemMessage", Stop::ShutDown.told(&self.who, &self.released));
        }
        if !self.completed.is_empty() {
            let update = |id: &TaskId| {
                Json::Object(Object::new().with("task_id", id.as_str()).with("status", "completed"))
            };
            let updates = Json::Array(self.completed.iter().map(update).collect());
            let inner = Object::new().with("hookEventName", call.event).with("tasks_to_update", updates);
            document.set("hookSpecificOutput", inner);
        }
        Said { lines: self.lines, ..Said::document(document) }
    }
}

/// What an agent is asked that could go on.
fn go_on(ready: &[TaskView]) -> String {
    let named = ready.iter().take(NAMED);
    let named: Vec<String> = named.map(|it| format!("#{} \"{}\"", it.task.id, it.task.subject)).collect();
    let more = ready.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!(
        "There are tasks that can be started: {}{more}. Take one with TaskNext (or `wl next`) and do it; if you must \
         stop here, say why.",
        named.join(", ")
    )
}
