//! What was typed and what the surroundings say, put together: which list, who acts, how to print. The only part that
//! asks the environment.
#![expect(clippy::disallowed_methods, reason = "this is the part that the lint points to")]

mod homes;
mod model;
mod place;
mod terminal;
mod who;

use crate::{
    args::Global,
    failure::Failure,
    output::Output,
    own_hooks::{Runner, Variables},
    settings::{Origin, Settings},
    shared::Shared,
};
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};
use worklist::{
    Actor, Options, TaskList,
    format::place::{Surroundings, is_claudes},
};

pub(crate) use homes::{Homes, on_path, this_program};
pub(crate) use model::{ModelVariables, model_name, model_variables};
pub(crate) use place::ListPlace;
pub(crate) use terminal::{output, plain_output, resized};

/// The folder of a project's list.
pub(crate) const TASKS: &str = ".tasks";

/// Where a command acts, for whom, and how it answers.
#[derive(Clone)]
pub(crate) struct Context {
    /// The list's own folder; of one in a database, this machine's things about it.
    pub(crate) folder: PathBuf,
    /// The database in which it is, if it is in one.
    pub(crate) shared: Option<Shared>,
    pub(crate) actor: Actor,
    /// Where the agent's and the session's names came from.
    pub(crate) named_by: [Origin; 2],
    /// Where the folder came from.
    pub(crate) place: ListPlace,
    pub(crate) options: Options,
    pub(crate) settings: Settings,
    pub(crate) output: Output,
    pub(crate) here: PathBuf,
    /// Where Claude Code keeps its things.
    pub(crate) claude: PathBuf,
    /// Where this program keeps what is not a list's.
    pub(crate) state: Option<PathBuf>,
}

/// Whether a list is looked for, or about to be made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The formats that have a place of their own are looked for there.
    Use,
    /// Making a list is another matter: it is made here.
    Make,
}

impl Context {
    pub(crate) fn new(global: &Global, purpose: Purpose) -> Result<Context, Failure> {
        let around = place::surroundings(global, here()?, None);
        let found = place::folder(global, &around, purpose);
        Context::around(global, around, found)
    }

    /// For a client that works in this folder: its project's list.
    pub(crate) fn of_project(global: &Global, folder: Option<&Path>) -> Result<Context, Failure> {
        let around = place::surroundings(global, folder.map_or_else(here, |it| Ok(it.to_owned()))?, None);
        let found = place::folder(global, &around, Purpose::Use);
        Context::around(global, around, found)
    }

    /// For Claude Code in a session: the list that it uses itself.
    pub(crate) fn of_claude(global: &Global, session: Option<String>) -> Result<Context, Failure> {
        let around = place::surroundings(global, here()?, session);
        let found = (place::claudes(&around), ListPlace::Format);
        // Its own list is in files, wherever a team's lists are.
        let global = Global { dir: Some(found.0.clone()), store: None, ..global.clone() };
        let mut context = Context::around(&global, around, found)?;
        context.options.follow_link = false;
        context.options.format = Some("claude".to_owned());
        Ok(context)
    }

    fn around(
        global: &Global,
        around: Surroundings,
        (mut folder, mut place): (PathBuf, ListPlace),
    ) -> Result<Context, Failure> {
        let mut settings = Settings::of_user(config_folder().as_deref())?;
        let state = state_folder();
        let shared = place::shared(global, &settings);
        match &shared {
            Some((shared, by)) => {
                (folder, place) = (place::own_of(shared, state.as_deref(), &around.here), *by);
            }
            None => settings.add_list(&folder, state.as_deref())?,
        }
        let shared = shared.map(|(it, _)| it);
        if shared.is_some() && global.format.is_some() {
            let reason = "is for lists in files; one in a database has no format";
            return Err(Failure::invalid("--format", reason, Some("leave it out")));
        }
        let (actor, named_by) = who::actor(global, &settings)?;
        let mirror = is_claudes(&folder, &around.claude)
            .then(|| place::mirror_of(&folder, state.as_deref()?))
            .flatten();
        let options = Options {
            format: global.format.clone(),
            follow_link: global.dir.is_some(),
            mirror,
            lenient: settings.is_lenient(),
            ..Options::default()
        };
        let output = terminal::output(global, Some(&settings));
        let context = Context {
            folder,
            shared,
            actor,
            named_by,
            place,
            options,
            settings,
            output,
            here: around.here,
            claude: around.claude,
            state,
        };
        if global.verbose {
            let (place, actor) = (context.shown(), &context.actor);
            let line = format!("list {place}, agent {}, session {}", actor.agent, actor.session);
            context.output.complain(&crate::output::visible(&line));
        }
        Ok(context)
    }

    /// Whether a flag or a variable said who acts: names of settings and of users are for people at a terminal.
    pub(crate) fn told_who(&self) -> bool {
        matches!(self.named_by[0], Origin::Flag(_) | Origin::Variable("WORKLIST_AGENT" | "CLAUDE_AGENT_NAME"))
    }

    /// Opens the list that is there.
    pub(crate) fn open(&self) -> Result<TaskList, Failure> {
        if let Some(shared) = &self.shared {
            return Ok(self.hooked(shared.open(variable)?.leniently(self.options.lenient)));
        }
        let list = TaskList::open(&self.folder, &self.options).map_err(|error| {
            let mut failure = Failure::from(error);
            let kept = self.options.mirror.as_ref().is_some_and(|it| it.is_file());
            if failure.code == "no_list" && kept {
                let hint = "its history was kept: `wl init` in the same way brings it back, then `wl log` and `wl undo`";
                failure.hint = Some(hint.to_owned());
            }
            failure
        })?;
        Ok(self.hooked(list))
    }

