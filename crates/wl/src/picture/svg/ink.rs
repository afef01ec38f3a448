//! Colours, and how texts are measured and made safe for XML. Not where anything stands.

use crate::picture::{Look, words};
use unicode_width::UnicodeWidthStr;

/// One colour on light and on dark paper.
#[derive(Clone, Copy)]
pub(super) struct Colour {
    pub(super) light: &'static str,
    pub(super) dark: &'static str,
}

const fn colour(light: &'static str, dark: &'static str) -> Colour {
    Colour { light, dark }
}

pub(super) const PAPER: Colour = colour("#f6f8fb", "#0d1117");
pub(super) const CARD: Colour = colour("#ffffff", "#171c24");
pub(super) const BORDER: Colour = colour("#d5dce6", "#343b46");
pub(super) const TEXT: Colour = colour("#1b2430", "#e6edf3");
pub(super) const MUTED: Colour = colour("#66738a", "#93a0b0");
/// An edge that somebody still waits at.
pub(super) const WAITING: Colour = colour("#8694a8", "#6b7786");
/// An edge whose blocker is completed.
pub(super) const MET: Colour = colour("#c6cfdb", "#39424e");
pub(super) const CRITICAL: Colour = colour("#e11d48", "#ff6b8b");
/// An edge that closes a circle.
pub(super) const CIRCLE: Colour = colour("#b91c1c", "#ff7b72");

pub(super) fn of_look(look: Look) -> Colour {
    match look {
        Look::Ready => colour("#2563eb", "#6cb0ff"),
        Look::InProgress => colour("#b45309", "#e3b341"),
        Look::Blocked => colour("#66738a", "#93a0b0"),
        Look::Completed => colour("#15803d", "#4ac26b"),
        Look::Parked => colour("#7e22ce", "#c297ff"),
        Look::Missing => colour("#9f1239", "#ff9aa8"),
    }
}

/// A letter's width in thousandths of its height. Readers have different fonts; this is one of the wider ones.
fn breadth(letter: &str) -> usize {
    match (letter.chars().next(), letter.width()) {
        (None, _) | (_, 0) => 0,
        (Some(it), 2) if it >= '\u{1f000}' => 1300,
        (_, 2) => 1020,
        (Some('i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '!' | '\''), _) => 300,
        (Some('f' | 't' | 'r' | ' ' | '(' | ')' | '[' | ']' | '/' | '-' | '`'), _) => 380,
        (Some('m' | 'M' | 'w' | 'W' | '@' | '%' | '…'), _) => 930,
        (Some('<' | '>' | '+' | '=' | '~' | '&' | '#'), _) => 830,
        (Some(it), _) if it.is_uppercase() => 690,
        _ => 615,
    }
}

/// How wide a text is at a height, both in pixels.
pub(super) fn wide(text: &str, height: i64) -> i64 {
    let sum: usize = words::letters(text).map(breadth).sum();
    i64::try_from(sum).unwrap_or(i64::MAX / 1000).saturating_mul(height) / 1000
}

/// A text that is at most so many pixels wide.
pub(super) fn fit(text: &str, height: i64, most: i64) -> String {
    words::cut(text, room(height, most), "…", breadth)
}

/// The same in two lines.
pub(super) fn wrap(text: &str, height: i64, most: i64) -> Vec<String> {
    words::wrap(text, room(height, most), "…", breadth)
}

fn room(height: i64, most: i64) -> usize {
    usize::try_from(most * 1000 / height).unwrap_or(0)
}

/// A text as XML has it. What XML has no sign for is shown as a replacement.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            it if it.is_control() => escaped.push('\u{fffd}'),
            it => escaped.push(it),
        }
    }
    escaped
}
