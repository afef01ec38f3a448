//! Conversations that become too long: a summary takes their place, and the tasks stay.

use crate::{Read, Service, Step, Turn, at, json, no_key, place, then};

#[test]
fn a_conversation_is_summarised_on_demand() {
    let wl = place();
    let service = Service::playing([
        Step::Turn(Turn::calls("TaskCreate", json!({"subject": "Keep me"}))),
        Step::Turn(Turn::says("Made.")),
        then(|asked| {
            assert!(
                asked.news().pop().expect("a message").starts_with("Write a summary"),
                "{:?}",
                asked.news()
            );
            Turn::says("SUMMARY: one task was made.")
        }),
        then(|asked| {
            let messages = asked.body["messages"].as_array().expect("messages").len();
            assert_eq!(messages, 1, "{:#}", asked.body["messages"]);
            let news = asked.news();
            assert!(
                news[0].contains("SUMMARY: one task was made.") && news[0].contains("#1 [ready] Keep me"),
                "{news:?}"
            );
            assert_eq!(news[1], "And now?");
            Turn::says("On we go.")
        }),
    ]);
    let url = service.url();
    let said = wl.input("Make it\n/compact\nAnd now?\n").run(&at(&url, &[])).code(0);
    no_key(&said);
    service.ended();
    said.stdout("Made.\nOn we go.\n").stderr_has("the conversation was summarised");
    assert_eq!(wl.json(&["list"]).items("tasks")[0]["subject"], "Keep me");
}

/// Near the limit it happens by itself, in the middle of the work.
#[test]
fn a_conversation_is_summarised_near_the_limit() {
    let wl = place();
    wl.write("long.txt", &"a line of text that is long\n".repeat(1_500));
    let service = Service::playing([
        Step::Turn(Turn::calls("TaskCreate", json!({"subject": "Keep me"}))),
        Step::Turn(Turn::calls("read_file", json!({"path": "long.txt"}))),
        then(|asked| {
            assert!(asked.news().pop().expect("a message").starts_with("Write a summary"));
            Turn::says("SUMMARY: the file was read.")
        }),
        then(|asked| {
            let news = asked.news();
            assert!(news.len() == 1 && news[0].contains("SUMMARY: the file was read."), "{news:?}");
            assert!(news[0].ends_with("Go on with the work."), "{news:?}");
            Turn::says("Done.")
        }),
    ]);
    crate::plays(&wl, &service, &["--context", "9000"]).stdout("Done.\n");
    assert_eq!(wl.json(&["list"]).items("tasks").len(), 1);
}

/// A summary that was not written leaves the conversation as it was.
#[test]
fn without_a_summary_nothing_is_lost() {
    let service = Service::playing([
        Step::Turn(Turn::says("Hello.")),
        Step::Turn(Turn::default()),
        then(|asked| {
            assert_eq!(
                asked.body["messages"].as_array().map(Vec::len),
                Some(3),
                "{:#}",
                asked.body["messages"]
            );
            Turn::says("Still here.")
        }),
    ]);
    let url = service.url();
    let said = place().input("Hi\n/compact\nStill there?\n").run(&at(&url, &[])).code(0);
    said.stdout("Hello.\nStill here.\n").stderr_has("the model wrote no summary");
    service.ended();
}
