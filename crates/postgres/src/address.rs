//! Where a database is and how to get in: what a URL says, what the surroundings add. Not the way there.

use crate::{passwords, tls::Tls};
use std::{fmt, path::PathBuf, time::Duration};
use tokio_postgres::config::{Config, Host, SslMode};
use worklist::{Error, Refusal};

/// Asks the surroundings for a variable.
pub type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A database. It is shown without what must not be shown.
#[derive(Clone)]
pub struct Address {
    pub(crate) config: Config,
    pub(crate) tls: Tls,
    shown: String,
}

impl Address {
    /// Reads a URL. A password in it is refused: URLs end up in histories and process lists.
    pub fn parse(url: &str, variable: Variable<'_>) -> Result<Address, Error> {
        let (plain, wishes) = Wishes::split(url)?;
        let mut config: Config =
            plain.parse().map_err(|_| invalid("is not the URL of a PostgreSQL database"))?;
        if config.get_password().is_some() {
            return Err(invalid(
                "has a password in it; put it into a password file (PGPASSFILE) or into PGPASSWORD",
            ));
        }
        complete(&mut config, variable);
        let hosts: Vec<String> = config.get_hosts().iter().map(host_name).collect();
        let tls = Tls::of(wishes.mode.as_deref(), config.get_hosts(), wishes.root)?;
        config.ssl_mode(if tls == Tls::Off { SslMode::Disable } else { SslMode::Require });
        config.application_name("worklist").connect_timeout(Duration::from_secs(5));
        // A peer that is gone without a word is noticed within half a minute.
        config.keepalives_idle(Duration::from_secs(10)).keepalives_interval(Duration::from_secs(5));
        config.keepalives_retries(3).tcp_user_timeout(Duration::from_secs(20));
        if let Some(password) = passwords::find(&config, variable)? {
            config.password(password);
        }
        let shown = format!("postgres://{}/{}", hosts.join(","), config.get_dbname().unwrap_or_default());
        Ok(Address { config, tls, shown })
    }

    /// The same place for another user, who is let in without a password or by the surroundings' one.
    #[must_use]
    pub fn for_user(&self, user: &str) -> Address {
        let mut other = self.clone();
        other.config.user(user);
        other
    }

    /// The user who goes in.
    pub fn user(&self) -> &str {
        self.config.get_user().unwrap_or_default()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Address").field(&self.shown).finish()
    }
}

/// What the usual variables say where the URL is silent.
fn complete(config: &mut Config, variable: Variable<'_>) {
    if config.get_hosts().is_empty() {
        config.host(variable("PGHOST").unwrap_or_else(|| "/var/run/postgresql".to_owned()));
    }
    if config.get_ports().is_empty()
        && let Some(port) = variable("PGPORT").and_then(|it| it.parse().ok())
    {
        config.port(port);
    }
    if config.get_user().is_none() {
        let user = variable("PGUSER").or_else(|| variable("USER")).unwrap_or_else(|| "postgres".to_owned());
        config.user(&user);
    }
    if config.get_dbname().is_none() {
        let name =
            variable("PGDATABASE").or_else(|| config.get_user().map(str::to_owned)).unwrap_or_default();
        config.dbname(&name);
    }
}

pub(crate) fn host_name(host: &Host) -> String {
    match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(path) => path.display().to_string(),
    }
}

/// What a URL wants of the connection that the client library does not know.
#[derive(Default)]
struct Wishes {
    mode: Option<String>,
    root: Option<PathBuf>,
}

impl Wishes {
    /// Takes them out of a URL.
    fn split(url: &str) -> Result<(String, Wishes), Error> {
        let Some((before, query)) = url.split_once('?') else {
            return Ok((url.to_owned(), Wishes::default()));
        };
        let mut wishes = Wishes::default();
        let mut rest = Vec::new();
        for pair in query.split('&').filter(|it| !it.is_empty()) {
            match pair.split_once('=').unwrap_or((pair, "")) {
                ("sslmode", mode) => wishes.mode = Some(mode.to_owned()),
                ("sslrootcert", path) => wishes.root = Some(PathBuf::from(decoded(path)?)),
                ("password", _) => rest.push("password=x"),
                _ => rest.push(pair),
            }
        }
        let query = rest.join("&");
        Ok((if query.is_empty() { before.to_owned() } else { format!("{before}?{query}") }, wishes))
    }
}

/// What stands for a text in a URL.
fn decoded(text: &str) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |it: Option<u8>| it.and_then(|it| char::from(it).to_digit(16));
        match (digit(rest.next()), digit(rest.next())) {
            (Some(high), Some(low)) => bytes.push(u8::try_from(high * 16 + low).unwrap_or_default()),
            _ => return Err(invalid("has a `%` that is not followed by two hexadecimal digits")),
        }
    }
    String::from_utf8(bytes).map_err(|_| invalid("is not UTF-8"))
}

pub(crate) fn invalid(reason: &str) -> Error {
    Refusal::Invalid { field: "store".to_owned(), reason: reason.to_owned() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> Result<Address, Error> {
        Address::parse(url, &|name| (name == "USER").then(|| "ann".to_owned()))
    }

    #[test]
    fn a_password_in_a_url_is_refused_and_not_shown() {
        for url in
            ["postgres://ann:secret@db/x", "postgres://db/x?password=secret", "postgres://ann:secret@db/x?y"]
        {
            let error = parse(url).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn tls_is_for_everything_that_is_not_this_machine() {
        for local in
            ["postgres:///x", "postgres://localhost/x", "postgres://127.0.0.1:5433/x", "postgres://%2Ftmp/x"]
        {
            assert_eq!(parse(local).unwrap().tls, Tls::Off, "{local}");
        }
        assert_eq!(parse("postgres://db.example/x").unwrap().tls, Tls::Verified { root: None });
        assert_eq!(parse("postgres://localhost,db.example/x").unwrap().tls, Tls::Verified { root: None });
        let own = parse("postgres://db.example/x?sslrootcert=%2Fca.pem").unwrap().tls;
        assert_eq!(own, Tls::Verified { root: Some(PathBuf::from("/ca.pem")) });
        assert_eq!(parse("postgres://db.example/x?sslmode=disable").unwrap().tls, Tls::Off);
        for weak in ["allow", "prefer", "require", "nonsense"] {
            assert!(parse(&format!("postgres://db.example/x?sslmode={weak}")).is_err(), "{weak}");
        }
    }

    #[test]
    fn what_the_url_does_not_say_the_surroundings_do() {
        let address = parse("postgres://db.example").unwrap();
        assert_eq!((address.user(), address.to_string().as_str()), ("ann", "postgres://db.example/ann"));
    }
}
