//! The vocabulary of Claude Code against what its client was seen to do: schemas, the life of a list with every text and
//! every file, structured results, and the refusals that are ours alone.

use super::{Office, object};
use crate::fixtures::{Copy, names, root};
use std::{fs, sync::Arc};
use worklist::{
    Actor, TaskList,
    hooks::{Hooks, Moment, Notice},
    json::{Json, Object, Style, parse, write},
    tools::{Desk, Set},
};

const CLIENT: &str = "claude-code";

fn recorded(name: &str) -> Object {
    object(&fs::read_to_string(root().join(CLIENT).join(name)).unwrap())
}

#[test]
fn inputs_are_declared_as_the_client_declares_them() {
    let schemas = recorded("tool-input-schemas.json");
    assert_eq!(schemas.len(), Set::Claude.tools().len());
    for tool in Set::Claude.tools() {
        assert_eq!(Some(&tool.input_schema()), schemas.get(tool.name), "{}", tool.name);
    }
}

/// A file as the client would have it: without our own fields, and with the keys in the order in which it reads them.
/// It adds new keys at the end and moves them into place with its next write; we leave them where they are.
fn as_the_client(text: &str) -> String {
    const ORDER: [&str; 9] =
        ["id", "subject", "description", "activeForm", "owner", "status", "blocks", "blockedBy", "metadata"];
    let mut task = object(text);
    assert!(task.iter().all(|(key, _)| ORDER.contains(&key)), "{text}");
    let metadata = task.get("metadata").and_then(Json::as_object).cloned();
    if let Some(mut metadata) = metadata {
        metadata.remove("worklist").expect("when it was made");
        _ = task.remove("metadata");
        if !metadata.is_empty() {
            task.set("metadata", metadata);
        }
    }
    let ordered: Object =
        ORDER.iter().filter_map(|key| Some(((*key).to_owned(), task.get(key)?.clone()))).collect();
    write(&Json::Object(ordered), Style::JAVASCRIPT, "")
}

fn check_file(office: &Office, folder: &str, name: &str) {
    let theirs = fs::read_to_string(root().join(CLIENT).join(folder).join(name)).unwrap();
    let ours = office.text(name);
    let ours = if name.starts_with('.') { ours } else { as_the_client(&ours) };
    assert_eq!(ours, theirs, "{folder}/{name}");
}

