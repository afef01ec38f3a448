//! `wl completions`: the script by which a shell asks this program what could be typed next, ids and subjects included.

use crate::{
    failure::Failure,
    output::{Answer, Document},
};
use clap::{Args, ValueEnum};
use clap_complete::env::Shells;

pub(super) const EXAMPLES: &str = "\
Examples:
  echo 'source <(wl completions bash)' >> ~/.bashrc
  echo 'source <(wl completions zsh)' >> ~/.zshrc
  wl completions fish > ~/.config/fish/completions/wl.fish
  wl completions powershell >> $PROFILE";

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// The shells that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Elvish,
}

impl Shell {
    fn name(self) -> &'static str {
        match self {
            Shell::Bash => "bash",
            Shell::Zsh => "zsh",
            Shell::Fish => "fish",
            Shell::Powershell => "powershell",
            Shell::Elvish => "elvish",
        }
    }
}

pub(super) fn run(args: &CompletionsArgs) -> Result<Answer, Failure> {
    let shells = Shells::builtins();
    let mut script = Vec::new();
    if let Some(shell) = shells.completer(args.shell.name()) {
        let written = shell.write_registration(crate::complete::VARIABLE, "wl", "wl", "wl", &mut script);
        written.map_err(|error| Failure::other("write the script", &error))?;
    }
    let text = String::from_utf8_lossy(&script).into_owned();
    Ok(Answer { text, json: Document::Text, ..Answer::default() })
}
