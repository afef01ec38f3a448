//! A place with a small list, remembered byte for byte and laid down anew for each trial; and what can be seen of it. Not
//! what strikes it.

use crate::{
    cases::{Case, Home, Look},
    wl::{FORMATS, Read, Wl},
};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};
use worklist::{Options, TaskId, TaskList, TaskView, format::Format};

/// What the next command makes.
pub(crate) const NEXT: &str = "and-on-it-goes";

/// `done` is completed and freed `held`, which bob has; `ready` is free; `blocked` waits for `held` and `ready`.
pub(crate) struct Place {
    pub(crate) wl: Wl,
    pub(crate) folder: &'static str,
    words: HashMap<&'static str, String>,
    kept: Kept,
}

/// Folders and files: the bytes, or the path of an earlier file that is the same one.
#[derive(Default)]
struct Kept(Vec<(PathBuf, Thing)>);

enum Thing {
    Folder,
    File(Vec<u8>),
    Link(PathBuf),
}

impl Place {
    /// In memory if there is such a file system: thousands of trials need no disk, for no power is lost.
    pub(crate) fn new(format: &'static str, home: Home) -> Place {
        let wl = tempfile::tempdir_in("/dev/shm").map_or_else(|_| Wl::new(), Wl::at);
        Place::at(wl, format, home)
    }

    /// In a place that somebody chose.
    pub(crate) fn at(wl: Wl, format: &'static str, home: Home) -> Place {
        let (wl, folder) = match home {
            Home::Project => (wl, ".tasks"),
            Home::Client => (wl.with("CLAUDE_CODE_TASK_LIST_ID", "shared"), "home/.claude/tasks/shared"),
        };
        wl.ok(&["init", "--format", format]);
        let add = |line: &[&str]| wl.json(&[&["add"], line].concat())["task"].word("id").to_owned();
        let done = add(&["done"]);
        let held = add(&["held", "--after", &done]);
        let ready = add(&["ready"]);
        let blocked = add(&["blocked", "--after", &held, "--after", &ready]);
        wl.ok(&["done", &done]);
        wl.by("bob").with("WORKLIST_SESSION", "bob").ok(&["claim", &held]);
        wl.write(".tasks/worklist.toml", "[hooks]\ncreated = \"true\"\n");
        let other = FORMATS.iter().find(|it| **it != format).expect("another one");
        let words = HashMap::from([
            ("{done}", done),
            ("{held}", held),
            ("{ready}", ready),
            ("{blocked}", blocked),
            ("{format}", format.to_owned()),
            ("{other}", (*other).to_owned()),
            ("{export}", wl.ok(&["export"]).out),
            ("{place}", wl.path("").display().to_string()),
        ]);
        let mut place = Place { wl, folder, words, kept: Kept::default() };
        place.remember();
        place
    }

    /// Brings the place to where a case begins.
    pub(crate) fn begin(&self, case: &Case) {
        self.restore();
        if let Some(spoil) = case.spoilt {
            let path = format!("{}/{}.json", self.folder, self.words["{ready}"]);
            self.wl.write(&path, &spoil(&self.wl.read(&path)));
        }
        for line in case.first {
            self.wl.by("ann").ok(&self.words_of(line).iter().map(String::as_str).collect::<Vec<_>>());
        }
    }

    /// From now on the place is restored to what it is now.
    pub(crate) fn remember(&mut self) {
        let mut seen = HashMap::new();
        let things = all_beneath(&self.wl.path("")).into_iter().map(|path| {
            let meta = fs::symlink_metadata(self.wl.path("").join(&path)).expect("it is there");
            let thing = match seen.get(&meta.ino()) {
                _ if meta.is_dir() => Thing::Folder,
                Some(first) => Thing::Link(PathBuf::clone(first)),
                None => Thing::File(fs::read(self.wl.path("").join(&path)).expect("a file")),
            };
            seen.entry(meta.ino()).or_insert_with(|| path.clone());
            (path, thing)
        });
        self.kept = Kept(things.collect());
    }

    /// Everything as it was; what has not changed is left alone, because the index knows its journal by its inode.
    pub(crate) fn restore(&self) {
        let root = self.wl.path("");
        let kept: HashSet<&Path> = self.kept.0.iter().map(|it| it.0.as_path()).collect();
        for path in all_beneath(&root).iter().rev().filter(|it| !kept.contains(it.as_path())) {
            let path = root.join(path);
            let gone = if path.is_dir() { fs::remove_dir(&path) } else { fs::remove_file(&path) };
            gone.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        for (path, thing) in &self.kept.0 {
            let path = root.join(path);
            match thing {
                Thing::Folder if path.is_dir() => Ok(()),
                Thing::Folder => fs::create_dir(&path),
                Thing::File(bytes) if fs::read(&path).is_ok_and(|it| it == *bytes) => Ok(()),
                Thing::File(bytes) => fs::write(&path, bytes),
                Thing::Link(first) if is_same(&root.join(first), &path) => Ok(()),
                Thing::Link(first) => {
                    _ = fs::remove_file(&path);
                    fs::hard_link(root.join(first), &path)
                }
            }
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }

    /// A text with the ids of this place.
    pub(crate) fn filled(&self, text: &str) -> String {
        self.words.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value))
    }

