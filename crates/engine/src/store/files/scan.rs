//! Reading the journal from front to back: whole batches, where they stand, and where the truth ends.
//! Not the index: that only remembers what a scan would find.

use super::{
    line,
    record::{Head, Record, Touch},
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

/// Behind damage: the next event that is whole, and the checksum it claims to follow.
fn resume(bytes: &[u8], from: usize) -> Option<(usize, u32)> {
    let mut at = from;
    while let Some(step) = bytes.get(at..)?.iter().position(|it| *it == b'\n') {
        at += step + 1;
        let Some(line) = bytes.get(at..).and_then(line::take) else { continue };
        let whole = batch(&bytes[at..], 0, line.after).is_some();
        if whole && matches!(Record::read(line.text), Some(Record::Event(..))) {
            return Some((at, line.after));
        }
    }
    None
}
