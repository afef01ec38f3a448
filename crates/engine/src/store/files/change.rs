//! From a request to a change: decided with the list held, written, and begun anew if others came between. Alone, or in a round
//! with other threads that wait for the list, too. Not how it is written.

use super::{
    BRIEF_MS, Files, ROUNDS, commit,
    hold::{Held, Place, Turn},
    look::Asked,
    pin,
    prepare::{Prepared, prepare},
    recover,
    round::{Fate, Round, Ticket},
    session,
    snapshot::Seen,
    view::View,
};
use crate::{
    claim::Actor,
    id::TaskId,
    rules::{self, Command, Decision, Refusal, Request},
    spread::Work,
    store::{Decide, Done, Error, Problem},
};
use foldhash::HashSet;
use std::sync::Arc;

/// What is wanted, and of whom it is asked.
pub(super) struct Wish<'a> {
    pub(super) request: &'a Request,
    pub(super) command: &'a str,
    pub(super) decide: Decide<'a>,
    /// What was seen of the whole list on the way, if that is worth to be remembered when the list is let go.
    pub(super) seen: Option<Seen>,
}

impl<'a> Wish<'a> {
    pub(super) fn new(request: &'a Request, command: &'a str, decide: Decide<'a>) -> Wish<'a> {
        Wish { request, command, decide, seen: None }
    }
}

/// A decision, and what it takes to write it.
struct Decided {
    decision: Result<Decision, Refusal>,
    prepared: Prepared,
    problems: Vec<Problem>,
}

impl Decided {
    /// Decides on what a view shows, and works out what to write; none if it showed what was not so any more, or not enough.
    fn on(view: &View<'_>, wish: &mut Wish<'_>, left: &HashSet<String>) -> Result<Option<Decided>, Error> {
        let decision = (wish.decide)(view);
        view.failed()?;
        let prepared = prepare(view, wish.request, wish.command, decision.as_ref().ok(), left)?;
        if view.is_stale() || view.is_beyond() {
            return Ok(None);
        }
        wish.seen = view.seen();
        let problems = view.problems();
        Ok(Some(Decided { decision, prepared, problems }))
    }

    /// The answer, once it is written.
    fn done(self) -> Result<Done, Error> {
        let Decided { decision, prepared, problems } = self;
        let decision = decision?;
        let about = prepared.about(&decision);
        Ok(Done { decision, event: prepared.event, about, problems })
    }
}

/// How a change comes to be written.
pub(super) enum Way<'a> {
    /// By itself. Whoever calls has the list.
    Alone,
    /// With those who come after it, if there are any.
    Shared(Held<'a>),
}

impl Files {
    /// Decides and writes, once the list can be held.
    pub(super) fn change(&self, wish: &mut Wish<'_>) -> Result<Done, Error> {
        let done = self.changed(wish);
        if let Some(seen) = wish.seen.take() {
            seen.remember(self);
        }
        done
    }

    fn changed(&self, wish: &mut Wish<'_>) -> Result<Done, Error> {
        self.fit()?;
        let looks_at_all = rules::looks_at_all(wish.command);
        let (started, mut pause, mut is_alone) = (self.clock.ticks(), 2, looks_at_all);
        loop {
            let asked = looks_at_all.then(|| self.ask_ahead()).flatten();
            match self.at_turn(wish, asked, is_alone) {
                // Others need the list meanwhile: it is not held while another program holds one of its tasks.
                Err(Error::ForeignLocked { lock, .. }) => {
                    let waited = self.clock.ticks() - started;
                    if waited >= self.wait_ms {
                        return Err(Error::ForeignLocked { lock, waited });
                    }
                    self.clock.sleep(pause);
                    pause = (pause * 2).min(BRIEF_MS);
                }
                Ok(Some(done)) => return Ok(done),
                // What others wrote, or locked, may concern one change of the round only: the others need not wait for that.
                Ok(None) => is_alone = true,
                Err(error) => return Err(error),
            }
        }
    }

    /// One attempt; none if it is to be made once more by itself.
    fn at_turn(
        &self,
        wish: &mut Wish<'_>,
        asked: Option<Asked>,
        is_alone: bool,
    ) -> Result<Option<Done>, Error> {
        let held = match self.lock_or_join()? {
            Place::First(held) => held,
            Place::Beside(turn, mut round) => {
                let joined = if is_alone { None } else { self.joined(&mut round, wish) };
                if let Some((decided, ticket)) = joined {
                    return self.gone_along(turn, round, &ticket, decided);
                }
                round.finish(self, turn)
            }
        };
        if is_alone {
            let done = self.locked_after(asked, wish, BRIEF_MS, Way::Alone);
            drop(held);
            return done;
        }
        self.locked_after(asked, wish, BRIEF_MS, Way::Shared(held))
    }

    /// Decides upon what a round will write. None if that cannot be, or should not be written with the rest of it: then it is
    /// decided anew when that is done.
    fn joined(&self, round: &mut Round, wish: &mut Wish<'_>) -> Option<(Decided, Arc<Ticket>)> {
        self.stamp(&wish.request.actor).ok()?;
        let view = View::new(self, Some(&round.log), self.clock.now()).beside(round.writes());
        let mut decided = Decided::on(&view, wish, &HashSet::default()).ok()??;
        let ticket = decided.prepared.can_share().then(|| round.add(&mut decided.prepared))?.ok()?;
        Some((decided, ticket))
    }

