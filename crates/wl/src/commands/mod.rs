//! One file per command: what can be typed, what is done, what is answered. The table that leads to them.

mod add;
mod agent;
mod call;
mod changes;
mod claim;
mod completions;
mod config;
mod convert;
mod doctor;
mod done;
mod edit;
mod export;
mod graph;
mod guard;
mod heartbeat;
mod help;
mod hook;
mod import;
mod init;
mod list;
mod lists;
mod log;
mod logs;
mod man;
mod mcp;
mod next;
mod overview;
mod plan;
mod quick;
mod ready;
mod release;
mod rm;
mod runs;
mod setup;
mod show;
mod store;
mod tools;
mod trust;
mod typed;
mod undo;
mod watch;
mod why;
mod work;
mod worktrees;

pub(crate) use help::{TOPICS, command, mistyped};
pub(crate) use quick::parse;
pub(crate) use typed::formats;

use crate::{
    args::Args,
    context::{Context, Purpose},
    failure::Failure,
    output::{Answer, Output},
};
use clap::Subcommand;

/// What can be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a list here; on an existing one it changes nothing and says so
    #[command(after_help = init::EXAMPLES)]
    Init(init::InitArgs),
    /// Create a task
    #[command(after_help = add::EXAMPLES)]
    Add(add::AddArgs),
    /// Create a whole graph at once, from JSON or a Markdown checklist
    #[command(after_help = plan::EXAMPLES)]
    Plan(plan::PlanArgs),
    /// Show the open tasks
    #[command(visible_alias = "ls", after_help = list::EXAMPLES)]
    List(list::ListArgs),
    /// Show what can be started now
    #[command(after_help = ready::EXAMPLES)]
    Ready(ready::ReadyArgs),
    /// Show everything about a task
    #[command(after_help = show::EXAMPLES)]
    Show(show::ShowArgs),
    /// Explain what a task waits for
    #[command(after_help = why::EXAMPLES)]
    Why(why::WhyArgs),
    /// Take a task: it is yours by a number that fences out everyone else
    #[command(after_help = claim::EXAMPLES)]
    Claim(claim::ClaimArgs),
    /// Take the best ready task, or wait for one
    #[command(after_help = next::EXAMPLES)]
    Next(next::NextArgs),
    /// Say that you are still at work on a task
    #[command(after_help = heartbeat::EXAMPLES)]
    Heartbeat(heartbeat::HeartbeatArgs),
    /// Give a task back
    #[command(after_help = release::EXAMPLES)]
    Release(release::ReleaseArgs),
    /// Complete a task; names what it unblocked
    #[command(after_help = done::EXAMPLES)]
    Done(done::DoneArgs),
    /// Run a command for each ready task, many at once, until nothing is left
    #[command(after_help = work::EXAMPLES)]
    Work(Box<work::WorkArgs>),
    /// Show what was run for tasks, and how it ended
    #[command(after_help = runs::EXAMPLES)]
    Runs(runs::RunsArgs),
    /// Show the worktrees of tasks, and remove those in which everything is committed
    #[command(after_help = worktrees::EXAMPLES)]
    Worktrees(worktrees::WorktreesArgs),
    /// Show what a run printed
    #[command(after_help = logs::EXAMPLES)]
    Logs(logs::LogsArgs),
    /// Stand between a worker and a command
    #[command(hide = true)]
    Guard(guard::GuardArgs),
    /// Change what a task says, its status, its edges
    #[command(after_help = edit::EXAMPLES)]
    Edit(Box<edit::EditArgs>),
    /// Remove a task; `wl undo` brings it back with its edges
    #[command(after_help = rm::EXAMPLES)]
    Rm(rm::RmArgs),
    /// Show what happened, newest first
    #[command(after_help = log::EXAMPLES)]
    Log(log::LogArgs),
    /// Take back a change, by whomever it was made
    #[command(after_help = undo::EXAMPLES)]
    Undo(undo::UndoArgs),
    /// Show what changed since a number, oldest first
    #[command(after_help = changes::EXAMPLES)]
    Changes(changes::ChangesArgs),
    /// Follow the list: a live view on a terminal, a stream in a pipe
    #[command(after_help = watch::EXAMPLES)]
    Watch(watch::WatchArgs),
    /// Draw the graph
    #[command(after_help = graph::EXAMPLES)]
    Graph(graph::GraphArgs),
    /// Find the lists of this project, and Claude Code's
    #[command(after_help = lists::EXAMPLES)]
    Lists(lists::ListsArgs),
    /// Prepare a database for a team's lists, and look after it
    #[command(after_help = store::EXAMPLES)]
    Store(store::StoreArgs),
    /// Move a list to another format, or to a team's database
    #[command(after_help = convert::EXAMPLES)]
    Convert(convert::ConvertArgs),
    /// Write everything to standard output, as lines of JSON
    #[command(after_help = export::EXAMPLES)]
    Export(export::ExportArgs),
    /// Take tasks in from an export, or from another program
    #[command(after_help = import::EXAMPLES)]
    Import(import::ImportArgs),
    /// Look a list over, and mend what is safe to mend
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(doctor::DoctorArgs),
    /// Show the settings, and where each came from
    #[command(after_help = config::EXAMPLES)]
    Config(config::ConfigArgs),
    /// Allow the hooks that a list brings along
    #[command(after_help = trust::EXAMPLES)]
    Trust(trust::TrustArgs),
    /// Put Worklist into the clients that agents run in
    #[command(after_help = setup::EXAMPLES)]
    Setup(setup::SetupArgs),
    /// Print the script that completes commands in a shell
    #[command(after_help = completions::EXAMPLES)]
    Completions(completions::CompletionsArgs),
    /// Print a manual page
    #[command(after_help = man::EXAMPLES)]
    Man(man::ManArgs),
    /// Call a tool that agents have, and print exactly what the agent would get
    #[command(after_help = call::EXAMPLES)]
    Call(call::CallArgs),
    /// Show the tools that agents have, and the shapes of all JSON answers
    #[command(after_help = tools::EXAMPLES)]
    Tools(tools::ToolsArgs),
    /// Serve the tools to an agent's client, over MCP
    #[command(after_help = mcp::EXAMPLES)]
    Mcp(mcp::McpArgs),
    /// Work through tasks with a model: at a prompt, or on one goal
    #[command(after_help = agent::EXAMPLES)]
    Agent(Box<agent::AgentArgs>),
    /// Answer a hook of Claude Code: what happens is JSON on standard input
    #[command(after_help = hook::EXAMPLES)]
    Hook(hook::HookArgs),
    /// Explain a command or a topic
    #[command(after_help = help::EXAMPLES)]
    Help(help::HelpArgs),
}

