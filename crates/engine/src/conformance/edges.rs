//! What waits for what.

use super::{Setup, add, ann, claim, complete, refusal, task};
use crate::{
    id::TaskId,
    rules::{Command, Edit, NewTask, Refusal},
    task::{Priority, Status},
    view::State,
};

fn edit(setup: &Setup, edit: Edit) -> Result<crate::Outcome, crate::Error> {
    setup.list().run(&ann(), &Command::Edit(edit))
}

/// Adding from either side gives the same edge; removing takes both ends away.
pub fn edges_stand_on_both_ends(setup: &Setup) {
    let list = setup.list();
    let ids: Vec<TaskId> = (0..3).map(|n| add(&list, &format!("{n}"), &[])).collect();
    edit(setup, Edit { add_blocked_by: vec![ids[0].clone()], ..Edit::of(ids[1].clone()) }).unwrap();
    edit(setup, Edit { add_blocks: vec![ids[2].clone()], ..Edit::of(ids[1].clone()) }).unwrap();
    assert_eq!(task(&list, &ids[0]).blocks, [ids[1].clone()]);
    assert_eq!(task(&list, &ids[1]).blocked_by, [ids[0].clone()]);
    assert_eq!(task(&list, &ids[1]).blocks, [ids[2].clone()]);
    assert_eq!(task(&list, &ids[2]).blocked_by, [ids[1].clone()]);
    edit(setup, Edit { remove_blocks: vec![ids[1].clone()], ..Edit::of(ids[0].clone()) }).unwrap();
    edit(setup, Edit { remove_blocked_by: vec![ids[1].clone()], ..Edit::of(ids[2].clone()) }).unwrap();
    for id in &ids {
        let it = task(&list, id);
        assert!(it.blocks.is_empty() && it.blocked_by.is_empty(), "{it:?}");
    }
}

/// An edge to nothing is refused, or stored for callers that may; then it blocks.
pub fn what_is_missing_is_refused_or_blocks(setup: &Setup) {
    let list = setup.list();
    let ghost = TaskId::found("99");
    let new = |allow_missing| {
        let new = NewTask {
            subject: "waits".into(),
            blocked_by: vec![ghost.clone()],
            allow_missing,
            ..NewTask::default()
        };
        list.run(&ann(), &Command::Create(new))
    };
    assert_eq!(refusal(new(false)), Refusal::NotFound { id: ghost.clone() });
    let id = new(true).unwrap().decision.about[0].clone();
    let view = setup.list().show(&id).unwrap().unwrap();
    assert_eq!((view.state, view.open_blockers), (State::Blocked, vec![ghost.clone()]));
    assert_eq!(
        refusal(claim(&list, &ann(), &id)),
        Refusal::Blocked { id, by: vec![ghost.clone()], missing: vec![ghost] }
    );
}

/// A circle is refused when it would be closed, and shown.
pub fn circles_are_refused(setup: &Setup) {
    let list = setup.list();
    let a = add(&list, "a", &[]);
    let b = add(&list, "b", &[&a]);
    let c = add(&list, "c", &[&b]);
    let close = Edit { add_blocked_by: vec![c.clone()], ..Edit::of(a.clone()) };
    let path = vec![a.clone(), c.clone(), b.clone(), a.clone()];
    assert_eq!(refusal(edit(setup, close)), Refusal::Cycle { path });
    let own = Edit { add_blocks: vec![a.clone()], ..Edit::of(a.clone()) };
    assert_eq!(refusal(edit(setup, own)), Refusal::SelfEdge { id: a.clone() });
    assert!(task(&list, &a).blocked_by.is_empty());
}

/// Neither claiming nor completing nor a plain change of status starts a blocked task.
pub fn blocked_tasks_do_not_start(setup: &Setup) {
    let list = setup.list();
    let first = add(&list, "first", &[]);
    let second = add(&list, "second", &[&first]);
    let blocked = Refusal::Blocked { id: second.clone(), by: vec![first.clone()], missing: vec![] };
    assert_eq!(refusal(claim(&list, &ann(), &second)), blocked);
    assert_eq!(refusal(complete(&list, &ann(), &second, None)), blocked);
    for status in [Status::InProgress, Status::Completed] {
        assert_eq!(refusal(edit(setup, Edit { status: Some(status), ..Edit::of(second.clone()) })), blocked);
    }
}

/// A completion reports what it freed, and only that.
pub fn completing_frees_once(setup: &Setup) {
    let list = setup.list();
    let schema = add(&list, "schema", &[]);
    let endpoints = add(&list, "endpoints", &[&schema]);
    let tests = add(&list, "tests", &[&endpoints]);
    let docs = add(&list, "docs", &[&schema]);
    let finish = |id: &TaskId| {
        claim(&list, &ann(), id).unwrap();
        let mut freed = complete(&setup.list(), &ann(), id, None).unwrap().decision.freed;
        freed.sort();
        freed
    };
    let mut both = vec![endpoints.clone(), docs.clone()];
    both.sort();
    assert_eq!(finish(&schema), both);
    assert_eq!(finish(&endpoints), std::slice::from_ref(&tests));
    assert_eq!(finish(&docs), []);
    assert_eq!(finish(&tests), []);
}

/// Taking the last open blocker away frees, too.
pub fn removing_an_edge_frees(setup: &Setup) {
    let list = setup.list();
    let first = add(&list, "first", &[]);
    let second = add(&list, "second", &[&first]);
    let cut = Edit { remove_blocked_by: vec![first], ..Edit::of(second.clone()) };
    assert_eq!(edit(setup, cut).unwrap().decision.freed, std::slice::from_ref(&second));
    claim(&list, &ann(), &second).unwrap();
}

/// What can be started, asked for alone, is what a look at everything says, in the same order: also with more of it than
/// is counted one by one, and with what another left behind.
pub fn what_is_ready_is_what_the_board_says(setup: &Setup) {
    let list = setup.list();
    let ids: Vec<TaskId> = (0..24).map(|n| add(&list, &format!("{n}"), &[])).collect();
    let same = |expected: usize| {
        let (ready, board) = (setup.list().ready().unwrap(), setup.list().board().unwrap());
        assert_eq!(format!("{:?}", ready.tasks), format!("{:?}", board.ready()));
        assert_eq!((ready.tasks.len(), ready.total), (expected, board.tasks.len()));
    };
    same(24);
    let waiting = [(1, 0), (2, 0), (3, 1), (5, 4), (6, 4), (7, 6), (8, 6), (9, 8)];
    for (task, blocker) in waiting {
        let add_blocked_by = vec![ids[blocker].clone()];
        edit(setup, Edit { add_blocked_by, ..Edit::of(ids[task].clone()) }).unwrap();
    }
    edit(setup, Edit { priority: Some(Some(Priority::High)), ..Edit::of(ids[20].clone()) }).unwrap();
    edit(setup, Edit { owner: Some(Some("bob".into())), ..Edit::of(ids[21].clone()) }).unwrap();
    same(15);
    for id in &ids[10..13] {
        claim(&list, &ann(), id).unwrap();
    }
    complete(&list, &ann(), &ids[0], None).unwrap();
    same(13);
    // Whoever held them is gone.
    setup.clock.pass(16 * 60 * 1000);
    same(16);
}
