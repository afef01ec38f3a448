//! What callers can ask for, as values. Not how they spell it: flags and tool arguments are the surfaces' business.

use crate::{
    claim::Evidence,
    event::{ADOPTED, Event},
    id::TaskId,
    json::{Json, Object},
    task::{Priority, Status, Task},
};

/// One request to change a list.
#[derive(Debug, Clone)]
pub enum Command {
    /// Make a task.
    Create(NewTask),
    /// Make many tasks with their edges, all or none.
    Plan(Plan),
    /// Change fields, status and edges of a task.
    Edit(Edit),
    /// Take a task.
    Claim(ClaimTask),
    /// Take the best ready task.
    Next(NextTask),
    /// Say that the claimant is alive, and perhaps ask for a longer lease.
    Heartbeat {
        /// The claimed task.
        id: TaskId,
        /// The number of the claim; without it the session must be the claimant's.
        token: Option<u64>,
        /// The lease from now on, in milliseconds.
        lease: Option<i64>,
    },
    /// Finish a task.
    Complete(CompleteTask),
    /// Give a task back.
    Release(ReleaseTask),
    /// Report on an attempt: it is done, or it failed and is given back.
    Conclude(Conclusion),
    /// Give back everything that somebody holds.
    ReleaseAll(Holder),
    /// Make a finished or started task pending again.
    Reopen {
        /// The task.
        id: TaskId,
        /// Whether a live claim of another may be broken.
        force: bool,
    },
    /// Remove a task and every reference to it.
    Delete {
        /// The task.
        id: TaskId,
        /// Whether a live claim of another may be broken.
        force: bool,
    },
    /// Give back the tasks of claimants that are gone; park those that lost too many.
    Reap,
    /// Take over tasks from elsewhere, all or none.
    Import(Vec<Task>),
    /// Take back an earlier event.
    Undo(Box<Event>),
    /// Answer for what was written to these tasks by another program, on the caller's behalf.
    Adopt(Vec<TaskId>),
}

/// A task to be made.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the fields of Task by name")]
pub struct NewTask {
    pub subject: String,
    pub description: String,
    pub active_form: Option<String>,
    pub owner: Option<String>,
    pub metadata: Object,
    pub priority: Option<Priority>,
    pub tags: Vec<String>,
    pub parent: Option<TaskId>,
    pub blocked_by: Vec<TaskId>,
    pub blocks: Vec<TaskId>,
    /// The id to give it, where the caller chooses.
    pub id: Option<TaskId>,
    /// Whether edges to tasks that do not exist are stored instead of refused (vocabularies A and B).
    pub allow_missing: bool,
}

impl From<Task> for NewTask {
    /// One that says the same, under the same id.
    fn from(task: Task) -> NewTask {
        NewTask {
            subject: task.subject,
            description: task.description,
            active_form: task.active_form,
            owner: task.owner,
            metadata: task.metadata,
            priority: task.priority,
            tags: task.tags,
            parent: task.parent,
            blocked_by: task.blocked_by,
            blocks: task.blocks,
            id: Some(task.id),
            allow_missing: false,
        }
    }
}

/// Many tasks at once.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// A second plan with the same key changes nothing and answers as the first.
    pub key: Option<String>,
    /// The tasks, in order.
    pub tasks: Vec<PlanTask>,
}

/// One task of a plan.
#[derive(Debug, Clone, Default)]
pub struct PlanTask {
    /// The name by which the rest of the plan knows it.
    pub name: Option<String>,
    /// The names or ids that it waits for.
    pub after: Vec<String>,
    /// The name or id of what it is a part of; one that stands in `task` is an id and gives way to this.
    pub parent: Option<String>,
    /// The rest. Its own edges are added to `after`.
    pub task: NewTask,
}

/// Changes to one task; what is `None` or empty stays.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the fields of Task by name")]
pub struct Edit {
    pub id: TaskId,
    pub subject: Option<String>,
    pub description: Option<String>,
    pub active_form: Option<Option<String>>,
    pub owner: Option<Option<String>>,
    pub status: Option<Status>,
    pub priority: Option<Option<Priority>>,
    pub parent: Option<Option<TaskId>>,
    pub add_tags: Vec<String>,
    pub remove_tags: Vec<String>,
    /// Keys to set, or with `None` to take out.
    pub metadata: Vec<(String, Option<Json>)>,
    pub add_blocked_by: Vec<TaskId>,
    pub add_blocks: Vec<TaskId>,
    pub remove_blocked_by: Vec<TaskId>,
    pub remove_blocks: Vec<TaskId>,
    /// The number of the claim under which the change is made.
    pub token: Option<u64>,
    /// Whether another's live claim may be broken.
    pub force: bool,
    /// Whether edges to tasks that do not exist are stored instead of refused.
    pub allow_missing: bool,
}

