//! Reading what was typed without declaring every command first: agents call a few of them hundreds of times an hour.
//! Not another grammar: the same declarations, fewer of them. What they do not take is left to the whole, which also has
//! all the help and the mistakes to explain.

use super::{
    add::AddArgs, call::CallArgs, changes::ChangesArgs, claim::ClaimArgs, done::DoneArgs, edit::EditArgs,
    guard::GuardArgs, heartbeat::HeartbeatArgs, hook::HookArgs, list::ListArgs, mcp::McpArgs, next::NextArgs,
    ready::ReadyArgs, release::ReleaseArgs, show::ShowArgs, why::WhyArgs,
};
use crate::args::{Args, Global};
use clap::{Args as Group, Command, FromArgMatches, error::ErrorKind};
use std::ffi::OsString;

/// Declares what a command takes.
type Declare = fn(Command) -> Command;

/// The commands that are called most, and what each takes.
const OFTEN: &[(&str, Declare)] = &[
    ("add", AddArgs::augment_args),
    ("call", CallArgs::augment_args),
    ("changes", ChangesArgs::augment_args),
    ("claim", ClaimArgs::augment_args),
    ("done", DoneArgs::augment_args),
    ("edit", EditArgs::augment_args),
    ("guard", GuardArgs::augment_args),
    ("heartbeat", HeartbeatArgs::augment_args),
    ("hook", HookArgs::augment_args),
    ("list", ListArgs::augment_args),
    ("mcp", McpArgs::augment_args),
    ("next", NextArgs::augment_args),
    ("ready", ReadyArgs::augment_args),
    ("release", ReleaseArgs::augment_args),
    ("show", ShowArgs::augment_args),
    ("why", WhyArgs::augment_args),
];

/// What was typed, or what is to be printed instead.
pub(crate) fn parse() -> Result<Args, clap::Error> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    match few(&typed) {
        Some(parsed) => parsed,
        None => Args::from_arg_matches(&super::command().try_get_matches_from(typed)?),
    }
}

/// By the declarations of one command alone; none if they do not take it.
fn few(typed: &[OsString]) -> Option<Result<Args, clap::Error>> {
    // Whatever else has the name of a command makes this fail, or is read as it would be by the whole.
    let one = OFTEN.iter().find(|(name, _)| typed.iter().skip(1).any(|it| it == name));
    let bare = Command::new("wl").version(env!("CARGO_PKG_VERSION")).disable_help_subcommand(true);
    let global = Global::augment_args(bare);
    let command = match one {
        Some((name, augment)) => global.subcommand(augment(Command::new(*name)).disable_version_flag(true)),
        None if typed.len() == 2 => global,
        None => return None,
    };
    match command.try_get_matches_from(typed) {
        Ok(matches) => Args::from_arg_matches(&matches).ok().filter(|it| it.command.is_some()).map(Ok),
        Err(error) if error.kind() == ErrorKind::DisplayVersion && one.is_none() => Some(Err(error)),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    /// What the few take, the whole takes in the same way.
    #[test]
    fn the_few_read_as_the_whole_does() {
        let mut taken = 0;
        for line in [
            "wl show 7",
            "wl show #7 --json",
            "wl --dir show show 7",
            "wl --dir show list",
            "wl --dir list show",
            "wl --as claim claim 1 --no-start",
            "wl add show",
            "wl add -- --json",
            "wl add subject -d - --after 1 --tag list",
            "wl claim 1 --lease 5m -q",
            "wl done 1 --token 5",
            "wl next --wait",
            "wl next --wait 10m --tag x",
            "wl ready --limit 3",
            "wl list --all --status pending",
            "wl ls",
            "wl edit 1 --status pending",
            "wl hook PreToolUse",
            "wl mcp --tools ours",
            "wl call TaskList {}",
            "wl nonsense",
            "wl show",
            "wl show 7 --help",
            "wl --help",
            "wl help show",
            "wl show --version",
            "wl -q -v show 7",
        ] {
            let typed = words(line);
            let whole = super::super::command().try_get_matches_from(&typed);
            let whole = whole.and_then(|it| Args::from_arg_matches(&it));
            if let Some(Ok(few)) = few(&typed) {
                taken += 1;
                assert_eq!(format!("{few:?}"), format!("{:?}", whole.expect(line)), "{line}");
            }
        }
        assert!(taken > 15, "{taken}");
    }

    #[test]
    fn the_version_is_the_same() {
        let typed = words("wl --version");
        let said = few(&typed).expect("taken").expect_err("a version").to_string();
        let whole = super::super::command().try_get_matches_from(&typed).expect_err("a version").to_string();
        assert_eq!(said, whole);
    }

    #[test]
    fn they_are_commands() {
        let whole = Args::command();
        assert!(OFTEN.iter().all(|(name, _)| whole.find_subcommand(name).is_some()));
    }
}