    /// A line as arguments.
    pub(crate) fn words_of(&self, line: &str) -> Vec<String> {
        line.split(' ').map(|it| self.filled(it)).collect()
    }

    fn list_of(&self, look: Look) -> Option<PathBuf> {
        match look {
            Look::List => Some(self.wl.path(self.folder)),
            Look::Made(folder) => Some(self.wl.path(folder)),
            Look::Files(_) => None,
        }
    }

    /// What can be seen of what a case is about.
    pub(crate) fn seen(&self, look: Look) -> Result<Vec<String>, String> {
        if let Look::Files(paths) = look {
            return Ok(paths
                .iter()
                .map(|it| fs::read_to_string(self.wl.path(it)).unwrap_or_default())
                .collect());
        }
        let folder = self.list_of(look).unwrap_or_default();
        let list = TaskList::open(&folder, &Options::default()).map_err(|error| error.to_string())?;
        let board = list.board().map_err(|error| error.to_string())?;
        if !board.problems.is_empty() {
            return Err(format!("problems: {:?}", board.problems));
        }
        let format = list.format().map_or("", |it| it.shape().name).to_owned();
        let tasks =
            board.tasks.iter().filter(|it| it.task.subject != NEXT).map(|it| line(it, &list, &board.tasks));
        let mut seen: Vec<String> = tasks.collect();
        seen.sort();
        seen.push(format);
        Ok(seen)
    }

    /// Every task file can be read by its format.
    pub(crate) fn check_files(&self, look: Look) -> Result<(), String> {
        let Some(folder) = self.list_of(look).filter(|it| it.is_dir()) else { return Ok(()) };
        let list = TaskList::open(&folder, &Options::default()).map_err(|error| error.to_string())?;
        let Some(format) = list.format() else { return Ok(()) };
        fs::read_dir(&folder)
            .map_err(|error| error.to_string())?
            .flatten()
            .try_for_each(|it| whole(format, &it.path()))
    }

    /// What stands in the place, numbers and hashes left out: a lock or a draft that stays behind shows here.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let names = all_beneath(&self.wl.path("")).into_iter().map(|it| it.display().to_string());
        let names = names.filter(|it| it != "trace").map(|it| without_numbers(&it));
        // Displaced files are kept for a while, each under the name of its file.
        names
            .map(|it| it.split_once("/spare/#-#-#-").map_or(it.clone(), |(at, _)| format!("{at}/spare/#")))
            .collect()
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    let inode = |it: &Path| fs::metadata(it).map(|it| it.ino()).ok();
    inode(other).is_some() && inode(one) == inode(other)
}

fn whole(format: &dyn Format, path: &Path) -> Result<(), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !format.is_task_file(&name) {
        return Ok(());
    }
    let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let found = format.decode(&name, &text).map_err(|fault| format!("{name}: {fault}: {text:?}"))?;
    if found.iter().all(|it| it.task.is_ok()) { Ok(()) } else { Err(format!("{name}: {text:?}")) }
}

/// A task in a line. Others are named by their subjects: some formats draw ids by lot.
fn line(view: &TaskView, list: &TaskList, all: &[TaskView]) -> String {
    let task = &view.task;
    let named = |ids: &[TaskId]| {
        let subject = |id: &TaskId| all.iter().find(|it| it.task.id == *id).map(|it| it.task.subject.clone());
        let mut subjects: Vec<String> = ids.iter().map(|it| subject(it).unwrap_or_default()).collect();
        subjects.sort();
        subjects
    };
    let (blocks, blocked_by) = (named(&task.blocks), named(&task.blocked_by));
    let hours = view.until.map(|it| (it.0 - list.now().0 + 1_800_000) / 3_600_000);
    // Its number is from the clock.
    let claim = view.claim.as_ref().map(|it| (&it.by.agent, hours));
    format!(
        "{} {:?} {:?} {:?} {:?} {:?} blocks {blocks:?} after {blocked_by:?} {claim:?}",
        task.subject, task.description, task.status, task.owner, task.priority, task.tags
    )
}

/// Each path beneath a folder, folders before what is in them.
fn all_beneath(root: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (BTreeSet::new(), vec![root.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path.clone());
            }
            found.insert(path.strip_prefix(root).expect("beneath").to_owned());
        }
    }
    found.into_iter().collect()
}

/// Runs of hexadecimal digits with a number in them, or of four and more, are `#`.
fn without_numbers(text: &str) -> String {
    let mut parts = Vec::new();
    for part in text.split_inclusive(|it: char| !it.is_ascii_hexdigit()) {
        let digits = part.trim_end_matches(|it: char| !it.is_ascii_hexdigit());
        let number = digits.len() > 3 || digits.bytes().any(|it| it.is_ascii_digit());
        parts.push(if number { part.replacen(digits, "#", 1) } else { part.to_owned() });
    }
    parts.concat()
}
