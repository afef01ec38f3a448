//! One file per command: its arguments in, an answer out. The table that leads to them.

mod add;
mod claim;
mod done;
mod init;
mod list;
mod show;

use crate::{args::Command, context::Context, failure::Failure, output::Answer};
use worklist::TaskId;

/// Runs a command.
pub(crate) fn run(context: &Context, command: &Command) -> Result<Answer, Failure> {
    match command {
        Command::Init(args) => init::run(context, args),
        Command::Add(args) => add::run(context, args),
        Command::List(args) => list::run(context, args),
        Command::Show(args) => show::run(context, args),
        Command::Claim(args) => claim::run(context, args),
        Command::Done(args) => done::run(context, args),
    }
}

/// An id as it was typed.
fn id(text: &str) -> Result<TaskId, Failure> {
    let reason = format!("`{text}` is not a task's id");
    TaskId::typed(text)
        .ok_or_else(|| Failure::invalid("ID", &reason, Some("ids are letters, digits, `_` and `-`")))
}

fn ids(texts: &[String]) -> Result<Vec<TaskId>, Failure> {
    texts.iter().map(|it| id(it)).collect()
}
