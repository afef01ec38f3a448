//! The lines of a change for the journal: one for each task that is touched, by us or because others laid theirs over ours.
//! Not the texts of files.

use crate::{
    id::TaskId,
    rules::{Change, Tasks},
    store::files::{
        foreign::{Loaded, RELAPSE_MS},
        record::{Recent, Touch},
        view::View,
    },
};
use foldhash::HashSet;

/// So many writes of ours are remembered to tell a relapse.
const MOST_RECENT: usize = 8;

/// What must be put right in files of which it is not settled anyway what will be in them.
pub(super) fn repairs(looked_at: &[std::rc::Rc<Loaded>], settled: &HashSet<&TaskId>) -> Vec<Touch> {
    let others = looked_at.iter().filter(|it| !settled.contains(&it.id));
    others
        .filter_map(|it| {
            let foreign = it.foreign.clone()?;
            let after = Some(it.repair.clone()?);
            Some(Touch { before: foreign.after.clone(), after, base: it.hash, ..foreign })
        })
        .collect()
}

/// The lines for our changes, and for the tasks whose files speak of a changed one.
pub(super) fn touches(view: &View<'_>, changes: &[Change]) -> Vec<(Touch, bool)> {
    let mut touches: Vec<(Touch, bool)> = Vec::new();
    let mut touched: HashSet<TaskId> = changes.iter().map(|it| it.id.clone()).collect();
    for change in changes {
        let loaded = view.load(&change.id);
        touches.push((
            Touch {
                id: change.id.clone(),
                at: view.now,
                before: change.before.clone(),
                after: change.after.clone(),
                base: loaded.as_ref().and_then(|it| it.hash),
                hash: None,
                implied: Vec::new(),
                recent: recent(view, change, loaded.as_deref()),
            },
            false,
        ));
    }
    if view.files.format.shape().ripples {
        for id in changes.iter().filter(|it| it.turns()).flat_map(|it| view.dependents(&it.id)) {
            if !touched.insert(id.clone()) {
                continue;
            }
            let Some(loaded) = view.load(&id).filter(|it| it.entry.is_some()) else { continue };
            let (entry, base) = (loaded.entry.clone(), loaded.hash);
            let recent = loaded.known.as_ref().map(|it| it.recent.clone()).unwrap_or_default();
            let (before, after, implied) = (entry.clone(), entry, loaded.implied.clone());
            touches
                .push((Touch { id, at: view.now, before, after, base, hash: None, implied, recent }, true));
        }
    }
    touches
}

fn recent(view: &View<'_>, change: &Change, loaded: Option<&Loaded>) -> Vec<Recent> {
    let (true, Some(before), Some(_)) = (view.files.format.shape().repairs, &change.before, &change.after)
    else {
        return Vec::new();
    };
    let new = Recent { at: view.now, fields: change.fields(), was: before.task.clone() };
    let old = loaded.and_then(|it| it.known.as_ref()).map(|it| it.recent.clone()).unwrap_or_default();
    let young = old.into_iter().filter(|it| view.now.0 - it.at.0 <= RELAPSE_MS);
    std::iter::once(new).filter(|it| !it.fields.is_empty()).chain(young).take(MOST_RECENT).collect()
}
