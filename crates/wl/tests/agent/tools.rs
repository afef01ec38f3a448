//! The loop and its tools: calls that go together, calls that make no sense, reminders, bounds.

use crate::{Read, Service, Step, Turn, json, place, plays, run, then};

/// Results come back in the order of the calls, whichever ended first, and changes see what stood before them.
#[test]
fn calls_of_one_turn_keep_their_order() {
    let wl = place();
    wl.write("a.txt", "a\n");
    wl.write("b.txt", "b\n");
    let turn = Turn::calls("read_file", json!({"path": "a.txt"}))
        .and("read_file", json!({"path": "b.txt"}))
        .and("TaskList", json!({}))
        .and("write_file", json!({"path": "a.txt", "content": "new\n"}))
        .and("bash", json!({"command": "cat a.txt"}))
        .and("edit_file", json!({"path": "a.txt", "old_text": "new", "new_text": "newer"}))
        .and("read_file", json!({"path": "a.txt"}));
    let service = Service::playing([
        Step::Turn(turn),
        then(|asked| {
            let news = asked.news();
            assert_eq!((&news[0][..], &news[1][..]), ("a\n", "b\n"));
            assert_eq!((&news[4][..], &news[6][..]), ("new", "newer\n"));
            assert_eq!(news.len(), 7);
            Turn::says("In order.")
        }),
    ]);
    plays(&wl, &service, &["--yes"]);
    assert_eq!(wl.read("a.txt"), "newer\n");
    assert!(!wl.path(".tasks").exists(), "looking made a list");
}

#[test]
fn nonsense_is_answered() {
    let service = Service::playing([
        Step::Turn(
            Turn::calls("no_such_tool", json!({}))
                .raw("read_file", "{\"path\": ")
                .raw("bash", "[1]")
                .and("write_file", json!({"path": 7}))
                .raw("TaskCreate", "nonsense")
                .raw("TaskList", ""),
        ),
        then(|asked| {
            let content = asked.body["messages"][2]["content"].as_array().expect("results").clone();
            let errors: Vec<bool> = content.iter().map(|it| it["is_error"] == true).collect();
            assert_eq!(errors, [true, true, true, true, true, false], "{content:#?}");
            // What cannot be read goes back as nothing: the service takes only objects.
            assert_eq!(asked.body["messages"][1]["content"][1]["input"], json!({}));
            Turn::says("I see.")
        }),
    ]);
    plays(&place(), &service, &[]).stdout("I see.\n");
}

/// After three turns without a change of tasks, and not again before three more.
#[test]
fn the_model_is_reminded() {
    let wl = place();
    wl.ok(&["init"]);
    wl.ok(&["add", "Long running"]);
    wl.ok(&["add", "Another"]);
    let look = || Step::Turn(Turn::calls("TaskList", json!({})));
    let steps = (0..7).map(|_| look()).chain([Step::Turn(Turn::says("Done."))]);
    let service = Service::playing(steps);
    plays(&wl, &service, &["--reminder", "3"]);
    let reminded: Vec<bool> = service
        .asked()
        .iter()
        .map(|it| it.news().iter().any(|it| it.contains("haven't been used")))
        .collect();
    assert_eq!(reminded, [false, false, false, true, false, false, true, false]);
    let reminder = service.asked()[3].news().pop().expect("a reminder");
    assert!(reminder.contains("\n#1. [pending] Long running\n#2. [pending] Another\n"), "{reminder}");
}

#[test]
fn a_change_of_tasks_resets_the_reminder_and_zero_switches_it_off() {
    for (every, wanted) in [("2", vec![false, false, false, false, true]), ("0", vec![false; 5])] {
        let wl = place();
        let look = || Turn::calls("TaskList", json!({}));
        let make = Turn::calls("TaskCreate", json!({"subject": "x"}));
        let service = Service::saying([look(), make, look(), look(), Turn::says("Done.")]);
        plays(&wl, &service, &["--reminder", every]);
        let reminded: Vec<bool> = service
            .asked()
            .iter()
            .map(|it| it.news().iter().any(|it| it.contains("haven't been used")))
            .collect();
        assert_eq!(reminded, wanted, "--reminder {every}");
    }
}

#[test]
fn turns_are_bounded() {
    let wl = place();
    let service =
        Service::playing((0..9).map(|_| Step::Turn(Turn::calls("TaskCreate", json!({"subject": "again"})))));
    let said = run(&wl, &service, &["--max-turns", "3"]).code(1);
    said.stderr_has("error: the work did not end within 3 turns");
    assert_eq!(service.asked().len(), 3);
    assert_eq!(wl.json(&["list"]).items("tasks").len(), 3, "what was done stays done");
}

/// The system text is ours, or the one in a file; what is open is told in either.
#[test]
fn the_system_text() {
    let wl = place();
    wl.ok(&["init"]);
    wl.ok(&["add", "Left over"]);
    wl.write("system.txt", "You are a pirate.");
    for (more, wanted) in [
        (&[][..], "You are a coding agent. Use task tools to plan and track work."),
        (&["--system", "system.txt"][..], "You are a pirate."),
    ] {
        let service = Service::saying([Turn::says("Aye.")]);
        plays(&wl, &service, more);
        let system = service.asked()[0].system();
        assert!(system.starts_with(wanted) && system.contains("#1 [ready] Left over"), "{system}");
    }
}

/// One object for each event.
#[test]
fn events_for_scripts() {
    let wl = place();
    let service = Service::saying([
        Turn::says("I look.").and("TaskCreate", json!({"subject": "x"})).and("odd", json!({})),
        Turn::says("Done."),
    ]);
    let said = plays(&wl, &service, &["--json"]);
    let kinds: Vec<String> = said.lines().iter().map(|it| it.word("type").to_owned()).collect();
    assert_eq!(kinds, ["start", "text", "call", "result", "call", "result", "text", "end"]);
    let lines = said.lines();
    assert_eq!(lines[3]["isError"], false);
    assert_eq!(lines[5]["isError"], true);
    assert_eq!(
        (&lines[7]["turns"], &lines[7]["stop"], &lines[7]["text"]),
        (&json!(2), &json!("done"), &json!("Done."))
    );
    said.stderr("");
}
