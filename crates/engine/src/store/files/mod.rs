//! A list as plain files that people and other programs read and write too, with our journal beside them.
//!
//! # How a change becomes durable
//!
//! Lock the list → look, decide → take the foreign locks of the files to be written → compare them with what was
//! read (changed: start over; a foreign lock that is not free soon: let go of the list and start over) → append one batch to the journal and flush it → exchange the files → let go → answer.
//! The journal is the point of no return: files need no flush, because it can make them again.

mod change;
mod commit;
mod compact;
pub mod doctor;
mod edges;
mod foreign;
mod format_of;
mod found;
mod hold;
mod index;
mod late;
mod line;
mod lines;
mod log;
mod look;
mod mark;
mod mirror;
mod past;
mod pin;
mod prepare;
mod record;
mod recover;
mod round;
mod scan;
mod session;
mod settle;
mod sheet;
mod snapshot;
mod spare;
mod stored;
mod text;
mod theirs;
mod view;
mod watch;

pub use pin::{STALE_MS, WATCHED_MS};

use super::{Decide, Error, Store, Whole};
use crate::{
    claim::Actor,
    clock::Clock,
    format::{self, Format},
    rules::{Decision, Request},
    vfs::{Fitness, Vfs, missing},
};
use format_of::format_of;
use log::Log;
use record::Head;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// How long a command waits for locks, unless told otherwise: 2 s.
pub const DEFAULT_WAIT_MS: u64 = 2_000;
/// How often a decision is made anew because others wrote meanwhile, before it is given up.
const ROUNDS: usize = 50;
/// So long another program's lock is waited for while the list is held. Longer waits are made of several of these, and
/// others get at the list in between.
const BRIEF_MS: u64 = 25;

/// Why a look leads to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// Something is told that others did. It can wait for the next look.
    News,
    /// What others laid over ours is put right.
    Repair,
}

/// A list in a folder.
pub struct Files {
    pub(super) vfs: Arc<dyn Vfs>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) format: &'static dyn Format,
    path: PathBuf,
    wait_ms: u64,
    /// A second name of the journal, for folders that others remove.
    mirror: Option<PathBuf>,
    /// Lists with so many tasks are remembered from one look to the next.
    remembers_from: usize,
    care: look::Care,
    watch: watch::Watch,
    kept: snapshot::Kept,
    turns: hold::Turns,
}

impl Files {
    /// Opens the list in a folder. The format is what the journal says, else what the files look like, else `asked`.
    pub fn open(
        vfs: Arc<dyn Vfs>,
        clock: Arc<dyn Clock>,
        path: &Path,
        asked: Option<&'static dyn Format>,
    ) -> Result<Files, Error> {
        let format = format_of(&*vfs, path)?;
        let format = match (format, asked) {
            (Some(found), Some(asked)) if *found != *asked => {
                let (found, asked) = (found.shape().name, asked.shape().name);
                return Err(Error::OtherFormat { path: path.to_owned(), found, asked });
            }
            (Some(format), _) | (None, Some(format)) => format,
            (None, None) => format::FORMATS[0],
        };
        let (path, watch) = (path.to_owned(), watch::Watch::default());
        Ok(Files {
            vfs,
            clock,
            format,
            path,
            wait_ms: DEFAULT_WAIT_MS,
            mirror: None,
            remembers_from: snapshot::WORTH_TASKS,
            care: look::Care::Usual,
            watch,
            kept: snapshot::Kept::default(),
            turns: hold::Turns::default(),
        })
    }

    /// Waits so long for locks.
    #[must_use]
    pub fn waiting(mut self, milliseconds: u64) -> Files {
        self.wait_ms = milliseconds;
        self
    }

    /// Keeps a second name of the journal outside the folder.
    #[must_use]
    pub fn mirrored(mut self, path: PathBuf) -> Files {
        self.mirror = Some(path);
        self
    }

    /// Remembers also what is small, to show that nothing is remembered wrongly.
    #[cfg(feature = "simulation")]
    #[must_use]
    pub fn remembering_all(mut self) -> Files {
        self.remembers_from = 0;
        self
    }

    /// Reads everything each time, as the measure of what is remembered.
    #[cfg(feature = "simulation")]
    #[must_use]
    pub fn remembering_nothing(mut self) -> Files {
        (self.remembers_from, self.care) = (usize::MAX, look::Care::Full);
        self
    }

