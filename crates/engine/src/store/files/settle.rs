//! Bringing a file to what the journal says, whatever others do to it meanwhile. Used by a commit and after a crash.
//!
//! What another program writes into the gap is kept: its fields stay, ours are laid over them, and the next look
//! adopts the result as its change. A task that it removes stays removed.

use super::{
    Files,
    log::Log,
    prepare::Write,
    record::Touch,
    spare::{self, Name, Spares},
    text::{Own, understand},
};
use crate::{
    format::{Put, Writing},
    id::TaskId,
    store::Error,
    task::{Field, Task},
    vfs::missing,
};
use std::{collections::HashMap, io::ErrorKind};

/// How often others may come between before we give up; the journal then knows more than the file.
pub(super) const TRIES: usize = 32;

/// Puts a prepared text in place, or if the file is another by now, the touches one by one. Answers with the ids
/// of new tasks in whose place another program put its own.
pub(super) fn settle(
    spares: &mut Spares<'_>,
    log: &Log,
    write: &Write,
    spare: &Name<'_>,
) -> Result<Vec<TaskId>, Error> {
    let files = spares.files;
    let mut wanted = Some(write.new.clone());
    let mut current = write.old.clone();
    for _ in 0..TRIES {
        let new = match wanted.take() {
            Some(new) => new,
            None => laid(files, log, write, current.as_deref())?,
        };
        match swap(spares, &write.name, current.as_deref(), new.as_deref(), spare)? {
            Swap::Done => return Ok(collided(files, write, current.as_deref())),
            // Somebody wrote into the file that we just displaced: theirs is the base now, ours is in the file.
            Swap::Displaced(theirs) => {
                if is_unfinished(files, write, &theirs) {
                    // They are not done: ours stays, and theirs is looked at again when they are.
                    return Ok(Vec::new());
                }
                let merged = laid(files, log, write, Some(&theirs))?;
                let again = Name { n: spare.n + spare::AGAIN, ..*spare };
                match swap(spares, &write.name, new.as_deref(), merged.as_deref(), &again)? {
                    Swap::Done => return Ok(collided(files, write, Some(&theirs))),
                    Swap::Displaced(_) | Swap::Other => {}
                }
            }
            Swap::Other => {}
        }
        current = read(files, &write.name)?;
    }
    Err(Error::Contended { file: write.name.clone() })
}

/// Whether a displaced text is one that its writer has not finished: broken, empty, or without tasks that were there.
fn is_unfinished(files: &Files, write: &Write, theirs: &str) -> bool {
    let now = understand(files.format, &write.name, theirs.to_owned());
    let old =
        write.old.as_ref().map(|it| understand(files.format, &write.name, it.clone())).unwrap_or_default();
    now.broken.is_some()
        || now.blank
        || old.found.iter().any(|it| now.fault(&it.id).is_some() && now.own(&it.id).is_none())
}

/// New tasks that were there already in the text that we wrote over.
fn collided(files: &Files, write: &Write, base: Option<&str>) -> Vec<TaskId> {
    let base = base.filter(|it| Some(*it) != write.old.as_deref());
    let Some(base) = base else { return Vec::new() };
    let text = understand(files.format, &write.name, base.to_owned());
    let new = write.touches.iter().filter(|it| it.before.is_none());
    let theirs = |touch: &&Touch| text.own(&touch.id).is_some_and(|it| Some(it.hash) != touch.hash);
    new.filter(theirs).map(|it| it.id.clone()).collect()
}

pub(super) enum Swap {
    Done,
    /// Ours is in place, but what it displaced was not what we had read.
    Displaced(String),
    /// Nothing was done: the file came or went.
    Other,
}

/// One exchange of a file's text. What was there stays in the spare.
pub(super) fn swap(
    spares: &mut Spares<'_>,
    name: &str,
    old: Option<&str>,
    new: Option<&str>,
    spare: &Name<'_>,
) -> Result<Swap, Error> {
    let files = spares.files;
    let vfs = &*files.vfs;
    if old == new {
        return Ok(Swap::Done);
    }
    let aside = spare.draft();
    let moved = match (old, new) {
        (_, None) => match vfs.replace(name, &aside) {
            Err(error) if error.kind() == ErrorKind::NotFound && spare::make(files).is_ok() => {
                vfs.replace(name, &aside)
            }
            done => done,
        },
        (None, Some(new)) => spares.write(&aside, new.as_bytes()).and_then(|()| vfs.place(&aside, name)),
        (Some(_), Some(new)) => {
            spares.write(&aside, new.as_bytes()).and_then(|()| vfs.exchange(&aside, name))
        }
    };
    match moved {
        Ok(()) if old.is_none() => return Ok(Swap::Done),
        Ok(()) => {}
        // It is gone, which is what was wanted.
        Err(error) if error.kind() == ErrorKind::NotFound && new.is_none() => return Ok(Swap::Done),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => {
            return Ok(Swap::Other);
        }
        Err(error) => return Err(Error::io("put in place", name)(error)),
    }
    let displaced = read(files, &aside)?;
    spares.keep(spare);
    match displaced {
        Some(displaced) if Some(displaced.as_str()) != old => {
            if new.is_none() {
                spare::quarantine(files, name, displaced.as_bytes())?;
                return Ok(Swap::Done);
            }
            Ok(Swap::Displaced(displaced))
        }
        _ => Ok(Swap::Done),
    }
}

