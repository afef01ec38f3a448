//! Events and their undoing.

use super::{Setup, add, ann, bob, claim, complete, refusal, task};
use crate::{
    event::Origin,
    id::TaskId,
    rules::{Command, Edit, Refusal},
    store::History,
    task::Status,
};

/// Every change is an event, numbered one by one, with who, what, before and after.
pub fn events_are_numbered_and_whole(setup: &Setup) {
    let list = setup.list();
    let a = add(&list, "a", &[]);
    let b = add(&list, "b", &[&a]);
    claim(&list, &bob(), &a).unwrap();
    complete(&list, &bob(), &a, None).unwrap();
    let events = setup.list().events_after(0).unwrap();
    assert_eq!(events.iter().map(|it| it.seq).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let verbs: Vec<_> = events.iter().map(|it| it.command.as_str()).collect();
    assert_eq!(verbs, ["create", "create", "claim", "complete"]);
    assert!(events.iter().all(|it| it.origin == Origin::Ours));
    assert_eq!((events[2].actor.clone(), events[3].freed.clone()), (bob(), vec![b.clone()]));
    let change = &events[2].changes[0];
    let before = change.before.as_ref().unwrap();
    assert_eq!((before.task.status, before.task.owner.clone()), (Status::Pending, None));
    assert_eq!(change.after.as_ref().unwrap().standing.claim.as_ref().unwrap().by, bob());
    // Both ends of an edge are one event.
    let mut touched: Vec<_> = events[1].changes.iter().map(|it| it.id.clone()).collect();
    touched.sort();
    let mut both = vec![a, b];
    both.sort();
    assert_eq!(touched, both);
    assert_eq!(list.events_after(3).unwrap(), events[3..]);
    assert!(list.events_after(4).unwrap().is_empty());
}

/// What is told of one task is what happened to it, however much happened to others.
pub fn the_past_of_one_task_is_its_part_of_history(setup: &Setup) {
    let list = setup.list();
    let a = add(&list, "a", &[]);
    let b = add(&list, "b", &[&a]);
    for subject in ["one", "two", "three", "four"] {
        let edit = Edit { subject: Some(subject.into()), ..Edit::of(a.clone()) };
        setup.list().run(&ann(), &Command::Edit(edit)).unwrap();
    }
    claim(&list, &bob(), &a).unwrap();
    complete(&list, &bob(), &a, None).unwrap();
    list.run(&ann(), &Command::Delete { id: b.clone(), force: false }).unwrap();
    list.undo(&ann(), list.seq().unwrap()).unwrap();
    let events = list.events_after(0).unwrap();
    assert_eq!(events.last().map(|it| it.seq), Some(list.seq().unwrap()));
    for (id, latest) in [(&a, 3), (&b, 3), (&a, 100), (&TaskId::from(999), 3)] {
        assert_eq!(
            setup.list().history(id, latest).unwrap(),
            History::of(events.clone(), id, latest),
            "{id}"
        );
    }
    assert!(list.history(&a, 3).unwrap().changes > 6);
}

/// Each kind of change can be taken back, and the taking back, too.
pub fn every_change_can_be_undone(setup: &Setup) {
    let list = setup.list();
    let a = add(&list, "a", &[]);
    let b = add(&list, "b", &[&a]);
    let edit =
        Edit { subject: Some("new".into()), remove_blocked_by: vec![a.clone()], ..Edit::of(b.clone()) };
    let edited = list.run(&ann(), &Command::Edit(edit)).unwrap().event.unwrap().seq;
    let undone = list.undo(&bob(), edited).unwrap().event.unwrap().seq;
    assert_eq!((task(&list, &b).subject.as_str(), task(&list, &b).blocked_by.len()), ("b", 1));
    list.undo(&bob(), undone).unwrap();
    let list = setup.list();
    assert_eq!((task(&list, &b).subject.as_str(), task(&list, &b).blocked_by.len()), ("new", 0));
    let done = complete(&list, &ann(), &a, None).unwrap().event.unwrap().seq;
    list.undo(&bob(), done).unwrap();
    assert_eq!(task(&list, &a).status, Status::Pending);
    let made = add(&list, "mistake", &[&b]);
    let seq = list.events_after(0).unwrap().last().unwrap().seq;
    list.undo(&ann(), seq).unwrap();
    assert!(list.show(&made).unwrap().is_none());
    assert!(task(&list, &b).blocks.is_empty());
}

/// What was changed again since is not overwritten.
pub fn undo_is_refused_after_later_changes(setup: &Setup) {
    let list = setup.list();
    let a = add(&list, "a", &[]);
    let edit = |subject: &str| {
        let edit = Edit { subject: Some(subject.into()), ..Edit::of(a.clone()) };
        list.run(&ann(), &Command::Edit(edit)).unwrap().event.unwrap().seq
    };
    let (first, _) = (edit("b"), edit("c"));
    let since = Refusal::ChangedSince { id: a.clone(), fields: vec!["subject".into()] };
    assert_eq!(refusal(list.undo(&ann(), first)), since);
    assert_eq!(task(&setup.list(), &a).subject, "c");
    assert!(matches!(list.undo(&ann(), 999), Err(crate::Error::NoEvent { seq: 999 })));
}

/// A deleted task comes back with all its edges.
pub fn undoing_a_deletion_restores_edges(setup: &Setup) {
    let list = setup.list();
    let a = add(&list, "a", &[]);
    let b = add(&list, "b", &[&a]);
    let c = add(&list, "c", &[&b]);
    let before: Vec<_> = [&a, &b, &c].iter().map(|id| task(&list, id)).collect();
    let seq = list.run(&ann(), &Command::Delete { id: b.clone(), force: false }).unwrap().event.unwrap().seq;
    setup.list().undo(&bob(), seq).unwrap();
    for old in before {
        let now = task(&setup.list(), &old.id);
        assert_eq!((now.blocks, now.blocked_by, now.subject), (old.blocks, old.blocked_by, old.subject));
    }
}

/// Undoing a completion does not wake the dead claim: the task is pending, and the next claim has a new number.
pub fn a_claim_is_not_brought_back(setup: &Setup) {
    let list = setup.list();
    let a = add(&list, "a", &[]);
    let token = claim(&list, &ann(), &a).unwrap().decision.token;
    let seq = complete(&list, &ann(), &a, token).unwrap().event.unwrap().seq;
    list.undo(&bob(), seq).unwrap();
    let it = task(&setup.list(), &a);
    assert_eq!((it.status, it.owner), (Status::Pending, None));
    assert_eq!(refusal(complete(&list, &ann(), &a, token)).code(), "stale_token");
    assert!(claim(&list, &bob(), &a).unwrap().decision.token > token);
    let claimed = list.events_after(0).unwrap().last().unwrap().seq;
    list.undo(&ann(), claimed).unwrap();
    assert_eq!(task(&list, &a).owner, None);
}

/// Whoever answers for a task that nobody else wrote answers for nothing, whether it is there or not.
pub fn answering_for_what_nobody_wrote_changes_nothing(setup: &Setup) {
    let list = setup.list();
    let a = add(&list, "a", &[]);
    claim(&list, &ann(), &a).unwrap();
    let ids = vec![a.clone(), TaskId::found("99")];
    let outcome = list.run(&bob(), &Command::Adopt(ids)).unwrap();
    assert!(outcome.event.is_none() && outcome.tasks.len() == 1);
    assert_eq!(outcome.tasks[0].claim.as_ref().map(|it| it.by.clone()), Some(ann()));
    assert_eq!(list.events_after(0).unwrap().len(), 2);
}
