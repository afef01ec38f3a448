//! A teammate is gone: what it held is anybody's again, and the others are told. Not how its end is noticed.

use super::{Desk, Fault, Reply};
use crate::{
    rules::{Command, Holder},
    view::TaskView,
};

/// How a teammate ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Somebody ended it.
    Terminated,
    /// It was asked to end, and did.
    ShutDown,
}

/// Gives back every open task that a teammate held, and says so.
pub fn stopped(desk: &Desk<'_>, name: &str, how: Stop) -> Reply {
    let outcome = desk.list.run(&desk.actor, &Command::ReleaseAll(Holder::Agent(name.to_owned())));
    match outcome {
        Ok(outcome) => Reply::ok(how.told(name, &outcome.tasks)),
        Err(error) => {
            let fault = Fault::List(error);
            Reply::refused(
                format!("{} Its tasks could not be unassigned: {fault}.", how.end(name)),
                fault.code(),
            )
        }
    }
}

impl Stop {
    /// What the others are told: that a teammate ended, and which tasks are anybody's now.
    pub fn told(self, name: &str, tasks: &[TaskView]) -> String {
        let end = self.end(name);
        if tasks.is_empty() {
            return end;
        }
        let named: Vec<String> =
            tasks.iter().map(|it| format!("#{} \"{}\"", it.task.id, it.task.subject)).collect();
        format!(
            "{end} {} task(s) were unassigned: {}. Use TaskList to see what is free, and TaskUpdate with owner to give it \
             to somebody.",
            tasks.len(),
            named.join(", ")
        )
    }

    fn end(self, name: &str) -> String {
        match self {
            Stop::Terminated => format!("{name} was terminated."),
            Stop::ShutDown => format!("{name} has shut down."),
        }
    }
}
