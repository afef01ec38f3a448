//! Any arguments for any tool of any vocabulary: answered or refused, and the list stays readable.
#![no_main]

use libfuzzer_sys::fuzz_target;
use worklist::{
    Actor, Command, NewTask, TaskList,
    json::parse,
    tools::{Desk, Set},
};

fuzz_target!(|input: (u8, u8, &str)| {
    let (set, tool, text) = input;
    let Ok(arguments) = parse(text) else { return };
    let list = TaskList::in_memory();
    let actor = Actor::new("ann", "s");
    for subject in ["one", "two"] {
        let new = NewTask { subject: subject.to_owned(), ..NewTask::default() };
        list.run(&actor, &Command::Create(new)).expect("a task");
    }
    let set = Set::ALL[usize::from(set) % Set::ALL.len()];
    let tool = &set.tools()[usize::from(tool) % set.tools().len()];
    _ = set.call(&Desk::new(&list, actor), tool.name, &arguments);
    list.board().expect("a look");
});
