//! Long texts, page by page, by the reader's own program. If it cannot be started, the text is printed all the same.

use crate::failure::FAILED;
use std::{
    io::Write,
    process::{Command, ExitCode, Stdio},
};

/// Shows a text.
pub(super) fn show(pager: &str, text: &str) -> ExitCode {
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return print(text) };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if program.rsplit('/').next() == Some("less") {
        // Colours pass, short texts end at once, the screen stays: as git asks of it.
        command.env("LESS", "FRX").env("LESSCHARSET", "utf-8");
    }
    let Ok(mut child) = command.spawn() else { return print(text) };
    if let Some(mut input) = child.stdin.take() {
        // Who leaves before the end has read enough.
        _ = input.write_all(text.as_bytes());
    }
    match child.wait() {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(FAILED),
    }
}

fn print(text: &str) -> ExitCode {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => ExitCode::from(FAILED),
        _ => ExitCode::SUCCESS,
    }
}
