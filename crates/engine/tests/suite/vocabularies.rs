//! The tool vocabularies: what the original programs answered is answered again, call by call, and where the documents
//! or our rules decide otherwise, that is written down with its reason. Not the protocols that carry calls.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests prepare folders by hand")]

mod client;
mod exceptions;
mod recordings;
mod todo;
mod words;

use std::{path::Path, sync::Arc};
use tempfile::TempDir;
use worklist::{
    Actor, TaskList,
    format::named,
    json::{Json, Object, parse},
    store::files::Files,
    tools::{Checklist, Desk, Reply, Set},
    vfs::{Disk, sim::SimClock},
};

/// A vocabulary at work on a real folder, with a clock that moves only when told to.
pub(crate) struct Office {
    folder: TempDir,
    clock: SimClock,
    format: &'static str,
    set: Set,
    list: TaskList,
    checklist: Checklist,
}

impl Office {
    fn new(set: Set, format: &'static str) -> Office {
        let folder = tempfile::tempdir().unwrap();
        let clock = SimClock::new(1);
        let list = open(folder.path(), &clock, format);
        Office { list, folder, clock, format, set, checklist: Checklist::new() }
    }

    /// Opens the list anew, as another process does.
    fn restart(&mut self) {
        self.list = open(self.folder.path(), &self.clock, self.format);
    }

    fn call_as(&self, agent: &str, name: &str, input: &Json) -> Reply {
        let actor = Actor::new(agent, format!("session-of-{agent}"));
        let checklist = Some(&self.checklist);
        self.set.call(&Desk { bound: 10_000, checklist, ..Desk::new(&self.list, actor) }, name, input)
    }

    /// A call by `agent`, with its input as JSON.
    fn call(&self, name: &str, input: &str) -> Reply {
        self.call_as("agent", name, &parse(input).unwrap())
    }

    /// The text of its answer.
    fn said(&self, name: &str, input: &str) -> String {
        self.call(name, input).text
    }

    fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(file)).unwrap_or_else(|it| panic!("{file}: {it}"))
    }
}

fn open(folder: &Path, clock: &SimClock, format: &str) -> TaskList {
    let disk = Arc::new(Disk::open(folder, false).unwrap());
    let clock = Arc::new(clock.clone());
    let files = Files::open(disk, clock.clone(), folder, named(format)).unwrap();
    TaskList::of_files(files, clock)
}

fn object(text: &str) -> Object {
    parse(text).unwrap_or_else(|it| panic!("{it}: {text}")).as_object().unwrap().clone()
}
