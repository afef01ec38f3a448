//! A team's database: claims and completions by many workers beside bare statements on the same server. Measured by a program
//! of its own, which knows servers; this one does not.

use super::{
    Bench, Measured,
    figures::{Figure, Unit},
};
use crate::{gate, kit};
use std::{
    io,
    process::{Command, Stdio},
};

/// What stands between a rate and what it is the rate of.
const OF: &str = " pairs a second: ";

pub(super) fn run(bench: &mut Bench) -> io::Result<Vec<Measured>> {
    let build = ["build", "--release", "-p", "worklist-postgres", "--example", "rates"];
    gate::finish(gate::cargo(&bench.root, &build)).map_err(io::Error::other)?;
    let program = kit::target(&bench.root).map_err(io::Error::other)?.join("release/examples/rates");
    let (seconds, rounds) = (bench.repeats(3, 1), bench.repeats(3, 1));
    let mut command = Command::new(program);
    command.args([seconds.to_string(), rounds.to_string()]).env("PATH", kit::path()).stderr(Stdio::inherit());
    let ran = command.output()?;
    if !ran.status.success() {
        return Err(io::Error::other("the rates of a database could not be measured"));
    }
    Ok(String::from_utf8_lossy(&ran.stdout).lines().filter_map(|it| measured(it, rounds)).collect())
}

/// A line as a figure: the seconds of a pair.
fn measured(line: &str, samples: usize) -> Option<Measured> {
    let (rate, name) = line.split_once(OF)?;
    let value = 1.0 / rate.parse::<f64>().ok()?;
    Some(Measured::new(name, 0, Figure { value, unit: Unit::Seconds, samples }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_read_as_a_time() {
        let read = measured("200.0 pairs a second: one list, 8 at once", 3).unwrap();
        assert_eq!((read.name.as_str(), read.figure.shown().as_str()), ("one list, 8 at once", "5.00 ms"));
        assert!(measured("something else", 1).is_none());
    }
}
