//! The folders that the original programs wrote, opened as lists: which there are, ids, and what files may not gain.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests prepare folders by hand")]

use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use worklist::{
    Actor, Command, NewTask, Options, Priority, TaskId, TaskList,
    json::{Json, Object, parse},
    rules::CompleteTask,
};

/// The folder of all fixtures.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Every folder with task files, by its path below the root, and the format it is in.
pub(crate) fn folders() -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    walk(&root(), &mut found);
    let shown = found.iter().filter_map(|it| it.strip_prefix(root()).ok()?.to_str());
    let mut folders: Vec<_> = shown.filter_map(|it| Some((it.to_owned(), format_by_path(it)?))).collect();
    folders.sort();
    assert!(folders.len() > 60, "the fixtures are there: {}", folders.len());
    folders
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    if names(folder).iter().any(|it| it.strip_suffix(".json").is_some_and(|it| !it.starts_with('.'))) {
        found.push(folder.to_owned());
    }
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|it| it.path().is_dir()) {
        walk(&entry.path(), found);
    }
}

fn format_by_path(path: &str) -> Option<&'static str> {
    let table = [
        ("claude-code/hook-inputs", None),
        ("claude-code/team/teams", None),
        ("claude-code/team-inbox/teams", None),
        ("claude-code/", Some("claude")),
        ("learn/d0-s12/", Some("s12")),
        ("learn/d1-s07/", Some("s07")),
        ("learn/d2-java/", Some("java")),
        ("learn/d3-v6/", Some("v6")),
        ("learn/d4-tasksjson/", Some("tasks-json")),
    ];
    table.into_iter().find(|(start, _)| path.starts_with(start))?.1
}

