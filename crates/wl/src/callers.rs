//! Which agent stands behind a call, where only a hook of the client knows: it leaves a note under the number of the
//! call, and the server takes it. Not an identity by itself: a note can only name an agent within a session.
#![expect(clippy::disallowed_methods, reason = "notes are small files of the user's own")]

use crate::own_files;
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};
use worklist::{Actor, claim::LONGEST_NAME};

/// A note that nobody took is thrown away after this long.
const KEPT: Duration = Duration::from_hours(1);

/// An agent within a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Agent {
    /// What tells it from the others.
    pub(crate) key: String,
    /// What people call it.
    pub(crate) name: String,
}

/// Leaves a note: this call is made by this agent.
pub(crate) fn note(state: &Path, call: &str, agent: &Agent) -> std::io::Result<()> {
    let Some(path) = place(state, call) else { return Ok(()) };
    let folder = state.join(FOLDER);
    own_files::make_folder(&folder)?;
    forget_old(&folder);
    own_files::write(&path, &format!("{}\n{}\n", agent.key, agent.name))
}

/// Takes the note of a call, if there is one.
pub(crate) fn take(state: &Path, call: &str) -> Option<Agent> {
    let path = place(state, call)?;
    let text = fs::read_to_string(&path).ok()?;
    _ = fs::remove_file(path);
    let mut lines = text.lines().map(|it| Some(it.trim()).filter(|it| Actor::is_name(it)));
    let key = lines.next()??;
    let name = lines.next().flatten().unwrap_or(key);
    Some(Agent { key: key.to_owned(), name: name.to_owned() })
}

const FOLDER: &str = "calls";

/// Numbers of calls are words; anything else has no note.
fn place(state: &Path, call: &str) -> Option<PathBuf> {
    let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    let good = !call.is_empty() && call.len() <= LONGEST_NAME && call.chars().all(is_word);
    good.then(|| state.join(FOLDER).join(call))
}

fn forget_old(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let old = entry
            .metadata()
            .and_then(|it| it.modified())
            .is_ok_and(|it| SystemTime::now().duration_since(it).is_ok_and(|age| age > KEPT));
        if old {
            _ = fs::remove_file(entry.path());
        }
    }
}
