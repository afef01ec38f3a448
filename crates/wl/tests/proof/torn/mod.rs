//! R12: a task file that another program writes in place, over and over, is read all the while: no record is served that
//! nobody wrote, and no task that is there is not found. And a watcher takes our own writes for nothing else. Not writes
//! that meet other writes.

mod processes;

use crate::{
    tally::{Tally, sized},
    wl::{Read, Wl},
};
use processes::{Manner, TASK, is_whole, reader, writer};
use std::{
    io::{BufRead, BufReader},
    process::{Child, Stdio},
};
use worklist::{Actor, Command, Options, TaskList, rules::Edit};

/// A list with the task that is written over and over.
fn place() -> Wl {
    let wl = Wl::with_tasks(&["0 1"]);
    wl.ok(&["edit", TASK, "--description", "0 "]);
    wl
}

/// Ends a process that would go on for ever.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

#[test]
fn no_reader_is_served_what_nobody_wrote() {
    for (manner, name) in Manner::ALL {
        let mut tally = Tally::new(name);
        let wl = place();
        let _writer = Ended(writer(&wl.path(".tasks"), manner));
        let reads = sized(10_000, 500_000);
        let readers = [0, 1].map(|_| reader(&wl.path(".tasks"), manner, reads / 2));
        for reader in readers {
            let told = reader.wait_with_output().expect("it ends");
            let text = String::from_utf8_lossy(&told.stdout);
            let counts: Vec<u64> = text
                .lines()
                .find_map(|it| it.rsplit_once("read: "))
                .map(|it| it.1.split(' ').filter_map(|it| it.parse().ok()).collect())
                .unwrap_or_default();
            let [done, versions, wrong, mixed] = counts[..] else { panic!("{text}") };
            let shown = || text.lines().find(|it| it.starts_with("wrong")).unwrap_or_default().to_owned();
            for n in 0..done {
                tally.trial(if n < wrong { Err(shown()) } else { Ok(()) });
            }
            tally.count("times another text than before", versions);
            tally.count("mixtures that the system served", mixed);
        }
        by_the_program(&wl, &mut tally);
        tally.end();
    }
}

/// The same by `wl` itself, with one that watches.
fn by_the_program(wl: &Wl, tally: &mut Tally) {
    let watching = wl.command(&["watch", "--json"]).stdout(Stdio::null()).spawn().expect("it starts");
    let _watching = Ended(watching);
    for n in 0..sized(100, 1_000) {
        let command: &[&str] = if n % 2 == 0 { &["show", TASK, "--json"] } else { &["list", "--json"] };
        let run = wl.run(command);
        let document = run.json();
        let task = if n % 2 == 0 { &document["task"] } else { &document["tasks"][0] };
        let whole = task["subject"].as_str().is_some_and(|it| is_whole(it, task.word("description")));
        tally.trial(if whole { Ok(()) } else { Err(format!("{command:?}: {}{}", run.out, run.err)) });
    }
}

/// As others were seen to fail: a watcher that takes its own side's rename for somebody's change.
#[test]
fn a_watcher_takes_our_writes_for_ours() {
    let mut tally = Tally::new("R12 our writes, watched");
    let wl = Wl::with_tasks(&["first"]);
    let mut watching = wl.command(&["watch", "--json", "--since", "1"]);
    let mut watching = watching.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(watching.stdout.take().expect("a pipe")).lines();
    let _watching = Ended(watching);
    let list = TaskList::open(&wl.path(".tasks"), &Options::default()).expect("a list");
    let id = list.board().expect("a look").tasks[0].task.id.clone();
    let writes = sized(200, 10_000);
    let mut edit = |n: usize| {
        let edit = Edit { subject: Some(format!("write {n}")), ..Edit::of(id.clone()) };
        list.run(&Actor::new("ann", "ann"), &Command::Edit(edit))
            .expect("an edit")
            .event
            .expect("an event")
            .seq
    };
    let first = edit(0);
    // The first line shows that it is there: from now on it sees every write as it happens.
    let mut lines = std::iter::once(lines.next().expect("a line")).chain(lines);
    let last = (1..=writes).map(&mut edit).last().unwrap_or(first);
    for seq in first..=last {
        let line = lines.next().expect("a line").expect("text");
        let event: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        let ours = event["origin"] == "ours" && event["seq"] == seq && event["command"] == "edit";
        tally.trial(if ours { Ok(()) } else { Err(format!("not event {seq}: {line}")) });
    }
    let events = list.events_after(0).expect("history");
    tally.trial(if events.len() as u64 == last { Ok(()) } else { Err(format!("{} events", events.len())) });
    tally.end();
}
