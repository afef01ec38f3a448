//! What models really send, the texts of refusals in each vocabulary, and what is said when a teammate is gone.

use super::Office;
use worklist::{
    Actor, TaskId,
    json::{Json, parse},
    tools::{Desk, Set, Stop, stopped},
};

#[test]
fn every_tool_is_declared_soundly() {
    for set in Set::ALL {
        assert_eq!(Set::named(set.name()), Some(set));
        let mut cost = 0;
        for tool in set.tools() {
            let schema = tool.input_schema();
            let schema = schema.as_object().unwrap_or_else(|| panic!("{} {}", set.name(), tool.name));
            let properties = schema.get("properties").and_then(Json::as_object).unwrap();
            let required = schema.get("required").and_then(Json::as_array).unwrap_or_default();
            assert!(
                required.iter().all(|it| properties.get(it.as_str().unwrap()).is_some()),
                "{}",
                tool.name
            );
            for name in tool.aliases.iter().chain([&tool.name]) {
                assert_eq!(set.find(name).map(|it| it.name), Some(tool.name), "{name}");
            }
            cost += (tool.name.len() + tool.description.len() + tool.schema.len()).div_ceil(4);
        }
        println!("{}: {} tools, about {cost} tokens", set.name(), set.tools().len());
        let office = Office::new(set, "claude");
        assert_eq!(office.call("no_such_tool", "{}").error, Some("unknown_tool"));
        assert_eq!(office.call(set.tools()[0].name, "[]").error, Some("invalid"));
    }
}

