//! Tasks as bytes, made to be read fast. Not for anybody else: what cannot be read is thrown away.

use super::body::{End, Side};
use crate::{
    claim::{Actor, Claim, Entry, Evidence, Standing},
    id::TaskId,
    json::{Json, Style, parse, write},
    rules::Outline,
    store::files::sheet::Hash,
    task::{Priority, Status, Task},
    time::Time,
};
use foldhash::HashMap;

/// Marks an id that is spelled out because no task of the list has it.
const SPELLED: u32 = u32::MAX;

/// What begins a task.
pub(super) struct Head {
    pub(super) outline: Outline,
    /// How many bytes the rest of it takes, their sum, and where they are.
    pub(super) length: u32,
    pub(super) sum: u32,
    pub(super) at: u64,
}

impl Head {
    /// So many bytes it takes, before what it speaks of.
    pub(super) const BYTES: usize = 18;

    /// Of a task of which so much is known, if this is the rest of it and lies there.
    pub(super) fn of(outline: Outline, rest: &[u8], at: u64) -> Head {
        Head { outline, length: u32::try_from(rest.len()).unwrap_or(0), sum: crc32c::crc32c(rest), at }
    }

    /// Where the rest ends.
    pub(super) fn end(&self) -> u64 {
        self.at.saturating_add(u64::from(self.length))
    }
}

/// The number of each task, by which others speak of it.
pub(super) type Numbers<'a> = HashMap<&'a TaskId, u32>;

