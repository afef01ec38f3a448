//! Our vocabulary as an agent meets it: what it costs, what it answers, what it takes.

use worklist::{
    Actor, Options, TaskList,
    json::{Json, Object, Style, parse, write},
    tools::{Desk, Reply, Set},
};

/// What the whole set may cost a model, and an answer.
const MOST_TOKENS: usize = 900;
const BOUND: usize = 2_000;

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base().expect("the tokenizer").encode_ordinary(text).len()
}

struct Agent<'a> {
    list: &'a TaskList,
    name: &'a str,
}

impl Agent<'_> {
    fn call(&self, tool: &str, input: &str) -> Reply {
        let actor = Actor::new(self.name, format!("session-{}", self.name));
        let desk = Desk { bound: BOUND, ..Desk::new(self.list, actor) };
        Set::Ours.call(&desk, tool, &parse(input).expect("JSON"))
    }

    #[track_caller]
    fn says(&self, tool: &str, input: &str, text: &str) {
        let reply = self.call(tool, input);
        assert_eq!((reply.text.as_str(), reply.error), (text, None), "{tool} {input}");
    }

    #[track_caller]
    fn refuses(&self, tool: &str, input: &str, code: &str, text: &str) {
        let reply = self.call(tool, input);
        assert_eq!((reply.text.as_str(), reply.error), (text, Some(code)), "{tool} {input}");
    }
}

#[test]
fn the_whole_set_is_cheap() {
    let tools = Set::Ours.tools().iter().map(|it| {
        assert!(it.input_schema().as_object().is_some(), "{} has a schema", it.name);
        let tool = Object::new().with("name", it.name).with("description", it.description);
        Json::Object(tool.with("inputSchema", it.input_schema()))
    });
    let cost = tokens(&write(&Json::Array(tools.collect()), Style::COMPACT, ""));
    println!("names, descriptions and schemas: {cost} tokens (o200k_base)");
    assert!(cost <= MOST_TOKENS, "{cost}");
}

