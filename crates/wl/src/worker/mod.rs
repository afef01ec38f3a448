//! Workers: each claims a ready task, runs a command for it under guard, and reports how it ended, until nothing is left.
//! Not the rules: what a claim is worth is decided in the engine.

mod absence;
mod attempt;
mod claims;
mod job;
mod preset;
mod runs;
mod shift;
mod told;
mod work;

pub(crate) use job::Job;
pub(crate) use preset::Preset;
pub(crate) use runs::{Record, Runs};

use crate::{
    context::Context,
    failure::Failure,
    processes::{adopt_orphans, end_orphans},
};
use shift::Shift;
use std::{
    sync::{Arc, mpsc::channel},
    thread,
};
pub(crate) use told::Summary;
use worklist::TaskList;

/// Works until nothing is left to do, or until somebody ends it.
pub(crate) fn work(context: &Context, list: &Arc<TaskList>, job: Job) -> Result<Summary, Failure> {
    adopt_orphans();
    let shift = Arc::new(Shift::new(job, Runs::of(&context.folder)));
    shift.runs.prune();
    shift::obey_signals(&shift)?;
    claims::look_after(list, &shift);
    let (sender, news) = channel();
    let workers: Vec<_> = (1..=shift.job.workers)
        .map(|n| {
            let (list, shift, sender) = (list.clone(), shift.clone(), sender.clone());
            let actor = shift.job.actor(n);
            thread::spawn(move || work::work(&list, &shift, &actor, &sender))
        })
        .collect();
    drop(sender);
    let summary = told::tell(context, list, &shift, &news);
    let mut failed = None;
    for worker in workers {
        // One that could not go on has said why; the others' work counts.
        if let Ok(Err(error)) = worker.join() {
            failed.get_or_insert(error);
        }
    }
    end_orphans();
    match failed {
        Some(error) => Err(error.into()),
        None => summary,
    }
}
