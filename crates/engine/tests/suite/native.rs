//! Calls that Claude Code carries out itself: what our rules say before, whose they are after. A small copy of that
//! client writes the files as it does.
#![expect(clippy::disallowed_methods, reason = "tests write as another program does")]

use std::{fs, path::Path};
use worklist::{
    Actor, Error, Options, Refusal, TaskList, TaskView,
    event::Origin,
    json::{Json, Object, Style, parse, write},
    task::Status,
    tools::{Desk, Fault, adopt, guard},
};

struct Client {
    keep: tempfile::TempDir,
}

impl Client {
    fn new() -> Client {
        Client { keep: tempfile::tempdir().expect("a folder") }
    }

    fn list(&self) -> TaskList {
        TaskList::open(self.keep.path(), &Options::default()).expect("a list")
    }

    fn file(&self, id: &str) -> std::path::PathBuf {
        self.keep.path().join(format!("{id}.json"))
    }

    /// A task as the client makes it.
    fn create(&self, id: &str, blocked_by: &[&str], blocks: &[&str]) {
        let task = Object::new()
            .with("id", id)
            .with("subject", format!("task {id}"))
            .with("description", "")
            .with("status", "pending")
            .with("blocks", Json::strings(blocks))
            .with("blockedBy", Json::strings(blocked_by));
        fs::write(self.file(id), write(&Json::Object(task), Style::JAVASCRIPT, "")).expect("a file");
    }

    /// A field as the client writes it: laid over what is there, in place.
    fn write(&self, id: &str, key: &str, value: &str) {
        let task = parse(&fs::read_to_string(self.file(id)).expect("a file")).expect("JSON");
        let task = task.as_object().expect("an object").clone().with(key, value);
        fs::write(self.file(id), write(&Json::Object(task), Style::JAVASCRIPT, "")).expect("a file");
    }

    fn task(&self, id: &str) -> TaskView {
        self.list().show(&worklist::TaskId::found(id)).expect("a look").expect("there")
    }
}

fn guarded(list: &TaskList, who: &str, input: &str) -> Result<(), Fault> {
    let desk = desk(list, who);
    guard(&desk, "TaskUpdate", &parse(input).expect("JSON"))
}

fn adopted(list: &TaskList, who: &str, input: &str, response: &str) -> Option<String> {
    let (input, response) = (parse(input).expect("JSON"), parse(response).expect("JSON"));
    adopt(&desk(list, who), "TaskUpdate", &input, &response).expect("adopted")
}

fn desk<'a>(list: &'a TaskList, who: &str) -> Desk<'a> {
    Desk { bound: 200, ..Desk::new(list, Actor::new(who, format!("session-{who}"))) }
}

#[track_caller]
fn refused(result: Result<(), Fault>) -> Refusal {
    match result {
        Err(Fault::List(Error::Refused(refusal))) => refusal,
        other => panic!("{other:?}"),
    }
}

const DONE: &str = r#"{"taskId": "1", "status": "completed"}"#;
const START: &str = r#"{"taskId": "1", "status": "in_progress"}"#;
const SUCCESS: &str = r#"{"success": true, "taskId": "1", "updatedFields": []}"#;

#[test]
fn a_start_is_a_claim_and_nobody_else_gets_it() {
    let client = Client::new();
    client.create("1", &[], &["2"]);
    client.create("2", &["1"], &[]);
    let list = client.list();
    guarded(&list, "ann", START).expect("hers");
    let held = |refusal| matches!(refusal, Refusal::AlreadyClaimed { by, .. } | Refusal::StaleToken { holder: by, .. } if by.as_deref() == Some("ann"));
    for input in [
        START,
        DONE,
        r#"{"taskId": "1", "status": "pending"}"#,
        r#"{"taskId": "1", "status": "deleted"}"#,
        r#"{"taskId": "1", "owner": "bob"}"#,
    ] {
        assert!(held(refused(guarded(&list, "bob", input))), "{input}");
    }
    guarded(&list, "ann", START).expect("still hers");
    assert_eq!(
        (client.task("1").task.status, client.task("1").task.owner.as_deref()),
        (Status::InProgress, Some("ann"))
    );
}

