//! `wl claim`: takes a task.

use super::id;
use crate::{
    args::ClaimArgs,
    context::Context,
    failure::Failure,
    output::{Answer, line, task_json, warnings},
};
use worklist::{
    Command,
    json::Object,
    rules::{Begin, ClaimTask},
};

pub(super) fn run(context: &Context, args: &ClaimArgs) -> Result<Answer, Failure> {
    let wanted = ClaimTask {
        begin: if args.no_start { Begin::Later } else { Begin::Now },
        one_at_a_time: args.one_at_a_time,
        resume: args.resume,
        force: args.force,
        lease: args.lease.as_deref().map(milliseconds).transpose()?,
        ..ClaimTask::of(id(&args.id)?)
    };
    let outcome = context.open()?.run(&context.actor, &Command::Claim(wanted))?;
    let Some(task) = outcome.tasks.first() else { return Ok(Answer::default()) };
    let token = outcome.decision.token.unwrap_or_default();
    let text = format!("Claimed {}\n  token {token}\n", line(task));
    let json = Object::new().with("task", task_json(task)).with("token", token);
    Ok(Answer { text, json, warnings: warnings(&outcome.problems) })
}

/// A lease of more than a year is a mistake.
const LONGEST: i64 = 366 * 86_400_000;

/// A length of time: `90s`, `15m`, `2h`, `1d`.
fn milliseconds(text: &str) -> Result<i64, Failure> {
    let unit = |name: &str| match name {
        "s" => Some(1_000),
        "m" => Some(60_000),
        "h" => Some(3_600_000),
        "d" => Some(86_400_000),
        _ => None,
    };
    let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    let (number, name) = text.split_at(end);
    let length = number
        .parse::<i64>()
        .ok()
        .zip(unit(name))
        .and_then(|(number, unit)| number.checked_mul(unit))
        .filter(|it| (1..=LONGEST).contains(it));
    let reason = format!("`{text}` is not a length of time");
    length.ok_or_else(|| Failure::invalid("lease", &reason, Some("write 90s, 15m or 2h")))
}
