//! Lists that earlier versions left, in the fixtures: the program of today reads them and goes on with them. Not lists that
//! it made itself.

use crate::{
    tally::Tally,
    wl::{FORMATS, Read, Wl},
};
use serde_json::Value;
use std::{fs, path::Path};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/versions");

/// A list of a version in a place of its own.
pub(super) fn list(version: &str, format: &str) -> Wl {
    let wl = Wl::new();
    copy(&Path::new(FIXTURES).join(version).join(format).join("list"), &wl.path(".tasks"));
    wl
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").map(|it| it.expect("an entry")) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).expect("a copy");
        }
    }
}

fn told(version: &str, format: &str, file: &str) -> Value {
    let path = Path::new(FIXTURES).join(version).join(format).join(file);
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

/// Where today's answer does not say what was said then. It may say more.
fn missing(then: &Value, now: &Value, place: &str, found: &mut Vec<String>) {
    match (then, now) {
        (Value::Object(then), Value::Object(_)) => {
            then.iter().for_each(|(key, it)| missing(it, &now[key], &format!("{place}.{key}"), found));
        }
        (Value::Array(then), Value::Array(items)) if then.len() == items.len() => {
            let pairs = then.iter().zip(items).enumerate();
            pairs.for_each(|(n, (then, now))| missing(then, now, &format!("{place}[{n}]"), found));
        }
        _ if then == now => {}
        _ => found.push(format!("{place} was {then} and is {now}")),
    }
}

fn is_read(wl: &Wl, version: &str, format: &str) -> Result<(), String> {
    let mut found = Vec::new();
    missing(&told(version, format, "tasks.json"), &wl.json(&["list", "--all"]), "list", &mut found);
    missing(&told(version, format, "log.json"), &wl.json(&["log"]), "log", &mut found);
    if found.is_empty() { Ok(()) } else { Err(format!("{version} {format}: {found:?}")) }
}

/// New changes stand behind the old ones, numbers go on, and old changes can still be taken back.
fn is_continued(wl: &Wl, version: &str, format: &str) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{version} {format}: {what}"));
    let before = fs::read(wl.path(".tasks/.worklist/journal")).expect("a journal");
    let log = told(version, format, "log.json");
    let (last, token) = (log["seq"].as_u64(), highest_token(&before));
    let claimed = wl.json(&["next"]);
    if claimed["token"].as_u64() <= token {
        return wrong(&format!("token {} after {token:?}", claimed["token"]));
    }
    wl.ok(&["done", claimed["task"].word("id")]);
    let added = wl.json(&["add", "Fill", "--after", claimed["task"].word("id")]);
    let old = told(version, format, "tasks.json");
    if old.items("tasks").iter().any(|it| it["id"] == added["task"]["id"]) {
        return wrong("an id is given again");
    }
    wl.ok(&["undo", "5"]);
    if wl.json(&["list", "--all"]).task("subject", "Dig")["status"] != "completed" {
        return wrong("an old change is not taken back");
    }
    let after = fs::read(wl.path(".tasks/.worklist/journal")).expect("a journal");
    let seq = wl.json(&["log"])["seq"].as_u64();
    match after.starts_with(&before) && seq == last.map(|it| it + 4) {
        true if wl.run(&["doctor"]).code(0).out.contains("fault") => wrong("the doctor finds faults"),
        true => Ok(()),
        false => wrong("the journal does not go on where it ended"),
    }
}

/// The highest number of a claim in a journal.
fn highest_token(journal: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(journal);
    let numbers = text.split("\"fence\":").skip(1).filter_map(|it| it.split([',', '}']).next()?.parse().ok());
    numbers.max()
}

#[test]
fn lists_of_every_version_are_read_and_continued() {
    let mut tally = Tally::new("R18 lists of earlier versions");
    for version in ["1"] {
        for format in FORMATS {
            let wl = list(version, format);
            tally.trial(is_read(&wl, version, format));
            tally.trial(is_continued(&wl, version, format));
        }
    }
    tally.end();
}

/// Whatever is beneath `.worklist` but the journal can be made anew, also where a newer program left it.
#[test]
fn an_index_of_another_version_is_made_anew() {
    let mut tally = Tally::new("R18 an index of another version");
    for format in FORMATS {
        let wl = list("1", format);
        let index = wl.path(".tasks/.worklist/index");
        let bytes = fs::read(&index).expect("an index");
        fs::write(&index, [b"WLINDEX2", &bytes[8..]].concat()).expect("an index");
        tally.trial(is_read(&wl, "1", format));
        tally.trial(is_continued(&wl, "1", format));
    }
    tally.end();
}
