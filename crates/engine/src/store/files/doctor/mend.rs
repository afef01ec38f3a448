//! Doing what a look has shown: files replaced with copies kept, commands run, locks and sessions cleared away.
//! Not deciding what should be mended: the caller hands in findings, and each is looked at again under the lock.

use super::{
    super::{
        Files,
        log::JOURNAL,
        pin::{self, MOST_SEEN, WATCHED_MS},
        recover, spare,
        text::{hash, understand},
    },
    Diff, Finding, How,
    claims::prune,
    copies::{self, Kept, Note, is_as_written, print},
    examine,
    replace::{Replacement, bytes_of, replace},
};
use crate::{
    event::Event,
    rules::{Command, Decision, Request, decide},
    store::Error,
};
use std::collections::{BTreeMap, HashSet};

/// What came of a mend.
#[derive(Debug, Default)]
pub struct Mended {
    /// The number by which it can be taken back; none if nothing was replaced.
    pub number: Option<u64>,
    /// The event, if tasks changed.
    pub event: Option<Event>,
    /// What was mended.
    pub done: Vec<Finding>,
    /// What was not, and why.
    pub left: Vec<(Finding, String)>,
}

/// A file to be replaced: what it is, what it shall be.
struct Step<'a> {
    diff: &'a Diff,
    old: Option<Vec<u8>>,
    /// Whether a command writes it, and not we.
    by_command: bool,
}

/// Mends findings of an earlier look, as far as they still are what they were.
pub(in super::super) fn mend(files: &Files, request: &Request, wanted: &[Finding]) -> Result<Mended, Error> {
    files.fit()?;
    let mut mended = Mended::default();
    let mut locks = Vec::new();
    {
        let _lock = files.lock()?;
        prepare(files, request)?;
        let fresh = examine(files, &mut |_, _| {})?;
        let mut due = Vec::new();
        for finding in wanted {
            let still = fresh.findings.iter().find(|it| it.is_still(finding));
            match (&finding.mend, still) {
                (None, _) => mended.leave(finding, "there is no safe way to mend it"),
                (Some(mend), None) if matches!(mend.how, How::Recovery) => mended.done.push(finding.clone()),
                (Some(_), None) => mended.leave(finding, "it is not any more as it was shown"),
                (Some(_), Some(still)) => due.push(still.clone()),
            }
        }
        write(files, request, &due, &mut mended)?;
        clear(files, &due, &mut mended, &mut locks);
        // What was written is known to the journal from now on; if it cannot be told now, the next look does it.
        _ = look(files, request);
    }
    unlock(files, &locks, &mut mended);
    Ok(mended)
}

/// Brings the list to where every command starts from, and begins a journal if there is none: it must know each task
/// before a file is touched.
fn prepare(files: &Files, request: &Request) -> Result<(), Error> {
    pin::release_every_orphan(&*files.vfs)?;
    match files.open_log()? {
        Some(mut log) => {
            recover::recover(files, &mut log, files.wait_ms)?;
            log.trim()?;
        }
        None => files.create_log()?.publish()?,
    }
    // A task that cannot even be looked at is a finding, not a reason to mend nothing.
    _ = look(files, request);
    Ok(())
}

fn look(files: &Files, request: &Request) -> Result<(), Error> {
    let mut all = |tasks: &dyn crate::rules::Tasks| {
        tasks.all();
        Ok(Decision::default())
    };
    files.locked(request, "look", &mut all).map(|_| ())
}

