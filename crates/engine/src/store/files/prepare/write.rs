//! What one file will say: from the text that was read to the one with the change in it. Not when it is put there.

use crate::{
    claim::Entry,
    format::{MAX_TASK_BYTES, Put, Writing},
    id::TaskId,
    rules::{Refusal, Tasks},
    store::{
        Error,
        files::{record::Touch, spare, text::understand, view::View},
    },
};
use foldhash::HashMap;
use std::collections::BTreeMap;

/// One file to be written: from a text to a text, where none is "no file".
pub(in crate::store::files) struct Write {
    pub(in crate::store::files) name: String,
    pub(in crate::store::files) old: Option<String>,
    pub(in crate::store::files) new: Option<String>,
    pub(in crate::store::files) touches: Vec<Touch>,
}

impl Write {
    /// From the text before this one to the text after the later one.
    pub(super) fn go_on(&mut self, later: Write) {
        self.new = later.new;
        for touch in later.touches {
            match self.touches.iter_mut().find(|it| it.id == touch.id) {
                Some(earlier) => earlier.go_on(touch),
                None => self.touches.push(touch),
            }
        }
    }
}

/// The text of one file after some touches.
pub(super) fn write(
    view: &View<'_>,
    name: String,
    touches: Vec<(Touch, bool)>,
    after: &HashMap<&TaskId, Option<&Entry>>,
) -> Result<Write, Error> {
    let format = view.files.format;
    let Some(text) = view.text(&name) else {
        view.failed()?;
        return Err(Error::Contended { file: name });
    };
    let whole_list = format.shape().single_file.is_some();
    let lost = touches.iter().find_map(|(it, _)| it.before.as_ref().and_then(|_| text.fault(&it.id)));
    match &text.broken {
        // What is not even text, or holds the whole list, is not replaced by a write to one task.
        Some(reason) if whole_list || text.whole.is_none() => {
            return Err(Error::Unreadable { file: name, reason: reason.clone() });
        }
        None if text.blank && (lost.is_some() || view.knows_any()) => {
            return Err(Error::Unreadable { file: name, reason: "the file is empty".to_owned() });
        }
        _ => {}
    }
    if let (Some(_), Some(old)) = (&text.broken, &text.whole) {
        spare::quarantine(view.files, &name, old.as_bytes())?;
    }
    let finished = |id: &TaskId| match after.get(id) {
        Some(entry) => entry.is_some_and(|it| !it.task.is_open()),
        None => view.get(id).is_some_and(|it| !it.task.is_open()),
    };
    let puts: Vec<Put<'_>> = touches
        .iter()
        .map(|(touch, ripple)| match (&touch.after, ripple) {
            (Some(entry), false) => Put::Task(&entry.task),
            (Some(entry), true) => Put::Ripple(&entry.task),
            (None, _) => Put::Gone(&touch.id),
        })
        .collect();
    let writing = Writing { finished: &finished, now: view.now };
    let unreadable =
        |fault: crate::json::Malformed| Error::Unreadable { file: name.clone(), reason: fault.to_string() };
    let new = format.encode(text.whole.as_deref(), &puts, &writing).map_err(unreadable)?;
    let hashes: BTreeMap<TaskId, u128> = match &new {
        Some(new) => {
            understand(format, &name, new.clone()).found.into_iter().map(|it| (it.id, it.hash)).collect()
        }
        None => BTreeMap::new(),
    };
    if new.as_ref().is_some_and(|it| format.shape().single_file.is_none() && it.len() as u64 > MAX_TASK_BYTES)
    {
        return Err(Refusal::invalid("task", "would be larger than 1 MiB in its file").into());
    }
    let mut touches: Vec<Touch> = touches.into_iter().map(|(it, _)| it).collect();
    for touch in &mut touches {
        touch.hash = hashes.get(&touch.id).copied();
    }
    // The decision saw no such task: another program made it since then. What is compared is what was seen, so that all
    // is decided again, and theirs is not taken for the old text of ours.
    let is_taken = touches.iter().any(|it| it.before.is_none() && text.own(&it.id).is_some());
    let old = text.whole.clone().filter(|_| !is_taken);
    Ok(Write { name, old, new, touches })
}
