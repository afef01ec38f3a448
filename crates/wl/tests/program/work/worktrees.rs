//! `wl worktrees`. What is made and removed is tested with the workers.

use crate::{Tested, Wl};
use std::process::Command;

pub(crate) const TESTED: Tested =
    Tested::new("worktrees", [worktrees_text, worktrees_json, worktrees_failures]);

/// A list in a repository, with a worktree in which something is not committed.
fn worked() -> Wl {
    let wl = Wl::with_tasks(&["Fix it"]).with("PATH", &std::env::var("PATH").unwrap_or_default());
    let commit = ["-c", "user.name=me", "-c", "user.email=me@example.org", "commit", "-q", "--allow-empty"];
    for arguments in [&["init", "-q"][..], &[&commit[..], &["-m", "first"]].concat()] {
        let ended = Command::new("git").current_dir(wl.path("")).args(arguments).status();
        assert!(ended.is_ok_and(|it| it.success()), "git {arguments:?}");
    }
    wl.run(&["work", "--worktree", "--attempts", "1", "--", "/bin/sh", "-c", "touch half; exit 1"]).code(1);
    wl
}

#[test]
fn worktrees_text() {
    let wl = worked();
    let text = wl.ok(&["worktrees"]).out;
    assert!(text.starts_with("#1 Fix it  wl/1-fix-it  0 commits, 1 change not committed\n  /"), "{text}");
    wl.ok(&["worktrees", "--prune"]).stdout(&text);
}

#[test]
fn worktrees_json() {
    let json = worked().json(&["worktrees", "--prune"]);
    let tree = &json["worktrees"][0];
    assert_eq!((&json["count"], &tree["id"], &tree["changes"]), (&1.into(), &"1".into(), &1.into()));
    assert_eq!((&tree["removed"], &tree["busy"]), (&false.into(), &false.into()));
}

#[test]
fn worktrees_failures() {
    Wl::new().fails(&["worktrees"], 4, "no_list");
    let wl = Wl::with_tasks(&["one"]).with("PATH", &std::env::var("PATH").unwrap_or_default());
    wl.fails(&["worktrees"], 2, "invalid").says("worktrees need a repository of git");
    wl.fails(&["work", "--worktree", "--", "true"], 2, "invalid").says("need a repository of git");
    wl.fails(&["worktrees", "--none"], 2, "usage");
}