#[test]
fn what_cannot_be_is_refused_and_what_the_client_finds_is_left_to_it() {
    let client = Client::new();
    client.create("1", &[], &["2"]);
    client.create("2", &["1"], &[]);
    let list = client.list();
    let refusal = |input: &str| refused(guarded(&list, "ann", input));
    assert!(matches!(refusal(r#"{"taskId": "2", "status": "in_progress"}"#), Refusal::Blocked { .. }));
    assert!(matches!(refusal(r#"{"taskId": "2", "status": "completed"}"#), Refusal::Blocked { .. }));
    assert!(matches!(refusal(r#"{"taskId": "1", "addBlockedBy": ["2"]}"#), Refusal::Cycle { .. }));
    assert!(matches!(refusal(r#"{"taskId": "1", "addBlocks": ["1"]}"#), Refusal::SelfEdge { .. }));
    assert!(matches!(refusal(r#"{"taskId": "1", "addBlocks": ["9"]}"#), Refusal::NotFound { .. }));
    for input in
        [r#"{"taskId": "9", "status": "completed"}"#, r#"{"taskId": "../x"}"#, r#"{"taskId": 1}"#, "[]", "{}"]
    {
        guarded(&list, "ann", input).expect(input);
    }
    assert!(!Path::new(&client.keep.path().join(".worklist")).exists(), "a check makes nothing");
}

#[test]
fn what_the_client_wrote_is_the_agents() {
    let client = Client::new();
    client.create("1", &[], &["2", "3"]);
    client.create("2", &["1"], &[]);
    client.create("3", &["1", "2"], &[]);
    let list = client.list();
    guarded(&list, "ann", START).expect("hers");
    let told = adopted(&list, "ann", START, SUCCESS).expect("told");
    assert!(told.starts_with("Task #1 is claimed for you."), "{told}");
    client.write("3", "subject", "by an editor");
    client.write("1", "status", "completed");
    let told = adopted(&list, "ann", DONE, SUCCESS).expect("told");
    assert_eq!(told, "Task #1 is completed. Now ready:\n#2 task 2");
    let last = list.events_after(0).unwrap().pop().unwrap();
    assert_eq!(
        (last.origin, last.command.as_str(), last.actor.agent.as_str()),
        (Origin::Foreign, "adopt", "ann")
    );
    assert_eq!(last.author().map(|it| it.session.as_str()), Some("session-ann"));
    let now = client.task("1");
    assert_eq!((now.claim, now.parked), (None, false));
    // A neighbour that was changed by somebody else meanwhile is named by its edge, and so counts as hers; others do not.
    client.create("8", &[], &[]);
    assert_eq!(adopted(&list, "ann", r#"{"taskId": "1"}"#, SUCCESS), None);
    list.board().unwrap();
    let last = list.events_after(0).unwrap().pop().unwrap();
    assert_eq!((last.command.as_str(), last.author()), ("foreign", None));
}

#[test]
fn a_task_that_is_set_to_pending_is_given_back_at_once() {
    let client = Client::new();
    client.create("1", &[], &[]);
    let list = client.list();
    guarded(&list, "ann", START).expect("hers");
    let back = r#"{"taskId": "1", "status": "pending"}"#;
    guarded(&list, "ann", back).expect("hers to give");
    client.write("1", "status", "pending");
    adopted(&list, "ann", back, SUCCESS);
    guarded(&list, "bob", START).expect("anybody's");
    assert_eq!(client.task("1").claim.map(|it| it.by.agent).as_deref(), Some("bob"));
}

#[test]
fn a_removal_is_the_agents_with_the_edges_that_it_took() {
    let client = Client::new();
    client.create("1", &[], &["2"]);
    client.create("2", &["1"], &[]);
    let list = client.list();
    guarded(&list, "ann", r#"{"taskId": "2", "owner": "ann"}"#).expect_err("it is blocked");
    guarded(&list, "ann", START).expect("hers");
    let removal = r#"{"taskId": "1", "status": "deleted"}"#;
    guarded(&list, "ann", removal).expect("hers to remove");
    fs::remove_file(client.file("1")).unwrap();
    client.create("2", &[], &[]);
    adopted(&list, "ann", removal, SUCCESS);
    let last = list.events_after(0).unwrap().pop().unwrap();
    assert_eq!((last.author().map(|it| it.agent.as_str()), last.changes.len()), (Some("ann"), 2));
}

/// Whoever starts a task whose claimant is gone gets a claim of its own, although the file says that it is begun.
#[test]
fn a_task_of_a_lost_claimant_is_claimed_anew() {
    let client = Client::new();
    client.create("1", &[], &[]);
    let list = client.list();
    guarded(&list, "ann", START).expect("hers");
    let ann = Actor::new("ann", "session-ann");
    drop(list.hold_session(&ann).expect("a session").expect("hers"));
    guarded(&list, "bob", START).expect("free");
    assert_eq!(client.task("1").claim.map(|it| it.by.agent).as_deref(), Some("bob"));
    assert_eq!(refused(guarded(&list, "eve", START)).code(), "already_claimed");
}

#[test]
fn what_failed_is_not_taken_over() {
    let client = Client::new();
    client.create("1", &[], &[]);
    for response in [r#"{"success": false, "taskId": "1"}"#, "null", r#"{"task": null}"#, "[1]"] {
        assert_eq!(adopted(&client.list(), "ann", DONE, response), None);
    }
    let made = parse(r#"{"task": {"id": "1", "subject": "task 1"}}"#).unwrap();
    let list = client.list();
    adopt(&desk(&list, "ann"), "TaskCreate", &Json::Null, &made).expect("adopted");
    assert_eq!(list.events_after(0).unwrap().len(), 1, "the journal begins with it");
}

/// A task that is begun anew and completed again at once: that the file says what it said before does not make it a stale
/// copy, also if somebody looked in between and took it for one.
#[test]
fn a_second_completion_is_not_taken_for_a_relapse() {
    for looked_at in [false, true] {
        let client = Client::new();
        client.create("1", &[], &[]);
        let list = client.list();
        for _ in 0..2 {
            guarded(&list, "ann", START).expect("hers");
            client.write("1", "status", "completed");
            if looked_at {
                list.board().expect("a look");
            }
            let done = r#"{"success": true, "taskId": "1", "statusChange": {"from": "in_progress", "to": "completed"}}"#;
            adopted(&list, "ann", DONE, done);
            assert_eq!(client.task("1").task.status, Status::Completed, "looked at: {looked_at}");
        }
        let events = list.events_after(0).unwrap();
        assert!(looked_at || events.iter().all(|it| it.origin != Origin::Repair), "{events:?}");
    }
}
