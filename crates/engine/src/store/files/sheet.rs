//! A whole list as one look saw it. Not a copy that can go stale: it lives as long as the look.

use super::{
    Files,
    snapshot::{Body, Brief, End, Folder, Side, Texts},
};
use crate::{claim::Entry, graph::Web, id::TaskId, rules::Outline, store::Offer, time::Time, vfs::Stat};
use foldhash::HashMap;
use std::sync::{Arc, OnceLock};

/// So few are found in their order; for more, a table is made.
const FEW: usize = 256;

/// Every task of a list.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) rows: Vec<Row>,
    pub(super) made: Made,
    /// How the folder looked before its names were counted, if they were and that is known.
    pub(super) folder: Option<Folder>,
    /// When the first file was read for it, in milliseconds, if that may have been before the look began.
    since: Option<i64>,
    /// Whether the rows are in the order of their ids.
    sorted: bool,
    places: OnceLock<HashMap<TaskId, usize>>,
    /// The tasks of all rows, once somebody asked for all.
    entries: OnceLock<Vec<Arc<Entry>>>,
}

/// How a sheet was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    /// Everything was read and put together: there is nothing beside it.
    Anew,
    /// By the journal's last lines, each held against its file.
    ByJournal,
    /// By what was remembered, and so much that was not as it was then.
    Remembered(usize),
}

/// One task, and what its file looked like from outside when it was last read.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) id: TaskId,
    pub(super) outline: Outline,
    pub(super) stat: Option<Stat>,
    /// The hash of the text that it was understood from, if that is known.
    pub(super) hash: Option<Hash>,
    task: Held,
}

/// The hash of a text, in a form that takes no more room than it must.
pub(super) type Hash = [u8; 16];

/// A task, or where it is stored: most are never asked for.
#[derive(Debug, Clone)]
enum Held {
    Made(Arc<Entry>),
    Stored(Arc<Body>, usize),
}

impl Row {
    /// One that was read.
    pub(super) fn of(entry: Arc<Entry>, stat: Option<Stat>, hash: Option<u128>) -> Row {
        Row::made(entry, stat, hash.map(u128::to_le_bytes))
    }

    fn made(entry: Arc<Entry>, stat: Option<Stat>, hash: Option<Hash>) -> Row {
        Row { id: entry.task.id.clone(), outline: Outline::of(&entry), stat, hash, task: Held::Made(entry) }
    }

    /// One that is remembered.
    pub(super) fn stored(body: &Arc<Body>, number: usize, brief: &Brief) -> Row {
        let Brief { outline, stat, hash } = *brief;
        Row { id: body.ids()[number].clone(), outline, stat, hash, task: Held::Stored(body.clone(), number) }
    }

    /// Shows the bytes in which the rest of it is stored; whether it is and they could be read.
    pub(super) fn show_rest(&self, show: impl FnOnce(&[u8])) -> bool {
        match &self.task {
            Held::Made(_) => false,
            Held::Stored(body, number) => body.show_rest(*number, show),
        }
    }

    /// The bytes that begin it where it is stored.
    pub(super) fn stored_head(&self) -> Option<&[u8]> {
        match &self.task {
            Held::Made(_) => None,
            Held::Stored(body, number) => Some(body.head(*number)),
        }
    }

    /// The sum over the bytes of the rest of it, where it is stored.
    pub(super) fn stored_sum(&self) -> Option<u32> {
        match &self.task {
            Held::Made(_) => None,
            Held::Stored(body, number) => body.sum(*number),
        }
    }

    /// Shows the tasks that wait for it, and those that it waits for.
    pub(super) fn show_edges<T>(&self, show: impl FnOnce(&[TaskId], &[TaskId]) -> T) -> T {
        match &self.task {
            Held::Made(entry) => show(&entry.task.blocks, &entry.task.blocked_by),
            Held::Stored(body, number) => {
                let (blocks, blocked_by) = body.edges(*number);
                show(&blocks, &blocked_by)
            }
        }
    }

