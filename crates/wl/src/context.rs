//! What was typed and what the surroundings say, put together: which list, who acts. The only file that asks the
//! environment.
#![expect(clippy::disallowed_methods, reason = "this is the file that the lint points to")]

use crate::{
    args::{Args, Command},
    failure::Failure,
};
use std::{
    env, fs,
    path::{Path, PathBuf},
};
use worklist::{
    Actor, Options, TaskList,
    format::place::{Surroundings, is_claudes, place, sanitized, session_team},
};

/// The folder of a project's list.
const TASKS: &str = ".tasks";

/// Where a command acts, and for whom.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) folder: PathBuf,
    pub(crate) actor: Actor,
    pub(crate) options: Options,
    /// Whether the folder was named, by a flag or by the environment.
    pub(crate) is_named: bool,
    here: PathBuf,
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
        Ok(Context { folder, actor: actor(args)?, options, is_named, here: around.here })
    }

    /// Opens the list that is there.
    pub(crate) fn open(&self) -> Result<TaskList, Failure> {
        Ok(TaskList::open(&self.folder, &self.options)?)
    }

    /// Makes the list.
    pub(crate) fn make(&self) -> Result<TaskList, Failure> {
        Ok(TaskList::create(&self.folder, &self.options)?)
    }

    /// The same for a list in a folder that was named.
    pub(crate) fn at(&self, folder: &Path) -> Context {
        let options = Options { follow_link: true, mirror: None, ..self.options.clone() };
        Context { folder: self.here.join(folder), options, ..self.clone() }
    }

    /// The same for a new list of this project: at the repository's root, or here.
    pub(crate) fn at_root(&self) -> Context {
        let root = repository(&self.here).map_or_else(|| self.here.clone(), |it| it.root);
        let options = Options { mirror: None, ..self.options.clone() };
        Context { folder: root.join(TASKS), options, ..self.clone() }
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
    if let Some(id) = &around.task_list_id {
        return (around.claude.join("tasks").join(sanitized(id)), true);
    }
    // The formats that have a place of their own are looked for there; making a list is another matter.
    let makes = matches!(args.command, Command::Init(_));
    if let Some(format @ ("claude" | "v6" | "tasks-json")) = args.format.as_deref().filter(|_| !makes) {
        return (place(format, around), true);
    }
    (project_list(&around.here), false)
}

/// The list of the project: the main worktree's, else the nearest one up to the repository's root, else a new one.
fn project_list(here: &Path) -> PathBuf {
    let Some(repository) = repository(here) else {
        let nearest = here.ancestors().map(|it| it.join(TASKS)).find(|it| it.is_dir());
        return nearest.unwrap_or_else(|| here.join(TASKS));
    };
    let shared = repository.root.join(TASKS);
    if repository.is_linked {
        return shared;
    }
    let mut inside = here.ancestors().take_while(|it| it.starts_with(&repository.root));
    inside.find_map(|it| Some(it.join(TASKS)).filter(|it| it.is_dir())).unwrap_or(shared)
}

/// A repository, seen from inside.
struct Repository {
    /// The root of its main worktree.
    root: PathBuf,
    /// Whether we are in another worktree of it.
    is_linked: bool,
}

fn repository(here: &Path) -> Option<Repository> {
    let root = here.ancestors().find(|it| it.join(".git").exists())?;
    let text = fs::read_to_string(root.join(".git")).unwrap_or_default();
    let linked = text.strip_prefix("gitdir:").map(str::trim).map(|it| root.join(it));
    // <main>/.git/worktrees/<name>
    let main = linked
        .as_deref()
        .and_then(|it| it.parent()?.parent())
        .filter(|it| it.file_name().is_some_and(|it| it == ".git"));
    match main.and_then(Path::parent) {
        Some(main) => Some(Repository { root: main.to_owned(), is_linked: true }),
        None => Some(Repository { root: root.to_owned(), is_linked: false }),
    }
}

fn actor(args: &Args) -> Result<Actor, Failure> {
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
    for (name, value) in [("--as", &agent), ("--session", &session)] {
        if value.trim().is_empty() {
            return Err(Failure::invalid(name, "may not be empty", None));
        }
    }
    Ok(Actor { agent, session })
}

/// Where the second name of a journal goes, outside the folder that other programs remove.
fn mirror_of(folder: &Path) -> Option<PathBuf> {
    let state = variable("XDG_STATE_HOME").map(PathBuf::from);
    let state = state.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".local").join("state")))?;
    // Lists of one name under different homes are different lists.
    let place =
        folder.display().to_string().bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
        });
    Some(
        state
            .join("worklist")
            .join(format!("{}-{place:016x}.journal", folder.file_name()?.to_string_lossy())),
    )
}
