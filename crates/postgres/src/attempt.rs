//! From a decision to an answer: looked at, decided, written if nothing changed meanwhile, else all of it again. An answer
//! that was lost is asked for until it is known. Not what is asked.

use crate::{
    commit::{Answer, Sending, Writing, Written},
    link::{Line, Patience},
    rank,
    store::Postgres,
    trouble::Trouble,
    view::{Scope, View},
};
use std::sync::Arc;
use tokio_postgres::types::Type;
use worklist::{
    Error, Refusal, TaskId,
    claim::Entry,
    clock::{Clock, SystemClock},
    event::Event,
    rules::{Decision, Request, Tasks},
    store::{Decide, Done, Store},
};

/// How often a decision is made anew because others wrote meanwhile, before it is given up.
const ROUNDS: usize = 200;

/// One decision on its way.
struct Attempt {
    decision: Decision,
    about: Vec<Arc<Entry>>,
    writing: Writing,
}

/// What came of one round.
enum Step {
    Done(usize, u64, Option<Written>),
    Refused(Refusal),
    /// Nothing was to be written.
    Nothing(Box<Decision>, Vec<Arc<Entry>>),
    /// It must be decided again, perhaps about more.
    Again(Scope),
    /// The order of what may be started must be worked out first.
    Recount,
}

/// Decides and writes.
pub(crate) fn transact(
    store: &Postgres,
    request: &Request,
    command: &str,
    decide: Decide<'_>,
) -> Result<Done, Error> {
    let key = fresh_key();
    let mut attempts: Vec<Attempt> = Vec::new();
    let mut scope = store.scope_of(command);
    let mut patience = Patience::new();
    for _ in 0..ROUNDS {
        let before = attempts.len();
        let step = store.link.with(&mut |line| {
            let mut round = Round { store, request, command, scope, key: &key, attempts: &mut attempts };
            round.run(line, decide)
        });
        let step = match step {
            Err(trouble @ (Trouble::Link(_) | Trouble::Again)) if attempts.len() > before => {
                resolve(store, &key, &attempts, trouble).map(|it| match it {
                    Answer::Done(seq, written) => Step::Done(before, seq, Some(written)),
                    Answer::Known(seq, attempt) => Step::Done(attempt, seq, None),
                    Answer::Changed => Step::Again(scope),
                })?
            }
            Err(trouble @ (Trouble::Link(_) | Trouble::Again)) => {
                if !patience.wait() {
                    return Err(trouble.into_error("use", &store.link.name));
                }
                Step::Again(scope)
            }
            Err(trouble) => return Err(trouble.into_error("use", &store.link.name)),
            Ok(step) => step,
        };
        match step {
            Step::Again(wider) => scope = wider,
            Step::Recount => rank::recount(store)?,
            Step::Refused(refusal) => {
                // Whoever asks is alive, also if it is refused.
                _ = store.renew(&request.actor);
                return Err(refusal.into());
            }
            Step::Nothing(decision, about) => {
                store.renew(&request.actor)?;
                return Ok(Done { decision: *decision, event: None, about, problems: Vec::new() });
            }
            Step::Done(attempt, seq, written) => {
                let made = attempts.swap_remove(attempt.min(attempts.len() - 1));
                store.tell_others(&request.actor, written);
                let event = Some(Event { seq, ..made.writing.event });
                return Ok(Done { decision: made.decision, event, about: made.about, problems: Vec::new() });
            }
        }
    }
    Err(Error::Contended { file: format!("list {}", store.name) })
}

/// What became of an attempt whose answer was lost: it is sent again, and either it is known by its key, or nothing that
/// it was made on has changed and it is written now, or it can never be written any more.
fn resolve(store: &Postgres, key: &str, attempts: &[Attempt], mut trouble: Trouble) -> Result<Answer, Error> {
    let Some((attempt, last)) = attempts.iter().enumerate().next_back() else { return Ok(Answer::Changed) };
    let mut is_lost = false;
    let mut patience = Patience::new();
    loop {
        is_lost |= matches!(trouble, Trouble::Link(_));
        if !patience.wait() {
            let error = trouble.into_error("use", &store.link.name);
            let unanswered =
                || Error::Unanswered { server: store.link.name.clone(), reason: error.to_string() };
            return Err(if is_lost { unanswered() } else { error });
        }
        let answer = store.link.with(&mut |line| {
            line.together(&mut |line| {
                if last.writing.reshaped {
                    lock_list(line, store.list)?;
                }
                last.writing.send(line, store.list, Sending { key, attempt, is_again: true })
            })
        });
        match answer {
            Ok(answer) => return Ok(answer),
            // The attempt itself may still be at work behind a way that is cut, and hold what it is about.
            Err(again @ (Trouble::Link(_) | Trouble::Again | Trouble::Busy)) => trouble = again,
            Err(other) => return Err(other.into_error("use", &store.link.name)),
        }
    }
}

