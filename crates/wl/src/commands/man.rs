//! `wl man`: manual pages, made from the same declarations as the help.
#![expect(clippy::disallowed_methods, reason = "pages can be written to a folder of the user's choice")]

use super::help::command;
use crate::{
    failure::Failure,
    output::{Answer, Document, visible},
};
use clap::Args;
use clap_mangen::Man;
use std::{
    fs,
    path::{Path, PathBuf},
};
use worklist::json::Object;

pub(super) const EXAMPLES: &str = "\
Examples:
  wl man | man -l -
  wl man claim | man -l -
  wl man --out ~/.local/share/man/man1";

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The page of this command; without it the page of the program
    #[arg(conflicts_with = "out")]
    pub(crate) command: Option<String>,
    /// Write all pages into this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

pub(super) fn run(args: &ManArgs) -> Result<Answer, Failure> {
    let whole = command();
    if let Some(folder) = &args.out {
        return write_all(&whole, folder);
    }
    let page = match &args.command {
        None => page(whole)?,
        Some(name) => page(super::help::find(&whole, name)?)?,
    };
    Ok(Answer { text: page, json: Document::Text, ..Answer::default() })
}

fn page(command: clap::Command) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    Man::new(command).render(&mut bytes).map_err(|error| Failure::other("write the page", &error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn write_all(whole: &clap::Command, folder: &Path) -> Result<Answer, Failure> {
    let failed = |error: std::io::Error| Failure::other(&format!("write to {}", folder.display()), &error);
    fs::create_dir_all(folder).map_err(failed)?;
    let mut pages = vec![("wl.1".to_owned(), page(whole.clone())?)];
    for name in whole.get_subcommands().map(|it| it.get_name().to_owned()) {
        pages.push((format!("wl-{name}.1"), page(super::help::find(whole, &name)?)?));
    }
    for (name, text) in &pages {
        fs::write(folder.join(name), text).map_err(failed)?;
    }
    let place = folder.display().to_string();
    let text = format!("Wrote {} pages to {}\n", pages.len(), visible(&place));
    Ok(Answer::new(text, Object::new().with("pages", pages.len()).with("dir", place)))
}
