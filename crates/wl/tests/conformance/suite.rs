//! The protocol's own conformance suite, for both its eras: against fixtures behind the product's gate and listener, and
//! against the product itself as far as it can answer without fixtures. Not what the inspector says.

use crate::{
    fixtures,
    kit::{Said, beside, node, said, tool},
    served::{Address, Served},
    wl::Wl,
};
use serde_json::Value;
use std::{fs, path::Path};

/// Revisions of the protocol, with how many scenarios each must pass.
const OLDER: (&str, usize) = ("2025-11-25", 30);
const NEWER: (&str, usize) = ("2026-07-28", 37);

#[test]
fn the_older_protocol_with_every_fixture() {
    all_scored_pass(OLDER);
}

#[test]
fn the_newer_protocol_with_every_fixture() {
    all_scored_pass(NEWER);
}

/// The server of the program has none of the fixtures. What fails for that reason alone is listed in a file; whatever
/// else fails, and whatever is listed and passes, ends the run with an error.
#[test]
fn the_older_protocol_and_the_program_itself() {
    only_fixtures_are_missing(OLDER, 12);
}

#[test]
fn the_newer_protocol_and_the_program_itself() {
    only_fixtures_are_missing(NEWER, 12);
}

/// Without the token nothing passes: the suite does reach the gate.
#[test]
fn the_suite_without_the_token_fails() {
    let mut wrong = fixtures::served();
    "another token".clone_into(&mut wrong.token);
    let folder = tempfile::tempdir().expect("a folder");
    let run = run(&wrong, OLDER.0, folder.path(), &["--scenario", "ping"]);
    assert_ne!(run.code, Some(0), "{}", run.out);
    assert!(run.out.contains("a token is needed") || run.out.contains("401"), "{}", run.out);
}

fn all_scored_pass((revision, count): (&str, usize)) {
    let folder = tempfile::tempdir().expect("a folder");
    let run = run(&fixtures::served(), revision, folder.path(), &["--requirements", revision]);
    let scored = scored(revision);
    assert_eq!(scored.len(), count, "scenarios that are scored");
    let results: Vec<Checks> = scored.iter().map(|it| Checks::of(folder.path(), it)).collect();
    for result in &results {
        assert!(result.is_passed(), "{}: {:#?}", result.scenario, result.wrong);
    }
    assert_eq!(run.code, Some(0), "{}\n{}", run.out, run.err);
    let (checks, skipped): (usize, usize) =
        (results.iter().map(|it| it.passed).sum(), results.iter().map(|it| it.skipped).sum());
    println!(
        "{revision}: {count} of {count} scored scenarios, {checks} checks passed, {skipped} not applicable"
    );
    told_of_the_rest(folder.path(), revision, &scored);
}

fn only_fixtures_are_missing((revision, count): (&str, usize), without_fixtures: usize) {
    let wl = Wl::with_tasks(&["one", "two < one"]);
    let served = Served::at(&wl);
    let folder = tempfile::tempdir().expect("a folder");
    let baseline = beside(&format!("without-fixtures-{revision}.yml"));
    let baseline = ["--expected-failures", baseline.to_str().expect("a path")];
    let run = run(
        &served.address,
        revision,
        folder.path(),
        &[&["--requirements", revision], baseline.as_slice()].concat(),
    );
    assert_eq!(run.code, Some(0), "{}\n{}", run.out, run.err);
    let scored = scored(revision);
    let passed: Vec<&String> = scored.iter().filter(|it| Checks::of(folder.path(), it).is_passed()).collect();
    println!("{revision}: {} of {count} scored scenarios need no fixture: {passed:?}", passed.len());
    assert_eq!(passed.len(), without_fixtures, "{passed:?}");
}

/// What is run and not scored is told, and no more.
fn told_of_the_rest(folder: &Path, revision: &str, scored: &[String]) {
    let names = fs::read_dir(folder).expect("results").flatten().map(|it| it.file_name());
    let names = names.filter_map(|it| scenario(it.to_str()?).map(str::to_owned));
    let rest: Vec<String> = names.filter(|it| !scored.contains(it)).collect();
    let passed = rest.iter().filter(|it| Checks::of(folder, it).is_passed()).count();
    println!("{revision}: {passed} of {} scenarios that are not scored", rest.len());
}

/// Runs the suite against a server, and keeps its results in a folder.
fn run(address: &Address, revision: &str, results: &Path, how: &[&str]) -> Said {
    let mut command = node("conformance");
    command.args(["server", "--url", &address.url(), "-o"]).arg(results).args(how);
    if !how.contains(&"--requirements") {
        command.args(["--spec-version", revision]);
    }
    said(address.with_token(&mut command))
}

/// The scenarios that a revision requires of a server, as the suite itself has them.
fn scored(revision: &str) -> Vec<String> {
    let path = format!("npm/node_modules/@modelcontextprotocol/conformance/requirements/{revision}.yaml");
    let text = fs::read_to_string(tool(&path)).expect("the requirements");
    let list = text.lines().skip_while(|it| *it != "server:").skip(1);
    list.map_while(|it| it.trim().strip_prefix("- ")).map(str::to_owned).collect()
}

/// The name within `server-NAME-2026-11-15T16-09-27-000Z`: the time is always so long.
fn scenario(folder: &str) -> Option<&str> {
    const TIME: usize = "-2026-11-15T16-09-27-000Z".len();
    let named = folder.strip_prefix("server-")?;
    named.get(..named.len().checked_sub(TIME)?)
}

/// What came of one scenario.
struct Checks {
    scenario: String,
    passed: usize,
    skipped: usize,
    wrong: Vec<Value>,
}

impl Checks {
    fn of(results: &Path, scenario_name: &str) -> Checks {
        let mut folders = fs::read_dir(results).expect("results").flatten();
        let found = folders.find(|it| it.file_name().to_str().and_then(scenario) == Some(scenario_name));
        let found = found.unwrap_or_else(|| panic!("{scenario_name} was not run"));
        let text = fs::read_to_string(found.path().join("checks.json")).expect("its checks");
        let checks: Vec<Value> = serde_json::from_str(&text).expect("JSON");
        let count = |status: &str| checks.iter().filter(|it| it["status"] == status).count();
        let (passed, skipped) = (count("SUCCESS"), count("SKIPPED"));
        let is_wrong = |it: &Value| it["status"] == "FAILURE" || it["status"] == "WARNING";
        let wrong = checks.into_iter().filter(is_wrong).collect();
        Checks { scenario: scenario_name.to_owned(), passed, skipped, wrong }
    }

    fn is_passed(&self) -> bool {
        self.passed > 0 && self.wrong.is_empty()
    }
}
