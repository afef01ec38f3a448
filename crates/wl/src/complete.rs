//! What could be typed next, for shells that ask: ids with their subjects, names of lists, topics. Asked by a variable,
//! answered on standard output, silent when anything is amiss.

use crate::{
    args::Args,
    commands::{TOPICS, command},
    context::{Context, Purpose},
    output::visible,
};
use clap::FromArgMatches;
use clap_complete::{CompleteEnv, CompletionCandidate};
use worklist::{State, TaskView};

/// The variable by which a shell asks.
pub(crate) const VARIABLE: &str = "WORKLIST_COMPLETE";

/// Answers a shell, if one asks; then the program is done.
pub(crate) fn answer() {
    CompleteEnv::with_factory(command).var(VARIABLE).bin("wl").complete();
}

/// Open tasks.
pub(crate) fn open() -> Vec<CompletionCandidate> {
    tasks(|it| it.state != State::Completed)
}

/// Tasks that can be claimed.
pub(crate) fn ready() -> Vec<CompletionCandidate> {
    tasks(|it| it.state == State::Ready)
}

/// Tasks that somebody has.
pub(crate) fn started() -> Vec<CompletionCandidate> {
    tasks(|it| it.state == State::InProgress)
}

/// All tasks.
pub(crate) fn any() -> Vec<CompletionCandidate> {
    tasks(|_| true)
}

fn tasks(wanted: impl Fn(&TaskView) -> bool) -> Vec<CompletionCandidate> {
    let board = context().and_then(|it| it.open().ok()?.board().ok());
    let tasks = board.map(|it| it.tasks).unwrap_or_default();
    let candidate = |it: &TaskView| {
        CompletionCandidate::new(it.task.id.as_str()).help(Some(visible(&it.task.subject).into()))
    };
    // What cannot be typed is not offered.
    tasks.iter().filter(|it| it.task.id.is_plain() && wanted(it)).map(candidate).collect()
}

/// Lists by name.
pub(crate) fn lists() -> Vec<CompletionCandidate> {
    let names = context().map(|it| it.named_lists()).unwrap_or_default();
    names.into_iter().filter(|it| visible(it) == *it).map(CompletionCandidate::new).collect()
}

/// Topics and commands.
pub(crate) fn topics() -> Vec<CompletionCandidate> {
    let command = command();
    let commands = command.get_subcommands().map(|it| it.get_name().to_owned());
    let topics = TOPICS.iter().map(|(name, _)| (*name).to_owned());
    topics.chain(commands).map(CompletionCandidate::new).collect()
}

/// The surroundings, as far as flags before the word in question do not say otherwise.
fn context() -> Option<Context> {
    let typed: Vec<std::ffi::OsString> = std::env::args_os().skip_while(|it| it != "--").skip(1).collect();
    let mut globals: Vec<std::ffi::OsString> = vec!["wl".into()];
    let mut rest = typed.into_iter();
    while let Some(word) = rest.next() {
        if word == "--dir" || word == "--list" || word == "--format" {
            globals.extend([Some(word), rest.next()].into_iter().flatten());
        }
    }
    let matches = command().try_get_matches_from(globals).ok()?;
    let args = Args::from_arg_matches(&matches).ok()?;
    Context::new(&args.global, Purpose::Use).ok()
}
