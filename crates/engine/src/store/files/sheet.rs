//! A whole list as one look saw it. Not a copy that can go stale: it lives as long as the look.

use super::Files;
use crate::{claim::Entry, id::TaskId, vfs::Stat};
use foldhash::HashMap;
use std::sync::{Arc, OnceLock};

/// Every task of a list.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) rows: Vec<Row>,
    pub(super) made: Made,
    /// Whether the rows are in the order of their ids.
    sorted: bool,
    places: OnceLock<HashMap<TaskId, usize>>,
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
    pub(super) entry: Arc<Entry>,
    pub(super) stat: Option<Stat>,
}

impl Sheet {
    /// Rows in the order of the list.
    pub(super) fn of(files: &Files, mut rows: Vec<Row>, made: Made) -> Sheet {
        let sorted = files.format.shape().single_file.is_none();
        if sorted {
            // Most of them are in order already, of which this way of sorting makes use.
            rows.sort_by(|one, other| one.entry.task.id.cmp(&other.entry.task.id));
        }
        Sheet { rows, made, sorted, places: OnceLock::new() }
    }

    /// Whether every edge between two tasks stands on both ends. An end that is missing is somebody's to be told of.
    pub(super) fn has_both_ends(&self) -> bool {
        let tasks = || self.rows.iter().map(|it| &it.entry.task);
        let places: HashMap<&TaskId, u64> = tasks().map(|it| &it.id).zip(0..).collect();
        let edge =
            |blocker: u64, task: u64| xxhash_rust::xxh3::xxh3_64_with_seed(&blocker.to_le_bytes(), task);
        // The same edges have the same sum, in whatever order they come.
        let (mut waiting, mut blocking) = (0_u64, 0_u64);
        for (task, place) in tasks().zip(0..) {
            for blocker in task.blocked_by.iter().filter_map(|it| places.get(it)) {
                waiting = waiting.wrapping_add(edge(*blocker, place));
            }
            for dependent in task.blocks.iter().filter_map(|it| places.get(it)) {
                blocking = blocking.wrapping_add(edge(place, *dependent));
            }
        }
        waiting == blocking
    }

    pub(super) fn get(&self, id: &TaskId) -> Option<&Arc<Entry>> {
        let place = if self.sorted {
            self.rows.binary_search_by(|it| it.entry.task.id.cmp(id)).ok()?
        } else {
            let rows = || self.rows.iter().enumerate().map(|(n, it)| (it.entry.task.id.clone(), n));
            *self.places.get_or_init(|| rows().collect()).get(id)?
        };
        Some(&self.rows[place].entry)
    }
}
