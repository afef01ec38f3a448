//! Looking a list over: each fault planted and found, mended, and the mend taken back; killed at every call of it.
#![expect(clippy::disallowed_methods, reason = "tests prepare folders by hand")]

use crate::{
    lawless::{Bent, How},
    world::{FORMATS, Ids, World, foreign_edit},
};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command as Process, Stdio},
    sync::Arc,
    time::SystemTime,
};
use worklist::{
    Command, Options, TaskId, TaskList,
    claim::DEFAULT_LEASE,
    clock::{Clock, SystemClock},
    conformance::{add, ann, bob, claim, complete, task},
    doctor::{Examination, Finding, Severity},
    rules::{Edit, Plan, PlanTask},
    store::files::Files,
    vfs::{Disk, Vfs, sim::SimDisk},
};

fn examine(list: &TaskList) -> Examination {
    list.examine(&mut |_, _| {}).expect("a look")
}

fn look(world: &World) -> Vec<Finding> {
    examine(&world.list()).findings
}

fn codes(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|it| it.code).collect()
}

/// The one finding of a code.
fn only(findings: &[Finding], code: &str) -> Finding {
    let mut found = findings.iter().filter(|it| it.code == code);
    let one = found.next().unwrap_or_else(|| panic!("no {code} in {findings:#?}"));
    assert!(found.next().is_none(), "more than one {code} in {findings:#?}");
    one.clone()
}

fn text(world: &World, file: &str) -> String {
    String::from_utf8(world.disk.peek(file).expect("there")).expect("UTF-8")
}

fn put(world: &World, file: &str, text: &str) {
    world.disk.foreign_write(file, Some(text.as_bytes()));
}

fn replace(world: &World, file: &str, old: &str, new: &str) {
    let before = text(world, file);
    assert!(before.contains(old), "{old} is not in {before}");
    put(world, file, &before.replacen(old, new, 1));
}

/// Every file outside `.worklist/` with its bytes.
fn outside(world: &World) -> BTreeMap<String, Option<Vec<u8>>> {
    let names = world.disk.all_names().into_iter().filter(|it| !it.starts_with(".worklist"));
    names.map(|it| (it.clone(), world.disk.peek(&it))).collect()
}

fn everything(disk: &SimDisk) -> BTreeMap<String, Option<Vec<u8>>> {
    disk.all_names().into_iter().map(|it| (it.clone(), disk.peek(&it))).collect()
}

fn claude(seed: u64) -> (World, Ids) {
    let world = World::new("claude", seed);
    let ids = world.populate();
    (world, ids)
}

#[test]
fn a_healthy_list_has_no_findings() {
    for format in FORMATS {
        let world = World::new(format, 1);
        assert_eq!(codes(&look(&world)), [""; 0], "{format}, without a journal");
        let ids = world.populate();
        let examined = examine(&world.list());
        assert!(examined.findings.is_empty(), "{format}: {:#?}", examined.findings);
        assert_eq!((examined.format, examined.tasks), (format, 4));
        assert!(examined.events >= 6 && examined.journal_bytes > 0 && examined.sessions == 2);
        world.list().run(&ann(), &Command::Delete { id: ids.ready, force: false }).expect("deleted");
        complete(&world.list(), &bob(), &ids.held, None).expect("completed");
        add(&world.list(), "new", &[&ids.blocked]);
        assert_eq!(codes(&look(&world)), [""; 0], "{format}");
    }
}

#[test]
fn a_healthy_folder_has_no_findings() {
    for format in FORMATS {
        let keep = tempfile::tempdir().expect("a folder");
        let options = Options { format: Some(format.to_owned()), ..Options::default() };
        let list = TaskList::create(&keep.path().join("list"), &options).expect("a list");
        let first = add(&list, "first", &[]);
        add(&list, "second", &[&first]);
        claim(&list, &ann(), &first).expect("a claim");
        assert!(examine(&list).findings.is_empty(), "{format}: {:#?}", examine(&list).findings);
    }
}

#[test]
fn looking_writes_nothing_and_survives_junk() {
    let parts = [
        "1.json",
        "3.json",
        "tasks.json",
        "task_1.json",
        ".highwatermark",
        ".worklist/journal",
        ".worklist/index",
        ".worklist/seen",
        ".worklist/mended/1/note",
        ".worklist/sessions/session-bob-9f0c5b6b9e8f.seen",
    ];
    for seed in 0..600 {
        let format = FORMATS[usize::try_from(seed).expect("small") % FORMATS.len()];
        let world = World::new(format, seed);
        world.populate();
        for _ in 0..=world.clock.random() % 3 {
            let file = parts[usize::try_from(world.clock.random()).unwrap_or(0) % parts.len()];
            let Some(mut bytes) = world.disk.peek(file) else { continue };
            match world.clock.random() % 4 {
                0 => bytes.truncate(bytes.len() / 2),
                1 => bytes = vec![0xFF; 40],
                2 => bytes.extend_from_slice(b"\xF0\x9F{[\"x"),
                _ => {
                    let at = usize::try_from(world.clock.random()).unwrap_or(0) % bytes.len().max(1);
                    bytes.iter_mut().skip(at).take(3).for_each(|it| *it ^= 0x15);
                }
            }
            world.disk.foreign_write(file, Some(&bytes));
        }
        world.clock.pass(60_000);
        let before = everything(&world.disk);
        if let Ok(list) = world.open() {
            list.examine(&mut |_, _| {}).expect("a look");
        }
        assert_eq!(before, everything(&world.disk), "seed {seed}: a look wrote something");
    }
}

