//! The dialogues that the lessons print, each in its own files and vocabulary, over both services. What the model would
//! say is scripted; what the tools answer and what is in the files is not.

use crate::{Read, Service, Step, Turn, Value, Wl, at, json, no_key, place, then};
use std::sync::{Arc, Mutex};

/// Says prompts to the agent, one after the other, as a person would type them.
fn dialogue(wl: &Wl, service: &Service, more: &[&str], prompts: &[&str]) -> String {
    let url = service.url();
    let run = wl.input(&(prompts.join("\n") + "\n")).run(&at(&url, more)).code(0);
    no_key(&run);
    service.ended();
    run.out
}

fn file(wl: &Wl, path: &str) -> Value {
    serde_json::from_str(&wl.read(path)).expect("JSON")
}

const S12: [&str; 4] = [
    "Create tasks: setup database schema, create API endpoints (depends on schema), write tests (depends on endpoints), write docs (depends on schema)",
    "List all tasks and their statuses",
    "Claim the first unblocked task and complete it",
    "List tasks again — which ones are now unblocked?",
];

/// The id in `Created task_1_2: …`.
fn created(result: &str) -> String {
    let rest = result.strip_prefix("Created ").unwrap_or_else(|| panic!("{result}"));
    rest.split(':').next().unwrap_or_default().to_owned()
}

#[test]
fn the_dialogue_of_s12() {
    let ids = Arc::new(Mutex::new(Vec::<String>::new()));
    let known = |ids: &Arc<Mutex<Vec<String>>>| {
        let ids = ids.clone();
        move |n: usize| ids.lock().expect("a lock")[n].clone()
    };
    let learn = |ids: &Arc<Mutex<Vec<String>>>, results: Vec<String>| {
        ids.lock().expect("a lock").extend(results.iter().map(|it| created(it)));
    };
    let (a, b, c) = (ids.clone(), ids.clone(), ids.clone());
    let create = |subject: &str, by: Vec<String>| json!({"subject": subject, "blockedBy": by});
    let id = known(&ids);
    let (id2, id3, id4, id5) = (known(&ids), known(&ids), known(&ids), known(&ids));
    let service = Service::playing([
        Step::Turn(Turn::calls("create_task", json!({"subject": "setup database schema"}))),
        then(move |asked| {
            assert_eq!(
                asked.tools(),
                [
                    "bash",
                    "read_file",
                    "write_file",
                    "edit_file",
                    "create_task",
                    "list_tasks",
                    "get_task",
                    "claim_task",
                    "complete_task"
                ]
            );
            learn(&a, asked.news());
            let schema = vec![id(0)];
            Turn::calls("create_task", create("create API endpoints", schema.clone()))
                .and("create_task", create("write docs", schema))
        }),
        then(move |asked| {
            learn(&b, asked.news());
            Turn::calls("create_task", create("write tests", vec![id2(1)]))
        }),
        then(move |asked| {
            learn(&c, asked.news());
            Turn::says("Four tasks are planned.")
        }),
        Step::Turn(Turn::calls("list_tasks", json!({}))),
        then(move |asked| {
            let list = asked.result();
            assert!(list.contains(&format!("  ○ {}: setup database schema [pending]", id3(0))), "{list}");
            assert!(
                list.contains(&format!("create API endpoints [pending] (blockedBy: {})", id3(0))),
                "{list}"
            );
            Turn::says("All are pending.")
        }),
        then(move |_| Turn::calls("claim_task", json!({"task_id": id4(0)}))),
        then(move |asked| {
            assert_eq!(asked.result(), format!("Claimed {} (setup database schema)", id5(0)));
            Turn::calls("complete_task", json!({"task_id": id5(0)}))
        }),
        then(|asked| {
            let done = asked.result();
            assert!(done.contains("(setup database schema)\nUnblocked: "), "{done}");
            assert!(
                done.contains("create API endpoints")
                    && done.contains("write docs")
                    && !done.contains("write tests")
            );
            Turn::says("Done.")
        }),
        Step::Turn(Turn::calls("list_tasks", json!({}))),
        then(|asked| {
            assert!(
                asked.result().contains("setup database schema [completed] [agent]"),
                "{}",
                asked.result()
            );
            Turn::says("Endpoints and docs are unblocked.")
        }),
    ]);
    let wl = place();
    let said = dialogue(&wl, &service, &["--format", "s12", "--tools", "s12"], &S12);
    assert_eq!(said, "Four tasks are planned.\nAll are pending.\nDone.\nEndpoints and docs are unblocked.\n");
    let ids = ids.lock().expect("a lock").clone();
    let schema = file(&wl, &format!(".tasks/{}.json", ids[0]));
    assert_eq!(
        schema,
        json!({"id": ids[0], "subject": "setup database schema", "description": "", "status": "completed", "owner": "agent", "blockedBy": []})
    );
    let tests = file(&wl, &format!(".tasks/{}.json", ids[3]));
    assert_eq!(
        tests,
        json!({"id": ids[3], "subject": "write tests", "description": "", "status": "pending", "owner": null, "blockedBy": [ids[1]]})
    );
    let ready: Vec<String> =
        wl.json(&["ready"]).items("tasks").iter().map(|it| it.word("subject").to_owned()).collect();
    assert!(
        ready.len() == 2 && ready.iter().all(|it| it == "create API endpoints" || it == "write docs"),
        "{ready:?}"
    );
}

