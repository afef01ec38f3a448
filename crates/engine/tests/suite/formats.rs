//! What each format makes of the files of the original programs, byte for byte: reading, rewriting, changing.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests prepare folders by hand")]

use crate::fixtures::{folders, names, root};
use std::{collections::BTreeMap, fs, path::Path};
use worklist::{
    Priority, Status, Task, TaskId,
    format::{Detected, FORMATS, Format, Put, Unclear, Writing, detect, named},
    json::{Json, Object, parse},
    time::Time,
};

const BEFORE: &str = "claude-code/foreign-files/before";
const AFTER: &str = "claude-code/foreign-files/after";
const BOM: &str = "a byte order mark or other text stands before the value";

/// What is wrong with the files that cannot be read. Every other file can.
const PROBLEMS: [(&str, &str, &str); 19] = [
    (AFTER, "11.json", BOM),
    (AFTER, "12.json", "`status` is \"blocked\""),
    (AFTER, "13.json", "`status` is \"open\""),
    (AFTER, "14.json", "`status` is \"resolved\""),
    (AFTER, "16.json", "the text ends too early"),
    (AFTER, "19.json", "not a JSON object"),
    (AFTER, "2.json", "a key in quotes was expected"),
    (AFTER, "4.json", "`status` is \"deleted\""),
    (AFTER, "500.json", "not a JSON value"),
    (AFTER, "800x.json", "there is no `status`"),
    (BEFORE, "11.json", BOM),
    (BEFORE, "12.json", "`status` is \"blocked\""),
    (BEFORE, "13.json", "`status` is \"open\""),
    (BEFORE, "14.json", "`status` is \"resolved\""),
    (BEFORE, "16.json", "the text ends too early"),
    (BEFORE, "19.json", "not a JSON object"),
    (BEFORE, "2.json", "a key in quotes was expected"),
    (BEFORE, "4.json", "`status` is \"deleted\""),
    ("learn/d3-v6/edge/snapshots/04-hwm-too-low/.tasks", "bad.json", "a key in quotes was expected"),
];

/// Files that Claude Code itself would not see; we read them, and a write makes them right.
const MENDED: [(&str, &[&str]); 2] = [
    (AFTER, &["10.json", "15.json", "3.json", "6.json", "7.json", "8.json"]),
    (BEFORE, &["10.json", "15.json", "3.json", "6.json", "7.json", "8.json", "9.json"]),
];

/// One task file of a fixture folder that can be read.
struct Readable {
    folder: String,
    name: String,
    format: &'static dyn Format,
    text: String,
    tasks: Vec<Task>,
}

impl Readable {
    fn label(&self) -> String {
        format!("{}/{}", self.folder, self.name)
    }

    /// The text with tasks laid over it.
    fn with(&self, tasks: &[Task]) -> String {
        let single = self.format.shape().single_file.is_some();
        // Files of the clearing formats would lose dead edges: that has its own test.
        let done = |id: &TaskId| single && self.tasks.iter().any(|it| it.id == *id && !it.is_open());
        written(self.format, Some(&self.text), tasks, &done, Time(0))
    }

    fn is_mended(&self) -> bool {
        MENDED.iter().any(|(folder, names)| *folder == self.folder && names.contains(&self.name.as_str()))
    }
}

pub(crate) fn written(
    format: &dyn Format,
    old: Option<&str>,
    tasks: &[Task],
    finished: &dyn Fn(&TaskId) -> bool,
    now: Time,
) -> String {
    let puts: Vec<Put<'_>> = tasks.iter().map(Put::Task).collect();
    format.encode(old, &puts, &Writing { finished, now }).unwrap().unwrap()
}

/// All task files, and what is wrong with those that cannot be read.
fn all_files() -> (Vec<Readable>, Vec<(String, String, String)>) {
    let (mut readable, mut problems) = (Vec::new(), Vec::new());
    for (folder, format) in folders() {
        let format = named(format).unwrap();
        for name in names(&root().join(&folder)).into_iter().filter(|it| format.is_task_file(it)) {
            let text = fs::read_to_string(root().join(&folder).join(&name)).unwrap();
            match tasks_in(format, &name, &text) {
                Ok(tasks) => readable.push(Readable { folder: folder.clone(), name, format, text, tasks }),
                Err(reason) => problems.push((folder.clone(), name, reason)),
            }
        }
    }
    (readable, problems)
}

pub(crate) fn tasks_in(format: &dyn Format, name: &str, text: &str) -> Result<Vec<Task>, String> {
    let found = format.decode(name, text).map_err(|it| it.reason)?;
    found.into_iter().map(|it| it.task.map_err(|it| it.reason)).collect()
}

