//! `TaskGet`: everything about one task, what the client's own tool keeps back included.

use super::said::{ids, line, one_line};
use crate::{
    json::{Json, Style, write},
    rules::Refusal,
    tools::{Arguments, Desk, Fault, Reply, bound::cut},
    view::TaskView,
};

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    let id = arguments.required_id(&["taskId", "task_id", "id"])?;
    super::caller(desk, arguments)?;
    arguments.nothing_else()?;
    let view = desk.list.show(&id)?.ok_or(Refusal::NotFound { id })?;
    Ok(Reply::ok(whole(&view, desk.bound)))
}

/// All there is to say about a task.
pub(super) fn whole(view: &TaskView, bound: usize) -> String {
    let task = &view.task;
    let mut text = line(view);
    let mut row = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|it| !it.is_empty()) {
            text += &format!("\n{name}: {value}");
        }
    };
    let claim = view.claim.as_ref().map(|it| {
        let until = view.until.map(|it| format!(", until {it}")).unwrap_or_default();
        format!("{} (token {}){until}", one_line(&it.by.agent), it.token)
    });
    row("Claimed by", claim);
    row("Waits for", Some(ids(&task.blocked_by)));
    row("Blocks", Some(ids(&task.blocks)));
    row("Part of", task.parent.as_ref().map(|it| format!("#{it}")));
    row("Active form", task.active_form.as_deref().map(one_line));
    row(
        "Metadata",
        Some(write(&Json::Object(task.metadata.clone()), Style::COMPACT, ""))
            .filter(|_| !task.metadata.is_empty()),
    );
    if !task.description.trim().is_empty() {
        // Set in, so that no line of it can pass for one of ours.
        let shown = cut(task.description.trim_end(), bound);
        let lines: Vec<String> = shown.lines().map(|it| format!("  {it}").trim_end().to_owned()).collect();
        text += &format!("\nDescription:\n{}", lines.join("\n"));
    }
    text
}
