//! `wl why`: what a task waits for, down to what somebody could do now.

use super::typed::id;
use crate::{
    complete,
    context::Context,
    failure::Failure,
    output::{Answer, BUSY, FAINT, GOOD, WRONG, cut, held, paint, visible, width},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use worklist::{
    Board, Error, Refusal, State, TaskId,
    json::{Json, Object},
    time::Time,
    why::{Matter, Step, why},
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl why 7                     # one task
  wl why                       # every task that cannot be started
  wl why 7 --json | jq -r '.tasks[0].leaves[].id'";

/// Deeper steps are not indented further: a long chain would be nothing but blanks.
const DEEPEST: usize = 16;

#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// The task; without it every open task that is not ready
    #[arg(value_parser = id, add = ArgValueCandidates::new(complete::open))]
    pub(crate) id: Option<TaskId>,
}

pub(super) fn run(context: &Context, args: &WhyArgs) -> Result<Answer, Failure> {
    let list = context.look()?;
    let board = list.board()?;
    let asked: Vec<TaskId> = match &args.id {
        Some(id) if board.tasks.iter().all(|it| it.task.id != *id) => {
            return Err(Error::Refused(Refusal::NotFound { id: id.clone() }).into());
        }
        Some(id) => vec![id.clone()],
        None => unready(&board),
    };
    let told: Vec<Vec<Step<'_>>> = asked.iter().map(|id| why(&board, id)).collect();
    let parts: Vec<String> = told.iter().map(|it| explained(context, it, list.now())).collect();
    let mut text = parts.join(if args.id.is_none() { "\n" } else { "" });
    if asked.is_empty() {
        text = String::from("Everything open is ready; `wl ready` shows it.\n");
    }
    let tasks = told.iter().map(|it| Json::Object(json(it))).collect();
    Ok(Answer::new(text, Object::new().with("tasks", Json::Array(tasks))).warned(&board.problems))
}

fn unready(board: &Board) -> Vec<TaskId> {
    let waits = board.seen().filter(|it| match it.state {
        State::Ready => it.parked,
        State::Blocked | State::InProgress => true,
        State::Completed => false,
    });
    waits.map(|it| it.task.id.clone()).collect()
}

fn explained(context: &Context, steps: &[Step<'_>], now: Time) -> String {
    let mut text = String::new();
    for step in steps {
        let subject = step.view.map(|it| visible(&it.task.subject)).unwrap_or_default();
        let name =
            format!("{}#{} {subject}", "  ".repeat(step.depth.min(DEEPEST)), visible(step.id.as_str()));
        let (said, style) = matter(step, now);
        let limit = context.output.width();
        let name = cut(name.trim_end(), limit.saturating_sub(width(&said) + 3).max(16));
        let said = cut(&said, limit.saturating_sub(width(&name) + 3));
        text += &format!("{name} {} {}\n", paint(FAINT, "-"), paint(style, &said));
    }
    text
}

fn matter(step: &Step<'_>, now: Time) -> (String, anstyle::Style) {
    let id = visible(step.id.as_str());
    match step.matter {
        Matter::Ready => (format!("ready: `wl claim {id}`"), GOOD),
        Matter::Waits if step.again => ("blocked, see above".to_owned(), FAINT),
        Matter::Waits => ("blocked by".to_owned(), FAINT),
        Matter::Claimed => {
            let held = step.view.map(|it| held(it, now)).unwrap_or_default();
            (format!("in progress by {held}"), BUSY)
        }
        Matter::Parked => {
            (format!("parked: its lease was lost too often; `wl claim {id} --force` takes it"), WRONG)
        }
        Matter::Completed => ("completed".to_owned(), FAINT),
        Matter::Missing => {
            ("does not exist; `wl edit` takes the edge out, `wl doctor` shows it".to_owned(), WRONG)
        }
    }
}

fn json(steps: &[Step<'_>]) -> Object {
    let Some(first) = steps.first() else { return Object::new() };
    let one = |step: &Step<'_>| {
        let mut object = Object::new().with("id", step.id.as_str());
        object.set_some("subject", step.view.map(|it| it.task.subject.as_str()));
        object.set("reason", step.matter.name());
        object.set_some("openBlockers", step.view.map(|it| Json::strings(&it.open_blockers)));
        object.set_some("agent", step.view.and_then(|it| it.claim.as_ref()).map(|it| it.by.agent.as_str()));
        object.set_some("expires", step.view.and_then(|it| it.until).map(|it| it.to_string()));
        object
    };
    let steps_json = steps.iter().map(|it| Json::Object(one(it).with("depth", it.depth))).collect();
    let leaves = steps.iter().filter(|it| it.matter != Matter::Waits && it.depth > 0);
    let mut seen = std::collections::HashSet::new();
    let leaves = leaves.filter(|it| seen.insert(it.id.clone())).map(|it| Json::Object(one(it))).collect();
    one(first).with("steps", Json::Array(steps_json)).with("leaves", Json::Array(leaves))
}
