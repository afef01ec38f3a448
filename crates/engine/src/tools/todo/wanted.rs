//! What a `TodoWrite` asks for, in the words of a `tasks.json`, and what that comes to in ours. Not whether it may be.

use crate::{
    format::named,
    id::TaskId,
    json::{Json, Object, Style, write},
    rules::{Edit, NewTask},
    task::{Status, Task},
    tools::{Arguments, Fault},
};

/// What a call asks for. What is `None` was not given.
pub(super) struct Wanted {
    pub(super) description: Option<String>,
    pub(super) status: Option<Status>,
    dependencies: Option<Vec<TaskId>>,
    /// Blank if nobody.
    assignee: Option<String>,
    metadata: Option<Object>,
}

const DEPENDENCIES: &[&str] = &["dependencies", "blockedBy", "blocked_by"];
const ASSIGNEE: &[&str] = &["assignee", "owner"];

impl Wanted {
    pub(super) fn of(arguments: &Arguments<'_>) -> Result<Wanted, Fault> {
        let assignee = arguments.text(ASSIGNEE)?.unwrap_or_default();
        Ok(Wanted {
            description: arguments.text(&["description", "content", "subject"])?,
            status: status(arguments)?,
            dependencies: arguments.has(DEPENDENCIES).then(|| arguments.ids(DEPENDENCIES)).transpose()?,
            assignee: arguments.has(ASSIGNEE).then_some(assignee),
            metadata: arguments.object(&["metadata"])?,
        })
    }

    /// The task that this would be in a `tasks.json`: its format knows where a subject ends.
    fn read(&self, description: &str) -> Option<Task> {
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

    /// The same task with what was given in place of what it has.
    pub(super) fn edit(&self, old: &Task) -> Edit {
        let described = self.description.as_ref().and_then(|it| self.read(it));
        let read = self.read(&old.subject).unwrap_or_else(|| old.clone());
        let given = |key: &str| self.metadata.as_ref().is_some_and(|it| it.get(key).is_some());
        let tags = if given("tags") { &read.tags } else { &old.tags };
        let waits = self.dependencies.as_ref().unwrap_or(&old.blocked_by);
        let keys = self.metadata.iter().flat_map(|_| read.metadata.iter());
        let kept = |value: &Json| Some(value.clone()).filter(|it| *it != Json::Null);
        Edit {
            subject: described.as_ref().map(|it| it.subject.clone()),
            description: described.map(|it| it.description),
            owner: self.assignee.clone().map(|it| Some(it).filter(|it| !it.is_empty())),
            status: self.status,
            priority: given("priority").then_some(read.priority),
            add_tags: without(tags, &old.tags),
            remove_tags: without(&old.tags, tags),
            metadata: keys.map(|(key, value)| (key.to_owned(), kept(value))).collect(),
            add_blocked_by: without(waits, &old.blocked_by),
            remove_blocked_by: without(&old.blocked_by, waits),
            ..Edit::of(old.id.clone())
        }
    }

    /// A new task, pending.
    pub(super) fn task(&self, description: &str, id: Option<TaskId>) -> NewTask {
        let read = self.read(description).unwrap_or_else(|| Task::new(TaskId::found("new"), description));
        let mut metadata = self.metadata.clone().unwrap_or_default();
        if read.priority.is_some() {
            metadata.remove("priority");
        }
        // An empty list of tags says nothing, but it was said.
        if !read.tags.is_empty() {
            metadata.remove("tags");
        }
        NewTask {
            subject: read.subject,
            description: read.description,
            owner: self.assignee.clone(),
            metadata,
            priority: read.priority,
            tags: read.tags,
            blocked_by: self.dependencies.clone().unwrap_or_default(),
            id,
            ..NewTask::default()
        }
    }

    /// What is left to do when the task was made: its status, in the name of whom it is assigned to.
    pub(super) fn rest(&self, id: TaskId) -> Edit {
        let status = self.status.filter(|it| *it != Status::Pending);
        let owner = self.assignee.clone().filter(|it| status.is_some() && !it.is_empty());
        Edit { owner: owner.map(Some), status, ..Edit::of(id) }
    }
}

fn status(arguments: &Arguments<'_>) -> Result<Option<Status>, Fault> {
    match arguments.text(&["status"])?.as_deref() {
        None | Some("") => Ok(None),
        // It is blocked or not by what it waits for, whatever is said.
        Some("blocked") => Ok(Some(Status::Pending)),
        Some(word) => match Status::named(word) {
            None => Err(Fault::Arguments(format!("Invalid status: {word}"))),
            status => Ok(status),
        },
    }
}

fn without<T: Clone + PartialEq>(items: &[T], others: &[T]) -> Vec<T> {
    items.iter().filter(|it| !others.contains(it)).cloned().collect()
}
