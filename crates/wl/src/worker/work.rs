//! One worker: claims, attempts, reports, and again. Not how a command is run.

use super::{
    absence::outlast,
    attempt::{Claimed, End, Result as Attempt},
    shift::{Shift, Stage},
    told::News,
};
use std::{ops::ControlFlow, sync::mpsc::Sender};
use worklist::{
    Actor, Command, Error, State, TaskList, TaskView,
    claim::Evidence,
    rules::{Conclusion, Failing, Holder, ReleaseTask},
};

/// One wait for a task; then it is looked whether anything is left.
const WAIT_MS: u64 = 2_000;
/// So many lines of output say why an attempt failed.
const LINES: usize = 5;

/// Works until nothing is left to do.
pub(super) fn work(list: &TaskList, shift: &Shift, actor: &Actor, news: &Sender<News>) -> Result<(), Error> {
    // The session lives as long as this process: when it dies, its tasks are free.
    let session = list.hold_session(actor)?;
    let goes_on = |_| if shift.begins() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let mut wait = 0;
    // Whether a task may have been given to us without our knowing which.
    let mut is_unknown = false;
    while shift.begins() {
        let next = outlast(shift, news, Stage::Draining, &mut || {
            // A session that was silent for too long must be heard of first: its claims would not last.
            session.as_ref().map_or(Ok(()), |it| it.heard(actor))?;
            if is_unknown && session.is_some() {
                list.run(actor, &Command::ReleaseAll(Holder::Session(actor.session.clone())))?;
            }
            let next = list.next(actor, &shift.wanted(), wait, &goes_on);
            is_unknown = matches!(next, Err(Error::Unanswered { .. }));
            next
        })?;
        // Only who finds nothing waits.
        wait = if next.is_some() { 0 } else { WAIT_MS };
        match next {
            Some(outcome) => {
                if let (Some(view), Some(token)) = (outcome.tasks.first(), outcome.decision.token) {
                    let session = session.as_ref();
                    take(&Claimed { list, shift, actor, task: &view.task, token, session }, view, news)?;
                }
            }
            None if !shift.job.waits
                && outlast(shift, news, Stage::Draining, &mut || is_over(list, shift))? =>
            {
                return Ok(());
            }
            None => {}
        }
    }
    Ok(())
}

/// Whether nothing is left that could become work: nothing is ready for us, and nobody is at work on what others wait for.
fn is_over(list: &TaskList, shift: &Shift) -> Result<bool, Error> {
    let board = list.board()?;
    let wanted = shift.wanted();
    let ready = board.ready().into_iter().any(|it| wanted.suits(&it.task));
    Ok(!ready && board.count(State::InProgress) == 0)
}

fn take(claimed: &Claimed<'_>, view: &TaskView, news: &Sender<News>) -> Result<(), Error> {
    // Whoever shows it may be gone; the work goes on.
    _ = news.send(News::Began { worker: claimed.actor.agent.clone(), view: Box::new(view.clone()) });
    let attempt = claimed.attempt();
    let told = outlast(claimed.shift, news, Stage::Stopping, &mut || report(claimed, &attempt))?;
    if let (Some(tree), Told::Done { .. } | Told::Itself { done: true }) = (&attempt.tree, &told) {
        tree.leave();
    }
    _ = news.send(News::Ended {
        worker: claimed.actor.agent.clone(),
        id: view.task.id.clone(),
        subject: view.task.subject.clone(),
        milliseconds: attempt.milliseconds,
        commit: attempt.commit,
        unkept: attempt.unkept,
        told,
    });
    Ok(())
}

/// What the list says to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Told {
    Done {
        freed: usize,
    },
    /// The command had seen to it itself.
    Itself {
        done: bool,
    },
    Failed {
        reason: String,
        failed: u32,
        parked: bool,
    },
    /// Somebody else has it now.
    Lost,
    Stopped,
}

fn report(claimed: &Claimed<'_>, attempt: &Attempt) -> Result<Told, Error> {
    match attempt.end {
        // If others have it, that is refused. If they have not yet, they shall.
        End::Lost => return give_back(claimed, "nothing was heard of its worker").map(|()| Told::Lost),
        End::Stopped => return give_back(claimed, "the run was stopped").map(|()| Told::Stopped),
        End::Itself | End::TooLong | End::NotStarted(_) | End::NoPlace(_) | End::NotCommitted(_) => {}
    }
    let failure = failure(claimed, attempt);
    let evidence = Evidence {
        command: attempt.command.clone(),
        exit: attempt.exit,
        milliseconds: attempt.milliseconds,
        commit: attempt.commit.clone(),
    };
    let (id, token) = (claimed.task.id.clone(), claimed.token);
    let conclusion = Conclusion { id, token, evidence, failure: failure.clone() };
    match (claimed.list.run(claimed.actor, &Command::Conclude(conclusion)), failure) {
        (Ok(outcome), None) => Ok(Told::Done { freed: outcome.freed.len() }),
        (Ok(outcome), Some(failing)) => {
            let view = outcome.tasks.first();
            let (failed, parked) = view.map_or((0, false), |it| (it.failed, it.parked));
            Ok(Told::Failed { reason: failing.reason, failed, parked })
        }
        (Err(Error::Refused(_)), _) => seen_to(claimed),
        (Err(error), _) => Err(error),
    }
}

/// The claim had ended before: by the command itself, or because another has it.
fn seen_to(claimed: &Claimed<'_>) -> Result<Told, Error> {
    let view = claimed.list.show(&claimed.task.id)?;
    Ok(match view {
        Some(view) if view.state == State::Completed => Told::Itself { done: true },
        Some(view) if view.claim.is_none() => {
            claimed.shift.give_back(&claimed.task.id);
            Told::Itself { done: false }
        }
        _ => Told::Lost,
    })
}

fn give_back(claimed: &Claimed<'_>, reason: &str) -> Result<(), Error> {
    let (id, token) = (claimed.task.id.clone(), Some(claimed.token));
    let release = ReleaseTask { id, token, reason: Some(reason.to_owned()), force: false };
    match claimed.list.run(claimed.actor, &Command::Release(release)) {
        Ok(_) | Err(Error::Refused(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

fn failure(claimed: &Claimed<'_>, attempt: &Attempt) -> Option<Failing> {
    let what = match (&attempt.end, attempt.exit) {
        (End::Itself, Some(0)) => return None,
        (End::TooLong, _) => "took too long".to_owned(),
        (End::NotStarted(why), _) => format!("could not be started: {why}"),
        (End::NoPlace(why), _) => return Some(Failing { reason: why.clone(), most: 1 }),
        (End::NotCommitted(why), _) => format!("its changes could not be committed: {why}"),
        (_, Some(code @ 129..)) => format!("ended by signal {}", code - 128),
        (_, Some(code)) => format!("exit code {code}"),
        (_, None) => "ended".to_owned(),
    };
    let lines = claimed.shift.runs.last_lines(claimed.task.id.as_str(), claimed.token, LINES);
    let reason = if lines.is_empty() { what } else { format!("{what}: {lines}") };
    Some(Failing { reason, most: claimed.shift.job.attempts })
}
