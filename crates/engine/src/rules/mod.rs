//! What may happen to a list and what follows from it. Pure: no disk, no clock, no store; one file per verb.
//!
//! A rule reads tasks through [`Tasks`], which it owns and stores implement, and answers with changes or a refusal.

mod adopt;
mod around;
mod change;
mod claim;
mod command;
mod complete;
mod conclude;
mod create;
mod delete;
mod draft;
mod edges;
mod edit;
mod freed;
mod heartbeat;
mod import;
mod next;
mod outline;
mod plan;
mod reap;
mod refusal;
mod release;
mod reopen;
mod undo;

pub use around::Around;
pub use change::{Change, Decision, PlanNote};
pub(crate) use command::looks_at_all;
pub use command::{
    Begin, ClaimTask, Command, CompleteTask, Conclusion, Edit, Failing, Holder, NewTask, NextTask, Plan,
    PlanTask, ReleaseTask,
};
pub use next::best;
pub(crate) use next::chosen;
pub use outline::Outline;
pub use refusal::Refusal;

use crate::{
    claim::{Actor, Claim, Entry, Life},
    id::TaskId,
    time::Time,
};
use draft::Draft;
use std::sync::Arc;

/// What a rule may ask of a list.
///
/// A store that cannot answer says "none" and remembers the failure: it then must not write what was decided.
pub trait Tasks {
    /// One task, with edges that stand on either end of it.
    fn get(&self, id: &TaskId) -> Option<Arc<Entry>>;
    /// Every task, in the order of the list.
    fn all(&self) -> Vec<Arc<Entry>>;
    /// The tasks that wait for a task.
    fn dependents(&self, id: &TaskId) -> Vec<TaskId>;
    /// Whether the claimant is still to be believed at work.
    fn life(&self, claim: &Claim) -> Life;
    /// Ids for so many new tasks, never used before.
    fn fresh_ids(&self, count: usize) -> Vec<TaskId>;
    /// Whether a task of this list could have this id.
    fn fits(&self, id: &TaskId) -> bool;
    /// A number larger than that of any claim before.
    fn next_token(&self) -> u64;
    /// What an earlier plan with this key made.
    fn planned(&self, key: &str) -> Option<PlanNote>;

    /// At least every task whose claimant is gone. A store that knows who was silent need not look at the others.
    fn lapsed(&self) -> Vec<Arc<Entry>> {
        self.all().into_iter().filter(|it| it.standing.claim.is_some()).collect()
    }

    /// The best task that could be started now, of those that suit. A store that keeps them in order need not look at
    /// the others; what it answers is a proposal, and is decided on like any other task.
    fn best(&self, suits: &dyn Fn(&Entry) -> bool) -> Option<TaskId> {
        best(&self.all(), suits)
    }

    /// Whether a task is there and done, as far as it was looked at by now; none if it was not. Asks nobody.
    fn is_seen_done(&self, id: &TaskId) -> Option<bool> {
        _ = id;
        None
    }
}

/// Who asks, when, and how strict the list is.
#[derive(Debug, Clone)]
pub struct Request {
    /// Who asks.
    pub actor: Actor,
    /// When.
    pub now: Time,
    /// Whether blocked tasks may be started and completed (for callers built on a system that never refused).
    pub lenient: bool,
}

/// Decides a command: what would change, or why it is refused.
pub fn decide(tasks: &dyn Tasks, command: &Command, request: &Request) -> Result<Decision, Refusal> {
    let mut draft = Draft::new(tasks, request);
    let mut decision = match command {
        Command::Create(new) => create::decide(&mut draft, new)?,
        Command::Plan(plan) => plan::decide(&mut draft, plan)?,
        Command::Edit(edit) => edit::decide(&mut draft, edit)?,
        Command::Claim(claim) => claim::decide(&mut draft, claim)?,
        Command::Next(next) => next::decide(&mut draft, next)?,
        Command::Heartbeat { id, token, lease } => heartbeat::decide(&mut draft, id, *token, *lease)?,
        Command::Complete(complete) => complete::decide(&mut draft, complete)?,
        Command::Release(release) => release::decide(&mut draft, release)?,
        Command::Conclude(conclusion) => conclude::decide(&mut draft, conclusion)?,
        Command::ReleaseAll(holder) => release::decide_all(&mut draft, holder),
        Command::Reopen { id, force } => reopen::decide(&mut draft, id, None, *force)?,
        Command::Delete { id, force } => delete::decide(&mut draft, id, *force)?,
        Command::Reap => reap::decide(&mut draft),
        Command::Import(tasks) => import::decide(&mut draft, tasks)?,
        Command::Undo(event) => undo::decide(&mut draft, event)?,
        Command::Adopt(ids) => adopt::decide(&draft, ids),
    };
    decision.freed = freed::freed(&draft);
    decision.changes = draft.finish();
    decision.around = Around::of(tasks, &decision);
    Ok(decision)
}
