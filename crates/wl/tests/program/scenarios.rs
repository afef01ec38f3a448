//! The worked examples of the documents that the formats come from, in every format, by hand of the program alone.

use crate::{
    Wl,
    wl::{FORMATS, Read},
};
use serde_json::Value;

/// A list in a format, spoken to by subject: ids differ between formats.
struct Team {
    wl: Wl,
    format: &'static str,
}

impl Team {
    fn new(format: &'static str) -> Team {
        let wl = Wl::new();
        wl.ok(&["init", "--format", format]);
        Team { wl, format }
    }

    fn id(&self, subject: &str) -> String {
        self.wl.json(&["list", "--all"]).task("subject", subject).word("id").to_owned()
    }

    fn add(&self, subject: &str, after: &[&str]) {
        let after: Vec<String> = after.iter().flat_map(|it| ["--after".to_owned(), self.id(it)]).collect();
        let mut arguments = vec!["add", subject];
        arguments.extend(after.iter().map(String::as_str));
        self.wl.ok(&arguments);
    }

    /// Claims and completes a task; the subjects of what that unblocked.
    fn finish(&self, subject: &str) -> Vec<String> {
        let id = self.id(subject);
        assert_eq!(self.wl.json(&["claim", &id])["task"]["status"], "in_progress", "{}", self.format);
        let done = self.wl.json(&["done", &id]);
        let mut freed: Vec<String> =
            done.items("unblocked").iter().map(|it| it.word("subject").to_owned()).collect();
        freed.sort();
        freed
    }

    /// The subjects of what is ready, sorted.
    fn ready(&self) -> Vec<String> {
        let ready = self.wl.json(&["ready"]);
        let mut subjects: Vec<String> =
            ready.items("tasks").iter().map(|it| it.word("subject").to_owned()).collect();
        subjects.sort();
        subjects
    }

    /// The subjects of what a task still waits for, sorted.
    fn waits(&self, subject: &str) -> Vec<String> {
        let list = self.wl.json(&["list", "--all"]);
        let blockers = list.task("subject", subject).items("openBlockers").iter();
        let subject =
            |id: &Value| list.task("id", id.as_str().unwrap_or_default()).word("subject").to_owned();
        let mut waits: Vec<String> = blockers.map(subject).collect();
        waits.sort();
        waits
    }

    /// Refused, because it waits.
    fn must_wait(&self, subject: &str) {
        self.wl.fails(&["claim", &self.id(subject)], 3, "blocked");
    }
}

fn in_every_format(scenario: fn(&Team)) {
    for format in FORMATS {
        let team = Team::new(format);
        scenario(&team);
        let health = team.wl.json(&["doctor"]);
        assert!(health.items("findings").iter().all(|it| it["severity"] != "fault"), "{format}: {health:#}");
    }
}

/// "Putting It Together": schema, then endpoints and docs, then tests.
#[test]
fn putting_it_together() {
    in_every_format(|team| {
        team.add("schema", &[]);
        team.add("endpoints", &["schema"]);
        team.add("tests", &["endpoints"]);
        team.add("docs", &["schema"]);
        assert_eq!(team.ready(), ["schema"]);
        team.must_wait("tests");
        assert_eq!(team.finish("schema"), ["docs", "endpoints"]);
        assert_eq!(team.finish("endpoints"), ["tests"]);
        assert_eq!(team.finish("docs"), [""; 0]);
        assert_eq!(team.finish("tests"), [""; 0]);
        team.wl.fails(&["next"], 6, "nothing_ready");
        team.wl.ok(&[]).stdout_has("4 tasks: 0 ready, 0 in progress, 0 blocked, 4 completed");
    });
}

/// "Create 3 tasks … depend on each other in order", list them with the graph, complete the first.
#[test]
fn three_in_order() {
    in_every_format(|team| {
        team.add("Setup project", &[]);
        team.add("Write code", &["Setup project"]);
        team.add("Write tests", &["Write code"]);
        team.wl.ok(&["graph"]).stdout_has("Setup project").stdout_has("Write tests");
        assert_eq!(
            (team.ready(), team.waits("Write tests")),
            (vec!["Setup project".to_owned()], vec!["Write code".to_owned()])
        );
        assert_eq!(team.finish("Setup project"), ["Write code"]);
        assert_eq!((team.ready(), team.waits("Write code")), (vec!["Write code".to_owned()], vec![]));
        team.must_wait("Write tests");
    });
}

/// "Create a task board for refactoring: parse -> transform -> emit -> test".
#[test]
fn a_chain_for_refactoring() {
    in_every_format(|team| {
        let chain = ["parse", "transform", "emit", "test"];
        for (n, subject) in chain.iter().enumerate() {
            team.add(subject, &chain[n.saturating_sub(1)..n]);
        }
        for (n, subject) in chain.iter().enumerate() {
            assert_eq!(team.ready(), [*subject]);
            assert_eq!(
                team.finish(subject),
                chain[n + 1..].iter().take(1).map(ToString::to_string).collect::<Vec<_>>()
            );
        }
    });
}

/// The same, "where transform and emit can run in parallel after parse".
#[test]
fn a_board_for_refactoring_in_parallel() {
    in_every_format(|team| {
        team.add("parse", &[]);
        team.add("transform", &["parse"]);
        team.add("emit", &["parse"]);
        team.add("test", &["transform", "emit"]);
        assert_eq!(team.finish("parse"), ["emit", "transform"]);
        assert_eq!(team.ready(), ["emit", "transform"]);
        assert_eq!(team.finish("emit"), [""; 0], "one of two is not enough");
        assert_eq!(team.waits("test"), ["transform"]);
        assert_eq!(team.finish("transform"), ["test"]);
    });
}

/// The diamond: 1, then 2 and 3 in parallel, then 4, which waits for both; by two workers at once.
#[test]
fn the_diamond() {
    in_every_format(|team| {
        team.add("1", &[]);
        team.add("2", &["1"]);
        team.add("3", &["1"]);
        team.add("4", &["2", "3"]);
        assert_eq!(team.waits("4"), ["2", "3"]);
        team.must_wait("2");
        assert_eq!(team.finish("1"), ["2", "3"]);
        let (ann, bob) = (team.wl.by("ann"), team.wl.by("bob"));
        let taken = [ann.json(&["next"]), bob.json(&["next"])];
        assert_ne!(taken[0]["task"]["id"], taken[1]["task"]["id"], "{}", team.format);
        team.wl.fails(&["next"], 6, "nothing_ready");
        ann.ok(&["done", taken[0]["task"].word("id")]);
        team.must_wait("4");
        let last = bob.json(&["done", taken[1]["task"].word("id")]);
        assert_eq!(last["unblocked"][0]["subject"], "4");
        assert_eq!(team.finish("4"), [""; 0]);
    });
}

/// "Set up database", "Write API endpoints", "Write tests": after the first, the last waits for the second only.
#[test]
fn a_database_an_api_and_tests() {
    in_every_format(|team| {
        team.add("Set up database", &[]);
        team.add("Write API endpoints", &["Set up database"]);
        team.add("Write tests", &["Set up database", "Write API endpoints"]);
        assert_eq!(team.waits("Write tests"), ["Set up database", "Write API endpoints"]);
        assert_eq!(team.finish("Set up database"), ["Write API endpoints"]);
        assert_eq!(team.ready(), ["Write API endpoints"]);
        assert_eq!(team.waits("Write tests"), ["Write API endpoints"]);
    });
}
