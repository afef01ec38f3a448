//! Tasks as they are stored: what begins each of them is in memory, the rest stays on the disk until somebody asks for it.
//! Which tasks can be started, and what waits for what, is told without.

use super::codec::{Head, Reader};
use crate::{
    claim::Entry,
    id::TaskId,
    rules::Outline,
    store::files::sheet::Hash,
    task::Task,
    vfs::{Handle, Kind, Stat},
};
use std::{
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// All that is stored of the tasks of a list.
pub(in crate::store::files) struct Body {
    /// Where the rests are.
    file: Box<dyn Handle>,
    pub(in crate::store::files) texts: Texts,
    /// What begins each task.
    heads: Vec<u8>,
    /// The ids by the numbers under which tasks speak of each other.
    ids: Vec<TaskId>,
    places: Vec<Place>,
    /// Whether most of them will be asked for, one after the other.
    is_for_all: AtomicBool,
    /// The rests that were read last, if so.
    window: Mutex<Window>,
    /// Whether something turned out not to be what was stored.
    is_damaged: AtomicBool,
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tasks", self.ids.len())
    }
}

/// Some of the rests, as they follow each other in the file.
#[derive(Default)]
struct Window {
    from: u64,
    bytes: Vec<u8>,
}

/// So much is read at once for whoever asks for all: not everything, which would be as much as the tasks themselves.
const WINDOW: usize = 1024 * 1024;

/// So many bytes before a head tell what its file looked like: four numbers, and a hash.
const LOOKS: usize = 4 * size_of::<u64>() + size_of::<Hash>();

/// Where the head of a task begins and ends, from its outline to its edges.
struct Place {
    start: u32,
    end: u32,
}

/// The file of the rests: by which mark it is known, how far the tasks were written in their order, and how far at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store::files) struct Texts {
    pub(super) mark: u64,
    pub(super) ordered: u64,
    pub(super) end: u64,
}

impl Texts {
    /// It begins with its mark.
    pub(super) const START: u64 = size_of::<u64>() as u64;
}

/// What is known of a stored task without reading the rest of it.
pub(in crate::store::files) struct Brief {
    pub(in crate::store::files) outline: Outline,
    pub(in crate::store::files) stat: Option<Stat>,
    pub(in crate::store::files) hash: Option<Hash>,
}

/// A task that another one speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store::files) enum End<'a> {
    /// By its number in the same body.
    Number(usize),
    /// By an id that none of them had.
    Id(&'a str),
}

/// How it speaks of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store::files) enum Side {
    /// The other waits for it.
    Blocks,
    /// It waits for the other.
    BlockedBy,
}

impl Body {
    /// So many tasks that begin so, with their rests in a file. None if that cannot be, or if it is another file.
    pub(super) fn read(file: Box<dyn Handle>, heads: Vec<u8>, texts: Texts, count: usize) -> Option<Body> {
        if file.part(0, size_of::<u64>()).ok()? != texts.mark.to_le_bytes() {
            return None;
        }
        let mut reader = Reader::new(&heads);
        let count = Some(count).filter(|it| *it <= heads.len())?;
        let (mut ids, mut places) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for _ in 0..count {
            ids.push(TaskId::found(reader.text()?));
            _ = (numbers(&mut reader)?, reader.hash()?);
            let start = heads.len() - reader.left();
            let head = reader.head()?;
            let mut is_known = true;
            reader.each_end(|_, end| is_known &= !matches!(end, End::Number(it) if it >= count))?;
            is_known &= head.at >= Texts::START && head.end() <= texts.end;
            let place = |it: usize| u32::try_from(it).ok().filter(|_| is_known);
            places.push(Place { start: place(start)?, end: place(heads.len() - reader.left())? });
        }
        let (is_for_all, is_damaged) = (AtomicBool::new(false), AtomicBool::new(false));
        let window = Mutex::default();
        Some(Body { file, texts, heads, ids, places, is_for_all, window, is_damaged })
    }

    /// What is known of a task without reading the rest of it.
    pub(in crate::store::files) fn brief(&self, number: usize) -> Option<Brief> {
        let Place { start, end } = self.places[number];
        let mut reader = Reader::new(self.heads.get((start as usize).checked_sub(LOOKS)?..end as usize)?);
        let (stat, hash) = (stat(numbers(&mut reader)?), reader.hash()?);
        let hash = Some(hash).filter(|it| *it != Hash::default());
        Some(Brief { outline: reader.head()?.outline, stat, hash })
    }

    pub(in crate::store::files) fn ids(&self) -> &[TaskId] {
        &self.ids
    }

    /// For whoever will ask for most tasks: they are read together.
    pub(in crate::store::files) fn will_read_all(&self) {
        self.is_for_all.store(true, Ordering::Relaxed);
    }

