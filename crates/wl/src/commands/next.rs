//! `wl next`: takes the best ready task, and if there is none, waits for one if asked to.

use super::{claim::claimed, typed::duration};
use crate::{
    context::Context,
    failure::{Failure, NOTHING},
    output::Answer,
};
use clap::Args;
use std::ops::ControlFlow;
use worklist::{
    json::Object,
    rules::{Begin, NextTask},
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl next                      # the best one; exit code 6 if nothing is ready
  wl next --tag docs --lease 1h
  wl next --wait               # until something becomes ready
  while task=$(wl next --wait 10m --json); do work-on \"$task\"; done";

/// What `--wait` alone means: the longest time there is.
const FOR_EVER: &str = "366d";

#[derive(Debug, Args)]
pub(crate) struct NextArgs {
    /// If nothing is ready, wait until something is; at most so long, if a time is given
    #[arg(long, value_name = "DURATION", value_parser = duration, num_args = 0..=1, default_missing_value = FOR_EVER)]
    pub(crate) wait: Option<i64>,
    /// Only tasks with this tag; with several, all of them
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// How long the claim lasts without a sign of life: 90s, 15m, 2h
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) lease: Option<i64>,
    /// Only become the owner; do not start
    #[arg(long)]
    pub(crate) no_start: bool,
    /// Refuse if this agent has another open task
    #[arg(long)]
    pub(crate) one_at_a_time: bool,
}

pub(super) fn run(context: &Context, args: &NextArgs) -> Result<Answer, Failure> {
    let wanted = NextTask {
        tags: args.tag.clone(),
        begin: if args.no_start { Begin::Later } else { Begin::Now },
        one_at_a_time: args.one_at_a_time,
        lease: args.lease.or(context.settings.lease()),
        ..NextTask::default()
    };
    let wait = u64::try_from(args.wait.unwrap_or(0)).unwrap_or(0);
    let outcome = context.open()?.next(&context.actor, &wanted, wait, &|_| ControlFlow::Continue(()))?;
    outcome.map(|it| claimed(&it)).ok_or_else(|| nothing(args))
}

fn nothing(args: &NextArgs) -> Failure {
    let (message, hint) = match args.wait {
        None => ("nothing is ready", "`wl why` says what everything waits for; --wait waits for it"),
        Some(_) => ("nothing became ready in that time", "`wl why` says what everything waits for"),
    };
    Failure {
        code: "nothing_ready",
        message: message.to_owned(),
        hint: Some(hint.to_owned()),
        data: Object::new(),
        exit: NOTHING,
    }
}
