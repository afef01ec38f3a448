//! A decision as one question that writes it: what it was made on, what it changes, what history is told.
//! Not when it is asked, nor what is done about the answer.

use crate::{code, link::Line, sessions::Sign, trouble::Trouble, view::View};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tokio_postgres::types::{ToSql, Type};
use worklist::{
    TaskId,
    claim::{Actor, Entry},
    event::{Event, Origin},
    json::{Json, Style, write},
    rules::{Change, Decision, Outline, Request, Tasks},
};

/// All that writing a decision takes.
pub(crate) struct Writing {
    seen: BTreeMap<TaskId, i64>,
    absent: Vec<String>,
    written: BTreeSet<TaskId>,
    tasks: String,
    gone: Vec<String>,
    freed: Vec<String>,
    bound: Vec<String>,
    touched: Vec<String>,
    given: i64,
    /// Whether the graph is another afterwards: then only one at a time writes.
    pub(crate) reshaped: bool,
    pub(crate) event: Event,
    actor: Actor,
}

/// Which sending of which attempt of which command it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sending<'a> {
    /// The command: no other has it.
    pub(crate) key: &'a str,
    pub(crate) attempt: usize,
    /// Whether it was sent before, and the answer was lost: then it may be written already.
    pub(crate) is_again: bool,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It is written, under this number; and what the server knows of the session now.
    Done(u64, Written),
    /// It had been written already, by this attempt.
    Known(u64, usize),
    /// What it was made on has changed: nothing was written.
    Changed,
}

/// What else is known once it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Written {
    /// The session's sign of life, which this was.
    pub(crate) sign: Sign,
    /// Whether it is time to tell those who listen.
    pub(crate) is_due: bool,
}

impl Writing {
    /// Works out what is written, without writing.
    pub(crate) fn of(view: &View<'_, '_>, request: &Request, command: &str, decision: &Decision) -> Writing {
        let changes = &decision.changes;
        let after: HashMap<&TaskId, Option<&Entry>> =
            changes.iter().map(|it| (&it.id, it.after.as_deref())).collect();
        let waits = |entry: &Entry| {
            let is_done = |id: &TaskId| match after.get(id) {
                Some(entry) => entry.is_some_and(|it| !it.task.is_open()),
                None => view.get(id).is_some_and(|it| !it.task.is_open()),
            };
            !entry.task.blocked_by.iter().all(is_done)
        };
        // Whether it waits concerns only what could be started otherwise: the rest is not looked at.
        let row = |it: &Entry| code::columns(it, Outline::of(it).is_startable() && waits(it));
        let tasks = changes.iter().filter_map(|it| it.after.as_deref()).map(row).collect();
        let (mut freed, mut bound) = (Vec::new(), Vec::new());
        let dependents: BTreeSet<&TaskId> =
            changes.iter().filter(|it| it.turns()).flat_map(blocked).collect();
        for id in dependents.into_iter().filter(|it| !after.contains_key(it)) {
            let Some(entry) = view.get(id).filter(|it| Outline::of(it).is_startable()) else { continue };
            if waits(&entry) { bound.push(text(id)) } else { freed.push(text(id)) }
        }
        let mut written: BTreeSet<TaskId> = changes.iter().map(|it| it.id.clone()).collect();
        written.extend(freed.iter().chain(&bound).map(|it| TaskId::found(it)));
        let asked = view.asked();
        let mut event = Event::bare(0, request.now, &request.actor, command, Origin::Ours);
        event.changes.clone_from(changes);
        event.freed.clone_from(&decision.freed);
        event.plan.clone_from(&decision.plan);
        event.reason.clone_from(&decision.reason);
        event.undoes = decision.undoes;
        let numbers = changes.iter().filter_map(|it| it.id.number()).filter_map(|it| i64::try_from(it).ok());
        let missing = asked.iter().filter(|(_, rev)| rev.is_none()).map(|(id, _)| text(id));
        Writing {
            absent: missing.collect(),
            seen: asked.into_iter().filter_map(|(id, rev)| Some((id, rev?))).collect(),
            written,
            tasks: write(&Json::Array(tasks), Style::COMPACT, ""),
            gone: changes.iter().filter(|it| it.after.is_none()).map(|it| text(&it.id)).collect(),
            freed,
            bound,
            touched: changes.iter().map(|it| text(&it.id)).collect(),
            given: numbers.max().unwrap_or(0),
            reshaped: changes.iter().any(reshapes),
            event,
            actor: request.actor.clone(),
        }
    }

    /// Asks for it to be written, for the first time or again.
    pub(crate) fn send(
        &self,
        line: &mut Line<'_>,
        list: i64,
        sending: Sending<'_>,
    ) -> Result<Answer, Trouble> {
        let Sending { key, attempt, is_again } = sending;
        let attempt = i32::try_from(attempt).unwrap_or(i32::MAX);
        let ids: Vec<&str> = self.seen.keys().map(TaskId::as_str).collect();
        let revs: Vec<i64> = self.seen.values().copied().collect();
        let written: Vec<bool> = self.seen.keys().map(|it| self.written.contains(it)).collect();
        let body = code::event_text(&self.event);
        let plan = self.event.plan.as_ref().and_then(|it| it.key.as_deref());
        let (session, agent) = (self.actor.session.as_str(), self.actor.agent.as_str());
        let values: [(&(dyn ToSql + Sync), Type); 19] = [
            (&list, Type::INT8),
            (&key, Type::TEXT),
            (&attempt, Type::INT4),
            (&is_again, Type::BOOL),
            (&ids, Type::TEXT_ARRAY),
            (&revs, Type::INT8_ARRAY),
            (&written, Type::BOOL_ARRAY),
            (&self.absent, Type::TEXT_ARRAY),
            (&self.tasks, Type::TEXT),
            (&self.gone, Type::TEXT_ARRAY),
            (&self.freed, Type::TEXT_ARRAY),
            (&self.bound, Type::TEXT_ARRAY),
            (&body, Type::TEXT),
            (&plan, Type::TEXT),
            (&self.touched, Type::TEXT_ARRAY),
            (&self.given, Type::INT8),
            (&self.reshaped, Type::BOOL),
            (&session, Type::TEXT),
            (&agent, Type::TEXT),
        ];
        let question = "SELECT outcome, number, attempt, now, held, now, started, is_due FROM worklist.commit(\
            $1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)";
        let row = line.last_row(question, &values)?;
        let number = row.get::<_, i64>(1).unsigned_abs();
        Ok(match row.get::<_, &str>(0) {
            "done" => Answer::Done(number, Written { sign: Sign::of_row(&row, 3), is_due: row.get(7) }),
            "known" => Answer::Known(number, usize::try_from(row.get::<_, i32>(2)).unwrap_or(0)),
            _ => Answer::Changed,
        })
    }
}

fn text(id: &TaskId) -> String {
    id.as_str().to_owned()
}

/// What waits for a task, before or after.
fn blocked(change: &Change) -> impl Iterator<Item = &TaskId> {
    change.before.iter().chain(&change.after).flat_map(|it| &it.task.blocks)
}

/// Whether the graph is another: a task more or less, other edges, or one that is open again.
fn reshapes(change: &Change) -> bool {
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => {
            let (before, after) = (&before.task, &after.task);
            before.blocked_by != after.blocked_by
                || before.blocks != after.blocks
                || (!before.is_open() && after.is_open())
        }
        _ => true,
    }
}