/// Keeps everybody else from changing the graph until the end of the transaction; the highest id. Who only takes and
/// finishes tasks is not kept from it: what a decision was made on is compared when it is written.
pub(crate) fn lock_list(line: &mut Line<'_>, list: i64) -> Result<u64, Trouble> {
    let question = "SELECT highest FROM worklist.lists WHERE list = $1 FOR NO KEY UPDATE";
    Ok(line.row(question, &[(&list, Type::INT8)])?.get::<_, i64>(0).unsigned_abs())
}

/// Keeps everybody else from writing anything until the end of the transaction; the highest id.
pub(crate) fn lock_all(line: &mut Line<'_>, list: i64) -> Result<u64, Trouble> {
    let highest = lock_list(line, list)?;
    // In the order in which everybody takes rows. None can come: that would take the list's row.
    let question = "SELECT FROM worklist.tasks t WHERE t.list = $1 ORDER BY t.place, t.id FOR UPDATE";
    line.rows(question, &[(&list, Type::INT8)])?;
    Ok(highest)
}

/// One round of looking, deciding and writing.
struct Round<'a> {
    store: &'a Postgres,
    request: &'a Request,
    command: &'a str,
    scope: Scope,
    key: &'a str,
    attempts: &'a mut Vec<Attempt>,
}

impl Round<'_> {
    fn run(&mut self, line: &mut Line<'_>, decide: Decide<'_>) -> Result<Step, Trouble> {
        match self.scope {
            Scope::Tasks | Scope::Next => self.decide(line, decide, 0),
            Scope::NextApart => line.together(&mut |line| self.decide(line, decide, 0)),
            Scope::List => line.together(&mut |line| {
                let lock = if Scope::is_known(self.command) { lock_list } else { lock_all };
                let highest = lock(line, self.store.list)?;
                self.decide(line, decide, highest)
            }),
        }
    }

    fn decide(&mut self, line: &mut Line<'_>, decide: Decide<'_>, highest: u64) -> Result<Step, Trouble> {
        let view = View::new(line, self.store.list, self.scope, self.command, highest);
        let decided = decide(&view);
        view.failed()?;
        self.store.note_signs(view.signs());
        if view.must_recount() {
            return Ok(Step::Recount);
        }
        if view.is_beyond() {
            return Ok(Step::Again(Scope::List));
        }
        let decision = match decided {
            Ok(decision) => decision,
            Err(refusal) => return Ok(Step::Refused(refusal)),
        };
        let after = |id: &TaskId| match decision.change(id) {
            Some(change) => change.after.clone(),
            None => view.get(id),
        };
        let about: Vec<Arc<Entry>> = decision.about.iter().filter_map(after).collect();
        if decision.changes.is_empty() {
            view.failed()?;
            return Ok(Step::Nothing(Box::new(decision), about));
        }
        let writing = Writing::of(&view, self.request, self.command, &decision);
        view.failed()?;
        drop(view);
        if writing.reshaped && self.scope != Scope::List {
            return Ok(Step::Again(Scope::List));
        }
        let attempt = self.attempts.len();
        self.attempts.push(Attempt { decision, about, writing });
        let sending = Sending { key: self.key, attempt, is_again: false };
        Ok(match self.attempts[attempt].writing.send(line, self.store.list, sending)? {
            Answer::Done(seq, written) => Step::Done(attempt, seq, Some(written)),
            Answer::Known(seq, attempt) => Step::Done(attempt, seq, None),
            Answer::Changed if self.scope == Scope::Next => {
                self.store.note_company();
                Step::Again(Scope::NextApart)
            }
            Answer::Changed => Step::Again(self.scope),
        })
    }
}

/// A key that no other command has.
fn fresh_key() -> String {
    format!("{:016x}{:016x}", SystemClock.random(), SystemClock.random())
}
