//! Keeping the journal bounded: old events go, the last state of every task, the tokens and the plans stay.
//! The window for undo is never cut: the last 10,000 events and all of the last 90 days.

use super::{
    Files,
    lines::Lines,
    log::{JOURNAL, Log, MAX_JOURNAL, OWN},
    record::{Head, Record, Touch},
    scan::{Batch, Scan},
};
use crate::{claim::Entry, event::Cut, rules::PlanNote, store::Error};
use std::{collections::HashMap, sync::Arc};

/// Events that are kept in any case.
const KEPT_EVENTS: usize = 10_000;
const KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1000;
/// Smaller journals are left alone; then each time the journal has doubled.
const SMALLEST: u64 = 8 * 1024 * 1024;
pub(super) const NEW_JOURNAL: &str = ".worklist/journal.new";

/// Compacts if the journal has grown to a power of two of its smallest size. The list's lock must be held.
pub(super) fn maybe(files: &Files, log: Log) -> Result<(), Error> {
    let doublings = |length: u64| (length / SMALLEST).checked_ilog2();
    if doublings(log.mark.end) <= doublings(log.settled.0) {
        return Ok(());
    }
    compact(files, log, KEPT_EVENTS)
}

/// Writes a new journal without the oldest events, and puts it in the place of the old one.
pub(super) fn compact(files: &Files, log: Log, kept_events: usize) -> Result<(), Error> {
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
    let bytes = rewritten(&scan, cut, &log)?;
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

fn rewritten(scan: &Scan, cut: usize, log: &Log) -> Result<Vec<u8>, Error> {
    let (old, kept) = scan.batches.split_at(cut);
    let mut states: HashMap<_, &Touch> = HashMap::new();
    for (_, touch) in old.iter().flat_map(|it| &it.touches) {
        states.insert(&touch.id, touch);
    }
    let empty = Head { format: String::new(), seq: 0, token: 0, highest: 0, plans: Vec::new(), cut: None };
    let head = scan.head.clone().unwrap_or(empty);
    let dropped = old.iter().filter_map(|it| it.event.as_ref());
    let plans: Vec<PlanNote> =
        head.plans.iter().cloned().chain(dropped.clone().filter_map(|it| it.plan.clone())).collect();
    let seq = dropped.map(|it| it.seq).max().unwrap_or(head.seq);
    let cut = summary(head.cut.as_ref(), old);
    let head = Head { seq, token: log.mark.token, highest: log.mark.highest, plans, cut, ..head };
    let mut lines = Lines::at(0, 0);
    lines.put(&Record::Head(head))?;
    let mut ids: Vec<_> = states.keys().copied().collect();
    ids.sort_unstable();
    for id in ids {
        // What a task was before is history; what it is stays.
        let touch = Touch {
            before: states[id].before.clone().filter(|_| states[id].after.is_none()),
            ..states[id].clone()
        };
        lines.put(&Record::Touch(Box::new(touch)))?;
    }
    for batch in kept {
        if let Some(event) = &batch.event {
            lines.put(&Record::Event(Box::new(event.clone()), batch.touches.len()))?;
        }
        for (_, touch) in &batch.touches {
            lines.put(&Record::Touch(Box::new(touch.clone())))?;
        }
    }
    Ok(lines.bytes)
}

/// What is remembered of the events that go, added to what is remembered of earlier ones.
fn summary(before: Option<&Cut>, old: &[Batch]) -> Option<Cut> {
    let mut sum = before.cloned();
    for batch in old {
        let Some(event) = &batch.event else { continue };
        let sum = sum.get_or_insert(Cut {
            events: 0,
            first: event.at,
            last: event.at,
            made: 0,
            completed: 0,
            removed: 0,
        });
        sum.events += 1;
        sum.last = event.at;
        for (_, touch) in &batch.touches {
            let open = |entry: &Option<Arc<Entry>>| entry.as_ref().map(|it| it.task.is_open());
            match (open(&touch.before), open(&touch.after)) {
                (None, Some(_)) => sum.made += 1,
                (Some(_), None) => sum.removed += 1,
                (Some(true), Some(false)) => sum.completed += 1,
                _ => {}
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Actor, Command, NewTask, TaskList,
        format::named,
        rules::{ClaimTask, Plan, PlanTask, ReleaseTask},
        store::Store,
        vfs::sim::{SimClock, SimDisk},
    };
    use std::path::Path;

    fn open(disk: &SimDisk, clock: &SimClock) -> Files {
        Files::open(Arc::new(disk.clone()), Arc::new(clock.clone()), Path::new("list"), named("s12")).unwrap()
    }

    /// Ids, tokens, claims, plans, fields that only the journal has and the kept events are as before.
    #[test]
    fn what_counts_survives() {
        let clock = SimClock::new(1);
        let disk = SimDisk::new(clock.clone());
        let list = || TaskList::of_files(open(&disk, &clock), Arc::new(clock.clone()));
        let ann = Actor::new("ann", "s");
        let task =
            NewTask { subject: "a".into(), tags: vec!["only in the journal".into()], ..NewTask::default() };
        let plan = || {
            let tasks = vec![PlanTask { name: Some("n".into()), task: task.clone(), ..PlanTask::default() }];
            Command::Plan(Plan { key: Some("k".into()), tasks })
        };
        let id = list().run(&ann, &plan()).unwrap().decision.about[0].clone();
        let gone = list().run(&ann, &Command::Create(task.clone())).unwrap().decision.about[0].clone();
        list().run(&ann, &Command::Delete { id: gone.clone(), force: false }).unwrap();
        let mut token = None;
        for _ in 0..20 {
            token = list().run(&ann, &Command::Claim(ClaimTask::of(id.clone()))).unwrap().decision.token;
            let release = ReleaseTask { id: id.clone(), token, reason: None, force: false };
            list().run(&ann, &Command::Release(release)).unwrap();
        }
        clock.pass(100 * 24 * 60 * 60 * 1000);
        let before = list().board().unwrap().tasks;
        let events = list().events_after(0).unwrap();
        let length = disk.peek(JOURNAL).unwrap().len();
        let files = open(&disk, &clock);
        compact(&files, files.open_log().unwrap().unwrap(), 5).unwrap();
        assert!(disk.peek(JOURNAL).unwrap().len() < length / 2);
        let head = files.open_log().unwrap().unwrap().scan().unwrap().head.unwrap();
        let cut = head.cut.unwrap();
        assert_eq!((cut.events, cut.made, cut.removed), (events.len() as u64 - 5, 2, 1));
        let kept = files.events_after(0).unwrap();
        assert_eq!(kept, events[events.len() - 5..]);
        let after = list().board().unwrap().tasks;
        assert_eq!(
            before.iter().map(|it| &*it.task).collect::<Vec<_>>(),
            after.iter().map(|it| &*it.task).collect::<Vec<_>>()
        );
        assert!(list().run(&ann, &plan()).unwrap().event.is_none(), "the plan is known");
        let next = list().run(&ann, &Command::Claim(ClaimTask::of(id))).unwrap();
        assert!(next.decision.token > token);
        assert_eq!(next.event.unwrap().seq, events.len() as u64 + 1);
        assert!(list().show(&gone).unwrap().is_none());
    }

    /// The last 90 days are never cut, however many events there are.
    #[test]
    fn young_events_stay() {
        let clock = SimClock::new(1);
        let disk = SimDisk::new(clock.clone());
        let list = TaskList::of_files(open(&disk, &clock), Arc::new(clock.clone()));
        for _ in 0..5 {
            let new = NewTask { subject: "a".into(), ..NewTask::default() };
            list.run(&Actor::new("ann", "s"), &Command::Create(new)).unwrap();
        }
        let files = open(&disk, &clock);
        compact(&files, files.open_log().unwrap().unwrap(), 1).unwrap();
        assert_eq!(files.events_after(0).unwrap().len(), 5);
    }

    /// Killed or without power at any call, the journal is the old one or the new one.
    #[test]
    fn it_happens_wholly_or_not_at_all() {
        for (call, power) in (1..40).flat_map(|call| [(call, false), (call, true)]) {
            let clock = SimClock::new(call);
            let disk = SimDisk::new(clock.clone());
            let ann = Actor::new("ann", "s");
            let list = TaskList::of_files(open(&disk, &clock), Arc::new(clock.clone()));
            for _ in 0..8 {
                let new = NewTask { subject: "a".into(), ..NewTask::default() };
                list.run(&ann, &Command::Create(new)).unwrap();
            }
            clock.pass(100 * 24 * 60 * 60 * 1000);
            disk.crash_in(call);
            let files = open_dead(&disk, &clock);
            if let Some(files) = &files {
                _ = files.open_log().and_then(|log| log.map_or(Ok(()), |log| compact(files, log, 2)));
            }
            if power {
                disk.lose_power();
            } else {
                disk.restart();
            }
            let list = TaskList::of_files(open(&disk, &clock), Arc::new(clock.clone()));
            assert_eq!(list.board().unwrap().tasks.len(), 8, "call {call}");
            let seqs: Vec<u64> = list.events_after(0).unwrap().iter().map(|it| it.seq).collect();
            assert!(seqs == (1..=8).collect::<Vec<_>>() || seqs == [7, 8], "call {call}: {seqs:?}");
        }
    }

    fn open_dead(disk: &SimDisk, clock: &SimClock) -> Option<Files> {
        Files::open(Arc::new(disk.clone()), Arc::new(clock.clone()), Path::new("list"), named("s12")).ok()
    }
}
