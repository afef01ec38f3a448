//! `TodoWrite`: makes the task, or changes the one that has the id. Not a whole list, unless the call carries an array.

use super::records;
use crate::{
    format::named,
    id::TaskId,
    json::{Json, Object, Style, write},
    rules::{Command, Edit, NewTask, Refusal},
    store::Error,
    task::{Status, Task},
    tools::{
        Arguments, Desk, Fault, Reply,
        change::{Changed, change},
    },
    view::TaskView,
};

/// What a call asks for. What is `None` was not given.
struct Wanted {
    description: Option<String>,
    status: Option<Status>,
    dependencies: Option<Vec<TaskId>>,
    assignee: Option<Option<String>>,
    metadata: Option<Object>,
}

pub(super) fn call(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Reply, Fault> {
    if let Some(list) = arguments.list(&["todos", "items"]) {
        return Ok(checklist(desk, &list));
    }
    let id = arguments.id(&["id", "taskId", "task_id"])?;
    let wanted = Wanted::of(arguments)?;
    let known = id.as_ref().map(|it| desk.list.show(it)).transpose()?.flatten();
    let done = match (&known, &id, &wanted.description) {
        (Some(view), ..) => change(desk, wanted.edit(view)),
        (None, Some(id), None) => return Ok(missing(id)),
        (None, None, None) => return Err(Fault::Arguments("Description required".to_owned())),
        (None, _, Some(description)) => make(desk, &wanted, description, id.clone()),
    };
    match done {
        Ok(changed) => answer(desk, changed),
        Err(fault) => refused(&wanted, id.as_ref(), fault),
    }
}

fn checklist(desk: &Desk<'_>, list: &[Json]) -> Reply {
    let Some(checklist) = desk.checklist else {
        return Reply::refused("Error: this session keeps no checklist".to_owned(), "invalid");
    };
    match checklist.replace(list) {
        Ok(count) => Reply::ok(format!("Updated {count} tasks")),
        Err(reason) => Reply::refused(format!("Error: {reason}"), "invalid"),
    }
}

impl Wanted {
    fn of(arguments: &Arguments<'_>) -> Result<Wanted, Fault> {
        const DEPENDENCIES: &[&str] = &["dependencies", "blockedBy", "blocked_by"];
        let status = match arguments.text(&["status"])?.as_deref() {
            None | Some("") => None,
            // It is blocked or not by what it waits for, whatever is said.
            Some("blocked") => Some(Status::Pending),
            Some(word) => match Status::named(word) {
                None => return Err(Fault::Arguments(format!("Invalid status: {word}"))),
                status => status,
            },
        };
        let assignee = &["assignee", "owner"];
        let named = arguments.text(assignee)?.filter(|it| !it.is_empty());
        Ok(Wanted {
            status,
            description: arguments.text(&["description", "content", "subject"])?,
            dependencies: arguments.has(DEPENDENCIES).then(|| arguments.ids(DEPENDENCIES)).transpose()?,
            assignee: arguments.has(assignee).then_some(named),
            metadata: arguments.object(&["metadata"])?,
        })
    }

    /// The task that this would be in a `tasks.json`: its format knows where a subject ends.
    fn task(&self, description: &str) -> Option<Task> {
        let metadata = self.metadata.clone().unwrap_or_default();
        let task = Object::new()
            .with("id", "new")
            .with("description", description)
            .with("status", "pending")
            .with("metadata", metadata);
        let file = Object::new().with("tasks", Json::Array(vec![task.into()]));
        let text = write(&Json::Object(file), Style::COMPACT, "");
        named("tasks-json")?.decode("tasks.json", &text).ok()?.pop()?.task.ok()
    }

    fn edit(&self, view: &TaskView) -> Edit {
        let old = &view.task;
        let described = self.description.as_ref().and_then(|it| self.task(it));
        let read = self.task(&old.subject).unwrap_or_else(|| old.clone());
        let given = |key: &str| self.metadata.as_ref().is_some_and(|it| it.get(key).is_some());
        let tags = if given("tags") { read.tags } else { old.tags.clone() };
        let waits = self.dependencies.as_ref().unwrap_or(&old.blocked_by);
        let keys = read.metadata.iter().filter(|_| self.metadata.is_some());
        Edit {
            subject: described.as_ref().map(|it| it.subject.clone()),
            description: described.map(|it| it.description),
            status: self.status,
            owner: self.assignee.clone(),
            priority: given("priority").then_some(read.priority),
            add_tags: tags.iter().filter(|it| !old.tags.contains(it)).cloned().collect(),
            remove_tags: old.tags.iter().filter(|it| !tags.contains(it)).cloned().collect(),
            metadata: keys
                .map(|(key, value)| (key.to_owned(), Some(value.clone()).filter(|it| *it != Json::Null)))
                .collect(),
            add_blocked_by: waits.iter().filter(|it| !old.blocked_by.contains(it)).cloned().collect(),
            remove_blocked_by: old.blocked_by.iter().filter(|it| !waits.contains(it)).cloned().collect(),
            ..Edit::of(old.id.clone())
        }
    }

    fn new(&self, description: &str, id: Option<TaskId>) -> NewTask {
        let read = self.task(description).unwrap_or_else(|| Task::new(TaskId::found("new"), description));
        let mut metadata = self.metadata.clone().unwrap_or_default();
        if read.priority.is_some() {
            metadata.remove("priority");
        }
        // An empty list of tags says nothing, but it was said.
        if !read.tags.is_empty() {
            metadata.remove("tags");
        }
        NewTask {
            id,
            subject: read.subject,
            description: read.description,
            priority: read.priority,
            tags: read.tags,
            metadata,
            owner: self.assignee.clone().flatten(),
            blocked_by: self.dependencies.clone().unwrap_or_default(),
            ..NewTask::default()
        }
    }
}

/// Makes a task and gives it its status. If it cannot have that, there is no task.
fn make(desk: &Desk<'_>, wanted: &Wanted, description: &str, id: Option<TaskId>) -> Result<Changed, Fault> {
    let outcome = desk.list.run(&desk.actor, &Command::Create(wanted.new(description, id)))?;
    let id = outcome.decision.about[0].clone();
    let status = wanted.status.filter(|it| *it != Status::Pending);
    let owner = status.and(wanted.assignee.clone());
    change(desk, Edit { status, owner, ..Edit::of(id.clone()) }).inspect_err(|_| {
        _ = desk.list.run(&desk.actor, &Command::Delete { id, force: false });
    })
}

fn answer(desk: &Desk<'_>, changed: Changed) -> Result<Reply, Fault> {
    let record = records(&[changed.view], desk.list.now())?.pop().unwrap_or_default();
    let mut answer = Object::new().with("task", record);
    if !changed.freed.is_empty() {
        answer.set("unblocked", Json::strings(changed.freed.iter().map(|it| &it.task.id)));
    }
    Ok(Reply::ok(write(&Json::Object(answer), Style::JAVASCRIPT, "")))
}

fn missing(id: &TaskId) -> Reply {
    Reply::refused(format!("Error: Task not found: {id}"), "not_found")
}

/// Refusals that name what was asked for.
fn refused(wanted: &Wanted, id: Option<&TaskId>, fault: Fault) -> Result<Reply, Fault> {
    let Fault::List(Error::Refused(refusal)) = &fault else { return Err(fault) };
    let text = match refusal {
        Refusal::NotFound { id: lost } if Some(lost) == id => return Ok(missing(lost)),
        Refusal::NotFound { id } => format!("Error: Dependency task ID not found: {id}"),
        Refusal::Blocked { id, by, .. } => {
            let by: Vec<&str> = by.iter().map(TaskId::as_str).collect();
            let status = wanted.status.unwrap_or(Status::InProgress).name();
            format!("Error: Cannot set task {id} to {status}; dependencies not completed: {}", by.join(", "))
        }
        _ => return Err(fault),
    };
    Ok(Reply::refused(text, refusal.code()))
}