/// Every name beneath a folder with its bytes and the time of its last change.
fn tree(folder: &Path) -> BTreeMap<PathBuf, (Option<Vec<u8>>, SystemTime)> {
    let (mut tree, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(path) = open.pop() {
        let changed = fs::metadata(&path).expect("there").modified().expect("a time");
        if path.is_dir() {
            open.extend(fs::read_dir(&path).expect("a directory").map(|it| it.expect("an entry").path()));
        }
        tree.insert(path.clone(), (fs::read(&path).ok(), changed));
    }
    tree
}

#[test]
fn looking_at_a_real_folder_writes_nothing() {
    let keep = tempfile::tempdir().expect("a folder");
    let path = keep.path().join("list");
    let list = TaskList::create(&path, &Options::default()).expect("a list");
    let id = add(&list, "task", &[]);
    claim(&list, &ann(), &id).expect("a claim");
    fs::write(path.join("1.json"), "{").expect("broken");
    fs::create_dir(path.join("2.json.lock")).expect("a lock");
    fs::remove_file(path.join(".worklist/index")).expect("no index");
    let before = tree(keep.path());
    let found = examine(&list).findings;
    assert_eq!(tree(keep.path()), before, "{found:?}");
    let mount = |arguments: &[&str]| {
        let done = Process::new("mount").args(arguments).arg(&path).stderr(Stdio::null()).status();
        done.is_ok_and(|it| it.success())
    };
    let bind = path.to_str().expect("a text");
    if !(mount(&["--bind", bind]) && mount(&["-o", "remount,bind,ro"])) {
        println!("read-only media: mounting needs root; not shown here");
        return;
    }
    let list = TaskList::open(&path, &Options::default());
    let found = list.map(|it| examine(&it).findings);
    assert!(Process::new("umount").arg(&path).status().expect("umount").success());
    let found = codes(&found.expect("open")).join(" ");
    assert!(found.contains("read_only") && found.contains("unreadable"), "{found}");
}

#[test]
fn an_unclear_format_is_found_without_an_open_list() {
    let keep = tempfile::tempdir().expect("a folder");
    let one = r#"{"id":"1","subject":"s","description":"","status":"pending","blocks":[],"blockedBy":[]}"#;
    let other = r#"{"id": 1, "subject": "s", "status": "pending", "blockedBy": [], "blocks": []}"#;
    fs::write(keep.path().join("1.json"), one).expect("a file");
    fs::write(keep.path().join("task_1.json"), other).expect("a file");
    let examined =
        TaskList::examine_folder(keep.path(), &Options::default(), &mut |_, _| {}).expect("a look");
    let finding = only(&examined.findings, "unclear_format");
    assert!(finding.message.contains("task_1.json") && finding.severity == Severity::Fault, "{finding:?}");
    let missing = keep.path().join("nowhere");
    assert!(TaskList::examine_folder(&missing, &Options::default(), &mut |_, _| {}).is_err());
}

#[test]
fn files_that_say_too_little_or_too_much() {
    let (world, ids) = claude(1);
    put(&world, "9.json", "{\n  \"id\": \"9\",\n  oops\n}");
    put(&world, &format!("{}.json", ids.ready), "{\"id\": ");
    world.disk.foreign_write("8.json", Some(&[b'"', 0xFF, b'"']));
    world.disk.foreign_write("7.json", Some(&vec![b' '; 1024 * 1024 + 1]));
    world.clock.pass(60_000);
    let found = look(&world);
    let of = |file: &str| found.iter().find(|it| it.file.as_deref() == Some(file)).expect("found").clone();
    assert_eq!(
        (of("9.json").code, of("9.json").line, of("9.json").mend.is_some()),
        ("unreadable", Some(3), false)
    );
    assert_eq!((of("3.json").code, of("3.json").mend.is_some()), ("unreadable", true));
    assert_eq!((of("8.json").code, of("8.json").mend.is_some()), ("unreadable", false));
    assert_eq!((of("7.json").code, of("7.json").mend.is_some()), ("too_large", false));

    let (world, _) = claude(1);
    replace(&world, "3.json", "\"subject\": \"ready\",", "\"subject\": \"old\",\n  \"subject\": \"ready\",");
    let finding = only(&look(&world), "repeated_key");
    assert_eq!((finding.line, finding.file.as_deref()), (Some(4), Some("3.json")));
}

#[test]
fn ids_that_two_files_claim() {
    let (world, _) = claude(1);
    replace(&world, "3.json", "\"id\": \"3\"", "\"id\": \"1\"");
    assert_eq!(only(&look(&world), "duplicate_id").task, Some(TaskId::from(3)));
    replace(&world, "3.json", "\"id\": \"1\"", "\"id\": \"77\"");
    assert_eq!(codes(&look(&world)), ["id_mismatch"]);

    let world = World::new("tasks-json", 1);
    let ids = world.populate();
    replace(&world, "tasks.json", ids.ready.as_str(), ids.done.as_str());
    world.clock.pass(60_000);
    assert!(codes(&look(&world)).contains(&"duplicate_id"));
}

#[test]
fn half_edges_are_written_on_both_ends_and_taken_back() {
    for format in ["claude", "s07", "java", "v6"] {
        let world = World::new(format, 1);
        let ids = world.populate();
        let file = world.format.file_of(&ids.blocked);
        foreign_edit(&world.disk, world.format, &ids.blocked, &|it| {
            it.blocked_by.retain(|it| *it != ids.ready);
        });
        let spoiled = outside(&world);
        let before = world.seen();
        let found = look(&world);
        let finding = only(&found, "one_sided_edge");
        assert_eq!(finding.file.as_deref(), Some(file.as_str()), "{format}");
        let mend = finding.mend.clone().expect("can be mended");
        let mended = world.list().mend(&ann(), &found).expect("a mend");
        assert_eq!((mended.done.len(), mended.left.len()), (1, 0), "{format}");
        assert_eq!(Some(text(&world, &file)), mend.files[0].after, "{format}: done as shown");
        assert_eq!(codes(&look(&world)), [""; 0], "{format}");
        assert_eq!(world.seen(), before, "{format}: no task changes");
        let back = world.list().unmend(&ann(), None).expect("taken back").expect("there was one");
        assert_eq!((back.back, back.changed.len()), (vec![file], 0));
        assert_eq!(outside(&world), spoiled, "{format}: the very bytes");
        assert_eq!(codes(&look(&world)), ["one_sided_edge"], "{format}");
        assert!(world.list().unmend(&ann(), None).expect("nothing to do").is_none());
    }
}

#[test]
fn edges_to_nowhere_are_taken_out_as_an_event() {
    for format in FORMATS {
        let world = World::new(format, 1);
        let ids = world.populate();
        let nowhere = TaskId::found("99");
        foreign_edit(&world.disk, world.format, &ids.ready, &|it| it.blocked_by.push(nowhere.clone()));
        let (spoiled, found) = (outside(&world), look(&world));
        let finding = only(&found, "dangling_edge");
        assert!(finding.message.contains("99") && finding.severity == Severity::Warning, "{finding:?}");
        let mended = world.list().mend(&ann(), &found).expect("a mend");
        let event = mended.event.expect("an event");
        assert_eq!((event.command.as_str(), event.freed.as_slice()), ("mend", &[ids.ready.clone()][..]));
        assert_eq!(codes(&look(&world)), [""; 0], "{format}");
        claim(&world.list(), &ann(), &ids.ready).expect("free now");
        let changed = world.list().unmend(&ann(), None);
        assert!(matches!(changed, Err(worklist::Error::Refused(_))), "{format}: {changed:?}");
        let list = world.list();
        list.undo(&ann(), list.events_after(event.seq).expect("history")[0].seq).expect("given back");
        world.list().undo(&ann(), event.seq).expect("undone");
        assert_eq!(task(&world.list(), &ids.ready).blocked_by.first(), Some(&nowhere), "{format}");

        // Taken back as a mend, the bytes are the very same.
        let world = World::new(format, 1);
        let ids = world.populate();
        foreign_edit(&world.disk, world.format, &ids.ready, &|it| it.blocked_by.push(nowhere.clone()));
        assert_eq!(outside(&world), spoiled);
        let mended = world.list().mend(&ann(), &look(&world)).expect("a mend");
        let back = world.list().unmend(&ann(), mended.number).expect("taken back").expect("there");
        assert!(back.event.is_some() && back.changed.is_empty(), "{format}: {back:?}");
        assert_eq!(outside(&world), spoiled, "{format}: the very bytes");
        assert_eq!(task(&world.list(), &ids.ready).blocked_by.first(), Some(&nowhere), "{format}");
        assert_eq!(outside(&world), spoiled, "{format}: and they stay so");
    }
}

#[test]
fn circles_are_shown_as_paths() {
    for format in FORMATS {
        let world = World::new(format, 1);
        let ids = world.populate();
        let others = ids.blocked.clone();
        foreign_edit(&world.disk, world.format, &ids.ready, &|it| it.blocked_by.push(others.clone()));
        let finding = only(&look(&world), "cycle");
        assert_eq!(finding.message.matches('→').count(), 2, "{format}: {}", finding.message);
        let myself = ids.held.clone();
        foreign_edit(&world.disk, world.format, &ids.held, &|it| it.blocked_by.push(myself.clone()));
        assert_eq!(only(&look(&world), "self_edge").task, Some(ids.held));
    }
}

#[test]
fn locks_that_lie_about() {
    for (format, lock, other) in
        [("claude", "3.json.lock", ".lock.lock"), ("tasks-json", "tasks.json.lock", "tasks.json.lock")]
    {
        let world = World::new(format, 1);
        world.populate();
        assert!(world.disk.foreign_lock(lock));
        assert_eq!(only(&look(&world), "foreign_lock").file.as_deref(), Some(lock));
        world.clock.pass(60_000);
        world.disk.foreign_lock(other);
        let found = look(&world);
        assert!(only(&found, "stale_lock").message.contains("60 s"));
        let mended = world.list().mend(&ann(), &found).expect("a mend");
        assert_eq!(codes(&mended.done), ["stale_lock"], "{format}");
        assert!(!world.disk.all_names().contains(&lock.to_owned()));
        assert!(lock == other || world.disk.all_names().contains(&other.to_owned()), "a live one stays");
    }
    let (world, _) = claude(1);
    put(&world, "3.json.lock", "");
    assert_eq!(codes(&look(&world)), ["odd_lock"]);
}

/// A lock that its owner refreshes is never removed, however old it looked.
#[test]
fn a_refreshed_lock_stays() {
    let (world, _) = claude(1);
    assert!(world.disk.foreign_lock("3.json.lock"));
    world.clock.pass(60_000);
    let found = look(&world);
    let clock = world.clock.clone();
    let mut last = clock.ticks();
    world.disk.set_gap(Some(Box::new(move |disk, _| {
        if clock.ticks() - last > 2_000 {
            last = clock.ticks();
            // A directory is refreshed by its owner; here it is made anew.
            disk.foreign_unlock("3.json.lock");
            disk.foreign_lock("3.json.lock");
        }
    })));
    let mended = world.list().mend(&ann(), &found).expect("a mend");
    assert_eq!(mended.left.len(), 1);
    assert!(world.disk.all_names().contains(&"3.json.lock".to_owned()));
}

#[test]
fn pins_of_a_dead_process_are_cleared() {
    let (world, ids) = claude(1);
    let edit = Edit { subject: Some("x".into()), ..Edit::of(ids.ready.clone()) };
    let pinned = (1..200).any(|call| {
        world.disk.crash_in(call);
        _ = world.open().and_then(|it| it.run(&ann(), &Command::Edit(edit.clone())));
        world.disk.restart();
        world.disk.all_names().contains(&"3.json.lock".to_owned())
    });
    assert!(pinned);
    let found = look(&world);
    let orphan = only(&found, "orphan_pin");
    let mended = world.list().mend(&ann(), &[orphan]).expect("a mend");
    assert_eq!(codes(&mended.done), ["orphan_pin"]);
    assert!(!codes(&look(&world)).contains(&"orphan_pin"));
}

#[test]
fn who_holds_the_list_is_named() {
    let keep = tempfile::tempdir().expect("a folder");
    let path = keep.path().join("list");
    let list = TaskList::create(&path, &Options::default()).expect("a list");
    let disk = Disk::open(&path, false).expect("a folder");
    let lock = disk.try_lock(None).expect("a lock").expect("free");
    let found = examine(&list).findings;
    drop(lock);
    if Path::new("/proc/locks").exists() {
        assert!(only(&found, "locked").message.contains("process"), "{found:?}");
    }
}

#[test]
fn lost_claims_parked_tasks_and_old_sessions() {
    let (world, ids) = claude(1);
    world.clock.pass(DEFAULT_LEASE.unsigned_abs() + 1);
    assert_eq!(only(&look(&world), "lost_claim").task, Some(ids.held.clone()));
    world.list().run(&ann(), &Command::Reap).expect("taken back");
    for _ in 0..2 {
        claim(&world.list(), &bob(), &ids.held).expect("a claim");
        world.clock.pass(DEFAULT_LEASE.unsigned_abs() + 1);
        world.list().run(&ann(), &Command::Reap).expect("taken back");
    }
    assert_eq!(only(&look(&world), "parked").task, Some(ids.held));
    world.clock.pass(31 * 24 * 3_600_000);
    claim(&world.list(), &ann(), &ids.ready).expect("a claim of the living");
    let found = look(&world);
    let mended = world.list().mend(&ann(), &[only(&found, "old_sessions")]).expect("a mend");
    assert_eq!(mended.done.len(), 1);
    assert!(!codes(&look(&world)).contains(&"old_sessions"));
    let left: Vec<String> =
        world.disk.all_names().into_iter().filter(|it| it.starts_with(".worklist/sessions/")).collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn rights_links_and_strangers() {
    let keep = tempfile::tempdir().expect("a folder");
    let path = keep.path().join("list");
    let list = TaskList::create(&path, &Options::default()).expect("a list");
    for subject in ["one", "two", "three", "four"] {
        add(&list, subject, &[]);
    }
    fs::set_permissions(path.join("1.json"), fs::Permissions::from_mode(0o666)).expect("a mode");
    fs::hard_link(path.join("2.json"), keep.path().join("second name")).expect("a link");
    std::os::unix::fs::symlink(path.join("1.json"), path.join("9.json")).expect("a link");
    let stranger = std::os::unix::fs::chown(path.join("3.json"), Some(65534), None).is_ok();
    fs::set_permissions(path.join("4.json"), fs::Permissions::from_mode(0o000)).expect("a mode");
    fs::create_dir(path.join("8.json")).expect("a directory");
    fs::write(path.join("readme.txt"), "hello").expect("a file");
    fs::write(path.join("5.json.tmp"), "{").expect("a file");
    let found = examine(&list).findings;
    let of = |file: &str| -> Vec<&str> {
        found.iter().filter(|it| it.file.as_deref() == Some(file)).map(|it| it.code).collect()
    };
    assert_eq!(of("1.json"), ["world_writable"]);
    assert_eq!(of("2.json"), ["hard_link"]);
    assert_eq!(of("9.json"), ["not_a_file"]);
    assert_eq!(of("8.json"), ["not_a_file"]);
    assert_eq!(of("3.json"), if stranger { vec!["not_ours"] } else { vec![] });
    assert_eq!(of("4.json"), if stranger { vec![] } else { vec!["no_access"] }, "root may read anything");
    assert_eq!((of("readme.txt"), of("5.json.tmp")), (vec!["foreign_file"], vec!["leftover"]));
}

#[test]
fn an_unfit_file_system_is_named() {
    let keep = tempfile::tempdir().expect("a folder");
    let portable = worklist::vfs::Portable::open(keep.path(), false).expect("a folder");
    let clock = Arc::new(SystemClock);
    let files = Files::open(Arc::new(portable), clock.clone(), keep.path(), None).expect("a list");
    assert_eq!(codes(&examine(&TaskList::of_files(files, clock)).findings), ["no_exchange"]);
    let world = World::new("claude", 1);
    let (disk, clock) = (Bent { disk: world.disk.clone(), how: How::Network }, Arc::new(world.clock.clone()));
    let files = Files::open(Arc::new(disk), clock.clone(), Path::new("list"), None).expect("a list");
    let list = TaskList::of_files(files, clock);
    let found = examine(&list).findings;
    assert!(only(&found, "no_exclusion").message.contains("NFS"));
    assert!(matches!(list.mend(&ann(), &found), Err(worklist::Error::Unfit { .. })));
}

#[test]
fn the_journal_is_looked_at() {
    let (world, ids) = claude(1);
    let journal = world.disk.peek(".worklist/journal").expect("there");
    world.disk.foreign_write(".worklist/index", None);
    let found = look(&world);
    assert_eq!(codes(&found), ["index"]);
    assert_eq!(codes(&world.list().mend(&ann(), &found).expect("a mend").done), ["index"]);
    assert_eq!(codes(&look(&world)), [""; 0]);

    let end = journal.iter().rposition(|it| *it == b'\n').expect("lines") + 1;
    let mut torn = journal.clone();
    torn[end..end + 18].copy_from_slice(b"000000ff half a li");
    world.disk.foreign_write(".worklist/journal", Some(&torn));
    let found = look(&world);
    assert!(only(&found, "torn_journal").message.starts_with("18 bytes "));
    world.list().mend(&ann(), &found).expect("a mend");
    assert_eq!(codes(&look(&world)), [""; 0]);

    let index = world.disk.peek(".worklist/index").expect("there");
    claim(&world.list(), &ann(), &ids.ready).expect("a claim");
    world.disk.foreign_write(".worklist/index", Some(&index));
    let found = look(&world);
    assert_eq!(codes(&found), ["unsettled"]);
    world.list().mend(&ann(), &found).expect("a mend");
    assert_eq!(codes(&look(&world)), [""; 0]);

    let mut bent = world.disk.peek(".worklist/journal").expect("there");
    let second = bent.iter().position(|it| *it == b'\n').expect("lines") + 60;
    bent[second] ^= 1;
    world.disk.foreign_write(".worklist/journal", Some(&bent));
    assert_eq!(only(&look(&world), "journal_damaged").line, Some(2));
    world.disk.foreign_write(".worklist/journal", Some(&bent[second..]));
    assert_eq!(only(&look(&world), "journal_unreadable").severity, Severity::Fault);
}

#[test]
fn a_journal_of_another_format_is_named() {
    let (world, ids) = claude(1);
    for id in [&ids.done, &ids.held, &ids.ready, &ids.blocked] {
        world.disk.foreign_write(&format!("{id}.json"), None);
    }
    put(
        &world,
        "task_1.json",
        r#"{"id": 1, "subject": "s", "status": "pending", "blockedBy": [], "blocks": []}"#,
    );
    assert!(codes(&look(&world)).contains(&"other_format"));
}

#[test]
fn what_lies_in_quarantine_is_counted() {
    let (world, ids) = claude(1);
    put(&world, "3.json", "{");
    world.clock.pass(60_000);
    let edit = Edit { subject: Some("x".into()), ..Edit::of(ids.ready) };
    world.list().run(&ann(), &Command::Edit(edit)).expect("an edit");
    assert_eq!((codes(&look(&world)), examine(&world.list()).quarantined), (vec!["quarantine"], 1));
}

#[test]
fn watermarks_are_raised_and_put_back() {
    for (format, spoiled, wanted) in
        [("v6", "2", "4"), ("v6", "junk", "4"), ("claude", "junk", "0"), ("claude", "17x", "17")]
    {
        let world = World::new(format, 1);
        world.populate();
        put(&world, ".highwatermark", spoiled);
        let found = look(&world);
        assert_eq!(codes(&found), ["watermark"], "{format} {spoiled}");
        world.list().mend(&ann(), &found).expect("a mend");
        assert_eq!(text(&world, ".highwatermark"), wanted, "{format} {spoiled}");
        assert_eq!(codes(&look(&world)), [""; 0], "{format} {spoiled}");
        world.list().unmend(&ann(), None).expect("taken back").expect("there");
        assert_eq!(text(&world, ".highwatermark"), spoiled);
    }
    // A number that was given and is not in the folder any more would be given again.
    let (world, ids) = claude(1);
    world.disk.foreign_write(&format!("{}.json", ids.blocked), None);
    world.list().board().expect("a look");
    let found = look(&world);
    let mend = only(&found, "watermark").mend.expect("can be mended");
    assert_eq!((mend.files[0].before.as_deref(), mend.files[0].after.as_deref()), (None, Some("4")));
    world.list().mend(&ann(), &found).expect("a mend");
    assert_eq!(text(&world, ".highwatermark"), "4");
    world.list().unmend(&ann(), None).expect("taken back").expect("there");
    assert!(world.disk.peek(".highwatermark").is_none());
}

#[test]
fn tasks_that_claude_code_does_not_see() {
    for (old, new) in [
        ("\"id\": \"3\"", "\"id\": 3"),
        ("\"status\": \"pending\"", "\"status\": \"pending\",\n  \"owner\": null"),
        ("  \"description\": \"\",\n", ""),
        ("\"blocks\": [\n    \"4\"\n  ]", "\"blocks\": [4]"),
    ] {
        let (world, _) = claude(1);
        replace(&world, "3.json", old, new);
        let (spoiled, before) = (outside(&world), world.seen());
        let found = look(&world);
        assert_eq!(codes(&found), ["unseen"], "{new}");
        world.list().mend(&ann(), &found).expect("a mend");
        assert_eq!((codes(&look(&world)), world.seen()), (vec![], before), "{new}");
        world.list().unmend(&ann(), None).expect("taken back").expect("there");
        assert_eq!(outside(&world), spoiled, "{new}");
    }
}

#[test]
fn a_finished_list_is_kept_from_being_emptied() {
    let (world, ids) = claude(1);
    complete(&world.list(), &bob(), &ids.held, None).expect("done");
    for id in [&ids.ready, &ids.blocked] {
        assert_eq!(codes(&look(&world)), [""; 0]);
        complete(&world.list(), &ann(), id, None).expect("done");
    }
    let (finished, found) = (outside(&world), look(&world));
    let mend = only(&found, "wipe").mend.expect("can be mended");
    assert_eq!(mend.files[0].file, "0.json");
    world.list().mend(&ann(), &found).expect("a mend");
    assert!(text(&world, "0.json").contains("\"_internal\": true"));
    assert_eq!(codes(&look(&world)), [""; 0]);
    let next = world.list().run(&ann(), &Command::Next(worklist::rules::NextTask::default())).expect("asked");
    assert!(next.tasks.is_empty(), "nobody is given the sentinel");
    world.list().unmend(&ann(), None).expect("taken back").expect("there");
    assert_eq!(outside(&world), finished);
}

#[test]
fn a_broken_file_is_restored_from_the_journal() {
    for format in FORMATS {
        let world = World::new(format, 1);
        let ids = world.populate();
        let (file, before) = (world.format.file_of(&ids.ready), world.seen());
        world.disk.foreign_write(&file, Some(b"{\"half\": \xFF"));
        world.clock.pass(60_000);
        let (spoiled, found) = (outside(&world), look(&world));
        let mended = world.list().mend(&ann(), &found).expect("a mend");
        assert_eq!(codes(&mended.done), ["unreadable"], "{format}: {:?}", mended.left);
        assert_eq!(codes(&look(&world)), ["quarantine"], "{format}");
        assert_eq!(world.seen(), before, "{format}");
        world.check_files(&[]);
        world.list().unmend(&ann(), None).expect("taken back").expect("there");
        assert_eq!(outside(&world), spoiled, "{format}: the very bytes");
    }
    // One bad task in a file of many.
    let world = World::new("tasks-json", 1);
    let ids = world.populate();
    let before = world.seen();
    replace(&world, "tasks.json", "\"status\": \"completed\"", "\"status\": \"whatever\"");
    world.clock.pass(60_000);
    world.list().mend(&ann(), &look(&world)).expect("a mend");
    assert_eq!((codes(&look(&world)), world.seen()), (vec!["quarantine"], before), "{}", ids.done);
}

/// What was shown is what is done: a file that changed since is left alone, also when a mend is taken back.
#[test]
fn what_changed_since_is_left_alone() {
    let (world, ids) = claude(1);
    foreign_edit(&world.disk, world.format, &ids.blocked, &|it| it.blocked_by.clear());
    let found = look(&world);
    assert_eq!(codes(&found), ["one_sided_edge"]);
    foreign_edit(&world.disk, world.format, &ids.blocked, &|it| it.subject = "theirs".into());
    let mended = world.list().mend(&ann(), &found).expect("a mend");
    assert_eq!((mended.done.len(), mended.left.len(), mended.number), (0, 1, None));
    let found = look(&world);
    let mended = world.list().mend(&ann(), &found).expect("a mend");
    foreign_edit(&world.disk, world.format, &ids.blocked, &|it| it.subject = "theirs again".into());
    let now = outside(&world);
    let back = world.list().unmend(&ann(), mended.number).expect("tried").expect("there");
    assert_eq!((back.back.len(), back.changed), (0, vec!["4.json".to_owned()]));
    assert_eq!(outside(&world), now);
}

/// Somebody writes in any gap of a mend: theirs is never lost.
#[test]
fn a_foreign_write_in_every_gap_of_a_mend_survives() {
    let spoil = |world: &World, ids: &Ids| {
        foreign_edit(&world.disk, world.format, &ids.blocked, &|it| it.blocked_by.clear());
        world.clock.pass(31_000);
    };
    let mut points = 0;
    for format in ["claude", "v6"] {
        let calls = {
            let world = World::new(format, 7);
            spoil(&world, &world.populate());
            let found = look(&world);
            let (list, start) = (world.list(), world.disk.calls());
            list.mend(&ann(), &found).expect("a mend");
            world.disk.calls() - start
        };
        for call in 1..=calls {
            let world = World::new(format, 7);
            let ids = world.populate();
            spoil(&world, &ids);
            let found = look(&world);
            let (list, start, its, id) =
                (world.list(), world.disk.calls(), world.format, ids.blocked.clone());
            world.disk.set_gap(Some(Box::new(move |disk, now| {
                if now == start + call {
                    assert!(foreign_edit(disk, its, &id, &|it| it.description = "theirs".into()));
                }
            })));
            list.mend(&ann(), &found).expect("a mend");
            world.disk.set_gap(None);
            assert_eq!(task(&world.list(), &ids.blocked).description, "theirs", "{format}, gap {call}");
            assert_eq!(task(&world.list(), &ids.blocked).blocked_by.len(), 2, "{format}, gap {call}");
            points += 1;
        }
    }
    println!("a foreign write in {points} gaps of a mend, 0 lost");
}

/// A list with one of everything that a mend writes.
fn spoiled(format: &str, seed: u64) -> World {
    let world = World::new(format, seed);
    let ids = world.populate();
    let (ready, nowhere) = (ids.ready.clone(), TaskId::found("99"));
    foreign_edit(&world.disk, world.format, &ids.blocked, &|it| it.blocked_by.retain(|it| *it != ready));
    foreign_edit(&world.disk, world.format, &ids.ready, &|it| it.blocked_by.push(nowhere.clone()));
    if world.format.shape().single_file.is_none() {
        world.list().board().expect("a look");
        world.disk.foreign_write(&world.format.file_of(&ids.held), Some(b"{\"half"));
    }
    if ["claude", "v6"].contains(&format) {
        put(&world, ".highwatermark", "junk");
    }
    world.clock.pass(60_000);
    world
}

/// What must be so whenever a mend was cut short: every task is there, and the mend can be done again.
fn check_again(world: &World, what: &str) {
    let board = world.list().board().expect("the list can be read");
    let subjects: Vec<&str> = board.tasks.iter().map(|it| it.task.subject.as_str()).collect();
    assert_eq!(subjects.len(), 4, "{what}: {subjects:?}");
    for wanted in ["done", "held", "ready", "blocked"] {
        assert!(subjects.contains(&wanted), "{what}: {wanted} is lost");
    }
    let found = look(world);
    let mended = world.list().mend(&ann(), &found).expect("mended again");
    assert!(mended.left.iter().all(|(it, _)| it.mend.is_none()), "{what}: {:?}", mended.left);
    let left: Vec<&str> = codes(&look(world)).into_iter().filter(|it| *it != "quarantine").collect();
    let notes = left.iter().all(|it| ["leftover", "lost_claim"].contains(it));
    assert!(notes, "{what}: {left:?}");
    world.check_files(&[]);
    world.check_order();
    add(&world.list(), "and on it goes", &[]);
}

fn strike_everywhere(recover: impl Fn(&World)) -> usize {
    let mut points = 0;
    for format in FORMATS {
        for call in 1.. {
            let world = spoiled(format, call);
            let found = look(&world);
            let list = world.list();
            world.disk.crash_in(call);
            let finished = list.mend(&ann(), &found).is_ok();
            let finished = finished && !world.disk.is_dead();
            recover(&world);
            check_again(&world, &format!("{format}, call {call}"));
            points += 1;
            if finished {
                break;
            }
        }
    }
    points
}

#[test]
fn killed_at_every_call_of_a_mend() {
    println!("killed at {} calls of mends, 0 wrong", strike_everywhere(|world| world.disk.restart()));
}

#[test]
fn power_lost_at_every_call_of_a_mend() {
    println!("power lost at {} calls of mends, 0 wrong", strike_everywhere(|world| world.disk.lose_power()));
}

/// Cut short while a mend is taken back: trying again brings the very bytes.
fn taken_back_everywhere(recover: impl Fn(&World), is_power: bool) -> usize {
    let mut points = 0;
    for format in FORMATS {
        for call in 1.. {
            let world = spoiled(format, call);
            let before = outside(&world);
            let number = world.list().mend(&ann(), &look(&world)).expect("a mend").number;
            let list = world.list();
            world.disk.crash_in(call);
            let finished = list.unmend(&ann(), number).is_ok() && !world.disk.is_dead();
            recover(&world);
            let again = world.list().unmend(&ann(), number);
            let again = again.unwrap_or_else(|error| panic!("{format}, call {call}: {error}"));
            let changed = again.map(|it| it.changed).unwrap_or_default();
            for (name, bytes) in outside(&world) {
                // After a loss of power the journal makes files again that were lost or cannot be read: such a file is
                // not as the mend left it, which is said.
                let broken = before[&name].as_ref().is_some_and(|it| it.starts_with(b"{\"half"));
                let made_again = is_power && (broken || changed.contains(&name));
                let bytes = bytes.unwrap_or_default();
                let shown = String::from_utf8_lossy(&bytes);
                assert!(
                    made_again || Some(&bytes) == before[&name].as_ref(),
                    "{format}, call {call}, {name}: {shown}"
                );
            }
            let board = world.list().board().expect("a look");
            assert_eq!(board.tasks.len(), 4, "{format}, call {call}");
            points += 1;
            if finished {
                break;
            }
        }
    }
    points
}

#[test]
fn killed_at_every_call_of_taking_back() {
    let points = taken_back_everywhere(|world| world.disk.restart(), false);
    println!("killed at {points} calls of taking back, 0 wrong");
}

#[test]
fn power_lost_at_every_call_of_taking_back() {
    let points = taken_back_everywhere(|world| world.disk.lose_power(), true);
    println!("power lost at {points} calls of taking back, 0 wrong");
}

#[test]
fn ten_thousand_tasks_are_looked_over_and_mended() {
    let keep = tempfile::tempdir().expect("a folder");
    let path = keep.path().join("list");
    let list = TaskList::create(&path, &Options::default()).expect("a list");
    let plan = (0..10_000).map(|n: usize| PlanTask {
        name: Some(format!("t{n}")),
        after: if n == 0 { vec![] } else { vec![format!("t{}", n - 1)] },
        task: worklist::NewTask { subject: format!("task {n}"), ..worklist::NewTask::default() },
        ..PlanTask::default()
    });
    list.run(&ann(), &Command::Plan(Plan { key: None, tasks: plan.collect() })).expect("a plan");
    assert_eq!(codes(&examine(&list).findings), [""; 0]);
    for n in (2..=200).step_by(2) {
        let file = path.join(format!("{n}.json"));
        let text = fs::read_to_string(&file).expect("there");
        let nowhere =
            text.replace(&format!("\"blockedBy\": [\n    \"{}\"\n  ]", n - 1), "\"blockedBy\": [\"x\"]");
        assert_ne!(text, nowhere);
        fs::write(&file, nowhere).expect("written");
    }
    let clock = SystemClock;
    let started = clock.ticks();
    let mut told = (0, 0);
    let found = list.examine(&mut |done, total| told = (done, total)).expect("a look").findings;
    println!("10,000 tasks looked over in {} ms, {} findings", clock.ticks() - started, found.len());
    assert_eq!((told, found.len()), ((10_000, 10_000), 200));
    let started = clock.ticks();
    let mended = list.mend(&ann(), &found).expect("a mend");
    println!("{} of them mended in {} ms", mended.done.len(), clock.ticks() - started);
    assert_eq!(mended.left.len(), 0);
    assert_eq!(codes(&examine(&list).findings), [""; 0]);
}
