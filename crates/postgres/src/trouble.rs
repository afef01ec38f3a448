//! What a server says when it cannot, in the words of the engine. Never what was sent: there may be secrets in it.

use crate::{
    schema::VERSION,
    wire::{ANSWER, Fault},
};
use std::{error::Error as _, io};
use tokio_postgres::error::{DbError, SqlState};
use worklist::Error;

/// What to do about a failure.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The way to the server is cut, or it is not up: nobody knows what became of what was sent.
    Link(String),
    /// Two waited for each other, and this one had to give way: nothing was done.
    Again,
    /// Somebody held a row for too long: nothing was done.
    Busy,
    /// Anything else: nothing was done.
    Failed(Error),
}

impl Trouble {
    pub(crate) fn of(action: &'static str, server: &str, fault: &Fault) -> Trouble {
        let error = match fault {
            Fault::Said(error) => error,
            Fault::Silence => {
                return Trouble::Link(format!("there was no answer for {} seconds", ANSWER.as_secs()));
            }
            Fault::Local(error) => return Trouble::Link(error.to_string()),
        };
        let Some(said) = error.as_db_error() else {
            let failed = |reason| Error::Server { action, server: server.to_owned(), reason, away: false };
            return if is_final(error) {
                Trouble::Failed(failed(cause(error)))
            } else {
                Trouble::Link(cause(error))
            };
        };
        let code = said.code();
        if is_down(code) {
            return Trouble::Link(said.message().to_owned());
        }
        // The server has no code for two who change a role at once.
        if [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE, SqlState::UNIQUE_VIOLATION]
            .contains(code)
            || (*code == SqlState::INTERNAL_ERROR && said.message() == "tuple concurrently updated")
        {
            return Trouble::Again;
        }
        if [SqlState::LOCK_NOT_AVAILABLE, SqlState::QUERY_CANCELED].contains(code) {
            return Trouble::Busy;
        }
        if [SqlState::UNDEFINED_TABLE, SqlState::INVALID_SCHEMA_NAME, SqlState::UNDEFINED_FUNCTION]
            .contains(code)
        {
            return Trouble::Failed(Error::Older { server: server.to_owned(), found: 0, needed: VERSION });
        }
        Trouble::Failed(Error::Server {
            action,
            server: server.to_owned(),
            reason: reason(said),
            away: false,
        })
    }

    /// As the failure of a command.
    pub(crate) fn into_error(self, action: &'static str, server: &str) -> Error {
        let failed = |reason: String, away| Error::Server { action, server: server.to_owned(), reason, away };
        match self {
            Trouble::Failed(error) => error,
            Trouble::Link(reason) => failed(reason, true),
            Trouble::Again => failed("others kept changing the list".to_owned(), false),
            Trouble::Busy => Error::Locked { holder: None, waited: crate::link::LOCK_WAIT_MS },
        }
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Failed(error)
    }
}

/// The server is going, coming, or full: it may be there in a moment.
fn is_down(code: &SqlState) -> bool {
    let down = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
        SqlState::IDLE_SESSION_TIMEOUT,
    ];
    down.contains(code) || code.code().starts_with("08")
}

/// The server is not who it should be, cannot keep a secret, or wants a password that nobody gave: asking once more does
/// not change that.
fn is_final(error: &tokio_postgres::Error) -> bool {
    let way = error.source().and_then(|it| it.downcast_ref::<io::Error>());
    let said = error.to_string();
    let is_ours = ["invalid configuration", "authentication error"].iter().any(|it| said.starts_with(it));
    let is_distrusted = said.starts_with("error performing TLS handshake")
        && way.is_none_or(|it| it.kind() == io::ErrorKind::InvalidData);
    is_ours || is_distrusted
}

/// What the server says, without the values that it may quote.
fn reason(said: &DbError) -> String {
    match *said.code() {
        SqlState::INSUFFICIENT_PRIVILEGE => {
            format!("{}; its owner lets you in with `wl store grant`", said.message())
        }
        _ => format!("{} ({})", said.message(), said.code().code()),
    }
}

/// The innermost cause, which is the one that says something.
fn cause(error: &tokio_postgres::Error) -> String {
    let mut text = error.to_string();
    let mut inner = error.source();
    while let Some(error) = inner {
        text = error.to_string();
        inner = error.source();
    }
    text
}
