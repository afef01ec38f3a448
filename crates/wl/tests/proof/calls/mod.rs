//! R2 and R3: every write command of the program is killed, and failed, at each of its system calls. Enumerated from a
//! trace, not sampled. Not the simulated disk, which knows only the calls that the engine means to make.

mod strike;

use crate::{
    cases::{CASES, Case, Home, Look, OTHERS, declared},
    place::{NEXT, Place},
    tally::{Tally, sized},
    wl::{FORMATS, Wl},
};
use std::{
    collections::BTreeSet,
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};
use strike::{Blow, Ended, Point, points};

const ERRORS: [&str; 5] = ["EIO", "ENOSPC", "EACCES", "EMFILE", "EINTR"];
/// Nobody waits longer for the next command; usually it is a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a death may leave for longer than until the next command, and who takes it away.
const STAYS: &[(&str, &str)] = &[
    (".tasks.new", "a list that was being converted lies beside it, in part; the user sees it"),
    (".tasks.was-", "or the old one does, if it was put aside just before"),
    (".seen.new", "a sign of life without the lock, by a hook: the next one of that session writes it anew"),
    ("/mended/", "a mend in part, with its copies: `wl doctor --undo` and the next mend know it"),
    ("worklist/setup.new", "the next change of a client's files writes it anew"),
    (
        ".worklist/flushed",
        "a note that every list has after some changes, and sooner if something was to be made good",
    ),
];

/// What a death may leave for so many changes: what was written ahead is taken in by a look that is worth it only once in a while.
const DRAFT: &str = "/spare/new-";
const DRAFT_STAYS: usize = 32;

/// How a case goes without a blow.
struct Plain {
    before: Vec<String>,
    after: Vec<String>,
    out: String,
    /// What stands in the place after the next command.
    names: BTreeSet<String>,
    usual: Duration,
    points: Vec<Point>,
}

/// A case in a format, in a place of its own.
struct Trial {
    case: Case,
    format: &'static str,
    place: Place,
    /// The program as the case runs it.
    wl: Wl,
    arguments: Vec<String>,
    plain: Plain,
}

impl Trial {
    fn new(format: &'static str, case: Case) -> Result<Trial, String> {
        let mut place = Place::new(format, case.home);
        place.begin(&case);
        place.remember();
        let arguments = place.words_of(case.line);
        let wl = place.wl.by(case.by).with("WORKLIST_SESSION", case.by).input(&place.filled(case.input));
        let plain = plain(&place, &wl, &arguments, &case)?;
        Ok(Trial { case, format, place, wl, arguments, plain })
    }

    /// One blow, and whether all is well afterwards.
    fn strike(&self, point: &Point, blow: Blow, told: &Told) -> Result<(), String> {
        self.place.restore();
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let ended = point.strike(&self.wl, &arguments, blow);
        if !ended.struck {
            told.count("not reached", 1);
        }
        let Point { call, n, line } = point;
        let at = format!("{} in {}, {blow} at {call} {n}: {line}", self.arguments.join(" "), self.format);
        self.judge(&ended, told)
            .and_then(|()| self.honest(point, blow, &ended))
            .map_err(|it| format!("{at}\n{it}"))
    }

    fn judge(&self, ended: &Ended, told: &Told) -> Result<(), String> {
        let Plain { before, after, out, usual, names, .. } = &self.plain;
        self.place.check_files(self.case.look)?;
        let files = matches!(self.case.look, Look::Files(_));
        let early = if files { self.place.seen(self.case.look)? } else { Vec::new() };
        let took = next(&self.place, &self.case)?;
        told.slower(took.saturating_sub(*usual));
        let seen = if files { early } else { self.place.seen(self.case.look)? };
        let hook = self.case.command == "hook";
        let acknowledged = ended.code == Some(0) && (!hook || ended.out == *out && ended.err.is_empty());
        if acknowledged && seen != *after {
            return Err(format!("acknowledged, but {seen:#?} is not {after:#?}"));
        }
        let whole = seen == *before || seen == *after;
        let each =
            || seen.iter().zip(before.iter().zip(after)).all(|(it, (old, new))| it == old || it == new);
        if !(whole || files && each()) {
            return Err(format!("half done: {seen:#?} is neither {before:#?} nor {after:#?}"));
        }
        if ended.err.contains("panicked") {
            return Err(format!("it panicked: {}", ended.err));
        }
        let stays = |it: &String| STAYS.iter().any(|(part, _)| it.contains(part));
        let left = || self.place.names().into_iter().filter(|it| !names.contains(it) && !stays(it));
        let (drafts, others): (Vec<String>, Vec<String>) = left().partition(|it| it.contains(DRAFT));
        if !others.is_empty() {
            return Err(format!("left behind: {others:?}"));
        }
        told.count("drafts were taken in only some changes later", u64::from(!drafts.is_empty()));
        let mut changes = 0;
        while left().any(|it| it.contains(DRAFT)) {
            if changes == DRAFT_STAYS {
                return Err(format!("left behind after {changes} changes: {drafts:?}"));
            }
            next(&self.place, &self.case)?;
            changes += 1;
        }
        Ok(())
    }

    /// The last flush is that of the change, or comes after it. If it failed, it is never followed by a yes, unless nothing was asked for.
    fn honest(&self, point: &Point, blow: Blow, ended: &Ended) -> Result<(), String> {
        let asked = self.plain.before != self.plain.after;
        let last = self.plain.points.iter().rfind(|it| it.call == "fdatasync");
        // An interrupted one is made again.
        let flush = last == Some(point) && !matches!(blow, Blow::Kill | Blow::Error("EINTR"));
        let refused = asked && flush && ended.struck && ended.code == Some(0) && ended.err.is_empty();
        if refused { Err("acknowledged, though it was not flushed".to_owned()) } else { Ok(()) }
    }
}