    fn gone_along(
        &self,
        turn: Turn<'_>,
        round: Box<Round>,
        ticket: &Ticket,
        decided: Decided,
    ) -> Result<Option<Done>, Error> {
        round.go_on(self, turn);
        match ticket.wait() {
            Fate::Done => decided.done().map(Some),
            Fate::Alone => Ok(None),
            Fate::Failed(error) => Err(error),
        }
    }

    /// Asks every file how it looks from outside, before the list's lock is there.
    fn ask_ahead(&self) -> Option<Asked> {
        self.again().ok()?;
        let asked = Asked::of(self, &self.open_log().ok()??, Work::AskAhead)?;
        // Others have gone on meanwhile.
        Some(asked.caught_up(self, &self.open_log().ok()??))
    }

    /// Decides and writes, with the list's lock held by whoever calls.
    pub(super) fn locked(&self, request: &Request, command: &str, decide: Decide<'_>) -> Result<Done, Error> {
        self.locked_for(&mut Wish::new(request, command, decide), self.wait_ms)
    }

    /// The same; locks of other programs are waited for so long.
    pub(super) fn locked_for(&self, wish: &mut Wish<'_>, foreign_ms: u64) -> Result<Done, Error> {
        let done = self.locked_after(None, wish, foreign_ms, Way::Alone)?;
        done.ok_or_else(|| Error::Contended { file: "the list".to_owned() })
    }

    /// The same, with what was asked before. None if it was in a round of which nothing came.
    fn locked_after(
        &self,
        mut asked: Option<Asked>,
        wish: &mut Wish<'_>,
        foreign_ms: u64,
        mut way: Way<'_>,
    ) -> Result<Option<Done>, Error> {
        let (mut contended, mut left) = (String::new(), HashSet::default());
        pin::release_orphans(&*self.vfs)?;
        self.bring_back()?;
        // Before the claim that it keeps alive, and also for who is refused: both show that the session lives.
        let stamped = self.stamp(&wish.request.actor)?;
        for round in 0..ROUNDS {
            let mut log = self.open_log()?;
            if let Some(log) = &mut log {
                recover::recover(self, log, foreign_ms)?;
            }
            let view = View::new(self, log.as_ref(), self.clock.now()).after_asking(asked.take());
            let view = if round == 0 { view } else { view.carefully() };
            let Some(mut decided) = Decided::on(&view, wish, &left)? else { continue };
            drop(view);
            way = match (way, log.take()) {
                (Way::Shared(held), Some(log)) if held.is_wanted() && decided.prepared.can_share() => {
                    let (lock, turn) = held.parts();
                    let (round, ticket) = Round::open(lock, log, &mut decided.prepared)?;
                    return self.gone_along(turn, round, &ticket, decided);
                }
                (way, its) => {
                    log = its;
                    way
                }
            };
            let outcome = match commit::commit(self, log, &decided.prepared, foreign_ms) {
                // A lock that only a repair needs holds up nobody: whoever looks next puts it right.
                Err(Error::ForeignLocked { lock, waited }) => match decided.prepared.can_wait(&lock) {
                    Some(file) if left.insert(file.clone()) => {
                        contended = file;
                        continue;
                    }
                    _ => return Err(Error::ForeignLocked { lock, waited }),
                },
                other => other?,
            };
            match outcome {
                commit::Outcome::Changed(file) => {
                    contended = file;
                    continue;
                }
                commit::Outcome::Collided(ids) => {
                    self.take_back(wish.request, &decided.prepared, &ids)?;
                    continue;
                }
                commit::Outcome::Done => {}
            }
            if !stamped {
                self.stamp(&wish.request.actor)?;
            }
            return decided.done().map(Some);
        }
        Err(Error::Contended { file: contended })
    }

    /// Leaves a sign of life; false if there is no place for it yet.
    fn stamp(&self, actor: &Actor) -> Result<bool, Error> {
        if actor.session.is_empty() {
            return Ok(true);
        }
        session::outlive_process(&*self.vfs, &actor.session)?;
        session::stamp(&*self.vfs, &*self.clock, actor, session::Make::IfMissing)
    }

    /// Another program took an id that we had just given: the rest of what we did goes back, to be decided anew.
    fn take_back(&self, request: &Request, prepared: &Prepared, ids: &[TaskId]) -> Result<(), Error> {
        let Some(mut event) = prepared.event.clone() else { return Ok(()) };
        event.changes.retain(|it| !ids.contains(&it.id));
        let undo = Command::Undo(Box::new(event));
        let taken_back = self.locked(request, "undo", &mut |tasks| rules::decide(tasks, &undo, request));
        // Something was changed by then: it must not be begun again as if nothing had been.
        taken_back.map(|_| ()).map_err(|error| match error {
            Error::ForeignLocked { lock, .. } => Error::Contended { file: lock },
            other => other,
        })
    }
}
