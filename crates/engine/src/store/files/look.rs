//! Looking at everything, by the fastest way that finds the same: what is remembered of the last look, the journal
//! with one reading of every file, or everything put together anew. Not one task: that is the view's.

mod exact;
mod quick;
mod remembered;

pub(super) use remembered::Asked;

use super::{
    Files,
    edges::Edges,
    foreign::Loaded,
    log::Log,
    sheet::{Row, Sheet},
    view::View,
};
use crate::{id::TaskId, task::same_set};
use std::{collections::HashSet, rc::Rc};

/// How thorough a look is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// What can be known without reading is not read.
    Usual,
    /// Everything is read and put together: the measure of the other two ways.
    Full,
}

/// Every task.
pub(super) fn at_all(view: &View<'_>) -> Sheet {
    let fast = || remembered::look(view).or_else(|| quick::look(view));
    // The fast ways build on a journal whose last word on every task is in its file.
    let settled = view.log.is_some_and(|it| !it.rebooted && !it.damaged && it.unsettled.is_empty());
    // And on files that say by themselves what waits for what: not some that are left out of them on purpose.
    let shape = view.files.format.shape();
    let is_usual = view.care == Care::Usual && settled && shape.single_file.is_none() && !shape.ripples;
    is_usual.then(fast).flatten().unwrap_or_else(|| exact::look(view))
}

/// A look at everything, and what was taken of it; with everything read anew if what was remembered turns out not to be what was
/// stored.
pub(super) fn taken<'a, T>(
    files: &'a Files,
    log: Option<&'a Log>,
    take: impl Fn(&Sheet) -> T,
) -> (View<'a>, T) {
    let view = View::new(files, log, files.clock.now());
    let taken = take(&view.look_at_all());
    if !view.is_stale() {
        return (view, taken);
    }
    let view = View::new(files, log, files.clock.now()).carefully();
    let taken = take(&view.look_at_all());
    (view, taken)
}

/// How many task files there are, by their names, none of which is kept.
fn count(files: &Files) -> Option<usize> {
    let mut there = 0;
    let mut see = |name: &str| there += usize::from(files.format.is_task_file(name));
    files.vfs.each_name("", &mut see).ok()?;
    Some(there)
}

/// Whether so many tasks are to be looked at one by one that looking at all of them is no slower.
fn is_too_much(one_by_one: usize, rest: usize) -> bool {
    one_by_one > 64 + rest / 4
}

/// A task whose file is not the one that is known, looked at by itself. None if what others did to it may concern its
/// neighbours: then all must be looked at together.
fn alone(view: &View<'_>, id: &TaskId) -> Option<Rc<Loaded>> {
    // A task that nobody knows makes the view look at all.
    if view.log?.known(id).ok()?.is_none() {
        return newcomer(view, id);
    }
    let loaded = view.load(id)?;
    let known = loaded.known.as_ref().filter(|it| it.implied.is_empty())?;
    let unchanged = loaded.hash.is_some() && loaded.hash == known.hash;
    let text = view.text(&view.files.format.file_of(id))?;
    let (own, before) = (&text.own(id)?.task, &known.after.as_ref()?.task);
    let has_blocks = view.files.format.shape().has_blocks;
    let same_edges = same_set(&own.blocked_by, &before.blocked_by)
        && (!has_blocks || same_set(&own.blocks, &before.blocks));
    (unchanged || same_edges).then_some(loaded).filter(|it| it.entry.is_some())
}

/// A task that another program made, and of which nobody knows yet, looked at by itself. None if it has edges: then all
/// must be looked at together.
fn newcomer(view: &View<'_>, id: &TaskId) -> Option<Rc<Loaded>> {
    let text = view.text(&view.files.format.file_of(id)).filter(|it| !it.is_faulty())?;
    let own = &text.own(id)?.task;
    let is_alone = own.blocked_by.is_empty() && own.blocks.is_empty();
    is_alone.then(|| view.keep(id, &text, None, &Edges::default())).flatten()
}

/// Adds the tasks of which nobody knows yet, if so many files are there; whether there were any. What others say of them
/// shows when the ends of all edges are held against each other.
fn add_newcomers(view: &View<'_>, rows: &mut Vec<Row>, there: usize) -> Option<bool> {
    let format = view.files.format;
    let count = there.saturating_sub(rows.len());
    if count == 0 || is_too_much(count, rows.len()) {
        return (count == 0).then_some(false);
    }
    let known: HashSet<String> = rows.iter().map(|it| format.file_of(&it.id)).collect();
    for name in view.names().iter().filter(|it| format.is_task_file(it) && !known.contains(*it)) {
        let id = view.text(name)?.found.first()?.id.clone();
        let is_new = format.file_of(&id) == *name && view.log?.known(&id).ok()?.is_none();
        let loaded = is_new.then(|| newcomer(view, &id)).flatten()?;
        rows.push(Row::of(loaded.entry.clone()?, None, None));
    }
    Some(true)
}
