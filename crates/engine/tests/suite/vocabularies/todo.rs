//! `TodoWrite` and `TodoRead`: the recorded runs of the program behind the specification, made again by what stands for
//! its commands, and what the specification says beyond them.

use super::{Office, object, recordings::lines};
use crate::fixtures::root;
use std::fs;
use worklist::{
    Command, Status, TaskId,
    json::{Json, Object, Style, parse, write},
    tools::{MAX_ITEMS, Set},
};

/// A text without moments, which differ from run to run.
fn timeless(value: &Json) -> String {
    let text = write(value, Style::JAVASCRIPT, "");
    let stamps = ["created_at", "updated_at", "last_updated"];
    let is_stamp = |line: &str| stamps.iter().any(|it| line.trim_start().starts_with(&format!("\"{it}\"")));
    text.lines().filter(|it| !is_stamp(it)).collect::<Vec<_>>().join("\n")
}

/// A run of the program, with its ids and ours.
struct Run {
    office: Office,
    ids: Vec<(String, String)>,
}

impl Run {
    fn to_ours(&self, text: &str) -> String {
        self.ids.iter().fold(text.to_owned(), |text, (theirs, ours)| text.replace(theirs, ours))
    }

    fn to_theirs(&self, text: &str) -> String {
        self.ids.iter().fold(text.to_owned(), |text, (theirs, ours)| text.replace(ours, theirs))
    }

    fn call(&self, tool: &str, input: Object) -> String {
        let input = self.to_ours(&write(&Json::Object(input), Style::COMPACT, ""));
        self.office.said(tool, &input)
    }

    /// `add <description> [priority] [tags] [dependencies]`, with what that command fills in.
    fn add(&mut self, words: &[&str], theirs: &str) -> String {
        let word = |n: usize| words.get(n).copied().filter(|it| !it.is_empty());
        let listed = |n: usize| Json::strings(word(n).into_iter().flat_map(|it| it.split(',')));
        let metadata = Object::new()
            .with("priority", word(1).unwrap_or("medium"))
            .with("tags", listed(2))
            .with("source", "user");
        let mut input = Object::new().with("metadata", metadata).with("dependencies", listed(3));
        input.set_some("description", word(0));
        let answer = self.call("TodoWrite", input);
        if answer.starts_with("Error") {
            return answer;
        }
        let task = object(&answer).get("task").unwrap().as_object().unwrap().clone();
        let ours = task.get("id").and_then(Json::as_str).unwrap().to_owned();
        self.ids.push((theirs.trim_start_matches("Task created: ").to_owned(), ours.clone()));
        format!("Task created: {ours}")
    }

    fn complete(&self, id: &str) -> String {
        let answer = self.call("TodoWrite", Object::new().with("id", id).with("status", "completed"));
        if answer.starts_with('{') { format!("Task {id} completed") } else { answer }
    }

    fn list(&self, status: Option<&str>) -> String {
        let mut input = Object::new().with("include_completed", true);
        input.set_some("status", status);
        timeless(object(&self.call("TodoRead", input)).get("tasks").unwrap())
    }

    /// Vocabulary D has no removal (S004-15): what the program removed is removed without it.
    fn remove(&self, id: &str) {
        let id = TaskId::found(&self.to_ours(id));
        let actor = worklist::Actor::new("agent", "session-of-agent");
        self.office.list.run(&actor, &Command::Delete { id, force: false }).unwrap();
    }

    fn compare(&self, path: &str) {
        let theirs = fs::read_to_string(root().join("learn/d4-tasksjson").join(path)).unwrap();
        let ours = self.to_theirs(&self.office.text("tasks.json"));
        assert_eq!(timeless(&parse(&ours).unwrap()), timeless(&parse(&theirs).unwrap()), "{path}");
        assert!(ours.ends_with("}\n"), "{ours}");
    }
}

