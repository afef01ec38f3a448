//! Signs of life. A session with a process gives one every 20 seconds and is gone after 60 without; one without gives
//! one with every command, and its claims outlive it by their lease. Only the server's clock counts.
//!
//! Whoever cannot give a sign for 40 seconds stops: by then nobody else can have been given its tasks.

use crate::{
    link::{Line, Link},
    trouble::Trouble,
    wire::Value,
};
use std::{
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};
use tokio_postgres::{Row, types::Type};
use worklist::{
    Error, SessionGuard,
    claim::{Actor, Claim, Life},
    clock::{Clock, SystemClock},
    store::Held,
    time::Time,
};

/// A process that was silent for so long is gone.
const GONE_MS: i64 = 60_000;
/// So often it gives a sign.
const BEAT_MS: u64 = 20_000;
/// So often where there was no answer.
const RETRY_MS: u64 = 1_000;
/// Without one for so long it stops by itself.
const STOP_MS: u64 = 40_000;

/// What a server knows of the life of a session, and when it said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sign {
    seen: Option<i64>,
    /// Whether a process is the session.
    held: bool,
    now: i64,
    /// Since when there is a server that a sign could be given to.
    started: i64,
}

impl Sign {
    /// Nobody could be asked: nobody is thought dead for that.
    pub(crate) const UNKNOWN: Sign = Sign { seen: Some(i64::MAX), held: false, now: 0, started: 0 };

    /// From the columns of a row, this one and the three behind it.
    pub(crate) fn of_row(row: &Row, first: usize) -> Sign {
        let held: Option<bool> = row.get(first + 1);
        Sign {
            seen: row.get(first),
            held: held == Some(true),
            now: row.get(first + 2),
            started: row.get(first + 3),
        }
    }

    /// Asks for one.
    pub(crate) fn ask(line: &mut Line<'_>, list: i64, session: &str) -> Result<Sign, Trouble> {
        let question = "SELECT * FROM worklist.look_at_session($1, $2)";
        let row = line.row(question, &[(&list, Type::INT8), (&session, Type::TEXT)])?;
        Ok(Sign::of_row(&row, 0))
    }

    /// What it says of a claim.
    pub(crate) fn life(self, claim: &Claim) -> Life {
        let seen = match self.seen {
            // It said that it is gone.
            Some(0) => return Life::Gone,
            Some(i64::MAX) => return Life::Running,
            seen => seen.unwrap_or(claim.since.0),
        };
        // While there was no server nobody could give a sign.
        let silent = self.now - seen.max(self.started);
        let lease = if self.held { GONE_MS } else { claim.lease };
        Life::of(&Claim { lease, ..claim.clone() }, silent, Time(self.now))
    }
}

/// The sessions that this process is, and the one thread that gives signs for all of them.
#[derive(Default)]
pub(crate) struct Pulse {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    alive: Vec<Arc<Beat>>,
    runs: bool,
}

/// One session of this process.
struct Beat {
    actor: Actor,
    holder: String,
    /// When the server last heard of it, by this machine's clock that never jumps.
    heard: AtomicU64,
}

impl Beat {
    /// Makes this process the session, unless another living one is: whether it is now.
    fn take(&self, line: &mut Line<'_>, list: i64) -> Result<bool, Trouble> {
        let values: [Value<'_>; 4] = [
            (&list, Type::INT8),
            (&self.actor.session, Type::TEXT),
            (&self.actor.agent, Type::TEXT),
            (&self.holder, Type::TEXT),
        ];
        Ok(line.row("SELECT worklist.hold($1, $2, $3, $4)", &values)?.get::<_, bool>(0))
    }
}

/// What a process holds.
struct Holding {
    beat: Arc<Beat>,
    pulse: Arc<Pulse>,
    link: Arc<Link>,
    list: i64,
}

impl Held for Holding {
    fn stands(&self) -> bool {
        SystemClock.ticks().saturating_sub(self.beat.heard.load(Ordering::Relaxed)) < STOP_MS
    }
}

impl Drop for Holding {
    fn drop(&mut self) {
        self.pulse.state().alive.retain(|it| it.holder != self.beat.holder);
        self.pulse.changed.notify_all();
        // If it cannot be said, it will be noticed.
        _ = self.link.with(&mut |line| {
            let values: [Value<'_>; 2] = [(&self.list, Type::INT8), (&self.beat.holder, Type::TEXT)];
            line.rows("SELECT worklist.let_go($1, $2)", &values)
        });
    }
}

/// Makes this process the session; none if another living one is.
pub(crate) fn hold(
    link: &Arc<Link>,
    pulse: &Arc<Pulse>,
    list: i64,
    actor: &Actor,
) -> Result<Option<SessionGuard>, Error> {
    let holder = format!("{:016x}", SystemClock.random());
    let before = SystemClock.ticks();
    let beat = Beat { actor: actor.clone(), holder, heard: AtomicU64::new(before) };
    if !link.steadily("use", &mut |line| beat.take(line, list))? {
        return Ok(None);
    }
    let beat = Arc::new(beat);
    let mut state = pulse.state();
    state.alive.push(beat.clone());
    if !std::mem::replace(&mut state.runs, true) {
        let (link, pulse) = (link.clone(), pulse.clone());
        thread::spawn(move || beats(&link, &pulse, list));
    }
    drop(state);
    let (link, pulse) = (link.clone(), pulse.clone());
    Ok(Some(SessionGuard::new(Holding { beat, pulse, link, list })))
}

impl Pulse {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives signs until there is nobody left to give them for.
fn beats(link: &Link, pulse: &Pulse, list: i64) {
    let mut pause = BEAT_MS;
    loop {
        let state = pulse.state();
        let waited =
            pulse.changed.wait_timeout_while(state, Duration::from_millis(pause), |it| !it.alive.is_empty());
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.alive.is_empty() {
            state.runs = false;
            return;
        }
        let alive = state.alive.clone();
        drop(state);
        let before = SystemClock.ticks();
        let holders: Vec<&str> = alive.iter().map(|it| it.holder.as_str()).collect();
        let heard = link.with(&mut |line| {
            line.rows("SELECT worklist.beat($1, $2)", &[(&list, Type::INT8), (&holders, Type::TEXT_ARRAY)])
        });
        pause = if heard.is_ok() { BEAT_MS } else { RETRY_MS };
        let Ok(heard) = heard else { continue };
        for beat in alive {
            let is_heard = heard.iter().any(|it| it.get::<_, &str>(0) == beat.holder);
            // One that was silent for too long is not the session any more. It may become it again.
            if is_heard || link.with(&mut |line| beat.take(line, list)).unwrap_or(false) {
                beat.heard.store(before, Ordering::Relaxed);
            } else {
                pause = RETRY_MS;
            }
        }
    }
}
