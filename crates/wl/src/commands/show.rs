//! `wl show`: everything about one task.

use super::typed::id;
use crate::{
    complete,
    context::Context,
    failure::Failure,
    output::{
        Answer, FAINT, ago, counted, event_cells, has_hidden, held, ids, line, markdown, paint, seconds,
        task_json, visible,
    },
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use worklist::{
    Error, History, Refusal, TaskId, TaskView,
    claim::Evidence,
    json::{Json, Object, Style, write},
    time::Time,
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl show 7
  wl show 7 --json | jq .task.description";

/// So many of its last changes are shown.
const LATEST: usize = 3;

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The task: `7` or `#7`
    #[arg(value_parser = id, add = ArgValueCandidates::new(complete::any))]
    pub(crate) id: TaskId,
}

pub(super) fn run(context: &Context, args: &ShowArgs) -> Result<Answer, Failure> {
    let list = context.look()?;
    let view = list.show(&args.id)?;
    let view = view.ok_or(Error::Refused(Refusal::NotFound { id: args.id.clone() }))?;
    let past = list.history(&args.id, LATEST)?;
    let mut history = Object::new().with("changes", past.changes);
    history.set_some("first", past.first.map(|it| it.to_string()));
    history.set_some("last", past.latest.first().map(|it| it.at.to_string()));
    history.set_some("lastSeq", past.latest.first().map(|it| it.seq));
    let json = Object::new().with("task", task_json(&view)).with("history", history);
    let mut answer = Answer::new(text(context, &view, &past, list.now()), json).warned(&view.problems);
    let texts = [&view.task.subject, &view.task.description];
    if texts.into_iter().any(|it| has_hidden(it)) {
        answer
            .warnings
            .push(format!("task {}: it holds hidden characters, shown as \\u{{…}} or \\x…", view.task.id));
    }
    Ok(answer)
}

fn text(context: &Context, view: &TaskView, past: &History, now: Time) -> String {
    let mut text = line(view) + "\n";
    for (name, value) in rows(view, now) {
        text += &format!("  {} {}\n", paint(FAINT, &format!("{name:<12}")), visible(&value));
    }
    if let (Some(first), Some(last)) = (past.first, past.latest.first()) {
        let count = counted(usize::try_from(past.changes).unwrap_or(usize::MAX), "change");
        let told = format!("{count}, the first {}, the last {}", ago(first, now), ago(last.at, now));
        text += &format!("  {} {told}\n", paint(FAINT, &format!("{:<12}", "history")));
        for event in &past.latest {
            let cells = event_cells(event, now, Some(&view.task.id));
            text += &format!("  {:<12} {} {}: {}\n", "", paint(FAINT, &cells[0]), cells[2], cells[3]);
        }
    }
    if !view.task.description.trim().is_empty() {
        text.push('\n');
        let columns = context.output.columns.unwrap_or(100).saturating_sub(2);
        for line in markdown(&view.task.description, columns) {
            text += format!("  {line}").trim_end();
            text.push('\n');
        }
    }
    text
}

fn parked(view: &TaskView) -> String {
    let why = match view.failed {
        0 => "its lease was lost too often".to_owned(),
        failed => format!("{} failed", counted(failed as usize, "attempt")),
    };
    format!("{why}; a person should look")
}

/// What was run, and how it ended.
fn done_by(evidence: &Evidence) -> String {
    let exit = evidence.exit.map(|it| format!(", exit code {it}")).unwrap_or_default();
    let commit = evidence.commit.as_ref().map(|it| format!(", commit {it}")).unwrap_or_default();
    format!("{}{exit}, {}{commit}", evidence.command, seconds(evidence.milliseconds))
}

/// What there is to say, by name.
fn rows(view: &TaskView, now: Time) -> Vec<(&'static str, String)> {
    let task = &view.task;
    let mut rows = vec![("state", view.state.name().replace('_', " "))];
    let mut row = |name: &'static str, value: Option<String>| rows.extend(value.map(|it| (name, it)));
    row("parked", view.parked.then(|| parked(view)));
    row("done by", view.evidence.as_deref().map(done_by));
    let claim = view
        .claim
        .as_ref()
        .map(|it| format!("{} (session {}, token {})", held(view, now), it.by.session, it.token));
    row("claim", claim);
    row("waits for", Some(ids(&task.blocked_by)).filter(|it| !it.is_empty()));
    row(
        "still open",
        Some(ids(&view.open_blockers))
            .filter(|_| view.open_blockers.len() < task.blocked_by.len() && !view.open_blockers.is_empty()),
    );
    row("blocks", Some(ids(&task.blocks)).filter(|it| !it.is_empty()));
    row("active form", task.active_form.clone());
    row("priority", task.priority.map(|it| it.name().to_owned()));
    row("tags", Some(task.tags.join(", ")).filter(|it| !it.is_empty()));
    row("part of", task.parent.as_ref().map(|it| format!("#{it}")));
    row("imported as", task.imported_from.clone());
    let metadata = write(&Json::Object(task.metadata.clone()), Style::COMPACT, "");
    row("metadata", Some(metadata).filter(|_| !task.metadata.is_empty()));
    row("created", task.created_at.map(|it| format!("{it} ({})", ago(it, now))));
    row("updated", task.updated_at.map(|it| format!("{it} ({})", ago(it, now))));
    rows
}
