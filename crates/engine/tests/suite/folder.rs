//! The folder itself: what is opened and what is not, whose it is, what survives when parts of it go.
#![expect(clippy::disallowed_methods, reason = "tests prepare folders by hand")]

use std::{
    fs,
    io::{BufRead, BufReader, ErrorKind},
    os::unix::fs::{DirBuilderExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command as Process, Stdio},
    sync::Arc,
};
use worklist::{
    Actor, Command, Error, NewTask, Options, TaskId, TaskList,
    clock::SystemClock,
    conformance::{add, ann, bob, claim, refusal, task},
    event::Origin,
    rules::{Edit, Plan, PlanTask},
    store::files::Files,
    vfs::{Disk, Portable, Vfs},
};

struct Folder {
    keep: tempfile::TempDir,
    path: PathBuf,
}

fn folder() -> Folder {
    let keep = tempfile::tempdir().expect("a folder");
    let path = keep.path().join("list");
    Folder { keep, path }
}

fn create(path: &Path, format: &str) -> TaskList {
    TaskList::create(path, &Options { format: Some(format.to_owned()), ..Options::default() })
        .expect("a list")
}

fn open(path: &Path) -> TaskList {
    TaskList::open(path, &Options::default()).expect("open")
}

fn change(list: &TaskList, id: &str) -> Result<worklist::Outcome, Error> {
    let edit = Edit { subject: Some("changed".into()), ..Edit::of(TaskId::found(id)) };
    list.run(&ann(), &Command::Edit(edit))
}

#[test]
fn what_we_make_is_the_users_alone() {
    for format in crate::world::FORMATS {
        let folder = folder();
        let list = create(&folder.path, format);
        let id = add(&list, "a", &[]);
        claim(&list, &ann(), &id).expect("a claim");
        let mut open = vec![folder.path.clone()];
        while let Some(path) = open.pop() {
            let mode = fs::metadata(&path).expect("there").permissions().mode() & 0o777;
            assert_eq!(mode, if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
            if path.is_dir() {
                open.extend(fs::read_dir(&path).expect("a directory").map(|it| it.expect("an entry").path()));
            }
        }
    }
}

#[test]
fn an_existing_folder_keeps_its_mode() {
    let folder = folder();
    fs::DirBuilder::new().mode(0o755).create(&folder.path).expect("a folder");
    create(&folder.path, "claude");
    assert_eq!(fs::metadata(&folder.path).expect("there").permissions().mode() & 0o777, 0o755);
}

/// Links, pipes, directories and huge files in a task's place are reported and left alone, whatever is asked.
#[test]
fn only_plain_files_are_opened() {
    let folder = folder();
    let list = create(&folder.path, "claude");
    add(&list, "plain", &[]);
    let outside = folder.keep.path().join("outside.json");
    let text =
        r#"{"id":"2","subject":"outside","description":"","status":"pending","blocks":[],"blockedBy":[]}"#;
    fs::write(&outside, text).expect("a file");
    symlink(&outside, folder.path.join("2.json")).expect("a link");
    assert!(Process::new("mkfifo").arg(folder.path.join("3.json")).status().expect("mkfifo").success());
    fs::create_dir(folder.path.join("4.json")).expect("a directory");
    fs::write(folder.path.join("5.json"), vec![b' '; 1024 * 1024 + 1]).expect("a huge file");
    fs::write(folder.path.join("6.json"), [b'"', 0xFF, b'"']).expect("not UTF-8");
    fs::write(folder.path.join("7.json"), "[".repeat(100_000)).expect("deep");
    let board = open(&folder.path).board().expect("a look");
    assert_eq!(board.tasks.len(), 1);
    let named: Vec<&str> = board.problems.iter().map(|it| it.file.as_str()).collect();
    assert_eq!(named, ["2.json", "3.json", "4.json", "5.json", "6.json", "7.json"]);
    for id in ["2", "3", "4", "5", "6", "7"] {
        let list = open(&folder.path);
        assert!(matches!(list.show(&TaskId::found(id)), Err(Error::Unreadable { .. })), "{id}");
        assert!(matches!(change(&list, id), Err(Error::Unreadable { .. })), "{id}");
    }
    assert_eq!(fs::read_to_string(&outside).expect("there"), text);
    assert_eq!(add(&list, "next", &[]).as_str(), "8");
}

/// A link in the place of `.worklist/` would lead our own writes astray.
/// Where a file cannot come in one step with all its bytes, many come as few do.
#[test]
fn many_tasks_come_on_every_disk() {
    for is_portable in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        let disk: Arc<dyn Vfs> = if is_portable {
            Arc::new(Portable::open(folder.path(), false).expect("the disk"))
        } else {
            Arc::new(Disk::open(folder.path(), false).expect("the disk"))
        };
        disk.write("1.json", b"theirs").expect("written");
        let made = disk.create("1.json", b"ours").map_err(|it| it.kind());
        let expected = if is_portable { ErrorKind::Unsupported } else { ErrorKind::AlreadyExists };
        assert_eq!(made, Err(expected));
        assert_eq!(disk.read("1.json", 100).expect("read"), b"theirs");
        disk.remove("1.json").expect("removed");
        let clock = Arc::new(SystemClock);
        let files = Files::open(disk, clock.clone(), folder.path(), None).expect("a list");
        let task = |n: usize| PlanTask {
            task: NewTask { subject: format!("task {n}"), ..NewTask::default() },
            ..PlanTask::default()
        };
        let plan = Plan { key: None, tasks: (0..40).map(task).collect() };
        let list = TaskList::of_files(files, clock);
        list.run(&ann(), &Command::Plan(plan)).expect("a plan");
        let subjects: Vec<_> =
            list.board().expect("a look").tasks.iter().map(|it| it.task.subject.clone()).collect();
        assert_eq!(subjects, (0..40).map(|n| format!("task {n}")).collect::<Vec<_>>());
    }
}

