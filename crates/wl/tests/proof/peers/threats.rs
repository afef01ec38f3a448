//! What a hostile neighbour can put into the folder, as far as no other test is already about it. Not what it can write
//! into texts: that is `hostile`.

use crate::{
    files::task_files,
    mcp::{Client, Era},
    tally::{Tally, sized},
    wl::{FORMATS, Read, Wl},
};
use serde_json::json;
use std::{
    fs,
    io::Read as _,
    os::unix::fs::{MetadataExt, symlink},
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// Lets a file and a link to somebody else's file take turns in one place until it is told to stop.
fn swap(place: &Path, canary: &Path, swaps: &AtomicUsize, stop: &AtomicBool) {
    let (file, link) = (place.with_extension("file"), place.with_extension("link"));
    let own = fs::read(place).expect("a task");
    while !stop.load(Ordering::Acquire) {
        symlink(canary, &link).and_then(|()| fs::rename(&link, place)).expect("a link");
        fs::write(&file, &own).and_then(|()| fs::rename(&file, place)).expect("a file");
        swaps.fetch_add(2, Ordering::Release);
    }
}

/// S5: between a look and a write the file becomes a link.
#[test]
fn a_file_that_becomes_a_link_is_never_followed() {
    let mut tally = Tally::new("S5 a file and a link take turns");
    let wl = Wl::with_tasks(&["one", "two"]);
    let canary = wl.path("canary.json");
    fs::write(&canary, wl.read(".tasks/2.json").replace("\"two\"", "\"CANARY\"")).expect("a file");
    let look = || fs::metadata(&canary).map(|it| (it.ino(), it.mtime_nsec(), it.len())).expect("the canary");
    let (before, swaps, stop) = (look(), AtomicUsize::new(0), AtomicBool::new(false));
    let server = Client::start(&wl, Era::Old);
    thread::scope(|scope| {
        scope.spawn(|| swap(&wl.path(".tasks/2.json"), &canary, &swaps, &stop));
        let mut n = 0;
        while swaps.load(Ordering::Acquire) < sized(2_000, 100_000) || n < sized(60, 2_000) {
            n += 1;
            let said = match n % 4 {
                0 => wl.run(&["show", "2"]).out,
                1 => wl.run(&["edit", "2", "--subject", "changed", "--force"]).out,
                2 => server.call("TaskGet", json!({"taskId": "2"})),
                _ => server.call("TaskUpdate", json!({"taskId": "2", "description": format!("by {n}")})),
            };
            tally.trial(if said.contains("CANARY") { Err(said) } else { Ok(()) });
        }
        stop.store(true, Ordering::Release);
    });
    tally.count("swaps", swaps.into_inner() as u64);
    tally.check(look() == before, || "the canary was written".to_owned());
    tally.end();
}

/// S14: needs a second user, so it runs as root; a test that is not root says so.
#[test]
fn another_user_reads_nothing() {
    if !rustix::process::geteuid().is_root() {
        println!("S14 another user: not root, not tried");
        return;
    }
    let mut tally = Tally::new("S14 another user");
    for format in FORMATS {
        let wl = Wl::of_format(format, &["SECRET"]);
        wl.ok(&["next"]);
        // The place lets them pass, and a file beside the list shows that they look.
        wl.shell("chmod 755 .; echo OPEN > open; chmod 644 open").code(0);
        let look = "cat open; find .tasks/ -mindepth 1; cat .tasks/*.json .tasks/.worklist/journal; ls .tasks; cd .tasks && pwd";
        let other = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "sh", "-c", look];
        let run = Command::new("setpriv").args(other).current_dir(wl.path(".")).output().expect("setpriv");
        let seen = String::from_utf8_lossy(&run.stdout).into_owned();
        tally.check(seen == "OPEN\n", || format!("{format}: {seen}"));
    }
    tally.end();
}

/// What somebody can put in the place of a lock.
const LOCKS: [&str; 9] = [
    "mkdir LOCK",
    "mkdir LOCK; touch -d '1 hour ago' LOCK",
    "mkdir LOCK; touch -d '+1 hour' LOCK",
    "mkdir LOCK; touch LOCK/theirs; touch -d '1 hour ago' LOCK",
    "mkdir LOCK; printf x > LOCK/pin",
    "touch LOCK; touch -d '1 hour ago' LOCK",
    "ln -s nowhere LOCK",
    "ln -s / LOCK",
    "mkfifo LOCK",
];

