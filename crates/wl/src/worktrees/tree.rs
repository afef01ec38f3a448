//! One worktree of one attempt: how it is made, how its work is committed, when it may go.

use super::{BRANCHES, NO_HOOKS, git::Git};
use std::path::{Path, PathBuf};

/// More attempts than this leave something behind in nobody's house.
const MOST: usize = 1_000;

/// What a task waits for has led to this commit.
#[derive(Debug, Clone)]
pub(crate) struct Base {
    /// Whose it is, for people.
    pub(crate) of: String,
    pub(crate) commit: String,
}

/// Why there is no worktree.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// What the task waits for does not go together. Trying again does not help.
    Conflict(String),
    Other(String),
}

/// A place to work in.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) path: PathBuf,
    branch: String,
    git: Git,
    /// Git where the tree was made from.
    home: Git,
    /// What was current there.
    head: String,
}

pub(super) fn begin(home: &Git, folder: &Path, name: &str, bases: &[Base]) -> Result<Tree, Refusal> {
    let head = home.ask(&["rev-parse", "--verify", "HEAD"]).map_err(Refusal::Other)?;
    for base in bases {
        if !home.agrees(&["cat-file", "-e", &format!("{}^{{commit}}", base.commit)]) {
            let what = format!("{} led to commit {}, which is not in this repository", base.of, base.commit);
            return Err(Refusal::Conflict(what));
        }
    }
    let is_new = |it: &&Base| !home.agrees(&["merge-base", "--is-ancestor", &it.commit, &head]);
    let bases: Vec<&Base> = bases.iter().filter(is_new).collect();
    let tree = (1..MOST).find_map(|n| {
        let name = if n == 1 { name.to_owned() } else { format!("{name}-{n}") };
        Tree::new(home, folder.join(&name), format!("{BRANCHES}{name}"), head.clone()).vacate()
    });
    let tree = tree.ok_or_else(|| Refusal::Other(format!("{name}: too many attempts are kept")))?;
    tree.make(&bases)?;
    Ok(tree)
}

impl Tree {
    fn new(home: &Git, path: PathBuf, branch: String, head: String) -> Tree {
        Tree { git: Git::at(&path), home: home.clone(), path, branch, head }
    }

    /// Its place, if nothing is there that anybody could miss.
    fn vacate(self) -> Option<Tree> {
        if self.path.exists() {
            let own = self.git.ask(&["rev-parse", "--abbrev-ref", "HEAD"]);
            if own.as_deref() != Ok(&self.branch) || !self.is_clean() || self.has_commits() {
                return None;
            }
            self.remove().ok()?;
        }
        // A branch without a place: somebody's work, unless nothing was done on it.
        let branch = format!("refs/heads/{}", self.branch);
        if self.home.agrees(&["show-ref", "--verify", "-q", &branch]) {
            if self.has_commits() {
                return None;
            }
            self.home.ask(&["branch", "-D", "-q", &self.branch]).ok()?;
        }
        Some(self)
    }

    fn make(&self, bases: &[&Base]) -> Result<(), Refusal> {
        let first = bases.first().map_or(self.head.as_str(), |it| it.commit.as_str());
        let path = self.path.to_string_lossy();
        // A place that somebody removed by hand is not in the way.
        _ = self.home.ask(&["worktree", "prune"]);
        let add = ["worktree", "add", "-q", "--no-track", "-b", &self.branch, &path, first];
        self.home.ask(&[&NO_HOOKS[..], &add].concat()).map_err(Refusal::Other)?;
        for (n, base) in bases.iter().enumerate().skip(1) {
            self.merge(base).map_err(|refusal| {
                _ = self.git.ask(&["merge", "--abort"]);
                _ = self.discard();
                match refusal {
                    Refusal::Conflict(files) => {
                        let earlier: Vec<&str> = bases[..n].iter().map(|it| it.of.as_str()).collect();
                        let others = earlier.join(", ");
                        Refusal::Conflict(format!("{} and {others} do not go together: {files}", base.of))
                    }
                    other @ Refusal::Other(_) => other,
                }
            })?;
        }
        Ok(())
    }

    fn merge(&self, base: &Base) -> Result<(), Refusal> {
        let message = format!("Merge {}", base.of);
        let merge = ["merge", "-q", "--no-edit", "-m", &message, &base.commit];
        let Err(said) = self.git.ask(&[&NO_HOOKS[..], &merge].concat()) else { return Ok(()) };
        let unmerged = self.git.ask(&["diff", "--name-only", "--diff-filter=U"]).unwrap_or_default();
        if unmerged.is_empty() {
            return Err(Refusal::Other(said));
        }
        Err(Refusal::Conflict(unmerged.lines().collect::<Vec<_>>().join(", ")))
    }

    /// Commits what was left uncommitted; the commit that the work has led to, if it has led to one.
    pub(crate) fn commit(&self, message: &str) -> Result<Option<String>, String> {
        if !self.is_clean() {
            self.git.ask(&["add", "--all"])?;
            self.git.ask(&["commit", "-q", "-m", message])?;
        }
        let now = self.git.ask(&["rev-parse", "HEAD"])?;
        Ok((now != self.head).then_some(now))
    }

    /// Leaves the place, if nothing in it is uncommitted. The branch stays if anything was done on it.
    pub(crate) fn leave(&self) {
        if self.is_clean() && self.remove().is_ok() && !self.has_commits() {
            _ = self.home.ask(&["branch", "-D", "-q", &self.branch]);
        }
    }

    /// Whether everything is committed.
    fn is_clean(&self) -> bool {
        self.git.ask(&["status", "--porcelain"]).is_ok_and(|it| it.is_empty())
    }

    /// Whether its branch has what the head has not.
    fn has_commits(&self) -> bool {
        !self.home.agrees(&["merge-base", "--is-ancestor", &self.branch, &self.head])
    }

    /// Takes away a place that was only prepared.
    fn discard(&self) -> Result<(), String> {
        self.remove()?;
        self.home.ask(&["branch", "-D", "-q", &self.branch]).map(drop)
    }

    /// Git itself refuses where something is uncommitted.
    fn remove(&self) -> Result<(), String> {
        self.home.ask(&["worktree", "remove", &self.path.to_string_lossy()]).map(drop)
    }
}
