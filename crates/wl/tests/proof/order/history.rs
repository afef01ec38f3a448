//! What three servers and two shells did to one task, and whether it can have been one after the other. Not how a
//! checker searches.

use crate::{
    racer::{Racer, Said, Way, Wish},
    tally::{Tally, sized},
    wl::Wl,
};
use serde_json::json;
use std::{
    sync::{Barrier, Mutex},
    thread,
};
use todc_utils::{Action, History, Specification, WGLChecker};
use worklist_throwaway::Server;

const WAYS: [Way; 5] = [Way::Server, Way::Server, Way::Server, Way::Line, Way::Tool];
const STEPS: u64 = 5;
/// So many histories on one list, each with a task of its own.
const TASKS: u64 = 100;

/// The first of these has no locks of other programs, which would help a store without its own.
const FORMATS: [&str; 4] = ["s07", "claude", "java", "v6"];

/// What is asked of the task, by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    Claim(usize),
    GiveBack(usize),
    Look,
    /// The process dies.
    Die(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Seen(Option<usize>),
    /// What no order explains.
    Failed(String),
    /// Nobody was there any more to hear it: it happened, or it did not.
    Unknown,
}

/// An ask with its answer; an ask alone has none.
type Step = (Ask, Option<Answer>);

/// The task as one thing that does one step at a time: who holds it. What a dead process held is free at once, or not for
/// longer than any history lasts.
struct Task<const FREE_AT_ONCE: bool>;

impl<const FREE_AT_ONCE: bool> Specification for Task<FREE_AT_ONCE> {
    type State = Option<usize>;
    type Operation = Step;

    fn init() -> Self::State {
        None
    }

    fn apply((ask, answer): &Step, holder: &Self::State) -> (bool, Self::State) {
        let (said, after) = match *ask {
            Ask::Look => (Answer::Seen(*holder), *holder),
            Ask::Die(who) => (Answer::Yes, holder.filter(|it| *it != who || !FREE_AT_ONCE)),
            // The command line refuses what the tools take for said already.
            Ask::Claim(who) if holder.is_none() => (Answer::Yes, Some(who)),
            Ask::Claim(who) => (yes(*holder == Some(who) && WAYS[who] != Way::Line), *holder),
            Ask::GiveBack(who) if *holder == Some(who) => (Answer::Yes, None),
            Ask::GiveBack(who) => (yes(holder.is_none() && WAYS[who] != Way::Line), *holder),
        };
        (answer.as_ref().is_some_and(|it| *it == said || *it == Answer::Unknown), after)
    }
}

fn yes(yes: bool) -> Answer {
    if yes { Answer::Yes } else { Answer::No }
}

/// Asks and answers in the order in which they were sent and came.
type Happened = Mutex<Vec<(usize, Action<Step>)>>;

fn note(happened: &Happened, who: usize, action: Action<Step>) {
    happened.lock().expect("a history").push((who, action));
}

