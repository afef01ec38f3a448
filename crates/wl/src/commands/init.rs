//! `wl init`: makes a list, or says that there is one.

use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, visible},
};
use clap::Args;
use std::path::PathBuf;
use worklist::{TaskList, json::Object};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl init                      # .tasks/ at the repository's root, or here
  wl init --format s12         # in another format
  wl init --list release-2     # a named list beside Claude Code's own
  wl init plans/tasks          # in a folder of your choice
  wl init --store postgres://db.example/team --list release   # in a team's database";

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The list's folder; without it `.tasks/` at the repository's root, or here
    #[arg(conflicts_with_all = ["dir", "list"], value_hint = clap::ValueHint::DirPath)]
    pub(crate) path: Option<PathBuf>,
}

pub(super) fn run(context: &Context, args: &InitArgs) -> Result<Answer, Failure> {
    let context = match &args.path {
        Some(path) => &context.at(path),
        None if context.place.is_named() => context,
        None => &context.at_root(),
    };
    let made = match &context.shared {
        Some(_) => context.open_if_there()?.is_none(),
        None => TaskList::open(&context.folder, &context.options).is_err(),
    };
    let list = context.make()?;
    let format = list.format().map_or("postgres", |it| it.shape().name);
    let place = context.shown();
    let said = if made { "Made a list at" } else { "There is a list already at" };
    let mut text = format!("{said} {} (format {format})\n", visible(&place));
    if made {
        text += "Next: `wl add SUBJECT` creates a task, `wl plan FILE` a whole graph.\n";
    }
    let json = Object::new().with("dir", place).with("format", format).with("created", made);
    Ok(Answer::new(text, json))
}
