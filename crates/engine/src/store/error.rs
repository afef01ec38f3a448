//! What can go wrong with a list, each with what it was about. Not refusals by a rule, though they travel along.

use crate::{format::Unclear, rules::Refusal};
use std::{io, path::PathBuf};

/// Why a command did not do what was asked. Messages are lower-case fragments.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule said no. The list is well.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is no list.
    #[error("there is no list at {}", .path.display())]
    NoList {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The folder holds what we cannot or must not write to.
    #[error("the format of {} is not clear: {why}", .path.display())]
    Format {
        /// The folder.
        path: PathBuf,
        /// Why.
        why: Unclear,
    },
    /// The list is in another format than asked for.
    #[error("the list at {} is in format {found}, not {asked}", .path.display())]
    OtherFormat {
        /// The folder.
        path: PathBuf,
        /// The format it is in.
        found: &'static str,
        /// The format asked for.
        asked: &'static str,
    },
    /// The disk said no.
    #[error("could not {action} {file}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what, beneath the list's folder.
        file: String,
        /// Why not.
        source: io::Error,
    },
    /// The change is in the journal, but its files could not all be written.
    #[error("the change is made, but not yet in every file: {0}")]
    Unsettled(Box<Error>),
    /// Another process of ours is busy with the list.
    #[error("the list is locked by {}; waited {waited} ms", holder.as_deref().unwrap_or("another process"))]
    Locked {
        /// Who has it, if that can be told.
        holder: Option<String>,
        /// How long we waited, in milliseconds.
        waited: u64,
    },
    /// Another program is busy with a file.
    #[error("another program holds the lock {lock}; waited {waited} ms")]
    ForeignLocked {
        /// The lock, beneath the list's folder.
        lock: String,
        /// How long we waited, in milliseconds.
        waited: u64,
    },
    /// Another program keeps changing the files.
    #[error("another program kept changing {file} while we tried to")]
    Contended {
        /// The file.
        file: String,
    },
    /// A file that must be understood cannot be.
    #[error("{file} cannot be read as a task: {reason}")]
    Unreadable {
        /// The file, beneath the list's folder.
        file: String,
        /// Why not.
        reason: String,
    },
    /// The history is written in a way that came after us: whoever reads it by half would write it wrongly.
    #[error("{what} is of version {version}, and this program knows version {known} only")]
    Newer {
        /// What is written so.
        what: &'static str,
        /// What it says.
        version: String,
        /// What we can read.
        known: u64,
    },
    /// The file system cannot keep two processes apart.
    #[error("{} is on {kind}, where processes cannot be kept apart; it can be read, not changed", .path.display())]
    Unfit {
        /// The folder.
        path: PathBuf,
        /// The file system.
        kind: String,
    },
    /// A server does not do what was asked, or cannot be reached. Nothing was changed.
    #[error("could not {action} {server}: {reason}")]
    Server {
        /// What was tried.
        action: &'static str,
        /// On which, without secrets.
        server: String,
        /// Why not.
        reason: String,
        /// Whether it may be there again in a moment.
        away: bool,
    },
    /// The way to the server was cut before it answered, and it cannot be asked what became of the change.
    #[error("the answer of {server} was lost, and it cannot be asked whether the change was made: {reason}")]
    Unanswered {
        /// Which server.
        server: String,
        /// Why it cannot be asked.
        reason: String,
    },
    /// A session that nobody heard of for so long that others may have been given its tasks.
    #[error("nothing was heard of {session} for too long")]
    Silent {
        /// Which.
        session: String,
    },
    /// A database keeps lists in a way that came before us.
    #[error("{}", older(server, *found, *needed))]
    Older {
        /// Which server.
        server: String,
        /// What it has; 0 is nothing.
        found: i32,
        /// What is needed.
        needed: i32,
    },
    /// The event to undo is not in the history any more, or never was.
    #[error("there is no event {seq} in the history")]
    NoEvent {
        /// Its number.
        seq: u64,
    },
}

fn older(server: &str, found: i32, needed: i32) -> String {
    match found {
        0 => format!("there is no room for lists in {server} yet"),
        _ => format!("{server} keeps lists by schema {found}, and this program needs schema {needed}"),
    }
}

impl Error {
    /// Wraps a failure of the disk with what was tried on what.
    pub(crate) fn io(action: &'static str, file: &str) -> impl FnOnce(io::Error) -> Error {
        let file = file.to_owned();
        move |source| Error::Io { action, file, source }
    }

    /// Whether this process, or the machine, has too many files open: whatever file it was about can do nothing for it.
    pub(crate) fn is_shortage(&self) -> bool {
        #[cfg(unix)]
        if let Error::Io { source, .. } = self {
            use rustix::io::Errno;
            return matches!(Errno::from_io_error(source), Some(Errno::MFILE | Errno::NFILE));
        }
        false
    }

    /// Whether a server, or the way to it, is away: what could not be done now may be done in a while.
    pub fn is_absence(&self) -> bool {
        matches!(self, Error::Server { away: true, .. } | Error::Unanswered { .. } | Error::Silent { .. })
    }

    /// The word for it in JSON.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Refused(refusal) => refusal.code(),
            Error::NoList { .. } => "no_list",
            Error::Format { .. } => "unclear_format",
            Error::OtherFormat { .. } => "other_format",
            Error::Io { .. } => "io",
            Error::Unsettled(_) => "unsettled",
            Error::Locked { .. } | Error::ForeignLocked { .. } => "locked",
            Error::Contended { .. } => "contended",
            Error::Unreadable { .. } => "unreadable",
            Error::Newer { .. } => "newer",
            Error::Server { .. } | Error::Silent { .. } => "server",
            Error::Unanswered { .. } => "unanswered",
            Error::Older { .. } => "older",
            Error::Unfit { .. } => "unfit",
            Error::NoEvent { .. } => "no_event",
        }
    }
}
