//! What a task is. Not how it looks in any file: each format has its own page and its own code.

use crate::{
    id::TaskId,
    json::{Json, Object},
    time::Time,
};
use std::collections::{HashMap, HashSet};

/// One task: what is to be done, by whom, after what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Its name, unique in the list.
    pub id: TaskId,
    /// What is to be done, in one imperative line.
    pub subject: String,
    /// The same at length, in Markdown.
    pub description: String,
    /// What is being done while it is in progress ("Fixing the parser").
    pub active_form: Option<String>,
    /// Who has it, by name. A projection of the claim for other programs to read.
    pub owner: Option<String>,
    /// Where it stands.
    pub status: Status,
    /// The tasks that wait for this one.
    pub blocks: Vec<TaskId>,
    /// The tasks that this one waits for.
    pub blocked_by: Vec<TaskId>,
    /// Whatever its authors attached to it.
    pub metadata: Object,
    /// How urgent it is; none counts as medium.
    pub priority: Option<Priority>,
    /// Labels.
    pub tags: Vec<String>,
    /// The task it is a part of.
    pub parent: Option<TaskId>,
    /// What it was called in the list that it was taken from, if that was another name.
    pub imported_from: Option<String>,
    /// When it was made, if known.
    pub created_at: Option<Time>,
    /// When it last changed, if known.
    pub updated_at: Option<Time>,
}

/// Where a task stands. Whether it is blocked or ready is derived, never stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Not begun.
    Pending,
    /// Being worked on.
    InProgress,
    /// Done.
    Completed,
}

/// How urgent a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// When there is nothing else.
    Low,
    /// As usual.
    Medium,
    /// Before the others.
    High,
}

/// The parts of a task that can change one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the fields of Task by name")]
pub enum Field {
    Subject,
    Description,
    ActiveForm,
    Owner,
    Status,
    Blocks,
    BlockedBy,
    Metadata,
    Priority,
    Tags,
    Parent,
    ImportedFrom,
    CreatedAt,
    UpdatedAt,
}

impl Task {
    /// A pending task with a subject and nothing else.
    pub fn new(id: TaskId, subject: impl Into<String>) -> Task {
        Task {
            id,
            subject: subject.into(),
            description: String::new(),
            active_form: None,
            owner: None,
            status: Status::Pending,
            blocks: Vec::new(),
            blocked_by: Vec::new(),
            metadata: Object::new(),
            priority: None,
            tags: Vec::new(),
            parent: None,
            imported_from: None,
            created_at: None,
            updated_at: None,
        }
    }

    /// Whether work remains.
    pub fn is_open(&self) -> bool {
        self.status != Status::Completed
    }

    /// Whether another program keeps it for itself and hides it from people: a teammate's tracker, a sentinel.
    pub fn is_internal(&self) -> bool {
        matches!(self.metadata.get("_internal"), Some(it) if !matches!(it, Json::Null | Json::Bool(false)))
    }

    /// The same task where tasks have other names: its own, and those of the tasks that it speaks of.
    #[must_use]
    pub fn renamed(&self, names: &HashMap<TaskId, TaskId>) -> Task {
        let name = |id: &TaskId| names.get(id).unwrap_or(id).clone();
        Task {
            id: name(&self.id),
            blocks: self.blocks.iter().map(name).collect(),
            blocked_by: self.blocked_by.iter().map(name).collect(),
            parent: self.parent.as_ref().map(name),
            ..self.clone()
        }
    }

    /// The fields in which two states of a task differ.
    pub fn difference(&self, other: &Task) -> Vec<Field> {
        Field::ALL.into_iter().filter(|field| !self.agrees(other, *field)).collect()
    }

