//! Text that others wrote, made safe for a terminal: nothing in it moves the cursor, rings, hides or turns a line
//! around. Not for JSON, which has escapes of its own.

/// So many marks may sit on one letter; more are a trick to paint over other lines.
const MARKS: usize = 4;

/// One line of text with everything shown that would act or hide.
pub(crate) fn visible(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut marks = 0;
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(it) = rest.next() {
        marks = if is_mark(it) { marks + 1 } else { 0 };
        match it {
            '\n' => line.push('⏎'),
            '\t' => line.push(' '),
            // The parts of one emoji are joined by what would be a hiding place elsewhere.
            '\u{fe0f}' | '\u{200d}' if joins(before, it, rest.peek()) => line.push(it),
            it if hides(it) || marks > MARKS => line.push_str(&format!("\\u{{{:x}}}", u32::from(it))),
            it if it.is_control() => line.push_str(&format!("\\x{:02x}", u32::from(it))),
            it => line.push(it),
        }
        before = Some(it);
    }
    line
}

/// The same for text of several lines.
pub(crate) fn visible_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|it| visible(it.trim_end_matches('\r'))).collect();
    lines.join("\n")
}

/// Whether a text holds characters that nobody sees or that turn it around.
pub(crate) fn has_hidden(text: &str) -> bool {
    text.split(['\n', '\t']).any(|it| visible(it) != it)
}

fn joins(before: Option<char>, it: char, after: Option<&char>) -> bool {
    let pictures = before.is_some_and(|it| is_picture(it) || it == '\u{fe0f}');
    pictures && (it == '\u{fe0f}' || after.is_some_and(|it| is_picture(*it)))
}

fn is_picture(it: char) -> bool {
    matches!(it, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '0'..='9' | '#' | '*' | '©' | '®')
}

/// Characters without a shape of their own: directions, joiners, fillers, tags, selectors, separators.
fn hides(it: char) -> bool {
    matches!(it,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

fn is_mark(it: char) -> bool {
    matches!(it,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
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
            ("tag\u{e0041}", "tag\\u{e0041}"),
        ] {
            assert_eq!(visible(text), shown);
        }
        assert!(has_hidden("a\u{202e}b") && !has_hidden("two\nlines 👩\u{200d}🚀"));
    }
}
