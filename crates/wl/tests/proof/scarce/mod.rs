//! R14: something is missing: room, inodes, the right to write, descriptors, locks. The old state stays whole, whoever
//! asked is told what could not be done, why and what to try, and when the want ends, all goes on by itself. Not a call
//! that fails once: that is `calls`.

mod mount;

use crate::{
    cases::{CASES, Case, Home, Look},
    place::{NEXT, Place},
    tally::Tally,
    wl::{Read, Wl},
};
use mount::Mount;
use std::{
    collections::HashMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Output, Stdio},
    sync::OnceLock,
};

/// A want: how it begins and ends, and how the program is started in it.
struct Want<'a> {
    name: String,
    /// What stands before the program.
    prefix: Vec<String>,
    begin: &'a dyn Fn(),
    end: &'a dyn Fn(),
    /// Whether looking goes on.
    looks: bool,
    /// Whether what is done all the same is right.
    writes: bool,
}

/// The cases that write a list which is there.
fn writing() -> impl Iterator<Item = Case> {
    CASES.iter().copied().filter(|it| it.look == Look::List && it.command != "list")
}

/// What each case leads to where nothing is missing.
fn wanted(case: &Case) -> &'static [String] {
    static ALL: OnceLock<HashMap<String, Vec<String>>> = OnceLock::new();
    let named = |it: &Case| format!("{} {:?} {:?}", it.line, it.first, it.home);
    let all = ALL.get_or_init(|| {
        let homes = [Home::Project, Home::Client].map(|it| (it, Place::new("claude", it)));
        let ends = homes.iter().flat_map(|(home, place)| {
            writing().filter(|it| it.home == *home).map(move |case| {
                place.begin(&case);
                let wl =
                    place.wl.by(case.by).with("WORKLIST_SESSION", case.by).input(&place.filled(case.input));
                assert!(run(&wl, &[], &place.words_of(case.line)).status.success(), "{}", case.line);
                (named(&case), place.seen(case.look).expect("a look"))
            })
        });
        ends.collect()
    });
    &all[&named(case)]
}

/// Without root there is no mount: this is said, and the rest is tried.
fn told<T>(mounted: Option<T>, what: &str) -> Option<T> {
    if mounted.is_none() {
        println!("R14 {what}: not tried, because this needs root that may mount");
    }
    mounted
}

/// A line of the program in a want.
fn run(wl: &Wl, prefix: &[String], arguments: &[String]) -> Output {
    start(wl, &[prefix, &[env!("CARGO_BIN_EXE_wl").to_owned()], arguments].concat())
}

fn start(wl: &Wl, words: &[String]) -> Output {
    let plain = wl.command(&[]);
    let mut command = Command::new(&words[0]);
    let variables = plain.get_envs().filter_map(|(name, value)| Some((name, value?)));
    command.args(&words[1..]).env_clear().envs(variables);
    command.current_dir(plain.get_current_dir().expect("a folder"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child =
        command.spawn().unwrap_or_else(|error| panic!("{}: {error}: run `cargo xtask kit`", words[0]));
    _ = std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), wl.typed().as_bytes());
    child.wait_with_output().expect("it ends")
}

/// Tries every case in a want, each in a place of its own beneath a folder.
fn try_all(tally: &mut Tally, beneath: Option<&Path>, want: &Want<'_>) {
    for home in [Home::Project, Home::Client] {
        let place = match beneath {
            Some(folder) => {
                Place::at(Wl::at(tempfile::tempdir_in(folder).expect("a folder")), "claude", home)
            }
            None => Place::new("claude", home),
        };
        for case in writing().filter(|it| it.home == home) {
            place.begin(&case);
            let outcome = try_one(&place, &case, want, tally);
            tally.trial(outcome.map_err(|it| format!("{} with {}: {it}", case.line, want.name)));
        }
    }
}

