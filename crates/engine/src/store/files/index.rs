//! Where in the journal each task was last touched: a table that can be deleted at any time and is never believed
//! without looking at the line it points to.

use crate::id::TaskId;

/// Bytes before the slots.
pub(super) const HEADER: usize = 80;
/// Bytes of a slot: the hash of the id and the place.
pub(super) const SLOT: usize = 16;
const MAGIC: &[u8; 8] = b"WLINDEX1";
const FEWEST: u64 = 64;

/// How far the index follows the journal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Mark {
    /// The journal it belongs to.
    pub(super) inode: u64,
    pub(super) end: u64,
    pub(super) seq: u64,
    /// The highest number of any claim.
    pub(super) token: u64,
    /// The highest id that is a number.
    pub(super) highest: u64,
    /// The run of the machine in which it was written.
    pub(super) boot: u64,
    pub(super) slots: u64,
    pub(super) used: u64,
    /// The checksum of the last line.
    pub(super) check: u32,
}

impl Mark {
    pub(super) fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(MAGIC);
        let numbers =
            [self.inode, self.end, self.seq, self.token, self.highest, self.boot, self.slots, self.used];
        for (n, number) in numbers.into_iter().enumerate() {
            bytes[8 + 8 * n..16 + 8 * n].copy_from_slice(&number.to_le_bytes());
        }
        bytes[72..76].copy_from_slice(&self.check.to_le_bytes());
        let sum = crc32c::crc32c(&bytes[..76]);
        bytes[76..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Mark> {
        let bytes = bytes.get(..HEADER)?;
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or_default());
        let small = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default());
        if &bytes[..8] != MAGIC || small(76) != crc32c::crc32c(&bytes[..76]) {
            return None;
        }
        let mark = Mark {
            inode: number(8),
            end: number(16),
            seq: number(24),
            token: number(32),
            highest: number(40),
            boot: number(48),
            slots: number(56),
            used: number(64),
            check: small(72),
        };
        mark.slots.is_power_of_two().then_some(mark)
    }
}

/// The hash under which an id is filed; never 0, which marks a free slot.
pub(super) fn hash(id: &TaskId) -> u64 {
    xxhash_rust::xxh3::xxh3_64(id.as_str().as_bytes()) | 1
}

/// Splits the bytes of slots.
pub(super) fn slots(bytes: &[u8]) -> impl Iterator<Item = (u64, u64)> {
    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    bytes.chunks_exact(SLOT).map(move |it| (number(&it[..8]), number(&it[8..])))
}

pub(super) fn slot_bytes(hash: u64, place: u64) -> [u8; SLOT] {
    let mut bytes = [0; SLOT];
    bytes[..8].copy_from_slice(&hash.to_le_bytes());
    bytes[8..].copy_from_slice(&place.to_le_bytes());
    bytes
}

/// A whole index file for these slots, with room to grow.
pub(super) fn build(slots: &[(u64, u64)], mut mark: Mark) -> (Mark, Vec<u8>) {
    let used = slots.len() as u64;
    mark.slots = (used * 4).next_power_of_two().max(FEWEST);
    mark.used = used;
    let count = usize::try_from(mark.slots).unwrap_or(usize::MAX);
    let mut table = vec![(0, 0); count];
    for (hash, place) in slots.iter().copied() {
        let mut at = start(hash, mark.slots);
        while table[at].0 != 0 {
            at = (at + 1) % count;
        }
        table[at] = (hash, place);
    }
    let mut bytes = mark.to_bytes().to_vec();
    bytes.extend(table.into_iter().flat_map(|(hash, place)| slot_bytes(hash, place)));
    (mark, bytes)
}

/// The slot at which the search for a hash starts.
pub(super) fn start(hash: u64, slots: u64) -> usize {
    usize::try_from(hash & (slots - 1)).unwrap_or(0)
}