/// What is written over is replaced to its end; a table that somebody removed is not made again out of one entry.
#[test]
fn a_file_is_written_over_whole_and_changed_only_where_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let disks: [Box<dyn Vfs>; 2] = [
        Box::new(Disk::open(folder.path(), false).expect("the disk")),
        Box::new(Portable::open(folder.path(), false).expect("the disk")),
    ];
    for disk in disks {
        for text in ["a long text", "short", "", "longer again"] {
            disk.write("file", text.as_bytes()).expect("written");
            assert_eq!(disk.read("file", 100).expect("read"), text.as_bytes());
        }
        let missing = disk.write_at("gone", 4, b"entry").map_err(|it| it.kind());
        assert_eq!(missing, Err(ErrorKind::NotFound));
        assert!(!folder.path().join("gone").exists());
    }
}

#[test]
fn our_own_directory_is_not_followed_elsewhere() {
    let folder = folder();
    fs::create_dir(&folder.path).expect("a folder");
    let elsewhere = folder.keep.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    symlink(&elsewhere, folder.path.join(".worklist")).expect("a link");
    assert!(TaskList::create(&folder.path, &Options::default()).is_err());
    assert_eq!(fs::read_dir(&elsewhere).expect("there").count(), 0, "nothing was written through the link");
}

#[test]
fn a_folder_that_is_a_link_must_be_named_by_its_owner() {
    let folder = folder();
    create(&folder.path, "claude");
    let link = folder.keep.path().join("link");
    symlink(&folder.path, &link).expect("a link");
    assert!(matches!(TaskList::open(&link, &Options::default()), Err(Error::Io { .. })));
    TaskList::open(&link, &Options { follow_link: true, ..Options::default() }).expect("named and ours");
}

#[test]
fn hostile_ids_open_nothing() {
    let folder = folder();
    let list = create(&folder.path, "claude");
    fs::write(folder.keep.path().join("secret.json"), "{}").expect("a file");
    for id in [
        "../secret",
        "..",
        "a/b",
        "/etc/passwd",
        "\0",
        "1.json",
        "a b",
        &"x".repeat(300),
        ".worklist/journal",
    ] {
        assert_eq!(TaskId::typed(id), None);
        assert!(list.show(&TaskId::found(id)).expect("a look").is_none(), "{id:?}");
        assert_eq!(refusal(change(&list, id)).code(), "not_found", "{id:?}");
    }
}

