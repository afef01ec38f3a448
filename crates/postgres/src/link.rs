//! Connections: made when they are needed, kept for the next question, made again when the way was cut.
//! Not what is asked.

use crate::{
    address::Address,
    tls,
    tls::Tls,
    trouble::Trouble,
    wire::{ANSWER, Fault, Value, Wire},
};
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio_postgres::{Config, NoTls, Row};
use worklist::{
    Error,
    clock::{Clock, SystemClock},
};

/// So long a row that somebody else is busy with is waited for.
pub(crate) const LOCK_WAIT_MS: u64 = 2_000;

/// So long a server that went away is waited for.
const PATIENCE_MS: u64 = 20_000;
const FIRST_MS: u64 = 2_000;

/// What every session of ours is told: nothing takes long, and nobody who falls asleep keeps others waiting. What was planned
/// once is used again; so that it still fits when a table has grown, everything is found by an index from the beginning.
const LIMITS: &str = "-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=30000 \
    -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off";

/// The way to a server.
pub(crate) struct Link {
    address: Address,
    /// What it is called in failures.
    pub(crate) name: String,
    idle: Mutex<Vec<Wire>>,
}

impl Link {
    pub(crate) fn new(address: Address) -> Link {
        let name = address.to_string();
        Link { address, name, idle: Mutex::default() }
    }

