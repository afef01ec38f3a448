//! How wide text is on a terminal, and making it fit. Counted in what a reader sees as one character.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Whether each of its bytes is a letter that takes one column, as most texts are.
pub(super) fn is_plain(text: &str) -> bool {
    text.bytes().all(|it| matches!(it, b' '..=b'~'))
}

/// The columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    if is_plain(text) {
        return text.len();
    }
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// The text in at most so many columns; what is cut off is shown by `…`.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if text.len() <= columns && is_plain(text) {
        return text.to_owned();
    }
    cut_by(text, columns, "…", UnicodeWidthStr::width)
}

/// The same by any measure of how wide a letter is, with any mark.
pub(crate) fn cut_by(text: &str, most: usize, mark: &str, wide: impl Fn(&str) -> usize) -> String {
    if text.graphemes(true).map(&wide).sum::<usize>() <= most {
        return text.to_owned();
    }
    let Some(room) = most.checked_sub(wide(mark)) else { return String::new() };
    let mut used = 0;
    let kept = text.graphemes(true).take_while(|letter| {
        used += wide(letter);
        used <= room
    });
    kept.collect::<String>().trim_end().to_owned() + mark
}

/// The text filled up with blanks to so many columns.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    text.to_owned() + &" ".repeat(columns.saturating_sub(width(text)))
}

/// Lines of at most so many columns, broken between words where that is possible.
pub(crate) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_word_bounds() {
        let wide = width(word);
        if used + wide > columns && used > 0 {
            lines.push(String::new());
            used = 0;
            if word.trim().is_empty() {
                continue;
            }
        }
        for it in word.graphemes(true) {
            if used + it.width() > columns {
                lines.push(String::new());
                used = 0;
            }
            used += it.width();
            if let Some(last) = lines.last_mut() {
                last.push_str(it);
            }
        }
    }
    lines.into_iter().map(|it| it.trim_end().to_owned()).collect()
}

/// Rows with aligned columns, two blanks between them, in at most so many columns: the last one is cut to what is left,
/// and it is left a third, however wide the others would be.
pub(crate) fn columns(rows: &[Vec<String>], limit: usize) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut wide: Vec<usize> = (0..count)
        .map(|n| rows.iter().filter_map(|it| it.get(n)).map(|it| width(it)).max().unwrap_or(0))
        .collect();
    if let Some((_, others)) = wide.split_last_mut() {
        narrow(others, (limit - limit / 3).saturating_sub(2 * others.len()));
    }
    rows.iter()
        .map(|row| {
            let mut line = String::new();
            for (n, cell) in row.iter().enumerate() {
                let last = n + 1 == row.len();
                line += &if last { cell.clone() } else { padded(&cut(cell, wide[n]), wide[n]) + "  " };
            }
            cut(line.trim_end(), limit)
        })
        .collect()
}

/// Takes from the widest until all of them fit.
fn narrow(wide: &mut [usize], most: usize) {
    while wide.iter().sum::<usize>() > most
        && let Some(widest) = wide.iter_mut().max()
    {
        *widest -= 1;
    }
}

/// A line with colours, in at most so many columns: what colours it takes none.
pub(crate) fn cut_painted(line: &str, columns: usize) -> String {
    if width(&crate::output::plain(line)) <= columns {
        return line.to_owned();
    }
    let (mut kept, mut left, mut rest) = (String::new(), columns.saturating_sub(1), line);
    while let Some(first) = rest.chars().next() {
        let length = if first == '\x1b' {
            rest.find('m').map_or(rest.len(), |it| it + 1)
        } else {
            let wide = width(first.encode_utf8(&mut [0; 4]));
            if wide > left {
                break;
            }
            left -= wide;
            first.len_utf8()
        };
        kept.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    kept + "…\x1b[0m"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_what_is_seen() {
        assert_eq!((width("abc"), width("漢字"), width("e\u{301}"), width("👩\u{200d}🚀")), (3, 4, 1, 2));
        // A letter with signs that take columns of their own is one cluster, and as wide as it is drawn.
        assert_eq!((width("👍🏽🇩🇪1\u{fe0f}\u{20e3}"), width("a\u{903}\u{903}\u{903}")), (6, 4));
        assert_eq!(
            (cut("abcdef", 4).as_str(), cut("漢字漢字", 5).as_str(), cut("ab", 0).as_str()),
            ("abc…", "漢字…", "")
        );
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("abcdefghijkl", 8), ["abcdefgh", "ijkl"]);
        let rows = [vec!["漢".to_owned(), "x".to_owned()], vec!["abc".to_owned(), "long text".to_owned()]];
        assert_eq!(columns(&rows, 9), ["漢   x", "abc  lon…"]);
        let rows = [vec!["a".repeat(99), "b".repeat(99)]];
        assert_eq!(columns(&rows, 12), ["aaaaa…  bbb…"]);
    }
}
