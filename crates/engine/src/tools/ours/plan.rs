//! `TaskPlan`: a whole graph at once, all or nothing.

use super::said::line;
use crate::{
    json::{Json, Object, Style, parse, write},
    plan::read,
    rules::Command,
    tools::{Arguments, Desk, Fault, Reply, bound::bounded},
};

/// What is a list in a task of a plan.
const LISTS: [&str; 8] =
    ["after", "blockedBy", "blocked_by", "dependencies", "dependsOn", "depends_on", "blocks", "tags"];

/// A task of a plan whose lists may have arrived as text.
fn unfolded(task: Json) -> Json {
    let Json::Object(object) = task else { return task };
    let unfold = |(key, value): (&str, &Json)| {
        let list = value.as_str().filter(|it| LISTS.contains(&key) && it.trim_start().starts_with('['));
        let list = list.and_then(|it| parse(it).ok());
        (key.to_owned(), list.unwrap_or_else(|| value.clone()))
    };
    Json::Object(object.iter().map(unfold).collect())
}

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let tasks = arguments.list(&["tasks"]).ok_or_else(|| arguments.wrong("tasks", "is missing"))?;
    let key = arguments.text(&["key"])?;
    let actor = super::caller(desk, arguments)?;
    arguments.nothing_else()?;
    let mut plan = Object::new().with("tasks", Json::Array(tasks.into_iter().map(unfolded).collect()));
    plan.set_some("key", key);
    // One task a line, so that a mistake is found by its line.
    let text = write(&Json::Object(plan), Style::COMPACT, "");
    let draft = read(&text).map_err(|mistakes| {
        let said: Vec<String> = mistakes
            .iter()
            .map(|it| it.reason.clone() + &it.hint.as_ref().map(|it| format!(" ({it})")).unwrap_or_default())
            .collect();
        Fault::Arguments(format!("TaskPlan: {}; nothing was planned", said.join("; ")))
    })?;
    let outcome = desk.list.run(&actor, &Command::Plan(draft.plan))?;
    let lines: Vec<String> = outcome.tasks.iter().map(line).collect();
    let (text, left) = bounded(&lines, desk.bound);
    let heading = match outcome.event {
        Some(_) => format!("Planned {} tasks:", lines.len()),
        None => "This plan was made before; nothing was changed:".to_owned(),
    };
    let more = if left > 0 { format!("… {left} more; TaskList shows them.\n") } else { String::new() };
    Ok(Reply::ok(format!("{heading}\n{text}{more}TaskNext takes up the first.")))
}