/// Runs what was typed.
pub(crate) fn run(args: &Args) -> Result<(Output, Answer), Failure> {
    if let Some(Command::Hook(hook)) = &args.command {
        // Not even settings that cannot be read may stop a client.
        return Ok(hook::run(&args.global, hook));
    }
    if let Some(Command::Guard(guard)) = &args.command {
        let exit = guard::run(guard);
        return Ok((crate::context::plain_output(false), Answer { exit, ..Answer::default() }));
    }
    let purpose = match args.command {
        Some(Command::Init(_)) => Purpose::Make,
        _ => Purpose::Use,
    };
    let context = Context::new(&args.global, purpose)?;
    let mut answer = match &args.command {
        Some(command) => dispatch(&context, command, args)?,
        None => overview::run(&context)?,
    };
    if !matches!(args.command, Some(Command::Trust(_))) {
        answer.warnings.extend(context.settings.warnings.iter().cloned());
    }
    Ok((context.output, answer))
}

fn dispatch(context: &Context, command: &Command, all: &Args) -> Result<Answer, Failure> {
    match command {
        Command::Init(args) => init::run(context, args),
        Command::Add(args) => add::run(context, args),
        Command::Plan(args) => plan::run(context, args),
        Command::List(args) => list::run(context, args),
        Command::Ready(args) => ready::run(context, args),
        Command::Show(args) => show::run(context, args),
        Command::Why(args) => why::run(context, args),
        Command::Claim(args) => claim::run(context, args),
        Command::Next(args) => next::run(context, args),
        Command::Heartbeat(args) => heartbeat::run(context, args),
        Command::Release(args) => release::run(context, args),
        Command::Done(args) => done::run(context, args),
        Command::Work(args) => work::run(context, args),
        Command::Runs(args) => runs::run(context, args),
        Command::Worktrees(args) => worktrees::run(context, args),
        Command::Logs(args) => logs::run(context, args),
        Command::Edit(args) => edit::run(context, args),
        Command::Rm(args) => rm::run(context, args),
        Command::Log(args) => log::run(context, args),
        Command::Undo(args) => undo::run(context, args),
        Command::Changes(args) => changes::run(context, args),
        Command::Watch(args) => watch::run(context, args),
        Command::Graph(args) => graph::run(context, args),
        Command::Lists(args) => lists::run(context, args),
        Command::Store(args) => store::run(context, args),
        Command::Convert(args) => convert::run(context, args),
        Command::Export(args) => export::run(context, args),
        Command::Import(args) => import::run(context, args),
        Command::Doctor(args) => doctor::run(context, args),
        Command::Config(args) => Ok(config::run(context, args)),
        Command::Trust(args) => trust::run(context, args),
        Command::Setup(args) => setup::run(context, args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
        Command::Call(args) => call::run(context, args),
        Command::Tools(args) => Ok(tools::run(args)),
        Command::Mcp(args) => mcp::run(context, args, all.global.verbose),
        Command::Agent(args) => agent::run(context, args),
        Command::Help(args) => help::run(args),
        // It was answered before there was a context.
        Command::Hook(_) | Command::Guard(_) => Ok(Answer::default()),
    }
}
