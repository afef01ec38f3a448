//! The list as one process sees it: what the files say, completed by what the journal knows, and what differs.
//! Not a copy that can go stale: it lives for one look or one decision.

mod fresh;
mod tasks;

use super::{
    Files,
    edges::{Edges, by_id},
    foreign::{Loaded, combine, is_last_word},
    log::Log,
    look::{self, Asked, Care},
    prepare::Write,
    record::Touch,
    sheet::{Made, Sheet},
    snapshot::{self, Seen},
    text::{Text, hash, limit, read_text, understand},
};
use crate::{
    claim::Entry,
    id::TaskId,
    store::{Error, Problem},
    time::Time,
    vfs::Fitness,
};
use foldhash::{HashMap, HashSet};
use std::{
    cell::{Cell, OnceCell, RefCell},
    rc::Rc,
    sync::Arc,
};

/// One look at a list.
pub(super) struct View<'a> {
    pub(super) files: &'a Files,
    pub(super) log: Option<&'a Log>,
    pub(super) now: Time,
    texts: RefCell<HashMap<String, Rc<Text>>>,
    /// The bytes of files that are what the journal says of them, and that were not understood yet.
    unread: RefCell<HashMap<String, Vec<u8>>>,
    loaded: RefCell<HashMap<TaskId, Rc<Loaded>>>,
    /// All tasks, once all were looked at.
    whole: RefCell<Option<Rc<Sheet>>>,
    /// Whether a task turned out to be another than it was when all were looked at.
    stale: Cell<bool>,
    pub(super) care: Care,
    /// What those before us in a round will write: it counts as written.
    pending: &'a [Write],
    /// Whether something was asked for that only a list shows of which all is written.
    is_beyond: Cell<bool>,
    /// What was asked before the list's lock came.
    asked: RefCell<Option<Asked>>,
    /// Whether all were looked at by that: then what matters is read again.
    is_ahead: Cell<bool>,
    names: RefCell<Option<Rc<Vec<String>>>>,
    /// The watermark as what is decided knows it: read once, after the names.
    watermark: OnceCell<Option<String>>,
    failure: RefCell<Option<Error>>,
    problems: RefCell<Vec<Problem>>,
    tokens: Cell<u64>,
}