/// Replaces files and runs commands. Copies of all files are on disk before the first is touched.
fn write(files: &Files, request: &Request, due: &[Finding], mended: &mut Mended) -> Result<(), Error> {
    let (due, steps) = steps(files, due, mended)?;
    if steps.is_empty() {
        return Ok(());
    }
    let kept = |step: &Step<'_>| Kept {
        file: step.diff.file.clone(),
        was: step.old.is_some(),
        left: step.diff.after.as_deref().filter(|_| !step.by_command).map(hash),
        returns: false,
    };
    let mut note = Note {
        number: copies::fresh_number(files),
        at: files.clock.now(),
        agent: request.actor.agent.clone(),
        what: due.iter().filter_map(|it| Some(it.mend.as_ref()?.what.clone())).collect(),
        event: None,
        undoing: None,
        files: steps.values().map(kept).collect(),
    };
    let copies: Vec<Option<Vec<u8>>> = steps.values().map(|it| it.old.clone()).collect();
    note.keep(files, &copies)?;
    mended.number = Some(note.number);
    let outcomes: BTreeMap<&str, Result<(), String>> =
        steps.iter().enumerate().map(|(n, (file, step))| (*file, put(files, step, n))).collect();
    files.vfs.sync("").map_err(Error::io("flush", "the folder"))?;
    let commands = run(files, request, &due, mended)?;
    for finding in due {
        let file = finding.mend.as_ref().and_then(|it| it.files.first()).map(|it| it.file.as_str());
        let outcome = file.and_then(|it| outcomes.get(it)).cloned().unwrap_or(Ok(()));
        let refused = commands.iter().find(|(it, _)| it.is_still(finding)).map(|(_, reason)| reason.clone());
        match outcome.err().or(refused) {
            Some(reason) => mended.left.push((finding.clone(), reason)),
            None => mended.done.push(finding.clone()),
        }
    }
    settle_note(files, &mut note, &steps, mended)
}

/// The files to be replaced, each once, with their bytes as they are; and the findings that ask for it.
fn steps<'f>(
    files: &Files,
    due: &'f [Finding],
    mended: &mut Mended,
) -> Result<(Vec<&'f Finding>, BTreeMap<&'f str, Step<'f>>), Error> {
    let mut steps: BTreeMap<&str, Step<'_>> = BTreeMap::new();
    let mut taken = Vec::new();
    for finding in due {
        let Some(mend) = finding.mend.as_ref().filter(|it| !it.files.is_empty()) else { continue };
        let by_command = matches!(mend.how, How::Commands(_));
        let old = mend.files.iter().map(|it| bytes_of(files, &it.file)).collect::<Result<Vec<_>, _>>()?;
        let shown =
            |bytes: &Option<Vec<u8>>| bytes.as_deref().map(|it| String::from_utf8_lossy(it).into_owned());
        if mend.files.iter().zip(&old).any(|(diff, old)| shown(old) != diff.before) {
            mended.leave(finding, "it was changed while we looked");
            continue;
        }
        for (diff, old) in mend.files.iter().zip(old) {
            let step = Step { diff, old, by_command };
            match steps.get(diff.file.as_str()) {
                // A command starts from whatever we leave.
                Some(before) if !before.by_command => {}
                _ => _ = steps.insert(&diff.file, step),
            }
        }
        taken.push(finding);
    }
    Ok((taken, steps))
}

