//! The worktrees of tasks that are there, and which of them may go.

use super::{BRANCHES, Worktrees, git::Git, prefix};
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use worklist::{State, TaskView};

/// A worktree of a task.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) branch: String,
    /// The task, if the list has it.
    pub(crate) task: Option<TaskView>,
    /// How many files have changes that are not committed.
    pub(crate) changes: usize,
    /// How many commits the current head has not.
    pub(crate) commits: usize,
    /// Whether the folder is gone.
    pub(crate) gone: bool,
}

impl Worktrees {
    /// All of them, with the tasks that they belong to.
    pub(crate) fn all(&self, tasks: &[TaskView]) -> Result<Vec<Found>, Failure> {
        let failed = |said: String| Failure::other("look for worktrees", &std::io::Error::other(said));
        let said = self.git.ask(&["worktree", "list", "--porcelain", "-z"]).map_err(failed)?;
        let blocks = said.split("\0\0").map(|it| it.split('\0').collect::<Vec<&str>>());
        Ok(blocks.filter_map(|it| self.found(&it, tasks)).collect())
    }

    fn found(&self, lines: &[&str], tasks: &[TaskView]) -> Option<Found> {
        let of = |key: &str| lines.iter().find_map(|it| it.strip_prefix(key));
        let (path, branch) = (Path::new(of("worktree ")?), of("branch refs/heads/")?);
        if !branch.starts_with(BRANCHES) {
            return None;
        }
        let status = Git::at(path).ask(&["status", "--porcelain"]).unwrap_or_default();
        let range = format!("HEAD..{branch}");
        let commits = self.git.ask(&["rev-list", "--count", &range]).ok().and_then(|it| it.parse().ok());
        // Of ids that begin alike the longer one is meant.
        let its = tasks.iter().filter(|it| branch.starts_with(&prefix(&it.task)));
        let its = its.max_by_key(|it| it.task.id.as_str().len());
        Some(Found {
            path: path.to_owned(),
            branch: branch.to_owned(),
            task: its.cloned(),
            changes: status.lines().count(),
            commits: commits.unwrap_or(0),
            gone: !path.exists(),
        })
    }

    /// Removes those in which nothing is uncommitted and nobody works; their commits stay on their branches. What it
    /// removed, by its place in the list.
    pub(crate) fn prune(&self, found: &[Found]) -> Vec<bool> {
        _ = self.git.ask(&["worktree", "prune"]);
        found.iter().map(|it| it.may_go() && self.remove(it)).collect()
    }

    fn remove(&self, found: &Found) -> bool {
        let path = found.path.to_string_lossy();
        if !found.gone && !self.git.agrees(&["worktree", "remove", &path]) {
            return false;
        }
        if found.commits == 0 {
            // Everything on it is in the head, too.
            _ = self.git.ask(&["branch", "-d", "-q", &found.branch]);
        }
        true
    }
}

impl Found {
    pub(crate) fn is_busy(&self) -> bool {
        self.task.as_ref().is_some_and(|it| it.state == State::InProgress)
    }

    fn may_go(&self) -> bool {
        self.changes == 0 && !self.is_busy()
    }
}