fn readable() -> Vec<Readable> {
    all_files().0
}

#[test]
fn every_file_of_the_original_programs_is_read_or_has_its_known_fault() {
    let (readable, problems) = all_files();
    assert!(readable.len() > 250, "{}", readable.len());
    let expected: Vec<_> =
        PROBLEMS.iter().map(|it| (it.0.to_owned(), it.1.to_owned(), it.2.to_owned())).collect();
    assert_eq!(problems, expected);
    for (name, text) in [("1.json", "{}"), ("tasks.json", "{\"tasks\":{}}"), ("tasks.json", "[]")] {
        let format = named(if name == "1.json" { "v6" } else { "tasks-json" }).unwrap();
        assert!(format.decode(name, text).is_err(), "{name} {text}");
    }
    assert_eq!(named("tasks-json").unwrap().decode("tasks.json", "").unwrap().len(), 0);
}

#[test]
fn names_that_are_nobodys_task_are_not_task_files() {
    let strange = ["a b.json", ".hidden.json", ".json", "notes.txt", "600.json.tmp", "x.json.bak", "é.json"];
    for format in FORMATS {
        for name in strange {
            assert!(!format.is_task_file(name), "{} {name}", format.shape().name);
        }
    }
    let is = |format: &str, name: &str| named(format).unwrap().is_task_file(name);
    assert!(is("claude", "007.json") && is("claude", "abc.json") && is("claude", "800x.json"));
    assert!(is("s07", "task_7.json") && !is("s07", "task_x.json") && !is("s07", "7.json"));
    assert!(
        is("s12", "task_7_ab.json") && !is("s12", "7.json") && is("v6", "7.json") && !is("v6", "task_7.json")
    );
}

#[test]
fn the_name_of_the_file_says_which_task_it_is() {
    let tasks = |name: &str| {
        let it = readable().into_iter().find(|it| it.folder == BEFORE && it.name == name).unwrap();
        it.tasks[0].clone()
    };
    assert_eq!(tasks("9.json").id.as_str(), "9");
    assert_eq!(tasks("15.json").id.as_str(), "15");
    assert_eq!(tasks("3.json").id.as_str(), "3");
    assert_eq!(tasks("007.json").id.as_str(), "007");
    assert_eq!(tasks("20.json").subject, "dup keys second");
    assert_eq!(tasks("10.json").blocked_by, [TaskId::found("1")]);
    assert_eq!((tasks("8.json").owner, tasks("7.json").description), (None, String::new()));
}

/// A text without the lines that change with every write.
fn without_stamp(text: &str) -> String {
    text.lines().filter(|it| !it.contains("\"last_updated\"")).collect::<Vec<_>>().join("\n")
}

#[test]
fn rewriting_a_task_as_it_is_leaves_its_bytes() {
    for it in readable().iter().filter(|it| !it.is_mended()) {
        let new = it.with(&it.tasks);
        if it.format.shape().single_file.is_some() {
            assert_eq!(without_stamp(&new), without_stamp(&it.text), "{}", it.label());
        } else {
            assert_eq!(new, it.text, "{}", it.label());
        }
    }
}

/// What Claude Code demands of a file, or else it does not see the task.
fn fits_claude(name: &str, text: &str) -> bool {
    let Ok(Json::Object(object)) = parse(text) else { return false };
    let is_text = |it: &Json| it.as_str().is_some();
    let has_text = |key: &str| object.get(key).is_some_and(is_text);
    let strings =
        |key: &str| object.get(key).and_then(Json::as_array).is_some_and(|it| it.iter().all(is_text));
    let if_there = |key: &str, fits: &dyn Fn(&Json) -> bool| object.get(key).is_none_or(fits);
    object.get("id").and_then(Json::as_str) == name.strip_suffix(".json")
        && has_text("subject")
        && has_text("description")
        && object.get("status").and_then(Json::as_str).and_then(Status::named).is_some()
        && strings("blocks")
        && strings("blockedBy")
        && if_there("owner", &is_text)
        && if_there("activeForm", &is_text)
        && if_there("metadata", &|it| it.as_object().is_some())
        && object.iter().all(|(_, value)| *value != Json::Null)
}

#[test]
fn what_claude_code_would_not_see_is_mended_by_a_write() {
    let files = readable();
    for it in files.iter().filter(|it| it.format.shape().name == "claude") {
        assert_eq!(fits_claude(&it.name, &it.text), !it.is_mended(), "{}", it.label());
        assert!(fits_claude(&it.name, &it.with(&it.tasks)), "{}", it.label());
    }
    assert_eq!(
        files.iter().filter(|it| it.is_mended()).count(),
        MENDED.iter().map(|it| it.1.len()).sum::<usize>()
    );
}