/// Runs a line of commands beside a planted lock, each bounded; what a change was told.
fn beside(format: &str, file: &str, plant: &str) -> Result<(), String> {
    let wl = Wl::of_format(format, &["one"]);
    let id = wl.json(&["list"]).items("tasks")[0].word("id").to_owned();
    let lock = format!(".tasks/{file}.lock");
    wl.shell(&plant.replace("LOCK", &lock)).code(0);
    let began = Instant::now();
    let look = wl.run(&["show", &id]);
    let change = wl.run(&["edit", &id, "--subject", "changed"]);
    let took = began.elapsed();
    let told = change.err.contains(file) || change.err.contains("lock");
    if look.code != Some(0) || took > Duration::from_secs(6) {
        return Err(format!("{format}: {plant}: {:?} after {took:?}: {}", look.code, look.err));
    }
    match change.code {
        Some(0) => Ok(()),
        Some(1) if told => Ok(()),
        code => Err(format!("{format}: {plant}: {code:?}: {}", change.err)),
    }
}

/// S16: every wait is bounded and names what it waits for; looking does not wait at all.
#[test]
fn planted_locks_hold_nobody_up_for_long() {
    let mut tally = Tally::new("S16 planted locks");
    let places = [("claude", "1.json"), ("claude", ".lock"), ("tasks-json", "tasks.json")];
    for (format, file) in places {
        let outcomes: Vec<_> = thread::scope(|scope| {
            let tries: Vec<_> =
                LOCKS.iter().map(|it| scope.spawn(move || beside(format, file, it))).collect();
            tries.into_iter().map(|it| it.join().expect("it ends")).collect()
        });
        for outcome in outcomes {
            tally.trial(outcome);
        }
    }
    tally.end();
}

/// S16: a lock that nobody refreshes, from the past or from the future, ends after some tries.
#[test]
fn a_lock_from_the_future_is_taken_over() {
    let mut tally = Tally::new("S16 abandoned locks");
    for hours in ["1 hour ago", "+1 hour"] {
        let wl = Wl::with_tasks(&["one"]);
        wl.shell(&format!("mkdir .tasks/1.json.lock; touch -d '{hours}' .tasks/1.json.lock")).code(0);
        let began = Instant::now();
        let tries =
            (0..10).take_while(|_| wl.run(&["edit", "1", "--subject", "mine"]).code == Some(1)).count();
        let took = began.elapsed();
        let right = (1..10).contains(&tries) && took >= Duration::from_secs(6);
        tally.check(right, || format!("{hours}: {tries} tries in {took:?}"));
    }
    tally.end();
}

/// S16: somebody holds the list itself: a change is told by whom, and looking goes on.
#[test]
fn a_list_that_is_held_is_told_by_whom() {
    let wl = Wl::with_tasks(&["one"]);
    let mut flock = Command::new("flock");
    flock.args([".tasks", "sh", "-c", "echo; cat"]).current_dir(wl.path("."));
    let mut holder = flock.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("flock");
    holder.stdout.as_mut().expect("a pipe").read_exact(&mut [0]).expect("it holds the lock");
    wl.ok(&["list"]).stdout_has("one");
    wl.fails(&["add", "two"], 1, "locked").says("the list is locked by process");
    drop(holder.stdin.take());
    holder.wait().expect("it ends");
    wl.ok(&["add", "two"]);
}

/// S17: marks of a merge in a file: the last good state is served, and neither side is lost.
#[test]
fn conflict_marks_lose_neither_side() {
    let mut tally = Tally::new("S17 marks of a conflict");
    for format in FORMATS {
        let wl = Wl::of_format(format, &["one"]);
        let id = wl.json(&["list"]).items("tasks")[0].word("id").to_owned();
        let file = task_files(&wl).pop().expect("a task file");
        let both =
            "<<<<<<< HEAD\n{\"subject\": \"OURS\"}\n=======\n{\"subject\": \"THEIRS\"}\n>>>>>>> branch\n";
        fs::write(&file, both).expect("a file");
        let served = wl.ok(&["list"]);
        let is_served = served.out.contains("one") && served.err.contains("last good state");
        let untouched = fs::read_to_string(&file).expect("a file") == both;
        wl.run(&["edit", &id, "--subject", "changed"]);
        wl.run(&["doctor", "--fix"]);
        // Displaced files are kept for a moment only: they do not count.
        let kept = wl.shell("grep -rl THEIRS .tasks --exclude-dir=spare | wc -l").out.trim() != "0";
        let right = is_served && untouched && kept;
        let what =
            || format!("{format}: served {is_served}, untouched {untouched}, kept {kept}: {}", served.err);
        tally.check(right, what);
    }
    tally.end();
}