    /// Opens the list to look at it. Also a look is a sign of life; where it cannot be left, looking goes on.
    pub(crate) fn look(&self) -> Result<TaskList, Failure> {
        let list = self.open()?;
        _ = list.renew(&self.actor);
        Ok(list)
    }

    /// Makes the list.
    pub(crate) fn make(&self) -> Result<TaskList, Failure> {
        if let Some(shared) = &self.shared {
            return Ok(self.hooked(shared.make(variable)?.leniently(self.options.lenient)));
        }
        let format = self.options.format.clone().or_else(|| self.settings.text("format"));
        let options = Options { format, ..self.options.clone() };
        Ok(self.hooked(TaskList::create(&self.folder, &options)?))
    }

    /// The list if there is one.
    pub(crate) fn open_if_there(&self) -> Result<Option<TaskList>, Failure> {
        match self.open() {
            Err(failure) if failure.code == "no_list" => Ok(None),
            list => list.map(Some),
        }
    }

    /// Who acts in a process that goes on: a name that nobody gave, and a session that nobody named, are its own.
    pub(crate) fn lasting(&self, kind: &str) -> Actor {
        let agent = if self.told_who() { self.actor.agent.as_str() } else { kind };
        let session = match self.named_by[1] {
            Origin::Default => fresh_session(kind),
            _ => self.actor.session.clone(),
        };
        Actor::new(agent, session)
    }

    /// Whether the session is that of a worker who had us started for its task: it holds it, and we act in it.
    pub(crate) fn is_lent(&self) -> bool {
        self.named_by[1] == Origin::Variable("WORKLIST_SESSION") && variable("WORKLIST_TASK_TOKEN").is_some()
    }

    /// Opens the list, or makes it where there is none; whether it was made.
    pub(crate) fn open_or_make(&self) -> Result<(TaskList, bool), Failure> {
        match self.open_if_there()? {
            Some(list) => Ok((list, false)),
            None => Ok((self.make()?, true)),
        }
    }

    /// Where the list is, in words.
    pub(crate) fn shown(&self) -> String {
        self.shared.as_ref().map_or_else(|| self.folder.display().to_string(), Shared::shown)
    }

    /// What a child must find in its environment to come to the same list, and what it must not.
    pub(crate) fn variables(&self) -> Variables {
        let (folder, store, list) = match &self.shared {
            Some(shared) => (None, Some(shared.url.clone().into()), shared.name.clone().map(OsString::from)),
            None => (Some(self.folder.clone().into_os_string()), None, None),
        };
        vec![("WORKLIST_DIR", folder), ("WORKLIST_STORE", store), ("WORKLIST_LIST", list)]
    }

    /// A variable of the environment that says something.
    pub(crate) fn variable(name: &str) -> Option<String> {
        variable(name)
    }

    /// The root of the project that we are in: of this worktree, or this folder itself.
    pub(crate) fn project(&self) -> &Path {
        place::worktree(&self.here)
    }

    fn hooked(&self, list: TaskList) -> TaskList {
        match Runner::new(&self.settings, self.shown(), self.variables(), self.output.clone()) {
            Some(hooks) => list.hooked(Arc::new(hooks)),
            None => list,
        }
    }

    /// The names of the lists in Claude Code's folder.
    pub(crate) fn named_lists(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.claude.join("tasks")).into_iter().flatten().flatten();
        entries.filter_map(|it| it.file_name().into_string().ok()).filter(|it| !it.starts_with('.')).collect()
    }

    /// The same for a list in a folder that was named.
    pub(crate) fn at(&self, folder: &Path) -> Context {
        let options = Options { follow_link: true, mirror: None, ..self.options.clone() };
        let (folder, place) = (self.here.join(folder), ListPlace::Named("PATH"));
        Context { folder, shared: None, options, place, ..self.clone() }
    }

    /// The same for a list in a database.
    pub(crate) fn in_store(&self, shared: &Shared) -> Context {
        let folder = place::own_of(shared, self.state.as_deref(), &self.here);
        Context { folder, shared: Some(shared.clone()), place: ListPlace::Named("--store"), ..self.clone() }
    }

    /// The same for a new list of this project: at the repository's root, or here.
    pub(crate) fn at_root(&self) -> Context {
        let options = Options { mirror: None, ..self.options.clone() };
        Context { folder: place::new_list(&self.here), options, place: ListPlace::Project, ..self.clone() }
    }
}

/// What the variable says that switches tasks on and off.
pub(crate) fn tasks_switch() -> Option<String> {
    variable("CLAUDE_CODE_ENABLE_TASKS")
}

/// A session that no other process has.
pub(crate) fn fresh_session(kind: &str) -> String {
    format!("{kind}-{:08x}", getrandom::u32().unwrap_or_else(|_| std::process::id()))
}

fn here() -> Result<PathBuf, Failure> {
    env::current_dir().map_err(|error| Failure::other("find the current folder", &error))
}

/// A variable that says something.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty())
}

/// `$XDG_CONFIG_HOME/worklist`
fn config_folder() -> Option<PathBuf> {
    own_folder("XDG_CONFIG_HOME", ".config")
}

/// `$XDG_STATE_HOME/worklist`
fn state_folder() -> Option<PathBuf> {
    own_folder("XDG_STATE_HOME", ".local/state")
}

fn own_folder(name: &str, usual: &str) -> Option<PathBuf> {
    // A path that is not absolute is to be ignored.
    let given = variable(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let base = given.or_else(|| Some(PathBuf::from(variable("HOME")?).join(usual)))?;
    Some(base.join("worklist"))
}