#[test]
fn ids_and_lists_arrive_in_every_spelling() {
    let office = Office::new(Set::S07, "s07");
    for _ in 0..9 {
        office.said("task_create", r#"{"subject":"a","nonsense":true}"#);
    }
    for (n, id) in
        [r#""task_id":2"#, r#""task_id":"2""#, r##""task_id":"#2""##, r#""taskId":"2""#, r#""id":2"#]
            .iter()
            .enumerate()
    {
        let got = office.said("task_get", &format!("{{{id}}}"));
        assert!(got.starts_with("{\n  \"id\": 2,"), "{n} {got}");
    }
    for (n, list) in [
        r#""addBlockedBy":[1,3]"#,
        r##""add_blocked_by":["1","#3"]"##,
        r#""addBlockedBy":"[1, 3]""#,
        r#""addBlockedBy":"['1', '3']""#,
        r#""addBlockedBy":"1, 3""#,
    ]
    .into_iter()
    .enumerate()
    {
        let id = n + 4;
        office.said("task_update", &format!(r#"{{"task_id":{id},{list}}}"#));
        let task = office.list.show(&TaskId::from(id as u64)).unwrap().unwrap().task;
        assert_eq!(task.blocked_by, ["1", "3"].map(TaskId::found), "{list}");
    }
    let one = office.said("task_update", r#"{"task_id":9,"addBlockedBy":1}"#);
    assert!(one.contains("\"blockedBy\": [\n    1\n  ]"), "{one}");
}

#[test]
fn refusals_of_s12_are_in_its_words() {
    for format in ["s12", "claude", "s07", "tasks-json"] {
        let office = Office::new(Set::S12, format);
        let create = |input: &str| {
            let said = office.said("create_task", input);
            said.strip_prefix("Created ").unwrap().split(':').next().unwrap().to_owned()
        };
        let first = create(r#"{"subject":"a"}"#);
        let second = create(&format!(r#"{{"subject":"b","blockedBy":"['{first}']"}}"#));
        let by = |tool: &str, id: &str| office.call(tool, &format!(r#"{{"task_id":"{id}"}}"#));
        assert_eq!(by("claim_task", &second).text, format!("Blocked by: ['{first}']"));
        assert_eq!(by("claim_task", &second).error, Some("blocked"));
        assert_eq!(by("complete_task", &first).text, format!("Task {first} is pending, cannot complete"));
        for tool in ["get_task", "claim_task", "complete_task"] {
            for id in ["task_404", "../x"] {
                let reply = by(tool, id);
                assert_eq!(
                    (reply.text, reply.error),
                    (format!("Error: Task {id} not found"), Some("not_found"))
                );
            }
        }
        let input = parse(&format!(r#"{{"task_id":"{first}"}}"#)).unwrap();
        assert_eq!(office.call_as("bob", "claim_task", &input).text, format!("Claimed {first} (a)"));
        assert_eq!(by("claim_task", &first).text, format!("Task {first} is in_progress, cannot claim"));
        assert_eq!(by("complete_task", &first).text, format!("Error: Task {first} is owned by bob"));
        let done = office.call_as("bob", "complete_task", &input).text;
        assert_eq!(done, format!("Completed {first} (a)\nUnblocked: b"));
        assert_eq!(by("claim_task", &first).text, format!("Task {first} is completed, cannot claim"));
        assert_eq!(office.said("create_task", "{}"), "Error: create_task: `subject` is missing");
        assert_eq!(office.said("create_task", r#"{"subject":" "}"#), "Error: Task subject cannot be empty");
        assert_eq!(office.said("delete_task", "{}"), "Unknown: delete_task");
    }
}

/// An id of any shape may be waited for in s12; nothing outside the folder is looked at for it.
#[test]
fn odd_ids_are_stored_and_block() {
    let office = Office::new(Set::S12, "s12");
    let said = office.said("create_task", r#"{"subject":"a","blockedBy":["../x","a b"]}"#);
    assert!(said.ends_with(": a (blockedBy: ../x, a b)"), "{said}");
    let id = said.strip_prefix("Created ").unwrap().split(':').next().unwrap();
    assert_eq!(office.said("claim_task", &format!(r#"{{"task_id":"{id}"}}"#)), "Blocked by: ['../x', 'a b']");
}

#[test]
fn refusals_of_s07_are_in_its_words() {
    let office = Office::new(Set::S07, "s07");
    for _ in 0..3 {
        office.said("task_create", r#"{"subject":"a"}"#);
    }
    office.said("task_update", r#"{"task_id":2,"addBlockedBy":[1]}"#);
    office.call_as("bob", "task_update", &parse(r#"{"task_id":3,"status":"in_progress"}"#).unwrap());
    for (input, text) in [
        (r#"{"task_id":99,"status":"nonsense"}"#, "Error: Task 99 not found"),
        (r#"{"task_id":"../x"}"#, "Error: Task ../x not found"),
        (r#"{"task_id":1,"status":"blocked"}"#, "Error: Invalid status: blocked"),
        (r#"{"task_id":2,"status":"in_progress"}"#, "Error: Task 2 is blocked by: [1]"),
        (r#"{"task_id":2,"status":"completed"}"#, "Error: Task 2 is blocked by: [1]"),
        (r#"{"task_id":1,"addBlockedBy":[2]}"#, "Error: Dependency cycle detected: 1 -> 2 -> 1"),
        (r#"{"task_id":1,"addBlocks":[1]}"#, "Error: Task cannot depend on itself"),
        (r#"{"task_id":3,"status":"completed"}"#, "Error: Task 3 is owned by bob"),
        ("{}", "Error: task_update: `task_id` is missing"),
    ] {
        assert_eq!(office.said("task_update", input), text, "{input}");
    }
    assert_eq!(office.said("taskUpdate", r#"{"taskId":1,"status":""}"#), "Error: Invalid status: ");
    assert!(office.said("task_update", r#"{"task_id":1,"status":""}"#).contains("\"status\": \"pending\""));
    assert_eq!(office.said("task_create", r#"{"subject":""}"#), "Error: Task subject cannot be empty");
    assert_eq!(office.said("task_update", r#"{"task_id":1,"status":"deleted"}"#), "Task 1 deleted");
    assert_eq!(office.said("taskDelete", "{}"), "Unknown tool: taskDelete");
}

/// The examples of the page, to the letter.
#[test]
fn v6_prints_what_its_page_prints() {
    let office = Office::new(Set::V6, "v6");
    let create = r#"{"subject":"Fix auth bug","description":"...","activeForm":"Fixing auth bug"}"#;
    assert_eq!(office.said("TaskCreate", create), r#"{"id": "1", "subject": "Fix auth bug"}"#);
    office.said("TaskCreate", r#"{"subject":"Write tests"}"#);
    office.said("TaskUpdate", r#"{"id":"1","status":"in_progress"}"#);
    office.said("TaskUpdate", r#"{"id":"2","addBlockedBy":["1"]}"#);
    let list = "#1. [>] Fix auth bug  @agent\n#2. [ ] Write tests   blocked by: #1";
    assert_eq!(office.said("TaskList", "{}"), list);
    assert_eq!(
        office.said("TaskUpdate", r#"{"id":"2","status":"completed"}"#),
        "Error: Task 2 is blocked by: #1"
    );
    assert_eq!(office.said("TaskUpdate", r#"{"id":"1","addBlocks":["9"]}"#), "Error: Task 9 not found");
    assert_eq!(office.said("TaskGet", "{}"), "Error: TaskGet: `taskId` is missing");
}

#[test]
fn what_a_stopped_teammate_held_is_anybodys() {
    let office = Office::new(Set::Claude, "claude");
    for subject in ["first", "second", "third"] {
        office.said("TaskCreate", &format!(r#"{{"subject":"{subject}"}}"#));
    }
    let worker = |input: &str| office.call_as("worker", "TaskUpdate", &parse(input).unwrap());
    worker(r#"{"taskId":"1","status":"in_progress"}"#);
    worker(r#"{"taskId":"2","status":"completed","owner":"worker"}"#);
    office.said("TaskUpdate", r#"{"taskId":"3","owner":"worker"}"#);
    let desk = || Desk { bound: 1_000, ..Desk::new(&office.list, Actor::new("lead", "s")) };
    let reply = stopped(&desk(), "worker", Stop::ShutDown);
    assert_eq!(
        reply.text,
        "worker has shut down. 2 task(s) were unassigned: #1 \"first\", #3 \"third\". Use TaskList to see what is \
         free, and TaskUpdate with owner to give it to somebody."
    );
    let list = "#1 [pending] first\n#2 [completed] second (worker)\n#3 [pending] third";
    assert_eq!(office.said("TaskList", "{}"), list);
    assert_eq!(stopped(&desk(), "worker", Stop::Terminated).text, "worker was terminated.");
}

#[test]
fn long_lists_are_cut_and_say_so() {
    for (set, tool) in
        [(Set::Claude, "TaskList"), (Set::S12, "list_tasks"), (Set::S07, "task_list"), (Set::V6, "TaskList")]
    {
        let office = Office::new(Set::Claude, "claude");
        for _ in 0..30 {
            office.said("TaskCreate", r#"{"subject":"one of many tasks"}"#);
        }
        let desk = Desk { bound: 100, ..Desk::new(&office.list, Actor::new("a", "s")) };
        let text = set.call(&desk, tool, &Json::Null).text;
        let shown = text.lines().count() - 1;
        assert!(text.ends_with(&format!("\n… {} more", 30 - shown)) && text.len() < 500, "{text}");
    }
}
