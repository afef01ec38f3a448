//! Where calls are answered: the list, opened when it is needed and again when it is another one, and who acts in it.
//! Not the protocol.

use super::{
    callers::Caller,
    sessions::{Lasts, Sessions},
};
use crate::{context::Context, failure::Failure, settings::Origin};
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
    /// The session of this process, unless the caller has one of its own.
    session: String,
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
        // A session that nobody named is this process's own, not the user's.
        let session = match context.named_by[1] {
            Origin::Default => format!("mcp-{:08x}", token_of_process()),
            _ => context.actor.session.clone(),
        };
        Office {
            context,
            set,
            bound,
            session,
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
            match self.context.open() {
                Ok(list) => *opened = Some(Opened { list: Arc::new(list), folder }),
                Err(failure) if failure.code == "no_list" => return Ok(None),
                Err(failure) => return Err(failure),
            }
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
        let unnamed =
            matches!(self.context.named_by[0], Origin::Default | Origin::Variable("USER" | "LOGNAME"));
        let agent = caller.client.as_ref().filter(|_| unnamed).unwrap_or(&self.context.actor.agent);
        Actor::new(agent.clone(), self.session.clone())
    }

    /// Becomes the session of the caller, and of the agent that it names in the call.
    fn be(&self, list: &TaskList, actor: &Actor, call: &Call<'_>) -> Result<Actor, Failure> {
        let now = SystemClock.ticks();
        let within = if call.caller.session.is_some() { Lasts::Client } else { Lasts::Agent };
        let lasts = if actor.session == self.session { Lasts::Always } else { within };
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

/// What a model is told when the list cannot be used at all.
fn failed(failure: &Failure) -> Reply {
    let hint = failure.hint.as_ref().map(|it| format!(" {it}.")).unwrap_or_default();
    Reply { text: format!("Failed: {}.{hint}", failure.message), error: Some(failure.code), structured: None }
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

/// Something that no other process has.
fn token_of_process() -> u64 {
    getrandom::u64().unwrap_or_else(|_| u64::from(std::process::id())) & 0xFFFF_FFFF
}
