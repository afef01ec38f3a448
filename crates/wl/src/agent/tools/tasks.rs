//! The list behind the tools for tasks: opened when it is there, made when something is to be changed in it, and held as
//! a session, so that what it claimed is free the moment the process dies. Not the tools themselves.

use super::nothing;
use crate::{
    agent::{conversation::Offer, interrupt::Interrupts},
    context::Context,
    failure::Failure,
};
use std::{
    ops::ControlFlow,
    sync::{Arc, Mutex, PoisonError},
};
use worklist::{
    Actor, SessionGuard, TaskList,
    json::Json,
    tools::{Checklist, Desk, Effect, Set, Tool},
    view::{Board, TaskView},
};

/// What the agent is called, unless somebody named it.
const NAME: &str = "agent";

/// The tasks, as one agent sees them.
pub(crate) struct Tasks {
    context: Context,
    actor: Actor,
    set: Set,
    checklist: Checklist,
    opened: Mutex<Option<Opened>>,
}

#[derive(Clone)]
struct Opened {
    list: Arc<TaskList>,
    actor: Actor,
    /// Behind a lock only so that it can be shared; nobody takes it.
    _guard: Option<Arc<Mutex<SessionGuard>>>,
}

impl Tasks {
    pub(crate) fn new(context: &Context, set: Set) -> Tasks {
        Tasks {
            actor: context.lasting(NAME),
            context: context.clone(),
            set,
            checklist: Checklist::default(),
            opened: Mutex::default(),
        }
    }

    /// The list as it is there, or none.
    fn open(&self, make: Make) -> Result<Option<Opened>, Failure> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = opened.as_ref() {
            return Ok(Some(known.clone()));
        }
        let list = match make {
            Make::Yes => Some(self.context.open_or_make()?.0),
            Make::No => self.context.open_if_there()?,
        };
        let Some(list) = list else { return Ok(None) };
        let lent = self.context.is_lent();
        let (actor, guard) = if lent { (self.actor.clone(), None) } else { list.be(&self.actor)? };
        let guard = guard.map(|it| Arc::new(Mutex::new(it)));
        let found = Opened { list: Arc::new(list), actor, _guard: guard };
        *opened = Some(found.clone());
        Ok(Some(found))
    }

    pub(super) fn offers(&self) -> impl Iterator<Item = Offer> {
        let offer = |it: &'static Tool| Offer {
            name: it.name,
            description: it.description,
            schema: it.input_schema(),
        };
        self.set.tools().iter().map(offer)
    }

    /// Whether it is one of the tools for tasks, and changes something.
    pub(crate) fn changes(&self, tool: &str) -> bool {
        self.set.find(tool).is_some_and(|it| it.effect != Effect::Looks)
    }

    pub(super) fn only_looks(&self, tool: &str) -> bool {
        self.set.find(tool).is_some_and(|it| it.effect == Effect::Looks)
    }

    /// Answers a call; a word that no tool has is answered by the vocabulary.
    pub(super) fn call(&self, tool: &str, input: &Json, interrupts: &Interrupts) -> Result<String, String> {
        let make = if self.changes(tool) { Make::Yes } else { Make::No };
        let opened = self.open(make).map_err(|failure| failure.told())?;
        let empty = TaskList::in_memory();
        let (list, actor) = match &opened {
            Some(it) => (&*it.list, it.actor.clone()),
            // Looking for what is not there makes nothing.
            None => (&empty, self.actor.clone()),
        };
        let goes_on = |_| if interrupts.came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let usual = Desk::new(list, actor);
        let desk = Desk { checklist: Some(&self.checklist), goes_on: &goes_on, ..usual };
        let reply = self.set.call(&desk, tool, input);
        if reply.error.is_some() { Err(reply.text) } else { Ok(reply.text) }
    }

    /// All tasks as they are now; none without a list.
    pub(crate) fn board(&self) -> Result<Board, Failure> {
        match self.open(Make::No)? {
            Some(it) => Ok(it.list.board()?),
            None => Ok(Board::default()),
        }
    }

    /// What is open now, in the order of the list.
    pub(crate) fn pending(&self) -> Result<Vec<TaskView>, Failure> {
        Ok(self.board()?.open().cloned().collect())
    }

    /// The list in our own words, about so many tokens long.
    pub(crate) fn listed(&self, bound: usize) -> Result<String, Failure> {
        let Some(it) = self.open(Make::No)? else { return Ok("There is no list yet.".to_owned()) };
        let desk = Desk { bound, ..Desk::new(&it.list, it.actor.clone()) };
        Ok(Set::Ours.call(&desk, "TaskList", &nothing()).text)
    }

    /// The session that acts; none before there is a list.
    pub(crate) fn session(&self) -> Option<String> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.as_ref().map(|it| it.actor.session.clone())
    }
}

/// Whether a list that is not there is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Make {
    Yes,
    No,
}
