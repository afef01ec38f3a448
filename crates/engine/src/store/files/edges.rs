//! Edges as they stand on both ends. A program that writes one end at a time leaves half edges behind; they count.

use super::{
    record::Touch,
    text::{Own, Text},
    view::View,
};
use crate::{format::Format, id::TaskId};
use std::collections::{HashMap, HashSet};

/// The edges of one task that its own file does not show.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Edges {
    pub(super) blocked_by: Vec<TaskId>,
    pub(super) blocks: Vec<TaskId>,
}

/// For every task the edges that only its neighbours' files show.
pub(super) fn in_whole<'o>(
    format: &dyn Format,
    all: impl Iterator<Item = &'o Own> + Clone,
) -> HashMap<TaskId, Edges> {
    let own: HashMap<&TaskId, &Own> = all.clone().map(|it| (&it.id, it)).collect();
    let waits: HashSet<(&TaskId, &TaskId)> =
        all.clone().flat_map(|it| it.task.blocked_by.iter().map(move |other| (&it.id, other))).collect();
    let blocks: HashSet<(&TaskId, &TaskId)> =
        all.clone().flat_map(|it| it.task.blocks.iter().map(move |other| (&it.id, other))).collect();
    let mut edges: HashMap<TaskId, Edges> = HashMap::new();
    for it in all {
        for dependent in it.task.blocks.iter().filter_map(|id| own.get(id)) {
            if !waits.contains(&(&dependent.id, &it.id)) {
                edges.entry(dependent.id.clone()).or_default().blocked_by.push(it.id.clone());
            }
        }
        for blocker in it.task.blocked_by.iter().filter_map(|id| own.get(id)) {
            if !format.shape().has_blocks || !blocks.contains(&(&blocker.id, &it.id)) {
                edges.entry(blocker.id.clone()).or_default().blocks.push(it.id.clone());
            }
        }
    }
    edges
}

/// The same for one task, from what the journal remembers of its neighbours: each is asked whether it still holds.
pub(super) fn by_id(view: &View<'_>, id: &TaskId, text: &Text, known: Option<&Touch>) -> Edges {
    let own = text.own(id);
    let (Some(own), Some(known)) = (own, known) else { return Edges::default() };
    let Some(entry) = &known.after else { return Edges::default() };
    let untouched = known.hash == Some(own.hash);
    let implied: HashSet<&TaskId> = known.implied.iter().collect();
    // What our own write left out of an unchanged file on purpose needs no witness.
    let trusted = |other: &TaskId| untouched && !implied.contains(other);
    let witness = |other: &TaskId, holds: &dyn Fn(&Own) -> bool| {
        let text = view.text(&view.files.format.file_of(other));
        other.is_plain() && text.is_some_and(|it| it.own(other).is_some_and(holds))
    };
    let shown = |ids: &[TaskId]| ids.iter().cloned().collect::<HashSet<TaskId>>();
    let (own_blocked_by, own_blocks) = (shown(&own.task.blocked_by), shown(&own.task.blocks));
    let blocked_by = entry.task.blocked_by.iter().filter(|it| !own_blocked_by.contains(*it));
    let blocked_by =
        blocked_by.filter(|it| trusted(it) || witness(it, &|other| other.task.blocks.contains(id)));
    let blocks = entry.task.blocks.iter().filter(|it| !own_blocks.contains(*it));
    // A format without `blocks` would have to open every dependent: the journal's word is taken until all are read.
    let derived = !view.files.format.shape().has_blocks;
    let blocks = blocks
        .filter(|it| derived || trusted(it) || witness(it, &|other| other.task.blocked_by.contains(id)));
    Edges { blocked_by: blocked_by.cloned().collect(), blocks: blocks.cloned().collect() }
}
