//! `wl lists`: the lists of this project, and those that Claude Code keeps, newest first.
#![expect(
    clippy::disallowed_methods,
    reason = "finding lists means looking through folders; nothing is written"
)]

use crate::{
    context::{Context, TASKS},
    failure::Failure,
    output::{Answer, FAINT, ago, columns, paint, visible},
    shared::{Kept, Shared},
};
use clap::Args;
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};
use worklist::{
    Options, State, TaskList,
    clock::{Clock, SystemClock},
    json::{Json, Object},
    time::Time,
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl lists                     # newest first
  wl lists --all               # those without tasks, too
  wl list --list NAME          # opens one of Claude Code's
  wl list --dir PATH           # opens any
  wl lists --store postgres://db.example/team   # those of a team's database";

#[derive(Debug, Args)]
pub(crate) struct ListsArgs {
    /// Also lists without tasks
    #[arg(long)]
    pub(crate) all: bool,
}

/// A list that was found.
struct Found {
    kind: &'static str,
    name: String,
    folder: PathBuf,
    format: &'static str,
    open: usize,
    total: usize,
    changed: Option<Time>,
    problem: Option<String>,
}

pub(super) fn run(context: &Context, args: &ListsArgs) -> Result<Answer, Failure> {
    let progress = context.output.progress("looking for lists");
    let mut found: Vec<Found> = match &context.shared {
        Some(shared) => in_store(shared)?,
        None => places(context).into_iter().filter_map(|(kind, folder)| look(kind, &folder)).collect(),
    };
    found.retain(|it| args.all || it.total > 0 || it.problem.is_some());
    found.sort_by(|left, right| (right.changed, &left.folder).cmp(&(left.changed, &right.folder)));
    drop(progress);
    let now = SystemClock.now();
    let rows: Vec<Vec<String>> = found.iter().map(|it| cells(it, now)).collect();
    let mut text: String = columns(&rows, context.output.width()).into_iter().map(|it| it + "\n").collect();
    if found.is_empty() {
        text = paint(FAINT, "No lists were found; `wl init` makes one here.") + "\n";
    }
    let lists = found.iter().map(|it| Json::Object(json(it))).collect();
    Ok(Answer::new(text, Object::new().with("lists", Json::Array(lists))))
}

/// The lists of a database.
fn in_store(shared: &Shared) -> Result<Vec<Found>, Failure> {
    let number = |it: u64| usize::try_from(it).unwrap_or(usize::MAX);
    let found = |it: Kept| Found {
        kind: "shared",
        folder: PathBuf::from(Shared { name: Some(it.name.clone()), ..shared.clone() }.shown()),
        name: it.name,
        format: "postgres",
        open: number(it.open),
        total: number(it.total),
        changed: Some(it.changed),
        problem: None,
    };
    Ok(shared.lists(Context::variable)?.into_iter().map(found).collect())
}

/// Where lists may be: what is meant here, the project's, Claude Code's.
fn places(context: &Context) -> Vec<(&'static str, PathBuf)> {
    let mut places = vec![("project", context.folder.clone())];
    let up = context.here.ancestors().map(|it| it.join(TASKS)).filter(|it| it.is_dir());
    for folder in up {
        // The `v6` format keeps named lists beneath the project's.
        let inner = folders_in(&folder).into_iter().map(|it| ("project", it));
        places.push(("project", folder));
        places.extend(inner);
    }
    let tasks = context.claude.join("tasks");
    places.extend(folders_in(&tasks).into_iter().map(|it| (kind_of(&it, &context.claude), it)));
    let claudes = |folder: &PathBuf| folder.starts_with(&tasks);
    let mut seen = HashSet::new();
    let kind = |(kind, folder): (&'static str, PathBuf)| {
        (if claudes(&folder) { kind_of(&folder, &context.claude) } else { kind }, folder)
    };
    places.into_iter().map(kind).filter(|(_, it)| seen.insert(it.clone())).collect()
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let visible = entries.filter(|it| !it.file_name().to_string_lossy().starts_with('.'));
    visible.filter(|it| it.file_type().is_ok_and(|it| it.is_dir())).map(|it| it.path()).collect()
}

/// A session's list has the session's id for a name, a team's begins with `session-`.
fn kind_of(folder: &Path, claude: &Path) -> &'static str {
    let name = folder.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let is_id = name.len() == 36 && name.chars().all(|it| it.is_ascii_hexdigit() || it == '-');
    match name.as_str() {
        _ if is_id => "session",
        name if name.starts_with("session-") || claude.join("teams").join(name).is_dir() => "team",
        _ => "named",
    }
}

fn look(kind: &'static str, folder: &Path) -> Option<Found> {
    let name = folder.file_name()?.to_string_lossy().into_owned();
    let changed = newest(folder);
    let found = |format, open, total, problem| {
        Some(Found { kind, name, folder: folder.to_owned(), format, open, total, changed, problem })
    };
    let board = TaskList::open(folder, &Options::default()).and_then(|list| {
        let format = list.format().map_or("", |it| it.shape().name);
        Ok((format, list.board()?))
    });
    match board {
        Ok((format, board)) => {
            let open = board.tasks.iter().filter(|it| it.state != State::Completed).count();
            found(format, open, board.tasks.len(), None)
        }
        Err(worklist::Error::NoList { .. }) => None,
        Err(error) => found("", 0, 0, Some(error.to_string())),
    }
}

/// When something in the folder was last written.
fn newest(folder: &Path) -> Option<Time> {
    let entries = fs::read_dir(folder).ok()?.flatten();
    let times = entries.filter_map(|it| it.metadata().ok()?.modified().ok());
    let newest = times.max().or_else(|| fs::metadata(folder).ok()?.modified().ok())?;
    let since = newest.duration_since(UNIX_EPOCH).ok()?.as_millis();
    i64::try_from(since).ok().map(Time)
}

fn cells(it: &Found, now: Time) -> Vec<String> {
    let counts = match &it.problem {
        Some(problem) => visible(problem),
        None => format!("{} open of {}", it.open, it.total),
    };
    let age = it.changed.map(|then| ago(then, now)).unwrap_or_default();
    let place = match it.kind {
        "project" => visible(&it.folder.display().to_string()),
        // What begins like a flag must not be taken for one.
        _ if it.name.starts_with('-') => format!("--list={}", visible(&it.name)),
        _ => format!("--list {}", visible(&it.name)),
    };
    vec![it.kind.to_owned(), age, counts, it.format.to_owned(), place]
}

fn json(it: &Found) -> Object {
    let mut object = Object::new()
        .with("kind", it.kind)
        .with("name", it.name.as_str())
        .with("dir", it.folder.display().to_string())
        .with("format", it.format)
        .with("open", it.open)
        .with("total", it.total);
    object.set_some("changedAt", it.changed.map(|it| it.to_string()));
    object.set_some("problem", it.problem.as_deref());
    object
}