fn replay(path: &str, until: usize, snapshots: &[(usize, &str)]) {
    let mut run = Run { office: Office::new(Set::Todo, "tasks-json"), ids: Vec::new() };
    for (n, call) in lines(&format!("d4-tasksjson/{path}")).into_iter().enumerate().take(until) {
        let n = n + 1;
        let argv = call.get("argv").unwrap().as_array().unwrap();
        let words: Vec<&str> = argv.iter().filter_map(Json::as_str).collect();
        let [out, err] = ["stdout", "stderr"].map(|key| call.get(key).unwrap().clone());
        let said = err.as_str().filter(|it| !it.is_empty()).or(out.as_str()).unwrap_or_default().to_owned();
        match words[0] {
            "add" => {
                let ours = run.add(&words[1..], &said);
                assert_eq!(run.to_theirs(&ours), said, "{path} {n}");
            }
            "complete" => assert_eq!(run.to_theirs(&run.complete(words[1])), said, "{path} {n}"),
            "list" => {
                assert_eq!(run.to_theirs(&run.list(words.get(1).copied())), timeless(&out), "{path} {n}");
            }
            "remove" if n == 15 => run.remove(words[1]),
            // Refused or without effect there, or its usage: nothing in vocabulary D stands for it.
            "remove" | "bogus" => {}
            other => panic!("{other}"),
        }
        for (_, snapshot) in snapshots.iter().filter(|(after, _)| *after == n) {
            run.compare(&format!("{path}/snapshots/{snapshot}/tasks.json"));
        }
    }
}

#[test]
fn every_recorded_command_is_answered_again() {
    let basic = [
        (5, "01-created/home/.claude/tasks/shared-session"),
        (10, "02-first-completed/home/.claude/tasks/shared-session"),
        (15, "03-end/home/.claude/tasks/shared-session"),
    ];
    replay("basic", usize::MAX, &basic);
    replay("list-id-git-parent", usize::MAX, &[(1, "00-end/home/.claude/tasks/proj")]);
    replay("list-id-package-json", usize::MAX, &[(1, "00-end/home/.claude/tasks/webapp")]);
    replay("list-id-plain-dir", usize::MAX, &[(1, "00-end/home/.claude/tasks/plain")]);
    // What comes after is about broken files, which is a matter of the store.
    replay("recovery", 2, &[(2, "00-good/home/.claude/tasks/r")]);
}

