//! Everything read and put together anew: every file, everything that the journal knows, and what each says of the
//! others. The measure of the faster ways, and the only one that can find more than they can.

use crate::{
    id::TaskId,
    store::{
        Problem,
        files::{
            edges::{Edges, in_whole},
            foreign::Loaded,
            record::Touch,
            sheet::{Made, Row, Sheet},
            text::Text,
            view::View,
        },
    },
};
use std::{collections::HashMap, rc::Rc};

/// Every file and everything that the journal knows.
pub(super) fn look(view: &View<'_>) -> Sheet {
    let format = view.files.format;
    let names = view.names();
    let mut files: Vec<&String> = names.iter().filter(|it| format.is_task_file(it)).collect();
    files.sort_unstable();
    let texts: Vec<(&String, Rc<Text>)> =
        files.into_iter().filter_map(|it| Some((it, view.text(it)?))).collect();
    let mut known = match view.log {
        Some(log) => view.ok(log.all()).unwrap_or_default(),
        None => HashMap::new(),
    };
    let mut edges = in_whole(format, texts.iter().flat_map(|(_, it)| &it.found));
    view.forget_loaded();
    let mut ids = Vec::new();
    for (name, text) in &texts {
        for own in &text.found {
            let edges = edges.remove(&own.id).unwrap_or_default();
            view.keep(&own.id, text, known.remove(&own.id), &edges);
            ids.push(own.id.clone());
        }
        for reason in text.broken.iter().chain(text.bad.iter().map(|(_, it)| it)) {
            view.note(Problem { file: (*name).clone(), reason: reason.clone(), served: false });
        }
    }
    ids.extend(without_file(view, &texts, known));
    view.drop_served_problems();
    let entry = |id: &TaskId| view.loaded_entry(id).map(|it| Row::of(it, None, None));
    Sheet::of(view.files, ids.iter().filter_map(entry).collect(), Made::Anew)
}

/// What the journal knows and no file shows: gone, removed by others, or in a file that cannot be read.
fn without_file(
    view: &View<'_>,
    texts: &[(&String, Rc<Text>)],
    known: HashMap<TaskId, Touch>,
) -> Vec<TaskId> {
    let broken: HashMap<&str, &Rc<Text>> =
        texts.iter().filter(|(_, it)| it.is_faulty()).map(|(name, it)| (name.as_str(), it)).collect();
    let mut rest: Vec<(TaskId, Touch)> = known.into_iter().collect();
    rest.sort_unstable_by(|left, right| left.0.cmp(&right.0));
    let missing = Text::default();
    let mut ids = Vec::new();
    for (id, touch) in rest {
        if touch.after.is_none() {
            // It is gone. If a broken file has its name, that was said above.
            view.remember(Loaded::from_journal(&id, touch));
            continue;
        }
        let name = view.files.format.file_of(&id);
        let text = broken.get(name.as_str()).map_or(&missing, |it| it);
        if view.keep(&id, text, Some(touch), &Edges::default()).is_some_and(|it| it.entry.is_some()) {
            ids.push(id);
        }
    }
    ids
}
