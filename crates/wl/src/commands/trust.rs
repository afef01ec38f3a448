//! `wl trust`: allows the hooks that a list brings along, as they are now. A change of the file ends it.
#![expect(clippy::disallowed_methods, reason = "what is trusted is the text of a file")]

use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, visible, visible_lines},
    settings::{LISTS, Trust, trusted},
};
use clap::Args;
use std::{fs, io::ErrorKind};
use worklist::json::Object;

pub(super) const EXAMPLES: &str = "\
Examples:
  wl trust                     # shows what would be run; changes nothing
  wl trust --yes               # allows it, as it is now
  wl trust --revoke

A list can come with a repository. What it would run on your machine runs only after you said so,
and only while neither the text nor the place of the file changes.";

#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// Allow what the list's file says now
    #[arg(long, conflicts_with = "revoke")]
    pub(crate) yes: bool,
    /// Take it back
    #[arg(long)]
    pub(crate) revoke: bool,
}

pub(super) fn run(context: &Context, args: &TrustArgs) -> Result<Answer, Failure> {
    let file = context.folder.join(LISTS);
    let place = file.display().to_string();
    let Some(state) = &context.state else {
        return Err(Failure::invalid("HOME", "is not set: there is no place to remember trust", None));
    };
    let mut trust = Trust::load(state);
    if args.revoke {
        let was = trust.remove(&file);
        trust.save()?;
        let said = if was { "Not trusted any more:" } else { "It was not trusted:" };
        return Ok(answer(format!("{said} {}\n", visible(&place)), &place, false));
    }
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let nothing = format!("This list brings nothing along: there is no {}\n", visible(&place));
            return Ok(answer(nothing, &place, false));
        }
        Err(error) => return Err(Failure::other(&format!("read {}", visible(&place)), &error)),
    };
    if args.yes {
        trust.add(&file, &text)?;
        return Ok(answer(format!("Trusted, as it is now: {}\n", visible(&place)), &place, true));
    }
    let is = trusted(state, &file, &text);
    let said = if is { "This is trusted" } else { "This is not trusted; `wl trust --yes` allows it" };
    Ok(answer(format!("{}\n\n{said}.\n", visible_lines(text.trim_end())), &place, is))
}

fn answer(text: String, file: &str, trusted: bool) -> Answer {
    Answer::new(text, Object::new().with("file", file).with("trusted", trusted))
}
