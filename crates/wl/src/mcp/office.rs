//! Where calls are answered: the list, opened when it is needed and again when it is another one, and who acts in it.
//! Not the protocol.

use super::{
    callers::Caller,
    sessions::{Lasts, Sessions},
};
use crate::{context::Context, failure::Failure};
use std::{
    collections::HashMap,
    fs,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};
use worklist::{
    Actor, GoesOn, TaskList,
    clock::{Clock, SystemClock},
    json::Json,
    tools::{Checklist, Desk, Effect, Reply, Set, Word},
};

/// So long a call waits for the list's lock: many agents may stand in line, and none of them minds.
const PATIENCE_MS: u64 = 20_000;

/// The one place behind all connections.
pub(super) struct Office {
    context: Context,
    pub(super) set: Set,
    bound: usize,
    /// Whom this process acts for, unless the caller has a session of its own.
    own: Actor,
    opened: Mutex<Option<Opened>>,
    sessions: Sessions,
    checklists: Mutex<HashMap<String, Arc<Checklist>>>,
}

struct Opened {
    list: Arc<TaskList>,
    folder: Option<u64>,
}

/// A call of a tool.
pub(super) struct Call<'a> {
    pub(super) caller: &'a Caller,
    pub(super) tool: &'a str,
    pub(super) input: &'a Json,
    pub(super) word: Word,
    pub(super) goes_on: GoesOn<'a>,
}

impl Office {
    pub(super) fn new(mut context: Context, set: Set, bound: usize) -> Office {
        context.options.wait_ms = Some(PATIENCE_MS);
        let own = context.lasting("mcp");
        Office {
            context,
            set,
            bound,
            own,
            opened: Mutex::default(),
            sessions: Sessions::default(),
            checklists: Mutex::default(),
        }
    }

    /// Where notes of hooks are.
    pub(super) fn state(&self) -> Option<&Path> {
        self.context.state.as_deref()
    }

    /// Answers a call of a tool. Whatever goes wrong is an answer, too.
    pub(super) fn call(&self, call: &Call<'_>) -> Reply {
        let changes = self.set.find(call.tool).is_some_and(|it| it.effect != Effect::Looks);
        match self.list_for(changes) {
            Ok(list) => self.answered(&list, call, changes),
            Err(failure) => failed(&failure),
        }
    }

    fn answered(&self, list: &TaskList, call: &Call<'_>, changes: bool) -> Reply {
        let mut actor = call.caller.actor(&self.own(call.caller));
        if changes {
            match self.be(list, &actor, call) {
                Ok(known) => actor = known,
                Err(failure) => return failed(&failure),
            }
        }
        let checklist = self.checklist(&actor.session);
        let usual = Desk::new(list, actor);
        let desk = Desk {
            bound: self.bound,
            checklist: Some(&checklist),
            word: call.word,
            goes_on: call.goes_on,
            ..usual
        };
        self.set.call(&desk, call.tool, call.input)
    }

    /// Answers a look with our own words, whatever vocabulary the tools have.
    pub(super) fn look(&self, caller: &Caller, tool: &str, input: &Json, bound: usize) -> Reply {
        match self.list_for(false) {
            Ok(list) => {
                let usual = Desk::new(&list, caller.actor(&self.own(caller)));
                Set::Ours.call(&Desk { bound, ..usual }, tool, input)
            }
            Err(failure) => failed(&failure),
        }
    }

    /// The list as it is there, or none.
    pub(super) fn list(&self) -> Result<Option<Arc<TaskList>>, Failure> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = number(&self.context.folder);
        if opened.as_ref().is_some_and(|it| it.folder != folder) {
            // Removed, moved, or put in its place by `wl convert`.
            *opened = None;
            self.sessions.clear();
        }
        if opened.is_none() {
            let found = self.context.open_if_there()?;
            *opened = found.map(|list| Opened { list: Arc::new(list), folder });
        }
        Ok(opened.as_ref().map(|it| it.list.clone()))
    }

    /// The list. Looking for what is not there makes nothing.
    fn list_for(&self, changes: bool) -> Result<Arc<TaskList>, Failure> {
        match (self.list()?, changes) {
            (Some(list), _) => Ok(list),
            (None, false) => Ok(Arc::new(TaskList::in_memory())),
            (None, true) => {
                self.context.make()?;
                self.list()?.ok_or_else(|| Failure::gone(&self.context.folder))
            }
        }
    }

    /// Ends what a connection of its own session held.
    pub(super) fn leave(&self, caller: &Caller) {
        if caller.session.is_some() {
            self.sessions.end(&caller.actor(&self.own(caller)).session);
        }
    }

    /// Ends the sessions that fell silent, now and then.
    pub(super) fn sweep(&self) {
        self.sessions.end_silent(SystemClock.ticks());
    }

    /// Whom the server acts for: as it was told at its start, else by the name of the client.
    fn own(&self, caller: &Caller) -> Actor {
        let agent = caller.client.as_ref().filter(|_| !self.context.told_who()).unwrap_or(&self.own.agent);
        Actor::new(agent.clone(), self.own.session.clone())
    }

    /// Becomes the session of the caller, and of the agent that it names in the call.
    fn be(&self, list: &TaskList, actor: &Actor, call: &Call<'_>) -> Result<Actor, Failure> {
        let now = SystemClock.ticks();
        let within = if call.caller.session.is_some() { Lasts::Client } else { Lasts::Agent };
        let own = if self.context.is_lent() { Lasts::Lent } else { Lasts::Always };
        let lasts = if actor.session == self.own.session { own } else { within };
        let known = self.sessions.be(list, actor, lasts, now)?;
        let agent =
            call.input.as_object().and_then(|it| it.get("agent")).and_then(Json::as_str).map(str::trim);
        if let Some(agent) = agent.filter(|it| self.set == Set::Ours && !it.is_empty()) {
            self.sessions.be(list, &known.within(agent), within, now)?;
        }
        Ok(known)
    }

    fn checklist(&self, session: &str) -> Arc<Checklist> {
        let mut all = self.checklists.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(session.to_owned()).or_default().clone()
    }
}

fn failed(failure: &Failure) -> Reply {
    Reply { text: failure.told(), error: Some(failure.code), structured: None }
}

/// The number of a folder on its disk.
#[cfg(unix)]
fn number(folder: &Path) -> Option<u64> {
    fs::metadata(folder).ok().map(|it| std::os::unix::fs::MetadataExt::ino(&it))
}

/// Where folders have no numbers, a list that is put in another's place is seen after the next write.
#[cfg(not(unix))]
fn number(folder: &Path) -> Option<u64> {
    fs::metadata(folder).ok().map(|_| 0)
}