    /// The tasks that wait for it, and those that it waits for.
    pub(super) fn edges(&self) -> (Vec<TaskId>, Vec<TaskId>) {
        self.show_edges(|blocks, blocked_by| (blocks.to_vec(), blocked_by.to_vec()))
    }

    /// The task.
    pub(super) fn entry(&self) -> Arc<Entry> {
        match &self.task {
            Held::Made(entry) => entry.clone(),
            Held::Stored(body, number) => Arc::new(body.entry(*number)),
        }
    }
}

impl Sheet {
    /// Rows in the order of the list.
    pub(super) fn of(files: &Files, mut rows: Vec<Row>, made: Made) -> Sheet {
        let sorted = files.format.shape().single_file.is_none();
        if sorted && !rows.is_sorted_by(|one, other| one.id <= other.id) {
            // Most of them are in order all the same, of which this way of sorting makes use.
            rows.sort_by(|one, other| one.id.cmp(&other.id));
        }
        let (places, entries) = (OnceLock::new(), OnceLock::new());
        Sheet { rows, made, folder: None, since: None, sorted, places, entries }
    }

    /// The same, in a folder that looked so before its names were counted.
    pub(super) fn within(self, folder: Option<Folder>) -> Sheet {
        Sheet { folder, ..self }
    }

    /// The same, with files in it that were read since then.
    pub(super) fn read_since(self, since: Option<i64>) -> Sheet {
        Sheet { since, ..self }
    }

    /// Since when it was read, in a look that began then: what was written later may not be in it.
    pub(super) fn began(&self, look: Time) -> i64 {
        self.since.map_or(look.0, |it| it.min(look.0))
    }

    /// Whether every edge between two tasks stands on both ends. An end that is missing is somebody's to be told of.
    pub(super) fn has_both_ends(&self) -> bool {
        let edge = |blocker: usize, task: usize| {
            xxhash_rust::xxh3::xxh3_64_with_seed(&blocker.to_le_bytes(), task as u64)
        };
        // The same edges have the same sum, in whatever order they come.
        let mut sum = 0_u64;
        self.each_end(|side, place, other| match (side, other) {
            (Side::BlockedBy, Some(other)) => sum = sum.wrapping_add(edge(other, place)),
            (Side::Blocks, Some(other)) => sum = sum.wrapping_sub(edge(place, other)),
            (_, None) => {}
        });
        sum == 0
    }

    /// What waits for what, and which tasks are open.
    pub(super) fn web(&self) -> Web {
        let mut waiting: Vec<(usize, usize)> = Vec::with_capacity(2 * self.rows.len());
        let mut lacking = vec![false; self.rows.len()];
        self.each_end(|side, place, other| match (side, other) {
            (Side::BlockedBy, Some(other)) => waiting.push((place, other)),
            (Side::BlockedBy, None) => lacking[place] = true,
            // By every other way of looking, an edge stands on both of its ends.
            (Side::Blocks, Some(other)) if self.made == Made::Anew => waiting.push((other, place)),
            (Side::Blocks, _) => {}
        });
        Web::new(self.rows.iter().map(|it| it.outline.is_open()).collect(), lacking, &waiting)
    }

    /// Where the tasks stand that wait for nothing, of those whose outline is right.
    pub(super) fn unblocked(&self, web: &Web, is_right: impl Fn(Outline) -> bool) -> Vec<usize> {
        let right = self.rows.iter().enumerate().filter(|(_, it)| is_right(it.outline));
        right.map(|(place, _)| place).filter(|it| !web.waits(*it)).collect()
    }

    /// The tasks that may be ready.
    pub(super) fn offers(&self) -> Vec<Offer> {
        let web = self.web();
        let found = self.unblocked(&web, Outline::may_be_ready);
        if found.len() > self.rows.len() / 4 {
            self.will_ask_for_all();
        }
        Offer::all(&web, found.into_iter().map(|place| (place, self.rows[place].entry())))
    }