/// Without `.worklist/` the tasks are as they are; claims are gone, and no number comes again.
#[test]
fn a_deleted_worklist_loses_no_task_and_repeats_no_token() {
    for format in crate::world::FORMATS {
        let folder = folder();
        let list = create(&folder.path, format);
        let (a, b) = (add(&list, "a", &[]), add(&list, "b", &[]));
        let mut last = 0;
        for _ in 0..5 {
            let token = claim(&list, &ann(), &a).expect("a claim").decision.token.expect("a number");
            assert!(token > last, "{format}: {token} after {last}");
            last = token;
            fs::remove_dir_all(folder.path.join(".worklist")).expect("gone");
            let reopened =
                Edit { status: Some(worklist::Status::Pending), owner: Some(None), ..Edit::of(a.clone()) };
            open(&folder.path).run(&ann(), &Command::Edit(reopened)).expect("still there");
        }
        let board = open(&folder.path).board().expect("a look");
        let ids: Vec<&TaskId> = board.tasks.iter().map(|it| &it.task.id).collect();
        assert_eq!(ids.len(), 2, "{format}");
        assert!(ids.contains(&&a) && ids.contains(&&b), "{format}");
        assert_eq!(
            fs::read_to_string(folder.path.join(".worklist/.gitignore")).expect("ignores itself"),
            "*\n"
        );
    }
}

/// A look makes nothing: not on a folder that is not ours yet, and not on read-only media.
#[test]
fn looking_makes_nothing() {
    let folder = folder();
    fs::create_dir(&folder.path).expect("a folder");
    let text =
        r#"{"id":"1","subject":"theirs","description":"","status":"pending","blocks":[],"blockedBy":[]}"#;
    fs::write(folder.path.join("1.json"), text).expect("a file");
    assert_eq!(open(&folder.path).board().expect("a look").tasks.len(), 1);
    open(&folder.path).renew(&ann()).expect("a sign of life");
    assert_eq!(fs::read_dir(&folder.path).expect("there").count(), 1);
    create(&folder.path, "claude");
    claim(&open(&folder.path), &ann(), &TaskId::from(1)).expect("a claim");
    fs::write(folder.path.join("2.json"), text.replace("theirs", "new")).expect("a foreign change");
    let mount = |arguments: &[&str]| {
        let path = folder.path.to_str().expect("a text");
        let done = Process::new("mount").args(arguments).arg(path).stderr(Stdio::null()).status();
        done.is_ok_and(|it| it.success())
    };
    let path = folder.path.to_str().expect("a text").to_owned();
    if !(mount(&["--bind", &path]) && mount(&["-o", "remount,bind,ro"])) {
        println!("read-only media: mounting needs root; not shown here");
        return;
    }
    let board = open(&folder.path).board();
    let refused = claim(&open(&folder.path), &bob(), &TaskId::from(2));
    assert!(Process::new("umount").arg(&path).status().expect("umount").success());
    assert_eq!(board.expect("a look").tasks.len(), 2);
    assert!(matches!(refused, Err(Error::Io { .. })), "{refused:?}");
}

/// The part of a child: becomes the session, claims, and waits to be killed.
#[test]
fn child() {
    let Some(path) = std::env::var_os("WORKLIST_HOLDER") else { return };
    let list = open(Path::new(&path));
    let actor = Actor::new("worker", "living");
    let _held = list.hold_session(&actor).expect("a session").expect("nobody else is it");
    claim(&list, &actor, &TaskId::from(1)).expect("a claim");
    println!("\n@claimed");
    loop {
        std::thread::park();
    }
}

#[test]
fn a_dead_process_frees_its_task_at_once() {
    let folder = folder();
    let list = create(&folder.path, "claude");
    let id = add(&list, "task", &[]);
    let mut child = Process::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "folder::child", "--nocapture"])
        .env("WORKLIST_HOLDER", &folder.path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a child");
    let answers = BufReader::new(child.stdout.take().expect("a pipe"));
    assert!(answers.lines().map_while(Result::ok).any(|it| it == "@claimed"));
    assert_eq!(refusal(claim(&list, &bob(), &id)).code(), "already_claimed");
    child.kill().expect("a kill");
    child.wait().expect("an end");
    claim(&list, &bob(), &id).expect("free at once");
    assert_eq!(task(&list, &id).owner.as_deref(), Some("bob"));
}