fn try_one(place: &Place, case: &Case, want: &Want<'_>, tally: &mut Tally) -> Result<(), String> {
    let before = place.seen(case.look)?;
    let arguments = place.words_of(case.line);
    let wl = place.wl.by(case.by).with("WORKLIST_SESSION", case.by).input(&place.filled(case.input));
    (want.begin)();
    let done = run(&wl, &want.prefix, &arguments);
    let looked = want.looks.then(|| run(&place.wl, &want.prefix, &["list".to_owned()]));
    (want.end)();
    place.check_files(case.look)?;
    let err = String::from_utf8_lossy(&done.stderr).into_owned();
    let code = done.status.code();
    if let Some(looked) = looked.filter(|it| !it.status.success()) {
        return Err(format!("looking failed: {}", String::from_utf8_lossy(&looked.stderr)));
    }
    let next = place.wl.by("carl").run(&["add", NEXT]);
    if !next.out.starts_with("Created") {
        return Err(format!("the next command failed: {}", next.err));
    }
    let seen = place.seen(case.look)?;
    if code == Some(0) {
        let whole = seen == wanted(case);
        tally.count("succeeded all the same", u64::from(whole && seen != before));
        // A hook says yes also where it could not do a thing.
        let right = whole && want.writes || case.command == "hook" && seen == before;
        return if right { Ok(()) } else { Err(format!("acknowledged, but {seen:#?}")) };
    }
    let promised = err.contains("nothing was changed");
    if promised && seen != before {
        return Err(format!("it said that nothing was changed: {err}{seen:#?}"));
    }
    told_well(case, &done)
}

/// What could not be done, on what, why, and what to try; and the exit code for a machine that did not do it.
fn told_well(case: &Case, done: &Output) -> Result<(), String> {
    let (code, text) = (done.status.code(), |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned());
    let (out, err) = (text(&done.stdout), text(&done.stderr));
    let why = |it: &str| it.contains("could not ") || it.contains("cannot ");
    let right = match case.command {
        // A client goes on whatever happens.
        "hook" => code == Some(0),
        // What the agent would get is the answer.
        "call" if out.starts_with("Failed: ") => code == Some(1) && why(&out),
        _ => code == Some(1) && err.contains("error: ") && why(&err) && err.contains("\nhint: "),
    };
    if right { Ok(()) } else { Err(format!("exit code {code:?}, {out:?} {err:?}")) }
}

#[test]
fn no_room() {
    let mut tally = Tally::new("R14 disk full, inodes full, read-only");
    let disks = [
        ("memory", 4096, told(Mount::in_memory("size=4m,nr_inodes=3000"), "a file system in memory")),
        ("ext4", 1024, told(Mount::ext4(8192, 3000), "ext4")),
    ];
    for (name, block, disk) in disks.iter().filter_map(|it| Some((it.0, it.1, it.2.as_ref()?))) {
        let mut try_with = |what: &str, begin: &dyn Fn(), end: &dyn Fn()| {
            let want = Want {
                name: format!("{what} on {name}"),
                prefix: Vec::new(),
                begin,
                end,
                looks: true,
                writes: true,
            };
            try_all(&mut tally, Some(&disk.path), &want);
        };
        // With some room it is full later: at the journal, at the first file, at the second.
        for blocks in [0, 1, 2, 3, 5] {
            try_with(&format!("{blocks} blocks free"), &|| disk.fill_but(blocks * block), &|| disk.free());
        }
        try_with("inodes full", &|| disk.crowd(), &|| disk.free());
        try_with("it read-only", &|| disk.set_read_only(), &|| disk.set_writable());
    }
    if disks.iter().any(|it| it.2.is_some()) {
        tally.end();
    }
}

/// Downwards until not even the libraries can be loaded.
#[test]
fn no_descriptors() {
    let mut tally = Tally::new("R14 few descriptors");
    for most in [20, 15].into_iter().chain((3..=12).rev()) {
        let prefix = vec!["prlimit".to_owned(), format!("--nofile={most}:{most}")];
        let place = Wl::new();
        let starts = run(&place, &prefix, &["--version".to_owned()]).status.success();
        if !starts {
            tally.count("descriptors are too few to start", most);
            break;
        }
        let name = format!("{most} descriptors");
        let want = Want { name, prefix, begin: &|| {}, end: &|| {}, looks: false, writes: true };
        try_all(&mut tally, None, &want);
    }
    tally.end();
}

