//! Lists on their way: as lines, in another format, under the feet of those who work on them.
#![expect(clippy::disallowed_methods, reason = "tests move folders by hand")]

use std::{
    collections::HashSet,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use worklist::{
    Actor, Command, Error, NewTask, Options, TaskId, TaskList,
    format::{FORMATS, named},
    rules::{ClaimTask, CompleteTask},
    transfer::{convert::in_place, lines},
    vfs::{Disk, Vfs},
};

fn ann() -> Actor {
    Actor::new("ann", "session-ann")
}

fn open(folder: &Path, format: &str) -> TaskList {
    let options = Options { format: Some(format.to_owned()), ..Options::default() };
    TaskList::create(folder, &options).expect("a list")
}

fn add(list: &TaskList, subject: &str, after: &[TaskId]) -> Result<TaskId, Error> {
    let new = NewTask {
        subject: subject.to_owned(),
        description: "Zeile\n\u{1F389}".into(),
        tags: vec!["t".into()],
        blocked_by: after.to_vec(),
        ..NewTask::default()
    };
    list.run(&ann(), &Command::Create(new)).map(|it| it.decision.about[0].clone())
}

fn lived_in(folder: &Path, format: &str) -> TaskList {
    let list = open(folder, format);
    let a = add(&list, "a", &[]).expect("made");
    let b = add(&list, "b", std::slice::from_ref(&a)).expect("made");
    let gone = add(&list, "gone", std::slice::from_ref(&b)).expect("made");
    list.run(&ann(), &Command::Claim(ClaimTask::of(a.clone()))).expect("claimed");
    list.run(&ann(), &Command::Complete(CompleteTask { id: a, token: None, force: false })).expect("done");
    list.run(&ann(), &Command::Claim(ClaimTask::of(b))).expect("claimed");
    list.run(&ann(), &Command::Delete { id: gone, force: false }).expect("removed");
    list
}

#[test]
fn export_import_export_gives_the_same_bytes() {
    for format in FORMATS.map(|it| it.shape().name) {
        let keep = tempfile::tempdir().expect("a folder");
        let first =
            lines::export(&lived_in(&keep.path().join("one"), format).whole().expect("whole"), format);
        assert!(lines::is_export(&first));
        let (whole, told) = lines::import(&first).expect("readable");
        assert_eq!(told, format);
        let copy = open(&keep.path().join("two"), format);
        copy.found(&whole).expect("founded");
        copy.board().expect("a look finds nothing new");
        let again = open(&keep.path().join("two"), format);
        assert_eq!(lines::export(&again.whole().expect("whole"), format), first, "{format}");
    }
}

#[test]
fn what_is_not_a_whole_export_is_refused_with_its_line() {
    let keep = tempfile::tempdir().expect("a folder");
    let text = lines::export(&lived_in(keep.path(), "claude").whole().expect("whole"), "claude");
    let all: Vec<&str> = text.lines().collect();
    let wrong = |text: &str| lines::import(text).expect_err("refused");
    assert_eq!(wrong("").line, 1);
    assert_eq!(wrong(&all[1..].join("\n")).line, 1);
    let cut = wrong(&all[..all.len() - 1].join("\n"));
    assert!(cut.reason.contains("not whole"), "{cut}");
    let torn = format!("{}\n{}", all[0], &all[1][..all[1].len() / 2]);
    assert_eq!(wrong(&torn).line, 2);
    let newer = text.replacen("\"version\":1", "\"version\":2", 1);
    assert!(wrong(&newer).reason.contains("newer version"));
    let odd = text.replacen("\"status\":\"completed\"", "\"status\":\"odd\"", 1);
    assert_eq!(wrong(&odd).line, 2);
}

/// Whoever works on a list while it moves to another format is told so, and nothing that was acknowledged is lost.
#[test]
fn a_list_moves_under_the_feet_of_workers() {
    let keep = tempfile::tempdir().expect("a folder");
    let folder = keep.path().join("list");
    open(&folder, "claude");
    let acknowledged = Mutex::new(HashSet::new());
    let (stopped, begun) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for worker in 0..4 {
            let (folder, acknowledged, stopped, begun) = (&folder, &acknowledged, &stopped, &begun);
            scope.spawn(move || {
                let list = TaskList::open(folder, &Options::default()).expect("open");
                for n in 0.. {
                    let subject = format!("{worker}-{n}");
                    match add(&list, &subject, &[]) {
                        Ok(_) => _ = acknowledged.lock().expect("no panic").insert(subject),
                        Err(Error::OtherFormat { .. }) => break,
                        // Waiting for the lock can take too long on a busy machine; nothing was done then.
                        Err(Error::Locked { .. }) => {}
                        Err(error) => panic!("{error}"),
                    }
                    begun.fetch_add(1, Ordering::Relaxed);
                }
                stopped.fetch_add(1, Ordering::Relaxed);
            });
        }
        while begun.load(Ordering::Relaxed) < 40 {
            thread::yield_now();
        }
        let options = Options { wait_ms: Some(60_000), ..Options::default() };
        let list = TaskList::open(&folder, &options).expect("open");
        in_place(&folder, &list, named("v6").expect("known"), &options).expect("moved");
    });
    assert_eq!(stopped.load(Ordering::Relaxed), 4);
    let list = TaskList::open(&folder, &Options::default()).expect("open");
    assert_eq!(list.format().expect("files").shape().name, "v6");
    let there: HashSet<String> =
        list.board().expect("a look").tasks.into_iter().map(|it| it.task.subject.clone()).collect();
    let acknowledged = acknowledged.into_inner().expect("no panic");
    let lost: Vec<_> = acknowledged.difference(&there).collect();
    assert!(lost.is_empty(), "{} of {} are lost: {lost:?}", lost.len(), acknowledged.len());
}

/// A living process goes on with a folder of the same format that is put in the place of its own.
#[test]
fn a_folder_made_anew_is_seen() {
    let keep = tempfile::tempdir().expect("a folder");
    let folder = keep.path().join("list");
    let list = open(&folder, "claude");
    add(&list, "old", &[]).expect("made");
    std::fs::rename(&folder, keep.path().join("aside")).expect("moved");
    assert!(matches!(list.board(), Err(Error::NoList { .. })));
    let new = open(&folder, "claude");
    add(&new, "new", &[]).expect("made");
    let subjects: Vec<String> =
        list.board().expect("a look").tasks.into_iter().map(|it| it.task.subject.clone()).collect();
    assert_eq!(subjects, ["new"]);
}

/// A lock on a folder that was moved away is none: who got it would write where nobody looks any more.
#[test]
fn the_lock_is_on_the_folder_that_is_there() {
    let keep = tempfile::tempdir().expect("a folder");
    let folder = keep.path().join("list");
    Disk::make(&folder).expect("made");
    let disk = Disk::open(&folder, false).expect("open");
    assert!(disk.try_lock(None).expect("a try").is_some());
    std::fs::rename(&folder, keep.path().join("aside")).expect("moved");
    Disk::make(&folder).expect("made");
    assert!(disk.try_lock(None).expect("a try").is_none());
    assert!(disk.look_again().expect("a look"));
    assert!(disk.try_lock(None).expect("a try").is_some());
}
