//! What was typed and what the surroundings say, put together: which list, who acts. The only file that asks the
//! environment.
#![expect(clippy::disallowed_methods, reason = "this is the file that the lint points to")]

use crate::{args::Args, failure::Failure};
use std::{
    env, fs,
    path::{Path, PathBuf},
};
use worklist::{
    Actor, Error, Options, TaskList,
    format::place::{Surroundings, is_claudes, place, sanitized, session_team},
};

/// The folder of a project's list.
const TASKS: &str = ".tasks";

/// Where a command acts, and for whom.
pub(crate) struct Context {
    pub(crate) folder: PathBuf,
    pub(crate) actor: Actor,
    pub(crate) options: Options,
    /// Whether the folder was named by the caller, so that it may be made.
    pub(crate) is_named: bool,
}

impl Context {
    pub(crate) fn new(args: &Args) -> Result<Context, Failure> {
        let here = env::current_dir().map_err(|error| Failure::other("find the current folder", &error))?;
        let around = surroundings(args, here);
        let (folder, is_named) = folder(args, &around);
        let mirror = is_claudes(&folder, &around.claude).then(|| mirror_of(&folder)).flatten();
        let options = Options {
            format: args.format.clone(),
            follow_link: args.dir.is_some(),
            mirror,
            ..Options::default()
        };
        Ok(Context { folder, actor: actor(args), options, is_named })
    }

    /// Opens the list that is there.
    pub(crate) fn open(&self) -> Result<TaskList, Failure> {
        Ok(TaskList::open(&self.folder, &self.options)?)
    }

    /// Opens the list, or makes it. Says whether it was made.
    pub(crate) fn open_or_make(&self) -> Result<(TaskList, bool), Failure> {
        match TaskList::open(&self.folder, &self.options) {
            Err(Error::NoList { .. }) => Ok((TaskList::create(&self.folder, &self.options)?, true)),
            other => Ok((other?, false)),
        }
    }

    /// The same list in another folder.
    pub(crate) fn at(&self, folder: &Path) -> Context {
        Context {
            folder: folder.to_owned(),
            actor: self.actor.clone(),
            options: Options { follow_link: true, mirror: None, ..self.options.clone() },
            is_named: true,
        }
    }
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty())
}

fn surroundings(args: &Args, here: PathBuf) -> Surroundings {
    let home = variable("HOME").map_or_else(|| here.clone(), PathBuf::from);
    let claude = variable("CLAUDE_CONFIG_DIR").map_or_else(|| home.join(".claude"), PathBuf::from);
    let session_id = variable("CLAUDE_CODE_SESSION_ID");
    let team = |session: &String| claude.join("tasks").join(session_team(session)).is_dir();
    let project = here.ancestors().find(|it| it.join("package.json").exists() || it.join(".git").exists());
    Surroundings {
        list: args.list.clone(),
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

/// The order of the documentation: named, by environment, by format, the nearest `.tasks/`, else a new one.
fn folder(args: &Args, around: &Surroundings) -> (PathBuf, bool) {
    if let Some(dir) = &args.dir {
        return (around.here.join(dir), true);
    }
    if let Some(name) = &args.list {
        return (around.claude.join("tasks").join(sanitized(name)), true);
    }
    if let Some(dir) = variable("WORKLIST_DIR") {
        return (around.here.join(dir), true);
    }
    if let Some(format @ ("claude" | "v6" | "tasks-json")) = args.format.as_deref() {
        return (place(format, around), true);
    }
    if let Some(id) = &around.task_list_id {
        return (around.claude.join("tasks").join(sanitized(id)), true);
    }
    let root = repository(&around.here);
    let nearest = around.here.ancestors().map(|it| it.join(TASKS)).find(|it| it.is_dir());
    let shared = root.as_ref().map(|it| it.join(TASKS)).filter(|it| it.is_dir());
    let new = || root.clone().unwrap_or_else(|| around.here.clone()).join(TASKS);
    (nearest.or(shared).unwrap_or_else(new), false)
}

/// The root of the repository; of a worktree, that of the main one, so that all share a list.
fn repository(here: &Path) -> Option<PathBuf> {
    let root = here.ancestors().find(|it| it.join(".git").exists())?;
    let Ok(text) = fs::read_to_string(root.join(".git")) else { return Some(root.to_owned()) };
    let linked = text.strip_prefix("gitdir:").map(str::trim).map(|it| root.join(it));
    // <main>/.git/worktrees/<name>
    let main = linked
        .as_deref()
        .and_then(|it| it.parent()?.parent())
        .filter(|it| it.file_name().is_some_and(|it| it == ".git"));
    Some(main.and_then(Path::parent).unwrap_or(root).to_owned())
}

fn actor(args: &Args) -> Actor {
    let agent =
        args.agent.clone().or_else(|| variable("WORKLIST_AGENT")).or_else(|| variable("CLAUDE_AGENT_NAME"));
    let agent = agent
        .or_else(|| variable("USER"))
        .or_else(|| variable("LOGNAME"))
        .unwrap_or_else(|| "agent".to_owned());
    let session = args
        .session
        .clone()
        .or_else(|| variable("WORKLIST_SESSION"))
        .or_else(|| variable("CLAUDE_CODE_SESSION_ID"));
    let host = || {
        let name = fs::read_to_string("/proc/sys/kernel/hostname").ok().map(|it| it.trim().to_owned());
        name.or_else(|| variable("HOSTNAME")).unwrap_or_else(|| "localhost".to_owned())
    };
    let session = session.unwrap_or_else(|| format!("{agent}@{}", host()));
    Actor { agent, session }
}

/// Where the second name of a journal goes, outside the folder that other programs remove.
fn mirror_of(folder: &Path) -> Option<PathBuf> {
    let state = variable("XDG_STATE_HOME").map(PathBuf::from);
    let state = state.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".local").join("state")))?;
    Some(state.join("worklist").join(format!("{}.journal", folder.file_name()?.to_string_lossy())))
}
