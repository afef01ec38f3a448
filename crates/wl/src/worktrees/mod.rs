//! A worktree of git for each task: made from what the task waits for, its work committed on a branch of its own. Nothing
//! with changes that are not committed is ever removed. Not which task is worked on.

mod found;
mod git;
mod tree;

pub(crate) use found::Found;
pub(crate) use git::{TIES, head};
pub(crate) use tree::{Base, Refusal, Tree};

use crate::{failure::Failure, fingerprint::fingerprint};
use git::Git;
use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};
use worklist::{Task, format::place::sanitized};

/// Every branch of a task begins so.
const BRANCHES: &str = "wl/";
/// A subject gives a branch at most so many letters.
const SLUG: usize = 40;
/// No hook of the repository runs because we prepare a place.
const NO_HOOKS: [&str; 2] = ["-c", "core.hooksPath=/dev/null"];

/// The worktrees of tasks in one repository.
pub(crate) struct Worktrees {
    git: Git,
    /// Where they are put.
    folder: PathBuf,
    /// Git takes turns at preparing places, not at the work.
    turn: Mutex<()>,
}

impl Worktrees {
    /// Those of the repository that a folder is in.
    pub(crate) fn of(folder: &Path, state: Option<&Path>) -> Result<Worktrees, Failure> {
        let git = Git::at(folder);
        let root = git.ask(&["rev-parse", "--path-format=absolute", "--git-common-dir"]).map_err(|said| {
            let reason = format!("need a repository of git: {}", said.lines().next().unwrap_or_default());
            Failure::invalid("worktrees", &reason, Some("`git init` makes one"))
        })?;
        let state = state.ok_or_else(|| {
            Failure::invalid("--worktree", "need a home: HOME is not set", Some("set HOME or XDG_STATE_HOME"))
        })?;
        let root = Path::new(&root);
        let project = root.parent().filter(|_| root.file_name().is_some_and(|it| it == ".git"));
        let name = project.unwrap_or(root).file_name().unwrap_or_default().to_string_lossy();
        let own = format!("{}-{:016x}", sanitized(&name), fingerprint(&root.display().to_string()));
        Ok(Worktrees { git, folder: state.join("worktrees").join(own), turn: Mutex::new(()) })
    }

    /// The same, to work in: there must be something to begin from.
    pub(crate) fn for_work(folder: &Path, state: Option<&Path>) -> Result<Worktrees, Failure> {
        let trees = Worktrees::of(folder, state)?;
        if head(folder).is_none() {
            let reason = "need a commit to begin from";
            return Err(Failure::invalid("worktrees", reason, Some("`git commit` makes one")));
        }
        Ok(trees)
    }

    /// A place for an attempt at a task, from what it waits for.
    pub(crate) fn begin(&self, task: &Task, bases: &[Base]) -> Result<Tree, Refusal> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        tree::begin(&self.git, &self.folder, &name(task), bases)
    }

    /// The newest branch of a task that has one.
    pub(crate) fn branch_of(&self, task: &Task) -> Option<String> {
        let places = format!("refs/heads/{}*", prefix(task));
        let newest = ["for-each-ref", "--count=1", "--sort=-committerdate", "--format=%(refname)", &places];
        self.git.ask(&newest).ok().filter(|it| !it.is_empty())
    }
}

/// What the place and the branch of a task are called: `7-fix-the-parser`.
fn name(task: &Task) -> String {
    let mut slug = String::new();
    for letter in task.subject.chars().flat_map(char::to_lowercase) {
        match letter {
            it if it.is_alphanumeric() => slug.push(it),
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    let slug: String = slug.chars().take(SLUG).collect();
    let slug = if slug.is_empty() { "task" } else { slug.trim_end_matches('-') };
    format!("{}-{slug}", sanitized(task.id.as_str()))
}

/// What every branch of a task begins with.
fn prefix(task: &Task) -> String {
    format!("{BRANCHES}{}-", sanitized(task.id.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use worklist::TaskId;

    #[test]
    fn a_branch_is_named_after_its_task() {
        for (id, subject, wanted) in [
            ("7", "Fix the parser!", "7-fix-the-parser"),
            ("a/b", "../../x", "a-b-x"),
            ("1", "登录 页面", "1-登录-页面"),
            ("2", "~^:?*[\\ ..@{", "2-task"),
            ("3", &"long ".repeat(30), "3-long-long-long-long-long-long-long-long"),
        ] {
            assert_eq!(name(&Task::new(TaskId::found(id), subject)), wanted);
        }
    }
}