/// The system has no thread to give: what is done by several is done by one.
#[test]
fn no_threads() {
    let mut tally = Tally::new("R14 no threads");
    let task = |n| format!(r#"{{"subject": "task {n}", "description": "{}"}}"#, "many words ".repeat(20));
    let tasks: Vec<String> = (0..2_600).map(task).collect();
    let wl = Wl::new();
    fs::write(wl.path("plan.json"), format!(r#"{{"tasks": [{}]}}"#, tasks.join(","))).expect("a plan");
    wl.ok(&["plan", "plan.json"]);
    let words = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=clone,clone3"];
    let inject = ["-e", "inject=clone,clone3:error=EAGAIN"];
    let prefix: Vec<String> = words.iter().chain(&inject).map(|it| (*it).to_owned()).collect();
    let cold: &dyn Fn() = &|| _ = fs::remove_file(wl.path(".tasks/.worklist/snapshot"));
    for (forget, line) in
        [(cold, "list --all --json"), (&|| {}, "list --all --json"), (&|| {}, "ready --json")]
    {
        let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
        forget();
        let usual = run(&wl, &[], &line);
        forget();
        let alone = run(&wl, &prefix, &line);
        let is_same = alone.status.success() && alone.stdout == usual.stdout;
        let said = String::from_utf8_lossy(&alone.stderr).into_owned();
        tally.trial(if is_same { Ok(()) } else { Err(format!("{line:?}: {said}")) });
    }
    tally.end();
}

/// A file system that has no locks, as the calls of such a one answer: nothing is written, or two would write at once.
#[test]
fn no_locks() {
    let mut tally = Tally::new("R14 no locks");
    for errno in ["ENOLCK", "EOPNOTSUPP"] {
        let inject = format!("inject=flock:error={errno}");
        let words = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=flock", "-e", &inject];
        let prefix = words.map(str::to_owned).to_vec();
        let want =
            Want { name: errno.to_owned(), prefix, begin: &|| {}, end: &|| {}, looks: true, writes: false };
        try_all(&mut tally, None, &want);
    }
    tally.end();
}

/// Somebody else's list: readable, or not even that.
#[test]
fn no_permission() {
    if !rustix::process::geteuid().is_root() {
        println!("R14 no permission: not tried, because this needs root");
        return;
    }
    let mut tally = Tally::new("R14 no permission");
    // Where others can reach it.
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("wl");
    fs::copy(env!("CARGO_BIN_EXE_wl"), &program).expect("a copy");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("ours");
    let words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    let words: Vec<String> =
        words.iter().map(|it| (*it).to_owned()).chain([program.display().to_string()]).collect();
    for (name, mode) in [("a list that is only readable", 0o5), ("a list that is not readable", 0o0)] {
        let homes = [Home::Project, Home::Client].map(|it| (it, Place::new("claude", it)));
        for case in writing() {
            let place = homes.iter().find(|it| it.0 == case.home).map(|it| &it.1).expect("a place");
            place.begin(&case);
            set_modes(place, mode);
            tally.trial(
                as_nobody(place, &case, &words).map_err(|it| format!("{} on {name}: {it}", case.line)),
            );
        }
    }
    tally.end();
}

fn as_nobody(place: &Place, case: &Case, words: &[String]) -> Result<(), String> {
    let before = place.seen(case.look)?;
    let wl = place.wl.by(case.by).with("WORKLIST_SESSION", case.by).input(&place.filled(case.input));
    let done = start(&wl, &[words, &place.words_of(case.line)].concat());
    if place.seen(case.look)? != before {
        return Err("it was changed".to_owned());
    }
    place.wl.by("carl").ok(&["add", NEXT]);
    told_well(case, &done)
}

/// What everybody may do with the place's files, beside root.
fn set_modes(place: &Place, mode: u32) {
    let list = place.wl.path(place.folder);
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
    set(&place.wl.path(""), 0o755);
    for above in list.ancestors().take_while(|it| *it != place.wl.path("")) {
        set(above, 0o750 | mode);
    }
}

/// Where the output of workers goes there is no room: the work goes on, and somebody is told.
#[test]
fn no_room_for_output() {
    let wl = Wl::with_tasks(&["loud", "failing"]);
    let runs = wl.path(".tasks/.worklist/runs");
    fs::create_dir(&runs).expect("a folder");
    let Some(disk) = told(Mount::over(runs, "size=64k"), "output of workers") else { return };
    disk.fill_but(0);
    let mut tally = Tally::new("R14 no room for output");
    let line = "seq 100000; test \"$WORKLIST_TASK_SUBJECT\" = loud";
    let worked = wl.run(&["work", "--json", "--", "sh", "-c", line]);
    let lines = worked.lines();
    for (event, subject) in [("done", "loud"), ("failed", "failing")] {
        let told = lines.iter().find(|it| it["event"] == event && it["subject"] == subject);
        let told = told.is_some_and(|it| it["outputLost"] == true);
        tally.trial(if told { Ok(()) } else { Err(format!("{subject}: {}{}", worked.out, worked.err)) });
    }
    let list = wl.json(&["list", "--all"]);
    let (loud, failing) = (list.task("subject", "loud"), list.task("subject", "failing"));
    let right = loud["status"] == "completed" && failing["status"] == "pending" && failing["claim"].is_null();
    tally.trial(if right { Ok(()) } else { Err(list.to_string()) });
    tally.end();
}
