//! The moments in the life of a task at which others may want to know, or to have a say. Not how they are told: a
//! surface brings that along.

use crate::{claim::Actor, id::TaskId, rules::Change, task::Task};

/// What happened to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moment {
    /// It was made.
    Created,
    /// Somebody took it.
    Claimed,
    /// It is done.
    Completed,
    /// What it waited for is done.
    Unblocked,
    /// It was given back, or its claimant was lost.
    Released,
    /// It waits for a person.
    Parked,
}

impl Moment {
    /// All of them.
    pub const ALL: [Moment; 6] = [
        Moment::Created,
        Moment::Claimed,
        Moment::Completed,
        Moment::Unblocked,
        Moment::Released,
        Moment::Parked,
    ];

    /// The word for it in settings and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Moment::Created => "created",
            Moment::Claimed => "claimed",
            Moment::Completed => "completed",
            Moment::Unblocked => "unblocked",
            Moment::Released => "released",
            Moment::Parked => "parked",
        }
    }

    /// The moment that a word names.
    pub fn named(name: &str) -> Option<Moment> {
        Moment::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// One moment of one task.
#[derive(Debug, Clone)]
pub struct Notice {
    /// What happened, or is about to.
    pub moment: Moment,
    /// The task as it is then.
    pub task: Task,
    /// Who does it.
    pub actor: Actor,
    /// The number of the event; none before it has happened.
    pub seq: Option<u64>,
}

/// Who wants to know.
pub trait Hooks: Send + Sync {
    /// Whether anybody wants a say before tasks are made or completed.
    fn asks_before(&self) -> bool;
    /// Asked before a task is made or completed, with no lock held. A reason refuses it.
    fn before(&self, notice: &Notice) -> Result<(), String>;
    /// Told after it has happened, with no lock held.
    fn after(&self, notice: &Notice);
}

/// The moments that changes bring about; what is freed comes from elsewhere.
pub(crate) fn moments(changes: &[Change]) -> Vec<(Moment, &TaskId, &Task)> {
    let mut moments = Vec::new();
    for change in changes {
        let Some(after) = &change.after else { continue };
        let mut note = |moment| moments.push((moment, &change.id, &after.task));
        let Some(before) = &change.before else {
            note(Moment::Created);
            continue;
        };
        let (was, is) = (&before.standing, &after.standing);
        if before.task.is_open() && !after.task.is_open() {
            note(Moment::Completed);
        } else if is.claim.is_some() && is.fence != was.fence {
            note(Moment::Claimed);
        } else if was.claim.is_some() && is.claim.is_none() {
            note(Moment::Released);
        }
        if is.parked && !was.parked {
            note(Moment::Parked);
        }
    }
    moments
}