/// The names of the files in a folder, hidden ones included.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|it| it.path().is_file());
    let mut names: Vec<String> = entries.map(|it| it.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A list in a copy of a fixture folder, or in an empty folder.
pub(crate) struct Copy {
    pub(crate) folder: TempDir,
    pub(crate) list: TaskList,
    pub(crate) ann: Actor,
}

impl Copy {
    pub(crate) fn of(path: &str) -> Copy {
        Copy::with(path, |_| ())
    }

    pub(crate) fn with(path: &str, prepare: impl Fn(&Path)) -> Copy {
        let folder = tempfile::tempdir().unwrap();
        for name in names(&root().join(path)) {
            fs::copy(root().join(path).join(&name), folder.path().join(&name)).unwrap();
        }
        prepare(folder.path());
        let list = TaskList::open(folder.path(), &Options::default()).unwrap();
        Copy { folder, list, ann: Actor::new("ann", "session-1") }
    }

    fn empty(format: &str) -> Copy {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { format: Some(format.to_owned()), ..Options::default() };
        let list = TaskList::create(folder.path(), &options).unwrap();
        Copy { folder, list, ann: Actor::new("ann", "session-1") }
    }

    pub(crate) fn run(&self, command: &Command) -> TaskId {
        let done =
            self.list.run(&self.ann, command).unwrap_or_else(|error| panic!("{}: {error}", command.name()));
        done.decision.about[0].clone()
    }

    pub(crate) fn add(&self, new: NewTask) -> TaskId {
        self.run(&Command::Create(NewTask { subject: "new".to_owned(), ..new }))
    }

    pub(crate) fn complete(&self, id: &str) {
        self.run(&Command::Complete(CompleteTask { id: TaskId::found(id), token: None, force: false }));
    }

    pub(crate) fn reopen(&self, id: &str) {
        self.run(&Command::Reopen { id: TaskId::found(id), force: false });
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    fn object(&self, name: &str) -> Object {
        parse(&self.text(name)).unwrap().as_object().unwrap().clone()
    }

    /// The ids under a key of a file, as texts.
    pub(crate) fn ids(&self, name: &str, key: &str) -> Vec<String> {
        self.object(name).get(key).unwrap().as_array().unwrap().iter().map(spelled).collect()
    }

    /// A key of every task in `tasks.json`, in their order.
    pub(crate) fn each(&self, key: &str) -> Vec<String> {
        let root = self.object("tasks.json");
        let tasks = root.get("tasks").unwrap().as_array().unwrap();
        tasks.iter().map(|it| spelled(it.as_object().unwrap().get(key).unwrap())).collect()
    }
}

fn spelled(value: &Json) -> String {
    match value {
        Json::String(text) | Json::Number(text) => text.clone(),
        other => panic!("not a text or number: {other:?}"),
    }
}

/// A folder and the id that a new task gets in it.
const NEXT_IDS: [(&str, &str); 9] = [
    ("claude-code/misc", "14"),
    ("claude-code/lifecycle", "5"),
    ("claude-code/hooks-refused-creations", "9"),
    ("claude-code/sentinel-keeps-completed", "3"),
    ("claude-code/foreign-files/before", "22"),
    // `.highwatermark` says 3000xyz, and there is a file 3001.json.
    ("claude-code/foreign-files/after", "3002"),
    // The mark says 4, the highest file is 15.json.
    ("learn/d3-v6/edge/snapshots/04-hwm-too-low/.tasks", "16"),
    // Task 12 was deleted: only the mark remembers it.
    ("learn/d3-v6/edge/snapshots/02-deleted-12/.tasks", "13"),
    ("learn/d1-s07/edge/snapshots/02-twelve/.tasks", "13"),
];

#[test]
fn the_next_id_is_after_everything_that_was_ever_seen() {
    for (path, expected) in NEXT_IDS {
        assert_eq!(Copy::of(path).add(NewTask::default()).as_str(), expected, "{path}");
    }
}

#[test]
fn a_file_that_cannot_be_read_counts_for_the_next_id() {
    for (path, name) in [
        ("learn/d2-java/basic/snapshots/04-end/.tasks", "task_99.json"),
        ("learn/d1-s07/basic/snapshots/04-end/.tasks", "task_99.json"),
        ("learn/d3-v6/basic/snapshots/02-wired/.tasks", "99.json"),
        ("claude-code/lifecycle", "99.json"),
    ] {
        let copy = Copy::with(path, |folder| fs::write(folder.join(name), "{ not json").unwrap());
        assert_eq!(copy.add(NewTask::default()).as_str(), "100", "{path}");
        assert_eq!(copy.text(name), "{ not json", "{path}");
    }
}

#[test]
fn a_name_between_the_numbers_counts_as_its_leading_digits() {
    let prepare = |folder: &Path| fs::write(folder.join("4000x.json"), "{}").unwrap();
    let copy = Copy::with("claude-code/foreign-files/after", prepare);
    assert_eq!(copy.add(NewTask::default()).as_str(), "4001");
    assert_eq!(copy.add(NewTask::default()).as_str(), "4002");
}

#[test]
fn a_wiped_list_goes_on_where_it_was() {
    let copy = Copy::of("claude-code/wiped-after-all-completed");
    let mark: u64 = copy.text(".highwatermark").trim().parse().unwrap();
    assert_eq!(copy.add(NewTask::default()).number(), Some(mark + 1));
}

#[test]
fn s12_ids_are_seconds_and_four_hex_digits() {
    let copy = Copy::of("learn/d0-s12/basic/snapshots/01-created/.tasks");
    let id = copy.add(NewTask::default()).to_string();
    let parts: Vec<&str> = id.split('_').collect();
    let hex = |it: char| it.is_ascii_digit() || ('a'..='f').contains(&it);
    assert!(parts[0] == "task" && parts[1].parse::<u64>().unwrap() > 1_770_000_003, "{id}");
    assert!(parts.len() == 3 && parts[2].len() == 4 && parts[2].chars().all(hex), "{id}");
    assert!(copy.text(&format!("{id}.json")).contains("\"subject\": \"new\""));
}

#[test]
fn ids_in_tasks_json_are_random_uuids() {
    let copy = Copy::of("learn/d4-tasksjson/page-example");
    let id = copy.add(NewTask::default()).to_string();
    let lengths: Vec<usize> = id.split('-').map(str::len).collect();
    assert_eq!(lengths, [8, 4, 4, 4, 12], "{id}");
    assert!(id.as_bytes()[14] == b'4' && b"89ab".contains(&id.as_bytes()[19]), "{id}");
    assert_eq!(copy.each("id").last(), Some(&id));
}

#[test]
fn what_cannot_be_read_is_reported_and_left_as_it_is() {
    let copy = Copy::of("claude-code/foreign-files/before");
    let before: Vec<String> = names(copy.folder.path());
    let board = copy.list.board().unwrap();
    let files: Vec<&str> = board.problems.iter().map(|it| it.file.as_str()).collect();
    assert_eq!(files, ["11.json", "12.json", "13.json", "14.json", "16.json", "19.json", "2.json", "4.json"]);
    copy.add(NewTask::default());
    for name in before {
        let original = fs::read(root().join("claude-code/foreign-files/before").join(&name)).unwrap();
        assert_eq!(fs::read(copy.folder.path().join(&name)).unwrap(), original, "{name}");
    }
}

fn rich() -> NewTask {
    NewTask {
        active_form: Some("Doing it".to_owned()),
        priority: Some(Priority::High),
        tags: vec!["a".to_owned()],
        ..NewTask::default()
    }
}

#[test]
fn files_never_gain_a_key_that_their_format_does_not_have() {
    const SIX: [&str; 6] = ["id", "subject", "description", "status", "owner", "blockedBy"];
    const SEVEN: [&str; 7] = ["id", "subject", "description", "status", "blockedBy", "blocks", "owner"];
    const EIGHT: [&str; 8] =
        ["id", "subject", "description", "status", "active_form", "owner", "blocks", "blocked_by"];
    let metadata = Object::new().with("x", 1_u64);
    for (format, keys) in [("s12", &SIX[..]), ("s07", &SEVEN), ("java", &SEVEN), ("v6", &EIGHT)] {
        let copy = Copy::empty(format);
        let plain = copy.add(rich());
        let given = copy.add(NewTask { metadata: metadata.clone(), parent: Some(plain.clone()), ..rich() });
        copy.complete(plain.as_str());
        for id in [&plain, &given] {
            let task = copy.list.show(id).unwrap().unwrap().task;
            assert_eq!(
                (task.priority, task.tags.clone()),
                (Some(Priority::High), vec!["a".to_owned()]),
                "{format}"
            );
            assert_eq!(task.active_form.as_deref(), Some("Doing it"), "{format}");
            let name = copy.list.format().unwrap().file_of(id);
            let found: Vec<String> = copy.object(&name).iter().map(|it| it.0.to_owned()).collect();
            let also = (format == "v6" && *id == given).then_some("metadata");
            let expected: Vec<&str> = keys.iter().copied().chain(also).collect();
            assert_eq!(found, expected, "{format} {id}");
        }
        assert_eq!(copy.list.show(&given).unwrap().unwrap().task.metadata, metadata, "{format}");
    }
}
