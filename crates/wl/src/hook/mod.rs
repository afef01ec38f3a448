//! Hooks of Claude Code: what happened comes in as JSON, and what the client should do goes out. Not the user's own hooks
//! on tasks: those are `own_hooks`.
//!
//! A hook must never hold a session up: waits are short, and whatever goes wrong is said and lets the client go on. It
//! denies only what the rules of the list refuse, and what it cannot check because the list is busy.

mod checks;
mod input;
mod said;
mod sentinel;
mod session;
mod stdin;
mod stop;
mod tools;

use crate::{
    args::Global,
    context::Context,
    failure::{Failure, nearest},
    output::visible,
};
use input::{Input, who};
use said::Said;
use std::path::Path;
use worklist::{Actor, TaskList};

/// An event, and what is done about it.
struct Event {
    name: &'static str,
    answer: fn(&Call<'_>) -> Result<Said, Failure>,
}

const EVENTS: &[Event] = &[
    Event { name: "PreToolUse", answer: tools::before },
    Event { name: "PostToolUse", answer: tools::after },
    Event { name: "PostToolUseFailure", answer: session::alive },
    Event { name: "TaskCreated", answer: checks::created },
    Event { name: "TaskCompleted", answer: checks::completed },
    Event { name: "SessionStart", answer: session::start },
    Event { name: "SessionEnd", answer: session::end },
    Event { name: "UserPromptSubmit", answer: session::alive },
    Event { name: "PreCompact", answer: session::alive },
    Event { name: "SubagentStart", answer: session::alive },
    Event { name: "SubagentStop", answer: stop::subagent },
    Event { name: "TeammateIdle", answer: stop::idle },
    Event { name: "Stop", answer: stop::idle },
];

/// The name of an agent that has none.
const NAMELESS: &str = "claude";
/// Locks are waited for so long at most, in milliseconds.
const WAIT_MS: u64 = 300;

/// Answers an event with what stands on standard input.
pub(crate) fn answer(global: &Global, event: &str) -> Said {
    answered(global, event).unwrap_or_else(|reason| {
        Said::complaint(format!("wl hook {}: {}", visible(event), visible(reason.trim())))
    })
}

fn answered(global: &Global, name: &str) -> Result<Said, String> {
    let Some(event) = EVENTS.iter().find(|it| it.name == name) else {
        let near = nearest(name, EVENTS.iter().map(|it| it.name));
        let near = near.map(|it| format!("; did you mean {it}?")).unwrap_or_default();
        return Err(format!("this event is not known{near}"));
    };
    let input = Input::of(&stdin::read()?)?;
    if let Some(other) = input.text("hook_event_name").filter(|it| *it != name) {
        return Err(format!("the input is of {other}"));
    }
    (event.answer)(&Call { global, event: name, input: &input }).map_err(|failure| failure.message)
}

/// One call of a hook.
struct Call<'a> {
    global: &'a Global,
    event: &'a str,
    input: &'a Input,
}

/// A list, and who acts on it.
struct Place {
    list: TaskList,
    actor: Actor,
    context: Context,
}

impl Call<'_> {
    /// The project of the folder in which the client works.
    fn project(&self) -> Result<Context, Failure> {
        Context::of_project(self.global, self.input.text("cwd").map(Path::new).filter(|it| it.is_absolute()))
    }

    /// Where the client itself keeps its tasks.
    fn client(&self) -> Result<Context, Failure> {
        Context::of_claude(self.global, self.input.name("session_id").map(str::to_owned))
    }

    /// Who acts.
    fn actor(&self, context: &Context) -> Actor {
        let agent = if context.told_who() { context.actor.agent.as_str() } else { NAMELESS };
        who::actor(self.input, &Actor::new(agent, context.actor.session.as_str()))
    }

    /// The list of a context, if there is one: a hook makes none.
    fn open(&self, mut context: Context) -> Result<Option<Place>, Failure> {
        context.options.wait_ms = Some(WAIT_MS);
        match context.open() {
            Ok(list) => {
                let actor = self.actor(&context);
                // Where a sign of life cannot be left, the rest goes on.
                _ = list.renew(&actor);
                Ok(Some(Place { list, actor, context }))
            }
            Err(failure) if failure.code == "no_list" => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Every list on which the client's agents may be at work.
    fn lists(&self) -> Result<Vec<Place>, Failure> {
        let (project, client) = (self.project()?, self.client()?);
        let same = project.folder == client.folder;
        let contexts = std::iter::once(project).chain(Some(client).filter(|_| !same));
        let places = contexts.filter_map(|it| self.open(it).transpose());
        places.collect()
    }
}
