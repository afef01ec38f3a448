//! `wl convert`: moves a list to another format, in its place or to another folder, with its history.

use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, FAINT, counted, paint, visible},
    shared::Shared,
};
use clap::Args;
use std::path::{Path, PathBuf};
use worklist::{
    Error, Options, Refusal, TaskList,
    format::{FORMATS, named},
    json::{Json, Object},
    transfer::{
        convert::in_place,
        suit::{Suited, suit},
    },
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl convert s12               # in its place; the old files are kept beside it
  wl convert tasks-json ../copy
  wl convert v6 --dry-run      # only say what would not fit
  wl convert postgres://db.example/team#release    # a copy in a team's database, with its history
  wl convert claude .tasks --store postgres://db.example/team --list release   # and back";

/// So many renamed tasks are listed.
const LISTED: usize = 10;

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// The format to move to, or a list in a database: `postgres://HOST/DATABASE#LIST`
    #[arg(value_name = "FORMAT", value_parser = target)]
    pub(crate) to: String,
    /// A folder for the new list; without it the list is converted in its place
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::DirPath)]
    pub(crate) path: Option<PathBuf>,
    /// Only say what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Also if others are at work on its tasks
    #[arg(long)]
    pub(crate) force: bool,
}

pub(super) fn run(context: &Context, args: &ConvertArgs) -> Result<Answer, Failure> {
    let list = context.open()?;
    let from = list.format().map_or("postgres", |it| it.shape().name);
    if Shared::is_meant(&args.to) {
        return to_database(context, args, &list, from);
    }
    if context.shared.is_some() && args.path.is_none() && !args.dry_run {
        let hint = "name a folder for the files: `wl convert FORMAT PATH`";
        return Err(Failure::invalid(
            "PATH",
            "is missing: a list in a database has no place for files",
            Some(hint),
        ));
    }
    if args.path.is_none() && from == args.to {
        let text = format!("The list is in format {from} already; nothing was done.\n");
        return Ok(Answer::new(
            text,
            Object::new().with("from", from).with("to", from).with("converted", false),
        ));
    }
    let progress = context.output.progress("converting");
    let format = named(&args.to).ok_or_else(|| Failure::invalid("format", "is not known", None))?;
    let (suited, kept) = match (&args.path, args.dry_run) {
        (_, true) => (suit(&list.whole()?, format), None),
        (Some(path), false) => (copy(context, &list, &args.to, path)?, None),
        (None, false) => {
            refuse_while_at_work(&list, args.force)?;
            let (suited, kept) = in_place(&context.folder, &list, format, &context.options)?;
            (suited, Some(kept))
        }
    };
    drop(progress);
    Ok(answer(context, args, from, &suited, kept.as_deref()))
}

/// A format, or the address of a database.
fn target(text: &str) -> Result<String, String> {
    let known: Vec<&str> = FORMATS.iter().map(|it| it.shape().name).collect();
    if Shared::is_meant(text) || known.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(format!("must be one of {}, or postgres://HOST/DATABASE#LIST", known.join(", ")))
}

/// A copy in a database. The files stay as they are.
fn to_database(
    context: &Context,
    args: &ConvertArgs,
    list: &TaskList,
    from: &str,
) -> Result<Answer, Failure> {
    let shared = Shared::new(&args.to, None);
    let whole = list.whole()?;
    if !args.dry_run {
        context.in_store(&shared).make()?.found(&whole)?;
    }
    let suited = Suited { whole, renamed: Vec::new(), beside: Vec::new() };
    let args = ConvertArgs { to: "postgres".to_owned(), path: None, ..*args };
    let mut answer = answer(&context.in_store(&shared), &args, from, &suited, None);
    answer.text += "  the old list is as it was; let nobody go on in it\n";
    Ok(answer)
}

fn options(context: &Context, format: &str) -> Options {
    Options { format: Some(format.to_owned()), ..context.options.clone() }
}

fn copy(context: &Context, list: &TaskList, format: &str, path: &Path) -> Result<Suited, Failure> {
    let target = context.at(path);
    let options = Options { mirror: None, follow_link: true, ..options(context, format) };
    let new = TaskList::create(&target.folder, &options)?;
    let shape = new.format().ok_or_else(|| Failure::invalid("format", "is not known", None))?;
    let suited = suit(&list.whole()?, shape);
    new.found(&suited.whole)?;
    Ok(suited)
}

/// Whoever is at work by an old id would not find it again.
fn refuse_while_at_work(list: &TaskList, force: bool) -> Result<(), Failure> {
    let board = list.board()?;
    let busy = board.tasks.iter().find(|it| it.claim.is_some()).filter(|_| !force);
    match busy {
        None => Ok(()),
        Some(view) => {
            let by = view.claim.as_ref().map(|it| it.by.agent.clone());
            let refusal =
                Refusal::AlreadyClaimed { id: view.task.id.clone(), by, until: view.until, mine: false };
            let mut failure = Failure::from(Error::Refused(refusal));
            failure.hint =
                Some("wait until it is done or released; --force converts all the same".to_owned());
            Err(failure)
        }
    }
}

fn answer(context: &Context, args: &ConvertArgs, from: &str, suited: &Suited, kept: Option<&Path>) -> Answer {
    let place = args.path.as_ref().map_or_else(|| PathBuf::from(context.shown()), |it| context.here.join(it));
    let place = place.display().to_string();
    let verb = if args.dry_run { "Would convert" } else { "Converted" };
    let count = suited.whole.entries.len();
    let mut text = format!(
        "{verb} {} and {} from {from} to {} at {}\n",
        counted(count, "task"),
        counted(suited.whole.events.len(), "event"),
        args.to,
        visible(&place)
    );
    for (old, new) in suited.renamed.iter().take(LISTED) {
        text += &format!("  #{} is #{new} now\n", visible(old.as_str()));
    }
    if suited.renamed.len() > LISTED {
        text += &format!("  … and {} more have another id\n", suited.renamed.len() - LISTED);
    }
    for (field, count) in &suited.beside {
        text += &format!(
            "  no place in the files for {} ({}): kept in .worklist/, other programs do not see it\n",
            field.name(),
            counted(*count, "task")
        );
    }
    if let Some(kept) = kept {
        text +=
            &format!("  {} {}\n", paint(FAINT, "the old files are at"), visible(&kept.display().to_string()));
    }
    let renamed = suited
        .renamed
        .iter()
        .map(|(old, new)| (old.to_string(), Json::from(new.as_str())))
        .collect::<Object>();
    let beside = suited
        .beside
        .iter()
        .map(|(field, count)| (field.name().to_owned(), Json::from(*count)))
        .collect::<Object>();
    let mut json = Object::new()
        .with("from", from)
        .with("to", args.to.as_str())
        .with("dir", place)
        .with("converted", !args.dry_run)
        .with("tasks", count)
        .with("events", suited.whole.events.len())
        .with("renamed", renamed)
        .with("beside", beside);
    json.set_some("kept", kept.map(|it| it.display().to_string()));
    Answer::new(text, json)
}
