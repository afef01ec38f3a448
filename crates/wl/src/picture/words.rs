//! Texts that fit: how wide they are in columns, and where they are cut. Not what they say.

use crate::output::{cut_by, width};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What people see as one letter each, with control characters as spaces.
pub(super) fn letters(text: &str) -> impl Iterator<Item = &str> {
    text.graphemes(true).map(|it| if it.chars().all(char::is_control) { " " } else { it })
}

/// The columns of a terminal that a text takes.
pub(super) fn columns(text: &str) -> usize {
    width(&plain(text))
}

/// The beginning of a text that is at most so wide, with `mark` at its end if something was cut off.
/// `wide` says how wide a letter is.
pub(super) fn cut(text: &str, most: usize, mark: &str, wide: impl Fn(&str) -> usize) -> String {
    cut_by(&plain(text), most, mark, wide)
}

fn plain(text: &str) -> String {
    letters(text).collect()
}

/// A text cut to so many columns.
pub(super) fn fit(text: &str, most: usize, mark: &str) -> String {
    cut(text, most, mark, UnicodeWidthStr::width)
}

/// A text in one line or two, broken between words where that is possible, and cut like `cut`.
pub(super) fn wrap(text: &str, most: usize, mark: &str, wide: impl Fn(&str) -> usize) -> Vec<String> {
    let text = text.trim();
    if letters(text).map(&wide).sum::<usize>() <= most {
        return vec![cut(text, most, mark, wide)];
    }
    let (first, rest) = text.split_at(break_before(text, most, &wide));
    let mut lines = vec![letters(first.trim_end()).collect(), cut(rest.trim_start(), most, mark, wide)];
    lines.retain(|it: &String| !it.is_empty());
    lines
}

/// Where a line ends that takes as much of the text as fits; never at its beginning.
fn break_before(text: &str, most: usize, wide: impl Fn(&str) -> usize) -> usize {
    let mut used = 0;
    let mut space = None;
    let mut whole = 0;
    for (at, letter) in text.grapheme_indices(true) {
        if letter.trim().is_empty() {
            space = Some(at);
        }
        used += wide(letter);
        if used > most && whole > 0 {
            // A first word that leaves most of the line empty is worse than a word that is broken.
            return space.filter(|it| *it * 3 > at).unwrap_or(at);
        }
        whole = at + letter.len();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_letters() {
        assert_eq!(fit("Schema", 6, "…"), "Schema");
        assert_eq!(fit("Schemata", 6, "…"), "Schem…");
        assert_eq!(fit("数据库", 5, "…"), "数据…");
        assert_eq!(fit("👩‍👩‍👧 family", 3, "…"), "👩‍👩‍👧…");
        assert_eq!(fit("ab cd", 4, "…"), "ab…");
        assert_eq!(fit("ab\ncd", 9, "…"), "ab cd");
        assert_eq!(fit("abc", 0, "…"), "");
    }

    #[test]
    fn texts_are_wrapped_between_words() {
        let wrap = |text, most| wrap(text, most, "…", UnicodeWidthStr::width).join("|");
        assert_eq!(wrap("write the tests", 9), "write the|tests");
        assert_eq!(wrap("write", 9), "write");
        assert_eq!(wrap("one two three four five", 9), "one two|three fo…");
        assert_eq!(wrap("abcdefghijklmnopq", 9), "abcdefghi|jklmnopq");
        assert_eq!(wrap("数据库数据库数据库", 7), "数据库|数据库…");
        assert_eq!(wrap("", 9), "");
        assert_eq!(wrap("数", 1), "数");
    }
}