/// Calls and the texts that the client answered with.
const LIFE: &[(&str, &str, &str)] = &[
    ("TaskList", "{}", "No tasks found"),
    (
        "TaskCreate",
        r#"{"subject":"Set up database","description":"Create the schema","activeForm":"Setting up database"}"#,
        "Task #1 created successfully: Set up database",
    ),
    (
        "TaskCreate",
        r#"{"subject":"Write API","description":"old","metadata":{"n":1.5,"big":12345678901234567000,"nested":{"a":1},"nul":null,"gone":1}}"#,
        "Task #2 created successfully: Write API",
    ),
    (
        "TaskCreate",
        r#"{"subject":"Short-lived","description":"x"}"#,
        "Task #3 created successfully: Short-lived",
    ),
    ("TaskUpdate", r#"{"taskId":"2","addBlockedBy":["1"]}"#, "Updated task #2 blockedBy"),
    ("TaskUpdate", r#"{"taskId":"2","addBlockedBy":["1"]}"#, "Updated task #2 "),
    ("TaskUpdate", r#"{"taskId":"3","addBlocks":["2"]}"#, "Updated task #3 blocks"),
    (
        "TaskList",
        "{}",
        "#1 [pending] Set up database\n#2 [pending] Write API [blocked by #1, #3]\n#3 [pending] Short-lived",
    ),
    (
        "TaskUpdate",
        r#"{"taskId":"1","status":"in_progress","owner":"alice"}"#,
        "Updated task #1 owner, status",
    ),
    (
        "TaskUpdate",
        r#"{"taskId":"2","subject":"Write the API","description":"new","activeForm":"Writing","metadata":{"nested":{"c":3},"gone":null,"added":true}}"#,
        "Updated task #2 subject, description, activeForm, metadata",
    ),
    ("TaskUpdate", r#"{"taskId":"3","status":"deleted","subject":"ignored"}"#, "Updated task #3 deleted"),
    ("TaskUpdate", r#"{"taskId":"1","status":"completed"}"#, "Updated task #1 status"),
    (
        "TaskGet",
        r#"{"taskId":"1"}"#,
        "Task #1: Set up database\nStatus: completed\nDescription: Create the schema\nBlocks: #2",
    ),
    (
        "TaskGet",
        r#"{"taskId":"2"}"#,
        "Task #2: Write the API\nStatus: pending\nDescription: new\nBlocked by: #1",
    ),
    ("TaskList", "{}", "#1 [completed] Set up database (alice)\n#2 [pending] Write the API"),
    (
        "TaskCreate",
        r#"{"subject":"After delete","description":""}"#,
        "Task #4 created successfully: After delete",
    ),
    ("TaskGet", r#"{"taskId":"3"}"#, "Task not found"),
    ("TaskGet", r#"{"taskId":"../errors/2"}"#, "Task not found"),
    ("TaskUpdate", r#"{"taskId":"3","status":"completed"}"#, "Task not found"),
    ("TaskUpdate", r#"{"taskId":"2"}"#, "Updated task #2 "),
];

#[test]
fn a_list_lives_as_it_does_in_the_client() {
    let office = Office::new(Set::Claude, "claude");
    for (tool, input, text) in LIFE {
        let reply = office.call_as("alice", tool, &parse(input).unwrap());
        assert_eq!((reply.text.as_str(), reply.error), (*text, None), "{tool} {input}");
        assert!(reply.structured.is_some(), "{tool} {input}");
    }
    // `.lock` is what the client takes its own lock on; we leave it to the client to make it.
    let mut theirs: Vec<String> = names(&root().join(CLIENT).join("lifecycle"));
    theirs.retain(|it| it != ".lock");
    assert_eq!(names(office.folder.path()), theirs);
    for name in theirs {
        check_file(&office, "lifecycle", &name);
    }
}

/// Creations that the client takes although they are not as declared, and the files of `misc` that they left.
#[test]
fn creation_is_as_lenient_as_the_clients() {
    let office = Office::new(Set::Claude, "claude");
    fs::write(office.folder.path().join(".highwatermark"), "8").unwrap();
    for (input, subject) in [
        (r#"{"subject":"m","description":"d","activeForm":""}"#, "m"),
        (r#"{"title":"titled","description":"d"}"#, "titled"),
        (
            r#"{"subject":"o","description":"d","status":"completed","owner":"x","id":"99","blockedBy":["1"]}"#,
            "o",
        ),
        (r#"{"content":"c1"}"#, "c1"),
        (r#"{"subject":"s","description":"x","metadata":"not an object"}"#, "s"),
    ] {
        let text = office.said("TaskCreate", input);
        assert!(text.ends_with(&format!("created successfully: {subject}")), "{text}");
    }
    for name in ["9.json", "10.json", "11.json", "12.json", "13.json"] {
        check_file(&office, "misc", name);
    }
    assert_eq!(office.said("TaskCreate", r#"{"description":"d"}"#), "Task #14 created successfully: d");
}

/// The client hides what is internal, shows open blockers of finished tasks too, and counts missing ones as open.
#[test]
fn a_list_that_the_client_left_is_shown_as_it_shows_it() {
    let copy = Copy::of("claude-code/misc");
    let desk = Desk { bound: 1_000, ..Desk::new(&copy.list, copy.ann.clone()) };
    let text = Set::Claude.call(&desk, "TaskList", &Json::Null).text;
    let expected = "#2 [completed] ss (o) [blocked by #3]\n#3 [pending] P3\n#4 [in_progress] P4 [blocked by #7]\n\
                    #6 [pending] P6 [blocked by #5]\n#7 [pending] line1\nline2 [blocked by #9] [blocked by #6]\n\
                    #8 [pending] m\n#9 [pending] m\n#10 [pending] titled\n#11 [pending] o\n#12 [pending] c1\n\
                    #13 [pending] s";
    assert_eq!(text, expected);
    let get = Set::Claude.call(&desk, "TaskGet", &parse(r#"{"taskId":"1"}"#).unwrap());
    assert_eq!(get.text, "Task #1: P1\nStatus: pending\nDescription: parallel");
}

#[test]
fn structured_results_have_the_clients_shapes() {
    let mut office = Office::new(Set::Claude, "claude");
    let check = |office: &Office, name: &str| {
        let hook = recorded(&format!("hook-inputs/PostToolUse.{name}.json"));
        let tool = hook.get("tool_name").and_then(Json::as_str).unwrap();
        let reply = office.call_as("me", tool, hook.get("tool_input").unwrap());
        assert_eq!(reply.structured.map(Json::Object).as_ref(), hook.get("tool_response"), "{name}");
        reply.text
    };
    // Of a task that is not there.
    assert_eq!(check(&office, "TaskGet"), "Task not found");
    check(&office, "TaskCreate");
    assert_eq!(check(&office, "TaskUpdate"), "Updated task #1 owner, status");
    office.call_as("me", "TaskUpdate", &parse(r#"{"taskId":"1","status":"completed"}"#).unwrap());
    check(&office, "TaskList");
    for n in 2..=7 {
        office.said("TaskCreate", &format!(r#"{{"subject":"task {n}"}}"#));
    }
    office.list = std::mem::replace(&mut office.list, TaskList::in_memory()).hooked(Arc::new(Failing));
    let feedback = "TaskCompleted hook feedback:\n[hook TaskCompleted]: tests are failing\n";
    assert_eq!(check(&office, "TaskUpdate.refused"), feedback);
}

/// A hook that lets nothing be completed.
struct Failing;

impl Hooks for Failing {
    fn asks_before(&self) -> bool {
        true
    }

    fn before(&self, notice: &Notice) -> Result<(), String> {
        match notice.moment {
            Moment::Completed => {
                Err("TaskCompleted hook feedback:\n[hook TaskCompleted]: tests are failing\n".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn after(&self, _notice: &Notice) {}
}

#[test]
fn inputs_that_the_client_refuses_are_refused_in_its_words() {
    let office = Office::new(Set::Claude, "claude");
    let refused = |tool: &str, input: &str| {
        let reply = office.call(tool, input);
        assert_eq!(reply.error, Some("invalid"), "{tool} {input}");
        let inner = reply.text.strip_prefix("<tool_use_error>InputValidationError: ");
        inner.and_then(|it| it.strip_suffix("</tool_use_error>")).unwrap().to_owned()
    };
    let one = "failed due to the following issue:\n";
    for (tool, input, issue) in [
        (
            "TaskUpdate",
            r#"{"taskId":1}"#,
            "The parameter `taskId` type is expected as `string` but provided as `number`",
        ),
        ("TaskUpdate", r#"{"taskId":"1","bogus":1}"#, "An unexpected parameter `bogus` was provided"),
        ("TaskUpdate", "{}", "The required parameter `taskId` is missing"),
        ("TaskGet", "{}", "The required parameter `taskId` is missing"),
        ("TaskList", r#"{"status":"x"}"#, "An unexpected parameter `status` was provided"),
        (
            "TaskUpdate",
            r#"{"taskId":"1","addBlocks":"2"}"#,
            "The parameter `addBlocks` type is expected as `array` but provided as `string`",
        ),
        (
            "TaskUpdate",
            r#"{"taskId":"1","addBlocks":["2",3]}"#,
            "The parameter `addBlocks[1]` type is expected as `string` but provided as `number`",
        ),
        (
            "TaskUpdate",
            r#"{"taskId":"1","metadata":[]}"#,
            "The parameter `metadata` type is expected as `object` but provided as `array`",
        ),
        (
            "TaskCreate",
            r#"{"subject":1,"description":"d"}"#,
            "The parameter `subject` type is expected as `string` but provided as `number`",
        ),
    ] {
        assert_eq!(refused(tool, input), format!("{tool} {one}{issue}"));
    }
    let two = refused("TaskUpdate", r#"{"a":1,"b":2,"taskId":"1"}"#);
    assert!(
        two.starts_with("TaskUpdate failed due to the following issues:\nAn unexpected parameter `a`"),
        "{two}"
    );
    let status = refused("TaskUpdate", r#"{"taskId":"1","status":"done"}"#);
    assert!(parse(&status).is_ok() && status.contains(r#""code": "invalid_union""#), "{status}");
    assert!(refused("TaskCreate", r#"{"tasks":[{"subject":"a"}]}"#).contains("one task"));
    assert!(refused("TaskCreate", r#"{"prompt":"do it"}"#).contains("starts no agent"));
    assert!(refused("TaskCreate", "{}").contains("The required parameter `subject` is missing"));
    let unknown = office.call("TaskNext", "{}");
    assert_eq!(unknown.text, "<tool_use_error>Error: No such tool available: TaskNext</tool_use_error>");
    assert_eq!(unknown.error, Some("unknown_tool"));
}

/// What the client would let pass and our rules do not.
#[test]
fn our_rules_hold_in_the_clients_vocabulary() {
    let office = Office::new(Set::Claude, "claude");
    for subject in ["a", "b", "c"] {
        office.said("TaskCreate", &format!(r#"{{"subject":"{subject}"}}"#));
    }
    office.said("TaskUpdate", r#"{"taskId":"2","addBlockedBy":["1"]}"#);
    office.call_as("alice", "TaskUpdate", &parse(r#"{"taskId":"3","status":"in_progress"}"#).unwrap());
    for (input, text, code) in [
        (r#"{"taskId":"2","status":"in_progress"}"#, "Task #2 is blocked by #1", "blocked"),
        (r#"{"taskId":"2","status":"completed"}"#, "Task #2 is blocked by #1", "blocked"),
        (r#"{"taskId":"2","owner":"agent"}"#, "Task #2 is blocked by #1", "blocked"),
        (r#"{"taskId":"3","status":"completed"}"#, "Task #3 is claimed by alice", "stale_token"),
        (r#"{"taskId":"3","owner":"agent"}"#, "Task #3 is claimed by alice", "already_claimed"),
        (r#"{"taskId":"3","status":"deleted"}"#, "Task #3 is claimed by alice", "already_claimed"),
        (
            r#"{"taskId":"1","addBlockedBy":["2"]}"#,
            "Tasks would wait for each other: #1 -> #2 -> #1",
            "cycle",
        ),
        (r#"{"taskId":"1","addBlocks":["1"]}"#, "Task #1 cannot wait for itself", "self_edge"),
        (r#"{"taskId":"1","addBlocks":["9"]}"#, "Task #9 not found", "not_found"),
        (r#"{"taskId":"1","subject":" "}"#, "subject may not be empty", "invalid"),
    ] {
        let reply = office.call("TaskUpdate", input);
        assert_eq!((reply.text.as_str(), reply.error), (text, Some(code)), "{input}");
        let structured = reply.structured.unwrap();
        assert_eq!(structured.get("success"), Some(&Json::Bool(false)), "{input}");
        assert_eq!(structured.get("error").and_then(Json::as_str), Some(text), "{input}");
    }
    assert_eq!(office.call("TaskCreate", r#"{"subject":""}"#).error, Some("invalid"));
}

#[test]
fn an_owner_is_an_assignment_and_ones_own_name_a_claim() {
    let office = Office::new(Set::Claude, "claude");
    for _ in 0..3 {
        office.said("TaskCreate", r#"{"subject":"a"}"#);
    }
    let claim = |id: &str| office.list.show(&worklist::TaskId::found(id)).unwrap().unwrap().claim;
    assert_eq!(office.said("TaskUpdate", r#"{"taskId":"1","owner":"bob"}"#), "Updated task #1 owner");
    assert_eq!(claim("1"), None);
    assert_eq!(office.said("TaskUpdate", r#"{"taskId":"2","owner":"agent"}"#), "Updated task #2 owner");
    assert_eq!(claim("2").unwrap().by, Actor::new("agent", "session-of-agent"));
    assert_eq!(office.said("TaskList", "{}"), "#1 [pending] a (bob)\n#2 [pending] a (agent)\n#3 [pending] a");
    let start = r#"{"taskId":"2","status":"in_progress"}"#;
    assert_eq!(office.said("TaskUpdate", start), "Updated task #2 status");
    // Given back to somebody else in one call.
    let hand_over = r#"{"taskId":"2","status":"pending","owner":"bob"}"#;
    assert_eq!(office.said("TaskUpdate", hand_over), "Updated task #2 owner, status");
    assert_eq!(claim("2"), None);
    assert_eq!(office.said("TaskUpdate", r#"{"taskId":"2","owner":""}"#), "Updated task #2 owner");
    // What is handed over can be taken up.
    assert_eq!(office.said("TaskUpdate", start), "Updated task #2 owner, status");
    assert_eq!(office.said("TaskUpdate", r#"{"taskId":"2","owner":"bob"}"#), "Updated task #2 owner, status");
    let taken = office.call_as("bob", "TaskUpdate", &parse(start).unwrap());
    assert_eq!(taken.text, "Updated task #2 status");
    // Any status can follow any.
    for status in ["completed", "in_progress", "completed", "pending"] {
        let input = format!(r#"{{"taskId":"3","status":"{status}"}}"#);
        assert!(office.said("TaskUpdate", &input).ends_with("status"), "{status}");
    }
}
