//! `wl work`: runs a command for each ready task, many at once, until nothing is left. Not the workers: they are a part of
//! their own.

use super::{
    plan::{self, PlanArgs},
    typed::{self, duration},
};
use crate::{
    context::{Context, fresh_session, on_path, this_program},
    failure::{FAILED, Failure},
    output::{Answer, Document, visible},
    worker::{Job, Preset, work},
    worktrees::Worktrees,
};
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use std::{path::PathBuf, sync::Arc};
use worklist::{Actor, Priority, TaskList, rules::NextTask};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl work release.md -- make {id}          # plan it, then run one command for each task
  wl work --workers 4 -- sh -c 'echo \"$WORKLIST_TASK_SUBJECT\"; sh'
                                           # the description is on standard input
  wl work --match 'tag:docs !high' --timeout 10m --attempts 2 -- ./do-one
  wl work --wait -- my-agent -p {prompt}   # goes on until Ctrl-C
  wl work --agent claude --workers 3 --worktree -- --model sonnet
                                           # a coding agent for each task, each on a branch of its own
  wl work --json -- true                   # one JSON object for each thing that happens

A command finds its task in WORKLIST_TASK_ID, _SUBJECT and _TOKEN, its description on standard input, and
{id}, {subject}, {description} and {prompt} in its arguments. Exit code 0 completes the task; anything else gives it back with
the last lines of output, and after the last attempt it is parked for a person. `wl runs` and `wl logs` show what was run.";

#[derive(Debug, Args)]
pub(crate) struct WorkArgs {
    /// A plan to begin with (see `wl plan`); planned again, it changes nothing
    #[arg(value_name = "PLAN", value_hint = clap::ValueHint::FilePath)]
    pub(crate) plan: Option<String>,
    /// How many at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) workers: u16,
    /// Wait for more when nothing is left
    #[arg(long, conflicts_with = "until_empty")]
    pub(crate) wait: bool,
    /// End when nothing is left (the default)
    #[arg(long)]
    pub(crate) until_empty: bool,
    /// Only tasks of a kind: words of the subject, `tag:NAME`, `!high`, `!medium`
    #[arg(long = "match", value_name = "EXPR")]
    pub(crate) matching: Option<String>,
    /// Stop an attempt that takes longer
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) timeout: Option<i64>,
    /// After so many failed attempts a task is parked for a person
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) attempts: u32,
    /// Run each task in a worktree of git of its own, on branch wl/ID-SUBJECT; `wl worktrees` shows them
    #[arg(long)]
    pub(crate) worktree: bool,
    /// Have a coding agent do each task, with our server for tasks; what follows `--` goes to it
    #[arg(long = "agent", value_name = "NAME", value_parser = presets())]
    pub(crate) preset: Option<Preset>,
    /// What the agent is told, with places for {id}, {subject} and {description}
    #[arg(long, value_name = "FILE", requires = "preset", value_hint = clap::ValueHint::FilePath)]
    pub(crate) prompt: Option<PathBuf>,
    /// What to run for each task, after `--`
    #[arg(last = true, required_unless_present = "preset", value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

fn presets() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(Preset::name))
        .try_map(|name| Preset::ALL.into_iter().find(|it| it.name() == name).ok_or("is not known"))
}

pub(super) fn run(context: &Context, args: &WorkArgs) -> Result<Answer, Failure> {
    let job = job(context, args)?;
    job.check()?;
    let list = Arc::new(list(context, args)?);
    let summary = work(context, &list, job)?;
    if !context.output.json {
        context.output.early(&format!("{}\n", summary.line()));
    }
    let all_done = summary.parked.is_empty() && summary.given_back.is_empty();
    let exit = if all_done { 0 } else { FAILED };
    Ok(Answer { exit, json: Document::Streamed, ..Answer::default() })
}

fn list(context: &Context, args: &WorkArgs) -> Result<TaskList, Failure> {
    let Some(file) = &args.plan else { return context.open() };
    // The same plan is the same work: its own name is its key.
    let planned = PlanArgs { file: file.clone(), key: Some(format!("work {file}")), dry_run: false };
    let answer = plan::run(context, &planned)?;
    for warning in answer.warnings.iter().filter(|_| !context.output.quiet) {
        context.output.complain(&format!("warning: {}", visible(warning)));
    }
    if !context.output.json && !context.output.is_terminal() {
        context.output.early(&answer.text);
    }
    context.open()
}

fn job(context: &Context, args: &WorkArgs) -> Result<Job, Failure> {
    // Every run is a session of its own, and its workers are agents within.
    let by = Actor::new(context.actor.agent.clone(), fresh_session("work"));
    let folder = context.here.as_path();
    let worktrees = args.worktree.then(|| Worktrees::for_work(folder, context.state.as_deref()));
    let mut job = Job {
        command: args.command.clone(),
        input: None,
        variables: Vec::new(),
        here: context.here.clone(),
        worktrees: worktrees.transpose()?,
        workers: usize::from(args.workers),
        wanted: wanted(args.matching.as_deref().unwrap_or_default(), context)?,
        waits: args.wait,
        timeout: args.timeout.and_then(|it| u64::try_from(it).ok()),
        attempts: args.attempts,
        by,
        folder: context.folder.clone(),
        home: context.variables(),
    };
    if let Some(agent) = args.preset {
        let found = on_path(agent.name()).is_some() || agent == Preset::Builtin;
        if !found {
            let reason = format!("{} is not in PATH", agent.name());
            return Err(Failure::invalid("--agent", &reason, Some("install it, or name a command after --")));
        }
        let program =
            this_program().ok_or_else(|| Failure::invalid("--agent", "cannot find this program", None))?;
        let prompt = args.prompt.as_deref().map(typed::text_of).transpose()?;
        agent.employ(&mut job, &program, prompt, context.state.as_deref())?;
    }
    Ok(job)
}

/// Words, tags and urgency, apart by blanks; all of them must fit.
fn wanted(text: &str, context: &Context) -> Result<NextTask, Failure> {
    let mut wanted = NextTask { lease: context.settings.lease(), ..NextTask::default() };
    for term in text.split_whitespace() {
        if let Some(tag) = term.strip_prefix("tag:").or_else(|| term.strip_prefix('+')) {
            wanted.tags.push(tag.to_owned());
        } else if let Some(name) = term.strip_prefix('!') {
            let known = Priority::ALL.into_iter().find(|it| it.name() == name);
            let reason = format!("has no priority {name}");
            wanted.priority = Some(known.ok_or_else(|| Failure::invalid("--match", &reason, None))?);
        } else {
            wanted.words.push(term.to_owned());
        }
    }
    Ok(wanted)
}
