//! `wl store`, and what the other commands say of a database.

use crate::{
    Tested, Wl,
    team::{database, empty, server},
    wl::Read,
};
use serde_json::json;

pub(crate) const TESTED: Tested = Tested::new("store", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::new().with("WORKLIST_STORE", &empty());
    wl.ok(&["store", "init"]).stdout_has("Made room for lists in postgres://").stdout_has("(schema 6)");
    wl.ok(&["store", "init"]).stdout_has("has schema 6 already; nothing was done.");
    wl.ok(&["store", "migrate"]).stdout_has("nothing was done");
    wl.ok(&["--list", "release", "init"]).stdout_has("#release (format postgres)");
    wl.ok(&["--list", "release", "init"]).stdout_has("There is a list already at");
    wl.ok(&["--list", "release", "add", "a"]);
    wl.by("ann").ok(&["--list", "release", "next"]);
    let status = wl.ok(&["store", "status"]);
    status.stdout_has("tasks         1 task, 1 claimed").stdout_has("oldest lease  silent for 0 s");
    wl.ok(&["lists"]).stdout_has("1 open of 1").stdout_has("--list release");
    server().sql("postgres", "CREATE ROLE painter LOGIN");
    wl.ok(&["store", "grant", "painter", "--only", "release"]).stdout_has("painter may use release in");
}

#[test]
fn json() {
    let wl = Wl::new().with("WORKLIST_STORE", &empty());
    let made = wl.json(&["store", "init"]);
    assert_eq!((&made["from"], &made["schema"]), (&json!(0), &json!(6)));
    let status = wl.json(&["store", "status"]);
    assert_eq!(
        (&status["lists"], &status["known"], &status["role"]),
        (&json!(0), &json!(6), &json!("postgres"))
    );
    server().sql("postgres", "CREATE ROLE reader LOGIN");
    assert_eq!(wl.json(&["store", "grant", "reader"])["lists"], json!([]));
    wl.json(&["--list", "x", "init"]);
    assert_eq!(wl.json(&["lists", "--all"])["lists"][0]["kind"], "shared");
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["store", "status"], 2, "invalid").says("--store is missing");
    wl.fails(&["store"], 2, "usage");
    let bare = wl.with("WORKLIST_STORE", &empty());
    bare.fails(&["store", "status"], 1, "older").hints("wl store init");
    bare.fails(&["store", "migrate"], 1, "older");
    bare.fails(&["--list", "x", "list"], 1, "older").says("there is no room for lists in postgres://");
    let wl = wl.with("WORKLIST_STORE", &database());
    wl.fails(&["list"], 2, "invalid").hints("--list NAME");
    wl.fails(&["list", "--list", "none"], 4, "no_list").says("#none");
    wl.fails(&["list", "--list", "none", "--format", "s12"], 2, "invalid").says("--format");
    wl.fails(&["store", "grant", "nobody-at-all"], 1, "server").says("does not exist");
    let secret = ["--store", "postgres://ann:sesame@db.example/team", "--list", "x", "list"];
    let failed = wl.fails(&secret, 2, "invalid");
    failed.says("has a password in it");
    for line in [&secret[..], &["--store", "postgres://127.0.0.1:1/x", "--list", "x", "list"]] {
        let run = wl.run(line);
        assert!(!format!("{}{}", run.out, run.err).contains("sesame"), "{}", run.err);
    }
    wl.fails(&["--store", "postgres://127.0.0.1:1/x", "--list", "x", "list"], 1, "server")
        .says("could not open");
    wl.fails(&["--store", "mysql://db/x", "--list", "x", "list"], 2, "invalid")
        .says("not the URL of a PostgreSQL");
}

/// A repository's settings have no say in where lists are.
#[test]
fn a_lists_own_settings_cannot_name_a_store() {
    let wl = Wl::with_tasks(&["a"]);
    wl.write(".tasks/worklist.toml", "store = \"postgres://elsewhere.example/x\"\n");
    wl.fails(&["list"], 2, "invalid").says("is the user's to set");
    let own = Wl::with_tasks(&["in files"]);
    own.write("home/.config/worklist/config.toml", &format!("store = \"{}\"\n", database()));
    own.ok(&["list"]).stdout_has("in files");
    own.ok(&["--list", "by-settings", "add", "in the database"]);
    own.ok(&["list"]).stdout_has("in files");
    assert_eq!(own.json(&["--list", "by-settings", "list"])["tasks"][0]["subject"], "in the database");
}

/// With its history, claims and all, there and back.
#[test]
fn a_list_moves_to_a_database_and_back() {
    let wl = Wl::with_tasks(&["a", "b < a", "c < a"]);
    wl.by("ann").ok(&["done", "1"]);
    let whole = wl.ok(&["export"]).out;
    let store = format!("{}#moved", database());
    wl.json(&["convert", &store]);
    let shared = Wl::new().with("WORKLIST_STORE", &database()).with("WORKLIST_LIST", "moved");
    let rest = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rest(&shared.ok(&["export"]).out), rest(&whole));
    shared.fails(&["convert", "claude"], 2, "invalid").says("PATH");
    shared.ok(&["convert", "claude", "files"]);
    assert_eq!(rest(&shared.ok(&["export", "--dir", "files"]).out), rest(&whole));
    let twice = wl.run(&["convert", &store, "--json"]);
    assert_eq!(twice.json()["error"].word("code"), "invalid", "a list with tasks is not written over");
    shared.ok(&["undo", "4"]);
    assert_eq!(shared.json(&["show", "1"])["task"]["status"], "pending");
}
