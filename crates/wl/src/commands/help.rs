//! `wl help`: the commands in groups, and pages on what spans them. Names and one-liners come from the declarations.

use crate::{
    args::Args,
    failure::{Failure, USAGE, nearest},
    guide::GUIDE,
    output::{Answer, Document},
};
use clap::{Args as Group, CommandFactory};
use worklist::json::Object;

pub(super) const EXAMPLES: &str = "\
Examples:
  wl help claim                # a command
  wl help agents               # what an agent needs to know, on one page
  wl help exit-codes
  wl help environment";

#[derive(Debug, Group)]
pub(crate) struct HelpArgs {
    /// A command or a topic: agents, exit-codes, environment, formats, json
    #[arg(add = clap_complete::ArgValueCandidates::new(crate::complete::topics))]
    pub(crate) topic: Option<String>,
}

/// The commands by what they are for.
pub(crate) const GROUPS: &[(&str, &[&str])] = &[
    ("Plan", &["init", "add", "plan", "edit", "rm"]),
    ("Look", &["list", "ready", "show", "why", "graph", "watch"]),
    ("Work", &["work", "next", "claim", "heartbeat", "done", "release", "runs", "logs", "worktrees"]),
    ("History", &["log", "undo", "changes"]),
    ("Lists", &["lists", "convert", "export", "import", "doctor", "store"]),
    ("Agents", &["agent", "mcp", "hook", "call", "tools"]),
    ("Set up", &["setup", "config", "trust", "completions", "man", "help"]),
];

/// The topics that are no commands.
pub(crate) const TOPICS: &[(&str, &str)] = &[
    ("agents", GUIDE),
    ("exit-codes", include_str!("help/exit-codes.txt")),
    ("environment", include_str!("help/environment.txt")),
    ("formats", include_str!("help/formats.txt")),
    ("json", include_str!("help/json.txt")),
];

pub(super) fn run(args: &HelpArgs) -> Result<Answer, Failure> {
    let text = match &args.topic {
        None => overview(&Args::command()),
        Some(topic) => match TOPICS.iter().find(|(name, _)| name == topic) {
            Some((_, page)) => (*page).to_owned(),
            None => find(&command(), topic)?.render_long_help().ansi().to_string(),
        },
    };
    Ok(Answer { text, json: Document::Text, ..Answer::default() })
}

/// The whole declaration, with the commands in groups.
pub(crate) fn command() -> clap::Command {
    let command = Args::command();
    let overview = overview(&command);
    command.override_help(overview)
}

/// A command by its name, with the whole way to it.
pub(super) fn find(whole: &clap::Command, name: &str) -> Result<clap::Command, Failure> {
    let mut whole = whole.clone();
    whole.build();
    if let Some(found) = whole.find_subcommand(name) {
        return Ok(found.clone());
    }
    let known =
        whole.get_subcommands().map(clap::Command::get_name).chain(TOPICS.iter().map(|(name, _)| *name));
    let near = nearest(name, known);
    let hint =
        near.map_or_else(|| "`wl help` shows them all".to_owned(), |it| format!("did you mean `{it}`?"));
    let message = format!("there is no command or topic `{name}`");
    Err(Failure { code: "usage", message, hint: Some(hint), data: Object::new(), exit: USAGE })
}

fn overview(command: &clap::Command) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut text = format!("{about}\n\nUsage: wl [OPTIONS] [COMMAND]\n");
    for (title, names) in GROUPS {
        text += &format!("\n{title}\n");
        for name in *names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            text += &format!("  {name:<12} {}\n", about.map(ToString::to_string).unwrap_or_default());
        }
    }
    text += "\nOptions of every command\n";
    for argument in command.get_arguments().filter(|it| !matches!(it.get_id().as_str(), "help" | "version")) {
        let long = argument.get_long().map(|it| format!("--{it}")).unwrap_or_default();
        let value = argument.get_value_names().filter(|_| argument.get_action().takes_values());
        let value = value.and_then(|it| it.first()).map(|it| format!(" {it}")).unwrap_or_default();
        let name = argument.get_short().map_or_else(String::new, |it| format!("-{it}, ")) + &long + &value;
        text +=
            &format!("  {name:<18} {}\n", argument.get_help().map(ToString::to_string).unwrap_or_default());
    }
    text += "  -h, --help         Help on the program or a command\n  -V, --version      The version\n";
    text + "\n`wl` alone shows how things stand. `wl COMMAND --help` has examples; `wl help agents` is the page\n\
            for agents; other topics: exit-codes, environment, formats, json.\n"
}

/// What the reader of arguments has to say.
pub(crate) fn mistyped(error: &clap::Error) -> Failure {
    let message = error.render().to_string();
    let lines = message.lines().map(str::trim).filter(|it| !it.is_empty());
    let said: Vec<&str> = lines.take_while(|it| !it.starts_with("Usage:")).collect();
    let (tips, said): (Vec<&str>, Vec<&str>) = said.into_iter().partition(|it| it.starts_with("tip:"));
    let message =
        said.join(" ").trim_start_matches("error: ").replace(" For more information, try '--help'.", "");
    let of = command_typed().map(|it| format!(" {it}")).unwrap_or_default();
    let tip = tips.first().map(|it| it.trim_start_matches("tip:").trim().to_owned());
    let hint = tip.unwrap_or_else(|| format!("`wl{of} --help` shows what can be typed"));
    let is_value = matches!(
        error.kind(),
        clap::error::ErrorKind::InvalidValue | clap::error::ErrorKind::ValueValidation
    );
    let code = if is_value { "invalid" } else { "usage" };
    Failure { code, message, hint: Some(hint), data: Object::new(), exit: USAGE }
}

/// The command that was typed, if it is one.
fn command_typed() -> Option<String> {
    let command = Args::command();
    let mut typed = std::env::args().skip(1);
    typed.find(|it| command.find_subcommand(it).is_some())
}
