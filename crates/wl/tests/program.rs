//! The program from outside: real processes, real files, every exit code, one JSON document.
#![expect(clippy::disallowed_methods, reason = "tests prepare folders by hand")]

mod wl;

use std::fs;
use wl::Wl;
use worklist::json::Json;

fn text<'a>(value: &'a Json, path: &[&str]) -> &'a str {
    let mut at = value;
    for key in path {
        at = at.as_object().and_then(|it| it.get(key)).unwrap_or_else(|| panic!("no {key} in {value:?}"));
    }
    at.as_str().unwrap_or_else(|| panic!("{path:?} is not a text: {at:?}"))
}

fn number(value: &Json, key: &str) -> u64 {
    value.as_object().and_then(|it| it.get(key)).and_then(Json::as_u64).unwrap_or_else(|| panic!("no {key}"))
}

#[test]
fn a_life_in_text() {
    let wl = Wl::new();
    wl.run(&["init"]).code(0).stdout_has("Made a list at").stdout_has("format claude");
    wl.run(&["init"]).code(0).stdout_has("There is a list already at");
    wl.run(&["add", "Set up schema", "--priority", "high"])
        .code(0)
        .stdout("Created [ ] #1 Set up schema  !high\n");
    wl.run(&["add", "Write API", "--after", "#1"])
        .code(0)
        .stdout("Created [ ] #2 Write API  blocked by #1\n");
    wl.run(&["list"]).code(0).stdout("[ ] #1 Set up schema\n[ ] #2 Write API  blocked by #1\n");
    wl.run(&["claim", "2"]).code(3).stdout("").stderr("error: task 2 waits for 1\nhint: complete 1 first\n");
    wl.run(&["claim", "1", "--as", "ann"]).code(0).stdout_has("Claimed [>] #1 Set up schema  @ann\n  token ");
    wl.run(&["show", "1"]).code(0).stdout_has("priority     high").stdout_has("ann until ");
    wl.run(&["done", "1", "--as", "bob"]).code(5).stderr_has("the claim of task 1 is not yours, but ann's");
    wl.run(&["done", "1", "--as", "ann"])
        .code(0)
        .stdout("Completed [x] #1 Set up schema  @ann\nUnblocked [ ] #2 Write API\n");
    wl.run(&["list"]).code(0).stdout("[ ] #2 Write API\n");
    wl.run(&["list", "--all"]).code(0).stdout("[x] #1 Set up schema  @ann\n[ ] #2 Write API\n");
    wl.run(&["list", "--status", "completed", "--owner", "ann"])
        .code(0)
        .stdout("[x] #1 Set up schema  @ann\n");
    wl.run(&["list", "--blocked"]).code(0).stdout_has("No open tasks of that kind (2 in all");
}

#[test]
fn shapes_in_json() {
    let wl = Wl::new();
    let made = wl.run(&["init", "--json"]).code(0).json();
    assert_eq!(text(&made, &["format"]), "claude");
    let added = wl
        .run(&["add", "a", "-d", "long", "--tag", "x", "--meta", "n=1.0", "--meta", "s=word", "--json"])
        .code(0)
        .json();
    assert_eq!((text(&added, &["task", "id"]), text(&added, &["task", "state"])), ("1", "ready"));
    let task = added.as_object().unwrap().get("task").unwrap().as_object().unwrap();
    let keys: Vec<&str> = task.iter().map(|(key, _)| key).collect();
    let expected = ["id", "subject", "description", "status", "blocks", "blockedBy", "metadata", "tags"];
    assert_eq!(keys, [&expected[..], &["createdAt", "updatedAt", "state", "openBlockers"]].concat());
    assert_eq!(
        task.get("metadata").unwrap().as_object().unwrap().get("n"),
        Some(&Json::Number("1.0".into()))
    );
    wl.run(&["add", "b", "--after", "1", "--json"]).code(0);
    let list = wl.run(&["list", "--json"]).code(0).json();
    assert_eq!((number(&list, "count"), number(&list, "total")), (2, 2));
    let few = wl.run(&["list", "--limit", "1", "--json"]).code(0).json();
    assert_eq!((number(&few, "count"), number(&few, "total")), (1, 2));
    let claimed = wl.run(&["claim", "1", "--as", "ann", "--json"]).code(0).json();
    let token = number(&claimed, "token");
    assert_eq!(text(&claimed, &["task", "claim", "agent"]), "ann");
    let again = wl.run(&["claim", "1", "--as", "ann", "--resume", "--json"]).code(0).json();
    assert_eq!(number(&again, "token"), token);
    let done = wl.run(&["done", "1", "--token", &token.to_string(), "--json"]).code(0).json();
    let freed = done.as_object().unwrap().get("unblocked").unwrap().as_array().unwrap();
    assert_eq!((freed.len(), text(&freed[0], &["id"]), text(&freed[0], &["subject"])), (1, "2", "b"));
}