    /// Whether two states of a task are the same in one field. Edges are sets: their order does not count.
    pub fn agrees(&self, other: &Task, field: Field) -> bool {
        match field {
            Field::Subject => self.subject == other.subject,
            Field::Description => self.description == other.description,
            Field::ActiveForm => self.active_form == other.active_form,
            Field::Owner => self.owner == other.owner,
            Field::Status => self.status == other.status,
            Field::Blocks => same_set(&self.blocks, &other.blocks),
            Field::BlockedBy => same_set(&self.blocked_by, &other.blocked_by),
            Field::Metadata => self.metadata == other.metadata,
            Field::Priority => self.priority == other.priority,
            Field::Tags => self.tags == other.tags,
            Field::Parent => self.parent == other.parent,
            Field::ImportedFrom => self.imported_from == other.imported_from,
            Field::CreatedAt => self.created_at == other.created_at,
            Field::UpdatedAt => self.updated_at == other.updated_at,
        }
    }

    /// Takes one field over from another state of the task.
    pub fn adopt(&mut self, field: Field, from: &Task) {
        match field {
            Field::Subject => self.subject.clone_from(&from.subject),
            Field::Description => self.description.clone_from(&from.description),
            Field::ActiveForm => self.active_form.clone_from(&from.active_form),
            Field::Owner => self.owner.clone_from(&from.owner),
            Field::Status => self.status = from.status,
            Field::Blocks => self.blocks.clone_from(&from.blocks),
            Field::BlockedBy => self.blocked_by.clone_from(&from.blocked_by),
            Field::Metadata => self.metadata.clone_from(&from.metadata),
            Field::Priority => self.priority = from.priority,
            Field::Tags => self.tags.clone_from(&from.tags),
            Field::Parent => self.parent.clone_from(&from.parent),
            Field::ImportedFrom => self.imported_from.clone_from(&from.imported_from),
            Field::CreatedAt => self.created_at = from.created_at,
            Field::UpdatedAt => self.updated_at = from.updated_at,
        }
    }
}

/// Whether two lists of edges are the same: their order does not count.
pub(crate) fn same_set(left: &[TaskId], right: &[TaskId]) -> bool {
    let set = |ids: &[TaskId]| ids.iter().cloned().collect::<HashSet<TaskId>>();
    left == right || set(left) == set(right)
}

impl Field {
    /// All fields, in the order of the `claude` format, then ours.
    pub const ALL: [Field; 14] = [
        Field::Subject,
        Field::Description,
        Field::ActiveForm,
        Field::Owner,
        Field::Status,
        Field::Blocks,
        Field::BlockedBy,
        Field::Metadata,
        Field::Priority,
        Field::Tags,
        Field::Parent,
        Field::ImportedFrom,
        Field::CreatedAt,
        Field::UpdatedAt,
    ];

    /// The name used in JSON and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Field::Subject => "subject",
            Field::Description => "description",
            Field::ActiveForm => "activeForm",
            Field::Owner => "owner",
            Field::Status => "status",
            Field::Blocks => "blocks",
            Field::BlockedBy => "blockedBy",
            Field::Metadata => "metadata",
            Field::Priority => "priority",
            Field::Tags => "tags",
            Field::Parent => "parent",
            Field::ImportedFrom => "importedFrom",
            Field::CreatedAt => "createdAt",
            Field::UpdatedAt => "updatedAt",
        }
    }
}

impl Status {
    /// All of them, in the order in which a task passes through them.
    pub const ALL: [Status; 3] = [Status::Pending, Status::InProgress, Status::Completed];

    /// The word for it, the same in every format.
    pub fn name(self) -> &'static str {
        match self {
            Status::Pending => "pending",
            Status::InProgress => "in_progress",
            Status::Completed => "completed",
        }
    }

    /// The mark before a task in a list.
    pub fn mark(self) -> &'static str {
        match self {
            Status::Pending => "[ ]",
            Status::InProgress => "[>]",
            Status::Completed => "[x]",
        }
    }

    /// The status that a word names.
    pub fn named(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|it| it.name() == name)
    }
}

impl Priority {
    /// All of them, lowest first.
    pub const ALL: [Priority; 3] = [Priority::Low, Priority::Medium, Priority::High];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Priority::Low => "low",
            Priority::Medium => "medium",
            Priority::High => "high",
        }
    }

    /// The priority that a word names.
    pub fn named(name: &str) -> Option<Priority> {
        Priority::ALL.into_iter().find(|it| it.name() == name)
    }
}
