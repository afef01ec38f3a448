//! What every store must do, as cases that run over any of them. Not tests of one store's insides.
//!
//! A store passes by one line: `worklist::conformance!(name, setup)`, where `setup` gives a [`Setup`] for a fresh,
//! empty list.
#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "cases are tests: they fail by panicking"
)]

pub mod claims;
pub mod copies;
pub mod edges;
pub mod history;
pub mod life;
pub mod races;

use crate::{
    claim::Actor,
    clock::Clock,
    id::TaskId,
    list::{Outcome, TaskList},
    rules::{ClaimTask, Command, CompleteTask, NewTask, Refusal, ReleaseTask},
    store::{Error, Store},
    task::Task,
    vfs::sim::SimClock,
};
use std::sync::Arc;

/// A fresh list: each call of `open` is another process's way in.
pub struct Setup {
    /// Opens the list.
    pub open: Box<dyn Fn() -> Arc<dyn Store> + Send + Sync>,
    /// The time that the stores go by.
    pub clock: SimClock,
    /// Keeps whatever must outlive the test, such as a folder.
    pub keep: Box<dyn std::any::Any + Send + Sync>,
}

impl Setup {
    /// Opens the list as one process does.
    pub fn list(&self) -> TaskList {
        let clock: Arc<dyn Clock> = Arc::new(self.clock.clone());
        TaskList::of_store((self.open)(), clock)
    }
}

/// Ann and her session.
pub fn ann() -> Actor {
    Actor::new("ann", "session-ann")
}

/// Bob and his session.
pub fn bob() -> Actor {
    Actor::new("bob", "session-bob")
}

/// Makes a task that waits for some others.
pub fn add(list: &TaskList, subject: &str, after: &[&TaskId]) -> TaskId {
    let blocked_by = after.iter().map(|it| (*it).clone()).collect();
    let new = NewTask { subject: subject.to_owned(), blocked_by, ..NewTask::default() };
    list.run(&ann(), &Command::Create(new)).expect("create").decision.about[0].clone()
}

/// Claims a task.
pub fn claim(list: &TaskList, by: &Actor, id: &TaskId) -> Result<Outcome, Error> {
    list.run(by, &Command::Claim(ClaimTask::of(id.clone())))
}

/// Completes a task.
pub fn complete(list: &TaskList, by: &Actor, id: &TaskId, token: Option<u64>) -> Result<Outcome, Error> {
    list.run(by, &Command::Complete(CompleteTask { id: id.clone(), token, force: false }))
}

/// Gives a task back.
pub fn release(list: &TaskList, by: &Actor, id: &TaskId) -> Result<Outcome, Error> {
    list.run(by, &Command::Release(ReleaseTask { id: id.clone(), token: None, reason: None, force: false }))
}

/// One task as it stands.
pub fn task(list: &TaskList, id: &TaskId) -> Task {
    list.show(id).expect("show").expect("the task is there").task.into()
}

/// The refusal that a command got.
pub fn refusal<T>(result: Result<T, Error>) -> Refusal {
    match result {
        Err(Error::Refused(refusal)) => refusal,
        Err(other) => panic!("failed instead of being refused: {other}"),
        Ok(_) => panic!("was not refused"),
    }
}

/// Runs every case over one store.
#[macro_export]
macro_rules! conformance {
    ($name:ident, $setup:expr) => {
        mod $name {
            #[allow(unused_imports, reason = "the setup may be written with or without them")]
            use super::*;
            $crate::conformance!(@cases $setup;
                life: everything_is_read_back, fields_can_be_changed_and_emptied, ids_are_never_given_twice,
                    a_refusal_changes_nothing, deleting_cleans_up, reopening_blocks_again,
                    a_plan_is_made_whole_or_not_at_all, a_plan_knows_parts_by_name, a_plan_with_a_key_is_made_once, parents_are_checked;
                edges: edges_stand_on_both_ends, what_is_missing_is_refused_or_blocks, circles_are_refused,
                    blocked_tasks_do_not_start, completing_frees_once, removing_an_edge_frees,
                    what_is_ready_is_what_the_board_says;
                claims: one_claim_at_a_time, the_same_session_is_told_so, force_takes_over_and_fences,
                    tokens_only_rise, a_lost_lease_comes_back, signs_of_life_keep_a_claim, three_losses_park,
                    a_heartbeat_needs_the_claim, completing_twice_is_once, next_takes_the_best,
                    next_takes_back_lost_ones, one_task_an_agent, everything_of_an_agent_is_released, attempts_are_concluded,
                    an_edit_needs_the_claim, a_start_by_an_edit_is_a_claim;
                history: events_are_numbered_and_whole, every_change_can_be_undone, undo_is_refused_after_later_changes,
                    undoing_a_deletion_restores_edges, a_claim_is_not_brought_back,
                    answering_for_what_nobody_wrote_changes_nothing, the_past_of_one_task_is_its_part_of_history;
                races: decisions_never_overlap, of_many_claims_one_wins, ids_differ_under_load,
                    two_cannot_close_a_circle;
            );
            $crate::conformance!(@copies $setup;
                a_whole_list_can_be_laid_down_elsewhere, tasks_are_taken_over_whole_or_not_at_all
            );
        }
    };
    (@copies $setup:expr; $($case:ident),+) => {
        $(
            #[test]
            fn $case() {
                $crate::conformance::copies::$case(&$setup, &$setup);
            }
        )+
    };
    (@cases $setup:expr; $($part:ident: $($case:ident),+;)+) => {
        $($(
            #[test]
            fn $case() {
                $crate::conformance::$part::$case(&$setup);
            }
        )+)+
    };
}