#[test]
fn an_id_decides_between_making_and_changing() {
    for format in ["tasks-json", "claude", "s07", "v6"] {
        let office = Office::new(Set::Todo, format);
        let field = |answer: &str, key: &str| {
            object(answer).get("task").unwrap().as_object().unwrap().get(key).cloned()
        };
        // C-30: an unknown id is made.
        let made =
            office.said("TodoWrite", r#"{"id":"7","description":"Fix it\n\nAll of it","assignee":"bob"}"#);
        assert_eq!(field(&made, "id"), Some("7".into()), "{format}");
        assert_eq!(field(&made, "description"), Some("Fix it\n\nAll of it".into()), "{format}");
        // C-28: what is left out stays.
        let input = r##"{"id":"#7","metadata":"{'priority': 'high', 'tags': ['x']}"}"##;
        let kept = office.said("TodoWrite", input);
        assert_eq!(field(&kept, "assignee"), Some("bob".into()), "{format}");
        assert_eq!(field(&kept, "description"), Some("Fix it\n\nAll of it".into()), "{format}");
        let metadata = Object::new().with("priority", "high").with("tags", Json::strings(["x"]));
        assert_eq!(field(&kept, "metadata"), Some(metadata.into()), "{format}");
        let freed = office.said("TodoWrite", r#"{"id":"7","assignee":"","metadata":{"tags":[]}}"#);
        assert_eq!(field(&freed, "assignee"), Some(Json::Null), "{format}");
        let other = office.said("TodoWrite", r#"{"description":"Then this","dependencies":"['7']"}"#);
        assert_eq!(field(&other, "status"), Some("blocked".into()), "{format}");
        let done = office.said("TodoWrite", r#"{"id":7,"status":"completed"}"#);
        let id = field(&other, "id").unwrap();
        assert_eq!(object(&done).get("unblocked"), Some(&Json::Array(vec![id])), "{format}");
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let office = Office::new(Set::Todo, "tasks-json");
    office.said("TodoWrite", r#"{"id":"a","description":"a"}"#);
    office.said("TodoWrite", r#"{"id":"b","description":"b","dependencies":["a"]}"#);
    for (input, text) in [
        (
            r#"{"id":"b","status":"in_progress"}"#,
            "Error: Cannot set task b to in_progress; dependencies not completed: a",
        ),
        (
            r#"{"id":"b","status":"completed"}"#,
            "Error: Cannot set task b to completed; dependencies not completed: a",
        ),
        (
            r#"{"id":"c","description":"c","status":"completed","dependencies":["a","b"]}"#,
            "Error: Cannot set task c to completed; dependencies not completed: a, b",
        ),
        (r#"{"id":"a","dependencies":["b"]}"#, "Error: Circular dependency: a -> b -> a"),
        (r#"{"id":"a","dependencies":["a"]}"#, "Error: Circular dependency: a -> a"),
        (r#"{"id":"a","dependencies":["x"]}"#, "Error: Dependency task ID not found: x"),
        (r#"{"id":"x","status":"completed"}"#, "Error: Task not found: x"),
        (r#"{"status":"completed"}"#, "Error: Description required"),
        (r#"{"description":" "}"#, "Error: Description required"),
        (r#"{"id":"a","status":"done"}"#, "Error: Invalid status: done"),
    ] {
        let reply = office.call("TodoWrite", input);
        assert_eq!(reply.text, text, "{input}");
        assert!(reply.error.is_some(), "{input}");
    }
    // Nothing of what was refused is there.
    assert_eq!(office.list.board().unwrap().tasks.len(), 2);
    assert_eq!(office.said("TodoDelete", "{}"), "Unknown tool: TodoDelete");
}

#[test]
fn counts_are_over_the_whole_list() {
    let office = Office::new(Set::Todo, "tasks-json");
    office.said("TodoWrite", r#"{"id":"a","description":"a","status":"completed"}"#);
    office.said("TodoWrite", r#"{"id":"b","description":"b","status":"in_progress","assignee":"bob"}"#);
    office.said("TodoWrite", r#"{"id":"c","description":"c","dependencies":["b"]}"#);
    office.said("TodoWrite", r#"{"id":"d","description":"d"}"#);
    let read = |input: &str| {
        let answer = object(&office.said("TodoRead", input));
        let keys: Vec<&str> = answer.iter().map(|it| it.0).collect();
        let counts = ["pending_count", "in_progress_count", "completed_count", "blocked_count"];
        assert_eq!(keys, [&["tasks", "count"], &counts[..]].concat());
        assert!(counts.iter().all(|it| answer.get(it) == Some(&Json::from(1_u64))), "{answer:?}");
        let tasks = answer.get("tasks").unwrap().as_array().unwrap();
        assert_eq!(answer.get("count"), Some(&Json::from(tasks.len())));
        tasks
            .iter()
            .map(|it| it.as_object().unwrap().get("id").unwrap().as_str().unwrap().to_owned())
            .collect::<String>()
    };
    assert_eq!(read("{}"), "bcd");
    assert_eq!(read(r#"{"include_completed":true}"#), "abcd");
    assert_eq!(read(r#"{"include_completed":"true"}"#), "abcd");
    assert_eq!(read(r#"{"status":"completed"}"#), "a");
    assert_eq!(read(r#"{"status":"blocked"}"#), "c");
    assert_eq!(read(r#"{"assignee":"bob"}"#), "b");
}

#[test]
fn an_array_is_the_checklist_of_the_session() {
    let office = Office::new(Set::Todo, "claude");
    let array = r#"[{"content":"a","status":"in_progress","activeForm":"Doing a"},{"content":"b","status":"pending"}]"#;
    let python = "[{'content': 'a', 'status': 'pending'}]";
    let input =
        |key: &str, value: Json| write(&Json::Object(Object::new().with(key, value)), Style::COMPACT, "");
    assert_eq!(office.said("TodoWrite", &input("todos", parse(array).unwrap())), "Updated 2 tasks");
    let items = office.checklist.items();
    assert_eq!((items[0].content.as_str(), items[0].status), ("a", Status::InProgress));
    assert_eq!(items[0].active_form.as_deref(), Some("Doing a"));
    assert_eq!(office.said("todo_write", &input("items", array.into())), "Updated 2 tasks");
    assert_eq!(office.said("todo_write", &input("todos", python.into())), "Updated 1 tasks");
    let many: Vec<Json> = vec![parse(r#"{"content":"a","status":"pending"}"#).unwrap(); MAX_ITEMS + 1];
    for (value, text) in [
        (parse(r#"[{"content":"a"}]"#).unwrap(), "Error: todos[0] missing 'content' or 'status'"),
        (parse("[1]").unwrap(), "Error: todos[0] missing 'content' or 'status'"),
        (parse(r#"[{"content":"a","status":"x"}]"#).unwrap(), "Error: todos[0] invalid status 'x'"),
        (Json::Array(many), "Error: at most 20 todos are allowed"),
        (
            parse(r#"[{"content":"a","status":"in_progress"},{"content":"b","status":"in_progress"}]"#)
                .unwrap(),
            "Error: only one todo can be in_progress",
        ),
    ] {
        assert_eq!(office.said("TodoWrite", &input("todos", value)), text);
    }
    assert_eq!(office.checklist.items().len(), 1);
    assert!(office.list.board().unwrap().tasks.is_empty());
}
