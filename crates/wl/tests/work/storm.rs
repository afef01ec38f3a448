//! A graph that gets itself done while its workers and their commands are killed and paused at random: in order, each
//! task once, nothing left running, nothing left claimed.

use crate::{Wl, chance::Chance, left_behind, start, state, until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::{collections::HashMap, fs, thread, time::Duration};

/// So many tasks and faults; with `WORKLIST_LONG` the long size.
fn size() -> (usize, usize) {
    if std::env::var_os("WORKLIST_LONG").is_some() { (1_000, 200) } else { (120, 25) }
}

/// Tasks that each wait for up to two earlier ones.
fn planned(count: usize) -> (Wl, Vec<Vec<usize>>) {
    let mut chance = Chance(7);
    let after: Vec<Vec<usize>> = (0..count)
        .map(|n| if n == 0 { Vec::new() } else { (0..2).map(|_| chance.below(n)).collect() })
        .collect();
    let task = |n: usize| {
        let after: Vec<String> = after[n].iter().map(|it| format!("t{it}")).collect();
        json!({"name": format!("t{n}"), "subject": format!("task {n}"), "after": after})
    };
    let tasks: Vec<_> = (0..count).map(task).collect();
    let wl = Wl::new();
    wl.ok(&["init"]);
    wl.input(&json!({"tasks": tasks}).to_string()).ok(&["plan", "-"]);
    (wl, after)
}

/// Every process beneath one, itself included.
fn family(root: i32) -> Vec<i32> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for pid in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = pid.file_name().to_str().and_then(|it| it.parse::<i32>().ok()) else { continue };
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat.rsplit(')').next().and_then(|it| it.split_whitespace().nth(1)?.parse::<i32>().ok());
        children.entry(parent.unwrap_or(0)).or_default().push(pid);
    }
    let (mut found, mut open) = (vec![root], vec![root]);
    while let Some(pid) = open.pop() {
        let next = children.get(&pid).cloned().unwrap_or_default();
        found.extend(&next);
        open.extend(next);
    }
    found
}

#[test]
fn a_graph_gets_itself_done_whatever_is_killed() {
    let (count, faults) = size();
    let (wl, after) = planned(count);
    // The commands leave their numbers while they run: what is there at the end has been left behind.
    let script = "mkdir -p pids; echo $$ > pids/$$; sleep 0.0$(($WORKLIST_TASK_ID % 5)); rm pids/$$";
    let flags = ["--workers", "4", "--attempts", "1000000"];
    let mut runs = [start(&wl, &flags, script), start(&wl, &flags, script)];
    let mut chance = Chance(42);
    let (mut done, mut paused) = (0, Vec::new());
    while done < faults {
        thread::sleep(Duration::from_millis(40));
        let which = chance.below(runs.len());
        let root = i32::try_from(runs[which].id()).expect("a number");
        let family = family(root);
        let victim = family[chance.below(family.len())];
        let how = if chance.below(3) == 0 { Signal::STOP } else { Signal::KILL };
        if Pid::from_raw(victim).is_some_and(|it| kill_process(it, how).is_ok()) {
            done += 1;
            if how == Signal::STOP {
                paused.push(victim);
            }
        }
        if chance.below(2) == 0 {
            for pid in paused.drain(..) {
                _ = Pid::from_raw(pid).map(|it| kill_process(it, Signal::CONT));
            }
        }
        if runs[which].try_wait().expect("a child").is_some() {
            runs[which] = start(&wl, &flags, script);
        }
    }
    for pid in paused {
        _ = Pid::from_raw(pid).map(|it| kill_process(it, Signal::CONT));
    }
    for run in &mut runs {
        _ = run.wait();
    }
    finish(&wl, &flags, script);
    println!("{count} tasks, {done} faults");
    assert_in_order(&wl, &after);
    until("nothing runs on", || left_behind(&wl).is_empty());
}

/// What was parked by too many lost leases is let go on, as a person would, until all is done.
fn finish(wl: &Wl, flags: &[&str], script: &str) {
    for _ in 0..20 {
        let open = wl.json(&["list"]);
        let open = open["tasks"].as_array().cloned().unwrap_or_default();
        if open.is_empty() {
            return;
        }
        for task in open.iter().filter(|it| it["parked"] == true) {
            wl.run(&["release", task["id"].as_str().expect("an id"), "--force"]);
        }
        start(wl, flags, script).wait().expect("it ends");
    }
    panic!("not done after twenty runs");
}

/// Every task was completed once, and after what it waits for.
fn assert_in_order(wl: &Wl, after: &[Vec<usize>]) {
    let events = wl.json(&["changes", "--since", "0"]);
    let mut completed: HashMap<String, Vec<usize>> = HashMap::new();
    for (n, event) in events["events"].as_array().expect("events").iter().enumerate() {
        for change in event["changes"].as_array().expect("changes") {
            if change["fields"]["status"][1] == "completed" {
                completed.entry(change["id"].as_str().expect("an id").to_owned()).or_default().push(n);
            }
        }
    }
    let when = |n: usize| completed.get(&(n + 1).to_string()).cloned().unwrap_or_default();
    for (n, blockers) in after.iter().enumerate() {
        assert_eq!(when(n).len(), 1, "task {} was completed {} times", n + 1, when(n).len());
        assert!(blockers.iter().all(|it| when(*it)[0] < when(n)[0]), "task {} was done too early", n + 1);
        assert_eq!(state(wl, &(n + 1).to_string()), "completed");
    }
}
