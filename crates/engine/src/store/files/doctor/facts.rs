//! What is read once, for all checks: names, texts, the journal. Not a judgement on any of it.

use super::{
    super::{
        Files,
        edges::{Edges, in_whole},
        log::{JOURNAL, Log},
        record::Touch,
        scan::Scan,
        text::{Own, Text, read_text},
    },
    Progress,
};
use crate::{
    format::{Put, WATERMARK, Writing},
    id::TaskId,
    store::Error,
    task::Task,
    time::Time,
    vfs::{Kind, Stat, missing},
};
use std::collections::{BTreeMap, HashMap};

/// One look at everything that lies in the folder.
pub(super) struct Facts<'a> {
    pub(super) files: &'a Files,
    pub(super) now: Time,
    pub(super) names: Vec<String>,
    pub(super) stats: BTreeMap<String, Stat>,
    /// What the task files say.
    pub(super) texts: BTreeMap<String, Text>,
    /// The task files that the disk did not let us read, and why.
    pub(super) refused: BTreeMap<String, String>,
    pub(super) log: Option<Log>,
    /// Why there is a journal that cannot be opened.
    pub(super) headless: Option<String>,
    pub(super) scan: Scan,
    pub(super) journal_bytes: u64,
    pub(super) known: HashMap<TaskId, Touch>,
    /// The tasks that live by the journal, by the file in which they should be.
    pub(super) expected: HashMap<String, Vec<TaskId>>,
    /// The edges that only one end's file shows, in formats that have both ends.
    pub(super) half: HashMap<TaskId, Edges>,
    pub(super) watermark: Option<String>,
}

impl<'a> Facts<'a> {
    pub(super) fn collect(files: &'a Files, progress: Progress<'_>) -> Result<Facts<'a>, Error> {
        let mut names = files.vfs.names("").map_err(Error::io("list", "the folder"))?;
        names.sort_unstable();
        let (log, headless) = match files.open_log() {
            Ok(log) => (log, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let known = log.as_ref().and_then(|it| it.all().ok()).unwrap_or_default();
        let mut expected: HashMap<String, Vec<TaskId>> = HashMap::new();
        for touch in known.values().filter(|it| it.after.is_some()) {
            expected.entry(files.format.file_of(&touch.id)).or_default().push(touch.id.clone());
        }
        let scan = log.as_ref().and_then(|it| it.scan().ok()).unwrap_or_default();
        let stands = || files.vfs.stat(JOURNAL).map_or(0, |it| it.length);
        let mark = missing(files.vfs.read(WATERMARK, 4096)).ok().flatten();
        let mut facts = Facts {
            files,
            now: files.clock.now(),
            stats: BTreeMap::new(),
            texts: BTreeMap::new(),
            refused: BTreeMap::new(),
            journal_bytes: log.as_ref().map_or_else(stands, |it| it.mark.end),
            log,
            headless,
            scan,
            known,
            expected,
            half: HashMap::new(),
            watermark: mark.map(|it| String::from_utf8_lossy(&it).into_owned()),
            names: Vec::new(),
        };
        facts.read(&names, progress)?;
        facts.names = names;
        if files.format.shape().has_blocks {
            facts.half = in_whole(files.format, facts.texts.values().flat_map(|it| &it.found));
        }
        Ok(facts)
    }

    fn read(&mut self, names: &[String], progress: Progress<'_>) -> Result<(), Error> {
        let format = self.files.format;
        let files: Vec<&String> = names.iter().filter(|it| format.is_task_file(it)).collect();
        for (n, name) in files.iter().enumerate() {
            progress(n, files.len());
            let stat = self.files.vfs.stat(name);
            match stat.map(|stat| (stat, read_text(self.files, name))) {
                Ok((stat, Ok(text))) => {
                    self.stats.insert((*name).clone(), stat);
                    if stat.kind == Kind::File {
                        self.texts.insert((*name).clone(), text);
                    }
                }
                Ok((_, Err(error))) if error.is_shortage() => return Err(error),
                Ok((stat, Err(error))) => {
                    self.stats.insert((*name).clone(), stat);
                    self.refused.insert((*name).clone(), error.to_string());
                }
                // It went while we looked.
                Err(_) => {}
            }
        }
        progress(files.len(), files.len());
        Ok(())
    }

    /// Every task that a file shows, with the name of the file.
    pub(super) fn own(&self) -> impl Iterator<Item = (&String, &Own)> + Clone {
        self.texts.iter().flat_map(|(name, text)| text.found.iter().map(move |own| (name, own)))
    }

    /// A task as its file or, where that cannot be read, the journal has it.
    pub(super) fn task(&self, id: &TaskId) -> Option<&Task> {
        let text = self.texts.get(&self.files.format.file_of(id));
        let served = || {
            let faulty = !self.is_readable(id);
            self.known.get(id).filter(|_| faulty).and_then(|it| it.after.as_ref()).map(|it| &it.task)
        };
        text.and_then(|it| it.own(id)).map(|it| &it.task).or_else(served)
    }

    /// Whether the file of an id says for sure whether there is such a task.
    pub(super) fn is_readable(&self, id: &TaskId) -> bool {
        let name = self.files.format.file_of(id);
        match self.texts.get(&name) {
            Some(text) => text.fault(id).is_none(),
            None => !self.stats.contains_key(&name),
        }
    }

    pub(super) fn tasks(&self) -> usize {
        let served = self.known.iter().filter(|(id, it)| it.after.is_some() && !self.is_readable(id));
        let served = served.filter(|(id, _)| {
            self.texts.get(&self.files.format.file_of(id)).is_none_or(|it| it.own(id).is_none())
        });
        self.own().count() + served.count()
    }

    /// The text of a file with tasks put into it.
    pub(super) fn encoded(&self, old: Option<&str>, puts: &[Put<'_>]) -> Option<String> {
        let finished = |id: &TaskId| self.task(id).is_some_and(|it| !it.is_open());
        self.files.format.encode(old, puts, &Writing { finished: &finished, now: self.now }).ok().flatten()
    }

    /// The text of a file if its task were written anew, with the edges that its neighbours know of.
    pub(super) fn rewritten(&self, name: &str, own: &Own) -> Option<String> {
        let mut task = own.task.clone();
        if let Some(edges) = self.half.get(&own.id) {
            let others = |ids: &[TaskId]| ids.iter().filter(|it| **it != own.id).cloned().collect::<Vec<_>>();
            task.blocked_by.extend(others(&edges.blocked_by));
            task.blocks.extend(others(&edges.blocks));
        }
        let old = self.texts.get(name)?.whole.as_deref()?;
        self.encoded(Some(old), &[Put::Ripple(&task)])
    }
}
