//! Any text as a plan: taken whole, or refused with nothing made.
#![no_main]

use libfuzzer_sys::fuzz_target;
use worklist::{Actor, Command, TaskList, plan::read};

fuzz_target!(|text: &str| {
    let Ok(draft) = read(text) else { return };
    let list = TaskList::in_memory();
    let (actor, count) = (Actor::new("ann", "s"), draft.plan.tasks.len());
    let made = list.run(&actor, &Command::Plan(draft.plan)).map_or(0, |_| count);
    assert_eq!(list.board().expect("a look").tasks.len(), made);
});
