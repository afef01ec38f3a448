//! The conversation with a person at a prompt: what they type is said to the model, or is one of a few commands. Not the
//! work itself.

use super::{Session, person::Typed};
use crate::{
    failure::Failure,
    picture::{Missing, Picture, drawn},
};
use worklist::view::TaskView;

const HELP: &str = "\
/tasks    the tasks of the list
/graph    the same as a picture
/compact  replaces the conversation by a summary; tasks stay
/clear    forgets the conversation; tasks stay
/quit     ends; so does Ctrl-D, or Ctrl-C twice
Ctrl-C    breaks off what is going on";

/// A list is shown in so many tokens.
const SHOWN: usize = 4_000;

/// Whether the conversation goes on.
#[derive(PartialEq, Eq)]
enum Goes {
    On,
    Off,
}

/// Talks until the person has had enough.
pub(super) fn talk(session: &mut Session<'_>) -> Result<(), Failure> {
    loop {
        if session.toolbox.person.is_there() {
            session.toolbox.voice.prompt();
        }
        let goes = match session.toolbox.person.line() {
            Typed::End => Goes::Off,
            Typed::Line(line) => said(session, line.trim())?,
            Typed::Interrupt if session.toolbox.interrupts.insisted() => Goes::Off,
            Typed::Interrupt => interrupted(session)?,
        };
        if goes == Goes::Off {
            return Ok(());
        }
    }
}

/// Ctrl-C at the prompt: a second one before anything else ends it.
fn interrupted(session: &mut Session<'_>) -> Result<Goes, Failure> {
    session.toolbox.interrupts.clear();
    session.toolbox.voice.note("Ctrl-C again ends; so does /quit");
    match session.toolbox.person.line() {
        Typed::Interrupt | Typed::End => Ok(Goes::Off),
        Typed::Line(line) => said(session, line.trim()),
    }
}

fn said(session: &mut Session<'_>, line: &str) -> Result<Goes, Failure> {
    match line {
        "" => {}
        "/quit" | "/exit" => return Ok(Goes::Off),
        "/help" => session.toolbox.voice.page("help", HELP),
        "/tasks" => session.toolbox.voice.page("tasks", &session.toolbox.tasks.listed(SHOWN)?),
        "/graph" => session.toolbox.voice.page("graph", &graph(session)?),
        "/clear" => session.clear(),
        "/compact" => return Ok(told(session, Session::compact)),
        other if other.starts_with('/') => {
            session.toolbox.voice.trouble(&format!("There is no command {other}; /help shows them all."));
        }
        prompt => return Ok(told(session, |it| it.work(prompt))),
    }
    Ok(Goes::On)
}

/// Does something that may fail without ending the conversation.
fn told<'a>(session: &mut Session<'a>, act: impl FnOnce(&mut Session<'a>) -> Result<(), Failure>) -> Goes {
    let failed = act(session).err();
    let insisted = session.toolbox.interrupts.insisted();
    if let Some(failure) = failed {
        // One that came when all was said was not for this: the prompt answers it.
        session.toolbox.interrupts.clear();
        let hint = failure.hint.map(|it| format!("\nhint: {it}")).unwrap_or_default();
        session.toolbox.voice.trouble(&format!("{}{hint}", failure.message));
    }
    if insisted { Goes::Off } else { Goes::On }
}

fn graph(session: &Session<'_>) -> Result<String, Failure> {
    let board = session.toolbox.tasks.board()?;
    let tasks: Vec<&TaskView> = board.seen().collect();
    if tasks.is_empty() {
        return Ok("There is nothing to draw.".to_owned());
    }
    Ok(drawn(&session.context.output, &Picture::of_tasks(&tasks, Missing::Drawn)))
}
