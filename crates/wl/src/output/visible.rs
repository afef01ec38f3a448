//! Text that others wrote, made safe for a terminal: nothing in it moves the cursor, rings, hides or turns a line
//! around. JSON is made safe by its own escapes.

use super::width::is_plain;
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// So many marks may sit on one letter; more are a trick to paint over other lines.
const MARKS: usize = 4;

/// One line of text with everything shown that would act or hide.
pub(crate) fn visible(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut line = String::with_capacity(text.len());
    for cluster in text.graphemes(true) {
        // The parts of one emoji are joined by what would be a hiding place elsewhere.
        if is_emoji(cluster) { line.push_str(cluster) } else { spell(cluster, &mut line) }
    }
    line
}

fn spell(cluster: &str, line: &mut String) {
    let mut marks = 0;
    for it in cluster.chars() {
        marks += usize::from(it.width() == Some(0));
        match it {
            '\n' => line.push('⏎'),
            '\t' => line.push(' '),
            it if it.is_control() => line.push_str(&format!("\\x{:02x}", u32::from(it))),
            it if hides(it) || marks > MARKS => line.push_str(&format!("\\u{{{:x}}}", u32::from(it))),
            it => line.push(it),
        }
    }
}

/// The same for text of several lines.
pub(crate) fn visible_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|it| visible(it.trim_end_matches('\r'))).collect();
    lines.join("\n")
}

/// A JSON document in which everything that acts or hides is an escape: whoever reads it gets the very text, and a
/// terminal that it is shown on gets nothing to obey.
pub(crate) fn escaped(document: &str) -> Cow<'_, str> {
    let (mut text, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(odd) = next_odd(document.as_bytes(), at) {
        let Some(it) = document[odd..].chars().next() else { break };
        at = odd + it.len_utf8();
        if it.is_control() || hides(it) {
            text.push_str(&document[copied..odd]);
            text.extend(it.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
            copied = at;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(document);
    }
    text.push_str(&document[copied..]);
    Cow::Owned(text)
}

/// Where the next byte stands that may belong to what acts or hides. Line breaks do not: they stand between values only.
fn next_odd(bytes: &[u8], from: usize) -> Option<usize> {
    let is_plain = |it: &u8| matches!(it, b' '..=b'~' | b'\n');
    // In pieces, of which each is looked at as a whole: documents are long, and most of them are plain.
    let plain = |piece: &&[u8]| piece.iter().fold(true, |all, it| all & is_plain(it));
    let rest = &bytes[from..];
    // In some languages every one is.
    if rest.first().is_some_and(|it| !is_plain(it)) {
        return Some(from);
    }
    let plain = rest.chunks_exact(64).take_while(plain).count() * 64;
    rest[plain..].iter().position(|it| !is_plain(it)).map(|it| from + plain + it)
}

/// Whether a text holds characters that nobody sees or that turn it around.
pub(crate) fn has_hidden(text: &str) -> bool {
    text.split(['\n', '\t']).any(|it| visible(it) != it)
}

/// One picture, made of one or several with their colours and kinds.
fn is_emoji(cluster: &str) -> bool {
    let is_part = |it: &str| {
        let mut rest = it.chars();
        rest.next().is_some_and(is_picture)
            && match (rest.next(), rest.next()) {
                (None | Some('\u{1f3fb}'..='\u{1f3ff}'), None) => true,
                // It makes a sign a picture, which is wide then; after any other it only hides.
                (Some('\u{fe0f}'), None) => it.width() == 2,
                _ => false,
            }
    };
    let keycap = cluster.strip_suffix("\u{fe0f}\u{20e3}");
    keycap.is_some_and(|it| it.len() == 1) || cluster.split('\u{200d}').all(is_part)
}

fn is_picture(it: char) -> bool {
    matches!(it, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '©' | '®')
}

/// Characters without a shape of their own: directions, joiners, fillers, tags, selectors, separators.
fn hides(it: char) -> bool {
    matches!(it,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_or_hides_is_shown() {
        for (text, shown) in [
            ("plain", "plain"),
            ("a\x1b[31mb", "a\\x1b[31mb"),
            ("a\u{9b}31m", "a\\x9b31m"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("two\nlines\ttab", "two⏎lines tab"),
            ("zero\u{200b}width", "zero\\u{200b}width"),
            ("a\u{200d}b", "a\\u{200d}b"),
            ("👩\u{200d}🚀 ❤\u{fe0f}", "👩\u{200d}🚀 ❤\u{fe0f}"),
            ("漢字 é e\u{301}", "漢字 é e\u{301}"),
            ("z\u{300}\u{301}\u{302}\u{303}\u{304}", "z\u{300}\u{301}\u{302}\u{303}\\u{304}"),
            ("z\u{f39}\u{f39}\u{f39}\u{f39}\u{f39}", "z\u{f39}\u{f39}\u{f39}\u{f39}\\u{f39}"),
            ("tag\u{e0041}", "tag\\u{e0041}"),
            ("1\u{200d}2 3\u{fe0f} 4\u{fe0f}\u{20e3}", "1\\u{200d}2 3\\u{fe0f} 4\u{fe0f}\u{20e3}"),
            ("→\u{200d}→\u{fe0f}", "→\\u{200d}→\\u{fe0f}"),
            ("❤\u{fe0f}\u{fe0f}", "❤\\u{fe0f}\\u{fe0f}"),
            ("👩🏽\u{200d}🚀 🏳\u{fe0f}\u{200d}🌈", "👩🏽\u{200d}🚀 🏳\u{fe0f}\u{200d}🌈"),
        ] {
            assert_eq!(visible(text), shown);
        }
        assert_eq!(escaped("{\n\"\u{7f}é\u{9b}\u{e0041}\"}"), "{\n\"\\u007fé\\u009b\\udb40\\udc41\"}");
        let long = "é long and plain, but for the beginning".repeat(9);
        assert!(matches!(escaped(&long), Cow::Borrowed(it) if it == long));
        assert_eq!(escaped(&format!("{long}\u{ad}{long}\u{200b}")), format!("{long}\\u00ad{long}\\u200b"));
        assert!(has_hidden("a\u{202e}b") && !has_hidden("two\nlines 👩\u{200d}🚀"));
    }
}