/// Bytes being put together.
pub(super) struct Writer<'a> {
    pub(super) bytes: Vec<u8>,
    pub(super) numbers: &'a Numbers<'a>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(numbers: &'a Numbers<'a>) -> Writer<'a> {
        Writer { bytes: Vec::new(), numbers }
    }

    pub(super) fn number(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    fn short(&mut self, number: u32) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    fn signed(&mut self, number: i64) {
        self.number(number.cast_unsigned());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.short(u32::try_from(text.len()).unwrap_or(0));
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(super) fn hash(&mut self, hash: Option<Hash>) {
        self.bytes.extend(hash.unwrap_or_default());
    }

    fn some<T>(&mut self, value: Option<T>, put: impl FnOnce(&mut Self, T)) {
        self.bytes.push(u8::from(value.is_some()));
        if let Some(value) = value {
            put(self, value);
        }
    }

    fn id(&mut self, id: &TaskId) {
        match self.numbers.get(id) {
            Some(number) => self.short(*number),
            None => {
                self.short(SPELLED);
                self.text(id.as_str());
            }
        }
    }

    fn ids(&mut self, ids: &[TaskId]) {
        self.short(u32::try_from(ids.len()).unwrap_or(0));
        for id in ids {
            self.id(id);
        }
    }

    /// What begins a task.
    pub(super) fn head(&mut self, head: &Head) {
        self.outline(head.outline);
        self.short(head.length);
        self.short(head.sum);
        self.number(head.at);
    }

    /// What it speaks of, which stands behind its head.
    pub(super) fn ends(&mut self, blocks: &[TaskId], blocked_by: &[TaskId]) {
        self.ids(blocks);
        self.ids(blocked_by);
    }

    /// A task without its id, its edges and its status, and its standing.
    pub(super) fn rest(&mut self, entry: &Entry) {
        let task = &entry.task;
        self.text(&task.subject);
        self.text(&task.description);
        self.some(task.active_form.as_deref(), Self::text);
        self.some(task.owner.as_deref(), Self::text);
        let metadata = (!task.metadata.is_empty())
            .then(|| write(&Json::Object(task.metadata.clone()), Style::COMPACT, ""));
        self.some(metadata.as_deref(), Self::text);
        self.bytes.push(match task.priority {
            None => 0,
            Some(Priority::Low) => 1,
            Some(Priority::Medium) => 2,
            Some(Priority::High) => 3,
        });
        self.short(u32::try_from(task.tags.len()).unwrap_or(0));
        for tag in &task.tags {
            self.text(tag);
        }
        self.some(task.parent.as_ref(), Self::id);
        self.some(task.imported_from.as_deref(), Self::text);
        self.some(task.created_at, |it, time| it.signed(time.0));
        self.some(task.updated_at, |it, time| it.signed(time.0));
        self.standing(&entry.standing);
    }

    fn outline(&mut self, outline: Outline) {
        let Outline { status, owned, claimed, withheld, priority } = outline;
        let status = match status {
            Status::Pending => 0,
            Status::InProgress => 1,
            Status::Completed => 2,
        };
        let flags = [owned, claimed, withheld];
        let flags = flags.into_iter().rev().fold(0, |all, it| all << 1 | u8::from(it));
        self.bytes.extend([status | (priority as u8) << 2, flags]);
    }

    fn standing(&mut self, standing: &Standing) {
        self.number(standing.fence);
        self.some(standing.claim.as_ref(), |it, claim| {
            it.number(claim.token);
            it.text(&claim.by.agent);
            it.text(&claim.by.session);
            it.signed(claim.since.0);
            it.signed(claim.lease);
        });
        self.short(standing.lost);
        self.short(standing.failed);
        self.bytes.push(u8::from(standing.parked));
        self.some(standing.evidence.as_ref(), |it, evidence| {
            it.text(&evidence.command);
            it.some(evidence.exit, |it, exit| it.signed(i64::from(exit)));
            it.number(evidence.milliseconds);
            it.some(evidence.commit.as_deref(), Self::text);
        });
    }
}

/// Bytes being read.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes }
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len()
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|it| it[0])
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(super) fn hash(&mut self) -> Option<Hash> {
        self.take(16)?.try_into().ok()
    }

    fn short(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn signed(&mut self) -> Option<i64> {
        self.number().map(u64::cast_signed)
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = usize::try_from(self.short()?).ok()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    fn owned(&mut self) -> Option<String> {
        self.text().map(str::to_owned)
    }

    #[expect(
        clippy::option_option,
        reason = "unreadable, absent, there: the caller asks for them in this order"
    )]
    fn some<T>(&mut self, take: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.byte()? {
            0 => Some(None),
            _ => take(self).map(Some),
        }
    }

    fn end(&mut self) -> Option<End<'a>> {
        match self.short()? {
            SPELLED => self.text().map(End::Id),
            number => usize::try_from(number).ok().map(End::Number),
        }
    }

    /// A count is not believed to be larger than the bytes that are left.
    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.short()?).ok().filter(|it| *it <= self.bytes.len())
    }

    fn many<T>(&mut self, mut take: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.count()?;
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            all.push(take(self)?);
        }
        Some(all)
    }

    fn outline(&mut self) -> Option<Outline> {
        let first = self.byte()?;
        let status = *Status::ALL.get(usize::from(first & 3))?;
        let priority = *Priority::ALL.get(usize::from(first >> 2))?;
        let flags = self.byte().filter(|it| *it < 8)?;
        let is_set = |bit: u8| flags & 1 << bit != 0;
        Some(Outline { status, owned: is_set(0), claimed: is_set(1), withheld: is_set(2), priority })
    }

    /// What begins a task: a few words on it, and what is known of the rest.
    pub(super) fn head(&mut self) -> Option<Head> {
        Some(Head { outline: self.outline()?, length: self.short()?, sum: self.short()?, at: self.number()? })
    }

    /// Shows every task that it speaks of, which stand behind its head.
    pub(super) fn each_end(&mut self, mut see: impl FnMut(Side, End<'a>)) -> Option<()> {
        for side in [Side::Blocks, Side::BlockedBy] {
            for _ in 0..self.count()? {
                see(side, self.end()?);
            }
        }
        Some(())
    }

    /// The rest of a task, and its standing; its edges are given, and its parent is one of those of these ids.
    pub(super) fn rest(&mut self, bare: Task, ids: &[TaskId]) -> Option<Entry> {
        let known = |it: &mut Self| match it.end()? {
            End::Number(number) => ids.get(number).cloned(),
            End::Id(text) => Some(TaskId::found(text)),
        };
        let task = Task {
            subject: self.owned()?,
            description: self.owned()?,
            active_form: self.some(Self::owned)?,
            owner: self.some(Self::owned)?,
            metadata: match self.some(Self::text)? {
                Some(text) => parse(text).ok()?.as_object()?.clone(),
                None => crate::json::Object::new(),
            },
            priority: match self.byte()? {
                0 => None,
                n => Some(*Priority::ALL.get(usize::from(n) - 1)?),
            },
            tags: self.many(Self::owned)?,
            parent: self.some(known)?,
            imported_from: self.some(Self::owned)?,
            created_at: self.some(Self::signed)?.map(Time),
            updated_at: self.some(Self::signed)?.map(Time),
            ..bare
        };
        Some(Entry { task, standing: self.standing()? })
    }

    fn standing(&mut self) -> Option<Standing> {
        Some(Standing {
            fence: self.number()?,
            claim: self.some(|it| {
                Some(Box::new(Claim {
                    token: it.number()?,
                    by: Actor { agent: it.owned()?, session: it.owned()? },
                    since: Time(it.signed()?),
                    lease: it.signed()?,
                }))
            })?,
            lost: self.short()?,
            failed: self.short()?,
            parked: self.byte()? != 0,
            evidence: self.some(|it| {
                Some(Box::new(Evidence {
                    command: it.owned()?,
                    exit: it.some(Self::signed)?.and_then(|it| i32::try_from(it).ok()),
                    milliseconds: it.number()?,
                    commit: it.some(Self::owned)?,
                }))
            })?,
        })
    }
}
