//! The shapes in which tasks lie on disk: bytes in, tasks out, and back with nothing lost. Not where a list lies
//! ([`place`]) and not how files are replaced (the store).
//!
//! One file per format, one table ([`FORMATS`]). A format is a property of the folder: detected or chosen once.

mod claude;
mod detect;
mod ids;
mod java;
mod object;
pub mod place;
mod s07;
mod s12;
mod strict;
mod tasks_json;
mod v6;

pub use detect::{Detected, Unclear, detect};
pub use ids::IdSource;
pub(crate) use ids::{MAX_NUMBER, leading_number};

use crate::{
    id::TaskId,
    json::Malformed,
    task::{Field, Task},
    time::Time,
};
use std::ops::Range;

/// All formats. The first is the one for new lists.
pub static FORMATS: [&dyn Format; 6] =
    [&claude::Claude, &s12::S12, &s07::S07, &java::JAVA, &v6::V6, &tasks_json::TasksJson];

/// The format of a name.
pub fn named(name: &str) -> Option<&'static dyn Format> {
    FORMATS.into_iter().find(|it| it.shape().name == name)
}

/// Largest file of one task.
pub const MAX_TASK_BYTES: u64 = 1024 * 1024;

/// The file that two formats keep beside their tasks: the highest id, so that none is given twice.
pub const WATERMARK: &str = ".highwatermark";

/// What is fixed about a format.
#[derive(Debug)]
pub struct Shape {
    /// Its name in flags and settings.
    pub name: &'static str,
    /// One line on where it comes from.
    pub about: &'static str,
    /// The one file that holds all tasks, if there is one.
    pub single_file: Option<&'static str>,
    /// Whether a task names the tasks that wait for it.
    pub has_blocks: bool,
    /// Whether a task's file says something about other tasks' status and so changes with it.
    pub ripples: bool,
    /// Which locks other programs take in the folder.
    pub locks: ForeignLocks,
    /// Whether the other program of this format is known to lay back old states.
    pub repairs: bool,
    /// The fields that its files can carry. The others are kept in `.worklist/`.
    pub carries: &'static [Field],
}

/// The lock protocols of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForeignLocks {
    /// None that we know of.
    None,
    /// A directory `<file>.lock` for each file, and `.lock.lock` for the list.
    PerTask,
    /// A directory `tasks.json.lock`, and flock on the file itself.
    OneFile,
}

/// A task found in a file, or what is wrong in its place.
#[derive(Debug)]
pub struct Found {
    /// Where in the text it stands.
    pub span: Range<usize>,
    /// Which task it is, as far as that can be told.
    pub id: Option<TaskId>,
    /// The task.
    pub task: Result<Task, Malformed>,
}

/// What shall become of one task in a file.
#[derive(Debug, Clone, Copy)]
pub enum Put<'a> {
    /// It changed.
    Task(&'a Task),
    /// It did not change, but what it says of others may have.
    Ripple(&'a Task),
    /// It goes.
    Gone(&'a TaskId),
}

/// What a format may ask while it writes.
pub struct Writing<'a> {
    /// Whether a task is known and completed.
    pub finished: &'a dyn Fn(&TaskId) -> bool,
    /// The time of the change.
    pub now: Time,
}

/// One shape of tasks on disk.
pub trait Format: Send + Sync {
    /// What is fixed about it.
    fn shape(&self) -> &'static Shape;

    /// Puts the name of the file in which a task lies behind a text. The id must be plain.
    fn name_file(&self, id: &TaskId, name: &mut String);

    /// The name of the file in which a task lies. The id must be plain.
    fn file_of(&self, id: &TaskId) -> String {
        let mut name = String::with_capacity(id.as_str().len() + 10);
        self.name_file(id, &mut name);
        name
    }

    /// Whether a file of this name holds tasks.
    fn is_task_file(&self, name: &str) -> bool;

    /// The tasks in a file.
    fn decode(&self, name: &str, text: &str) -> Result<Vec<Found>, Malformed>;

    /// The text with changes laid over the old text: only what changed differs. `None` if no file should remain.
    fn encode(
        &self,
        old: Option<&str>,
        puts: &[Put<'_>],
        writing: &Writing<'_>,
    ) -> Result<Option<String>, Malformed>;

    /// Ids for new tasks.
    fn fresh_ids(&self, source: &IdSource<'_>, count: usize) -> Vec<TaskId>;

    /// The watermark file's new text after tasks were made or removed, if it changes.
    fn watermark(&self, _old: Option<&str>, _made: &[&TaskId], _removed: &[&TaskId]) -> Option<String> {
        None
    }

    /// What is wrong with the watermark file, and what it should say, given all names in the folder and the ids that
    /// are not in use any more: a program that believes it would give one of them again.
    fn watermark_fault(
        &self,
        _old: Option<&str>,
        _names: &[String],
        _gone: &[&TaskId],
    ) -> Option<(String, String)> {
        None
    }

    /// Why the program that this format comes from does not see a task that we can read.
    fn unseen(&self, _text: &str) -> Option<String> {
        None
    }

    /// A task that keeps that program from emptying the list, if it would do so with these, which it can see.
    fn sentinel(&self, _seen: &[&Task]) -> Option<Task> {
        None
    }

    /// The same task, for lists that are to be kept before it comes to that.
    fn keeper(&self) -> Option<Task> {
        None
    }
}

impl PartialEq for dyn Format {
    fn eq(&self, other: &Self) -> bool {
        self.shape().name == other.shape().name
    }
}

impl std::fmt::Debug for dyn Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.shape().name)
    }
}

impl Shape {
    /// Whether its files can carry a field.
    pub fn carries(&self, field: Field) -> bool {
        self.carries.contains(&field)
    }
}

/// A fault of meaning: the text is JSON, but not a task.
pub(crate) fn fault(reason: impl Into<String>) -> Malformed {
    Malformed { line: 1, column: 1, reason: reason.into() }
}
