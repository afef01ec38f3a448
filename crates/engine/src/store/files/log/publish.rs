//! The index of the journal: where each task was last spoken of, found and kept up. Not what is said there.

use super::{INDEX, JOURNAL, Log, MAX_JOURNAL, OWN, Reading};
use crate::{
    id::TaskId,
    store::{
        Error,
        files::{
            index::{self, HEADER, SLOT},
            lines::Last,
            record::Touch,
        },
    },
};
use std::collections::HashMap;

const NEW_INDEX: &str = ".worklist/index.new";

impl Log {
    /// Looks through the slots: the touch of an id, and the slot in which it is or would be.
    pub(super) fn find(&self, id: &TaskId) -> Result<(Option<(Touch, Last)>, usize), Error> {
        const AT_ONCE: usize = 8;
        let hash = index::hash(id);
        let count = usize::try_from(self.mark.slots).unwrap_or(usize::MAX);
        let mut at = index::start(hash, self.mark.slots);
        if self.mark.used == 0 {
            return Ok((None, at));
        }
        for _ in 0..count {
            let length = SLOT * AT_ONCE.min(count - at);
            let bytes = self.index.part(&*self.vfs, INDEX, (HEADER + SLOT * at) as u64, length)?;
            for (n, (slot, place)) in index::slots(&bytes).enumerate() {
                if slot == 0 {
                    return Ok((None, at + n));
                }
                if slot == hash
                    && let Some(found) = self.touch_at(place)?.filter(|(it, _)| it.id == *id)
                {
                    self.found_at.borrow_mut().insert(id.clone(), at + n);
                    return Ok((Some(found), at + n));
                }
            }
            at = (at + length / SLOT) % count;
        }
        Ok((None, 0))
    }

    /// Where the last line of every task stands, if the index has them all.
    pub(in crate::store::files) fn last_places(&self) -> Result<Vec<u64>, Error> {
        Ok(self.slots()?.into_iter().map(|(_, place)| place).collect())
    }

    /// The slots of the index that are in use.
    fn slots(&self) -> Result<Vec<(u64, u64)>, Error> {
        let table = self.vfs.read(INDEX, MAX_JOURNAL).map_err(Error::io("read", INDEX))?;
        let table = table.get(HEADER..).unwrap_or_default();
        Ok(index::slots(table).filter(|(hash, _)| *hash != 0).collect())
    }

    /// Makes the index follow: all files that the journal speaks of are in place.
    pub(in crate::store::files) fn publish(&mut self) -> Result<(), Error> {
        self.unsettled.clear();
        if self.whole || (self.mark.used + self.places.len() as u64) * 2 > self.mark.slots {
            return self.publish_whole();
        }
        let mut writes: Vec<(u64, Vec<u8>)> = Vec::new();
        for (id, place) in std::mem::take(&mut self.places) {
            let known = self.found_at.borrow().get(&id).copied();
            let (is_new, slot) = match known {
                Some(slot) => (false, slot),
                None => {
                    // What is free must be seen as it is after those before.
                    self.write_index(&mut writes)?;
                    self.find(&id).map(|(found, slot)| (found.is_none(), slot))?
                }
            };
            self.mark.used += u64::from(is_new);
            let bytes = index::slot_bytes(index::hash(&id), place);
            writes.push(((HEADER + SLOT * slot) as u64, bytes.to_vec()));
        }
        // The header last: it says that all the rest is there.
        writes.push((0, self.mark.to_bytes().to_vec()));
        self.write_index(&mut writes)
    }

    fn write_index(&mut self, writes: &mut Vec<(u64, Vec<u8>)>) -> Result<(), Error> {
        if writes.is_empty() {
            return Ok(());
        }
        self.index = Reading::default();
        self.vfs.write_each(INDEX, &std::mem::take(writes)).map_err(Error::io("write", INDEX))
    }

    /// Whatever the files say now was done by others: there is nothing to lay down again.
    pub(in crate::store::files) fn settled(&mut self) -> Result<(), Error> {
        self.rebooted = false;
        self.publish()
    }

    fn publish_whole(&mut self) -> Result<(), Error> {
        let slots = self.all_slots()?;
        // The first index also says that the journal is there for good: its making may have been cut short.
        for path in [JOURNAL, OWN, ""] {
            self.vfs.sync(path).map_err(Error::io("flush", path))?;
        }
        let (mark, bytes) = index::build(&slots, self.mark);
        self.vfs.write(NEW_INDEX, &bytes).map_err(Error::io("write", NEW_INDEX))?;
        self.vfs.replace(NEW_INDEX, INDEX).map_err(Error::io("put in place", INDEX))?;
        (self.mark, self.whole, self.rebooted) = (mark, false, false);
        self.index = Reading::default();
        self.places.clear();
        self.found_at.get_mut().clear();
        Ok(())
    }

    /// The slots of the index as they should be.
    fn all_slots(&self) -> Result<Vec<(u64, u64)>, Error> {
        let mut slots = if self.whole { Vec::new() } else { self.slots()? };
        let known: HashMap<u64, usize> = slots.iter().map(|(hash, _)| *hash).zip(0..).collect();
        for (id, place) in &self.places {
            let hash = index::hash(id);
            let old = known.get(&hash).copied();
            let is_same = match old {
                Some(n) => self.touch_at(slots[n].1)?.is_some_and(|(it, _)| it.id == *id),
                None => false,
            };
            match old.filter(|_| is_same) {
                Some(n) => slots[n].1 = *place,
                None => slots.push((hash, *place)),
            }
        }
        Ok(slots)
    }
}
