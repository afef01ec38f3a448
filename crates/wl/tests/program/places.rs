//! Which list is meant: by flags, variables, folders and repositories.

use crate::Wl;
use std::fs;

#[test]
fn the_project_is_found_from_below() {
    let wl = Wl::new();
    fs::create_dir_all(wl.path("repo/.git")).unwrap();
    fs::create_dir_all(wl.path("repo/deep/er")).unwrap();
    wl.in_folder("repo/deep/er").ok(&["add", "from below"]).stdout_has("repo/.tasks");
    wl.in_folder("repo").ok(&["list"]).stdout("[ ] #1 from below\n");
}

/// A list above the repository is not the repository's.
#[test]
fn a_repository_ends_the_search() {
    let wl = Wl::with_tasks(&["above"]);
    fs::create_dir_all(wl.path("inner/.git")).unwrap();
    fs::create_dir_all(wl.path("plain")).unwrap();
    wl.in_folder("plain").ok(&["list"]).stdout("[ ] #1 above\n");
    wl.in_folder("inner").fails(&["list"], 4, "no_list");
    wl.in_folder("inner").ok(&["init"]).stdout_has("inner/.tasks");
    wl.in_folder("inner").ok(&["list"]).stdout_has("No tasks yet");
}

/// Runs git with nothing of this machine's settings.
fn git(wl: &Wl, arguments: &[&str]) {
    let who = ["-c", "user.name=me", "-c", "user.email=me@example.org", "-c", "init.defaultBranch=main"];
    let alone = wl.with("GIT_CONFIG_NOSYSTEM", "1").with("GIT_CONFIG_GLOBAL", "/dev/null");
    alone.program("git", &[&who[..], arguments].concat()).code(0);
}

fn repository(wl: &Wl) {
    git(wl, &["init", "-q", "repo"]);
    git(wl, &["-C", "repo", "commit", "-q", "--allow-empty", "-m", "first"]);
}

#[test]
fn all_worktrees_share_the_list_of_the_main_one() {
    let wl = Wl::new();
    repository(&wl);
    git(&wl, &["-C", "repo", "worktree", "add", "-q", "../side"]);
    fs::create_dir_all(wl.path("side/deep")).unwrap();
    wl.in_folder("side/deep").ok(&["add", "from the side"]).stdout_has("repo/.tasks");
    wl.in_folder("repo").ok(&["list"]).stdout("[ ] #1 from the side\n");
    wl.in_folder("side").ok(&["list", "--dir", "../repo/.tasks"]).stdout("[ ] #1 from the side\n");
    assert!(!wl.path("side/.tasks").exists());
}

#[test]
fn worktrees_of_a_bare_repository_share_one_list() {
    let wl = Wl::new();
    repository(&wl);
    git(&wl, &["clone", "-q", "--bare", "repo", "bare.git"]);
    git(&wl, &["-C", "bare.git", "worktree", "add", "-q", "../one"]);
    git(&wl, &["-C", "bare.git", "worktree", "add", "-q", "../two"]);
    wl.in_folder("one").ok(&["add", "from one"]);
    assert!(wl.path("bare.git/.tasks/1.json").exists());
    wl.in_folder("two").ok(&["list"]).stdout("[ ] #1 from one\n");
}

/// A submodule is a repository of its own.
#[test]
fn a_submodule_has_its_own_list() {
    let wl = Wl::new();
    repository(&wl);
    git(&wl, &["init", "-q", "part"]);
    git(&wl, &["-C", "part", "commit", "-q", "--allow-empty", "-m", "first"]);
    git(
        &wl,
        &["-c", "protocol.file.allow=always", "-C", "repo", "submodule", "-q", "add", "../part", "part"],
    );
    wl.in_folder("repo/part").ok(&["add", "of the part"]).stdout_has("repo/part/.tasks");
    wl.in_folder("repo").fails(&["list"], 4, "no_list");
}

#[test]
fn flags_come_before_variables() {
    let wl = Wl::with_tasks(&["project"]);
    wl.ok(&["add", "own", "--dir", "own"]);
    wl.ok(&["add", "named", "--list", "../x"]);
    assert!(wl.path("home/.claude/tasks/---x/1.json").exists());
    let mirrors = fs::read_dir(wl.path("home/.local/state/worklist")).unwrap().count();
    assert_eq!(mirrors, 1, "its journal has a second name");
    let named = wl.with("CLAUDE_CODE_TASK_LIST_ID", "---x");
    named.ok(&["list"]).stdout("[ ] #1 named\n");
    let both = named.with("WORKLIST_DIR", "own");
    both.ok(&["list"]).stdout("[ ] #1 own\n");
    both.ok(&["list", "--dir", ".tasks"]).stdout("[ ] #1 project\n");
    both.ok(&["list", "--list=---x"]).stdout("[ ] #1 named\n");
}

#[test]
fn formats_have_places_of_their_own() {
    let wl = Wl::new();
    wl.with("CLAUDE_CODE_SESSION_ID", "s-1").ok(&["add", "by session", "--format", "claude"]);
    assert!(wl.path("home/.claude/tasks/s-1/1.json").exists());
    let elsewhere = wl.with("CLAUDE_CONFIG_DIR", &wl.path("config").display().to_string());
    elsewhere.ok(&["add", "b", "--list", "n"]);
    assert!(wl.path("config/tasks/n/1.json").exists());
    wl.ok(&["add", "one file", "--format", "tasks-json", "--dir", "json"]);
    assert!(wl.path("json/tasks.json").exists());
}

#[test]
fn verbose_says_which_list_and_who() {
    let wl = Wl::with_tasks(&[]);
    let said = wl.ok(&["list", "-v", "--as", "ann", "--session", "s"]);
    said.stderr_has(&format!("list {}, agent ann, session s", wl.path(".tasks").display()));
}
