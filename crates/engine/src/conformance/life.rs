//! Making, changing and removing tasks.

use super::{Setup, add, ann, bob, claim, complete, refusal, task};
use crate::{
    id::TaskId,
    json::{Json, parse},
    rules::{Command, Edit, NewTask, Plan, PlanTask, Refusal},
    task::{Priority, Status},
    view::State,
};

/// Every field comes back, also through another process, also where the format has no place for it.
pub fn everything_is_read_back(setup: &Setup) {
    let list = setup.list();
    let parent = add(&list, "the whole", &[]);
    let new = NewTask {
        subject: "Fix \"auth\" — 数据库 🎉".into(),
        description: "line 1\nline 2\ttab \\ end".into(),
        active_form: Some("Fixing auth".into()),
        owner: None,
        metadata: parse(r#"{"n":1.0,"big":12345678901234567890,"deep":{"a":[1,{}]},"nul":null}"#)
            .ok()
            .and_then(|it| it.as_object().cloned())
            .unwrap_or_default(),
        priority: Some(Priority::High),
        tags: vec!["backend".into(), "p 1".into()],
        parent: Some(parent.clone()),
        ..NewTask::default()
    };
    let id = list.run(&ann(), &Command::Create(new.clone())).unwrap().decision.about[0].clone();
    for list in [&list, &setup.list()] {
        let it = task(list, &id);
        assert_eq!((&it.subject, &it.description), (&new.subject, &new.description));
        assert_eq!((&it.active_form, &it.metadata), (&new.active_form, &new.metadata));
        assert_eq!((it.priority, &it.tags, &it.parent), (new.priority, &new.tags, &new.parent));
        assert_eq!((it.status, it.owner), (Status::Pending, None));
        assert!(it.created_at.is_some() && it.updated_at.is_some());
        let board = list.board().unwrap();
        assert_eq!(board.tasks.len(), 2);
        assert!(board.problems.is_empty(), "{:?}", board.problems);
    }
}

/// Fields are set, replaced and emptied, one without the other.
pub fn fields_can_be_changed_and_emptied(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "before", &[]);
    let full = Edit {
        subject: Some("after".into()),
        description: Some("long".into()),
        active_form: Some(Some("Doing".into())),
        owner: Some(Some("bob".into())),
        priority: Some(Some(Priority::Low)),
        add_tags: vec!["x".into(), "y".into()],
        metadata: vec![("k".into(), Some(Json::from("v"))), ("l".into(), Some(Json::from(true)))],
        ..Edit::of(id.clone())
    };
    list.run(&ann(), &Command::Edit(full)).unwrap();
    let it = task(&list, &id);
    assert_eq!((it.subject.as_str(), it.description.as_str()), ("after", "long"));
    assert_eq!((it.owner.as_deref(), it.active_form.as_deref()), (Some("bob"), Some("Doing")));
    let empty = Edit {
        active_form: Some(None),
        owner: Some(None),
        priority: Some(None),
        remove_tags: vec!["x".into()],
        metadata: vec![("k".into(), None)],
        ..Edit::of(id.clone())
    };
    list.run(&ann(), &Command::Edit(empty)).unwrap();
    let it = task(&setup.list(), &id);
    assert_eq!((it.owner, it.active_form, it.priority), (None, None, None));
    assert_eq!((it.tags, it.metadata.len()), (vec!["y".to_owned()], 1));
    assert_eq!((it.subject.as_str(), it.description.as_str()), ("after", "long"));
}

/// The id of a deleted task is not given again.
pub fn ids_are_never_given_twice(setup: &Setup) {
    let list = setup.list();
    let mut seen = Vec::new();
    for n in 0..6 {
        let id = add(&list, &format!("task {n}"), &[]);
        assert!(!seen.contains(&id), "{id} was given twice");
        if n % 2 == 1 {
            list.run(&ann(), &Command::Delete { id: id.clone(), force: false }).unwrap();
        }
        seen.push(id);
    }
}

/// A refused command leaves no trace.
pub fn a_refusal_changes_nothing(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "task", &[]);
    let (before, events) = (task(&list, &id), list.events_after(0).unwrap());
    let missing = TaskId::found("404");
    let bad =
        Edit { subject: Some("new".into()), add_blocked_by: vec![missing.clone()], ..Edit::of(id.clone()) };
    assert_eq!(refusal(list.run(&ann(), &Command::Edit(bad))), Refusal::NotFound { id: missing.clone() });
    assert_eq!(refusal(claim(&list, &ann(), &missing)).code(), "not_found");
    let blank = NewTask { subject: "  ".into(), ..NewTask::default() };
    assert_eq!(refusal(list.run(&ann(), &Command::Create(blank))).code(), "invalid");
    let taken = NewTask { subject: "again".into(), id: Some(id.clone()), ..NewTask::default() };
    assert_eq!(refusal(list.run(&ann(), &Command::Create(taken))), Refusal::Exists { id: id.clone() });
    assert_eq!(task(&setup.list(), &id), before);
    assert_eq!(list.events_after(0).unwrap(), events);
}

/// Nothing refers to a deleted task any more, and what only waited for it is free.
pub fn deleting_cleans_up(setup: &Setup) {
    let list = setup.list();
    let first = add(&list, "first", &[]);
    let middle = add(&list, "middle", &[&first]);
    let last = add(&list, "last", &[&middle]);
    let child = NewTask { subject: "child".into(), parent: Some(middle.clone()), ..NewTask::default() };
    let child = list.run(&ann(), &Command::Create(child)).unwrap().decision.about[0].clone();
    let outcome = list.run(&ann(), &Command::Delete { id: middle.clone(), force: false }).unwrap();
    assert_eq!(outcome.decision.freed, std::slice::from_ref(&last));
    let list = setup.list();
    assert!(list.show(&middle).unwrap().is_none());
    assert!(task(&list, &first).blocks.is_empty());
    assert!(task(&list, &last).blocked_by.is_empty());
    assert_eq!(task(&list, &child).parent, None);
    assert_eq!(list.board().unwrap().tasks.len(), 3);
}

