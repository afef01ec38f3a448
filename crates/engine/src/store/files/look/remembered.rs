//! By what is remembered of an earlier look: every file is asked whether it is still the same; what is not, and what the
//! journal tells since, is read.

use super::{add_newcomers, alone, count, is_too_much};
use crate::{
    id::TaskId,
    spread::{Work, beside, spread},
    store::files::{
        Files,
        foreign::is_last_word,
        log::Log,
        record::Touch,
        scan::scan,
        sheet::{Made, Row, Sheet},
        snapshot::{self, Folder, Snapshot},
        text::{hash, limit},
        view::View,
    },
    task::{Task, same_set},
};
use foldhash::HashMap;

/// What was asked before the list's lock came is used so long.
const YOUNG_MS: u64 = 250;

/// What only had to be read costs such a part of what had to be understood.
const REREAD: usize = 8;

/// No more bytes than this are remembered of what begins most tasks.
const USUAL: u64 = 112;

/// What is remembered, and how every file looks from outside: the greater part of a look, for which nobody need wait.
pub(in crate::store::files) struct Asked {
    snapshot: Snapshot,
    /// For each row whether its file cannot have changed since.
    same: Vec<bool>,
    /// How many task files there are, and how the folder looked before.
    there: usize,
    folder: Option<Folder>,
    /// When that was, in ticks.
    at: u64,
    /// How much of it had to be renewed already, and when that began, in milliseconds.
    renewed: usize,
    since: Option<i64>,
}

impl Asked {
    /// Asks every file that is remembered; none if nothing fitting is. Where there are many, their names are counted meanwhile.
    pub(in crate::store::files) fn of(files: &Files, log: &Log, work: Work) -> Option<Asked> {
        let grain = files.vfs.grain_ms()?;
        let at = files.clock.ticks();
        let ask = || {
            let snapshot = snapshot::read(files, log)?;
            let same = spread(work, &snapshot.rows, |rows| {
                let mut same = vec![false; rows.len()];
                let name = |n: usize, name: &mut String| files.format.name_file(&rows[n].id, name);
                files.vfs.stat_each(rows.len(), &name, &mut |n, now| {
                    same[n] = now.is_some_and(|it| snapshot.vouches(rows[n].stat.as_ref(), &it, grain));
                });
                same
            });
            Some((snapshot, same.concat()))
        };
        let folder = Folder::of(files);
        // Where no name came or went, there are as many as there were.
        let is_same = |before: Option<Folder>| folder.is_some() && folder == before;
        let is_large =
            || files.vfs.stat(snapshot::SNAPSHOT).is_ok_and(|it| it.length > work.many() as u64 * USUAL);
        let (asked, there) = if !is_same(snapshot::folder(files, log)) && is_large() {
            beside(ask, || count(files))
        } else {
            (ask(), None)
        };
        let (snapshot, same) = asked?;
        let there = match there {
            Some(there) => there,
            None if is_same(snapshot.folder) => snapshot.rows.len(),
            None => count(files)?,
        };
        Some(Asked { snapshot, same, there, folder, at, renewed: 0, since: None })
    }

    /// With what the journal has told since of files that are in place, and what may be another read: so that less of that is
    /// left to whoever has the list. What cannot be told by itself is left as it is.
    pub(in crate::store::files) fn caught_up(mut self, files: &Files, log: &Log) -> Asked {
        let Some((mut told, lines)) = told_since(log, &self.snapshot, log.settled) else { return self };
        if is_too_much(lines, self.snapshot.rows.len()) {
            return self;
        }
        self.since = Some(files.clock.now().0);
        let (mut reread, old) = (0, settled_before(files));
        for (row, same) in self.snapshot.rows.iter_mut().zip(&mut self.same) {
            if let Some(touch) = told.get(&row.id) {
                let is_still = !moves_edges(Some(&row.edges()), touch.after.as_ref().map(|it| &it.task));
                if let Some(renewed) = is_still.then(|| laid(files, touch.clone())).flatten() {
                    told.remove(&renewed.id);
                    (*row, *same) = (renewed, true);
                }
            } else if !*same && let Ok(again) = read_again(files, row.clone()) {
                reread += usize::from(is_settled(&again, old));
                (*row, *same) = (again, true);
            }
        }
        self.renewed += reread / REREAD;
        if told.is_empty() {
            (self.snapshot.end, self.snapshot.check) = log.settled;
            self.renewed += lines;
        }
        self
    }