/// The object that holds the first task of a text.
fn first_object(text: &str) -> Object {
    let root = parse(text).unwrap().as_object().unwrap().clone();
    let first = root.get("tasks").and_then(Json::as_array).map(|it| it[0].as_object().unwrap().clone());
    first.unwrap_or(root)
}

const CHANGED: [&str; 3] = ["status", "owner", "assignee"];

fn members_but_changed(object: &Object) -> Vec<(String, Json)> {
    let kept = object.iter().filter(|it| !CHANGED.contains(&it.0));
    kept.map(|(key, value)| (key.to_owned(), value.clone())).collect()
}

/// The lines that should not change. A key that is new at the end gives the line before it a comma.
fn lines_but_changed(text: &str, commas: bool) -> Vec<&str> {
    let ours =
        |line: &&str| CHANGED.iter().chain(&["last_updated"]).any(|it| line.contains(&format!("\"{it}\"")));
    let lines = text.split('\n').filter(|it| !ours(it));
    lines.map(|it| if commas { it } else { it.trim_end_matches(['\r', ',']) }).collect()
}

#[test]
fn a_change_of_status_and_owner_changes_nothing_else() {
    for it in readable().iter().filter(|it| !it.is_mended() && !it.tasks.is_empty()) {
        let mut task = it.tasks[0].clone();
        (task.status, task.owner) = (Status::Completed, Some("tester".to_owned()));
        let new = it.with(&[task]);
        let (old_object, new_object) = (first_object(&it.text), first_object(&new));
        assert_eq!(members_but_changed(&new_object), members_but_changed(&old_object), "{}", it.label());
        assert_eq!(new_object.get("status").unwrap().as_str(), Some("completed"), "{}", it.label());
        let owner = new_object.get("owner").or(new_object.get("assignee"));
        assert_eq!(owner.unwrap().as_str(), Some("tester"), "{}", it.label());
        if it.text.trim().contains('\n') {
            let commas = old_object.len() == new_object.len();
            assert_eq!(
                lines_but_changed(&new, commas),
                lines_but_changed(&it.text, commas),
                "{}",
                it.label()
            );
        }
    }
}

#[test]
fn order_unknown_keys_and_the_spelling_of_numbers_survive_a_change() {
    const V6: &str = "learn/d3-v6/edge/snapshots/04-hwm-too-low/.tasks";
    let nested = "\"nested\": {\n      \"a\": [\n        1,\n        2\n      ]\n    }";
    for (folder, name, kept) in [
        (
            BEFORE,
            "1.json",
            &["\"priority\":\"high\",\"createdAt\":\"2026-01-01\"", "\"zz\":{\"deep\":[1]}", "}\n"][..],
        ),
        (BEFORE, "21.json", &["\"big\":12345678901234567890,\"f\":1.0,\"e\":1e3"]),
        (BEFORE, "17.json", &["{\r\n  \"blockedBy\": [],\r\n", "\"subject\": \"crlf\""]),
        (V6, "1.json", &["\"priority\": \"high\",\n    \"n\": null", nested, "\\u6570\\u636e"]),
    ] {
        let it = readable().into_iter().find(|it| it.folder == folder && it.name == name).unwrap();
        let mut task = it.tasks[0].clone();
        task.status = Status::Completed;
        task.metadata.set("added", 7_u64);
        let new = it.with(&[task]);
        for part in kept {
            assert!(new.contains(part), "{name} has lost {part:?}:\n{new}");
        }
        let keys = |text: &str| first_object(text).iter().map(|it| it.0.to_owned()).collect::<Vec<_>>();
        assert_eq!(keys(&new)[..keys(&it.text).len()], keys(&it.text), "{name}");
        assert_eq!(
            first_object(&new).get("metadata").unwrap().as_object().unwrap().get("added"),
            Some(&7_u64.into())
        );
    }
}

fn looks_like(folder: &Path) -> Detected {
    detect(&names(folder), &|name| fs::read_to_string(folder.join(name)).ok())
}

#[test]
fn every_folder_of_the_original_programs_is_known_by_its_files() {
    for (folder, format) in folders() {
        match looks_like(&root().join(&folder)) {
            Detected::Format(found) => assert_eq!(found.shape().name, format, "{folder}"),
            other => panic!("{folder}: {other:?}"),
        }
    }
    assert!(matches!(looks_like(&root().join("claude-code/wiped-after-all-completed")), Detected::Nothing));
    assert!(matches!(looks_like(tempfile::tempdir().unwrap().path()), Detected::Nothing));
}