fn plain(place: &Place, wl: &Wl, arguments: &[String], case: &Case) -> Result<Plain, String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let seen = || if case.look == Look::List { place.seen(case.look) } else { Ok(Vec::new()) };
    place.restore();
    let before = seen()?;
    next(place, case)?;
    let mut names = place.names();
    place.restore();
    let out = wl.run(&words).code(0).out;
    let files = matches!(case.look, Look::Files(_));
    let after = if files { place.seen(case.look)? } else { Vec::new() };
    let usual = next(place, case)?;
    names.extend(place.names());
    let after = if files { after } else { place.seen(case.look)? };
    let before = match case.look {
        Look::List => before,
        // The next command makes it if it was not made.
        Look::Made(_) => after.clone(),
        Look::Files(_) => {
            place.restore();
            place.seen(case.look)?
        }
    };
    place.restore();
    let list = if case.home == Home::Client { "/.claude/tasks" } else { "/.tasks" };
    Ok(Plain { before, after, out, names, usual, points: points(wl, &words, list) })
}

/// The next command, by somebody else: it works, and soon.
fn next(place: &Place, case: &Case) -> Result<Duration, String> {
    let line = case.next.map_or_else(|| vec!["add".to_owned(), NEXT.to_owned()], |it| place.words_of(it));
    let words: Vec<&str> = line.iter().map(String::as_str).collect();
    let started = Instant::now();
    let output = place.wl.by("carl").command(&words).output().map_err(|error| error.to_string())?;
    let took = started.elapsed();
    if !output.status.success() {
        return Err(format!("the next command failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    if took > PATIENCE { Err(format!("the next command took {took:?}")) } else { Ok(took) }
}

/// What all threads tell.
struct Told(Mutex<(Tally, Duration)>);

impl Told {
    fn trial(&self, outcome: Result<(), String>) {
        self.0.lock().expect("whole").0.trial(outcome);
    }

    fn count(&self, what: &'static str, more: u64) {
        self.0.lock().expect("whole").0.count(what, more);
    }

    fn slower(&self, by: Duration) {
        let mut all = self.0.lock().expect("whole");
        all.1 = all.1.max(by);
    }

    fn end(self) {
        let (mut tally, slowest) = self.0.into_inner().expect("whole");
        tally.count(
            "ms more than usual for the slowest next command",
            u64::try_from(slowest.as_millis()).unwrap_or(0),
        );
        tally.end();
    }
}

/// Short: every command in `claude`, and one in each other format. Long: every command in every format.
fn chosen() -> Vec<(&'static str, Case)> {
    let all = FORMATS.into_iter().flat_map(|format| CASES.iter().map(move |case| (format, *case)));
    let fitting = all.filter(|(format, case)| case.formats.is_empty() || case.formats.contains(format));
    let long = sized(false, true);
    fitting.filter(|(format, case)| long || *format == "claude" || case.line.starts_with("done")).collect()
}

/// Each case with each blow that falls on a point, two at a time.
fn everywhere(name: &'static str, blows: impl Fn(usize, &Trial) -> Vec<Blow> + Sync) {
    let told = Told(Mutex::new((Tally::new(name), Duration::ZERO)));
    let cases = Mutex::new(chosen().into_iter());
    let work = || {
        while let Some((format, case)) = { cases.lock().expect("whole").next() } {
            let trial =
                Trial::new(format, case).unwrap_or_else(|it| panic!("{} in {format}: {it}", case.line));
            told.count("commands", 1);
            for (n, point) in trial.plain.points.iter().enumerate() {
                for blow in blows(n, &trial) {
                    told.trial(trial.strike(point, blow, &told));
                }
            }
        }
    };
    thread::scope(|scope| {
        let other = scope.spawn(work);
        work();
        other.join().expect("no panic");
    });
    told.end();
}

/// In the long size and `claude` at each call. Else at each that changes something, and at the end: between two of
/// those a death finds the same things on the disk, wherever it comes.
#[test]
fn killed_at_every_system_call() {
    everywhere("R2 killed at every system call", |n, trial| {
        let each = sized(false, trial.format == "claude");
        if each || trial.plain.points[n].is_changing() { vec![Blow::Kill] } else { Vec::new() }
    });
}

/// Each call in one way, in turn. In the long size and `claude`, those that change something in each way.
#[test]
fn every_system_call_fails_once() {
    everywhere("R3 every system call fails", |n, trial| {
        let (all, point) = (ERRORS.map(Blow::Error), &trial.plain.points[n]);
        let claude = trial.format == "claude";
        let enough = trial.case.again && !sized(false, claude);
        match point.is_worldly() && !enough {
            true if sized(false, claude) && point.is_changing() => all.to_vec(),
            true => vec![all[n % all.len()]],
            false => Vec::new(),
        }
    });
}

#[test]
fn every_write_command_is_struck() {
    let struck = CASES.iter().map(|it| it.command).chain(OTHERS.iter().map(|it| it.0));
    let known: BTreeSet<String> = struck.map(str::to_owned).collect();
    let declared: BTreeSet<String> = declared().into_iter().collect();
    assert_eq!(
        known, declared,
        "a command that writes belongs into CASES, another one into OTHERS with a reason"
    );
}
