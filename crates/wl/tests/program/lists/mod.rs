//! Whole lists: finding, moving, mending.

pub(crate) mod convert;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod import;
#[expect(clippy::module_inception, reason = "it is the name of the command")]
pub(crate) mod lists;
pub(crate) mod store;

use crate::{Wl, wl::Read};

/// A list with a bit of everything: edges, a claim, a completion, fields of ours, a plan, a removal, a foreign change.
fn lived(format: &str) -> Wl {
    let wl = Wl::of_format(format, &["a", "b < a", "c < b", "gone"]);
    let list = wl.json(&["list"]);
    let id = |subject: &str| list.task("subject", subject).word("id").to_owned();
    wl.ok(&["edit", &id("b"), "--priority", "high", "--tag", "x", "--meta", "n=1.50", "-d", "two\nlines"]);
    wl.by("ann").ok(&["claim", &id("a")]);
    wl.by("ann").ok(&["done", &id("a")]);
    wl.by("ann").ok(&["claim", &id("b"), "--lease", "2h"]);
    wl.ok(&["rm", &id("gone")]);
    wl.input("- [ ] p {#p}\n- [ ] q (after: p)\n").ok(&["plan", "-", "--key", "k"]);
    wl
}

/// What a list holds, without its ids: subjects, states, and who waits for whom by subject.
fn contents(wl: &Wl) -> Vec<String> {
    let list = wl.json(&["list", "--all"]);
    let tasks = list.items("tasks");
    let subject =
        |id: &serde_json::Value| tasks.iter().find(|it| it["id"] == *id).map_or("?", |it| it.word("subject"));
    let told = tasks.iter().map(|it| {
        let waits: Vec<&str> = it.items("blockedBy").iter().map(subject).collect();
        format!(
            "{} {} {} after {waits:?} {} {} {} {}",
            it["subject"],
            it["state"],
            it["description"],
            it["owner"],
            it["priority"],
            it["tags"],
            it["metadata"]
        )
    });
    let mut told: Vec<String> = told.collect();
    told.sort();
    told
}
