//! Tasks as bytes, made to be read fast. Not for anybody else: what cannot be read is thrown away.

use super::body::{End, Side};
use crate::{
    claim::{Actor, Claim, Entry, Evidence, Standing},
    id::TaskId,
    json::{Json, Style, parse, write},
    rules::Outline,
    task::{Priority, Status, Task},
    time::Time,
};
use foldhash::HashMap;

/// Marks an id that is spelled out because no task of the list has it.
const SPELLED: u32 = u32::MAX;

/// Bytes being put together.
pub(super) struct Writer<'a> {
    pub(super) bytes: Vec<u8>,
    /// The number of each task, by which others speak of it.
    pub(super) numbers: HashMap<&'a TaskId, u32>,
}

impl Writer<'_> {
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

    /// A task without its id, and its standing.
    pub(super) fn entry(&mut self, entry: &Entry) {
        let task = &entry.task;
        self.outline(Outline::of(entry));
        self.ids(&task.blocks);
        self.ids(&task.blocked_by);
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
        let Outline { status, owned, claimed, parked, internal } = outline;
        let status = match status {
            Status::Pending => 0,
            Status::InProgress => 1,
            Status::Completed => 2,
        };
        let flags = [owned, claimed, parked, internal];
        let flags = flags.into_iter().rev().fold(0, |all, it| all << 1 | u8::from(it));
        self.bytes.extend([status, flags]);
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

    /// Passes over a text.
    fn pass(&mut self) -> Option<()> {
        let length = usize::try_from(self.short()?).ok()?;
        self.take(length).map(|_| ())
    }

    /// A text that was passed over before: that it is one is vouched for by the sum of all.
    fn owned(&mut self) -> Option<String> {
        let length = usize::try_from(self.short()?).ok()?;
        Some(String::from_utf8_lossy(self.take(length)?).into_owned())
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
        let status = *Status::ALL.get(usize::from(self.byte()?))?;
        let flags = self.byte().filter(|it| *it < 16)?;
        let is_set = |bit: u8| flags & 1 << bit != 0;
        let (owned, claimed, parked, internal) = (is_set(0), is_set(1), is_set(2), is_set(3));
        Some(Outline { status, owned, claimed, parked, internal })
    }

    /// Shows every task that the one that begins here speaks of.
    pub(super) fn each_end(&mut self, mut see: impl FnMut(Side, End<'a>)) -> Option<()> {
        self.outline()?;
        for side in [Side::Blocks, Side::BlockedBy] {
            for _ in 0..self.count()? {
                see(side, self.end()?);
            }
        }
        Some(())
    }

    /// Whether the task that begins here could be made into one, among so many: what it is in a few words. Whatever this
    /// passes, `entry` understands.
    pub(super) fn check(&mut self, tasks: usize) -> Option<Outline> {
        let is_known = |end: End<'_>| !matches!(end, End::Number(it) if it >= tasks);
        let outline = self.outline()?;
        for _side in [Side::Blocks, Side::BlockedBy] {
            for _ in 0..self.count()? {
                self.end().filter(|it| is_known(*it))?;
            }
        }
        (self.pass()?, self.pass()?);
        (self.some(Self::pass)?, self.some(Self::pass)?);
        if let Some(text) = self.some(Self::text)? {
            parse(text).ok()?.as_object()?;
        }
        self.byte().filter(|it| usize::from(*it) <= Priority::ALL.len())?;
        for _ in 0..self.count()? {
            self.pass()?;
        }
        self.some(|it| it.end().filter(|it| is_known(*it)))?;
        self.some(Self::pass)?;
        (self.some(Self::number)?, self.some(Self::number)?);
        self.number()?;
        self.some(|it| Some((it.number()?, it.pass()?, it.pass()?, it.number()?, it.number()?)))?;
        (self.short()?, self.short()?, self.byte()?);
        self.some(|it| Some((it.pass()?, it.some(Self::number)?, it.number()?, it.some(Self::pass)?)))?;
        Some(outline)
    }

    /// The task that begins here, and its standing, among those of these ids.
    pub(super) fn entry(&mut self, id: &TaskId, ids: &[TaskId]) -> Option<Entry> {
        let known = |it: &mut Self| match it.end()? {
            End::Number(number) => ids.get(number).cloned(),
            End::Id(text) => Some(TaskId::found(text)),
        };
        let Outline { status, .. } = self.outline()?;
        let (blocks, blocked_by) = (self.many(known)?, self.many(known)?);
        let task = Task {
            id: id.clone(),
            subject: self.owned()?,
            description: self.owned()?,
            active_form: self.some(Self::owned)?,
            owner: self.some(Self::owned)?,
            status,
            blocks,
            blocked_by,
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
        };
        Some(Entry { task, standing: self.standing()? })
    }

    fn standing(&mut self) -> Option<Standing> {
        Some(Standing {
            fence: self.number()?,
            claim: self.some(|it| {
                Some(Claim {
                    token: it.number()?,
                    by: Actor { agent: it.owned()?, session: it.owned()? },
                    since: Time(it.signed()?),
                    lease: it.signed()?,
                })
            })?,
            lost: self.short()?,
            failed: self.short()?,
            parked: self.byte()? != 0,
            evidence: self.some(|it| {
                Some(Evidence {
                    command: it.owned()?,
                    exit: it.some(Self::signed)?.and_then(|it| i32::try_from(it).ok()),
                    milliseconds: it.number()?,
                    commit: it.some(Self::owned)?,
                })
            })?,
        })
    }
}
