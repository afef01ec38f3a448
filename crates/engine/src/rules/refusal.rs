//! Why a command is refused, with the data that explains it. Not a failure: the list is well, the answer is no.

use crate::{id::TaskId, time::Time};

/// A refusal. Messages are lower-case fragments; surfaces make sentences and hints of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no such task.
    #[error("there is no task {id}")]
    NotFound {
        /// The id asked for.
        id: TaskId,
    },
    /// Something must be done first.
    #[error("task {id} waits for {}", listed(.by))]
    Blocked {
        /// The task.
        id: TaskId,
        /// What it waits for, missing tasks included.
        by: Vec<TaskId>,
        /// Those of them that do not exist.
        missing: Vec<TaskId>,
    },
    /// Somebody has it.
    #[error("task {id} is claimed by {}", by.as_deref().unwrap_or("somebody"))]
    AlreadyClaimed {
        /// The task.
        id: TaskId,
        /// The agent, if it left a name.
        by: Option<String>,
        /// When the lease ends if nothing is heard of the claimant; none if it does not end by itself.
        until: Option<Time>,
        /// Whether it is the very session that asks.
        mine: bool,
    },
    /// It is done.
    #[error("task {id} is already completed")]
    AlreadyResolved {
        /// The task.
        id: TaskId,
    },
    /// The agent has something else to finish first.
    #[error("{agent} is busy with {}", listed(.with))]
    AgentBusy {
        /// The agent.
        agent: String,
        /// What it has.
        with: Vec<TaskId>,
    },
    /// The tasks would wait for each other.
    #[error("the tasks would wait for each other: {}", path.iter().map(TaskId::as_str).collect::<Vec<_>>().join(" -> "))]
    Cycle {
        /// The way round: each waits for the next; the last is the first.
        path: Vec<TaskId>,
    },
    /// A task would wait for itself.
    #[error("task {id} cannot wait for itself")]
    SelfEdge {
        /// The task.
        id: TaskId,
    },
    /// The caller's claim is not the one that stands.
    #[error("the claim of task {id} is not yours{}", holder.as_ref().map(|it| format!(", but {it}'s")).unwrap_or_default())]
    StaleToken {
        /// The task.
        id: TaskId,
        /// Who has it now.
        holder: Option<String>,
    },
    /// A value cannot be taken.
    #[error("{field} {reason}")]
    Invalid {
        /// The field or argument.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The id is taken.
    #[error("task {id} exists already")]
    Exists {
        /// The id.
        id: TaskId,
    },
    /// It waits for a person.
    #[error("task {id} is parked: {}", why_parked(*lost, *failed))]
    Parked {
        /// The task.
        id: TaskId,
        /// How often its lease was lost.
        lost: u32,
        /// How many attempts failed.
        failed: u32,
    },
    /// A hook of the user said no.
    #[error("a hook did not let task {id} be {moment}: {reason}")]
    Denied {
        /// The task.
        id: TaskId,
        /// What was about to happen to it.
        moment: &'static str,
        /// Why, in the hook's words.
        reason: String,
    },
    /// What should be undone was changed again since.
    #[error("task {id} was changed again since ({})", fields.join(", "))]
    ChangedSince {
        /// The task.
        id: TaskId,
        /// What was changed.
        fields: Vec<String>,
    },
}

/// Why a task waits for a person.
pub(crate) fn why_parked(lost: u32, failed: u32) -> String {
    if failed > lost {
        format!("{failed} attempts failed")
    } else {
        format!("its lease was lost {lost} times")
    }
}

impl Refusal {
    /// The word for it in JSON.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::NotFound { .. } => "not_found",
            Refusal::Blocked { .. } => "blocked",
            Refusal::AlreadyClaimed { .. } => "already_claimed",
            Refusal::AlreadyResolved { .. } => "already_resolved",
            Refusal::AgentBusy { .. } => "agent_busy",
            Refusal::Cycle { .. } => "cycle",
            Refusal::SelfEdge { .. } => "self_edge",
            Refusal::StaleToken { .. } => "stale_token",
            Refusal::Invalid { .. } => "invalid",
            Refusal::Exists { .. } => "exists",
            Refusal::Parked { .. } => "parked",
            Refusal::Denied { .. } => "denied",
            Refusal::ChangedSince { .. } => "changed_since",
        }
    }

    /// An invalid value.
    pub fn invalid(field: &str, reason: &str) -> Refusal {
        Refusal::Invalid { field: field.to_owned(), reason: reason.to_owned() }
    }
}

fn listed(ids: &[TaskId]) -> String {
    ids.iter().map(TaskId::as_str).collect::<Vec<_>>().join(", ")
}