impl<'a> View<'a> {
    pub(super) fn new(files: &'a Files, log: Option<&'a Log>, now: Time) -> View<'a> {
        View {
            files,
            log,
            now,
            texts: RefCell::default(),
            unread: RefCell::default(),
            loaded: RefCell::default(),
            whole: RefCell::default(),
            stale: Cell::new(false),
            care: files.care,
            pending: &[],
            is_beyond: Cell::new(false),
            asked: RefCell::default(),
            is_ahead: Cell::new(false),
            names: RefCell::default(),
            watermark: OnceCell::new(),
            failure: RefCell::default(),
            problems: RefCell::default(),
            tokens: Cell::new(0),
        }
    }

    /// The same, with everything read anew.
    pub(super) fn carefully(self) -> View<'a> {
        View { care: Care::Full, ..self }
    }

    /// The same, with what was asked before.
    pub(super) fn after_asking(self, asked: Option<Asked>) -> View<'a> {
        View { is_ahead: Cell::new(asked.is_some()), asked: RefCell::new(asked), ..self }
    }

    /// The same, as it will be once this is written.
    pub(super) fn beside(self, pending: &'a [Write]) -> View<'a> {
        View { pending, ..self }
    }

    /// Whether what was decided rests on more than can be seen before all is written.
    pub(super) fn is_beyond(&self) -> bool {
        self.is_beyond.get()
    }

    /// The text that a file will have.
    fn pending(&self, name: &str) -> Option<&'a String> {
        self.pending.iter().find(|it| it.name == name)?.new.as_ref()
    }

    pub(super) fn asked_before(&self) -> Option<Asked> {
        self.asked.borrow_mut().take()
    }

    pub(super) fn asks_now(&self) {
        self.is_ahead.set(false);
    }

    /// Whether what was decided may rest on what was not so any more when it was read.
    pub(super) fn is_stale(&self) -> bool {
        self.stale.get() || self.is_damaged()
    }

    /// Whether what was remembered turned out not to be what was stored.
    fn is_damaged(&self) -> bool {
        let is_damaged = self.whole.borrow().as_ref().is_some_and(|it| it.is_damaged());
        if is_damaged {
            snapshot::forget(self.files);
        }
        is_damaged
    }

    /// The first thing that could not be read. What was decided in spite of it must not be written.
    pub(super) fn failed(&self) -> Result<(), Error> {
        self.failure.borrow_mut().take().map_or(Ok(()), Err)
    }

    fn fail<T>(&self, error: Error) -> Option<T> {
        self.failure.borrow_mut().get_or_insert(error);
        None
    }

    pub(super) fn ok<T>(&self, result: Result<T, Error>) -> Option<T> {
        result.map_or_else(|error| self.fail(error), Some)
    }

    /// The text of a file and the tasks in it.
    pub(super) fn text(&self, name: &str) -> Option<Rc<Text>> {
        if let Some(text) = self.texts.borrow().get(name) {
            return Some(text.clone());
        }
        let unread = self.unread.borrow_mut().remove(name);
        let unread = unread.and_then(|it| String::from_utf8(it).ok());
        let text = match unread.or_else(|| self.pending(name).cloned()) {
            Some(text) => understand(self.files.format, name, text),
            None => self.ok(read_text(self.files, name))?,
        };
        let text = Rc::new(text);
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
        let sheet = self.whole.borrow().clone();
        if !id.is_plain() || sheet.as_ref().is_some_and(|it| it.made == Made::Anew) {
            return None;
        }
        let known = self.known(id);
        if self.failure.borrow().is_some() {
            return None;
        }
        if let Some(loaded) = known.as_ref().and_then(|it| self.as_known(it)) {
            self.hold_against(sheet.as_deref(), &loaded);
            return Some(loaded);
        }
        let text = self.text(&self.files.format.file_of(id))?;
        let there = text.own(id).is_some();
        if there && known.is_none() && self.files.format.shape().has_blocks && sheet.is_none() {
            // Nobody has looked yet whether its neighbours know of edges that its own file does not show.
            self.look_at_all();
            return self.loaded.borrow().get(id).cloned();
        }
        let edges = by_id(self, id, &text, known.as_ref());
        let loaded = self.keep(id, &text, known, &edges)?;
        self.hold_against(sheet.as_deref(), &loaded);
        Some(loaded)
    }

    /// Whether a task still is what it was when all were looked at.
    fn hold_against(&self, sheet: Option<&Sheet>, loaded: &Loaded) {
        if sheet.is_some_and(|it| it.get(&loaded.id) != loaded.entry) {
            self.stale.set(true);
        }
    }

    /// A task whose file is what the journal says of it: there is nothing to put together.
    fn as_known(&self, known: &Touch) -> Option<Rc<Loaded>> {
        let (format, shape) = (self.files.format, self.files.format.shape());
        let is_usual = self.care == Care::Usual && shape.single_file.is_none() && !shape.ripples;
        let is_last = known.implied.is_empty() && known.after.as_deref().is_some_and(is_last_word);
        let name = format.file_of(&known.id);
        if !is_usual || !is_last || self.texts.borrow().contains_key(&name) {
            return None;
        }
        let bytes = match self.pending(&name) {
            Some(text) => text.clone().into_bytes(),
            None => self.files.vfs.read(&name, limit(format)).ok()?,
        };
        if Some(hash(&bytes)) != known.hash {
            return None;
        }
        // Whoever goes on to write it builds on these very bytes.
        self.unread.borrow_mut().insert(name, bytes);
        Some(self.remember(Loaded::from_journal(&known.id, known.clone())))
    }

    /// What was loaded of a task, if it is there.
    pub(super) fn loaded_entry(&self, id: &TaskId) -> Option<Arc<Entry>> {
        self.loaded.borrow().get(id)?.entry.clone()
    }

    pub(super) fn forget_loaded(&self) {
        self.loaded.borrow_mut().clear();
    }

    pub(super) fn note(&self, problem: Problem) {
        self.problems.borrow_mut().push(problem);
    }

    /// A file that is served from the journal is not at the same time one that nobody can serve.
    pub(super) fn drop_served_problems(&self) {
        let key = |it: &Problem| (it.file.clone(), it.reason.clone());
        let mut problems = self.problems.borrow_mut();
        let served: HashSet<(String, String)> = problems.iter().filter(|it| it.served).map(key).collect();
        problems.retain(|it| it.served || !served.contains(&key(it)));
    }

    /// The last touch of a task; a failure is remembered.
    fn known(&self, id: &TaskId) -> Option<Touch> {
        self.ok(self.log?.known(id)).flatten()
    }

    pub(super) fn keep(
        &self,
        id: &TaskId,
        text: &Text,
        known: Option<Touch>,
        edges: &Edges,
    ) -> Option<Rc<Loaded>> {
        let own = text.own(id);
        if own.is_none()
            && let Some(reason) = text.fault(id)
        {
            let file = self.files.format.file_of(id);
            let served = known.as_ref().is_some_and(|it| it.after.is_some());
            self.note(Problem { file: file.clone(), reason: reason.to_owned(), served });
            if !served {
                return self.fail(Error::Unreadable { file, reason: reason.to_owned() });
            }
            return Some(self.remember(Loaded::from_journal(id, known?)));
        }
        Some(self.remember(combine(self.files.format, id, own, known, edges, self.now)))
    }

    pub(super) fn remember(&self, loaded: Loaded) -> Rc<Loaded> {
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

    /// Looks at every task.
    pub(super) fn look_at_all(&self) -> Rc<Sheet> {
        if let Some(sheet) = self.whole.borrow().as_ref() {
            return sheet.clone();
        }
        if !self.pending.is_empty() {
            self.is_beyond.set(true);
            return Rc::new(Sheet::of(self.files, Vec::new(), Made::Anew));
        }
        let sheet = Rc::new(look::at_all(self));
        if let Some(log) = self.log {
            self.files.kept.keep(log, &sheet, sheet.began(self.now));
        }
        *self.whole.borrow_mut() = Some(sheet.clone());
        sheet
    }

    /// This look, if the next one would be faster if it were remembered.
    pub(super) fn seen(&self) -> Option<Seen> {
        let is_fit = matches!(self.files.vfs.fitness(), Fitness::Full) && self.problems.borrow().is_empty();
        let sheet = self.whole.borrow().clone().filter(|it| is_fit && snapshot::is_worth(self.files, it))?;
        Some(Seen { at: sheet.began(self.now), sheet, mark: self.log?.mark })
    }

    /// Whether the journal knows of any task that lives.
    pub(super) fn knows_any(&self) -> bool {
        let all = self.log.map(|it| self.ok(it.all()).unwrap_or_default()).unwrap_or_default();
        all.values().any(|it| it.after.is_some())
    }
}

/// A new journal counts from the time in microseconds: faster than claims can be made, so that none repeats.
pub(super) fn first_token(now: Time) -> u64 {
    u64::try_from(now.0).unwrap_or(0).saturating_mul(1000)
}
