//! Other programs in the storm: real Node and Bun with the real package that makes Claude Code's locks. Not ours.

use super::ledger::{Ledger, Told};
use crate::{
    kit::tool,
    victims::{Talk, Victim},
    wl::Wl,
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// A foreign lock counts as abandoned after this, by the package's own limit.
const STALE: Duration = Duration::from_millis(10_200);
/// What others laid over ours is put right within this, in the optimised program.
pub(crate) const REPAIRED: Duration = Duration::from_secs(1);
/// Nothing takes longer than this.
const LIMIT: Duration = Duration::from_secs(20);

/// A program that works in the folder for as long as the storm lasts.
pub(crate) struct Neighbour<'a> {
    pub(crate) runtime: &'static str,
    pub(crate) folder: PathBuf,
    pub(crate) boards: usize,
    pub(crate) victim: Victim,
    pub(crate) ledger: &'a Mutex<Ledger>,
    pub(crate) over: &'a AtomicBool,
    pub(crate) updates: &'a AtomicU64,
}

impl Neighbour<'_> {
    pub(crate) fn work(&self) {
        while !self.over.load(Ordering::SeqCst) {
            let mut command = program(self.runtime, &self.folder, &self.boards.to_string());
            let mut talk = Talk::start(&self.victim, &mut command);
            while let Some(line) = talk.hear() {
                self.note(&line);
                if self.over.load(Ordering::SeqCst) {
                    talk.hang_up();
                }
            }
        }
    }

    fn note(&self, line: &str) {
        let mut words = line.splitn(3, ' ');
        match (words.next(), words.next(), words.next()) {
            (Some("created"), Some(id), Some(subject)) => {
                let (id, subject) = (id.to_owned(), subject.to_owned());
                self.ledger.lock().expect("the ledger").note(Told::Created { id, subject });
            }
            (Some("updated"), ..) => _ = self.updates.fetch_add(1, Ordering::Relaxed),
            _ => {}
        }
    }
}

fn program(runtime: &str, folder: &Path, mode: &str) -> Command {
    let mut command = Command::new(tool(&format!("npm/node_modules/.bin/{runtime}")));
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/proof/storm/neighbour.cjs"));
    command.arg(tool("npm/node_modules")).arg(folder).args([runtime, mode]);
    command
}

/// A program is stopped with a lock in its hand until its lock counts as abandoned and ours have written; then it wakes
/// up and writes what it had read. How long it took until ours stood in the file again.
pub(crate) fn dawdle(
    wl: &Wl,
    folder: &Path,
    runtime: &str,
    (id, subject): (&str, &str),
    calm: &AtomicU64,
) -> Duration {
    let victim = Victim::default();
    let mut talk = Talk::start(&victim, &mut program(runtime, folder, "dawdle"));
    talk.say(id);
    let said = talk.hear();
    assert_eq!(said.as_deref(), Some(format!("holding {id}").as_str()), "{runtime}");
    let paused = victim.pause().expect("it runs");
    let lock = folder.join(format!("{id}.json.lock"));
    let age = || fs::metadata(&lock).and_then(|it| it.modified()).ok().and_then(|it| it.elapsed().ok());
    // The first attempt begins the watch over the lock; as long as it may be held, nobody takes it.
    let edit = || wl.command(&["edit", id, "--subject", subject, "--json"]).output().expect("it runs");
    assert_eq!(edit().status.code(), Some(1), "a lock was taken that its owner may still hold");
    while age().is_some_and(|it| it < STALE) {
        thread::sleep(Duration::from_millis(20));
    }
    let limit = Instant::now();
    while !edit().status.success() {
        assert!(limit.elapsed() < LIMIT, "an abandoned lock is never taken over");
    }
    // While one of ours stands still with the list in its hand, nobody can put anything right.
    calm.fetch_add(1, Ordering::SeqCst);
    talk.say("go on");
    drop(paused);
    assert_eq!(talk.hear().as_deref(), Some(format!("wrote {id}").as_str()), "{runtime}");
    let wrote = Instant::now();
    let in_file = || {
        let text = fs::read_to_string(folder.join(format!("{id}.json"))).unwrap_or_default();
        serde_json::from_str::<Value>(&text).is_ok_and(|it| it["subject"] == subject)
    };
    assert!(!in_file(), "{runtime} wrote nothing over ours");
    while !in_file() {
        assert!(wrote.elapsed() < LIMIT, "what {runtime} wrote over ours is never put right");
        // Whatever looks at the list puts it right; the storm's writers have other tasks.
        wl.command(&["list", "--json"]).output().expect("it runs");
    }
    calm.fetch_sub(1, Ordering::SeqCst);
    wrote.elapsed()
}
