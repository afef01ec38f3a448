//! Looking a list in files over, and mending what is safe. Looking writes nothing at all; a mend does only what the
//! look has shown, and what it replaces is kept.

mod claims;
mod client;
mod content;
mod copies;
mod edges;
mod facts;
mod folder;
mod journal;
mod locks;
mod mend;
mod replace;
mod rights;
mod unmend;

pub use mend::Mended;
pub use unmend::Unmended;

pub(super) use mend::mend;
pub(super) use unmend::unmend;

use super::Files;
use crate::{id::TaskId, rules::Command, store::Error};
use facts::Facts;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing need be done.
    Note,
    /// Somebody may be held up or misled by it.
    Warning,
    /// A task cannot be read or done as long as it is so.
    Fault,
}

impl Severity {
    /// The word for it in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Fault => "fault",
        }
    }
}

/// One thing about a list that is not as it should be, or worth knowing.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The word for it in JSON.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The file that it is about, beneath the list's folder.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<usize>,
    /// The task that it is about.
    pub task: Option<TaskId>,
    /// What is so, as a lower-case fragment.
    pub message: String,
    /// What a person could do about it.
    pub advice: Option<String>,
    /// What we could do about it.
    pub mend: Option<Mend>,
}

/// What would be done about a finding.
#[derive(Debug, Clone)]
pub struct Mend {
    /// What, in one line.
    pub what: String,
    /// The files that would change.
    pub files: Vec<Diff>,
    how: How,
}

/// What a mend does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// The file, beneath the list's folder.
    pub file: String,
    /// Its text; none if there is no such file. What is not UTF-8 is shown as far as it is.
    pub before: Option<String>,
    /// Its text afterwards; none if it goes.
    pub after: Option<String>,
}

/// By which way a mend is done.
#[derive(Debug, Clone)]
enum How {
    /// The files are replaced, copies are kept; no task changes.
    Bytes,
    /// Commands run as for anybody, in one event.
    Commands(Vec<Command>),
    /// What every command does before it decides.
    Recovery,
    /// A lock of another program is watched, and goes if it does not move.
    Lock,
    /// Files of sessions go that nobody needs.
    Sessions(Vec<String>),
}

/// What a look over a list found.
#[derive(Debug, Clone, Default)]
pub struct Examination {
    /// The format of the list; empty if it is not clear.
    pub format: &'static str,
    /// How many tasks there are.
    pub tasks: usize,
    /// What was found, the worst first.
    pub findings: Vec<Finding>,
    /// Bytes of the journal.
    pub journal_bytes: u64,
    /// Events in it.
    pub events: usize,
    /// Sessions that ever left a sign of life.
    pub sessions: usize,
    /// Copies of files that could not be read or had to give way.
    pub quarantined: usize,
    /// Displaced files that are kept for a while.
    pub spares: usize,
    /// Mends whose copies are kept.
    pub mended: usize,
}

/// Told how much of a look is done, and of how much.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

/// Looks a list over.
pub(super) fn examine(files: &Files, progress: Progress<'_>) -> Result<Examination, Error> {
    let facts = Facts::collect(files, progress)?;
    let mut findings = Vec::new();
    let checks: [fn(&Facts<'_>, &mut Vec<Finding>); 8] = [
        folder::check,
        rights::check,
        content::check,
        edges::check,
        locks::check,
        claims::check,
        journal::check,
        client::check,
    ];
    for check in checks {
        check(&facts, &mut findings);
    }
    findings.sort_by_key(|it| std::cmp::Reverse(it.severity));
    let count = |directory: &str| files.vfs.names(directory).map_or(0, |it| it.len());
    Ok(Examination {
        format: files.format.shape().name,
        tasks: facts.tasks(),
        findings,
        journal_bytes: facts.journal_bytes,
        events: facts.scan.batches.iter().filter(|it| it.event.is_some()).count(),
        sessions: claims::sessions(files),
        quarantined: count(super::spare::QUARANTINE),
        spares: count(super::spare::SPARE),
        mended: copies::numbers(files).len(),
    })
}

impl Examination {
    /// What can be said of a folder whose list cannot be opened because its format is not clear.
    pub fn unclear(error: &Error) -> Option<Examination> {
        let Error::Format { why, .. } = error else { return None };
        let finding = Finding::new("unclear_format", Severity::Fault, why.to_string())
            .advise("keep the files of one format in the folder and move the others elsewhere");
        Some(Examination { findings: vec![finding], ..Examination::default() })
    }
}

impl Finding {
    fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Finding {
        let message = message.into();
        Finding { code, severity, file: None, line: None, task: None, message, advice: None, mend: None }
    }

    fn at(self, file: &str) -> Finding {
        Finding { file: Some(file.to_owned()), ..self }
    }

    fn line(self, line: Option<usize>) -> Finding {
        Finding { line, ..self }
    }

    fn about(self, task: &TaskId) -> Finding {
        Finding { task: Some(task.clone()), ..self }
    }

    fn advise(self, advice: impl Into<String>) -> Finding {
        Finding { advice: Some(advice.into()), ..self }
    }

    fn mend(self, mend: Option<Mend>) -> Finding {
        Finding { mend, ..self }
    }

    /// Whether this is what another look found, and a mend would start from the same files.
    fn is_still(&self, other: &Finding) -> bool {
        let start = |it: &Finding| -> Vec<(String, Option<String>)> {
            let files = it.mend.iter().flat_map(|it| &it.files);
            files.map(|it| (it.file.clone(), it.before.clone())).collect()
        };
        (self.code, &self.file, &self.task) == (other.code, &other.file, &other.task)
            && self.mend.is_some() == other.mend.is_some()
            && start(self) == start(other)
    }
}

impl Mend {
    fn bytes(what: impl Into<String>, diff: Diff) -> Mend {
        Mend { what: what.into(), files: vec![diff], how: How::Bytes }
    }

    fn by(what: impl Into<String>, how: How) -> Mend {
        Mend { what: what.into(), files: Vec::new(), how }
    }
}
