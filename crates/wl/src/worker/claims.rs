//! Whether the claims of a run still stand: looked at now and then, by one for all workers. Where the list cannot be read
//! for a while, that keeps nobody from stopping its command. Not what a lost claim leads to.

use super::shift::Shift;
use std::{
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};
use worklist::{
    TaskId, TaskList,
    clock::{Clock, SystemClock},
};

/// So often it is looked.
const LOOK_MS: u64 = 1_000;

/// The claims that workers are at.
#[derive(Default)]
pub(super) struct Claims(Mutex<Vec<Arc<Claim>>>);

struct Claim {
    id: TaskId,
    token: u64,
    is_lost: AtomicBool,
}

/// One claim for as long as somebody is at it.
pub(super) struct Watched<'a> {
    claims: &'a Claims,
    claim: Arc<Claim>,
}

impl Claims {
    /// From now on it is looked at.
    pub(super) fn watch(&self, id: &TaskId, token: u64) -> Watched<'_> {
        let claim = Arc::new(Claim { id: id.clone(), token, is_lost: AtomicBool::new(false) });
        self.all().push(claim.clone());
        Watched { claims: self, claim }
    }

    fn all(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Claim>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watched<'_> {
    /// Whether somebody else has the task now.
    pub(super) fn is_lost(&self) -> bool {
        self.claim.is_lost.load(Ordering::Relaxed)
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.claims.all().retain(|it| !Arc::ptr_eq(it, &self.claim));
    }
}

/// Looks until the run is over.
pub(super) fn look_after(list: &Arc<TaskList>, shift: &Arc<Shift>) {
    let (list, shift): (_, Weak<Shift>) = (list.clone(), Arc::downgrade(shift));
    thread::spawn(move || {
        while let Some(shift) = shift.upgrade() {
            let claims = shift.claims.all().clone();
            drop(shift);
            for claim in claims {
                claim.is_lost.fetch_or(is_lost(&list, &claim), Ordering::Relaxed);
            }
            SystemClock.sleep(LOOK_MS);
        }
    });
}

/// One that is done, or given back by the command itself, is not lost.
fn is_lost(list: &TaskList, claim: &Claim) -> bool {
    // What cannot be read now says nothing: the number decides in the end.
    let Ok(Some(view)) = list.show(&claim.id) else { return false };
    view.claim.is_some_and(|it| it.token != claim.token)
}
