//! Waiting for something to happen in the folder. Only a hint, by inotify or what the system has, else by time:
//! what did happen is read from the journal and the files.

use crate::clock::Clock;
use notify::{RecursiveMode, Watcher};
use std::{
    path::Path,
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, channel},
    },
    time::Duration,
};

/// Without the system's help we look so often.
const POLL_MS: u64 = 200;

/// A watcher of one folder, started when first needed.
#[derive(Default)]
pub(super) struct Watch(Mutex<Option<Running>>);

struct Running {
    /// None if the system cannot watch this folder.
    watcher: Option<notify::RecommendedWatcher>,
    hints: Receiver<()>,
    /// Which folder it was.
    place: Option<u64>,
}

/// What tells one folder at a path from another.
fn place(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    return std::fs::metadata(folder).ok().map(|it| std::os::unix::fs::MetadataExt::ino(&it));
    #[cfg(not(unix))]
    None
}

impl Watch {
    /// Returns when something may have changed, or after so many milliseconds; whether there was a hint. Where the
    /// system gives none, a while has passed, and that counts as one.
    pub(super) fn wait(&self, folder: &Path, clock: &dyn Clock, milliseconds: u64) -> bool {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if running.as_ref().is_some_and(|it| it.place != place(folder)) {
            // Another folder is there now: the old one's watcher would never tell of it.
            *running = None;
        }
        let running = running.get_or_insert_with(|| start(folder));
        if running.watcher.is_none() {
            clock.sleep(milliseconds.min(POLL_MS));
            return true;
        }
        let hinted = running.hints.recv_timeout(Duration::from_millis(milliseconds)).is_ok();
        // Many hints of one change are one hint.
        while hinted && running.hints.try_recv().is_ok() {}
        hinted
    }
}

fn start(folder: &Path) -> Running {
    let (sender, hints) = channel();
    let place = place(folder);
    let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let looked = matches!(&event, Ok(event) if event.kind.is_access());
        if !looked {
            _ = sender.send(());
        }
    });
    let watcher = watcher.and_then(|mut watcher| {
        watcher.watch(folder, RecursiveMode::NonRecursive)?;
        // Without a journal there is nothing of ours to watch yet; the folder itself will tell.
        _ = watcher.watch(&folder.join(super::log::OWN), RecursiveMode::NonRecursive);
        Ok(watcher)
    });
    Running { watcher: watcher.ok(), hints, place }
}