    /// The format of the list.
    pub fn format(&self) -> &'static dyn Format {
        self.format
    }

    /// Writes the journal's head, so that the format is fixed. Does nothing if it is there.
    pub fn start(&self) -> Result<(), Error> {
        self.fit()?;
        let _lock = self.lock()?;
        match self.open_log()? {
            Some(_) => Ok(()),
            None => {
                self.bring_back()?;
                match self.open_log()? {
                    Some(_) => Ok(()),
                    None => self.create_log()?.publish(),
                }
            }
        }
    }

    /// Does something with everything that the list knows, with the lock held.
    pub fn exclusively<T>(&self, act: &mut dyn FnMut(&Whole) -> Result<T, Error>) -> Result<T, Error> {
        self.list()?;
        self.fit()?;
        let _lock = self.lock()?;
        act(&found::whole(self)?)
    }

    /// Looks the list over, and writes nothing. `progress` is told how many files are done, and of how many.
    pub fn examine(&self, progress: doctor::Progress<'_>) -> Result<doctor::Examination, Error> {
        doctor::examine(self, progress)
    }

    /// Mends findings of an earlier look that still are what they were.
    pub fn mend(&self, request: &Request, wanted: &[doctor::Finding]) -> Result<doctor::Mended, Error> {
        doctor::mend(self, request, wanted)
    }

    /// Takes back a mend, the last one if no number is given; none if there is none.
    pub fn unmend(&self, request: &Request, number: Option<u64>) -> Result<Option<doctor::Unmended>, Error> {
        doctor::unmend(self, request, number)
    }

    fn boot(&self) -> u64 {
        xxhash_rust::xxh3::xxh3_64(self.clock.boot().as_bytes())
    }

    fn open_log(&self) -> Result<Option<Log>, Error> {
        Log::open(&self.vfs, self.boot(), view::first_token(self.clock.now()))
    }

    fn create_log(&self) -> Result<Log, Error> {
        let token = view::first_token(self.clock.now());
        let format = self.format.shape().name.to_owned();
        let log = Log::create(
            &self.vfs,
            Head { format, seq: 0, token, highest: 0, plans: Vec::new(), cut: None },
            self.boot(),
        )?;
        self.mirror_journal();
        Ok(log)
    }

    /// The file system must keep processes apart.
    fn fit(&self) -> Result<(), Error> {
        match self.vfs.fitness() {
            Fitness::NoExclusion { kind } => Err(Error::Unfit { path: self.path.clone(), kind }),
            Fitness::Full | Fitness::NoExchange => Ok(()),
        }
    }

    /// A folder that was put in the place of ours is the list from now on, if it is one of the same format.
    fn again(&self) -> Result<(), Error> {
        let gone = Error::NoList { path: self.path.clone() };
        let other = missing(self.vfs.look_again()).map_err(Error::io("open", "the folder"))?;
        if !other.ok_or(gone)? {
            return Ok(());
        }
        match format_of(&*self.vfs, &self.path)? {
            Some(found) if *found != *self.format => {
                let (found, asked) = (found.shape().name, self.format.shape().name);
                Err(Error::OtherFormat { path: self.path.clone(), found, asked })
            }
            _ => Ok(()),
        }
    }

    /// Tells the journal what others did, if the list can be locked at once; what must be put right is waited for.
    fn reconcile(&self, reason: Reason) -> Result<(), Error> {
        let lock = if reason == Reason::Repair { Some(self.lock()?) } else { self.try_lock()? };
        let Some(_lock) = lock else { return Ok(()) };
        pin::release_orphans(&*self.vfs)?;
        if late::any(self)
            && let Some(mut log) = self.open_log()?
        {
            recover::recover(self, &mut log, BRIEF_MS)?;
            late::adopt(self, &mut log)?;
        }
        let actor = Actor::new("", "");
        let request = Request { actor, now: self.clock.now(), lenient: false };
        let decide: Decide<'_> = &mut |tasks| {
            tasks.all();
            Ok(Decision::default())
        };
        self.locked_for(&mut change::Wish::new(&request, "look", decide), BRIEF_MS).map(|_| ())
    }
}
