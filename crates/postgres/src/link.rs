//! Connections: made when they are needed, kept for the next question, made again when the way was cut.
//! Not what is asked.

use crate::{address::Address, tls, tls::Tls, trouble::Trouble};
use postgres::{Client, NoTls, Row, types::ToSql, types::Type};
use std::sync::{Mutex, PoisonError};
use worklist::{
    Error,
    clock::{Clock, SystemClock},
};

/// So long a row that somebody else is busy with is waited for.
pub(crate) const LOCK_WAIT_MS: u64 = 2_000;

/// So long a server that went away is waited for.
const PATIENCE_MS: u64 = 10_000;
const FIRST_MS: u64 = 2_000;

/// What every session of ours is told: nothing takes long, and nobody who falls asleep keeps others waiting.
const LIMITS: &str =
    "-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=30000";

/// A value with its type: so a question is one message, and no server need remember it for us.
pub(crate) type Value<'a> = (&'a (dyn ToSql + Sync), Type);

/// The way to a server.
pub(crate) struct Link {
    address: Address,
    /// What it is called in failures.
    pub(crate) name: String,
    idle: Mutex<Vec<Client>>,
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
        let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut client = match kept.filter(|it| !it.is_closed()) {
            Some(client) => client,
            None => self.connect()?,
        };
        let answer = ask(&mut Line { client: &mut client, server: &self.name });
        if !client.is_closed() && !matches!(answer, Err(Trouble::Link(_))) {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(client);
        }
        answer
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
    pub(crate) fn connect(&self) -> Result<Client, Trouble> {
        let mut config = self.address.config.clone();
        config.options(LIMITS);
        let connect = |config: &postgres::Config| match &self.address.tls {
            Tls::Off => config.connect(NoTls).map_err(Ok),
            Tls::Verified { root } => {
                tls::connector(root.as_ref()).map_err(Err).and_then(|it| config.connect(it).map_err(Ok))
            }
        };
        let connected = match connect(&config) {
            // A pooler between us and the server may not pass these on; then the role's own settings count.
            Err(Ok(error)) if said(&error).contains("startup parameter") => connect(&self.address.config),
            connected => connected,
        };
        connected.map_err(|error| match error {
            Ok(error) => Trouble::of("open", &self.name, &error),
            Err(error) => Trouble::Failed(error),
        })
    }
}

fn said(error: &postgres::Error) -> &str {
    error.as_db_error().map_or("", |it| it.message())
}

/// One connection while something is asked on it.
pub(crate) struct Line<'a> {
    client: &'a mut Client,
    server: &'a str,
}

impl Line<'_> {
    pub(crate) fn rows(&mut self, question: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Trouble> {
        let answer = self.client.query_typed(question, values);
        answer.map_err(|error| Trouble::of("use", self.server, &error))
    }

    /// The one row that the question always has.
    pub(crate) fn row(&mut self, question: &str, values: &[Value<'_>]) -> Result<Row, Trouble> {
        let gone = |server: &str| Error::Server {
            action: "use",
            server: server.to_owned(),
            reason: "the list was removed from it".to_owned(),
        };
        self.rows(question, values)?.pop().ok_or_else(|| Trouble::Failed(gone(self.server)))
    }

    /// Statements without values.
    pub(crate) fn run(&mut self, statements: &str) -> Result<(), Trouble> {
        self.client.batch_execute(statements).map_err(|error| Trouble::of("use", self.server, &error))
    }

    /// Something in one transaction: all of it, or nothing.
    pub(crate) fn together<T>(
        &mut self,
        act: &mut dyn FnMut(&mut Line<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        self.run("BEGIN")?;
        match act(self) {
            Ok(answer) => self.run("COMMIT").map(|()| answer),
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
