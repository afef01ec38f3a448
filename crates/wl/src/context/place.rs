//! Which list is meant, from flags, variables and folders. Nothing is opened and nothing is made.
#![expect(clippy::disallowed_methods, reason = "finding a repository means looking into its files")]

use super::{Purpose, TASKS, variable};
use crate::{args::Global, fingerprint::fingerprint, settings::Settings, shared::Shared};
use std::{
    fs,
    path::{Path, PathBuf},
};
use worklist::format::place::{Surroundings, place, sanitized, session_team};

/// What led to the list's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListPlace {
    /// A flag or argument.
    Named(&'static str),
    /// A variable.
    Variable(&'static str),
    /// The place of a format.
    Format,
    /// The project's own.
    Project,
}

impl ListPlace {
    /// Whether somebody asked for this very folder.
    pub(crate) fn is_named(self) -> bool {
        self != ListPlace::Project
    }

    /// In words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ListPlace::Named(name) | ListPlace::Variable(name) => name,
            ListPlace::Format => "--format",
            ListPlace::Project => "the project",
        }
    }
}

/// What flags and variables say; a session that is known otherwise counts more than the variable's.
pub(super) fn surroundings(global: &Global, here: PathBuf, session: Option<String>) -> Surroundings {
    let home = variable("HOME").map_or_else(|| here.clone(), PathBuf::from);
    let claude = variable("CLAUDE_CONFIG_DIR").map_or_else(|| home.join(".claude"), PathBuf::from);
    let session_id = session.or_else(|| variable("CLAUDE_CODE_SESSION_ID"));
    let team = |session: &String| claude.join("tasks").join(session_team(session)).is_dir();
    let project = here.ancestors().find(|it| it.join("package.json").exists() || it.join(".git").exists());
    Surroundings {
        list: global.list.clone(),
        task_list_id: variable("CLAUDE_CODE_TASK_LIST_ID"),
        team_name: variable("CLAUDE_TEAM_NAME"),
        team_of_session: variable("CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS").is_some()
            && session_id.as_ref().is_some_and(team),
        session_id,
        project: project.and_then(|it| it.file_name()).map(|it| it.to_string_lossy().into_owned()),
        here,
        claude,
    }
}

/// The list that Claude Code itself uses.
pub(super) fn claudes(around: &Surroundings) -> PathBuf {
    place("claude", around)
}

/// The order of the documentation: named, by environment, by format, the nearest `.tasks/`, else a new one.
pub(super) fn folder(global: &Global, around: &Surroundings, purpose: Purpose) -> (PathBuf, ListPlace) {
    let claudes = |name: &str| around.claude.join("tasks").join(sanitized(name));
    if let Some(dir) = &global.dir {
        return (around.here.join(dir), ListPlace::Named("--dir"));
    }
    if let Some(name) = &global.list {
        return (claudes(name), ListPlace::Named("--list"));
    }
    if let Some(dir) = variable("WORKLIST_DIR") {
        return (around.here.join(dir), ListPlace::Variable("WORKLIST_DIR"));
    }
    if let Some(id) = &around.task_list_id {
        return (claudes(id), ListPlace::Variable("CLAUDE_CODE_TASK_LIST_ID"));
    }
    let own = global.format.as_deref().filter(|_| purpose == Purpose::Use);
    if let Some(format @ ("claude" | "v6" | "tasks-json")) = own {
        return (place(format, around), ListPlace::Format);
    }
    (project_list(&around.here), ListPlace::Project)
}

/// The database in which the list is, if it is in one: as a flag says, a variable, or the user's own settings for lists
/// that have a name. A repository has no say in it.
pub(super) fn shared(global: &Global, settings: &Settings) -> Option<(Shared, ListPlace)> {
    let name = || global.list.clone().or_else(|| variable("WORKLIST_LIST"));
    if global.dir.is_some() {
        return None;
    }
    if let Some(url) = &global.store {
        return Some((Shared::new(url, name()), ListPlace::Named("--store")));
    }
    if variable("WORKLIST_DIR").is_some() && global.list.is_none() {
        return None;
    }
    if let Some(url) = variable("WORKLIST_STORE") {
        return Some((Shared::new(&url, name()), ListPlace::Variable("WORKLIST_STORE")));
    }
    let (url, name) = (settings.text("store")?, name()?);
    Some((Shared::new(&url, Some(name)), ListPlace::Named("store")))
}

/// Where this machine keeps its own things about a list in a database: what its workers ran.
pub(super) fn own_of(shared: &Shared, state: Option<&Path>, here: &Path) -> PathBuf {
    let place = fingerprint(&shared.shown());
    let name = shared.name.as_deref().map(sanitized).unwrap_or_default();
    state.unwrap_or(here).join("shared").join(format!("{name}-{place:016x}"))
}

/// The list of the project: the one that all worktrees share, else the nearest one up to the repository's root, else
/// a new one.
fn project_list(here: &Path) -> PathBuf {
    let Some(repository) = repository(here) else {
        let nearest = here.ancestors().map(|it| it.join(TASKS)).find(|it| it.is_dir());
        return nearest.unwrap_or_else(|| here.join(TASKS));
    };
    let shared = repository.home.join(TASKS);
    if repository.is_linked {
        return shared;
    }
    let mut inside = here.ancestors().take_while(|it| it.starts_with(&repository.home));
    inside.find_map(|it| Some(it.join(TASKS)).filter(|it| it.is_dir())).unwrap_or(shared)
}

/// Where a new list of the project goes.
pub(super) fn new_list(here: &Path) -> PathBuf {
    repository(here).map_or_else(|| here.to_owned(), |it| it.home).join(TASKS)
}

/// A repository, seen from inside.
struct Repository {
    /// What all its worktrees share: the root of the main one, or the repository itself if that has none.
    home: PathBuf,
    /// Whether we are in another worktree of it.
    is_linked: bool,
}

/// The root of the worktree that we are in.
pub(super) fn worktree(here: &Path) -> &Path {
    here.ancestors().find(|it| it.join(".git").exists()).unwrap_or(here)
}

fn repository(here: &Path) -> Option<Repository> {
    let root = here.ancestors().find(|it| it.join(".git").exists())?;
    let alone = || Repository { home: root.to_owned(), is_linked: false };
    let text = fs::read_to_string(root.join(".git")).unwrap_or_default();
    let Some(own) = text.strip_prefix("gitdir:").map(str::trim).map(|it| root.join(it)) else {
        return Some(alone());
    };
    // Only a linked worktree says where the things are that it shares. A submodule does not: it is a repository.
    let Ok(common) = fs::read_to_string(own.join("commondir")) else { return Some(alone()) };
    let common = fs::canonicalize(own.join(common.trim())).ok()?;
    let main = common.parent().filter(|_| common.file_name().is_some_and(|it| it == ".git"));
    Some(Repository { home: main.unwrap_or(&common).to_owned(), is_linked: true })
}

/// Where the second name of a journal goes, outside the folder that other programs remove.
pub(super) fn mirror_of(folder: &Path, state: &Path) -> Option<PathBuf> {
    // Lists of one name under different homes are different lists.
    let place = fingerprint(&folder.display().to_string());
    let name = folder.file_name()?.to_string_lossy();
    Some(state.join(format!("{name}-{place:016x}.journal")))
}
