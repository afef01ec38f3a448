//! A whole list laid down at once where there is none: the journal with its past first, then the files it speaks of.
//! Not a commit: nothing is decided, and nobody else has anything here yet.

use super::{
    Files,
    compact::NEW_JOURNAL,
    lines::Lines,
    log::{JOURNAL, Log, OWN, make_dir},
    look,
    record::{Head, Record, Touch},
    recover::recover,
    text::understand,
    view::{View, first_token},
};
use crate::{
    claim::{Actor, Entry},
    event::{Event, Origin},
    format::{Put, WATERMARK, Writing},
    id::TaskId,
    rules::Refusal,
    store::{Error, Whole},
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

/// Everything that the list knows. The lock must be held, or nobody else be able to write.
pub(super) fn whole(files: &Files) -> Result<Whole, Error> {
    let log = files.open_log()?;
    let (view, entries) = look::taken(files, log.as_ref(), |sheet| sheet.entries().to_vec());
    view.failed()?;
    let watermark = view.watermark().and_then(|it| it.trim().parse().ok()).unwrap_or(0);
    let scan = log.as_ref().map(Log::scan).transpose()?;
    let events = log.as_ref().map(|it| it.events_after(0)).transpose()?.unwrap_or_default();
    let head = scan.and_then(|it| it.head);
    let numbers = entries.iter().filter_map(|it| it.task.id.number());
    let known = log.as_ref().map_or(0, |it| it.mark.highest);
    Ok(Whole {
        from: head.as_ref().map_or(0, |it| it.seq),
        highest: numbers.chain([watermark, known]).max().unwrap_or(0),
        plans: head.as_ref().map(|it| it.plans.clone()).unwrap_or_default(),
        cut: head.and_then(|it| it.cut),
        events: events.into_iter().filter(|it| !it.changes.is_empty()).collect(),
        entries: entries.into_iter().map(Arc::unwrap_or_clone).collect(),
    })
}

/// Lays down a list. A crash leaves either nothing of it or a journal from which the next process makes the files.
pub(super) fn found(files: &Files, whole: &Whole) -> Result<(), Error> {
    let vfs = &*files.vfs;
    refuse_tenants(files)?;
    let bytes = journal(files, whole)?;
    make_dir(vfs, OWN)?;
    let ignore = ".worklist/.gitignore";
    vfs.write(ignore, b"*\n").map_err(Error::io("write", ignore))?;
    vfs.write(NEW_JOURNAL, &bytes).map_err(Error::io("write", NEW_JOURNAL))?;
    vfs.sync(NEW_JOURNAL).map_err(Error::io("flush", NEW_JOURNAL))?;
    vfs.replace(NEW_JOURNAL, JOURNAL).map_err(Error::io("put in place", JOURNAL))?;
    for path in [OWN, ""] {
        vfs.sync(path).map_err(Error::io("flush", path))?;
    }
    files.mirror_journal();
    // No index fits this journal: every file it speaks of is looked for, and made.
    if let Some(mut log) = files.open_log()? {
        recover(files, &mut log, files.wait_ms)?;
    }
    watermark(files, whole)
}

fn refuse_tenants(files: &Files) -> Result<(), Error> {
    let log = files.open_log()?;
    let view = View::new(files, log.as_ref(), files.clock.now());
    let sheet = view.look_at_all();
    view.failed()?;
    let past = log.as_ref().is_some_and(|it| it.mark.seq > 0);
    if past || !sheet.rows.is_empty() || !view.problems().is_empty() {
        return Err(Refusal::invalid("list", "is not empty: it has tasks or a history").into());
    }
    Ok(())
}

/// The journal: head, past, and one batch with the tasks as they are and the hashes of their texts to be.
fn journal(files: &Files, whole: &Whole) -> Result<Vec<u8>, Error> {
    let now = files.clock.now();
    let head = Head {
        format: files.format.shape().name.to_owned(),
        seq: whole.from,
        token: first_token(now).max(whole.highest_fence()),
        highest: whole.highest,
        plans: whole.plans.clone(),
        cut: whole.cut.clone(),
    };
    let hashes = hashes(files, &whole.entries)?;
    let touch = |id: &TaskId, before: Option<Arc<Entry>>, after: Option<Arc<Entry>>| Touch {
        id: id.clone(),
        at: now,
        before,
        after,
        base: None,
        hash: None,
        implied: Vec::new(),
        recent: Vec::new(),
    };
    let mut records = vec![Record::Head(head)];
    for event in &whole.events {
        let bare = Event { changes: Vec::new(), ..event.clone() };
        records.push(Record::Event(Box::new(bare), event.changes.len()));
        let touches = event.changes.iter().map(|it| touch(&it.id, it.before.clone(), it.after.clone()));
        records.extend(touches.map(|it| Record::Touch(Box::new(it))));
    }
    // An event that changes nothing is not told; its touches are the last word on every task all the same.
    let last = Event::bare(whole.seq(), now, &Actor::new("", ""), "found", Origin::Ours);
    records.push(Record::Event(Box::new(last), whole.entries.len()));
    for entry in &whole.entries {
        let id = &entry.task.id;
        let hash = hashes.get(id).copied();
        let entry = Arc::new(entry.clone());
        let touch = Touch { hash, ..touch(id, Some(entry.clone()), Some(entry)) };
        records.push(Record::Touch(Box::new(touch)));
    }
    let mut lines = Lines::at(0, 0);
    records.iter().try_for_each(|it| lines.put(it))?;
    Ok(lines.bytes)
}

/// The hash of each task's bytes in the file that will be made of it.
fn hashes(files: &Files, entries: &[Entry]) -> Result<HashMap<TaskId, u128>, Error> {
    let format = files.format;
    let done: HashSet<&TaskId> =
        entries.iter().filter(|it| !it.task.is_open()).map(|it| &it.task.id).collect();
    let writing = Writing { finished: &|id| done.contains(id), now: files.clock.now() };
    let mut by_file: BTreeMap<String, Vec<Put<'_>>> = BTreeMap::new();
    for entry in entries {
        let name = format.file_of(&entry.task.id);
        if !entry.task.id.is_plain() || !format.is_task_file(&name) {
            let reason = format!("`{}` cannot be an id in format {}", entry.task.id, format.shape().name);
            return Err(Refusal::invalid("id", &reason).into());
        }
        by_file.entry(name).or_default().push(Put::Task(&entry.task));
    }
    let mut hashes = HashMap::new();
    for (name, puts) in by_file {
        let text = format.encode(None, &puts, &writing);
        let text = text.map_err(|it| Error::Unreadable { file: name.clone(), reason: it.to_string() })?;
        let text = understand(format, &name, text.unwrap_or_default());
        hashes.extend(text.found.into_iter().map(|it| (it.id, it.hash)));
    }
    Ok(hashes)
}

/// Ids that were given and are gone must not be given again by the other programs of this format either.
fn watermark(files: &Files, whole: &Whole) -> Result<(), Error> {
    let made: Vec<&TaskId> = whole.entries.iter().map(|it| &it.task.id).collect();
    let highest = TaskId::from(whole.highest);
    let gone = (whole.highest > 0 && !made.contains(&&highest)).then_some(&highest);
    let removed: Vec<&TaskId> = gone.into_iter().collect();
    match files.format.watermark(None, &made, &removed) {
        Some(text) => files.vfs.write(WATERMARK, text.as_bytes()).map_err(Error::io("write", WATERMARK)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command, TaskList,
        format::{FORMATS, Format},
        rules::NewTask,
        store::Store,
        vfs::sim::{SimClock, SimDisk},
    };
    use std::{path::Path, sync::Arc};

    fn open(disk: &SimDisk, clock: &SimClock, format: &'static dyn Format) -> Option<Files> {
        Files::open(Arc::new(disk.clone()), Arc::new(clock.clone()), Path::new("list"), Some(format)).ok()
    }

    fn sample(format: &'static dyn Format) -> Whole {
        let clock = SimClock::new(1);
        let disk = SimDisk::new(clock.clone());
        let files = open(&disk, &clock, format).unwrap();
        let list = TaskList::of_files(files, Arc::new(clock.clone()));
        let ann = Actor::new("ann", "s");
        for subject in ["a", "b", "c"] {
            let new = NewTask { subject: subject.into(), tags: vec!["t".into()], ..NewTask::default() };
            list.run(&ann, &Command::Create(new)).unwrap();
        }
        list.whole().unwrap()
    }

    /// A process that dies in the middle, or a loss of power: everything is there, or nothing is.
    #[test]
    fn all_or_nothing_at_every_call() {
        for format in FORMATS {
            let whole = sample(format);
            let mut outcomes = [0, 0];
            for (call, power) in (0..120).flat_map(|call| [(call, false), (call, true)]) {
                let clock = SimClock::new(2);
                let disk = SimDisk::new(clock.clone());
                disk.crash_in(call);
                if let Some(files) = open(&disk, &clock, format) {
                    _ = files.found(&whole);
                }
                if power {
                    disk.lose_power();
                } else {
                    disk.restart();
                }
                let list = TaskList::of_files(open(&disk, &clock, format).unwrap(), Arc::new(clock.clone()));
                list.board().unwrap();
                let there = list.whole().unwrap();
                assert!(there.is_empty() || there == whole, "{format:?} call {call}: {there:?}");
                outcomes[usize::from(there == whole)] += 1;
            }
            assert!(outcomes[0] > 10 && outcomes[1] > 10, "{format:?} {outcomes:?}");
        }
    }

    /// Files that are new have nobody's lock to be taken: whatever fails, none is left behind.
    #[test]
    fn a_failing_call_leaves_no_lock() {
        for format in FORMATS {
            let whole = sample(format);
            for call in 0..120 {
                let clock = SimClock::new(3);
                let disk = SimDisk::new(clock.clone());
                let files = open(&disk, &clock, format).unwrap();
                disk.fail_in(call, std::io::ErrorKind::StorageFull);
                _ = files.found(&whole);
                let locks: Vec<String> =
                    disk.all_names().into_iter().filter(|it| it.contains(".lock")).collect();
                assert!(locks.is_empty(), "{format:?} call {call}: {locks:?}");
            }
        }
    }
}
