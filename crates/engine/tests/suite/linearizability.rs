//! Histories of real processes on one real list, some of them killed: for each there must be an order of single
//! steps that explains every answer. A store without its lock must be found out.
#![expect(clippy::disallowed_methods, reason = "processes are told apart and timed by hand")]

use crate::lawless::{Bent, How};
use stateright::semantics::{ConsistencyTester, LinearizabilityTester, SequentialSpec};
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command as Process, Stdio},
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};
use worklist::{
    Actor, Command, Error, TaskId, TaskList,
    clock::SystemClock,
    conformance::add,
    format::named,
    rules::{ClaimTask, CompleteTask, ReleaseTask},
    store::files::Files,
    vfs::{Disk, Vfs},
};

const CHILDREN: usize = 3;
const OPERATIONS: u64 = 8;

/// What is asked of the one task.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Ask {
    Claim(usize),
    Release(usize),
    Complete(usize),
    Look,
}

/// The answers. A look tells who is the owner and whether the task is done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Said {
    Yes,
    No(String),
    Seen(Option<String>, bool),
}

/// The task as one thing that does one step at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Reference {
    holder: Option<usize>,
    owner: Option<String>,
    done: bool,
}

impl SequentialSpec for Reference {
    type Op = Ask;
    type Ret = Said;

    fn invoke(&mut self, ask: &Ask) -> Said {
        let no = |code: &str| Said::No(code.to_owned());
        match ask {
            Ask::Look => return Said::Seen(self.owner.clone(), self.done),
            _ if self.done => return no("already_resolved"),
            Ask::Claim(who) => {
                if self.holder.is_some() {
                    return no("already_claimed");
                }
                (self.holder, self.owner) = (Some(*who), Some(format!("agent-{who}")));
            }
            Ask::Release(who) if self.holder == Some(*who) => (self.holder, self.owner) = (None, None),
            Ask::Complete(who) if self.holder.is_none_or(|it| it == *who) => {
                (self.holder, self.done) = (None, true);
            }
            Ask::Release(_) | Ask::Complete(_) => return no("stale_token"),
        }
        Said::Yes
    }
}

fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos()
}

fn open(folder: &Path, format: &str, lawless: bool) -> TaskList {
    let disk = Disk::open(folder, false).expect("open");
    let disk: Arc<dyn Vfs> = if lawless { Arc::new(Bent { disk, how: How::NoLock }) } else { Arc::new(disk) };
    let files = Files::open(disk, Arc::new(SystemClock), folder, named(format)).expect("open");
    TaskList::of_files(files.waiting(60_000), Arc::new(SystemClock))
}

/// The part of a child process: reads orders, asks, tells when it asked and what it was told.
#[test]
fn child() {
    if std::env::var_os("WORKLIST_CHILD").is_none() {
        return;
    }
    for order in std::io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = order.split(' ').collect();
        let [folder, format, who, seed, lawless, begin] = words[..] else { return };
        let begin: u128 = begin.parse().expect("a time");
        while now() < begin {
            std::hint::spin_loop();
        }
        let (who, mut seed): (usize, u64) = (who.parse().expect("a number"), seed.parse().expect("a number"));
        for _ in 0..OPERATIONS {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let kind = (seed >> 33) % 8;
            println!("\n@ask {} {kind}", now());
            let list = open(Path::new(folder), format, lawless == "lawless");
            let said = ask(&list, who, kind);
            println!("\n@said {} {said}", now());
        }
        println!("\n@end");
    }
}

fn ask(list: &TaskList, who: usize, kind: u64) -> String {
    let actor = Actor::new(format!("agent-{who}"), format!("session-{who}"));
    let id = list_id();
    let result = match asked(who, kind) {
        Ask::Claim(_) => list.run(&actor, &Command::Claim(ClaimTask::of(id))),
        Ask::Release(_) => {
            list.run(&actor, &Command::Release(ReleaseTask { id, token: None, reason: None, force: false }))
        }
        Ask::Complete(_) => {
            list.run(&actor, &Command::Complete(CompleteTask { id, token: None, force: false }))
        }
        Ask::Look => {
            return match list.show(&id) {
                Ok(Some(it)) => {
                    format!("seen {} {}", it.task.owner.as_deref().unwrap_or("-"), !it.task.is_open())
                }
                other => format!("failed {}", format!("{other:?}").replace('\n', " ")),
            };
        }
    };
    match result {
        Ok(_) => "yes".to_owned(),
        Err(Error::Refused(refusal)) => format!("no {}", refusal.code()),
        Err(other) => format!("failed {other}"),
    }
}

fn list_id() -> TaskId {
    TaskId::from(1)
}