/// Replaces one file, unless a command will.
fn put(files: &Files, step: &Step<'_>, n: usize) -> Result<(), String> {
    if step.by_command {
        return Ok(());
    }
    let (file, after) = (step.diff.file.as_str(), step.diff.after.as_deref().map(str::as_bytes));
    let broken = step.old.as_deref().filter(|it| {
        let text = String::from_utf8(it.to_vec());
        let is_task = files.format.is_task_file(file);
        is_task && text.map_or(true, |it| understand(files.format, file, it).is_faulty())
    });
    if let Some(bytes) = broken {
        spare::quarantine(files, file, bytes).map_err(|it| it.to_string())?;
    }
    match replace(files, &Replacement { file, before: step.old.as_deref(), after, n }) {
        Ok(true) => Ok(()),
        Ok(false) => Err("another program wrote it in the same moment".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs the commands of all findings as one event; answers with those that a rule refused.
fn run<'f>(
    files: &Files,
    request: &Request,
    due: &[&'f Finding],
    mended: &mut Mended,
) -> Result<Vec<(&'f Finding, String)>, Error> {
    let mut refused = Vec::new();
    let commands = |it: &'f Finding| match it.mend.as_ref().map(|it| &it.how) {
        Some(How::Commands(commands)) => Some((it, commands.as_slice())),
        _ => None,
    };
    let wanted: Vec<(&Finding, &[Command])> = due.iter().filter_map(|it| commands(it)).collect();
    if wanted.is_empty() {
        return Ok(refused);
    }
    let done = files.locked(request, "mend", &mut |tasks| {
        refused.clear();
        let mut all = Decision::default();
        for (finding, commands) in &wanted {
            for command in *commands {
                // Each command is about a task of its own, so that their changes never meet.
                match decide(tasks, command, request) {
                    Ok(decision) => {
                        all.changes.extend(decision.changes);
                        all.about.extend(decision.about);
                        all.freed.extend(decision.freed);
                    }
                    Err(refusal) => refused.push((*finding, refusal.to_string())),
                }
            }
        }
        Ok(all)
    })?;
    mended.event = done.event;
    Ok(refused)
}

/// Notes which event was made, and what the commands left, if that is still what the journal says they left.
fn settle_note(
    files: &Files,
    note: &mut Note,
    steps: &BTreeMap<&str, Step<'_>>,
    mended: &Mended,
) -> Result<(), Error> {
    let Some(event) = &mended.event else { return Ok(()) };
    note.event = Some(event.seq);
    let known = files.open_log()?.map(|it| it.all()).transpose()?.unwrap_or_default();
    let touched: HashSet<String> = event.changes.iter().map(|it| files.format.file_of(&it.id)).collect();
    for kept in
        note.files.iter_mut().filter(|it| touched.contains(&it.file) && steps.contains_key(it.file.as_str()))
    {
        let bytes = bytes_of(files, &kept.file)?;
        if is_as_written(files, &known, &kept.file, bytes.as_deref()) {
            kept.left = print(bytes.as_deref());
        }
    }
    note.write(files)
}

/// Clears away what needs no copy, and collects the locks to be watched.
fn clear(files: &Files, due: &[Finding], mended: &mut Mended, locks: &mut Vec<Finding>) {
    for finding in due {
        match finding.mend.as_ref().map(|it| &it.how) {
            Some(How::Sessions(paths)) => match prune(files, paths) {
                0 => mended.leave(finding, "none of them could be removed"),
                _ => mended.done.push(finding.clone()),
            },
            Some(How::Lock) => locks.push(finding.clone()),
            Some(How::Recovery) => mended.leave(finding, &format!("it came again; see {JOURNAL}")),
            _ => {}
        }
    }
}

/// Watches locks of other programs for as long as the rule asks, without holding up the list meanwhile.
fn unlock(files: &Files, findings: &[Finding], mended: &mut Mended) {
    let name = |it: &Finding| it.file.clone().unwrap_or_default();
    for some in findings.chunks(MOST_SEEN / 2) {
        let watched = watch(files, some.iter().map(name).collect());
        for finding in some {
            match &watched {
                Err(error) => mended.leave(finding, &error.to_string()),
                Ok(stay) if stay.contains(&name(finding)) => {
                    mended.leave(finding, "it moved while we watched: its owner is alive");
                }
                Ok(_) => mended.done.push(finding.clone()),
            }
        }
    }
}

/// Answers with the locks that stay.
fn watch(files: &Files, mut locks: Vec<String>) -> Result<Vec<String>, Error> {
    let until = files.clock.ticks() + WATCHED_MS + 1_000;
    loop {
        let lock = files.lock()?;
        let gone = pin::clear_abandoned(&*files.vfs, &*files.clock, &locks)?;
        drop(lock);
        locks.retain(|it| !gone.contains(it));
        if locks.is_empty() || files.clock.ticks() >= until {
            return Ok(locks);
        }
        files.clock.sleep(200);
    }
}

impl Mended {
    fn leave(&mut self, finding: &Finding, reason: &str) {
        self.left.push((finding.clone(), reason.to_owned()));
    }
}