    /// Whether it is of this journal and of just now. What others wrote since then is found by the next look, if what is
    /// decided does not rest on it.
    fn fits(&self, files: &Files, log: &Log) -> bool {
        let age = files.clock.ticks().saturating_sub(self.at);
        age <= YOUNG_MS && self.snapshot.inode == log.mark.inode && self.snapshot.end <= log.mark.end
    }
}

/// Every task; none if nothing fitting is remembered, or too much is not as it was.
pub(super) fn look(view: &View<'_>) -> Option<Sheet> {
    let (files, log) = (view.files, view.log?);
    let asked = match view.asked_before().filter(|it| it.fits(files, log)) {
        Some(asked) => asked,
        None => {
            view.asks_now();
            Asked::of(files, log, Work::Ask)?
        }
    };
    told(view, log, asked)
}

/// What was found, with what the journal tells since, and what is not as it was, read.
fn told(view: &View<'_>, log: &Log, asked: Asked) -> Option<Sheet> {
    let files = view.files;
    let Asked { mut snapshot, same, mut there, folder, renewed, since, .. } = asked;
    let (told, lines) = told_since(log, &snapshot, (log.mark.end, log.mark.check))?;
    let mut rows = Renewed::of(std::mem::take(&mut snapshot.rows));
    let (mut changed, mut before, mut doubtful) = (Vec::new(), HashMap::default(), Vec::new());
    for (place, (row, is_same)) in rows.all.iter().zip(same).enumerate() {
        if told.contains_key(&row.id) {
            before.insert(row.id.clone(), row.edges());
            rows.places.insert(row.id.clone(), place);
        } else if !is_same {
            doubtful.push(row.clone());
            rows.places.insert(row.id.clone(), place);
        }
    }
    if is_too_much(doubtful.len() + lines, rows.all.len() - rows.places.len()) {
        return None;
    }
    let (mut reread, old) = (0, settled_before(files));
    for row in doubtful {
        match read_again(files, row) {
            Ok(row) => {
                reread += usize::from(is_settled(&row, old));
                rows.put(row);
            }
            Err(id) => changed.push(id),
        }
    }
    // What only had to be read costs a fraction of what had to be understood.
    let renewed = renewed + changed.len() + lines + reread / REREAD;
    let mut moved = false;
    for (id, touch) in told {
        moved |= moves_edges(before.get(&id), touch.after.as_ref().map(|it| &it.task));
        // What is gone has no file, which the count of names tells.
        if touch.after.is_some() {
            match laid(files, touch) {
                Some(row) => rows.put(row),
                None => changed.push(id),
            }
        }
    }
    for id in &changed {
        // Asked before it is read: whatever is written in between makes it another.
        let stat = files.vfs.stat(&files.format.file_of(id)).ok()?;
        let loaded = alone(view, id)?;
        // What the journal does not know yet must be found by every look until it does.
        let stat = Some(stat).filter(|_| !loaded.is_news());
        let hash = loaded.hash.filter(|_| stat.is_some());
        rows.put(Row::of(loaded.entry.clone()?, stat, hash));
    }
    let mut rows = rows.settled();
    if moved || there != rows.len() {
        there = count(files)?;
        moved |= add_newcomers(view, &mut rows, there)?;
    }
    let sheet = Sheet::of(files, rows, Made::Remembered(renewed)).within(folder).read_since(since);
    (there == sheet.rows.len() && (!moved || sheet.has_both_ends())).then_some(sheet)
}

