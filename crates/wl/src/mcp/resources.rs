//! The list as things to read: all of it, one task, the graph. Not for changing anything.

use super::{callers::Caller, office::Office};
use crate::picture::{Picture, mermaid};
use rmcp::{
    ErrorData,
    model::{
        CompleteRequestParams, CompleteResult, CompletionInfo, ListResourcesResult, ReadResourceResult,
        Reference, Resource, ResourceContents, ResourceTemplate,
    },
};
use worklist::{
    Board, TaskView,
    json::{Json, Object},
    tools::plain_line,
};

pub(super) const LIST: &str = "worklist://list";
pub(super) const GRAPH: &str = "worklist://graph";
const TASK: &str = "worklist://task/";
const TASK_TEMPLATE: &str = "worklist://task/{id}";
/// So many resources are named at once.
const PAGE: usize = 100;
/// What is read may be longer than what a tool answers, and still is bounded.
const BOUND: usize = 8_000;
/// A larger graph is drawn without what is done.
const MOST_NODES: usize = 300;

/// The address of a task.
fn of_task(id: &str) -> String {
    format!("{TASK}{id}")
}

/// The task at an address, if it is that of one.
pub(super) fn task_of(uri: &str) -> Option<&str> {
    uri.strip_prefix(TASK)
}

/// What there is to read: the whole, then open tasks, a page at a time.
pub(super) fn list(office: &Office, cursor: Option<&str>) -> Result<ListResourcesResult, ErrorData> {
    let from = cursor.map_or(Ok(0), str::parse::<usize>);
    let from = from.map_err(|_| ErrorData::invalid_params("there is no such page", None))?;
    let tasks = open_tasks(office)?;
    let mut resources = Vec::new();
    if from == 0 {
        resources.push(described(LIST, "list", "All tasks: what is ready, in progress, blocked, done"));
        resources.push(described(GRAPH, "graph", "What waits for what, as a Mermaid flowchart"));
    }
    let page = tasks.iter().skip(from).take(PAGE);
    resources.extend(page.map(|it| {
        let name = format!("#{} {}", it.task.id, plain_line(&it.task.subject));
        described(&of_task(it.task.id.as_str()), &name, it.state.name())
    }));
    let mut result = ListResourcesResult::with_all_items(resources);
    result.next_cursor = (tasks.len() > from + PAGE).then(|| (from + PAGE).to_string());
    Ok(result)
}

fn described(uri: &str, name: &str, description: &str) -> Resource {
    Resource::new(uri, name).with_description(description).with_mime_type(kind(uri))
}

fn kind(uri: &str) -> &'static str {
    if uri == GRAPH { "text/vnd.mermaid" } else { "text/plain" }
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let task = ResourceTemplate::new(TASK_TEMPLATE, "task");
    vec![task.with_description("Everything about one task").with_mime_type("text/plain")]
}

/// What an address stands for.
pub(super) fn read(office: &Office, caller: &Caller, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let text = match task_of(uri) {
        Some(id) => {
            let input = Json::Object(Object::new().with("taskId", id));
            let reply = office.look(caller, "TaskGet", &input, BOUND);
            if reply.error == Some("not_found") || id.is_empty() {
                return Err(unknown(uri));
            }
            reply.text
        }
        None if uri == LIST => {
            let input = Json::Object(Object::new().with("state", "all"));
            office.look(caller, "TaskList", &input, BOUND).text
        }
        None if uri == GRAPH => graph(office)?,
        None => return Err(unknown(uri)),
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(kind(uri))]))
}

fn unknown(uri: &str) -> ErrorData {
    let data = serde_json::json!({ "uri": uri });
    ErrorData::resource_not_found(format!("there is nothing at {uri}"), Some(data))
}

fn graph(office: &Office) -> Result<String, ErrorData> {
    let board = board(office)?;
    let shown: Vec<&TaskView> = board.seen().collect();
    if shown.len() <= MOST_NODES {
        return Ok(mermaid(&Picture::of_tasks(&shown, crate::picture::Missing::Drawn)));
    }
    let open: Vec<&TaskView> = board.open().collect();
    let left_out = open.len().saturating_sub(MOST_NODES);
    let most = &open[..open.len().min(MOST_NODES)];
    let note = format!("%% Only open tasks; {left_out} of them are left out.\n");
    Ok(note + &mermaid(&Picture::of_tasks(most, crate::picture::Missing::LeftOut)))
}

/// Ids of open tasks that begin with what was typed.
pub(super) fn complete(
    office: &Office,
    request: &CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let asked = matches!(&request.r#ref, Reference::Resource(it) if it.uri == TASK_TEMPLATE);
    if !asked || request.argument.name != "id" {
        return Ok(CompleteResult::default());
    }
    let tasks = open_tasks(office)?;
    let ids = tasks.iter().map(|it| it.task.id.as_str().to_owned());
    let ids: Vec<String> = ids.filter(|it| it.starts_with(&request.argument.value)).collect();
    let some = ids.iter().take(CompletionInfo::MAX_VALUES).cloned().collect();
    let mut info = CompletionInfo::new(some).map_err(|error| ErrorData::internal_error(error, None))?;
    info.total = u32::try_from(ids.len()).ok();
    info.has_more = Some(ids.len() > CompletionInfo::MAX_VALUES);
    Ok(CompleteResult::new(info))
}

fn open_tasks(office: &Office) -> Result<Vec<TaskView>, ErrorData> {
    Ok(board(office)?.open().cloned().collect())
}

fn board(office: &Office) -> Result<Board, ErrorData> {
    let told = |message: String| ErrorData::internal_error(message, None);
    let Some(list) = office.list().map_err(|failure| told(failure.message))? else {
        return Ok(Board::default());
    };
    list.board().map_err(|error| told(error.to_string()))
}
