//! Reading the journal from front to back: whole batches, where they stand, and where the truth ends.
//! Not the index: that only remembers what a scan would find.

use super::{
    line,
    record::{self, Head, Record, Touch},
};
use crate::event::Event;

/// What a stretch of the journal holds.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) head: Option<Head>,
    pub(super) batches: Vec<Batch>,
    /// Where the last whole batch ends.
    pub(super) end: u64,
    /// The checksum of its last line.
    pub(super) check: u32,
    /// Whether something before the end could not be read.
    pub(super) damaged: bool,
    /// So many bytes behind the end are no room for later lines: what is left of an unfinished append.
    pub(super) torn: u64,
}

/// An event with its touches; or touches alone, the states that compaction kept.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) event: Option<Event>,
    pub(super) touches: Vec<(u64, Touch)>,
}

/// Scans bytes that stand at `base` in the journal, after a line with the checksum `after`.
pub(super) fn scan(bytes: &[u8], base: u64, after: u32) -> Scan {
    let mut scan = Scan { end: base, check: after, ..Scan::default() };
    let mut at = 0;
    while at < bytes.len() {
        match batch(&bytes[at..], base + at as u64, scan.check) {
            Some((found, length, check)) => {
                match found {
                    Found::Head(head) => scan.head = Some(head),
                    Found::Batch(batch) => scan.batches.push(batch),
                }
                at += length;
                (scan.end, scan.check) = (base + at as u64, check);
            }
            None => match resume(bytes, at) {
                Some((next, check)) => {
                    scan.damaged = true;
                    at = next;
                    scan.check = check;
                }
                None => break,
            },
        }
    }
    let rest = bytes.iter().rposition(|it| *it != line::ROOM).map_or(0, |it| it + 1);
    scan.torn = (base + rest as u64).saturating_sub(scan.end);
    scan
}

enum Found {
    Head(Head),
    Batch(Batch),
}

/// The batch at the start of some bytes, its length and its last checksum.
fn batch(bytes: &[u8], base: u64, after: u32) -> Option<(Found, usize, u32)> {
    let first = line::take(bytes).filter(|it| it.after == after)?;
    let (event, expected) = match Record::read(first.text)? {
        Record::Head(head) => return Some((Found::Head(head), first.length, first.check)),
        Record::Touch(touch) => {
            let batch = Batch { event: None, touches: vec![(base, *touch)] };
            return Some((Found::Batch(batch), first.length, first.check));
        }
        Record::Event(event, expected) => (event, expected),
    };
    let (mut at, mut check) = (first.length, first.check);
    let mut touches = Vec::new();
    for _ in 0..expected {
        let next = line::take(bytes.get(at..)?).filter(|it| it.after == check)?;
        let Record::Touch(touch) = Record::read(next.text)? else { return None };
        touches.push((base + at as u64, *touch));
        (at, check) = (at + next.length, next.check);
    }
    Some((Found::Batch(Batch { event: Some(*event), touches }), at, check))
}

/// Behind damage: the next event that is whole, and the checksum it claims to follow. Only if an event behind the damage began
/// a flush: the one before it was finished then. What is left of one that was not is no history, wherever the disk began it.
fn resume(bytes: &[u8], from: usize) -> Option<(usize, u32)> {
    let (mut at, mut next) = (from, None);
    while let Some(step) = bytes.get(at..)?.iter().position(|it| *it == b'\n') {
        at += step + 1;
        let Some(line) = bytes.get(at..).and_then(line::take) else { continue };
        let whole = batch(&bytes[at..], 0, line.after).is_some();
        if whole && matches!(Record::read(line.text), Some(Record::Event(..))) {
            let next = next.get_or_insert((at, line.after));
            if !record::is_joined(line.text) {
                return Some(*next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        claim::{Actor, Entry},
        event::Origin,
        id::TaskId,
        store::files::lines::Lines,
        task::Task,
        time::Time,
    };
    use std::sync::Arc;

    /// So much does a disk write at once.
    const SECTOR: usize = 512;

    /// A flush of so many events behind others, each with a task.
    fn flush(base: u64, check: u32, numbers: std::ops::Range<u64>) -> Lines {
        let mut lines = Lines::at(base, check).joined(false);
        for seq in numbers {
            let event = Event::bare(seq, Time(0), &Actor::new("ann", "ann"), "edit", Origin::Ours);
            lines.put(&Record::Event(Box::new(event), 1)).unwrap();
            let task = Task { subject: "long ".repeat(60), ..Task::new(TaskId::found("1"), "") };
            let (id, after) = (task.id.clone(), Some(Arc::new(Entry::new(task))));
            let touch = Touch {
                id,
                at: Time(0),
                before: None,
                after,
                base: None,
                hash: None,
                implied: vec![],
                recent: vec![],
            };
            lines.put(&Record::Touch(Box::new(touch))).unwrap();
        }
        lines
    }

    fn numbers(scan: &Scan) -> Vec<u64> {
        scan.batches.iter().filter_map(|it| it.event.as_ref().map(|it| it.seq)).collect()
    }

    /// A loss of power leaves some sectors of what was being written, and not others.
    #[test]
    fn of_a_flush_that_was_not_finished_only_the_beginning_counts() {
        let before = flush(0, 0, 1..3);
        let after = flush(before.bytes.len() as u64, before.check, 3..7);
        let (start, end) = (before.bytes.len(), before.bytes.len() + after.bytes.len());
        let mut old = before.bytes;
        old.resize(end.next_multiple_of(SECTOR), line::ROOM);
        let mut new = old.clone();
        new[start..end].copy_from_slice(&after.bytes);
        let (first, last) = (start / SECTOR, end / SECTOR);
        let mut kept = [0; 7];
        for written in 0_u32..1 << (last - first + 1) {
            let mut bytes = old.clone();
            for sector in (first..=last).filter(|it| written >> (it - first) & 1 == 1) {
                let at = sector * SECTOR..(sector + 1) * SECTOR;
                bytes[at.clone()].copy_from_slice(&new[at]);
            }
            let scan = scan(&bytes, 0, 0);
            let found = numbers(&scan);
            assert_eq!(found, (1..=found.len() as u64).collect::<Vec<_>>(), "{written:b}");
            assert!(found.len() >= 2 && !scan.damaged, "{written:b}");
            assert_eq!(
                scan.torn > 0,
                bytes[usize::try_from(scan.end).unwrap()..].iter().any(|it| *it != b' ')
            );
            kept[found.len()] += 1;
        }
        assert!(kept[2] > kept[3] && kept[3] > 0 && kept[6] == 1, "{kept:?}");
    }

    #[test]
    fn damage_before_a_flush_that_was_finished_costs_what_is_damaged() {
        let one = flush(0, 0, 1..4);
        let two = flush(one.bytes.len() as u64, one.check, 4..5);
        let mut bytes = [one.bytes, two.bytes].concat();
        bytes[100] ^= 1;
        let scan = scan(&bytes, 0, 0);
        assert!(scan.damaged && scan.torn == 0 && scan.end == bytes.len() as u64);
        assert_eq!(numbers(&scan), [2, 3, 4]);
    }
}