    /// A task. If it cannot be made any more, one that is empty; then nothing is to be believed that follows from it.
    pub(in crate::store::files) fn entry(&self, number: usize) -> Entry {
        self.made(number).unwrap_or_else(|| {
            self.is_damaged.store(true, Ordering::Relaxed);
            Entry::new(Task::new(self.ids[number].clone(), ""))
        })
    }

    /// Whether a task could not be made.
    pub(in crate::store::files) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    fn made(&self, number: usize) -> Option<Entry> {
        let head = Reader::new(self.head(number)).head()?;
        let (blocks, blocked_by) = self.edges(number);
        let bare = Task {
            status: head.outline.status,
            blocks,
            blocked_by,
            ..Task::new(self.ids[number].clone(), "")
        };
        let made = |rest: &[u8]| {
            (crc32c::crc32c(rest) == head.sum).then(|| Reader::new(rest).rest(bare, &self.ids)).flatten()
        };
        self.with_rest(&head, made).flatten()
    }

    /// Shows the bytes of the rest of a task; whether they could be read. Nobody has looked whether they are right.
    pub(in crate::store::files) fn show_rest(&self, number: usize, show: impl FnOnce(&[u8])) -> bool {
        let head = Reader::new(self.head(number)).head();
        head.and_then(|it| self.with_rest(&it, show)).is_some()
    }

    /// The sum over the bytes of the rest of a task, as they were stored.
    pub(in crate::store::files) fn sum(&self, number: usize) -> Option<u32> {
        Reader::new(self.head(number)).head().map(|it| it.sum)
    }

    /// The bytes of what begins a task.
    pub(in crate::store::files) fn head(&self, number: usize) -> &[u8] {
        let Place { start, end } = self.places[number];
        &self.heads[start as usize..end as usize]
    }

    fn with_rest<T>(&self, head: &Head, take: impl FnOnce(&[u8]) -> T) -> Option<T> {
        let (at, length) = (head.at, usize::try_from(head.length).ok()?);
        // What was written later lies in no order: it is read by itself, and the window stays where it is.
        if !self.is_for_all.load(Ordering::Relaxed) || head.end() > self.texts.ordered {
            return Some(take(&self.file.part(at, length).ok()?));
        }
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        let within = |it: &Window| {
            let from = usize::try_from(at.checked_sub(it.from)?).ok()?;
            Some(from..from.checked_add(length)?).filter(|span| span.end <= it.bytes.len())
        };
        if within(&window).is_none() {
            let most = usize::try_from(self.texts.ordered.saturating_sub(at)).unwrap_or(usize::MAX);
            *window = Window { from: at, bytes: self.file.part(at, length.max(WINDOW).min(most)).ok()? };
        }
        let span = within(&window)?;
        Some(take(&window.bytes[span]))
    }

    /// The tasks that wait for one, and those that it waits for.
    pub(in crate::store::files) fn edges(&self, number: usize) -> (Vec<TaskId>, Vec<TaskId>) {
        let (mut blocks, mut blocked_by) = (Vec::new(), Vec::new());
        self.each_end(number, |side, end| {
            let id = match end {
                End::Number(number) => self.ids[number].clone(),
                End::Id(text) => TaskId::found(text),
            };
            if side == Side::Blocks { blocks.push(id) } else { blocked_by.push(id) }
        });
        (blocks, blocked_by)
    }

    /// Shows every task that one speaks of.
    pub(in crate::store::files) fn each_end<'a>(&'a self, number: usize, see: impl FnMut(Side, End<'a>)) {
        let mut reader = Reader::new(self.head(number));
        _ = reader.head().and_then(|_| reader.each_end(see));
    }
}

fn numbers(reader: &mut Reader<'_>) -> Option<[u64; 4]> {
    Some([reader.number()?, reader.number()?, reader.number()?, reader.number()?])
}

