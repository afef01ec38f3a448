//! A whole list laid down in another place of the same kind, and tasks taken over from elsewhere.

use super::{Setup, add, ann, bob, claim, complete, refusal, task};
use crate::{
    id::TaskId,
    rules::{Command, NewTask, Plan, PlanTask, Refusal},
    task::{Priority, Status, Task},
    time::Time,
};

/// Tasks, claims, history and plans are the same in the copy; it goes on from there as the original would.
pub fn a_whole_list_can_be_laid_down_elsewhere(from: &Setup, to: &Setup) {
    let list = from.list();
    let a = add(&list, "a", &[]);
    let b = add(&list, "b", &[&a]);
    let gone = add(&list, "gone", &[&b]);
    let new = NewTask {
        subject: "c".into(),
        description: "long\ntext \u{1F389}".into(),
        priority: Some(Priority::High),
        tags: vec!["x".into()],
        parent: Some(a.clone()),
        ..NewTask::default()
    };
    let plan = Plan { key: Some("k".into()), tasks: vec![PlanTask { task: new, ..PlanTask::default() }] };
    let c = list.run(&ann(), &Command::Plan(plan.clone())).unwrap().decision.about[0].clone();
    list.run(&ann(), &Command::Delete { id: gone.clone(), force: false }).unwrap();
    claim(&list, &bob(), &a).unwrap();
    complete(&list, &bob(), &a, None).unwrap();
    let token = claim(&list, &bob(), &b).unwrap().decision.token.unwrap();
    let whole = list.whole().unwrap();
    let copy = to.list();
    copy.found(&whole).unwrap();
    assert_eq!(to.list().whole().unwrap(), whole);
    assert_eq!(to.list().events_after(0).unwrap(), list.events_after(0).unwrap());
    // Nothing is to be noticed, and nothing is there for a second list.
    to.list().board().unwrap();
    assert_eq!(to.list().whole().unwrap(), whole);
    assert!(matches!(refusal(copy.found(&whole)), Refusal::Invalid { .. }));
    // Ids, numbers of claims, events and plans go on.
    assert_eq!(copy.run(&ann(), &Command::Plan(plan)).unwrap().decision.about, [c]);
    complete(&copy, &bob(), &b, Some(token)).unwrap();
    assert_eq!(copy.events_after(0).unwrap().last().unwrap().seq, whole.seq() + 1);
    let next = add(&copy, "next", &[]);
    assert!(![&a, &b, &gone].contains(&&next));
    assert!(claim(&copy, &ann(), &next).unwrap().decision.token.unwrap() > token);
    // What happened before can still be taken back.
    let deletion = whole.events.iter().find(|it| it.command == "delete").unwrap().seq;
    copy.undo(&ann(), deletion).unwrap();
    assert_eq!(task(&copy, &gone).blocked_by, [b]);
}

/// Tasks come in whole or not at all, with new ids where theirs are taken or do not suit.
pub fn tasks_are_taken_over_whole_or_not_at_all(from: &Setup, to: &Setup) {
    let source = from.list();
    let a = add(&source, "a", &[]);
    add(&source, "b", &[&a]);
    let mut tasks: Vec<Task> = source.whole().unwrap().entries.into_iter().map(|it| it.task).collect();
    let mut odd = Task::new(TaskId::found("odd id/é"), "odd");
    odd.blocked_by = vec![a.clone()];
    (odd.created_at, odd.updated_at) = (Some(Time(1_770_000_000_000)), Some(Time(1_770_000_001_000)));
    odd.status = Status::Completed;
    tasks.push(odd);
    let list = to.list();
    let taken = list.run(&ann(), &Command::Import(tasks.clone())).unwrap();
    let ids = taken.decision.about;
    let odd = task(&list, &ids[2]);
    assert_eq!(odd.imported_from.as_deref(), Some("odd id/é"));
    assert_eq!((odd.updated_at, odd.blocked_by.clone()), (Some(Time(1_770_000_001_000)), vec![a.clone()]));
    assert!(task(&list, &a).blocks.contains(&ids[2]), "edges stand on both ends");
    // A second time: every id is taken now, edges lead to the new ones.
    let again = list.run(&ann(), &Command::Import(tasks.clone())).unwrap();
    let fresh = again.decision.about.clone();
    assert!(fresh.iter().all(|it| !ids.contains(it)));
    assert_eq!(task(&list, &fresh[1]).blocked_by, [fresh[0].clone()]);
    list.undo(&ann(), again.event.unwrap().seq).unwrap();
    assert_eq!(to.list().board().unwrap().tasks.len(), 3);
    // A circle or an unknown neighbour: nothing of it comes in.
    tasks[0].blocked_by = vec![tasks[1].id.clone()];
    assert!(matches!(refusal(list.run(&ann(), &Command::Import(tasks.clone()))), Refusal::Cycle { .. }));
    tasks[0].blocked_by = vec![TaskId::found("nowhere")];
    assert!(matches!(refusal(list.run(&ann(), &Command::Import(tasks))), Refusal::NotFound { .. }));
    assert_eq!(to.list().board().unwrap().tasks.len(), 3);
}
