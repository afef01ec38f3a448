//! What waits for what in the folders of the original programs: what completing does to the neighbours' files, edges
//! that stand on one end only, circles, and edges to tasks that are not there.
#![expect(clippy::disallowed_methods, reason = "tests prepare folders by hand")]

use crate::fixtures::Copy;
use std::{collections::BTreeSet, fs, path::Path};
use worklist::{
    Board, Command, Error, NewTask, Options, Refusal, State, TaskId, TaskList, TaskView,
    rules::{ClaimTask, Edit},
};

fn view<'a>(board: &'a Board, id: &str) -> &'a TaskView {
    board.tasks.iter().find(|it| it.task.id.as_str() == id).unwrap_or_else(|| panic!("no task {id}"))
}

fn blockers(board: &Board, id: &str) -> BTreeSet<String> {
    view(board, id).open_blockers.iter().map(ToString::to_string).collect()
}

/// A list of two where the second waits for the first, the file of each, and the key of what a task waits for.
const CLEARING: [(&str, [&str; 2], &str, [&str; 2]); 3] = [
    (
        "learn/d1-s07/diamond/snapshots/00-wired/.tasks",
        ["1", "2"],
        "blockedBy",
        ["task_1.json", "task_2.json"],
    ),
    (
        "learn/d2-java/diamond/snapshots/00-wired/.tasks",
        ["1", "3"],
        "blockedBy",
        ["task_1.json", "task_3.json"],
    ),
    ("learn/d3-v6/basic/snapshots/02-wired/.tasks", ["1", "2"], "blocked_by", ["1.json", "2.json"]),
];

#[test]
fn completing_erases_the_id_on_disk_where_the_format_says_so() {
    for (path, [first, second], key, [first_file, second_file]) in CLEARING {
        let copy = Copy::of(path);
        let blocks = copy.ids(first_file, "blocks");
        copy.complete(first);
        assert_eq!(copy.ids(second_file, key), [""; 0], "{path}");
        let kept = copy.ids(first_file, "blocks");
        assert!(blocks.iter().all(|it| kept.contains(it)), "{path}: {kept:?}");
        assert_eq!(view(&copy.list.board().unwrap(), second).state, State::Ready, "{path}");
        copy.reopen(first);
        assert_eq!(copy.ids(second_file, key), [first], "{path}");
        assert_eq!(view(&copy.list.board().unwrap(), second).state, State::Blocked, "{path}");
    }
}

#[test]
fn completing_erases_the_id_also_where_only_the_dependent_shows_the_edge() {
    // The Python program writes one end only, so this is what its folders look like.
    for looked in [true, false] {
        let copy = Copy::of("learn/d1-s07/basic/snapshots/02-wired/.tasks");
        assert_eq!(copy.ids("task_1.json", "blocks"), [""; 0]);
        if looked {
            copy.list.board().unwrap();
        }
        copy.complete("1");
        assert_eq!(copy.ids("task_2.json", "blockedBy"), [""; 0], "after a look: {looked}");
    }
}

#[test]
fn a_finished_blocker_is_not_written_where_it_would_block_for_ever() {
    for (path, [_, second], key, [_, second_file]) in CLEARING {
        let copy = Copy::of(path);
        let done = copy.add(NewTask::default());
        copy.complete(done.as_str());
        let before = copy.ids(second_file, key);
        copy.run(&Command::Edit(Edit {
            add_blocked_by: vec![done.clone()],
            ..Edit::of(TaskId::found(second))
        }));
        assert_eq!(copy.ids(second_file, key), before, "{path}");
        copy.reopen(done.as_str());
        assert_eq!(copy.ids(second_file, key).last().unwrap(), done.as_str(), "{path}");
    }
}

#[test]
fn completing_leaves_the_neighbours_alone_in_s12_and_claude() {
    for (path, first, second) in [
        ("learn/d0-s12/basic/snapshots/01-created/.tasks", "task_1770000000_7775", "task_1770000001_4407"),
        ("claude-code/misc", "6", "7"),
    ] {
        let prepare = |folder: &Path| {
            // The fixture's task 6 waits for a task that is gone.
            let file = folder.join("6.json");
            if let Ok(text) = fs::read_to_string(&file) {
                fs::write(&file, text.replace("\"5\"", "\"2\"")).unwrap();
            }
        };
        let copy = Copy::with(path, prepare);
        let before = copy.text(&format!("{second}.json"));
        copy.complete(first);
        assert_eq!(copy.text(&format!("{second}.json")), before, "{path}");
        assert_eq!(view(&copy.list.board().unwrap(), second).state, State::Ready, "{path}");
        copy.reopen(first);
        assert_eq!(copy.text(&format!("{second}.json")), before, "{path}");
        assert_eq!(view(&copy.list.board().unwrap(), second).state, State::Blocked, "{path}");
    }
}

