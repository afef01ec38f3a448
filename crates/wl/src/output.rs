//! How answers look, as text and as JSON. The only file that prints.

use crate::failure::{FAILED, Failure, USAGE};
use std::{io::Write, process::ExitCode};
use worklist::{
    State, Status, TaskView,
    json::{Json, Object, Style, write},
    portable::task_to_json,
    store::Problem,
};

/// What a command has to say: lines for people, one document for scripts.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) json: Object,
    pub(crate) warnings: Vec<String>,
}

/// Prints an answer.
pub(crate) fn answer(answer: &Answer, json: bool) -> ExitCode {
    for warning in &answer.warnings {
        complain(&format!("warning: {}", visible(warning)));
    }
    let text = if json {
        let mut object = answer.json.clone();
        if !answer.warnings.is_empty() {
            object.set("warnings", Json::strings(&answer.warnings));
        }
        write(&Json::Object(object), Style::JAVASCRIPT, "") + "\n"
    } else {
        answer.text.clone()
    };
    // Whoever stopped reading has read enough.
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(FAILED),
        _ => ExitCode::SUCCESS,
    }
}

/// Prints a failure.
pub(crate) fn failure(failure: &Failure, json: bool) -> ExitCode {
    if json {
        let mut error = Object::new().with("code", failure.code).with("message", failure.message.as_str());
        error.set_some("hint", failure.hint.as_deref());
        for (key, value) in failure.data.iter() {
            error.set(key, value.clone());
        }
        let text = write(&Json::Object(Object::new().with("error", error)), Style::JAVASCRIPT, "") + "\n";
        // The exit code says it, too: where nobody listens, nothing more can be done.
        _ = std::io::stdout().write_all(text.as_bytes());
    } else {
        complain(&format!("error: {}", visible(&failure.message)));
        if let Some(hint) = &failure.hint {
            complain(&format!("hint: {}", visible(hint)));
        }
    }
    ExitCode::from(failure.exit)
}

/// A line on standard error, if anybody can read it.
fn complain(line: &str) {
    _ = writeln!(std::io::stderr(), "{line}");
}

/// Prints what the reader of arguments has to say: help on standard output, mistakes on standard error.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os().any(|it| it == "--json");
    if error.use_stderr() && wants_json {
        let message = error.render().to_string();
        let lines = message.lines().map(str::trim).filter(|it| !it.is_empty());
        let said: Vec<&str> = lines.take_while(|it| !it.starts_with("Usage:")).collect();
        let message = said.join(" ").trim_start_matches("error: ").to_owned();
        let hint = Some("`wl --help` shows what can be typed".to_owned());
        return failure(&Failure { code: "usage", message, hint, data: Object::new(), exit: USAGE }, true);
    }
    // Nothing can be done about a terminal that is gone.
    _ = error.print();
    if error.use_stderr() { ExitCode::from(USAGE) } else { ExitCode::SUCCESS }
}

/// A task as JSON, with what follows from the rest of the list.
pub(crate) fn task_json(view: &TaskView) -> Object {
    let mut object = task_to_json(&view.task);
    object.set("state", view.state.name());
    object.set("openBlockers", Json::strings(&view.open_blockers));
    if view.parked {
        object.set("parked", true);
    }
    if let Some(claim) = &view.claim {
        let mut claim = Object::new()
            .with("token", claim.token)
            .with("agent", claim.by.agent.as_str())
            .with("session", claim.by.session.as_str());
        claim.set_some("expires", view.until.map(|it| it.to_string()));
        object.set("claim", claim);
    }
    object
}

/// One line about a task.
pub(crate) fn line(view: &TaskView) -> String {
    let mark = match view.task.status {
        Status::Pending => "[ ]",
        Status::InProgress => "[>]",
        Status::Completed => "[x]",
    };
    let mut line = format!("{mark} #{} {}", view.task.id, visible(&view.task.subject));
    if let Some(owner) = &view.task.owner {
        line += &format!("  @{}", visible(owner));
    }
    if !view.open_blockers.is_empty() && view.state != State::Completed {
        let ids: Vec<String> =
            view.open_blockers.iter().map(|it| format!("#{}", visible(it.as_str()))).collect();
        line += &format!("  blocked by {}", ids.join(", "));
    }
    if view.parked {
        line += "  parked";
    }
    line
}

/// What could not be read, as warnings.
pub(crate) fn warnings(problems: &[Problem]) -> Vec<String> {
    let say = |it: &Problem| {
        let served = if it.served { "; its last good state is shown" } else { "" };
        format!("{}: {}{served}", it.file, it.reason)
    };
    problems.iter().map(say).collect()
}

/// A text with everything made visible that would move the cursor, ring, or turn the line around.
pub(crate) fn visible(text: &str) -> String {
    text.chars()
        .map(|it| match it {
            '\n' => "⏎".to_owned(),
            '\t' => " ".to_owned(),
            '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{61c}' => {
                format!("\\u{{{:x}}}", u32::from(it))
            }
            '\u{e0000}'..='\u{e007f}' => format!("\\u{{{:x}}}", u32::from(it)),
            it if it.is_control() => format!("\\x{:02x}", u32::from(it)),
            it => it.to_string(),
        })
        .collect()
}
