//! The samples at the end of the pages under docs/formats: each is read, and written byte for byte.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests prepare folders by hand")]

use crate::{
    fixtures::names,
    formats::{tasks_in, written},
};
use std::{fs, path::Path};
use worklist::{
    Actor, Command, NewTask, Options, Task, TaskId, TaskList,
    format::FORMATS,
    json::{Json, parse},
    time::Time,
};

/// The files on the page of a format: name and text.
fn sample(format: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/formats/{format}.md"));
    let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (_, section) = page.split_once("\n## Sample\n").expect("a section with the sample");
    let blocks = section.split("\n```json\n").collect::<Vec<_>>();
    let files = blocks.windows(2).map(|pair| {
        let line = pair[0].trim_end().lines().last().unwrap();
        let name = line.strip_prefix('`').and_then(|it| it.strip_suffix("`:")).expect("`name`:");
        let text = pair[1].split_once("\n```").unwrap().0;
        // The page says that only this file ends in a newline.
        let end = if format == "tasks-json" { "\n" } else { "" };
        (name.to_owned(), format!("{text}{end}"))
    });
    files.collect()
}

#[test]
fn the_sample_on_every_page_is_what_is_read_and_written() {
    for format in FORMATS {
        let files = sample(format.shape().name);
        assert!(!files.is_empty(), "{format:?}");
        for (name, text) in files {
            assert!(format.is_task_file(&name), "{name}");
            let tasks = tasks_in(format, &name, &text).unwrap();
            assert!(tasks.iter().all(|it| format.file_of(&it.id) == name), "{format:?} {name}");
            let stamp = parse(&text).unwrap().as_object().unwrap().get("last_updated").cloned();
            let now = stamp.as_ref().and_then(Json::as_str).and_then(Time::parse).unwrap_or_default();
            assert_eq!(written(format, None, &tasks, &|_| false, now), text, "{format:?} {name}");
        }
    }
}

/// A text with the moments in it made equal.
fn timeless(text: &str) -> String {
    let stamps = ["createdAt", "updatedAt", "created_at", "updated_at", "last_updated"];
    let is_stamp =
        |line: &str| stamps.iter().any(|it| line.trim_start().starts_with(&format!("\"{it}\": \"20")));
    let lines = text.split('\n').map(|it| if is_stamp(it) { it.split(": ").next().unwrap() } else { it });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_new_list_with_the_same_tasks_has_the_bytes_of_the_sample() {
    for format in FORMATS {
        let name = format.shape().name;
        let files = sample(name);
        let folder = tempfile::tempdir().unwrap();
        let options = Options { format: Some(name.to_owned()), ..Options::default() };
        let list = TaskList::create(folder.path(), &options).unwrap();
        for task in files.iter().flat_map(|(file, text)| tasks_in(format, file, text).unwrap()) {
            let own = task.id.number().is_none().then(|| task.id.clone());
            let made = list.run(&Actor::new("ann", "session-1"), &Command::Create(new_of(task.clone(), own)));
            assert_eq!(made.unwrap().decision.about, [task.id], "{name}");
        }
        let made: Vec<String> = names(folder.path()).into_iter().filter(|it| !it.starts_with('.')).collect();
        assert_eq!(made, files.iter().map(|it| it.0.clone()).collect::<Vec<_>>(), "{name}");
        for (file, text) in files {
            let found = fs::read_to_string(folder.path().join(&file)).unwrap();
            assert_eq!(timeless(&found), timeless(&text), "{name} {file}");
        }
    }
}

fn new_of(task: Task, id: Option<TaskId>) -> NewTask {
    NewTask {
        id,
        subject: task.subject,
        description: task.description,
        active_form: task.active_form,
        owner: task.owner,
        metadata: task.metadata,
        priority: task.priority,
        tags: task.tags,
        parent: task.parent,
        blocked_by: task.blocked_by,
        ..NewTask::default()
    }
}
