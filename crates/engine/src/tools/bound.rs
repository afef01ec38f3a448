//! Answers of a bounded length: about how many tokens a text is, and what fits. Not what is said about the rest.

/// About how many tokens a text is, rather too many than too few: three letters of English, or one of another script.
pub(super) fn tokens(text: &str) -> usize {
    let plain = text.chars().filter(char::is_ascii).count();
    plain.div_ceil(3) + (text.chars().count() - plain)
}

/// As many lines as fit, and how many did not.
pub(super) fn bounded(lines: &[String], bound: usize) -> (String, usize) {
    let mut text = String::new();
    let mut used = 0;
    for (n, line) in lines.iter().enumerate() {
        used += tokens(line) + 1;
        if used > bound && n > 0 {
            return (text, lines.len() - n);
        }
        text += line;
        text.push('\n');
    }
    (text, 0)
}

/// A text cut to a bound; what is missing is said.
pub(super) fn cut(text: &str, bound: usize) -> String {
    if tokens(text) <= bound {
        return text.to_owned();
    }
    let mut used = 0;
    let end = text.char_indices().find(|(_, it)| {
        used += if it.is_ascii() { 1 } else { 3 };
        used > bound * 3
    });
    let end = end.map_or(text.len(), |(at, _)| at);
    let left = text[end..].chars().count();
    format!("{}\n[… {left} more characters; they are in the task's file]", &text[..end])
}