/// The turns of the dialogue that s07 and its Java port share, up to the last prompt.
fn three_in_order(
    create: &'static str,
    update: &'static str,
    list: &'static str,
    id: &'static str,
) -> Vec<Step> {
    let subject = |it: &str| json!({"subject": it});
    let after = |task: u64, by: u64| {
        let mut input = json!({"addBlockedBy": [by]});
        input[id] = task.into();
        input
    };
    let wiring = Turn::calls(update, after(2, 1)).and(update, after(3, 2));
    let mut completed = json!({"status": "completed"});
    completed[id] = 1.into();
    vec![
        Step::Turn(
            Turn::calls(create, subject("Setup project"))
                .and(create, subject("Write code"))
                .and(create, subject("Write tests")),
        ),
        then(move |asked| {
            for (n, result) in asked.news().iter().enumerate() {
                let record: Value = serde_json::from_str(result).expect("a record");
                assert_eq!(
                    (&record["id"], &record["status"]),
                    (&json!(n + 1), &json!("pending")),
                    "{record}"
                );
            }
            wiring
        }),
        Step::Turn(Turn::says("Three tasks, in order.")),
        Step::Turn(Turn::calls(list, json!({}))),
        then(|asked| {
            let lines = "[ ] #1: Setup project\n[ ] #2: Write code (blocked by: [1])\n[ ] #3: Write tests (blocked by: [2])";
            assert_eq!(asked.result(), lines);
            Turn::says("1 -> 2 -> 3")
        }),
        Step::Turn(Turn::calls(update, completed)),
        Step::Turn(Turn::calls(list, json!({}))),
        then(|asked| {
            let lines = "[x] #1: Setup project\n[ ] #2: Write code\n[ ] #3: Write tests (blocked by: [2])";
            assert_eq!(asked.result(), lines);
            Turn::says("Task 2 is unblocked.")
        }),
    ]
}

const S07: [&str; 3] = [
    "Create 3 tasks: \"Setup project\", \"Write code\", \"Write tests\". Make them depend on each other in order.",
    "List all tasks and show the dependency graph",
    "Complete task 1 and then list tasks to see task 2 unblocked",
];

fn board(create: &str) -> Turn {
    let task = |it: &str| json!({"subject": it});
    ["transform", "emit", "test"]
        .iter()
        .fold(Turn::calls(create, task("parse")), |it, name| it.and(create, task(name)))
}

#[test]
fn the_dialogue_of_s07() {
    let mut steps = three_in_order("task_create", "task_update", "task_list", "task_id");
    let after = |task: u64, by: u64| json!({"task_id": task, "addBlockedBy": [by]});
    steps.push(Step::Turn(board("task_create")));
    steps.push(Step::Turn(
        Turn::calls("task_update", after(5, 4))
            .and("task_update", after(6, 5))
            .and("task_update", after(7, 6)),
    ));
    steps.push(Step::Turn(Turn::says("The board stands.")));
    let service = Service::playing(steps);
    let wl = place();
    let prompts =
        [&S07[..], &["Create a task board for refactoring: parse -> transform -> emit -> test"]].concat();
    let said = dialogue(&wl, &service, &["--format", "s07", "--tools", "s07"], &prompts);
    assert_eq!(said, "Three tasks, in order.\n1 -> 2 -> 3\nTask 2 is unblocked.\nThe board stands.\n");
    assert_eq!(file(&wl, ".tasks/task_1.json")["status"], "completed");
    // Completing took the edge out of the file, as the lesson does.
    assert_eq!(file(&wl, ".tasks/task_2.json")["blockedBy"], json!([]));
    assert_eq!(file(&wl, ".tasks/task_3.json")["blockedBy"], json!([2]));
    assert_eq!(file(&wl, ".tasks/task_7.json")["blockedBy"], json!([6]));
}

