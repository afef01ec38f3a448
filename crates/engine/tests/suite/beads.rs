//! Issues of beads: a cut of the file of that project itself, and small files for what it does not hold.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests read the fixture by hand")]

use std::{collections::HashSet, fs, path::Path};
use worklist::{
    Priority, Status, Task,
    graph::Graph,
    json::{Json, Object, Style, parse, write},
    transfer::beads::{Finding, Imported, read},
};

fn cut() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/beads/issues.jsonl");
    fs::read_to_string(path).unwrap()
}

fn task<'a>(imported: &'a Imported, id: &str) -> &'a Task {
    imported.tasks.iter().find(|it| it.id.as_str() == id).unwrap_or_else(|| panic!("{id}"))
}

fn count(findings: &[Finding], what: &str) -> usize {
    findings.iter().find(|it| it.what == what).map_or(0, |it| it.count)
}

/// What the metadata of a task keeps of its issue.
fn rest(task: &Task) -> Object {
    task.metadata.get("beads").and_then(Json::as_object).cloned().unwrap_or_default()
}

/// An issue with little in it, and whatever else is given.
fn issue(id: &str, more: &str) -> String {
    let comma = if more.is_empty() { "" } else { "," };
    format!(r#"{{"id":"{id}","title":"T","status":"open","priority":2,"issue_type":"task"{comma}{more}}}"#)
}

fn dependencies(of: &str, on: &[(&str, &str)]) -> String {
    let entry = |(to, kind): &(&str, &str)| {
        format!(r#"{{"issue_id":"{of}","depends_on_id":"{to}","type":"{kind}","created_by":"ann"}}"#)
    };
    format!(r#""dependencies":[{}]"#, on.iter().map(entry).collect::<Vec<_>>().join(","))
}

fn linked(id: &str, on: &[(&str, &str)]) -> String {
    issue(id, &dependencies(id, on))
}

#[test]
fn the_cut_is_read_and_every_issue_is_accounted_for() {
    let imported = read(&cut()).unwrap();
    let report = &imported.report;
    assert_eq!((report.issues, report.taken, report.edges), (60, 42, 9));
    assert_eq!(imported.tasks.len(), report.taken);
    assert_eq!(count(&report.left_out, "deleted issues"), 18);
    assert_eq!(count(&report.left_out, "edges to deleted issues"), 2);
    assert_eq!(count(&report.left_out, "edges to issues that are not in the file"), 3);
    assert_eq!(count(&report.left_out, "second parents"), 1);
    assert_eq!(count(&report.changed, "status `hooked` became pending"), 2);
    assert_eq!(count(&report.changed, "type `epic` became a tag"), 6);
    assert!(report.changed.iter().chain(&report.left_out).all(|it| (1..=5).contains(&it.examples.len())));
    assert_eq!(Graph::new(&imported.tasks).cycle(), None);
}

/// Every key of every issue is a field of its task or in its metadata as it stood.
#[test]
fn nothing_in_the_cut_is_lost() {
    let imported = read(&cut()).unwrap();
    for line in cut().lines() {
        let issue = parse(line).unwrap();
        let issue = issue.as_object().unwrap();
        let text = |key: &str| issue.get(key).and_then(Json::as_str);
        if text("status") == Some("tombstone") {
            continue;
        }
        let task = task(&imported, text("id").unwrap());
        let rest = rest(task);
        for (key, value) in issue.iter() {
            match key {
                "id" => {}
                "title" => assert!(value.as_str() == Some(&task.subject) || rest.get(key) == Some(value)),
                "description" | "notes" => assert!(task.description.contains(value.as_str().unwrap().trim())),
                "status" => assert!(
                    rest.get(key) == Some(value) || ["open", "closed"].contains(&value.as_str().unwrap())
                ),
                "created_at" => assert!(task.created_at.is_some()),
                "updated_at" => assert!(task.updated_at.is_some()),
                "labels" => assert!(
                    value
                        .as_array()
                        .unwrap()
                        .iter()
                        .all(|it| task.tags.iter().any(|tag| Some(tag.as_str()) == it.as_str()))
                ),
                "dependencies" => assert_dependencies(task, value.as_array().unwrap()),
                _ => assert_eq!(rest.get(key), Some(value), "{key} of {}", task.id),
            }
        }
    }
}

fn assert_dependencies(task: &Task, entries: &[Json]) {
    let kept =
        rest(task).get("dependencies").and_then(Json::as_array).map(<[Json]>::to_vec).unwrap_or_default();
    for entry in entries {
        let on = entry.as_object().unwrap().get("depends_on_id").and_then(Json::as_str).unwrap();
        let taken = task.blocked_by.iter().chain(&task.parent).any(|it| it.as_str() == on);
        assert!(taken != kept.contains(entry), "{} -> {on}", task.id);
    }
}

#[test]
fn edges_stand_on_both_ends() {
    let imported = read(&cut()).unwrap();
    let edges =
        |of: fn(&Task) -> Vec<(String, String)>| imported.tasks.iter().flat_map(of).collect::<HashSet<_>>();
    let down = edges(|it| it.blocked_by.iter().map(|by| (by.to_string(), it.id.to_string())).collect());
    let up = edges(|it| it.blocks.iter().map(|on| (it.id.to_string(), on.to_string())).collect());
    assert_eq!(down, up);
    assert_eq!(down.len(), imported.report.edges);
}

#[test]
fn an_issue_with_everything() {
    let line = issue(
        "bd-1",
        r#""description":"What","design":"How","acceptance_criteria":"- [ ] works","notes":"And","assignee":"ann",
        "labels":["db","bug"],"estimated_minutes":30,"external_ref":"gh-9","created_at":"2025-10-28T16:30:26.631191-07:00",
        "updated_at":"not a time","closed_at":null,"pinned":true"#,
    );
    let line = line.replace('\n', "").replace("\"open\"", "\"in_progress\"").replace("\"task\"", "\"bug\"");
    let imported = read(&line.replace(":2,", ":0,")).unwrap();
    let task = &imported.tasks[0];
    assert_eq!(
        task.description,
        "What\n\n## Design\n\nHow\n\n## Acceptance criteria\n\n- [ ] works\n\n## Notes\n\nAnd"
    );
    assert_eq!(
        (task.status, task.owner.as_deref(), task.priority),
        (Status::InProgress, Some("ann"), Some(Priority::High))
    );
    assert_eq!(task.tags, ["bug", "db"]);
    assert_eq!(task.created_at.unwrap().to_string(), "2025-10-28T23:30:26.631Z");
    assert_eq!(task.updated_at, None);
    assert_eq!(
        write(&Json::Object(task.metadata.clone()), Style::COMPACT, ""),
        r#"{"beads":{"priority":0,"issue_type":"bug","assignee":"ann","estimated_minutes":30,"external_ref":"gh-9","updated_at":"not a time","pinned":true}}"#
    );
    assert_eq!(count(&imported.report.changed, "`updated_at` is no time and was left empty"), 1);
}

#[test]
fn statuses_and_priorities() {
    for (word, status) in [
        ("open", Status::Pending),
        ("in_progress", Status::InProgress),
        ("closed", Status::Completed),
        ("blocked", Status::Pending),
        ("deferred", Status::Pending),
        ("of our own", Status::Pending),
    ] {
        let imported = read(&issue("bd-1", "").replace("open", word)).unwrap();
        assert_eq!(imported.tasks[0].status, status);
        let plain = ["open", "in_progress", "closed"].contains(&word);
        assert_eq!(rest(&imported.tasks[0]).get("status").is_none(), plain, "{word}");
        assert_eq!(
            count(&imported.report.changed, &format!("status `{word}` became pending")),
            usize::from(!plain)
        );
    }
    for (number, priority) in [
        (0, Priority::High),
        (1, Priority::High),
        (2, Priority::Medium),
        (3, Priority::Low),
        (4, Priority::Low),
    ] {
        let imported = read(&issue("bd-1", "").replace(":2,", &format!(":{number},"))).unwrap();
        assert_eq!(imported.tasks[0].priority, Some(priority));
    }
    // Who is meant to do it has not begun: the task stays free for whoever claims it.
    assert_eq!(read(&issue("bd-1", r#""assignee":"ann""#)).unwrap().tasks[0].owner, None);
}

#[test]
fn only_edges_that_block_make_a_task_wait() {
    let text = [
        linked(
            "a",
            &[("b", "blocks"), ("b", "blocks"), ("c", "parent-child"), ("b", "related"), ("b", "waits-for")],
        ),
        linked("b", &[("x", "blocks"), ("external:p:q", "blocks")]),
        linked("c", &[("gone", "blocks"), ("gone", "parent-child"), ("a", "discovered-from")]),
        issue("d", &dependencies("a", &[("b", "blocks")])),
        issue("gone", "").replace("open", "tombstone"),
    ];
    let imported = read(&text.join("\n")).unwrap();
    let a = task(&imported, "a");
    assert_eq!((a.blocked_by.len(), a.parent.as_ref().unwrap().as_str()), (1, "c"));
    assert!(task(&imported, "c").blocked_by.is_empty(), "a whole does not wait for its parts");
    assert_eq!(rest(a).get("dependencies").and_then(Json::as_array).unwrap().len(), 2);
    let report = &imported.report;
    assert_eq!((report.issues, report.taken, report.edges), (5, 4, 1));
    for (what, wanted) in [
        ("deleted issues", 1),
        ("edges to deleted issues", 2),
        ("edges to issues that are not in the file", 2),
        ("edges of kind `related`", 1),
        ("edges of kind `waits-for`", 1),
        ("edges of kind `discovered-from`", 1),
        ("edges that stand at another issue than their own", 1),
    ] {
        assert_eq!(count(&report.left_out, what), wanted, "{what}");
    }
    assert_eq!(report.left_out.len(), 7, "{report:#?}");
}

#[test]
fn circles_are_cut_and_said() {
    let text = [
        linked("a", &[("b", "blocks"), ("c", "parent-child")]),
        linked("b", &[("c", "blocks"), ("a", "parent-child")]),
        linked("c", &[("a", "blocks"), ("b", "parent-child")]),
        linked("d", &[("d", "blocks"), ("d", "parent-child"), ("a", "blocks")]),
    ];
    let imported = read(&text.join("\n")).unwrap();
    assert_eq!(Graph::new(&imported.tasks).cycle(), None);
    assert_eq!(imported.report.edges, 3);
    let cut = &imported.report.left_out[0];
    assert_eq!((cut.what.as_str(), cut.count), ("edges that close a circle", 4));
    assert_eq!(cut.examples, ["b -> a", "c -> a", "d -> d", "d -> d"]);
    assert_eq!(rest(task(&imported, "c")).get("dependencies").and_then(Json::as_array).unwrap().len(), 1);
}

#[test]
fn a_long_chain_is_no_deep_walk() {
    let name = |n: usize| format!("bd-{n}");
    let line = |n: usize| linked(&name(n), &[(&name(n + 1), "blocks"), (&name(n + 1), "parent-child")]);
    let text: Vec<String> = (0..50_000).map(line).collect();
    let report = read(&text.join("\n")).unwrap().report;
    assert_eq!((report.taken, report.edges), (50_000, 49_999));
}

#[test]
fn the_last_line_of_an_issue_counts() {
    let later = issue("a", r#""notes":"later""#);
    let imported = read(&format!("{}\n\n{}\r\n{later}\n", issue("a", ""), issue("b", ""))).unwrap();
    assert_eq!((imported.report.issues, imported.report.taken), (3, 2));
    assert_eq!(imported.tasks[0].description, "## Notes\n\nlater");
    assert_eq!(count(&imported.report.left_out, "earlier lines of an issue that comes again"), 1);
    let deleted = issue("a", "").replace("open", "tombstone");
    assert_eq!(read(&format!("{later}\n{deleted}")).unwrap().report.taken, 0);
}

#[test]
fn one_bad_line_and_nothing_is_taken() {
    let good = issue("a", "");
    for (bad, reason) in [
        ("{", "a key in quotes was expected in column 2"),
        ("[]", "not a JSON object"),
        ("<<<<<<< HEAD", "two versions of the file"),
        (r#"{"title":"T","status":"open"}"#, "there is no `id`"),
        (r#"{"id":"b","title":" ","status":"open"}"#, "there is no `title`"),
        (r#"{"id":"b","title":"T"}"#, "there is no `status`"),
        (r#"{"id":1,"title":"T","status":"open"}"#, "`id` is not a text"),
        (r#"{"id":"b","title":"T","status":"open","priority":"P1"}"#, "`priority` is not a number"),
        (r#"{"id":"b","title":"T","status":"open","labels":[1]}"#, "a label is not a text"),
        (r#"{"id":"b","title":"T","status":"open","labels":"x"}"#, "`labels` is not an array"),
        (r#"{"id":"b","title":"T","status":"open","dependencies":["a"]}"#, "a dependency is not an object"),
        (
            r#"{"id":"b","title":"T","status":"open","dependencies":[{"type":"blocks"}]}"#,
            "there is no `depends_on_id` in a dependency",
        ),
        (
            r#"{"id":"b","title":"T","status":"open","dependencies":[{"depends_on_id":"a"}]}"#,
            "there is no `type` in a dependency",
        ),
        (r#"{"id":"b","title":"T","status":"open","notes":{}}"#, "`notes` is not a text"),
    ] {
        let mistake = read(&format!("{good}\n\n{bad}\n{good}")).unwrap_err();
        assert!(mistake.line == 3 && mistake.reason.starts_with(reason), "{mistake}");
    }
    assert_eq!(read("\u{feff}\n").unwrap().report.issues, 0);
}
