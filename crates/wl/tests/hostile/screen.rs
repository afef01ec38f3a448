//! What may reach a terminal, and how wide it is there. Counted by itself, not by the functions under test.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns that a line takes.
pub(crate) fn columns(line: &str) -> usize {
    line.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// A text without the colours of our own.
pub(crate) fn without_colours(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|it: char| !(it.is_ascii_digit() || it == ';')).unwrap_or(part.len());
        match part[end..].strip_prefix('m') {
            Some(rest) => plain += rest,
            None => plain += &format!("\x1b[{part}"),
        }
    }
    plain
}

/// What must not reach a terminal: what acts, hides or turns a line around, and marks that climb over other lines.
pub(crate) fn harm(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for cluster in text.graphemes(true) {
        let marks = cluster.chars().filter(|it| it.width() == Some(0)).count();
        let bad = cluster.chars().find(|it| acts(*it) || hides(*it) && !is_emoji(cluster));
        if bad.is_some() || marks > 8 {
            found.push(format!("{cluster:?}"));
        }
    }
    found
}

/// What must not even be in a document for scripts: somebody looks at it on a terminal.
pub(crate) fn obeyed(text: &str) -> Vec<String> {
    text.chars().filter(|it| acts(*it) || hides(*it)).map(|it| format!("{it:?}")).collect()
}

fn acts(it: char) -> bool {
    it != '\n' && it.is_control()
}

fn hides(it: char) -> bool {
    matches!(it,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{13430}'..='\u{1343f}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// One picture, the parts of which are joined by what would hide elsewhere.
fn is_emoji(cluster: &str) -> bool {
    let keycap = cluster.ends_with("\u{fe0f}\u{20e3}") && cluster.chars().count() == 3;
    let part = |it: &str| {
        let it = it.strip_suffix('\u{fe0f}').unwrap_or(it);
        let mut rest = it.chars().filter(|it| !matches!(it, '\u{1f3fb}'..='\u{1f3ff}'));
        matches!(
            (rest.next(), rest.next()),
            (
                Some(
                    '\u{2190}'..='\u{24ff}' | '\u{2580}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '©' | '®',
                ),
                None,
            )
        )
    };
    keycap || cluster.split('\u{200d}').all(part)
}
