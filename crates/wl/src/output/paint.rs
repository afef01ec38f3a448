//! The colours, by meaning. Whether they reach the reader is decided where things are printed.

use anstyle::{AnsiColor, Style};
use worklist::State;

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BUSY: Style = AnsiColor::Yellow.on_default();
pub(crate) const WAITS: Style = AnsiColor::Red.on_default();
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
pub(crate) const TAG: Style = AnsiColor::Magenta.on_default();
pub(crate) const WRONG: Style = AnsiColor::Red.on_default().bold();
pub(crate) const HINT: Style = AnsiColor::Blue.on_default();

/// A text in a colour.
pub(crate) fn paint(style: Style, text: &str) -> String {
    if style == PLAIN || text.is_empty() {
        return text.to_owned();
    }
    format!("{style}{text}{style:#}")
}

/// The colour of a state.
pub(crate) fn of_state(state: State) -> Style {
    match state {
        State::Ready => GOOD,
        State::Blocked => PLAIN,
        State::InProgress => BUSY,
        State::Completed => FAINT,
    }
}