/// Every refusal and failure: its code, its exit code, one JSON document, nothing else on standard output.
#[test]
fn failures_in_json() {
    let wl = Wl::new();
    let error = |arguments: &[&str], exit: i32, code: &str| {
        let json = wl.run(&[arguments, &["--json"]].concat()).code(exit).json();
        assert_eq!(text(&json, &["error", "code"]), code, "{arguments:?}");
        assert!(!text(&json, &["error", "message"]).is_empty());
        json
    };
    error(&["add", " "], 2, "invalid");
    error(&["add", "c", "--after", "1"], 4, "not_found");
    assert!(!wl.path(".tasks").exists(), "what is refused makes no list");
    error(&["list"], 4, "no_list");
    error(&["show", "1"], 4, "no_list");
    wl.run(&["add", "a"]).code(0).stdout_has("Made a list at");
    wl.run(&["add", "b", "--after", "1"]).code(0);
    error(&["show", "9"], 4, "not_found");
    error(&["claim", "9"], 4, "not_found");
    let blocked = error(&["claim", "2"], 3, "blocked");
    let by = blocked.as_object().unwrap().get("error").unwrap().as_object().unwrap().get("by").unwrap();
    assert_eq!(by, &Json::strings(["1"]));
    wl.run(&["claim", "1", "--as", "ann"]).code(0);
    let taken = error(&["claim", "1", "--as", "bob"], 3, "already_claimed");
    assert_eq!(text(&taken, &["error", "by"]), "ann");
    error(&["done", "1", "--token", "7", "--as", "ann"], 5, "stale_token");
    error(&["add", "c", "--after", "99"], 4, "not_found");
    error(&["add", " "], 2, "invalid");
    error(&["add", "c", "--priority", "huge"], 2, "invalid");
    error(&["add", "c", "--meta", "nothing"], 2, "invalid");
    error(&["show", "../x"], 2, "invalid");
    error(&["list", "--status", "odd"], 2, "invalid");
    error(&["claim", "1", "--lease", "soon"], 2, "invalid");
    error(&["list", "--format", "s12", "--dir", ".tasks"], 2, "other_format");
    error(&["list", "--format", "odd", "--dir", ".tasks"], 2, "invalid");
    error(&["frobnicate"], 2, "usage");
    error(&["add", "c", "--as", ""], 2, "invalid");
    error(&["add", "c", "--meta", "worklist=1"], 2, "invalid");
    error(&["claim", "1", "--lease", "99999999999d"], 2, "invalid");
    wl.run(&["done", "1", "--as", "ann"]).code(0);
    error(&["done", "1", "--as", "ann"], 3, "already_resolved");
    error(&["claim", "1"], 3, "already_resolved");
}

#[test]
fn a_full_disk_or_broken_files_are_said_plainly() {
    let wl = Wl::new();
    wl.run(&["add", "a"]).code(0);
    fs::write(wl.path(".tasks/7.json"), "{ not json").unwrap();
    let list = wl.run(&["list"]).code(0);
    list.stdout("[ ] #1 a\n").stderr_has("warning: 7.json: ");
    wl.run(&["show", "7"]).code(1).stderr_has("7.json cannot be read as a task");
    let json = wl.run(&["list", "--json"]).code(0).json();
    assert_eq!(json.as_object().unwrap().get("warnings").unwrap().as_array().unwrap().len(), 1);
    fs::write(
        wl.path(".tasks/task_1.json"),
        r#"{"id": 1, "subject": "s", "status": "pending", "blockedBy": []}"#,
    )
    .unwrap();
    fs::remove_dir_all(wl.path(".tasks/.worklist")).unwrap();
    wl.run(&["list"]).code(1).stderr_has("the format of").stderr_has("hint: move the files of one format");
}

#[test]
fn the_list_is_found_where_the_documentation_says() {
    let wl = Wl::new();
    fs::create_dir_all(wl.path("repo/.git")).unwrap();
    fs::create_dir_all(wl.path("repo/deep/er")).unwrap();
    wl.in_folder("repo/deep/er").run(&["add", "from below"]).code(0).stdout_has("repo/.tasks");
    wl.in_folder("repo").run(&["list"]).code(0).stdout("[ ] #1 from below\n");
    // A worktree shares the list of the main one.
    fs::create_dir_all(wl.path("repo/.git/worktrees/side")).unwrap();
    fs::create_dir_all(wl.path("side")).unwrap();
    fs::write(wl.path("side/.git"), format!("gitdir: {}\n", wl.path("repo/.git/worktrees/side").display()))
        .unwrap();
    wl.in_folder("side").run(&["list"]).code(0).stdout("[ ] #1 from below\n");
    wl.run(&["add", "elsewhere", "--dir", "own"]).code(0);
    assert!(wl.path("own/1.json").exists());
    wl.run(&["add", "named", "--list", "../x"]).code(0);
    assert!(wl.path("home/.claude/tasks/---x/1.json").exists());
    let mirrors = fs::read_dir(wl.path("home/.local/state/worklist")).unwrap().count();
    assert_eq!(mirrors, 1, "its journal has a second name");
    wl.with("CLAUDE_CODE_TASK_LIST_ID", "---x").run(&["list"]).code(0).stdout("[ ] #1 named\n");
    wl.with("WORKLIST_DIR", "own").run(&["list"]).code(0).stdout("[ ] #1 elsewhere\n");
    wl.with("CLAUDE_CODE_SESSION_ID", "s-1").run(&["add", "by session", "--format", "claude"]).code(0);
    assert!(wl.path("home/.claude/tasks/s-1/1.json").exists());
    // A list above the repository is not the repository's.
    fs::create_dir_all(wl.path("inner/.git")).unwrap();
    fs::create_dir_all(wl.path(".tasks")).unwrap();
    wl.in_folder("inner").run(&["init", "--format", "claude"]).code(0).stdout_has("inner/.tasks");
    wl.in_folder("inner").run(&["list"]).code(0).stdout_has("No tasks yet");
    wl.run(&["add", "one file", "--format", "tasks-json", "--dir", "json"]).code(0);
    assert!(wl.path("json/tasks.json").exists());
}