pub(super) fn read(files: &Files, name: &str) -> Result<Option<String>, Error> {
    let bytes = missing(files.vfs.read(name, u64::MAX)).map_err(Error::io("read", name))?;
    Ok(bytes.map(|it| String::from_utf8_lossy(&it).into_owned()))
}

/// The touches laid over a text as it is now.
pub(super) fn laid(
    files: &Files,
    log: &Log,
    write: &Write,
    current: Option<&str>,
) -> Result<Option<String>, Error> {
    let format = files.format;
    let text = current.map(|it| understand(format, &write.name, it.to_owned())).unwrap_or_default();
    let broken = text.broken.is_some() || text.blank;
    if let (Some(current), true) = (current, broken) {
        spare::quarantine(files, &write.name, current.as_bytes())?;
        if format.shape().single_file.is_some() {
            return whole_list(files, log, write);
        }
    }
    let old = current.filter(|_| !broken);
    let own = |touch: &Touch| text.own(&touch.id);
    let wanted: Vec<(&Touch, Wanted)> = write
        .touches
        .iter()
        .map(|it| (it, wanted(it, own(it), broken || text.fault(&it.id).is_some())))
        .collect();
    let puts: Vec<Put<'_>> = wanted
        .iter()
        .filter_map(|(touch, wanted)| match wanted {
            Wanted::AsItIs => None,
            Wanted::Gone => Some(Put::Gone(&touch.id)),
            Wanted::Task(task) if touch.before == touch.after => Some(Put::Ripple(task)),
            Wanted::Task(task) => Some(Put::Task(task)),
        })
        .collect();
    if puts.is_empty() {
        return Ok(current.map(str::to_owned));
    }
    let known = |id: &TaskId| log.known(id).ok().flatten().and_then(|it| it.after);
    let finished = |id: &TaskId| known(id).is_some_and(|it| !it.task.is_open());
    let now = write.touches.iter().map(|it| it.at).max().unwrap_or_default();
    let encoded = format.encode(old, &puts, &Writing { finished: &finished, now });
    encoded.map_err(|fault| Error::Unreadable { file: write.name.clone(), reason: fault.to_string() })
}

/// A whole list anew, from the journal, which knows the touches already.
fn whole_list(files: &Files, log: &Log, write: &Write) -> Result<Option<String>, Error> {
    let known = log.all()?;
    let mut tasks: Vec<&Task> =
        known.values().filter_map(|it| it.after.as_ref()).map(|it| &it.task).collect();
    // The order in which they came, also among those of one moment.
    let mut came: HashMap<TaskId, usize> = HashMap::new();
    for (_, touch) in log.scan()?.batches.iter().flat_map(|it| &it.touches) {
        let count = came.len();
        came.entry(touch.id.clone()).or_insert(count);
    }
    tasks.sort_unstable_by_key(|it| (it.created_at, came.get(&it.id).copied(), it.id.clone()));
    let finished =
        |id: &TaskId| known.get(id).and_then(|it| it.after.as_ref()).is_some_and(|it| !it.task.is_open());
    let puts: Vec<Put<'_>> = tasks.into_iter().map(Put::Task).collect();
    let now = write.touches.iter().map(|it| it.at).max().unwrap_or_default();
    let encoded = files.format.encode(None, &puts, &Writing { finished: &finished, now });
    encoded.map_err(|fault| Error::Unreadable { file: write.name.clone(), reason: fault.to_string() })
}

/// What shall become of a task in a file.
enum Wanted {
    AsItIs,
    Gone,
    Task(Box<Task>),
}

/// What a touch wants of a file that is another than it was. `broken` is a file that could not be read.
fn wanted(touch: &Touch, own: Option<&Own>, broken: bool) -> Wanted {
    let Some(after) = &touch.after else {
        return if own.is_some() || broken { Wanted::Gone } else { Wanted::AsItIs };
    };
    match (own, &touch.before) {
        (Some(own), _) if Some(own.hash) == touch.hash => Wanted::AsItIs,
        // Made by us, and by another under the same id at the same moment: theirs stands in the file.
        (Some(own), None) if touch.base.is_none_or(|base| base != own.hash) => Wanted::AsItIs,
        (Some(own), before) => {
            let mut task = own.task.clone();
            let fields = before.as_ref().map_or(Field::ALL.to_vec(), |it| it.task.difference(&after.task));
            for field in fields {
                task.adopt(field, &after.task);
            }
            Wanted::Task(Box::new(task))
        }
        // Somebody removed it: it stays removed. A file that nobody can read does not say so.
        (None, Some(_)) if !broken => Wanted::AsItIs,
        (None, _) => Wanted::Task(Box::new(after.task.clone())),
    }
}
