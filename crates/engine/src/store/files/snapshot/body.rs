//! Tasks as they are stored, of which only those are made into tasks that somebody asks for. What decides whether a task can
//! be started, and what waits for what, is told without.

use super::codec::Reader;
use crate::{
    claim::Entry,
    id::TaskId,
    rules::Outline,
    task::Task,
    vfs::{Kind, Stat},
};

/// All that is stored of the tasks of a list.
#[derive(Debug)]
pub(in crate::store::files) struct Body {
    bytes: Vec<u8>,
    /// The ids by the numbers under which tasks speak of each other.
    ids: Vec<TaskId>,
    /// Where each task begins.
    starts: Vec<usize>,
}

/// What is known of a stored task without making it one.
pub(super) struct Brief {
    pub(super) outline: Outline,
    pub(super) stat: Option<Stat>,
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
    /// So many tasks in these bytes, behind so many others; none if they cannot all be understood.
    pub(super) fn read(bytes: Vec<u8>, behind: usize, count: usize) -> Option<(Body, Vec<Brief>)> {
        let mut reader = Reader::new(bytes.get(behind..)?);
        let count = Some(count).filter(|it| *it <= bytes.len())?;
        let (mut ids, mut stats) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for _ in 0..count {
            ids.push(TaskId::found(reader.text()?));
            stats.push(numbers(&mut reader)?);
        }
        let (mut starts, mut briefs) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for numbers in stats {
            starts.push(bytes.len() - reader.left());
            briefs.push(Brief { outline: reader.check(count)?, stat: stat(numbers) });
        }
        Some((Body { bytes, ids, starts }, briefs))
    }

    pub(in crate::store::files) fn ids(&self) -> &[TaskId] {
        &self.ids
    }

    fn reader(&self, number: usize) -> Reader<'_> {
        Reader::new(&self.bytes[self.starts[number]..])
    }

    /// A task of which there is one under this number. That it can be understood was seen when all were read.
    pub(in crate::store::files) fn entry(&self, number: usize) -> Entry {
        let id = &self.ids[number];
        let entry = self.reader(number).entry(id, &self.ids);
        entry.unwrap_or_else(|| Entry::new(Task::new(id.clone(), "")))
    }

    /// Shows every task that one speaks of.
    pub(in crate::store::files) fn each_end<'a>(&'a self, number: usize, see: impl FnMut(Side, End<'a>)) {
        _ = self.reader(number).each_end(see);
    }
}

fn numbers(reader: &mut Reader<'_>) -> Option<[u64; 4]> {
    Some([reader.number()?, reader.number()?, reader.number()?, reader.number()?])
}

/// What a file looked like from outside; none for one that is read each time.
fn stat([inode, modified, changed, length]: [u64; 4]) -> Option<Stat> {
    let time = |number: u64| i128::from(number.cast_signed());
    let (modified, changed) = (time(modified), time(changed));
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
        first.standing.claim = Some(Claim { token: 7, by, since: Time(3), lease: 900 });
        let commit = Some("abc".to_owned());
        let evidence = Evidence { command: "make".to_owned(), exit: Some(-1), milliseconds: 12, commit };
        (first.standing.evidence, first.standing.parked, first.standing.lost) = (Some(evidence), true, 2);
        vec![first, second]
    }

    fn bytes(entries: &[Entry]) -> Vec<u8> {
        let numbers = entries.iter().map(|it| &it.task.id).zip(0..).collect();
        let mut writer = Writer { bytes: Vec::new(), numbers };
        for entry in entries {
            writer.text(entry.task.id.as_str());
            (0..4).for_each(|it| writer.number(it));
        }
        entries.iter().for_each(|it| writer.entry(it));
        writer.bytes
    }

    #[test]
    fn what_is_stored_comes_back() {
        let entries = entries();
        let (body, briefs) = Body::read(bytes(&entries), 0, entries.len()).unwrap();
        for (number, entry) in entries.iter().enumerate() {
            assert_eq!(body.entry(number), *entry);
            assert_eq!(briefs[number].outline, Outline::of(entry));
            let mut ends = Vec::new();
            body.each_end(number, |side, end| ends.push((side, end)));
            assert_eq!(ends, [(Side::Blocks, End::Number(1 - number)), (Side::BlockedBy, End::Id("ghost"))]);
        }
    }

    proptest! {
        /// Tasks are made long after they were read, when it is too late to find fault with them.
        #[test]
        fn what_passes_can_be_made_into_tasks(
            damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
            end in any::<prop::sample::Index>(),
            is_cut in any::<bool>(),
        ) {
            let mut bytes = bytes(&entries());
            for (at, byte) in damage {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if is_cut {
                bytes.truncate(end.index(bytes.len()));
            }
            if let Some((body, _)) = Body::read(bytes, 0, 2) {
                for number in 0..2 {
                    prop_assert!(body.reader(number).entry(&body.ids[number], &body.ids).is_some());
                }
            }
        }
    }
}