/// A blocker that is re-opened blocks again.
pub fn reopening_blocks_again(setup: &Setup) {
    let list = setup.list();
    let first = add(&list, "first", &[]);
    let second = add(&list, "second", &[&first]);
    complete(&list, &ann(), &first, None).unwrap();
    assert_eq!(list.show(&second).unwrap().unwrap().state, State::Ready);
    list.run(&ann(), &Command::Reopen { id: first.clone(), force: false }).unwrap();
    assert_eq!(list.show(&second).unwrap().unwrap().state, State::Blocked);
    assert_eq!(setup.list().board().unwrap().tasks.iter().filter(|it| it.state == State::Blocked).count(), 1);
    assert_eq!(refusal(claim(&list, &bob(), &second)).code(), "blocked");
}

fn planned(name: &str, after: &[&str]) -> PlanTask {
    let task = NewTask { subject: name.to_owned(), ..NewTask::default() };
    let after = after.iter().map(|it| (*it).to_owned()).collect();
    PlanTask { name: Some(name.to_owned()), after, task, ..PlanTask::default() }
}

/// All tasks of a plan are made, or none.
pub fn a_plan_is_made_whole_or_not_at_all(setup: &Setup) {
    let list = setup.list();
    let old = add(&list, "old", &[]);
    let old_name = old.to_string();
    let good = Plan {
        key: None,
        tasks: vec![planned("c", &["a", "b"]), planned("b", &["a", &old_name]), planned("a", &[])],
    };
    let outcome = list.run(&ann(), &Command::Plan(good)).unwrap();
    let names = outcome.decision.plan.unwrap().names;
    let id = |name: &str| names.iter().find(|it| it.0 == name).unwrap().1.clone();
    assert_eq!(task(&list, &id("c")).blocked_by, [id("a"), id("b")]);
    assert_eq!(task(&list, &id("b")).blocked_by, [id("a"), old]);
    assert_eq!(list.board().unwrap().tasks.len(), 4);
    for (bad, code) in [
        (vec![planned("x", &[]), planned("y", &["nobody-knows"])], "not_found"),
        (vec![planned("x", &["y"]), planned("y", &["x"])], "cycle"),
        (vec![planned("x", &["x"])], "self_edge"),
        (vec![planned("x", &[]), planned("x", &[])], "invalid"),
        (vec![], "invalid"),
    ] {
        let plan = Plan { key: None, tasks: bad };
        assert_eq!(refusal(list.run(&ann(), &Command::Plan(plan))).code(), code);
    }
    assert_eq!(setup.list().board().unwrap().tasks.len(), 4);
}

/// A task of a plan is a part of another by its name, or of an older one by its id.
pub fn a_plan_knows_parts_by_name(setup: &Setup) {
    let list = setup.list();
    let old = add(&list, "old", &[]);
    let part = |name: &str, of: &str| PlanTask { parent: Some(of.to_owned()), ..planned(name, &[]) };
    let tasks = vec![part("leaf", "branch"), part("branch", "root"), part("root", &format!("#{old}"))];
    let outcome = list.run(&ann(), &Command::Plan(Plan { key: None, tasks })).unwrap();
    let [leaf, branch, root] = &outcome.decision.about[..] else { panic!("three tasks") };
    assert_eq!(task(&list, leaf).parent.as_ref(), Some(branch));
    assert_eq!(task(&list, branch).parent.as_ref(), Some(root));
    assert_eq!(task(&list, root).parent, Some(old));
    for (bad, code) in [
        (vec![part("x", "nobody-knows")], "not_found"),
        (vec![part("x", "x")], "invalid"),
        (vec![part("x", "y"), part("y", "z"), part("z", "x")], "invalid"),
    ] {
        assert_eq!(refusal(list.run(&ann(), &Command::Plan(Plan { key: None, tasks: bad }))).code(), code);
    }
    assert_eq!(setup.list().board().unwrap().tasks.len(), 4);
}

/// The same plan under the same key is made once and answered twice.
pub fn a_plan_with_a_key_is_made_once(setup: &Setup) {
    let list = setup.list();
    let plan = || {
        Command::Plan(Plan {
            key: Some("release".into()),
            tasks: vec![planned("a", &[]), planned("b", &["a"])],
        })
    };
    let first = list.run(&ann(), &plan()).unwrap();
    let again = setup.list().run(&bob(), &plan()).unwrap();
    assert_eq!(first.decision.plan, again.decision.plan);
    assert!(again.event.is_none());
    assert_eq!(again.tasks.len(), 2);
    assert_eq!(list.board().unwrap().tasks.len(), 2);
}

/// A parent exists and is not a part of its part.
pub fn parents_are_checked(setup: &Setup) {
    let list = setup.list();
    let (a, b) = (add(&list, "a", &[]), add(&list, "b", &[]));
    let parent = |of: &TaskId, parent: &TaskId| {
        list.run(&ann(), &Command::Edit(Edit { parent: Some(Some(parent.clone())), ..Edit::of(of.clone()) }))
    };
    parent(&b, &a).unwrap();
    assert_eq!(refusal(parent(&a, &b)).code(), "invalid");
    assert_eq!(refusal(parent(&a, &a)).code(), "invalid");
    assert_eq!(refusal(parent(&a, &TaskId::found("404"))).code(), "not_found");
}
