//! How to print: what the terminal can do and what the reader wants of it.

use super::variable;
use crate::{
    args::{Color, Global},
    output::Output,
    settings::Settings,
};
use anstream::ColorChoice;
use std::io::IsTerminal;

/// Variables by which agents and build machines say that nobody turns pages.
const UNATTENDED: [&str; 7] =
    ["CI", "CLAUDECODE", "AI_AGENT", "AGENT", "GEMINI_CLI", "OPENCODE", "CODEX_SANDBOX"];

/// The way to print that flags, variables and settings ask for.
pub(crate) fn output(global: &Global, settings: Option<&Settings>) -> Output {
    let setting = |key: &str| settings.and_then(|it| it.text(key));
    let color = match (global.color, setting("color").as_deref()) {
        (Color::Always, _) | (Color::Auto, Some("always")) => ColorChoice::Always,
        (Color::Never, _) | (Color::Auto, Some("never")) => ColorChoice::Never,
        (Color::Auto, _) => ColorChoice::Auto,
    };
    let is_terminal = std::io::stdout().is_terminal();
    let size = terminal_size::terminal_size().filter(|_| is_terminal);
    let number = |name: &str| variable(name).and_then(|it| it.parse::<usize>().ok()).filter(|it| *it > 0);
    // A width that was asked for holds in a pipe, too.
    let columns = number("COLUMNS").or_else(|| size.map(|(columns, _)| usize::from(columns.0).max(20)));
    let rows = size.map(|(_, rows)| number("LINES").unwrap_or(usize::from(rows.0)));
    let attended = is_terminal && !global.no_pager && UNATTENDED.iter().all(|it| variable(it).is_none());
    let pager = setting("pager").or_else(|| variable("PAGER")).unwrap_or_else(|| "less".to_owned());
    Output {
        json: global.json,
        quiet: global.quiet,
        color,
        columns,
        rows,
        ascii: !speaks_unicode(),
        pager: Some(pager).filter(|it| attended && it != "cat"),
    }
}

/// The way to print before anything is known but whether a document is wanted.
pub(crate) fn plain_output(json: bool) -> Output {
    Output {
        json,
        quiet: false,
        color: ColorChoice::Auto,
        columns: None,
        rows: None,
        ascii: !speaks_unicode(),
        pager: None,
    }
}

/// The same on a terminal that may have another size by now.
pub(crate) fn resized(output: &Output) -> Output {
    let size = terminal_size::terminal_size();
    let columns = size.map(|(columns, _)| usize::from(columns.0).max(20)).or(output.columns);
    let rows = size.map(|(_, rows)| usize::from(rows.0)).or(output.rows);
    Output { columns, rows, ..output.clone() }
}

/// As the C library decides it: the first of these that is set.
fn speaks_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    // Nothing set is what containers and agents have; all of them understand UTF-8.
    locale.is_none_or(|it| {
        let it = it.to_ascii_lowercase();
        it.contains("utf-8") || it.contains("utf8")
    })
}
