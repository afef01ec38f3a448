//! `wl show`: everything about one task.

use super::id;
use crate::{
    args::ShowArgs,
    context::Context,
    failure::Failure,
    output::{Answer, line, task_json, visible, warnings},
};
use worklist::{
    Error, Refusal, TaskView,
    claim::Claim,
    json::{Json, Object, Style, write},
    time::Time,
};

pub(super) fn run(context: &Context, args: &ShowArgs) -> Result<Answer, Failure> {
    let id = id(&args.id)?;
    let list = context.open()?;
    // Also a look is a sign of life; where it cannot be left, looking goes on.
    _ = list.renew(&context.actor);
    let view = list.show(&id)?.ok_or(Error::Refused(Refusal::NotFound { id }))?;
    let json = Object::new().with("task", task_json(&view));
    Ok(Answer { text: text(&view), json, warnings: warnings(&view.problems) })
}

fn text(view: &TaskView) -> String {
    let task = &view.task;
    let ids = |ids: &[worklist::TaskId]| ids.iter().map(|it| format!("#{it}")).collect::<Vec<_>>().join(", ");
    let mut rows = vec![("state", view.state.name().to_owned())];
    let mut row = |name: &'static str, value: Option<String>| rows.extend(value.map(|it| (name, it)));
    row("claim", view.claim.as_ref().map(|it| claimed(it, view.until)));
    row("waits for", Some(ids(&task.blocked_by)).filter(|it| !it.is_empty()));
    row("blocks", Some(ids(&task.blocks)).filter(|it| !it.is_empty()));
    row("active form", task.active_form.clone());
    row("priority", task.priority.map(|it| it.name().to_owned()));
    row("tags", Some(task.tags.join(", ")).filter(|it| !it.is_empty()));
    row("part of", task.parent.as_ref().map(|it| format!("#{it}")));
    let metadata = write(&Json::Object(task.metadata.clone()), Style::COMPACT, "");
    row("metadata", Some(metadata).filter(|_| !task.metadata.is_empty()));
    row("created", task.created_at.map(|it| it.to_string()));
    row("updated", task.updated_at.map(|it| it.to_string()));
    let mut text = line(view) + "\n";
    for (name, value) in rows {
        text += &format!("  {name:<12} {}\n", visible(&value));
    }
    if !task.description.is_empty() {
        text += "\n";
        for line in task.description.lines() {
            text += &format!("  {}\n", visible(line));
        }
    }
    text
}

fn claimed(claim: &Claim, until: Option<Time>) -> String {
    let until = until.map_or_else(|| "while its process runs".to_owned(), |it| format!("until {it}"));
    format!("{} {until} (session {}, token {})", claim.by.agent, claim.by.session, claim.token)
}
