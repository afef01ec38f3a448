//! What suits somebody may stand far behind what suits others: it is looked for page by page, and by many at once.

use crate::place::{database, fresh_list, open};
use std::{collections::BTreeSet, thread};
use worklist::{Actor, Command, NewTask, Priority, TaskId, TaskList, conformance::ann, rules::NextTask};

const TASKS: usize = 150;

/// Every eleventh task bears the mark, and these are the least urgent of all.
fn is_marked(n: usize) -> bool {
    n.is_multiple_of(11)
}

fn lay(list: &TaskList) -> BTreeSet<TaskId> {
    for n in 1..=TASKS {
        let new = NewTask {
            subject: format!("task {n}"),
            tags: if is_marked(n) { vec!["rare".to_owned()] } else { Vec::new() },
            priority: Some(if is_marked(n) { Priority::Low } else { Priority::High }),
            ..NewTask::default()
        };
        list.run(&ann(), &Command::Create(new)).expect("a task");
    }
    (1..=TASKS).filter(|n| is_marked(*n)).map(|n| TaskId::from(n as u64)).collect()
}

fn next_marked(list: &TaskList, actor: &Actor) -> Option<TaskId> {
    let wanted = NextTask { tags: vec!["rare".to_owned()], ..NextTask::default() };
    let taken = list.run(actor, &Command::Next(wanted)).expect("an answer").decision;
    taken.about.first().cloned()
}

#[test]
fn what_suits_is_found_behind_what_does_not() {
    let address = database();
    let list = open(&address, &fresh_list(&address));
    let marked = lay(&list);
    let taken: Vec<TaskId> = std::iter::from_fn(|| next_marked(&list, &ann())).collect();
    assert!(taken.iter().eq(&marked), "in their order, each once: {taken:?}");
    let other = list.run(&ann(), &Command::Next(NextTask::default())).expect("an answer").decision;
    assert_eq!(other.about, [TaskId::from(1)], "what does not suit was left alone");
}

#[test]
fn many_who_look_far_get_each_task_once() {
    let address = database();
    let name = fresh_list(&address);
    let marked = lay(&open(&address, &name));
    let taken: Vec<TaskId> = thread::scope(|scope| {
        let (address, name) = (&address, &name);
        let work = |who: usize| {
            scope.spawn(move || {
                let (list, actor) = (open(address, name), Actor::new(format!("w{who}"), format!("s{who}")));
                std::iter::from_fn(|| next_marked(&list, &actor)).collect::<Vec<_>>()
            })
        };
        let running: Vec<_> = (0..6).map(work).collect();
        running.into_iter().flat_map(|it| it.join().expect("an end")).collect()
    });
    let once: BTreeSet<TaskId> = taken.iter().cloned().collect();
    assert_eq!((taken.len(), &once), (marked.len(), &marked), "each once, and none is left: {taken:?}");
}
