//! The checker itself, checked: public logs of a real system, each with a verdict that others reached, too. Not our own
//! histories.

use crate::tally::Tally;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use todc_utils::{
    linearizability::WGLChecker,
    specifications::etcd::{EtcdSpecification, history_from_log},
};

/// Where cargo keeps the sources of the checker, with the logs and their verdicts.
fn sources() -> PathBuf {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let host = Command::new("rustc").args(["--print", "host-tuple"]).output().expect("rustc runs").stdout;
    let host = String::from_utf8(host).expect("a name");
    // What only other systems need is not fetched for this; what this one needs is, if it is not there yet.
    let told = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", host.trim()])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let told: Value = serde_json::from_slice(&told.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&told.stderr)));
    let packages = told["packages"].as_array().expect("packages");
    let own = packages.iter().find(|it| it["name"] == "todc-utils").expect("the checker");
    let manifest = own["manifest_path"].as_str().expect("a path");
    Path::new(manifest).parent().expect("a folder").to_owned()
}

/// The numbers of the logs, and whether each has an order: lines such as `test_000: ("000", false),`.
fn verdicts(folder: &Path) -> Vec<(String, bool)> {
    let text = fs::read_to_string(folder.join("etcd.rs")).expect("verdicts");
    let verdict = |line: &str| {
        let (number, verdict) = line.trim().strip_prefix("test_")?.split_once("(\"")?.1.split_once("\", ")?;
        Some((number.to_owned(), verdict.trim_end_matches("),").parse().ok()?))
    };
    text.lines().filter_map(verdict).collect()
}

#[test]
fn the_checker_agrees_with_others_on_public_logs() {
    let mut tally = Tally::new("R8 public logs");
    let folder = sources().join("tests/linearizability");
    let verdicts = verdicts(&folder);
    for (number, verdict) in &verdicts {
        let log = folder.join("etcd").join(format!("etcd_{number}.log"));
        let found =
            WGLChecker::<EtcdSpecification>::is_linearizable(history_from_log(log.display().to_string()));
        tally.count("without an order", u64::from(!found));
        tally.check(found == *verdict, || format!("log {number}: {found}"));
    }
    assert_eq!(verdicts.len(), 102, "all logs are there");
    tally.end();
}