/// What a file looked like from outside; none for one that is read each time.
fn stat([inode, modified, changed, length]: [u64; 4]) -> Option<Stat> {
    let (modified, changed) = (modified.cast_signed(), changed.cast_signed());
    (inode != 0).then_some(Stat { kind: Kind::File, inode, modified, changed, length, shared: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        claim::{Actor, Claim, Evidence},
        json::parse,
        store::files::snapshot::codec::Writer,
        task::{Priority, Status},
        time::Time,
    };
    use proptest::prelude::*;

    /// Two tasks that have everything, and speak of each other and of one that is not there.
    fn entries() -> Vec<Entry> {
        let (one, two, ghost) = (TaskId::from(1), TaskId::from(2), TaskId::found("ghost"));
        let task = |id: &TaskId, other: &TaskId| Task {
            description: "a longer text".to_owned(),
            active_form: Some("Doing".to_owned()),
            owner: Some("ann".to_owned()),
            status: Status::InProgress,
            blocks: vec![other.clone()],
            blocked_by: vec![ghost.clone()],
            metadata: parse(r#"{"a":1}"#).ok().and_then(|it| it.as_object().cloned()).unwrap_or_default(),
            priority: Some(Priority::High),
            tags: vec!["docs".to_owned()],
            parent: Some(other.clone()),
            imported_from: Some("x-1".to_owned()),
            created_at: Some(Time(5)),
            updated_at: Some(Time(-6)),
            ..Task::new(id.clone(), "subject")
        };
        let (mut first, second) = (Entry::new(task(&one, &two)), Entry::new(task(&two, &one)));
        let by = Actor::new("ann", "s");
        first.standing.claim = Some(Box::new(Claim { token: 7, by, since: Time(3), lease: 900 }));
        let commit = Some("abc".to_owned());
        let evidence = Evidence { command: "make".to_owned(), exit: Some(-1), milliseconds: 12, commit };
        (first.standing.evidence, first.standing.parked, first.standing.lost) =
            (Some(Box::new(evidence)), true, 2);
        vec![first, second]
    }

    const MARK: u64 = 7;

    /// Heads, and rests behind the mark and three other bytes, the last first.
    fn stored(entries: &[Entry]) -> (Vec<u8>, Vec<u8>) {
        let numbers = entries.iter().map(|it| &it.task.id).zip(0..).collect();
        let (mut heads, mut rests) = (Writer::new(&numbers), [&MARK.to_le_bytes()[..], b"..."].concat());
        let mut begin = Vec::new();
        for entry in entries.iter().rev() {
            let mut rest = Writer::new(&numbers);
            rest.rest(entry);
            begin.push(Head::of(Outline::of(entry), &rest.bytes, rests.len() as u64));
            rests.extend(rest.bytes);
        }
        for (entry, head) in entries.iter().zip(begin.iter().rev()) {
            heads.text(entry.task.id.as_str());
            (0..4).for_each(|it| heads.number((it + 1) * u64::from(entry.standing.claim.is_none())));
            heads.hash(Some([7; 16]));
            heads.head(head);
            heads.ends(&entry.task.blocks, &entry.task.blocked_by);
        }
        (heads.bytes, rests)
    }

    /// The one that lies in front is in order.
    fn body((heads, rests): (Vec<u8>, Vec<u8>)) -> Option<Body> {
        let end = rests.len() as u64;
        Body::read(Box::new(rests), heads, Texts { mark: MARK, ordered: end - 40, end }, 2)
    }

    #[test]
    fn what_does_not_belong_together_is_not_read() {
        let (heads, rests) = stored(&entries());
        let end = rests.len() as u64;
        let read = |texts: Texts| Body::read(Box::new(rests.clone()), heads.clone(), texts, 2).is_some();
        assert!(read(Texts { mark: MARK, ordered: end, end }));
        assert!(!read(Texts { mark: MARK + 1, ordered: end, end }));
        assert!(!read(Texts { mark: MARK, ordered: end, end: end - 1 }));
    }

    #[test]
    fn what_is_stored_comes_back() {
        let entries = entries();
        for is_together in [false, true] {
            let body = body(stored(&entries)).unwrap();
            if is_together {
                body.will_read_all();
            }
            for (number, entry) in entries.iter().enumerate() {
                assert_eq!(body.entry(number), *entry);
                let brief = body.brief(number).unwrap();
                assert_eq!((brief.outline, brief.hash), (Outline::of(entry), Some([7; 16])));
                assert_eq!(brief.stat.map(|it| it.length), (number > 0).then_some(4));
                let mut ends = Vec::new();
                body.each_end(number, |side, end| ends.push((side, end)));
                let expected = [(Side::Blocks, End::Number(1 - number)), (Side::BlockedBy, End::Id("ghost"))];
                assert_eq!(ends, expected);
            }
            assert!(!body.is_damaged());
        }
    }

    proptest! {
        /// Whatever befalls the bytes, nothing panics; and what befalls the rests, for which there is no sum over all, is noticed.
        #[test]
        fn damage_is_noticed(
            damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
            is_in_heads in any::<bool>(),
            is_together in any::<bool>(),
        ) {
            let (whole, entries) = (stored(&entries()), entries());
            let mut hurt = whole.clone();
            let bytes = if is_in_heads { &mut hurt.0 } else { &mut hurt.1 };
            for (at, byte) in damage {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let is_hurt = hurt.1[11..] != whole.1[11..];
            if let Some(body) = body(hurt) {
                if is_together {
                    body.will_read_all();
                }
                let made = [body.entry(0), body.entry(1)];
                if !is_in_heads {
                    prop_assert_eq!(body.is_damaged(), is_hurt);
                    prop_assert!(is_hurt || made[..] == entries[..]);
                }
            }
        }
    }
}