    /// Shows every end of every edge: on which side it stands, the place of its task, and that of the other task if it is there.
    fn each_end(&self, mut see: impl FnMut(Side, usize, Option<usize>)) {
        let made = self.rows.iter().filter(|it| matches!(it.task, Held::Made(_))).count();
        if made > FEW {
            self.places();
        }
        let moved = self.moved();
        for (place, row) in self.rows.iter().enumerate() {
            let mut see = |side: Side, other: Option<usize>| see(side, place, other);
            match &row.task {
                Held::Stored(body, number) => body.each_end(*number, |side, end| match end {
                    End::Number(it) => see(side, moved[it]),
                    End::Id(it) => see(side, self.place(&TaskId::found(it))),
                }),
                Held::Made(entry) => {
                    entry.task.blocks.iter().for_each(|it| see(Side::Blocks, self.place(it)));
                    entry.task.blocked_by.iter().for_each(|it| see(Side::BlockedBy, self.place(it)));
                }
            }
        }
    }

    /// Where the tasks that are stored together stand now, by their numbers; none for those that are gone.
    fn moved(&self) -> Vec<Option<usize>> {
        let Some(body) = self.body() else { return Vec::new() };
        let mut moved = vec![None; body.ids().len()];
        for (place, row) in self.rows.iter().enumerate() {
            if let Held::Stored(_, number) = &row.task {
                moved[*number] = Some(place);
            }
        }
        for (place, id) in moved.iter_mut().zip(body.ids()).filter(|(place, _)| place.is_none()) {
            *place = self.place(id);
        }
        moved
    }

    fn place(&self, id: &TaskId) -> Option<usize> {
        match self.places.get() {
            None if self.sorted => self.rows.binary_search_by(|it| it.id.cmp(id)).ok(),
            _ => self.places().get(id).copied(),
        }
    }

    fn places(&self) -> &HashMap<TaskId, usize> {
        let rows = || self.rows.iter().enumerate().map(|(n, it)| (it.id.clone(), n));
        self.places.get_or_init(|| rows().collect())
    }

    pub(super) fn get(&self, id: &TaskId) -> Option<Arc<Entry>> {
        let place = self.place(id)?;
        Some(self.entries.get().map_or_else(|| self.rows[place].entry(), |it| it[place].clone()))
    }

    /// Every task, in the order of the list.
    pub(super) fn entries(&self) -> &[Arc<Entry>] {
        self.will_ask_for_all();
        self.entries.get_or_init(|| self.rows.iter().map(Row::entry).collect())
    }

    /// What is stored is read at once, not task by task.
    pub(super) fn will_ask_for_all(&self) {
        if let Some(body) = self.body() {
            body.will_read_all();
        }
    }

    /// Whether a task was asked for that is not what was stored: nothing of this sheet counts then.
    pub(super) fn is_damaged(&self) -> bool {
        self.body().is_some_and(|it| it.is_damaged())
    }

    /// Whether the tasks that are stored would be stored under the same numbers again, so that what is said of them by those
    /// may stay as it is.
    pub(super) fn keeps_numbers(&self) -> bool {
        let ids = self.body().map(|it| it.ids()).unwrap_or_default();
        ids.len() <= self.rows.len() && ids.iter().zip(&self.rows).all(|(id, row)| *id == row.id)
    }

    /// The file in which the rests are of those that are stored.
    pub(super) fn texts(&self) -> Option<Texts> {
        self.body().map(|it| it.texts)
    }

    /// What the tasks that are not made are stored in: one place for all of them.
    fn body(&self) -> Option<&Arc<Body>> {
        self.rows.iter().find_map(|it| match &it.task {
            Held::Stored(body, _) => Some(body),
            Held::Made(_) => None,
        })
    }

    /// The rows with every task made: for whoever will ask again.
    pub(super) fn made_rows(&self) -> Vec<Row> {
        self.entries()
            .iter()
            .zip(&self.rows)
            .map(|(entry, row)| Row::made(entry.clone(), row.stat, row.hash))
            .collect()
    }
}