#[test]
fn a_goal_from_plan_to_done() {
    let keep = tempfile::tempdir().expect("a folder");
    let list = TaskList::create(keep.path(), &Options::default()).expect("a list");
    let (ann, bob) = (Agent { list: &list, name: "ann" }, Agent { list: &list, name: "bob" });
    ann.says("TaskList", "{}", "No tasks. TaskPlan makes a whole graph, TaskCreate one.\nseq 0");
    let plan = r#"{"key": "k", "tasks": [{"name": "a", "subject": "Schema", "priority": "high"},
                   {"name": "b", "subject": "API", "after": ["a"]}, {"subject": "Docs", "after": "[\"a\", \"b\"]"}]}"#;
    let lines =
        "#1 [ready] Schema !high\n#2 [blocked] API [blocked by #1]\n#3 [blocked] Docs [blocked by #1, #2]\n";
    ann.says("TaskPlan", plan, &format!("Planned 3 tasks:\n{lines}TaskNext takes up the first."));
    let again = ann.call("TaskPlan", plan).text;
    assert!(again.starts_with("This plan was made before; nothing was changed:"), "{again}");
    let heading = "3 tasks: 1 ready, 0 in progress, 2 blocked, 0 completed";
    bob.says("TaskList", "{}", &format!("{heading}\n{lines}seq 1"));
    bob.says("TaskList", r#"{"state": "ready"}"#, &format!("{heading}\n#1 [ready] Schema !high\nseq 1"));
    let next = ann.call("TaskNext", "{}").text;
    assert!(
        next.starts_with("Claimed #1 [in_progress] Schema (@ann) !high\nClaimed by: ann (token "),
        "{next}"
    );
    let nothing = "Nothing is ready: 1 in progress, 2 blocked. Call again later, or with wait.";
    bob.says("TaskNext", "null", nothing);
    let claimed = "Not done: task 1 is claimed by ann. Leave it; call TaskNext for another.";
    bob.refuses("TaskUpdate", r#"{"taskId": 1, "status": "in_progress"}"#, "already_claimed", claimed);
    let lost = "Not done: the claim of task 1 is not yours, but ann's. It is not yours, or not any more: stop working on it and call TaskNext.";
    bob.refuses("TaskUpdate", r#"{"taskId": 1, "status": "completed"}"#, "stale_token", lost);
    let blocked = "Not done: task 3 waits for 1, 2. Do #1 first, or call TaskNext.";
    bob.refuses("TaskUpdate", r##"{"task_id": "#3", "status": "in_progress"}"##, "blocked", blocked);
    let done = "Completed #1 [completed] Schema (@ann) !high\nNow ready:\n#2 [ready] API";
    ann.says("TaskUpdate", r#"{"id": "1", "status": "completed"}"#, done);
    bob.says(
        "TaskUpdate",
        r#"{"taskId": "2", "status": "in_progress"}"#,
        "Claimed #2 [in_progress] API (@bob)",
    );
    let back = r#"{"taskId": "2", "status": "pending", "reason": "no time", "metadata": {"n": 1}}"#;
    bob.says("TaskUpdate", back, "Gave back #2 [ready] API");
    assert_eq!(
        list.events_after(0).expect("history").last().and_then(|it| it.reason.clone()).as_deref(),
        Some("no time")
    );
    ann.says("TaskGet", r#"{"taskId": 2}"#, "#2 [ready] API\nWaits for: #1\nBlocks: #3\nMetadata: {\"n\":1}");
    ann.says(
        "TaskUpdate",
        r#"{"taskId": "3", "removeBlockedBy": "2"}"#,
        "Updated #3 [ready] Docs\nNow ready:\n#3 [ready] Docs",
    );
    ann.says("TaskUpdate", r#"{"taskId": "3", "status": "deleted"}"#, "Removed #3");
    let news = ann.call("TaskList", r#"{"since": 6}"#).text;
    assert!(news.contains("\n#2 [ready] API\n") && news.contains("Removed: #3\n"), "{news}");
}

/// Agents that share one connection are told apart by the name they give.
#[test]
fn two_agents_over_one_session_are_two_claimants() {
    let list = TaskList::in_memory();
    let one = Agent { list: &list, name: "server" };
    one.call("TaskCreate", r#"{"subject": "a"}"#);
    assert!(one.call("TaskNext", r#"{"agent": "red"}"#).text.starts_with("Claimed #1"));
    assert_eq!(
        one.call("TaskUpdate", r#"{"taskId": 1, "status": "completed", "agent": "blue"}"#).error,
        Some("stale_token")
    );
    assert_eq!(one.call("TaskUpdate", r#"{"taskId": 1, "status": "completed", "agent": "red"}"#).error, None);
}

#[test]
fn what_cannot_be_meant_is_said_by_name() {
    let list = TaskList::in_memory();
    let ann = Agent { list: &list, name: "ann" };
    for (tool, input, text) in [
        ("TaskCreate", "{}", "Not done: TaskCreate: `subject` is missing."),
        ("TaskCreate", r#"{"subjcet": "x"}"#, "Not done: TaskCreate: `subject` is missing."),
        (
            "TaskCreate",
            r#"{"subject": "x", "prioritty": "high"}"#,
            "Not done: TaskCreate: `prioritty` is not known; did you mean `priority`?",
        ),
        (
            "TaskCreate",
            r#"{"subject": "x", "priority": "huge"}"#,
            "Not done: TaskCreate: `priority` must be low, medium or high.",
        ),
        ("TaskCreate", r#"{"subject": ["x"]}"#, "Not done: TaskCreate: `subject` must be a text."),
        (
            "TaskGet",
            r#"{"taskId": "../x"}"#,
            "Not done: TaskGet: `taskId` holds `../x`, which is not a task's id.",
        ),
        (
            "TaskList",
            r#"{"state": "odd"}"#,
            "Not done: TaskList: `state` must be ready, blocked, in_progress, completed or all.",
        ),
    ] {
        ann.refuses(tool, input, "invalid", text);
    }
    ann.refuses(
        "TaskGet",
        r#"{"taskId": 9}"#,
        "not_found",
        "Not done: there is no task 9. TaskList shows what there is.",
    );
    ann.refuses("TaskGett", "{}", "unknown_tool", "There is no tool TaskGett. Did you mean TaskGet?");
    ann.refuses("TaskList", "[]", "invalid", "The arguments must be a JSON object.");
    assert!(list.board().expect("a look").tasks.is_empty());
}

#[test]
fn answers_are_bounded_and_say_what_was_left_out() {
    let list = TaskList::in_memory();
    let ann = Agent { list: &list, name: "ann" };
    let task =
        |n: usize| format!(r#"{{"subject": "Task number {n} 漢字 with a subject of the usual length"}}"#);
    let tasks: Vec<String> = (0..5_000).map(task).collect();
    ann.call("TaskPlan", &format!(r#"{{"tasks": [{}]}}"#, tasks.join(",")));
    let text = ann.call("TaskList", "{}").text;
    let cost = tokens(&text);
    println!("a list of 5,000 tasks: {cost} tokens");
    assert!(cost <= BOUND + 100, "{cost}");
    let shown = text.lines().filter(|it| it.starts_with('#')).count();
    assert!(text.contains(&format!("… {} more: narrow it by state, owner or tag.", 5_000 - shown)), "{text}");
    let long = "word ".repeat(20_000);
    ann.call("TaskUpdate", &format!(r#"{{"taskId": 1, "description": "{long}"}}"#));
    let text = ann.call("TaskGet", r#"{"taskId": 1}"#).text;
    assert!(tokens(&text) <= BOUND + 100 && text.contains("more characters"), "{}", tokens(&text));
}
