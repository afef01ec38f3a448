//! `wl import`: takes tasks in from an export of a list, or from another program. All of it or nothing.
#![expect(clippy::disallowed_methods, reason = "what is imported is a file of the user's choice")]

use super::typed;
use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, FAINT, counted, paint, visible},
};
use clap::Args;
use std::{fs, path::Path};
use worklist::{
    Command, Options, Task, TaskList, Whole,
    format::named,
    json::{Json, Object},
    transfer::{
        beads, lines,
        suit::{drop_strangers, fits, suit},
    },
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl import tasks.jsonl        # an export of a list: into an empty one with its history
  wl import .beads/issues.jsonl
  ssh host wl export | wl import -
  wl import tasks.jsonl --dry-run

Ids that are taken or do not suit the format are given anew; `wl show` has the old one.";

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The file, or `-` for standard input
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) file: String,
    /// Only say what would be taken
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// What a file holds.
enum Source {
    /// A list of ours, and its format.
    Export(Box<Whole>, String),
    /// Issues of beads.
    Beads(beads::Imported),
}

/// What is to be said about an import.
#[derive(Default)]
struct Report {
    source: &'static str,
    taken: usize,
    events: usize,
    renamed: usize,
    notes: Vec<String>,
}

pub(super) fn run(context: &Context, args: &ImportArgs) -> Result<Answer, Failure> {
    let progress = context.output.progress("reading");
    let source = read(&args.file)?;
    progress.now("taking it in");
    let report = match source {
        Source::Export(whole, format) => import_list(context, &whole, &format, args.dry_run)?,
        Source::Beads(imported) => import_beads(context, imported, args.dry_run)?,
    };
    drop(progress);
    Ok(answer(context, args, &report))
}

fn read(file: &str) -> Result<Source, Failure> {
    let text = match file {
        "-" => typed::input("the import")?,
        file => {
            let failed = |error: std::io::Error| Failure::other(&format!("read {file}"), &error);
            let bytes = fs::read(Path::new(file)).map_err(failed)?;
            String::from_utf8(bytes).map_err(|_| Failure::invalid(file, "is not UTF-8", None))?
        }
    };
    let wrong = |line: usize, reason: &str| {
        let what = format!("{file}, line {line}:");
        Failure::invalid(&what, reason, Some("nothing was imported"))
    };
    if lines::is_export(&text) {
        let (whole, format) = lines::import(&text).map_err(|it| wrong(it.line, &it.reason))?;
        return Ok(Source::Export(Box::new(whole), format));
    }
    beads::read(&text).map(Source::Beads).map_err(|it| wrong(it.line, &it.reason))
}

/// A list of ours: into a list that is new or empty with all it knows, else its tasks.
fn import_list(context: &Context, whole: &Whole, format: &str, dry_run: bool) -> Result<Report, Failure> {
    let mut report = Report { source: "export", taken: whole.entries.len(), ..Report::default() };
    let there = match context.open() {
        Err(failure) if failure.code == "no_list" => None,
        list => Some(list?),
    };
    let empty = there.as_ref().map_or(Ok(true), |it| it.whole().map(|it| it.is_empty()))?;
    if !empty {
        report.notes.push(format!(
            "the list has tasks already: the export's history ({}) stays behind",
            counted(whole.events.len(), "event")
        ));
        let tasks = whole.entries.iter().map(|it| it.task.clone()).collect();
        return import_tasks(context, tasks, report, dry_run);
    }
    let wanted = there.as_ref().and_then(TaskList::format).map(|it| it.shape().name);
    let wanted = wanted.or(context.options.format.as_deref()).unwrap_or(format);
    let target = named(wanted).or_else(|| named("claude"));
    let suited = target.map(|it| suit(whole, it));
    report.events = whole.events.len();
    report.renamed = suited.as_ref().map_or(0, |it| it.renamed.len());
    if dry_run {
        return Ok(report);
    }
    let options = Options { format: Some(wanted.to_owned()), ..context.options.clone() };
    let list = match there {
        Some(list) => list,
        None if context.shared.is_some() => context.make()?,
        None => TaskList::create(&context.folder, &options)?,
    };
    list.found(suited.as_ref().map_or(whole, |it| &it.whole))?;
    Ok(report)
}

fn import_beads(context: &Context, imported: beads::Imported, dry_run: bool) -> Result<Report, Failure> {
    let mut report = Report { source: "beads", taken: imported.tasks.len(), ..Report::default() };
    let parents = imported.tasks.iter().filter(|it| it.parent.is_some()).count();
    report.notes.extend(said(&imported.report, parents));
    import_tasks(context, imported.tasks, report, dry_run)
}

/// What beads' issues lost or changed on the way, one line each.
fn said(report: &beads::Report, parents: usize) -> Vec<String> {
    let line = |verb: &str, it: &beads::Finding| {
        let examples = it.examples.join(", ");
        let more = if it.count > it.examples.len() { ", …" } else { "" };
        format!("{verb} {} ({}: {examples}{more})", it.what, it.count)
    };
    let whole = format!(
        "{} issues: {} tasks, {} edges, {parents} parents",
        report.issues, report.taken, report.edges
    );
    let changed = report.changed.iter().map(|it| line("changed:", it));
    let left_out = report.left_out.iter().map(|it| line("left out:", it));
    std::iter::once(whole).chain(changed).chain(left_out).collect()
}

/// Tasks into a list that may have others: one change, which can be taken back.
fn import_tasks(
    context: &Context,
    mut tasks: Vec<Task>,
    mut report: Report,
    dry_run: bool,
) -> Result<Report, Failure> {
    let dropped = drop_strangers(&mut tasks);
    if dropped > 0 {
        report.notes.push(format!("{dropped} edges to tasks that are not in the file were left out"));
    }
    if dry_run {
        let format = context.open().ok().and_then(|it| it.format()).or_else(|| named("claude"));
        report.renamed = format.map_or(0, |format| tasks.iter().filter(|it| !fits(format, &it.id)).count());
        return Ok(report);
    }
    let command = Command::Import(tasks);
    if matches!(context.open(), Err(failure) if failure.code == "no_list") {
        // What would be refused anyway makes no list.
        TaskList::in_memory().rehearse(&context.actor, &command)?;
    }
    let (list, _) = context.open_or_make()?;
    let outcome = list.run(&context.actor, &command)?;
    let names = outcome.decision.plan.map(|it| it.names).unwrap_or_default();
    report.renamed = names.iter().filter(|(old, new)| old != new.as_str()).count();
    if let Some(event) = outcome.event {
        report.notes.push(format!("`wl undo {}` takes it back", event.seq));
    }
    Ok(report)
}

fn answer(context: &Context, args: &ImportArgs, report: &Report) -> Answer {
    let verb = if args.dry_run { "Would import" } else { "Imported" };
    let place = context.shown();
    let mut text = format!("{verb} {}", counted(report.taken, "task"));
    if report.events > 0 {
        text += &format!(" and {}", counted(report.events, "event"));
    }
    text += &format!(" from {} into {}\n", visible(&args.file), visible(&place));
    let mut notes = report.notes.clone();
    if report.renamed > 0 {
        notes.insert(0, format!("{} ids do not suit this list or are taken: given anew", report.renamed));
    }
    for note in &notes {
        text += &format!("  {} {}\n", paint(FAINT, "-"), visible(note));
    }
    let json = Object::new()
        .with("source", report.source)
        .with("dir", place)
        .with("imported", report.taken)
        .with("events", report.events)
        .with("renamed", report.renamed)
        .with("notes", Json::strings(&notes))
        .with("dryRun", args.dry_run);
    Answer::new(text, json)
}