#[test]
fn completing_turns_blocked_into_pending_in_tasks_json() {
    let copy = Copy::of("learn/d4-tasksjson/basic/snapshots/01-created/home/.claude/tasks/shared-session");
    let [first, second] = [copy.each("id")[0].clone(), copy.each("id")[1].clone()];
    assert_eq!(copy.each("status"), ["pending", "blocked", "blocked", "pending"]);
    copy.complete(&first);
    assert_eq!(copy.each("status"), ["completed", "pending", "blocked", "pending"]);
    assert_eq!(view(&copy.list.board().unwrap(), &second).state, State::Ready);
    copy.reopen(&first);
    assert_eq!(copy.each("status"), ["pending", "blocked", "blocked", "pending"]);
}

#[test]
fn an_edge_that_stands_on_one_end_only_counts_and_is_mended() {
    for begun in [true, false] {
        let copy = Copy::of("claude-code/lost-updates-asymmetric-edges");
        if begun {
            TaskList::create(copy.folder.path(), &Options::default()).unwrap();
        }
        let board = copy.list.board().unwrap();
        let all: BTreeSet<String> = (2..=11).map(|it: u32| it.to_string()).collect();
        assert_eq!(blockers(&board, "1"), all);
        assert_eq!(view(&board, "1").state, State::Blocked);
        assert!(all.iter().all(|it| view(&board, it).state == State::Ready));
        assert_eq!(copy.ids("1.json", "blockedBy"), ["7"], "looking writes nothing");
        let edit = Edit { description: Some("changed".to_owned()), ..Edit::of(TaskId::found("1")) };
        copy.run(&Command::Edit(edit));
        let mended: BTreeSet<String> = copy.ids("1.json", "blockedBy").into_iter().collect();
        assert_eq!(mended, all, "with a journal before the look: {begun}");
    }
}

#[test]
fn an_edge_that_only_the_blocker_shows_refuses_a_claim() {
    for looked in [true, false] {
        let copy = Copy::of("claude-code/lost-updates-asymmetric-edges");
        copy.complete("7");
        if looked {
            copy.list.board().unwrap();
        }
        // Its own file names only task 7, which is done; nine others say that it waits for them.
        let claim = Command::Claim(ClaimTask::of(TaskId::found("1")));
        match copy.list.run(&copy.ann, &claim) {
            Err(Error::Refused(Refusal::Blocked { by, .. })) => assert_eq!(by.len(), 9),
            other => panic!("after a look: {looked}: {other:?}"),
        }
    }
}

#[test]
fn a_circle_is_listed_and_never_ready() {
    for (path, circle, free) in [
        ("claude-code/cycles-and-self-dependency", &["2", "3"][..], &["4", "5", "6", "7"][..]),
        ("learn/d0-s12/edge/snapshots/01-end/.tasks", &["task_1770000004_2336"], &["task_1770000003_5730"]),
    ] {
        let board = Copy::of(path).list.board().unwrap();
        assert!(board.problems.is_empty(), "{path}");
        for id in circle {
            assert_eq!(view(&board, id).state, State::Blocked, "{path} {id}");
        }
        for id in free {
            assert_eq!(view(&board, id).state, State::Ready, "{path} {id}");
        }
    }
}

#[test]
fn a_missing_task_blocks() {
    for (path, id, missing) in [
        ("claude-code/misc", "6", "5"),
        ("learn/d0-s12/edge/snapshots/01-end/.tasks", "task_1770000001_4407", "task_404"),
        ("learn/d1-s07/edge/snapshots/01-dangling/.tasks", "1", "42"),
        ("learn/d2-java/edge/snapshots/01-dangling/.tasks", "1", "42"),
        ("learn/d3-v6/edge/snapshots/04-hwm-too-low/.tasks", "1", "42"),
    ] {
        let board = Copy::of(path).list.board().unwrap();
        assert_eq!(view(&board, id).state, State::Blocked, "{path}");
        assert!(blockers(&board, id).contains(missing), "{path}");
    }
}