    /// Asks something on a connection that nobody else uses.
    pub(crate) fn with<T>(
        &self,
        ask: &mut dyn FnMut(&mut Line<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let kept = self.idle().pop();
        let wire = match kept.filter(|it| !it.is_closed()) {
            Some(wire) => wire,
            None => self.connect()?,
        };
        let mut line = Line { wire: &wire, server: &self.name, limit: ANSWER, open: Open::No };
        let answer = ask(&mut line);
        if matches!(answer, Err(Trouble::Link(_))) {
            // What cut this one has probably cut them all, and each would take its time to be noticed.
            self.idle().clear();
        } else if !wire.is_closed() {
            self.idle().push(wire);
        }
        answer
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Wire>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks something that changes nothing, again and again while the server is away.
    pub(crate) fn steadily<T>(
        &self,
        action: &'static str,
        ask: &mut dyn FnMut(&mut Line<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Error> {
        self.patiently(action, Patience::new(), ask)
    }

    /// The same for the first question of all: who is not there is more likely to be misspelt than to come back.
    pub(crate) fn first<T>(
        &self,
        action: &'static str,
        ask: &mut dyn FnMut(&mut Line<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Error> {
        self.patiently(action, Patience::of(FIRST_MS), ask)
    }

    fn patiently<T>(
        &self,
        action: &'static str,
        mut patience: Patience,
        ask: &mut dyn FnMut(&mut Line<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Error> {
        loop {
            match self.with(ask) {
                Ok(answer) => return Ok(answer),
                Err(trouble @ (Trouble::Link(_) | Trouble::Again)) => {
                    if !patience.wait() {
                        return Err(trouble.into_error(action, &self.name));
                    }
                }
                Err(trouble) => return Err(trouble.into_error(action, &self.name)),
            }
        }
    }

    /// A new connection, for whoever needs one of its own.
    pub(crate) fn connect(&self) -> Result<Wire, Trouble> {
        let mut config = self.address.config.clone();
        config.options(LIMITS);
        match self.connect_by(&config)? {
            // A pooler between us and the server may not pass these on; then the role's own settings count.
            Err(fault) if said(&fault).contains("startup parameter") => {
                self.connect_by(&self.address.config)?
            }
            connected => connected,
        }
        .map_err(|fault| Trouble::of("open", &self.name, &fault))
    }

    fn connect_by(&self, config: &Config) -> Result<Result<Wire, Fault>, Trouble> {
        Ok(match &self.address.tls {
            Tls::Off => Wire::connect(config, NoTls),
            Tls::Verified { root } => Wire::connect(config, tls::connector(root.as_ref())?),
        })
    }
}

fn said(fault: &Fault) -> &str {
    match fault {
        Fault::Said(error) => error.as_db_error().map_or("", |it| it.message()),
        Fault::Silence | Fault::Local(_) => "",
    }
}

/// One connection while something is asked on it.
pub(crate) struct Line<'a> {
    wire: &'a Wire,
    server: &'a str,
    /// So long an answer is waited for.
    limit: Duration,
    open: Open,
}

/// How far it is with a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    No,
    /// It begins with the next question.
    Due,
    Yes,
}

impl Line<'_> {
    pub(crate) fn rows(&mut self, question: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Trouble> {
        let answer = if self.open == Open::Due {
            self.open = Open::Yes;
            self.wire.first_rows(question, values, self.limit)
        } else {
            self.wire.rows(question, values, self.limit)
        };
        answer.map_err(|fault| Trouble::of("use", self.server, &fault))
    }

    /// The one row that the question always has.
    pub(crate) fn row(&mut self, question: &str, values: &[Value<'_>]) -> Result<Row, Trouble> {
        self.rows(question, values)?.pop().ok_or_else(|| self.gone())
    }

    /// The same for the last question of a transaction, if there is one: with it the transaction ends.
    pub(crate) fn last_row(&mut self, question: &str, values: &[Value<'_>]) -> Result<Row, Trouble> {
        // Alone it is a transaction by itself.
        if std::mem::replace(&mut self.open, Open::No) != Open::Yes {
            return self.row(question, values);
        }
        let answer = self.wire.last_rows(question, values, self.limit);
        let mut rows = answer.map_err(|fault| Trouble::of("use", self.server, &fault))?;
        rows.pop().ok_or_else(|| self.gone())
    }

    fn gone(&self) -> Trouble {
        Trouble::Failed(Error::Server {
            action: "use",
            server: self.server.to_owned(),
            reason: "the list was removed from it".to_owned(),
            away: false,
        })
    }

    /// Statements without values.
    pub(crate) fn run(&mut self, statements: &str) -> Result<(), Trouble> {
        if self.open == Open::Due {
            self.open = Open::Yes;
            self.run("BEGIN")?;
        }
        let ran = self.wire.run(statements, self.limit);
        ran.map_err(|fault| Trouble::of("use", self.server, &fault))
    }

    /// For the rest of the transaction: what the owner does once may take its time.
    pub(crate) fn take_time(&mut self) -> Result<(), Trouble> {
        self.run("SET LOCAL statement_timeout = '10min'; SET LOCAL lock_timeout = '1min'")?;
        self.limit = Duration::from_mins(11);
        Ok(())
    }

    /// Something in one transaction: all of it, or nothing.
    pub(crate) fn together<T>(
        &mut self,
        act: &mut dyn FnMut(&mut Line<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        self.open = Open::Due;
        let answer = act(self);
        if std::mem::replace(&mut self.open, Open::No) != Open::Yes {
            return answer;
        }
        match answer {
            Ok(answer) => self.run("COMMIT").map(|()| answer),
            // Where the way is cut the transaction ends with it; waiting for that to be said would take long.
            Err(trouble @ Trouble::Link(_)) => Err(trouble),
            Err(trouble) => {
                // If that fails, the connection is gone, and the transaction with it.
                _ = self.run("ROLLBACK");
                Err(trouble)
            }
        }
    }
}

/// How long something is tried again.
pub(crate) struct Patience {
    until: u64,
    pause: u64,
}

impl Patience {
    pub(crate) fn new() -> Patience {
        Patience::of(PATIENCE_MS)
    }

    fn of(milliseconds: u64) -> Patience {
        Patience { until: SystemClock.ticks() + milliseconds, pause: 5 }
    }

    /// Waits a little; false if there was enough of it.
    pub(crate) fn wait(&mut self) -> bool {
        if SystemClock.ticks() + self.pause > self.until {
            return false;
        }
        SystemClock.sleep(self.pause);
        self.pause = (self.pause * 2).min(250);
        true
    }
}
