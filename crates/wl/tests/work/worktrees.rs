//! Tasks in worktrees of their own: made from what they wait for, committed, kept when something went wrong, and never
//! removed with anything in them that is not committed.

use crate::{Wl, start, state, until};
use rustix::process::Signal;
use std::{fs, path::PathBuf, process::Command};

/// A list in a repository with one commit, at whose programs `wl` and git find what they need.
fn repository(subjects: &[&str]) -> Wl {
    let wl = Wl::with_tasks(subjects).with("PATH", &std::env::var("PATH").unwrap_or_default());
    wl.write("home/.gitconfig", "[user]\nname = me\nemail = me@example.org\n[init]\ndefaultBranch = main\n");
    wl.write(".gitignore", "home\n.tasks\nignored\npids\n");
    wl.write("readme", "begin\n");
    for line in [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "first"]] {
        git(&wl, line);
    }
    wl
}

#[track_caller]
fn git(wl: &Wl, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(wl.path(""))
        .env("HOME", wl.path("home"))
        .args(arguments)
        .output()
        .expect("git runs");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {said}");
    said.trim().to_owned()
}

fn work(wl: &Wl, more: &[&str], script: &str) -> crate::wl::Run {
    wl.run(&[&["work", "--worktree"], more, &["--", "/bin/sh", "-c", script]].concat())
}

fn commit_of(wl: &Wl, id: &str) -> String {
    wl.json(&["show", id])["task"]["evidence"]["commit"].as_str().unwrap_or_default().to_owned()
}

/// The folders of worktrees that are there.
fn kept(wl: &Wl) -> Vec<PathBuf> {
    let all = wl.json(&["worktrees"]);
    let all = all["worktrees"].as_array().cloned().unwrap_or_default();
    all.iter().filter_map(|it| it["path"].as_str().map(PathBuf::from)).collect()
}

#[test]
fn work_goes_from_task_to_task_and_the_branch_stays() {
    let wl = repository(&["dig", "pour", "build < dig < pour", "paint < build"]);
    let script =
        "cat readme dig pour build 2>/dev/null | tr '\\n' ' '; pwd; echo it > $WORKLIST_TASK_SUBJECT";
    work(&wl, &["--workers", "2"], script).code(0).stdout_has("commit ");
    for id in ["1", "2", "3", "4"] {
        assert_eq!(state(&wl, id), "completed");
    }
    // Each found what it waited for, and nobody touched the folder where we are.
    wl.ok(&["logs", "1"]).stdout_has("begin /");
    wl.ok(&["logs", "4"]).stdout_has("begin it it it /").stdout_has("4-paint");
    assert!(!wl.path("dig").exists() && kept(&wl).is_empty());
    let last = commit_of(&wl, "4");
    assert_eq!(git(&wl, &["rev-parse", "wl/4-paint"]), last);
    assert_eq!(
        git(&wl, &["ls-tree", "--name-only", &last, "dig", "pour", "build", "paint"]).lines().count(),
        4
    );
    assert!(git(&wl, &["log", "-1", "--format=%B", &last]).contains("paint\n\nTask: #4"));
    wl.ok(&["show", "4"]).stdout_has(&format!("commit {last}"));
}

#[test]
fn what_does_not_go_together_is_refused_cleanly() {
    let wl = repository(&["left", "right", "both < left < right"]);
    let run = work(&wl, &[], "echo $WORKLIST_TASK_SUBJECT > readme").code(1);
    run.stdout_has("#2 and #1 do not go together: readme").stdout_has("parked: #3");
    assert_eq!(run.out.matches("do not go together").count(), 1, "tried once: {}", run.out);
    assert!(kept(&wl).is_empty(), "nothing is left of the try");
    assert!(git(&wl, &["branch", "--list", "wl/3-*"]).is_empty());
    // A person merges by hand, and lets it go on.
    git(&wl, &["merge", "-q", "wl/1-left"]);
    git(&wl, &["merge", "-q", "-s", "ours", "wl/2-right"]);
    wl.ok(&["release", "3"]);
    work(&wl, &[], "cat readme").code(0);
    wl.ok(&["logs", "3"]).stdout("left\n");
}

#[test]
fn a_failed_attempt_is_kept_for_a_look_and_the_next_begins_anew() {
    let wl = repository(&["one"]);
    let script =
        "test -e half && echo found; echo half > half; test -e $HOME/again || { touch $HOME/again; exit 1; }";
    let run = wl.run(&["work", "--worktree", "--attempts", "2", "--", "/bin/sh", "-c", script]).code(0);
    run.stdout_has("attempt 1");
    let kept = kept(&wl);
    assert_eq!(kept.len(), 1);
    assert_eq!(fs::read_to_string(kept[0].join("half")).expect("a file"), "half\n");
    wl.ok(&["logs", "1"]).stdout("");
    assert_eq!(git(&wl, &["rev-parse", "wl/1-one-2"]), commit_of(&wl, "1"));
    // Not even when asked to: it is not committed.
    wl.ok(&["worktrees", "--prune"]).stdout_has("1 change not committed");
    assert!(kept[0].join("half").exists());
    fs::remove_file(kept[0].join("half")).expect("it goes");
    wl.ok(&["worktrees", "--prune"]).stdout_has("removed");
    assert!(!kept[0].exists());
}

#[test]
fn what_led_to_nothing_leaves_no_branch() {
    let wl = repository(&["look", "after < look"]);
    work(&wl, &[], "echo x > ignored; true").code(0);
    assert!(commit_of(&wl, "1").is_empty() && kept(&wl).is_empty());
    assert!(git(&wl, &["branch", "--list", "wl/*"]).is_empty());
}

/// What a hook of the repository refuses is a failed attempt, and its work is kept.
#[test]
fn what_cannot_be_committed_has_failed() {
    let wl = repository(&["one"]);
    let hook = wl.path(".git/hooks/pre-commit");
    fs::create_dir_all(wl.path(".git/hooks")).expect("a folder");
    fs::write(&hook, "#!/bin/sh\necho 'not so' >&2; exit 1\n").expect("a hook");
    fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a program");
    work(&wl, &["--attempts", "1"], "echo x > new")
        .code(1)
        .stdout_has("its changes could not be committed: not so");
    assert!(kept(&wl)[0].join("new").exists());
    assert_eq!(wl.json(&["runs"])["runs"][0]["outcome"], "not committed");
}

/// In every phase of a run that is ended from outside, uncommitted work stays where it is.
#[test]
fn a_run_that_is_killed_loses_no_work() {
    let wl = repository(&["one"]);
    let script = "echo precious > half; echo $$ > $HOME/at; exec sleep 1000";
    let mut run = start(&wl, &["--worktree"], script);
    until("it is at work", || wl.path("home/at").exists());
    crate::signal(&run, Signal::KILL);
    run.wait().expect("it ends");
    until("it is free", || state(&wl, "1") == "ready");
    let half = kept(&wl)[0].join("half");
    work(&wl, &[], "test ! -e half && echo new > full").code(0);
    assert_eq!(fs::read_to_string(half).expect("it is there"), "precious\n");
}

/// Git may be tied to another place by whoever started us.
#[test]
fn variables_of_git_lead_nobody_astray() {
    let wl = repository(&["one"]);
    let tied = wl.with("GIT_DIR", &wl.path("none").display().to_string());
    let script = "echo x > new && git add new && git commit -qm own";
    let run = tied.run(&["work", "--worktree", "--", "/bin/sh", "-c", script]).code(0);
    run.stdout_has("commit ");
    assert!(git(&wl, &["log", "--format=%s", "wl/1-one"]).starts_with("own\n"));
}