/// Rows of which some are renewed where they stand: they stay in their order.
struct Renewed {
    all: Vec<Row>,
    /// Where those stand that are not as they were. Those that are not renewed are gone in the end.
    places: HashMap<TaskId, usize>,
}

impl Renewed {
    fn of(all: Vec<Row>) -> Renewed {
        Renewed { all, places: HashMap::default() }
    }

    fn put(&mut self, row: Row) {
        match self.places.remove(&row.id) {
            Some(place) => self.all[place] = row,
            None => self.all.push(row),
        }
    }

    fn settled(mut self) -> Vec<Row> {
        if !self.places.is_empty() {
            let gone = self.places;
            self.all.retain(|it| !gone.contains_key(&it.id));
        }
        self.all
    }
}

/// The last word of the journal on every task that it speaks of since, up to a place after a line with that checksum, and how
/// many lines that took. None if that is not its continuation.
fn told_since(
    log: &Log,
    snapshot: &Snapshot,
    (end, check): (u64, u32),
) -> Option<(HashMap<TaskId, Touch>, usize)> {
    if snapshot.end == end {
        return (snapshot.check == check).then(|| (HashMap::default(), 0));
    }
    let mut bytes = log.stretch(snapshot.end).ok()?;
    bytes.truncate(usize::try_from(end.checked_sub(snapshot.end)?).ok()?);
    let scan = scan(&bytes, snapshot.end, snapshot.check);
    if scan.damaged || scan.end != end || scan.check != check {
        return None;
    }
    let lines = scan.batches.iter().map(|it| it.touches.len()).sum();
    let touches = scan.batches.into_iter().flat_map(|it| it.touches);
    Some((touches.map(|(_, it)| (it.id.clone(), it)).collect(), lines))
}

/// Whether a task came, went, or has other edges: then its neighbours must agree. One that came may be what others spoke
/// of before it was there.
fn moves_edges(before: Option<&(Vec<TaskId>, Vec<TaskId>)>, after: Option<&Task>) -> bool {
    let same = |(blocks, blocked_by): &(Vec<TaskId>, Vec<TaskId>), after: &Task| {
        same_set(blocked_by, &after.blocked_by) && same_set(blocks, &after.blocks)
    };
    !before.zip(after).is_some_and(|(before, after)| same(before, after))
}

/// A task that the journal speaks of, if its file says the same. None if it must be looked at by itself.
fn laid(files: &Files, touch: Touch) -> Option<Row> {
    let name = files.format.file_of(&touch.id);
    let after = touch.after.filter(|it| touch.implied.is_empty() && is_last_word(it))?;
    let (stat, bytes) = files.vfs.read_with_stat(&name, limit(files.format)).ok()?;
    (Some(hash(&bytes)) == touch.hash).then(|| Row::of(after, Some(stat), touch.hash))
}

/// The moment before which a file must have been left alone to be believed unread from now on.
fn settled_before(files: &Files) -> i64 {
    files.clock.now().0.saturating_sub(files.vfs.grain_ms().unwrap_or(i64::MAX))
}

/// Whether it would not have to be read again if it were remembered now: of what was written just before, nothing is gained.
fn is_settled(row: &Row, before: i64) -> bool {
    row.stat.is_some_and(|it| it.is_older_than(before))
}

/// What is remembered of a file that may be another by now, if it has the very text that it had.
fn read_again(files: &Files, mut row: Row) -> Result<Row, TaskId> {
    match files.vfs.read_with_stat(&files.format.file_of(&row.id), limit(files.format)) {
        Ok((stat, bytes)) if row.hash == Some(hash(&bytes).to_le_bytes()) => {
            row.stat = Some(stat);
            Ok(row)
        }
        _ => Err(row.id),
    }
}
