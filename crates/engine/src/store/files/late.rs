//! Writes that came too late: into a file that we had displaced while another program still had it open.
//! What they changed and nobody has changed since is taken over as their change.

use super::{
    Files,
    log::Log,
    prepare::Write,
    record::{Record, Touch},
    settle::{laid, settle},
    spare::{self, KEPT_MS, Name, SPARE, Spares, read_name},
    text::{hash, read_text, understand},
    view::View,
};
use crate::{
    claim::{Actor, Entry},
    event::{Event, Origin},
    rules::Tasks,
    store::Error,
    task::Field,
};
use std::sync::Arc;

/// Whether a spare file is not any more what it was when it was displaced.
pub(super) fn is_another(name: &str, bytes: &[u8]) -> bool {
    read_name(name)
        .is_some_and(|(expected, _)| expected != 0 && hash(&*String::from_utf8_lossy(bytes)) != expected)
}

/// Whether there is any such file.
pub(super) fn any(files: &Files) -> bool {
    files.vfs.names(SPARE).is_ok_and(|names| names.iter().any(|it| late_text(files, it).is_some()))
}

fn late_text(files: &Files, name: &str) -> Option<String> {
    read_name(name).filter(|(expected, _)| *expected != 0)?;
    let bytes = files.vfs.read(&format!("{SPARE}/{name}"), u64::MAX).ok()?;
    is_another(name, &bytes).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// Takes over what such files say. The list's lock must be held.
pub(super) fn adopt(files: &Files, log: &mut Log) -> Result<(), Error> {
    let names = files.vfs.names(SPARE).unwrap_or_default();
    for name in names {
        let (Some(text), Some((base, file))) = (late_text(files, &name), read_name(&name)) else { continue };
        let file = file.to_owned();
        let unfinished = {
            let it = understand(files.format, &file, text.clone());
            it.broken.is_some() || it.blank
        };
        let path = format!("{SPARE}/{name}");
        let stat = files.vfs.stat(&path).map_err(Error::io("look at", &path))?;
        if unfinished && stat.changed_ago(files.clock.now()) <= KEPT_MS {
            continue;
        }
        spare::quarantine(files, &file, text.as_bytes())?;
        if let Some(touch) = merged(files, log, &file, &text, base)? {
            take_over(files, log, &file, touch)?;
        }
        files.vfs.remove(&path).map_err(Error::io("remove", &path))?;
    }
    Ok(())
}

/// Tells the journal and writes the file.
fn take_over(files: &Files, log: &mut Log, file: &str, mut touch: Touch) -> Result<(), Error> {
    let event = Event::bare(log.mark.seq + 1, touch.at, &Actor::new("", ""), "late", Origin::Foreign);
    let old = read_text(files, file)?.whole;
    let wanted = Write { name: file.to_owned(), new: old.clone(), old, touches: vec![touch.clone()] };
    let new = laid(files, log, &wanted, wanted.old.as_deref())?;
    touch.hash = new.as_deref().map(hash);
    let spare = Name { seq: event.seq, n: 0, hash: wanted.old.as_deref().map_or(0, hash), file };
    log.append(&[Record::Event(Box::new(event), 1), Record::Touch(Box::new(touch.clone()))])?;
    settle(&mut Spares::of(files), log, &Write { new, touches: vec![touch], ..wanted }, &spare)?;
    log.publish()
}

/// What a late text changes in its task as it is now; only for formats with a file for each task.
fn merged(files: &Files, log: &Log, file: &str, text: &str, base: u128) -> Result<Option<Touch>, Error> {
    let late = understand(files.format, file, text.to_owned());
    let [late] = late.found.as_slice() else { return Ok(None) };
    let batches = log.scan()?.batches;
    let mut touches = batches.iter().flat_map(|it| &it.touches).map(|(_, it)| it);
    let Some(before) =
        touches.find(|it| it.id == late.id && it.base == Some(base)).and_then(|it| it.before.clone())
    else {
        return Ok(None);
    };
    let view = View::new(files, Some(log), files.clock.now());
    let Some(entry) = view.get(&late.id) else { return Ok(None) };
    let hash = view.load(&late.id).and_then(|it| it.hash);
    view.failed()?;
    let mut after = Entry::clone(&entry);
    let theirs = before.task.difference(&late.task).into_iter();
    let edges = [Field::Blocks, Field::BlockedBy];
    for field in theirs.filter(|it| files.format.shape().carries(*it) && !edges.contains(it)) {
        if entry.task.agrees(&before.task, field) {
            after.task.adopt(field, &late.task);
        }
    }
    let (id, at) = (late.id.clone(), files.clock.now());
    let changed = after != *entry;
    let touch = Touch {
        id,
        at,
        before: Some(entry),
        after: Some(Arc::new(after)),
        base: hash,
        hash: None,
        implied: vec![],
        recent: vec![],
    };
    Ok(changed.then_some(touch))
}