fn random(seed: u64) -> u64 {
    let mixed = (seed ^ (seed >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
}

/// One of them: asks a few things, one after the other.
fn act(racer: &Racer, who: usize, task: u64, seed: u64, looks: bool, happened: &Happened) {
    for step in 0..STEPS {
        let ask = match random(seed * 1_000 + who as u64 * 10 + step) % 5 {
            0 | 1 => Ask::Claim(who),
            2 if looks => Ask::Look,
            _ => Ask::GiveBack(who),
        };
        note(happened, who, Action::Call((ask, None)));
        let answer = asked(racer, ask, task);
        note(happened, who, Action::Response((ask, Some(answer))));
    }
}

fn wish(ask: Ask, task: u64) -> Wish {
    let (id, line) = (task.to_string(), |verb: &str| vec![verb.to_owned(), task.to_string()]);
    let update = |status: &str| json!({"taskId": id, "status": status});
    match ask {
        Ask::Claim(_) => Wish { line: line("claim"), tool: "TaskUpdate", input: update("in_progress") },
        Ask::GiveBack(_) => Wish { line: line("release"), tool: "TaskUpdate", input: update("pending") },
        _ => Wish { line: line("show"), tool: "TaskGet", input: json!({"taskId": id}) },
    }
}

fn asked(racer: &Racer, ask: Ask, task: u64) -> Answer {
    match (racer.ask(&wish(ask, task)), ask) {
        (Said::Yes(text), Ask::Look) => Answer::Seen(holder(&text)),
        (Said::Yes(_), _) => Answer::Yes,
        (Said::No, _) => Answer::No,
        (other, _) => Answer::Failed(format!("{other:?}")),
    }
}

/// Who is named in a look at the task: `@agent-2`.
fn holder(text: &str) -> Option<usize> {
    text.split("@agent-").nth(1)?.chars().next()?.to_digit(10).map(|it| it as usize)
}

/// The end of the first: killed with a claim on its way, which may have come through.
fn die(racer: &Racer, task: u64, happened: &Happened) {
    let server = racer.server.as_ref().expect("a server");
    note(happened, 0, Action::Call((Ask::Claim(0), None)));
    server.send("tools/call", crate::racer::params(&wish(Ask::Claim(0), task)));
    let dying = WAYS.len();
    note(happened, dying, Action::Call((Ask::Die(0), None)));
    server.kill();
    note(happened, dying, Action::Response((Ask::Die(0), Some(Answer::Yes))));
}

fn history(racers: &[Racer], task: u64, seed: u64, kill: bool) -> Vec<(usize, Action<Step>)> {
    let (happened, start) = (Happened::default(), Barrier::new(racers.len()));
    thread::scope(|scope| {
        for (who, racer) in racers.iter().enumerate() {
            let (happened, start) = (&happened, &start);
            scope.spawn(move || {
                start.wait();
                act(racer, who, task, seed, !kill, happened);
                if kill && who == 0 {
                    die(racer, task, happened);
                }
            });
        }
    });
    let mut happened = happened.into_inner().expect("a history");
    if kill {
        // What nobody heard may have happened at any time since.
        happened.push((0, Action::Response((Ask::Claim(0), Some(Answer::Unknown)))));
    }
    happened
}

/// Every tenth history has a kill, every fifth has the shells in it.
fn histories<const FREE_AT_ONCE: bool>(count: u64, tally: &mut Tally, list: &dyn Fn(u64) -> Wl) {
    let (mut wl, mut racers) = (Wl::new(), Vec::new());
    for seed in 0..count {
        if seed % TASKS == 0 {
            let tasks: Vec<_> = (0..TASKS).map(|n| json!({"subject": format!("task {n}")})).collect();
            wl = list(seed / TASKS);
            wl.input(&json!({"tasks": tasks}).to_string()).ok(&["plan", "-"]);
            racers = (0..WAYS.len()).map(|who| racer(&wl, who, seed)).collect();
        }
        let kill = seed % 10 == 9;
        let present = if seed % 5 == 4 { &racers[..] } else { &racers[..3] };
        let happened = history(present, seed % TASKS + 1, seed, kill);
        tally.count("asks", happened.len() as u64 / 2);
        if kill {
            tally.count("kills", 1);
            racers[0] = racer(&wl, 0, seed);
        }
        let history = History::from_actions(happened.clone());
        let explained = WGLChecker::<Task<FREE_AT_ONCE>>::is_linearizable(history);
        tally.check(explained, || format!("seed {seed}: {happened:?}"));
    }
}

fn racer(wl: &Wl, who: usize, seed: u64) -> Racer {
    Racer::new(wl, WAYS[who], &format!("agent-{who}"), format!("session-{who}-{seed}"))
}

#[test]
fn every_history_of_the_program_has_an_order() {
    let mut tally = Tally::new("R8 histories of the program");
    let format = |n: u64| FORMATS[usize::try_from(n).unwrap_or(0) % FORMATS.len()];
    histories::<true>(sized(200, 10_000), &mut tally, &|n| Wl::of_format(format(n), &[]));
    tally.end();
}

/// The same with the list in a database. What a killed process held stays its own there until its time is over.
#[test]
fn every_history_over_a_database_has_an_order() {
    let server = Server::start(&[]);
    let shared = Wl::new().with("WORKLIST_STORE", &server.url(&server.database(None)));
    shared.ok(&["store", "init"]);
    let mut tally = Tally::new("R8 histories over a database");
    histories::<false>(sized(60, 1_000), &mut tally, &|n| {
        let wl = shared.with("WORKLIST_LIST", &format!("histories {n}"));
        wl.ok(&["init"]);
        wl
    });
    tally.end();
}

/// Histories whose verdict is known because they were made up.
#[test]
fn the_checker_tells_right_from_wrong() {
    let call = |who, ask| (who, Action::Call((ask, None)));
    let back = |who, ask, answer| (who, Action::Response((ask, Some(answer))));
    let both = |second: Answer| {
        vec![
            call(0, Ask::Claim(0)),
            call(1, Ask::Claim(1)),
            back(0, Ask::Claim(0), Answer::Yes),
            back(1, Ask::Claim(1), second),
        ]
    };
    let is_fine = |it| WGLChecker::<Task<true>>::is_linearizable(History::from_actions(it));
    assert!(is_fine(both(Answer::No)), "one wins");
    assert!(!is_fine(both(Answer::Yes)), "two win");
    let mut late = both(Answer::No);
    late.extend([call(0, Ask::Look), back(0, Ask::Look, Answer::Seen(None))]);
    assert!(!is_fine(late), "a look behind its time");
}