/// The journal's second name outlives the folder.
#[test]
fn a_mirrored_journal_outlives_its_folder() {
    let folder = folder();
    let mirror = folder.keep.path().join("state/worklist/list.journal");
    let options = Options { mirror: Some(mirror.clone()), ..Options::default() };
    let list = TaskList::create(&folder.path, &options).expect("a list");
    add(&list, "remember me", &[]);
    fs::remove_dir_all(&folder.path).expect("gone");
    assert!(fs::read_to_string(mirror).expect("still there").contains("remember me"));
}

/// A folder that was removed and made again has its history back, and what was in it can be brought back, too.
#[test]
fn a_removed_folder_is_remembered() {
    let folder = folder();
    let mirror = folder.keep.path().join("state/worklist/list.journal");
    let options = Options { mirror: Some(mirror.clone()), ..Options::default() };
    let list = TaskList::create(&folder.path, &options).expect("a list");
    let a = add(&list, "a", &[]);
    let b = add(&list, "b", &[&a]);
    let token = claim(&list, &ann(), &a).expect("claimed").decision.token;
    fs::remove_dir_all(&folder.path).expect("gone");
    fs::create_dir_all(&folder.path).expect("there again");
    let list = TaskList::open(&folder.path, &options).expect("a list");
    assert!(list.board().expect("a look").tasks.is_empty());
    let events = list.events_after(0).expect("history");
    assert_eq!(events.iter().map(|it| it.seq).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(events[3].origin, Origin::Foreign);
    list.undo(&ann(), 4).expect("brought back");
    assert_eq!(task(&list, &b).blocked_by, std::slice::from_ref(&a));
    assert_eq!(add(&list, "c", &[]).as_str(), "3");
    assert!(claim(&list, &ann(), &a).expect("claimed").decision.token > token);
    // What lies in the place of the second name but is no history of this list is kept.
    fs::remove_dir_all(&folder.path).expect("gone");
    fs::remove_file(&mirror).expect("gone");
    fs::write(&mirror, "something else").expect("written");
    let list = TaskList::create(&folder.path, &options).expect("a list");
    add(&list, "new", &[]);
    assert_eq!(list.events_after(0).expect("history").len(), 1);
    let kept = folder.keep.path().join("state/worklist/list.journal.1");
    assert_eq!(fs::read_to_string(kept).expect("kept"), "something else");
}

#[test]
fn two_formats_in_one_folder_are_refused() {
    let folder = folder();
    let s07 = create(&folder.path, "s07");
    add(&s07, "seven", &[]);
    fs::remove_dir_all(folder.path.join(".worklist")).expect("gone");
    fs::write(
        folder.path.join("1.json"),
        r#"{"id":"1","subject":"s","description":"","status":"pending","blocks":[],"blockedBy":[]}"#,
    )
    .expect("a file");
    match TaskList::open(&folder.path, &Options::default()).map(|_| ()) {
        Err(error @ Error::Format { .. }) => {
            let said = error.to_string();
            assert!(said.contains("1.json") && said.contains("task_1.json"), "{said}");
        }
        other => panic!("{other:?}"),
    }
    let other =
        TaskList::open(&folder.path, &Options { format: Some("nonsense".into()), ..Options::default() });
    assert!(matches!(other.map(|_| ()), Err(Error::Refused(_))));
}

/// Lists of callers that were never refused can say so.
#[test]
fn a_lenient_list_starts_blocked_tasks() {
    let folder = folder();
    let strict = create(&folder.path, "claude");
    let first = add(&strict, "first", &[]);
    let second = add(&strict, "second", &[&first]);
    assert_eq!(refusal(claim(&strict, &ann(), &second)).code(), "blocked");
    let lenient =
        TaskList::open(&folder.path, &Options { lenient: true, ..Options::default() }).expect("open");
    claim(&lenient, &ann(), &second).expect("not refused");
    let close = Edit { add_blocked_by: vec![second.clone()], ..Edit::of(first) };
    assert_eq!(
        refusal(lenient.run(&ann(), &Command::Edit(close))).code(),
        "cycle",
        "circles are never allowed"
    );
}