impl Edit {
    /// An edit of a task that changes nothing yet.
    pub fn of(id: TaskId) -> Edit {
        Edit {
            id,
            subject: None,
            description: None,
            active_form: None,
            owner: None,
            status: None,
            priority: None,
            parent: None,
            add_tags: Vec::new(),
            remove_tags: Vec::new(),
            metadata: Vec::new(),
            add_blocked_by: Vec::new(),
            add_blocks: Vec::new(),
            remove_blocked_by: Vec::new(),
            remove_blocks: Vec::new(),
            token: None,
            force: false,
            allow_missing: false,
        }
    }
}

/// Whether taking a task also starts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Begin {
    /// It is in progress from now on.
    #[default]
    Now,
    /// Only the owner is set.
    Later,
}

/// How a task is taken.
#[derive(Debug, Clone)]
pub struct ClaimTask {
    /// The task.
    pub id: TaskId,
    /// Whether it starts.
    pub begin: Begin,
    /// Refuse if the agent has another open task.
    pub one_at_a_time: bool,
    /// If this session holds the task already, answer with that claim instead of refusing.
    pub resume: bool,
    /// Take it from whoever has it, or although it is parked.
    pub force: bool,
    /// The lease in milliseconds.
    pub lease: Option<i64>,
}

impl ClaimTask {
    /// A plain claim.
    pub fn of(id: TaskId) -> ClaimTask {
        ClaimTask { id, begin: Begin::Now, one_at_a_time: false, resume: false, force: false, lease: None }
    }
}

/// Which ready task is wanted.
#[derive(Debug, Clone, Default)]
pub struct NextTask {
    /// Only tasks with all of these tags.
    pub tags: Vec<String>,
    /// Only tasks whose subject holds all of these words.
    pub words: Vec<String>,
    /// Only tasks that are at least so urgent.
    pub priority: Option<Priority>,
    /// None of these.
    pub except: Vec<TaskId>,
    /// Whether it starts.
    pub begin: Begin,
    /// Refuse if the agent has another open task.
    pub one_at_a_time: bool,
    /// The lease in milliseconds.
    pub lease: Option<i64>,
}

impl NextTask {
    /// Whether a task is of the kind that is wanted.
    pub fn suits(&self, task: &Task) -> bool {
        let subject = task.subject.to_lowercase();
        self.tags.iter().all(|tag| task.tags.contains(tag))
            && self.words.iter().all(|word| subject.contains(&word.to_lowercase()))
            && self.priority.is_none_or(|least| task.priority.unwrap_or(Priority::Medium) >= least)
            && !self.except.contains(&task.id)
    }
}

/// How a task is finished.
#[derive(Debug, Clone)]
pub struct CompleteTask {
    /// The task.
    pub id: TaskId,
    /// The number of the claim; without it the session must be the claimant's.
    pub token: Option<u64>,
    /// Finish it whoever has it.
    pub force: bool,
}

/// How a task is given back.
#[derive(Debug, Clone)]
pub struct ReleaseTask {
    /// The task.
    pub id: TaskId,
    /// The number of the claim; without it the session must be the claimant's.
    pub token: Option<u64>,
    /// Why, for whoever takes it next.
    pub reason: Option<String>,
    /// Take it away from whoever has it.
    pub force: bool,
}

/// How an attempt at a task ended.
#[derive(Debug, Clone)]
pub struct Conclusion {
    /// The task.
    pub id: TaskId,
    /// The number of the claim under which it was attempted.
    pub token: u64,
    /// What was run.
    pub evidence: Evidence,
    /// Nothing if it succeeded; else why not.
    pub failure: Option<Failing>,
}

/// Why an attempt failed, and what follows.
#[derive(Debug, Clone)]
pub struct Failing {
    /// Why, for whoever takes it next.
    pub reason: String,
    /// After so many failed attempts the task waits for a person.
    pub most: u32,
}

/// Whose tasks are given back.
#[derive(Debug, Clone)]
pub enum Holder {
    /// Those of a name, whatever the session.
    Agent(String),
    /// Those of one session and of all within it.
    Session(String),
}

/// Whether a command of this verb looks at every task: then a store may begin to look before its turn comes.
pub(crate) fn looks_at_all(verb: &str) -> bool {
    verb == "next"
}

impl Command {
    /// The verb, as it stands in the history.
    pub fn name(&self) -> &'static str {
        match self {
            Command::Create(_) => "create",
            Command::Plan(_) => "plan",
            Command::Edit(_) => "edit",
            Command::Claim(_) => "claim",
            Command::Next(_) => "next",
            Command::Heartbeat { .. } => "heartbeat",
            Command::Conclude(_) => "conclude",
            Command::Complete(_) => "complete",
            Command::Release(_) => "release",
            Command::ReleaseAll(_) => "release_all",
            Command::Reopen { .. } => "reopen",
            Command::Delete { .. } => "delete",
            Command::Reap => "reap",
            Command::Import(_) => "import",
            Command::Undo(_) => "undo",
            Command::Adopt(_) => ADOPTED,
        }
    }
}
