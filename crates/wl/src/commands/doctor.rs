//! `wl doctor`: looks a list over, and mends what is safe to mend.

use crate::{
    context::Context,
    failure::{FAILED, Failure},
    output::{Answer, BOLD, BUSY, FAINT, GOOD, WAITS, WRONG, counted, difference, paint, visible},
};
use clap::Args;
use worklist::{
    TaskList,
    doctor::{Examination, Finding, Mended, Severity},
    json::{Json, Object},
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl doctor                    # what is wrong, and what to do about it; exit code 1 if anything is
  wl doctor --fix --dry-run    # shows what would be changed
  wl doctor --fix              # shows the changes and makes them
  wl doctor --undo             # takes the last mend back, byte for byte";

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Mend what is safe to mend; what is replaced is kept
    #[arg(long)]
    pub(crate) fix: bool,
    /// With --fix: only show what would be changed
    #[arg(long, requires = "fix")]
    pub(crate) dry_run: bool,
    /// Take a mend back: the last one, or that of a number
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "0", conflicts_with = "fix")]
    pub(crate) undo: Option<u64>,
}

pub(super) fn run(context: &Context, args: &DoctorArgs) -> Result<Answer, Failure> {
    if let Some(number) = args.undo {
        // Mends are counted from 1: 0 is what stands for no number.
        return take_back(context, Some(number).filter(|it| *it > 0));
    }
    let look = examine(context)?;
    let mendable: Vec<Finding> = look.findings.iter().filter(|it| it.mend.is_some()).cloned().collect();
    let mut text =
        heading(context, &look) + &look.findings.iter().map(|it| told(it, args.fix)).collect::<String>();
    let mut json = json(context, &look);
    let mut left = worst(&look.findings);
    if args.fix && !mendable.is_empty() {
        text += &shown(&mendable);
        if !args.dry_run {
            // The difference is seen before anything is changed, also if that takes long or fails.
            context.output.early(&std::mem::take(&mut text));
            let mended = context.open()?.mend(&context.actor, &mendable)?;
            let after = examine(context)?;
            left = worst(&after.findings);
            text += &mended_text(&mended);
            json.set("mended", mended_json(&mended));
            json.set("healthy", left < Severity::Warning);
        }
    }
    text += &verdict(&look, mendable.len(), args, left);
    let exit = if left == Severity::Fault { FAILED } else { 0 };
    Ok(Answer { exit, ..Answer::new(text, json) })
}

fn examine(context: &Context) -> Result<Examination, Failure> {
    let bar = context.output.progress("looking the list over");
    if context.shared.is_some() {
        return Ok(context.open()?.examine(&mut |done, total| bar.at(done, total))?);
    }
    Ok(TaskList::examine_folder(&context.folder, &context.options, &mut |done, total| bar.at(done, total))?)
}

fn worst(findings: &[Finding]) -> Severity {
    findings.iter().map(|it| it.severity).max().unwrap_or(Severity::Note)
}

fn heading(context: &Context, look: &Examination) -> String {
    let place = visible(&context.shown());
    let format = match look.format {
        "" if context.shared.is_some() => "postgres",
        "" => "format unclear",
        format => format,
    };
    let size = look.journal_bytes.div_ceil(1024);
    let about = format!(
        "{format}, {}, {} in {size} KiB of journal",
        counted(look.tasks, "task"),
        counted(look.events, "event")
    );
    format!("{} {}\n", paint(BOLD, &place), paint(FAINT, &format!("({about})")))
}

fn told(it: &Finding, fix: bool) -> String {
    let style = match it.severity {
        Severity::Fault => WRONG,
        Severity::Warning => BUSY,
        Severity::Note => FAINT,
    };
    let line = it.line.map(|it| format!(":{it}")).unwrap_or_default();
    let place = match (&it.file, &it.task) {
        (Some(file), _) => format!("{file}{line}: "),
        (None, Some(task)) => format!("#{task}: "),
        (None, None) => String::new(),
    };
    let name = format!("{:<8}", it.severity.name());
    let mut text = format!(
        "{} {}{} {}\n",
        paint(style, &name),
        visible(&place),
        visible(&it.message),
        paint(FAINT, it.code)
    );
    let mend = it.mend.as_ref().filter(|_| !fix).map(|it| format!("--fix would: {}", it.what));
    let advice = mend.or_else(|| it.advice.clone().filter(|_| it.mend.is_none()));
    if let Some(advice) = advice {
        text += &format!("{:<8} {}\n", "", paint(FAINT, &visible(&advice)));
    }
    text
}

