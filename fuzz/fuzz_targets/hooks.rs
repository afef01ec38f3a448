//! Any text as the input of a hook: who acts, by which tool, on which tasks; and whoever it is, what another session holds
//! stays theirs.
#![no_main]

#[path = "../../crates/wl/src/hook/input/mod.rs"]
mod input;

use input::{
    Input,
    tool::{Tool, tool},
    who,
};
use libfuzzer_sys::fuzz_target;
use std::path::Path;
use worklist::{
    Actor, Command, NewTask, TaskId, TaskList,
    format::place::{Surroundings, is_claudes, place},
    rules::{ClaimTask, Holder},
    tools::{Desk, adopt, guard},
};

fuzz_target!(|text: &str| {
    let Ok(input) = Input::of(text) else { return };
    let (list, other) = (TaskList::in_memory(), Actor::new("bob", "theirs"));
    for subject in ["one", "two"] {
        let new = NewTask { subject: subject.to_owned(), ..NewTask::default() };
        list.run(&other, &Command::Create(new)).expect("a task");
    }
    let one = TaskId::typed("1").expect("an id");
    list.run(&other, &Command::Claim(ClaimTask::of(one.clone()))).expect("a claim");
    let held = list.show(&one).expect("a look").expect("a task").claim;
    let sessions = acted(&list, &input);
    list.board().expect("a look");
    if !sessions.contains(&other.session) {
        assert_eq!(list.show(&one).expect("a look").expect("a task").claim, held);
    }
});

/// Everything that an event may come to with this input; the sessions in whose name.
fn acted(list: &TaskList, input: &Input) -> Vec<String> {
    let actor = who::actor(input, &Actor::new("claude", "s"));
    stays_in_its_place(input, &actor);
    if let Some(Tool::Clients(tool)) = tool(input) {
        let desk = Desk::new(list, actor.clone());
        _ = guard(&desk, tool, input.value("tool_input"));
        _ = adopt(&desk, tool, input.value("tool_input"), input.value("tool_response"));
    }
    let told = input.task().map(|it| it.id);
    for id in input.ids("tasks_completed").into_iter().chain(told) {
        assert_eq!(TaskId::typed(id.as_str()).as_ref(), Some(&id));
        list.show(&id).expect("a look");
    }
    let sessions = who::sessions(input, &actor);
    if !(who::lives_on(input) || input.is_true("stop_hook_active")) {
        for session in &sessions {
            list.run(&actor, &Command::ReleaseAll(Holder::Session(session.clone()))).expect("given back");
        }
    }
    sessions
}

/// Names are names, subagents are within their session, and its list is among the client's.
fn stays_in_its_place(input: &Input, actor: &Actor) {
    let session = input.name("session_id");
    for name in [&actor.agent, &actor.session] {
        assert!(!name.trim().is_empty() && !name.chars().any(char::is_control));
    }
    for within in who::sessions(input, actor) {
        assert!(Actor::new("", within).is_within(session.unwrap_or("s")));
    }
    let around = Surroundings {
        session_id: session.map(str::to_owned),
        claude: "/claude".into(),
        ..Surroundings::default()
    };
    assert!(is_claudes(&place("claude", &around), Path::new("/claude")));
}
