//! One change of a list, as history keeps it. Not a message: what a surface says of it is the surface's business.

use crate::{
    claim::Actor,
    id::TaskId,
    rules::{Change, PlanNote},
    time::Time,
};

/// The verb of foreign changes for which an agent answers: its client made them on its behalf.
pub const ADOPTED: &str = "adopt";

/// What one command, or one look at somebody else's changes, did to the list. All of it happened at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its number: one more than that of the event before.
    pub seq: u64,
    /// When it was decided or noticed. For order use `seq`.
    pub at: Time,
    /// Who did it; for foreign changes who noticed them.
    pub actor: Actor,
    /// The verb.
    pub command: String,
    /// Whether a program that does not know us made the change.
    pub origin: Origin,
    /// What became of which task.
    pub changes: Vec<Change>,
    /// The tasks that this change freed.
    pub freed: Vec<TaskId>,
    /// What a plan made.
    pub plan: Option<PlanNote>,
    /// Why a claim was given back.
    pub reason: Option<String>,
    /// The event that this one took back.
    pub undoes: Option<u64>,
}

impl Event {
    /// Who made it, where that is known.
    pub fn author(&self) -> Option<&Actor> {
        (self.origin != Origin::Foreign || self.command == ADOPTED).then_some(&self.actor)
    }

    /// An event of which nothing is known yet but who, when and what.
    pub fn bare(seq: u64, at: Time, actor: &Actor, command: &str, origin: Origin) -> Event {
        Event {
            seq,
            at,
            actor: actor.clone(),
            command: command.to_owned(),
            origin,
            changes: Vec::new(),
            freed: Vec::new(),
            plan: None,
            reason: None,
            undoes: None,
        }
    }
}

/// What is remembered of events that are not kept any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// How many there were.
    pub events: u64,
    /// When the first was.
    pub first: Time,
    /// When the last was.
    pub last: Time,
    /// How many tasks were made by them.
    pub made: u64,
    /// How many were completed.
    pub completed: u64,
    /// How many were removed.
    pub removed: u64,
}

/// Who made a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A command of ours.
    Ours,
    /// Another program or a person wrote the files; we noticed.
    Foreign,
    /// Another program laid back what it had read before our change; we put ours back.
    Repair,
}

impl Origin {
    /// The word for it in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Ours => "ours",
            Origin::Foreign => "foreign",
            Origin::Repair => "repair",
        }
    }

    /// The origin that a word names.
    pub fn named(name: &str) -> Option<Origin> {
        [Origin::Ours, Origin::Foreign, Origin::Repair].into_iter().find(|it| it.name() == name)
    }
}