fn asked(who: usize, kind: u64) -> Ask {
    match kind {
        0..=3 => Ask::Claim(who),
        4 | 5 => Ask::Release(who),
        6 if who == 0 => Ask::Complete(who),
        _ => Ask::Look,
    }
}

/// A child process and the ways to it.
struct Running {
    process: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

fn start() -> Running {
    let mut process = Process::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "linearizability::child", "--nocapture", "--test-threads=1"])
        .env("WORKLIST_CHILD", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("a child");
    let orders = process.stdin.take().expect("a pipe");
    let answers = BufReader::new(process.stdout.take().expect("a pipe"));
    Running { process, orders, answers }
}

/// One thing that happened in a history: when, to which thread, and an ask or an answer.
type Happened = (u128, u8, usize, Result<Ask, Said>);

/// Lets the children loose on a fresh list. One of them may be killed on the way.
fn history(children: &mut [Running], format: &str, seed: u64, lawless: bool, kill: bool) -> Vec<Happened> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list");
    TaskList::create(&path, &worklist::Options { format: Some(format.to_owned()), ..Default::default() })
        .expect("a list");
    assert_eq!(add(&open(&path, format, false), "the task", &[]), list_id());
    // All begin at once: what happens one after the other proves little.
    let begin = now() + 1_000_000;
    let law = if lawless { "lawless" } else { "lawful" };
    for (who, child) in children.iter_mut().enumerate() {
        let seed = seed * 1000 + who as u64;
        writeln!(child.orders, "{} {format} {who} {seed} {law} {begin}", path.display()).expect("an order");
        child.orders.flush().expect("an order");
    }
    let mut happened = Vec::new();
    for (who, child) in children.iter_mut().enumerate() {
        let doomed = kill && who == 0;
        let mut asks = 0;
        let mut line = String::new();
        while child.answers.read_line(&mut line).expect("an answer") > 0 {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            line.clear();
            match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["@ask", at, kind] => {
                    let ask = asked(who, kind.parse().expect("a number"));
                    happened.push((at.parse().expect("a time"), 0, who, Ok(ask)));
                    asks += 1;
                    if doomed && asks == 1 + seed % OPERATIONS {
                        child.process.kill().expect("a kill");
                    }
                }
                ["@said", at, "yes"] => happened.push((at.parse().expect("a time"), 1, who, Err(Said::Yes))),
                ["@said", at, "no", code] => {
                    happened.push((at.parse().expect("a time"), 1, who, Err(Said::No(code.to_owned()))));
                }
                ["@said", at, "seen", owner, done] => {
                    let owner = Some(owner.to_owned()).filter(|it| it != "-");
                    happened.push((
                        at.parse().expect("a time"),
                        1,
                        who,
                        Err(Said::Seen(owner, done == "true")),
                    ));
                }
                ["@said", _, "failed", ..] => assert!(lawless, "{words:?}"),
                ["@end"] => break,
                _ => {}
            }
        }
        if doomed {
            child.process.wait().expect("an end");
            *child = start();
        }
    }
    happened.sort_by_key(|it| (it.0, it.1));
    happened
}

fn explains(happened: &[Happened]) -> bool {
    let mut tester = LinearizabilityTester::new(Reference::default());
    for (_, _, who, what) in happened {
        let fine = match what {
            Ok(ask) => tester.on_invoke(*who, ask.clone()).is_ok(),
            Err(said) => tester.on_return(*who, said.clone()).is_ok(),
        };
        if !fine {
            return false;
        }
    }
    tester.is_consistent()
}

fn histories(count: u64, lawless: bool) -> u64 {
    let mut children: Vec<Running> = (0..CHILDREN).map(|_| start()).collect();
    let mut rejected = 0;
    for seed in 0..count {
        // The first id must be 1; and foreign locks would help a store without its own.
        let format = ["claude", "s07", "java", "v6"][usize::try_from(seed).unwrap_or(0) % 4];
        let format = if lawless { "s07" } else { format };
        let kill = !lawless && seed % 10 == 9;
        let happened = history(&mut children, format, seed, lawless, kill);
        if !explains(&happened) {
            rejected += 1;
            assert!(lawless, "seed {seed} in {format} has no order that explains it: {happened:#?}");
        }
    }
    for mut child in children {
        drop(child.orders);
        child.process.wait().expect("an end");
    }
    rejected
}

#[test]
fn every_history_has_an_order() {
    let count = if crate::is_long() { 10_000 } else { 1_000 };
    assert_eq!(histories(count, false), 0);
    println!("{count} histories of {CHILDREN} processes, every tenth with a kill: 0 rejected");
}

#[test]
fn a_store_without_its_lock_is_found_out() {
    let rejected = histories(100, true);
    println!("100 histories without the lock: {rejected} rejected");
    assert!(rejected >= 50, "only {rejected} of 100");
}