/// Two processes with different homes, as in two containers, on one folder: one lease.
#[test]
fn another_home_sees_the_same_claim() {
    let wl = Wl::new();
    wl.run(&["add", "a", "--dir", "list"]).code(0);
    let claim = ["claim", "1", "--dir", "list"];
    wl.with("HOME", "/nonexistent/one").with("WORKLIST_SESSION", "one").run(&claim).code(0);
    wl.with("HOME", "/nonexistent/two")
        .with("WORKLIST_SESSION", "two")
        .run(&claim)
        .code(3)
        .stderr_has("is claimed by");
}

#[test]
fn control_characters_are_made_visible() {
    let wl = Wl::new();
    wl.run(&["add", "red \u{1b}[31m \u{202e}txt\u{200b}", "-d", "bell \u{7}\nnext"]).code(0);
    for arguments in [&["list"][..], &["show", "1"]] {
        let run = wl.run(arguments).code(0);
        run.stdout_has("red \\x1b[31m \\u{202e}txt\\u{200b}");
        assert!(run.out.chars().all(|it| it == '\n' || !it.is_control()), "{:?}", run.out);
    }
    let json = wl.run(&["show", "1", "--json"]).code(0).json();
    assert_eq!(text(&json, &["task", "description"]), "bell \u{7}\nnext");
}

#[test]
fn a_description_can_come_from_standard_input() {
    let wl = Wl::new();
    wl.input("line 1\nline 2\n").run(&["add", "a", "-d", "-"]).code(0);
    let json = wl.run(&["show", "1", "--json"]).code(0).json();
    assert_eq!(text(&json, &["task", "description"]), "line 1\nline 2");
}

#[test]
fn help_is_on_standard_output_and_mistakes_are_not() {
    let wl = Wl::new();
    wl.run(&["--help"]).code(0).stdout_has("claim").stderr("");
    wl.run(&["--version"]).code(0).stdout_has("wl ");
    wl.run(&["claim"]).code(2).stdout("").stderr_has("<ID>");
    wl.run(&["lst"]).code(2).stderr_has("list");
}

/// What cannot be printed changes neither the exit code nor anything else.
#[test]
fn nobody_listening_is_no_panic() {
    let wl = Wl::new();
    wl.run(&["add", "a"]).code(0);
    for command in ["wl show 9 --json >/dev/full", "wl show 9 2>/dev/full", "wl show 9 --json | true; exit 4"]
    {
        wl.shell(command).code(4);
    }
    wl.shell("wl list | true").code(0);
}

/// A worker that was not heard of for longer than its lease: the task is shown as what it is, free.
#[test]
fn a_lost_lease_is_seen() {
    let wl = Wl::new();
    wl.run(&["add", "a"]).code(0);
    wl.run(&["claim", "1", "--as", "bob", "--lease", "1s"]).code(0);
    while wl.run(&["list", "--as", "zoe"]).code(0).out != "[ ] #1 a\n" {}
    wl.run(&["done", "1", "--as", "zoe"]).code(5);
    wl.run(&["claim", "1", "--as", "zoe"]).code(0);
    wl.run(&["done", "1", "--as", "bob"]).code(5).stderr_has("zoe has it now");
}

#[test]
fn a_missing_blocker_is_said_to_be_missing() {
    let wl = Wl::new();
    wl.run(&["add", "a"]).code(0);
    wl.run(&["add", "b", "--after", "1"]).code(0);
    fs::remove_file(wl.path(".tasks/1.json")).unwrap();
    wl.run(&["claim", "2"]).code(3).stderr_has("task 1 does not exist; take it out of what task 2 waits for");
}

#[test]
fn a_file_that_was_replaced_is_mentioned() {
    let wl = Wl::new();
    wl.run(&["add", "a"]).code(0);
    fs::write(wl.path(".tasks/1.json"), "{broken").unwrap();
    wl.run(&["show", "1"]).code(0).stderr_has("warning: 1.json");
    wl.run(&["done", "1"]).code(0).stderr_has("warning: 1.json");
    assert_eq!(fs::read_dir(wl.path(".tasks/.worklist/quarantine")).unwrap().count(), 1);
}
