//! The list as one process sees it: what the files say, completed by what the journal knows, and what differs.
//! Not a copy that can go stale: it lives for one look or one decision.

use super::{
    Files,
    edges::{Edges, by_id, in_whole},
    foreign::{Loaded, combine},
    log::Log,
    record::Touch,
    text::{Text, read_text},
};
use crate::{
    claim::{Claim, Entry, Life},
    format::{IdSource, WATERMARK},
    id::TaskId,
    rules::{PlanNote, Tasks},
    store::{Error, Problem},
    time::Time,
};
use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// One look at a list.
pub(super) struct View<'a> {
    pub(super) files: &'a Files,
    pub(super) log: Option<&'a Log<'a>>,
    pub(super) now: Time,
    texts: RefCell<HashMap<String, Rc<Text>>>,
    loaded: RefCell<HashMap<TaskId, Rc<Loaded>>>,
    /// The ids of all tasks, once all were looked at.
    whole: RefCell<Option<Rc<Vec<TaskId>>>>,
    names: RefCell<Option<Rc<Vec<String>>>>,
    failure: RefCell<Option<Error>>,
    problems: RefCell<Vec<Problem>>,
    tokens: Cell<u64>,
}

impl<'a> View<'a> {
    pub(super) fn new(files: &'a Files, log: Option<&'a Log<'a>>, now: Time) -> View<'a> {
        View {
            files,
            log,
            now,
            texts: RefCell::default(),
            loaded: RefCell::default(),
            whole: RefCell::default(),
            names: RefCell::default(),
            failure: RefCell::default(),
            problems: RefCell::default(),
            tokens: Cell::new(0),
        }
    }

    /// The first thing that could not be read. What was decided in spite of it must not be written.
    pub(super) fn failed(&self) -> Result<(), Error> {
        self.failure.borrow_mut().take().map_or(Ok(()), Err)
    }

    fn fail<T>(&self, error: Error) -> Option<T> {
        self.failure.borrow_mut().get_or_insert(error);
        None
    }

    fn ok<T>(&self, result: Result<T, Error>) -> Option<T> {
        result.map_or_else(|error| self.fail(error), Some)
    }

    /// The text of a file and the tasks in it.
    pub(super) fn text(&self, name: &str) -> Option<Rc<Text>> {
        if let Some(text) = self.texts.borrow().get(name) {
            return Some(text.clone());
        }
        let text = Rc::new(self.ok(read_text(self.files, name))?);
        self.texts.borrow_mut().insert(name.to_owned(), text.clone());
        Some(text)
    }

    /// Everything that was looked at so far.
    pub(super) fn looked_at(&self) -> Vec<Rc<Loaded>> {
        let mut all: Vec<_> = self.loaded.borrow().values().cloned().collect();
        all.sort_unstable_by(|left, right| left.id.cmp(&right.id));
        all
    }

    /// What could not be read.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let mut problems = self.problems.borrow().clone();
        problems.sort_unstable_by(|left, right| left.file.cmp(&right.file));
        problems.dedup();
        problems
    }

    pub(super) fn load(&self, id: &TaskId) -> Option<Rc<Loaded>> {
        if let Some(loaded) = self.loaded.borrow().get(id) {
            return Some(loaded.clone());
        }
        if !id.is_plain() || self.whole.borrow().is_some() {
            return None;
        }
        let text = self.text(&self.files.format.file_of(id))?;
        let known = self.known(id);
        if self.failure.borrow().is_some() {
            return None;
        }
        let there = text.own(id).is_some();
        if there && known.is_none() && self.files.format.shape().has_blocks {
            // Nobody has looked yet whether its neighbours know of edges that its own file does not show.
            self.look_at_all();
            return self.loaded.borrow().get(id).cloned();
        }
        let edges = by_id(self, id, &text, known.as_ref());
        self.keep(id, &text, known, &edges)
    }

    /// The last touch of a task; a failure is remembered.
    fn known(&self, id: &TaskId) -> Option<Touch> {
        self.ok(self.log?.known(id)).flatten()
    }

    fn keep(&self, id: &TaskId, text: &Text, known: Option<Touch>, edges: &Edges) -> Option<Rc<Loaded>> {
        let own = text.own(id);
        if own.is_none()
            && let Some(reason) = text.fault(id)
        {
            let file = self.files.format.file_of(id);
            let served = known.as_ref().is_some_and(|it| it.after.is_some());
            self.problems.borrow_mut().push(Problem {
                file: file.clone(),
                reason: reason.to_owned(),
                served,
            });
            if !served {
                return self.fail(Error::Unreadable { file, reason: reason.to_owned() });
            }
            return Some(self.remember(Loaded::from_journal(id, known?)));
        }
        Some(self.remember(combine(self.files.format, id, own, known, edges, self.now)))
    }

    fn remember(&self, loaded: Loaded) -> Rc<Loaded> {
        let loaded = Rc::new(loaded);
        self.loaded.borrow_mut().insert(loaded.id.clone(), loaded.clone());
        loaded
    }

    pub(super) fn names(&self) -> Rc<Vec<String>> {
        if let Some(names) = self.names.borrow().as_ref() {
            return names.clone();
        }
        let names = self.files.vfs.names("").map_err(Error::io("list", "the folder"));
        let names = Rc::new(self.ok(names).unwrap_or_default());
        *self.names.borrow_mut() = Some(names.clone());
        names
    }

