//! `wl logs`: the output of an attempt at a task, the latest one unless another is named.
#![expect(clippy::disallowed_methods, reason = "an output is a file beside the list")]

use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, Document, visible_lines},
    worker::{Record, Runs},
};
use clap::Args;
use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};
use worklist::{
    TaskId,
    clock::{Clock, SystemClock},
    json::Object,
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl logs 7                    # what the last attempt at #7 printed
  wl logs 7 -f                 # and what it prints from now on, until it ends
  wl logs 7 --token 1794756    # an earlier attempt; `wl runs 7` has the numbers";

/// So often a file is looked at for more.
const STEP_MS: u64 = 200;

#[derive(Debug, Args)]
pub(crate) struct LogsArgs {
    /// The task
    #[arg(value_parser = super::typed::id, add = clap_complete::ArgValueCandidates::new(crate::complete::any))]
    pub(crate) id: TaskId,
    /// The attempt
    #[arg(long, value_name = "N")]
    pub(crate) token: Option<u64>,
    /// Go on until the attempt ends
    #[arg(long, short)]
    pub(crate) follow: bool,
}

pub(super) fn run(context: &Context, args: &LogsArgs) -> Result<Answer, Failure> {
    context.open()?;
    let runs = Runs::of(&context.folder);
    let wanted = |it: &Record| args.token.is_none_or(|token| token == it.token);
    let Some(run) = runs.all(Some(&args.id)).into_iter().find(wanted) else {
        return Err(Failure::no_run(&args.id));
    };
    let path = runs.log(&run.id, run.token);
    if args.follow && !context.output.json {
        follow(context, &runs, &run, &path);
        return Ok(Answer { json: Document::Streamed, ..Answer::default() });
    }
    let text = read(&path, 0).0;
    let json = Object::new().with("run", run.json()).with("output", text.as_str());
    Ok(Answer::new(visible_lines(&text), json))
}

/// Prints what is there and what comes, until the attempt has ended.
fn follow(context: &Context, runs: &Runs, run: &Record, path: &Path) {
    let mut at = 0;
    loop {
        // Whether it has ended is asked first: what it printed last is then read.
        let ended = runs
            .all(Some(&TaskId::found(&run.id)))
            .into_iter()
            .any(|it| it.token == run.token && it.ended.is_some());
        let (text, end) = read(path, at);
        at = end;
        if !text.is_empty() && context.output.stream(visible_lines(&text).trim_end_matches('\n')).is_err() {
            return;
        }
        if ended {
            return;
        }
        SystemClock.sleep(STEP_MS);
    }
}

/// What stands in a file from a place on, and where it ends.
fn read(path: &Path, from: u64) -> (String, u64) {
    let mut bytes = Vec::new();
    if let Ok(mut file) = File::open(path) {
        _ = file.seek(SeekFrom::Start(from)).and_then(|_| file.read_to_end(&mut bytes));
    }
    (String::from_utf8_lossy(&bytes).into_owned(), from + bytes.len() as u64)
}
