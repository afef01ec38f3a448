//! R15: one list, three machines, and one of them is cut off in the middle of its work. Its commands end before their tasks
//! are given to others, its late results are refused, and when it is back its workers end well.

mod history;
mod net;

use crate::{
    mcp::{Client, Era},
    racer::Said,
    tally::{Tally, sized},
    wl::{Read, Running, Wl},
};
use net::Machine;
use serde_json::{Value, json};
use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// Workers on each machine.
const WORKERS: usize = 4;
/// So many tasks could be done at once, if nothing held them up.
const WIDTH: usize = 24;

#[test]
fn three_machines_and_one_is_cut_off() {
    if !rustix::process::geteuid().is_root() || !net::can_be_made() {
        println!("R15 three machines: not root, or no networks of one's own here; not tried");
        return;
    }
    if !net::is_inside("machines::three_machines_and_one_is_cut_off") {
        return;
    }
    let (tasks, rounds) = sized((240, 1), (1_000, 3));
    let server = net::server();
    let machines = [1, 2, 3].map(Machine::new);
    let database = server.database(None);
    machines[0].place(&server, &database, "none").ok(&["store", "init"]);
    let mut tally = Tally::new("R15 three machines, one cut off");
    for round in 0..rounds {
        let places = machines.each_ref().map(|it| it.place(&server, &database, &format!("round {round}")));
        Round { cable: &machines[2], places: &places, tasks }.run(&mut tally);
    }
    tally.end();
}

struct Round<'a> {
    /// Of the third machine.
    cable: &'a Machine,
    places: &'a [Wl; 3],
    tasks: usize,
}

/// What the third machine has in its hands when it is cut off.
struct InHand {
    /// The process of each worker's command, and its task.
    at_work: Vec<(String, String)>,
    client: Client,
    served: Vec<String>,
    by_hand: String,
}