    /// Looks at every file and at everything that the journal knows.
    pub(super) fn look_at_all(&self) -> Rc<Vec<TaskId>> {
        if let Some(ids) = self.whole.borrow().as_ref() {
            return ids.clone();
        }
        let format = self.files.format;
        let names = self.names();
        let mut files: Vec<&String> = names.iter().filter(|it| format.is_task_file(it)).collect();
        files.sort_unstable();
        let texts: Vec<(&String, Rc<Text>)> =
            files.into_iter().filter_map(|it| Some((it, self.text(it)?))).collect();
        let mut known = match self.log {
            Some(log) => self.ok(log.all()).unwrap_or_default(),
            None => HashMap::new(),
        };
        let mut edges = in_whole(format, texts.iter().flat_map(|(_, it)| &it.found));
        self.loaded.borrow_mut().clear();
        let mut ids = Vec::new();
        for (name, text) in &texts {
            for own in &text.found {
                let edges = edges.remove(&own.id).unwrap_or_default();
                self.keep(&own.id, text, known.remove(&own.id), &edges);
                ids.push(own.id.clone());
            }
            for reason in text.broken.iter().chain(text.bad.iter().map(|(_, it)| it)) {
                self.problems.borrow_mut().push(Problem {
                    file: (*name).clone(),
                    reason: reason.clone(),
                    served: false,
                });
            }
        }
        let broken: HashMap<&str, &Rc<Text>> =
            texts.iter().filter(|(_, it)| it.is_faulty()).map(|(name, it)| (name.as_str(), it)).collect();
        let mut rest: Vec<(TaskId, Touch)> = known.into_iter().collect();
        rest.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let missing = Text::default();
        for (id, touch) in rest {
            if touch.after.is_none() {
                // It is gone. If a broken file has its name, that was said above.
                self.remember(Loaded::from_journal(&id, touch));
                continue;
            }
            let name = format.file_of(&id);
            let text = broken.get(name.as_str()).map_or(&missing, |it| it);
            if self.keep(&id, text, Some(touch), &Edges::default()).is_some_and(|it| it.entry.is_some()) {
                ids.push(id);
            }
        }
        // A file that is served from the journal is not at the same time one that nobody can serve.
        let mut problems = self.problems.borrow_mut();
        let key = |it: &Problem| (it.file.clone(), it.reason.clone());
        let served: HashSet<(String, String)> = problems.iter().filter(|it| it.served).map(key).collect();
        problems.retain(|it| it.served || !served.contains(&key(it)));
        drop(problems);
        if format.shape().single_file.is_none() {
            ids.sort_unstable();
        }
        let ids = Rc::new(ids);
        *self.whole.borrow_mut() = Some(ids.clone());
        ids
    }

    /// Whether the journal knows of any task that lives.
    pub(super) fn knows_any(&self) -> bool {
        let all = self.log.map(|it| self.ok(it.all()).unwrap_or_default()).unwrap_or_default();
        all.values().any(|it| it.after.is_some())
    }

    /// The watermark file's text.
    pub(super) fn watermark(&self) -> Option<String> {
        let bytes = self.files.vfs.read(WATERMARK, 4096).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Tasks for View<'_> {
    fn get(&self, id: &TaskId) -> Option<Entry> {
        self.load(id)?.entry.clone()
    }

    fn all(&self) -> Vec<Entry> {
        self.look_at_all().iter().filter_map(|id| self.get(id)).collect()
    }

    fn dependents(&self, id: &TaskId) -> Vec<TaskId> {
        if !self.files.format.shape().has_blocks {
            self.look_at_all();
        }
        self.get(id).map(|it| it.task.blocks).unwrap_or_default()
    }

    fn life(&self, claim: &Claim) -> Life {
        // Whether somebody lives cannot be guessed: what is decided without knowing is not written.
        self.ok(super::session::life(&*self.files.vfs, &*self.files.clock, claim)).unwrap_or(Life::Running)
    }

    fn fresh_ids(&self, count: usize) -> Vec<TaskId> {
        let names = self.names();
        let watermark = self.watermark();
        let source = IdSource {
            names: &names,
            highest: self.log.map_or(0, |it| it.mark.highest),
            watermark: watermark.as_deref(),
            taken: &|id| self.load(id).is_some_and(|it| it.entry.is_some() || it.known.is_some()),
            now: self.now,
            random: &|| self.files.clock.random(),
        };
        self.files.format.fresh_ids(&source, count)
    }

    fn fits(&self, id: &TaskId) -> bool {
        let format = self.files.format;
        id.is_plain() && format.is_task_file(&format.file_of(id))
    }

    fn next_token(&self) -> u64 {
        self.tokens.set(self.tokens.get() + 1);
        self.log.map_or_else(|| first_token(self.now), |it| it.mark.token) + self.tokens.get()
    }

    fn planned(&self, key: &str) -> Option<PlanNote> {
        self.ok(self.log?.planned(key)).flatten()
    }
}

/// A new journal counts from the time in microseconds: faster than claims can be made, so that none repeats.
pub(super) fn first_token(now: Time) -> u64 {
    u64::try_from(now.0).unwrap_or(0).saturating_mul(1000)
}