/// The same in the Java port's spelling, over the other service; its last board forks and joins.
#[test]
fn the_dialogue_of_the_java_port() {
    let mut steps = three_in_order("taskCreate", "taskUpdate", "taskList", "taskId");
    let after = |task: u64, by: &[u64]| json!({"taskId": task, "addBlockedBy": by});
    steps.push(Step::Turn(board("taskCreate")));
    steps.push(Step::Turn(
        Turn::calls("taskUpdate", after(5, &[4]))
            .and("taskUpdate", after(6, &[4]))
            .and("taskUpdate", after(7, &[5, 6])),
    ));
    steps.push(Step::Turn(Turn::says("The board stands.")));
    let service = Service::playing(steps);
    let wl = place();
    let last = "Create a task board for refactoring: parse -> transform -> emit -> test, where transform and emit can run in parallel after parse";
    let prompts = [&S07[..], &[last]].concat();
    let more = ["--format", "java", "--tools", "s07", "--provider", "openai", "--model", "m"];
    let url = service.url();
    let whole = [&["agent", "--base-url", &url], &more[..]].concat();
    let run = wl.input(&(prompts.join("\n") + "\n")).run(&whole).code(0);
    service.ended();
    assert_eq!(run.out, "Three tasks, in order.\n1 -> 2 -> 3\nTask 2 is unblocked.\nThe board stands.\n");
    assert!(service.asked().iter().all(|it| it.path == "/chat/completions"));
    assert_eq!(file(&wl, ".tasks/task_7.json")["blockedBy"], json!([5, 6]));
    assert_eq!(file(&wl, ".tasks/task_4.json")["blocks"], json!([5, 6]));
    wl.ok(&["claim", "4"]);
    let freed = wl.json(&["done", "4"]);
    assert_eq!(freed.items("unblocked").len(), 2, "{freed}");
}

/// In Chinese, with our own tools and the default files.
#[test]
fn a_dialogue_in_chinese() {
    let plan =
        json!({"tasks": [{"name": "库", "subject": "搭建数据库"}, {"subject": "编写接口", "after": ["库"]}]});
    let service = Service::playing([
        Step::Turn(Turn::calls("TaskPlan", plan)),
        then(|asked| {
            assert!(asked.result().contains("搭建数据库"), "{}", asked.result());
            Turn::says("计划完成：先搭建数据库，再编写接口。")
        }),
        Step::Turn(Turn::calls("TaskNext", json!({}))),
        Step::Turn(Turn::calls("TaskUpdate", json!({"taskId": "1", "status": "completed"}))),
        then(|asked| {
            assert!(asked.result().contains("编写接口"), "{}", asked.result());
            Turn::says("第一个任务已完成。")
        }),
    ]);
    let wl = place();
    let said = dialogue(&wl, &service, &[], &["请把目标拆成任务", "完成第一个任务"]);
    assert_eq!(said, "计划完成：先搭建数据库，再编写接口。\n第一个任务已完成。\n");
    assert_eq!(service.asked()[0].result(), "请把目标拆成任务");
    assert_eq!(file(&wl, ".tasks/1.json")["subject"], "搭建数据库");
    assert_eq!(file(&wl, ".tasks/1.json")["status"], "completed");
}

/// The checklist of `todo`, and `v6`, in one breath each.
#[test]
fn the_other_vocabularies_are_there() {
    for (set, tool) in
        [("v6", "TaskCreate"), ("todo", "TodoWrite"), ("claude", "TaskCreate"), ("ours", "TaskPlan")]
    {
        let service = Service::playing([then(move |asked| {
            assert!(asked.tools().iter().any(|it| it == tool), "{set}: {:?}", asked.tools());
            Turn::says("Yes.")
        })]);
        crate::plays(&place(), &service, &["--tools", set]).stdout("Yes.\n");
    }
}
