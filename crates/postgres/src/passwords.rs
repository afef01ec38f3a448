//! Where a password comes from: a variable, or the user's file that nobody else may read. Never from a URL.
#![expect(clippy::disallowed_methods, reason = "the password file is the user's own, and is only read")]

use crate::address::{Variable, host_name, invalid};
use std::{fs, path::Path, path::PathBuf};
use tokio_postgres::config::Config;
use worklist::Error;

/// The password for a database, if there is one.
pub(crate) fn find(config: &Config, variable: Variable<'_>) -> Result<Option<String>, Error> {
    if let Some(password) = variable("PGPASSWORD") {
        return Ok(Some(password));
    }
    let usual = || variable("HOME").map(|it| PathBuf::from(it).join(".pgpass"));
    let Some(path) = variable("PGPASSFILE").map(PathBuf::from).or_else(usual) else { return Ok(None) };
    let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
    if is_open(&path) {
        return Err(invalid(&format!(
            "needs a password, and others can read {}; `chmod 600` it",
            path.display()
        )));
    }
    let host = config.get_hosts().first().map(host_name).unwrap_or_default();
    // What is not a name of a machine is a socket's folder, which these files call by the machine's own name.
    let host = if host.starts_with('/') { "localhost".to_owned() } else { host };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let (name, user) = (config.get_dbname().unwrap_or_default(), config.get_user().unwrap_or_default());
    Ok(text.lines().find_map(|line| matching(line, &[&host, &port, name, user])))
}

/// The password of a line, if the line is about this.
fn matching(line: &str, wanted: &[&str; 4]) -> Option<String> {
    let parts = parts(line);
    let [.., password] = <&[String; 5]>::try_from(parts.as_slice()).ok()?;
    let fits = parts.iter().zip(wanted).all(|(part, wanted)| part == "*" || part == wanted);
    fits.then(|| password.clone())
}

/// A line, cut at colons; a backslash takes the next character as it is.
fn parts(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut rest = line.chars();
    while let Some(it) = rest.next() {
        match (it, parts.len()) {
            (':', 1..=4) => parts.push(String::new()),
            ('\\', count) => parts[count - 1].extend(rest.next()),
            (it, count) => parts[count - 1].push(it),
        }
    }
    parts
}

#[cfg(unix)]
fn is_open(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|it| it.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open(_path: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_fits_counts() {
        let wanted = ["db", "5432", "team", "ann"];
        assert_eq!(matching("db:5432:team:ann:a\\:b\\\\c:d", &wanted), Some("a:b\\c:d".to_owned()));
        assert_eq!(matching("*:*:*:ann:x", &wanted), Some("x".to_owned()));
        assert_eq!(matching("db:5433:team:ann:x", &wanted), None);
        assert_eq!(matching("# a remark", &wanted), None);
    }
}