#[test]
fn two_formats_in_one_folder_are_named_and_neither_is_chosen() {
    let texts = BTreeMap::from([
        ("1.json", r#"{"id":"1","subject":"a","status":"pending","blocks":[],"blockedBy":[]}"#),
        ("2.json", r#"{"id":"2","subject":"a","status":"pending","blocks":[],"blocked_by":[]}"#),
        ("task_1.json", r#"{"id":1,"subject":"a","status":"pending","blocks":[],"blockedBy":[]}"#),
        ("task_2.json", r#"{"id" : 2, "subject" : "a", "status" : "pending", "blocks" : [ ]}"#),
        (
            "task_17_ab.json",
            r#"{"id":"task_17_ab","subject":"a","status":"pending","owner":null,"blockedBy":[]}"#,
        ),
        ("tasks.json", r#"{"tasks":[],"version":2}"#),
        ("package.json", r#"{"name":"x"}"#),
    ]);
    let look = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|it| (*it).to_owned()).collect();
        detect(&names, &|name| texts.get(name).map(|it| (*it).to_owned()))
    };
    for (files, formats) in [
        (["task_1.json", "task_17_ab.json"], ["s07", "s12"]),
        (["1.json", "tasks.json"], ["tasks-json", "claude"]),
        (["1.json", "2.json"], ["claude", "v6"]),
        (["task_1.json", "task_2.json"], ["s07", "java"]),
        (["1.json", "task_1.json"], ["claude", "s07"]),
    ] {
        match look(&files) {
            Detected::Unclear(Unclear::Two { one, other, .. }) => {
                assert_eq!([one, other], formats, "{files:?}");
            }
            other => panic!("{files:?}: {other:?}"),
        }
    }
    assert!(matches!(look(&["1.json", "package.json"]), Detected::Format(it) if it.shape().name == "claude"));
    assert!(matches!(look(&["package.json"]), Detected::Unclear(Unclear::Unknown { .. })));
}

/// A task in one `tasks.json` with this metadata.
fn with_metadata(metadata: &str) -> String {
    let rest = r#""created_at":"2025-02-06T10:00:00Z","updated_at":"2025-02-06T10:00:00Z""#;
    format!(r#"{{"tasks":[{{"id":"a","description":"x","status":"pending",{rest},"metadata":{metadata}}}]}}"#)
}

/// The metadata of the first task after a change.
fn changed_metadata(format: &str, name: &str, text: &str, change: impl Fn(&mut Task)) -> Json {
    let format = named(format).unwrap();
    let mut task = tasks_in(format, name, text).unwrap().remove(0);
    change(&mut task);
    let new = written(format, Some(text), &[task], &|_| false, Time(0));
    first_object(&new).get("metadata").unwrap().clone()
}

#[test]
fn a_word_that_we_do_not_know_does_not_swallow_a_change() {
    let new = |metadata: &str, change: &dyn Fn(&mut Task)| {
        changed_metadata("tasks-json", "tasks.json", &with_metadata(metadata), change)
    };
    let priority = new(r#"{"priority":"urgent"}"#, &|it| it.priority = Some(Priority::High));
    assert_eq!(priority, parse(r#"{"priority":"high"}"#).unwrap());
    let tags = new(r#"{"tags":[1,"a"]}"#, &|it| it.tags.push("b".to_owned()));
    assert!(tags.as_object().unwrap().get("tags").unwrap().as_array().unwrap().contains(&"b".into()));
}

#[test]
fn what_we_cannot_read_in_metadata_stays_while_other_things_change() {
    let high = |it: &mut Task| it.priority = Some(Priority::High);
    let text = with_metadata(r#"{"priority":"low","tags":[]}"#);
    let new = changed_metadata("tasks-json", "tasks.json", &text, high);
    assert_eq!(new, parse(r#"{"priority":"high","tags":[]}"#).unwrap());
    // A later version of ours may write words that this one does not know.
    let ours = r#"{"worklist":{"priority":"urgent","tags":[1],"createdAt":"once","zz":1}}"#;
    let rest = r#""subject":"s","description":"","status":"pending","blocks":[],"blockedBy":[]"#;
    let text = format!(r#"{{"id":"1",{rest},"metadata":{ours}}}"#);
    let new = changed_metadata("claude", "1.json", &text, |it| it.status = Status::Completed);
    assert_eq!(new, parse(ours).unwrap());
}
