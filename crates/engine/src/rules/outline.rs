//! What of a task decides whether and how soon it can be started, and nothing else of it. Not what it waits for: that takes the
//! others.

use crate::{
    claim::Entry,
    task::{Priority, Status},
};

/// A few words on a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    /// Where it stands.
    pub status: Status,
    /// Whether somebody's name is on it.
    pub owned: bool,
    /// Whether there is a claim, of whoever lives or not.
    pub claimed: bool,
    /// Whether it is not for anybody to take: it waits for a person, or another program keeps it for itself.
    pub withheld: bool,
    /// How urgent it is.
    pub priority: Priority,
}

impl Outline {
    /// That of a task.
    pub fn of(entry: &Entry) -> Outline {
        Outline {
            status: entry.task.status,
            owned: entry.task.owner.is_some(),
            claimed: entry.standing.claim.is_some(),
            withheld: entry.standing.parked || entry.task.is_internal(),
            priority: entry.task.priority.unwrap_or(Priority::Medium),
        }
    }

    /// Whether work remains.
    pub fn is_open(self) -> bool {
        self.status != Status::Completed
    }

    /// Whether it could be started as far as it itself is concerned: whatever it waits for, and whoever asks.
    pub fn is_startable(self) -> bool {
        self.status == Status::Pending && !self.claimed && !self.withheld
    }

    /// Whether it can turn out to be ready once its claimant is asked for: one that is gone has left it free.
    pub fn may_be_ready(self) -> bool {
        let is_nobodys = self.status == Status::Pending && !self.owned;
        !self.withheld && self.is_open() && (self.claimed || is_nobodys)
    }
}
