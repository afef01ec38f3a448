//! Who holds a task, by which number, for how long. Not the `owner` in a file: that is a copy for others to read.

use crate::{task::Task, time::Time};

/// How long a claim lasts without a sign of life, unless the claimant says otherwise: 15 minutes.
pub const DEFAULT_LEASE: i64 = 15 * 60 * 1000;

/// After so many lost leases a task waits for a person.
pub const MAX_LOST: u32 = 3;

/// Names of agents and sessions are at most so many bytes long.
pub const LONGEST_NAME: usize = 200;

/// Who acts: a name for people, and the running thing behind it, which is the identity.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Actor {
    /// The agent's name.
    pub agent: String,
    /// The session: two agents of one name are told apart by it.
    pub session: String,
}

impl Actor {
    /// An agent in a session.
    pub fn new(agent: impl Into<String>, session: impl Into<String>) -> Actor {
        Actor { agent: agent.into(), session: session.into() }
    }

    /// An agent within the session that this one shares with others: a claimant of its own.
    #[must_use]
    pub fn within(&self, name: &str) -> Actor {
        Actor::new(name, format!("{}/{name}", self.session))
    }

    /// Whether a text can be the name of an agent or of a session: one line, and not a long one.
    pub fn is_name(text: &str) -> bool {
        !text.trim().is_empty() && text.len() <= LONGEST_NAME && !text.chars().any(char::is_control)
    }

    /// Whether this is a session, or one within it.
    pub fn is_within(&self, session: &str) -> bool {
        let rest = self.session.strip_prefix(session);
        rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
    }
}

/// One claim of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The fence: larger than the number of every earlier claim in the list.
    pub token: u64,
    /// Who claimed.
    pub by: Actor,
    /// When.
    pub since: Time,
    /// How many milliseconds it outlives the last sign of life of its session.
    pub lease: i64,
}

/// What the list knows of a task beside its fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// The number of the newest claim, alive or not; 0 if there never was one.
    pub fence: u64,
    /// The claim that stands.
    pub claim: Option<Box<Claim>>,
    /// How many leases were lost since somebody last finished or released it properly.
    pub lost: u32,
    /// How many attempts failed since somebody last finished or released it properly.
    pub failed: u32,
    /// Whether it waits for a person.
    pub parked: bool,
    /// How it was done, if the one who did it said so.
    pub evidence: Option<Box<Evidence>>,
}

impl Standing {
    /// Nothing counts against the task any more, and nothing is held against a person's word.
    pub(crate) fn clear(&mut self) {
        (self.claim, self.lost, self.failed, self.parked) = (None, 0, 0, false);
    }
}

/// What was run for a task, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// What was run.
    pub command: String,
    /// How it ended; none if a signal ended it.
    pub exit: Option<i32>,
    /// How long it took.
    pub milliseconds: u64,
    /// The commit that it led to.
    pub commit: Option<String>,
}

/// A task with its standing: all that a rule may know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The task.
    pub task: Task,
    /// Its claim and what became of earlier ones.
    pub standing: Standing,
}

impl Entry {
    /// A task that nobody ever claimed.
    pub fn new(task: Task) -> Entry {
        Entry { task, standing: Standing::default() }
    }
}

/// What is known of the life of a claimant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// It is gone: what it held is free.
    Gone,
    /// It counts as alive until then, and longer if it gives a sign.
    Until(Time),
    /// Its process runs.
    Running,
}

impl Life {
    /// What is known of a claim whose session was last heard so many milliseconds ago.
    pub fn of(claim: &Claim, silent: i64, now: Time) -> Life {
        if silent < claim.lease { Life::Until(now.plus(claim.lease - silent)) } else { Life::Gone }
    }

    /// Whether the claim stands.
    pub fn is_alive(self) -> bool {
        self != Life::Gone
    }

    /// When the claim ends by itself, if it does.
    pub fn until(self) -> Option<Time> {
        match self {
            Life::Until(time) => Some(time),
            Life::Gone | Life::Running => None,
        }
    }
}
