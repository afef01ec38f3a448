//! A list that lives as long as its process. For tests and for programs that want the rules without the files.

use super::{Decide, Done, Error, Held, History, Listing, Look, SessionGuard, Store, Whole};
use crate::{
    claim::{Actor, Claim, Entry, Life},
    clock::Clock,
    event::{Cut, Event, Origin},
    id::TaskId,
    rules::{PlanNote, Refusal, Request, Tasks},
    time::Time,
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// A store in memory. Ids are numbers.
pub struct Memory {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    entries: BTreeMap<TaskId, Arc<Entry>>,
    events: Vec<Event>,
    highest: u64,
    token: u64,
    /// What the list is told to have been before its first event.
    from: u64,
    plans: Vec<PlanNote>,
    cut: Option<Cut>,
    /// The last sign of life of each session, in ticks.
    renewed: HashMap<String, u64>,
}

impl Memory {
    /// An empty list.
    pub fn new(clock: Arc<dyn Clock>) -> Memory {
        Memory { clock, state: Mutex::default(), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Memory {
    fn transact(&self, request: &Request, command: &str, decide: Decide<'_>) -> Result<Done, Error> {
        let mut state = self.state();
        let ticks = self.clock.ticks();
        // Whoever asks is alive, also if it is refused.
        state.renewed.insert(request.actor.session.clone(), ticks);
        let decision = decide(&View { state: &state, ticks, now: request.now })?;
        for change in &decision.changes {
            state.highest = state.highest.max(change.id.number().unwrap_or(0));
            match &change.after {
                Some(entry) => {
                    state.token = state.token.max(entry.standing.fence);
                    state.entries.insert(change.id.clone(), entry.clone());
                }
                None => _ = state.entries.remove(&change.id),
            }
        }
        let seq = state.events.last().map_or(state.from, |it| it.seq) + 1;
        let event = (!decision.changes.is_empty()).then(|| Event {
            changes: decision.changes.clone(),
            freed: decision.freed.clone(),
            plan: decision.plan.clone(),
            reason: decision.reason.clone(),
            undoes: decision.undoes,
            ..Event::bare(seq, request.now, &request.actor, command, Origin::Ours)
        });
        state.events.extend(event.clone());
        self.changed.notify_all();
        let about = decision.about.iter().filter_map(|id| state.entries.get(id).cloned()).collect();
        Ok(Done { decision, event, about, problems: Vec::new() })
    }

    fn read(&self, id: &TaskId) -> Result<Look, Error> {
        Ok(Look { entry: self.state().entries.get(id).cloned(), problems: Vec::new() })
    }

    fn list(&self) -> Result<Listing, Error> {
        let entries = self.state().entries.values().cloned().collect();
        Ok(Listing { entries, problems: Vec::new() })
    }

    fn events_after(&self, seq: u64) -> Result<Vec<Event>, Error> {
        Ok(self.state().events.iter().filter(|it| it.seq > seq).cloned().collect())
    }

    fn seq(&self) -> Result<u64, Error> {
        let state = self.state();
        Ok(state.events.last().map_or(state.from, |it| it.seq))
    }

    fn history(&self, id: &TaskId, latest: usize) -> Result<History, Error> {
        Ok(History::of(self.state().events.clone(), id, latest))
    }

    fn whole(&self) -> Result<Whole, Error> {
        let state = self.state();
        Ok(Whole {
            from: state.from,
            highest: state.highest,
            plans: state.plans.clone(),
            cut: state.cut.clone(),
            entries: state.entries.values().map(|it| Entry::clone(it)).collect(),
            events: state.events.clone(),
        })
    }

    fn found(&self, whole: &Whole) -> Result<(), Error> {
        let mut state = self.state();
        if !state.entries.is_empty() || !state.events.is_empty() || state.from > 0 {
            return Err(Refusal::invalid("list", "is not empty: it has tasks or a history").into());
        }
        state.entries = whole.entries.iter().map(|it| (it.task.id.clone(), Arc::new(it.clone()))).collect();
        state.events.clone_from(&whole.events);
        (state.from, state.highest, state.token) = (whole.from, whole.highest, whole.highest_fence());
        (state.plans, state.cut) = (whole.plans.clone(), whole.cut.clone());
        Ok(())
    }

    fn renew(&self, actor: &Actor) -> Result<(), Error> {
        self.state().renewed.insert(actor.session.clone(), self.clock.ticks());
        Ok(())
    }

    fn hold_session(&self, _actor: &Actor) -> Result<Option<SessionGuard>, Error> {
        // Whoever is gone has taken the list along.
        Ok(Some(SessionGuard::new(Here)))
    }

    fn life(&self, claim: &Claim) -> Life {
        View { state: &self.state(), ticks: self.clock.ticks(), now: self.clock.now() }.life(claim)
    }

    fn wait(&self, milliseconds: u64) -> bool {
        let wait = Duration::from_millis(milliseconds);
        self.changed.wait_timeout(self.state(), wait).is_ok_and(|(_, late)| !late.timed_out())
    }
}

struct Here;

impl Held for Here {
    fn stands(&self) -> bool {
        true
    }
}

struct View<'a> {
    state: &'a State,
    ticks: u64,
    now: Time,
}

impl Tasks for View<'_> {
    fn get(&self, id: &TaskId) -> Option<Arc<Entry>> {
        self.state.entries.get(id).cloned()
    }

    fn all(&self) -> Vec<Arc<Entry>> {
        self.state.entries.values().cloned().collect()
    }

    fn dependents(&self, id: &TaskId) -> Vec<TaskId> {
        self.get(id).map(|it| it.task.blocks.clone()).unwrap_or_default()
    }

    fn is_seen_done(&self, id: &TaskId) -> Option<bool> {
        Some(self.state.entries.get(id).is_some_and(|it| !it.task.is_open()))
    }

    fn life(&self, claim: &Claim) -> Life {
        let since = self.state.renewed.get(&claim.by.session).copied().unwrap_or(0);
        let silent = i64::try_from(self.ticks.saturating_sub(since)).unwrap_or(i64::MAX);
        Life::of(claim, silent, self.now)
    }

    fn fresh_ids(&self, count: usize) -> Vec<TaskId> {
        (1..=count as u64).map(|n| TaskId::from(self.state.highest + n)).collect()
    }

    fn fits(&self, id: &TaskId) -> bool {
        id.is_plain()
    }

    fn next_token(&self) -> u64 {
        self.state.token + 1
    }

    fn planned(&self, key: &str) -> Option<PlanNote> {
        let told = self.state.events.iter().filter_map(|it| it.plan.as_ref());
        self.state.plans.iter().chain(told).rfind(|it| it.key.as_deref() == Some(key)).cloned()
    }
}
