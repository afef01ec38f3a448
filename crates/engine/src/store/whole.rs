//! All of a list as one value: what it takes to lay the same list down elsewhere, history included.
//! Not a backup on disk: exports and conversions are made of it.

use crate::{
    claim::Entry,
    event::{Cut, Event},
    id::TaskId,
    rules::{Change, PlanNote},
};
use std::{collections::HashMap, sync::Arc};

/// Everything that a list knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Whole {
    /// The number of the last event that is not told any more.
    pub from: u64,
    /// The highest id that was ever given, where ids are numbers.
    pub highest: u64,
    /// Plans whose events are not told any more.
    pub plans: Vec<PlanNote>,
    /// What is remembered of those events.
    pub cut: Option<Cut>,
    /// The tasks, in the order of the list.
    pub entries: Vec<Entry>,
    /// The history, in its order.
    pub events: Vec<Event>,
}

impl Whole {
    /// The number of the last event.
    pub fn seq(&self) -> u64 {
        self.events.last().map_or(self.from, |it| it.seq)
    }

    /// Whether there is neither a task nor a past.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.seq() == 0
    }

    /// The highest claim number that it speaks of.
    pub fn highest_fence(&self) -> u64 {
        let past = self.events.iter().flat_map(|it| &it.changes);
        let past = past.flat_map(|it| it.before.iter().chain(&it.after)).map(|it| &**it);
        self.entries.iter().chain(past).map(|it| it.standing.fence).max().unwrap_or(0)
    }

    /// The same where tasks have other names, also in the past.
    #[must_use]
    pub fn renamed(&self, names: &HashMap<TaskId, TaskId>) -> Whole {
        let name = |id: &TaskId| names.get(id).unwrap_or(id).clone();
        let entry = |it: &Entry| Entry { task: it.task.renamed(names), ..it.clone() };
        let plan = |it: &PlanNote| PlanNote {
            key: it.key.clone(),
            names: it.names.iter().map(|(local, id)| (local.clone(), name(id))).collect(),
        };
        let change = |it: &Change| Change {
            id: name(&it.id),
            before: it.before.as_deref().map(entry).map(Arc::new),
            after: it.after.as_deref().map(entry).map(Arc::new),
        };
        let event = |it: &Event| Event {
            changes: it.changes.iter().map(change).collect(),
            freed: it.freed.iter().map(name).collect(),
            plan: it.plan.as_ref().map(plan),
            ..it.clone()
        };
        Whole {
            plans: self.plans.iter().map(plan).collect(),
            entries: self.entries.iter().map(entry).collect(),
            events: self.events.iter().map(event).collect(),
            ..self.clone()
        }
    }
}
