//! What is kept of attempts: a record and the output of each, beside the list. Not the history of tasks: that is the
//! journal's.
#![expect(clippy::disallowed_methods, reason = "records are files beside the list")]

use crate::own_files;
use std::{
    fs,
    path::{Path, PathBuf},
};
use worklist::{
    TaskId,
    format::place::sanitized,
    json::{Json, Object, Style, parse, write},
};

/// Beyond so many attempts the oldest are thrown away.
const MOST: usize = 5_000;

/// The attempts of a list.
pub(crate) struct Runs(PathBuf);

/// One attempt.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record {
    pub(crate) id: String,
    pub(crate) token: u64,
    pub(crate) worker: String,
    pub(crate) command: String,
    /// When it began, in milliseconds since 1970.
    pub(crate) began: i64,
    /// Nothing while it runs.
    pub(crate) ended: Option<Ended>,
}

/// How it ended.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ended {
    pub(crate) milliseconds: u64,
    pub(crate) exit: Option<i32>,
    pub(crate) outcome: String,
}

impl Runs {
    pub(crate) fn of(list: &Path) -> Runs {
        Runs(list.join(".worklist/runs"))
    }

    /// Where the output of an attempt goes.
    pub(crate) fn log(&self, id: &str, token: u64) -> PathBuf {
        self.0.join(format!("{}-{token}.log", sanitized(id)))
    }

    /// Writes a record. Where that is not possible, the work goes on without.
    pub(super) fn note(&self, record: &Record) {
        let path = self.log(&record.id, record.token).with_extension("json");
        let draft = path.with_extension("new");
        let text = write(&Json::Object(record.json()), Style::COMPACT, "") + "\n";
        let made = own_files::make_folder(&self.0).and_then(|()| own_files::write(&draft, &text));
        _ = made.and_then(|()| fs::rename(&draft, &path));
    }

    /// All attempts, the newest first; only those of a task if one is named.
    pub(crate) fn all(&self, id: Option<&TaskId>) -> Vec<Record> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten().map(|it| it.path());
        let records = entries.filter(|it| it.extension().is_some_and(|it| it == "json"));
        let read = |path: PathBuf| Record::of(&parse(&fs::read_to_string(path).ok()?).ok()?);
        let mut records: Vec<Record> = records.filter_map(read).collect();
        records.retain(|it| id.is_none_or(|id| id.as_str() == it.id));
        records.sort_by_key(|it| std::cmp::Reverse((it.began, it.token)));
        records
    }

    /// Throws the oldest away where there are too many.
    pub(super) fn prune(&self) {
        for old in self.all(None).into_iter().skip(MOST) {
            let log = self.log(&old.id, old.token);
            _ = fs::remove_file(log.with_extension("json"));
            _ = fs::remove_file(log);
        }
    }

    /// The last lines of an output.
    pub(super) fn last_lines(&self, id: &str, token: u64, most: usize) -> String {
        let bytes = fs::read(self.log(id, token)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(4096)..]).into_owned();
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|it| !it.is_empty()).collect();
        lines[lines.len().saturating_sub(most)..].join("\n")
    }
}

impl Record {
    pub(crate) fn json(&self) -> Object {
        let mut object = Object::new()
            .with("id", self.id.as_str())
            .with("token", self.token)
            .with("worker", self.worker.as_str())
            .with("command", self.command.as_str())
            .with("began", self.began);
        if let Some(ended) = &self.ended {
            object.set("milliseconds", ended.milliseconds);
            object.set_some("exit", ended.exit.map(i64::from));
            object.set("outcome", ended.outcome.as_str());
        }
        object
    }

    fn of(json: &Json) -> Option<Record> {
        let object = json.as_object()?;
        let text = |key: &str| object.get(key).and_then(Json::as_str).map(str::to_owned);
        let ended = text("outcome").map(|outcome| Ended {
            milliseconds: object.get("milliseconds").and_then(Json::as_u64).unwrap_or(0),
            exit: object.get("exit").and_then(Json::as_i64).and_then(|it| i32::try_from(it).ok()),
            outcome,
        });
        Some(Record {
            id: text("id")?,
            token: object.get("token")?.as_u64()?,
            worker: text("worker")?,
            command: text("command")?,
            began: object.get("began")?.as_i64()?,
            ended,
        })
    }
}
