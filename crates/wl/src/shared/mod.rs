//! Lists that a team shares through a database: which one is meant, and the way to it. Not how it is kept there: that is
//! another crate's, and a program can be built without it.

#[cfg(not(feature = "postgres"))]
#[path = "disabled.rs"]
mod way;
#[cfg(feature = "postgres")]
#[path = "enabled.rs"]
mod way;

use crate::failure::Failure;
use worklist::{TaskList, time::Time};

/// A list in a database, or the database alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shared {
    /// Where the database is. There is no secret in it: one with a password is refused.
    pub(crate) url: String,
    /// The list, if one was named.
    pub(crate) name: Option<String>,
}

/// A list that is there.
pub(crate) struct Kept {
    pub(crate) name: String,
    pub(crate) open: u64,
    pub(crate) total: u64,
    pub(crate) changed: Time,
}

/// How a database is, in words and numbers.
pub(crate) struct Health {
    pub(crate) server: String,
    pub(crate) version: String,
    pub(crate) schema: (i32, i32),
    pub(crate) role: String,
    pub(crate) lists: u64,
    pub(crate) tasks: u64,
    pub(crate) claimed: u64,
    pub(crate) oldest: Option<i64>,
    pub(crate) parked: u64,
}

impl Shared {
    /// From what was typed: the list's name may stand behind a `#`.
    pub(crate) fn new(typed: &str, name: Option<String>) -> Shared {
        match typed.split_once('#') {
            Some((url, named)) => {
                Shared { url: url.to_owned(), name: Some(named.to_owned()).filter(|it| !it.is_empty()) }
            }
            None => Shared { url: typed.to_owned(), name },
        }
    }

    /// Whether a text is meant as the address of a database.
    pub(crate) fn is_meant(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// The place in words, without anything that is only for getting in.
    pub(crate) fn shown(&self) -> String {
        let place = self.url.split('?').next().unwrap_or_default();
        let place = match place.split_once("://").map(|(kind, rest)| (kind, rest.rsplit_once('@'))) {
            Some((kind, Some((_, host)))) => format!("{kind}://{host}"),
            _ => place.to_owned(),
        };
        // A folder with a socket is written so that no slash is taken for another.
        let place = place.replace("%2F", "/").replace("%2f", "/");
        self.name.as_ref().map_or_else(|| place.clone(), |name| format!("{place}#{name}"))
    }

    fn name(&self) -> Result<&str, Failure> {
        let hint = "name it with --list NAME or WORKLIST_LIST; `wl lists` shows those that are there";
        self.name
            .as_deref()
            .ok_or_else(|| Failure::invalid("--list", "is missing: a store holds many lists", Some(hint)))
    }

    /// Opens the list.
    pub(crate) fn open(&self, variable: Variable) -> Result<TaskList, Failure> {
        way::open(&self.url, self.name()?, variable)
    }

    /// Makes the list if need be, and opens it.
    pub(crate) fn make(&self, variable: Variable) -> Result<TaskList, Failure> {
        way::make(&self.url, self.name()?, variable)
    }

    /// The lists that are there.
    pub(crate) fn lists(&self, variable: Variable) -> Result<Vec<Kept>, Failure> {
        way::lists(&self.url, variable)
    }

    /// Makes room for lists, or brings it up to date: from which schema to which.
    pub(crate) fn migrate(&self, variable: Variable) -> Result<(i32, i32), Failure> {
        way::migrate(&self.url, variable)
    }

    /// How the database is.
    pub(crate) fn health(&self, variable: Variable) -> Result<Health, Failure> {
        way::health(&self.url, variable)
    }

    /// Lets a role use these lists, or every one.
    pub(crate) fn grant(&self, role: &str, lists: &[String], variable: Variable) -> Result<(), Failure> {
        way::grant(&self.url, role, lists, variable)
    }
}

/// Asks the environment.
pub(crate) type Variable = fn(&str) -> Option<String>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_may_stand_behind_the_address() {
        let shared =
            Shared::new("postgres://ann@db/team?sslmode=verify-full#release", Some("other".to_owned()));
        assert_eq!(
            (shared.url.as_str(), shared.name.as_deref()),
            ("postgres://ann@db/team?sslmode=verify-full", Some("release"))
        );
        assert_eq!(shared.shown(), "postgres://db/team#release");
        assert_eq!(Shared::new("postgres:///team", None).shown(), "postgres:///team");
    }
}
