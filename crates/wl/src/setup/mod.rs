//! Puts Worklist into the clients that agents run in, keeps it current there, and takes it out again. Never more than an
//! entry, a marked block, or a folder of its own: everything else in the files of others keeps its bytes.

mod block;
mod clients;
mod entry;
mod export;
mod files;
mod jsonc;
mod native;
mod plan;
mod plugin;
mod records;
mod report;
mod standing;
mod table;

pub(crate) use clients::{CLIENTS, Client};
pub(crate) use export::export;
pub(crate) use plan::{Aim, Plan, Request};
pub(crate) use report::{Outcome, overview};
pub(crate) use standing::standings;

use clients::Site;
use entry::Entry;
use records::Made;
use std::path::PathBuf;
use table::Table;
use worklist::json::Malformed;

/// For whom a client is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// For everybody who works on this project.
    Project,
    /// For all projects of this user.
    User,
}

impl Scope {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scope::Project => "project",
            Scope::User => "user",
        }
    }
}

/// How a thing stands that set-up puts somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    Current,
    Missing,
    /// It says something older, or another program is to be started.
    Stale,
    /// Somebody changed it by hand.
    Edited,
}

impl State {
    pub(crate) fn name(self) -> &'static str {
        match self {
            State::Current => "current",
            State::Missing => "missing",
            State::Stale => "stale",
            State::Edited => "edited",
        }
    }
}

/// A file, and what is put into it.
struct Part {
    path: PathBuf,
    what: What,
}

/// What is put into a file.
enum What {
    /// Everything: the file is ours. With its path in our folder.
    Whole(&'static str, String),
    Entries(Vec<Entry>),
    Table(Table),
    Block(String),
}

impl What {
    fn state(&self, text: &str) -> Result<State, Fault> {
        match self {
            What::Whole(_, wanted) if text.replace("\r\n", "\n") == *wanted => Ok(State::Current),
            What::Whole(..) => Ok(State::Stale),
            What::Table(table) => table.state(text),
            What::Block(wanted) => block::state(text, wanted),
            What::Entries(entries) => {
                let states: Result<Vec<State>, Fault> = entries.iter().map(|it| it.state(text)).collect();
                let states = states?;
                let all_missing = states.iter().all(|it| *it == State::Missing);
                let worst = states.into_iter().max().unwrap_or(State::Current);
                Ok(if worst == State::Missing && !all_missing { State::Stale } else { worst })
            }
        }
    }

    /// The text with it, and how many objects around it are new.
    fn put(&self, text: Option<&str>) -> Result<(String, usize), Fault> {
        match self {
            What::Whole(_, wanted) => Ok((wanted.clone(), 0)),
            What::Table(table) => Ok((table.put(text.unwrap_or(""))?, 0)),
            What::Block(wanted) => Ok((block::put(text.unwrap_or(""), wanted)?, 0)),
            What::Entries(entries) => {
                let start = (text.unwrap_or("{}\n").to_owned(), 0);
                entries.iter().try_fold(start, |(text, objects), it| {
                    let (text, more) = it.put(&text)?;
                    Ok((text, objects.max(more)))
                })
            }
        }
    }

    /// The text without it, and without what was made for it.
    fn take(&self, text: &str, made: &Made) -> Result<String, Fault> {
        match self {
            What::Whole(..) => Ok(String::new()),
            What::Table(table) => table.take(text),
            What::Block(_) => block::take(text),
            What::Entries(entries) => {
                let ours = entries.iter().filter(|it| made.has_key(it.key()));
                ours.map(|it| (it, made.objects))
                    .try_fold(text.to_owned(), |text, (it, around)| it.take(&text, around))
            }
        }
    }

    /// Whether a text without it says nothing.
    fn is_nothing(&self, rest: &str) -> bool {
        match self {
            What::Entries(_) => entry::is_empty(rest),
            _ => rest.trim().is_empty(),
        }
    }

    /// The keys that are not there yet.
    fn missing_keys(&self, text: Option<&str>) -> Vec<String> {
        let What::Entries(entries) = self else { return Vec::new() };
        let is_missing =
            |it: &&Entry| text.is_none_or(|text| it.state(text).is_ok_and(|it| it == State::Missing));
        entries.iter().filter(is_missing).map(|it| it.key().to_owned()).collect()
    }
}

/// Why a text cannot be changed.
#[derive(Debug)]
struct Fault(String);

impl Fault {
    fn new(reason: &str) -> Fault {
        Fault(reason.to_owned())
    }
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Fault {
        Fault(malformed.to_string())
    }
}
