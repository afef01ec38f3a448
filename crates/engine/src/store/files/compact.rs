//! Keeping the journal bounded: old events go, the last state of every task, the tokens and the plans stay.
//! The window for undo is never cut: the last 10,000 events and all of the last 90 days.

use super::{
    Files, line,
    log::{JOURNAL, Log, MAX_JOURNAL, OWN},
    record::{Head, Record, Touch},
    scan::Scan,
};
use crate::{rules::PlanNote, store::Error};
use std::collections::HashMap;

/// Events that are kept in any case.
const KEPT_EVENTS: usize = 10_000;
const KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1000;
/// Smaller journals are left alone; then each time the journal has doubled.
const SMALLEST: u64 = 8 * 1024 * 1024;
const NEW_JOURNAL: &str = ".worklist/journal.new";

/// Compacts if the journal has grown to a power of two of its smallest size. The list's lock must be held.
pub(super) fn maybe(files: &Files, log: Log<'_>) -> Result<(), Error> {
    let (now, before) = (log.mark.end / SMALLEST, log.mark.end.saturating_sub(64 * 1024) / SMALLEST);
    if now == before || !now.is_power_of_two() {
        return Ok(());
    }
    compact(files, log, KEPT_EVENTS)
}

/// Writes a new journal without the oldest events, and puts it in the place of the old one.
pub(super) fn compact(files: &Files, log: Log<'_>, kept_events: usize) -> Result<(), Error> {
    let vfs = &*files.vfs;
    let scan = log.scan()?;
    let events = scan.batches.iter().filter(|it| it.event.is_some()).count();
    let young = files.clock.now().plus(-KEPT_MS);
    let mut older = events.saturating_sub(kept_events);
    let cut = scan.batches.iter().position(|it| match &it.event {
        None => false,
        Some(event) if older > 0 && event.at < young => {
            older -= 1;
            false
        }
        Some(_) => true,
    });
    let cut = cut.unwrap_or(scan.batches.len());
    if scan.batches[..cut].iter().all(|it| it.event.is_none()) {
        return Ok(());
    }
    let bytes = rewritten(&scan, cut, &log);
    vfs.write(NEW_JOURNAL, &bytes).map_err(Error::io("write", NEW_JOURNAL))?;
    vfs.sync(NEW_JOURNAL).map_err(Error::io("flush", NEW_JOURNAL))?;
    vfs.replace(NEW_JOURNAL, JOURNAL).map_err(Error::io("put in place", JOURNAL))?;
    vfs.sync(OWN).map_err(Error::io("flush", OWN))?;
    files.mirror_journal();
    drop(log);
    // The index belongs to the old journal: the next look builds a new one and finds all files in place.
    match files.open_log()? {
        Some(mut log) => log.publish(),
        None => Err(Error::Io {
            action: "read",
            file: JOURNAL.to_owned(),
            source: std::io::Error::new(
                std::io::ErrorKind::InvalidData,
                format!("not readable within {MAX_JOURNAL} bytes"),
            ),
        }),
    }
}

fn rewritten(scan: &Scan, cut: usize, log: &Log<'_>) -> Vec<u8> {
    let (old, kept) = scan.batches.split_at(cut);
    let mut states: HashMap<_, &Touch> = HashMap::new();
    for (_, touch) in old.iter().flat_map(|it| &it.touches) {
        states.insert(&touch.id, touch);
    }
    let head = scan.head.clone().unwrap_or(Head {
        format: String::new(),
        seq: 0,
        token: 0,
        highest: 0,
        plans: Vec::new(),
    });
    let dropped = old.iter().filter_map(|it| it.event.as_ref());
    let plans: Vec<PlanNote> =
        head.plans.iter().cloned().chain(dropped.clone().filter_map(|it| it.plan.clone())).collect();
    let seq = dropped.map(|it| it.seq).max().unwrap_or(head.seq);
    let head = Head { seq, token: log.mark.token, highest: log.mark.highest, plans, ..head };
    let mut bytes = Vec::new();
    let mut check = line::put(&mut bytes, &Record::Head(head).text(), 0);
    let mut ids: Vec<_> = states.keys().copied().collect();
    ids.sort_unstable();
    for id in ids {
        // What a task was before is history; what it is stays.
        let touch = Touch {
            before: states[id].before.clone().filter(|_| states[id].after.is_none()),
            ..states[id].clone()
        };
        check = line::put(&mut bytes, &Record::Touch(Box::new(touch)).text(), check);
    }
    for batch in kept {
        if let Some(event) = &batch.event {
            check = line::put(
                &mut bytes,
                &Record::Event(Box::new(event.clone()), batch.touches.len()).text(),
                check,
            );
        }
        for (_, touch) in &batch.touches {
            check = line::put(&mut bytes, &Record::Touch(Box::new(touch.clone())).text(), check);
        }
    }
    bytes
}