/// What the mends would do to the files, line by line.
fn shown(mendable: &[Finding]) -> String {
    let mut text = String::new();
    for mend in mendable.iter().filter_map(|it| it.mend.as_ref()) {
        text += &format!("\n{}\n", paint(BOLD, &visible(&mend.what)));
        for diff in &mend.files {
            text += &format!("  {}\n", visible(&diff.file));
            let lines = difference(diff.before.as_deref().unwrap_or(""), diff.after.as_deref().unwrap_or(""));
            for (sign, line) in lines {
                let style = if sign == '+' { GOOD } else { WAITS };
                text += &format!("    {}\n", paint(style, &format!("{sign} {}", visible(&line))));
            }
        }
    }
    text
}

fn mended_text(mended: &Mended) -> String {
    let mut text = String::from("\n");
    for it in &mended.done {
        let what = it.mend.as_ref().map(|it| it.what.clone()).unwrap_or_default();
        text += &format!("{} {}\n", paint(GOOD, "done:"), visible(&what));
    }
    for (it, reason) in &mended.left {
        text += &format!("{} {}: {}\n", paint(BUSY, "left alone"), visible(&it.message), visible(reason));
    }
    if mended.number.is_some() {
        text += "`wl doctor --undo` takes it back.\n";
    }
    text
}

fn verdict(look: &Examination, mendable: usize, args: &DoctorArgs, left: Severity) -> String {
    let count = |severity| look.findings.iter().filter(|it| it.severity == severity).count();
    if look.findings.is_empty() {
        return format!("{}\n", paint(GOOD, "Nothing is wrong."));
    }
    if args.fix && !args.dry_run && left < Severity::Warning {
        return format!("{}\n", paint(GOOD, "The list is well now."));
    }
    let mut text = format!(
        "
{}, {}, {}",
        counted(count(Severity::Fault), "fault"),
        counted(count(Severity::Warning), "warning"),
        counted(count(Severity::Note), "note")
    );
    if mendable > 0 && !args.fix {
        text += &format!("; `wl doctor --fix` mends {mendable} of them");
    }
    text + "\n"
}

fn json(context: &Context, look: &Examination) -> Object {
    let findings = look.findings.iter().map(|it| Json::Object(finding_json(it))).collect();
    Object::new()
        .with("dir", context.shown())
        .with("format", look.format)
        .with("healthy", worst(&look.findings) < Severity::Warning)
        .with("tasks", look.tasks)
        .with("events", look.events)
        .with("journalBytes", look.journal_bytes)
        .with("sessions", look.sessions)
        .with("quarantined", look.quarantined)
        .with("findings", Json::Array(findings))
}

fn finding_json(it: &Finding) -> Object {
    let mut object = Object::new()
        .with("code", it.code)
        .with("severity", it.severity.name())
        .with("message", it.message.as_str());
    object.set_some("file", it.file.as_deref());
    object.set_some("line", it.line);
    object.set_some("task", it.task.as_ref().map(worklist::TaskId::as_str));
    object.set_some("advice", it.advice.as_deref());
    object.set_some("mend", it.mend.as_ref().map(|it| it.what.as_str()));
    object
}

fn mended_json(mended: &Mended) -> Object {
    let done = mended.done.iter().map(|it| Json::Object(finding_json(it))).collect();
    let left =
        mended.left.iter().map(|(it, reason)| Json::Object(finding_json(it).with("reason", reason.as_str())));
    let mut object = Object::new().with("done", Json::Array(done)).with("left", Json::Array(left.collect()));
    object.set_some("number", mended.number);
    object
}

fn take_back(context: &Context, number: Option<u64>) -> Result<Answer, Failure> {
    let Some(back) = context.open()?.unmend(&context.actor, number)? else {
        let message = match number {
            Some(number) => format!("there is no mend {number} to take back"),
            None => "there is no mend to take back".to_owned(),
        };
        return Err(Failure { code: "no_event", message, hint: None, data: Object::new(), exit: 4 });
    };
    let mut text = format!("Took back mend {}\n", back.number);
    for file in &back.back {
        text += &format!("  {} is as it was\n", visible(file));
    }
    for file in &back.changed {
        text += &format!("  {} {} was changed since and stays\n", paint(BUSY, "left alone"), visible(file));
    }
    let json = Object::new()
        .with("number", back.number)
        .with("back", Json::strings(&back.back))
        .with("changed", Json::strings(&back.changed));
    Ok(Answer::new(text, json))
}