impl Round<'_> {
    fn run(&self, tally: &mut Tally) {
        let [first, second, third] = self.places;
        first.ok(&["init"]);
        first.input(&plan(self.tasks)).ok(&["plan", "-"]);
        third.write("stall", "");
        let (in_hand, cut_off) = self.begun();
        // What it has in its hands otherwise is not done before its results come late.
        for id in in_hand.served.iter().chain([&in_hand.by_hand]) {
            self.places.iter().for_each(|it| it.write(&format!("hold-{id}"), ""));
        }
        let others = [first.start(&work()), second.start(&work())];
        fs::remove_file(third.path("stall")).expect("it was there");
        self.cable.pull();
        let away = third.run(&["list", "--json"]);
        tally.check(away.json()["error"]["code"] == "server", || format!("cut off: {}", away.out));
        self.wait_for_others(&in_hand, tally);
        self.cable.plug();
        self.come_late(&in_hand, tally);
        for id in in_hand.served.iter().chain([&in_hand.by_hand]) {
            for place in self.places {
                fs::remove_file(place.path(&format!("hold-{id}"))).expect("it was there");
            }
        }
        for (name, run) in ["first", "second", "third"].into_iter().zip(others.into_iter().chain([cut_off])) {
            let run = run.end();
            tally.check(run.code == Some(0), || format!("{name}: {:?} {}", run.code, run.err));
            let lost = run.lines().iter().filter(|it| it["event"] == "lost").count();
            let wanted = if name == "third" { WORKERS } else { 0 };
            tally.check(lost == wanted, || format!("{name} lost {lost}: {}", run.out));
            if name == "third" {
                // How much is left for it is a matter of luck.
                let last = run.lines().iter().filter(|it| it["event"] == "done").count();
                tally.count("done by the third when it was back", last as u64);
            }
        }
        history::audit(first, self.tasks, tally);
    }

    /// The third machine takes tasks in every way there is, and its workers' commands do not end.
    fn begun(&self) -> (InHand, Running) {
        let third = &self.places[2];
        let client = Client::start(&third.by("served"), Era::Old);
        let next = || {
            let said =
                Said::of_server(&client.request("tools/call", json!({"name": "TaskNext", "arguments": {}})));
            said.id().unwrap_or_else(|| panic!("{said:?}"))
        };
        let served = vec![next(), next()];
        let by_hand = third.by("by-hand").json(&["next", "--lease", "30s"])["task"].word("id").to_owned();
        let running = third.start(&work());
        let at_work = until("every worker has a task", Duration::from_mins(1), || {
            let text = fs::read_to_string(third.path("stalled")).unwrap_or_default();
            let lines: Vec<(String, String)> = text
                .lines()
                .filter_map(|it| it.split_once(' '))
                .map(|(pid, id)| (pid.to_owned(), id.to_owned()))
                .collect();
            (lines.len() == WORKERS).then_some(lines)
        });
        fs::remove_file(third.path("stalled")).expect("it was there");
        (InHand { at_work, client, served, by_hand }, running)
    }

    /// Others have everything that it had, and its commands have ended by then.
    fn wait_for_others(&self, in_hand: &InHand, tally: &mut Tally) {
        let by_workers: Vec<&String> = in_hand.at_work.iter().map(|(_, id)| id).collect();
        let mut all: Vec<&String> = by_workers.clone();
        all.extend(in_hand.served.iter().chain([&in_hand.by_hand]));
        let began = Instant::now();
        let mut ended: Option<Duration> = None;
        while !all.is_empty() {
            assert!(began.elapsed() < Duration::from_mins(3), "{all:?} do not come back");
            // Looked at before the list is: what runs now ran when the list was read.
            let runs = in_hand.at_work.iter().any(|(pid, _)| Path::new("/proc").join(pid).exists());
            ended = ended.or_else(|| (!runs).then(|| began.elapsed()));
            let tasks = self.places[0].json(&["list", "--all"]);
            let is_back = |id: &str| {
                let task = tasks.items("tasks").iter().find(|it| it["id"] == id).expect("a task");
                has(task, &["m1", "m2"])
            };
            all.retain(|id| {
                let back = is_back(id);
                if back && by_workers.contains(id) {
                    tally.check(!runs, || format!("#{id} was given away while its command ran"));
                }
                if back {
                    tally.count("tasks that came back", 1);
                }
                !back
            });
            thread::sleep(Duration::from_millis(100));
        }
        let seconds = ended.map_or(u64::MAX, |it| it.as_secs());
        // It stops after 40 seconds of silence, and is given up after 60.
        tally.check(seconds < 60, || format!("its commands ended after {seconds} s"));
        println!(
            "R15: its commands ended {seconds} s after it was cut off; all came back after {:?}",
            began.elapsed()
        );
    }

    /// Results of tasks that others have by now.
    fn come_late(&self, in_hand: &InHand, tally: &mut Tally) {
        let third = &self.places[2];
        until("the third machine is back", Duration::from_mins(1), || {
            (third.run(&["list"]).code == Some(0)).then_some(())
        });
        for id in &in_hand.served {
            let arguments = json!({"taskId": id, "status": "completed"});
            let said = in_hand.client.result("TaskUpdate", arguments);
            tally.check(said["isError"] == true, || format!("a late result was taken: {said}"));
            tally.count("late results refused", 1);
        }
        let late = third.by("by-hand").run(&["done", &in_hand.by_hand, "--json"]);
        tally.check(matches!(late.code, Some(3 | 5)), || format!("a late result was taken: {}", late.out));
        tally.count("late results refused", 1);
    }
}

/// Whether somebody whose name begins so has a task.
fn has(task: &Value, names: &[&str]) -> bool {
    let owner = task["claim"]["by"].as_str().or_else(|| task["owner"].as_str()).unwrap_or_default();
    names.iter().any(|it| owner.starts_with(it))
}

/// A graph in which each task waits for two of those before it.
fn plan(tasks: usize) -> String {
    let after = |n: usize| match n {
        n if n < WIDTH => vec![],
        n => vec![format!("t{}", n - WIDTH), format!("t{}", n - WIDTH + 1 + n % (WIDTH - 1))],
    };
    let tasks: Vec<Value> = (0..tasks)
        .map(|n| json!({"name": format!("t{n}"), "subject": format!("t{n}"), "after": after(n)}))
        .collect();
    json!({"tasks": tasks}).to_string()
}

/// Workers whose commands write down that they ran, and do not end where they are told to stall.
fn work() -> Vec<&'static str> {
    let command = "if [ -e stall ]; then echo $$ $WORKLIST_TASK_ID >>stalled; exec sleep 600; fi
        while [ -e hold-$WORKLIST_TASK_ID ]; do sleep 0.1; done";
    vec!["work", "--workers", "4", "--json", "--", "/bin/sh", "-c", command]
}

/// Waits until there is something.
fn until<T>(what: &str, limit: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < limit, "waited too long: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
