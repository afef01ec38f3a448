//! The marks at the end of an item's line: `{#name}`, `!high`, `#tag`, `(after: x, y)`, in any order.
//! Not Markdown's own: everything before the marks is the subject, as it stands.

use crate::task::Priority;

/// An item's line, taken apart. Places are bytes from the beginning of the text.
#[derive(Debug, Default)]
pub(super) struct Marks {
    pub(super) subject: String,
    pub(super) name: Option<String>,
    pub(super) priority: Option<Priority>,
    pub(super) tags: Vec<String>,
    pub(super) after: Vec<(usize, String)>,
    pub(super) faults: Vec<Fault>,
}

#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) reason: String,
    pub(super) hint: Option<String>,
}

const AFTER: &str = "(after:";
const NAME: &str = "{#";

/// Takes the marks off the end of a text, last one first.
pub(super) fn read(text: &str) -> Marks {
    let mut marks = Marks::default();
    let mut rest = text.trim_end();
    while let Some(start) = last_mark(rest) {
        if let Some(before) = rest[..start].strip_suffix('\\') {
            marks.subject = format!("{}{}", before.trim_start(), &rest[start..]);
            return marks.in_order();
        }
        marks.take(start, &rest[start..]);
        rest = rest[..start].trim_end();
    }
    marks.stray(rest);
    rest.trim().clone_into(&mut marks.subject);
    marks.in_order()
}

/// Where the mark begins that a text ends with.
fn last_mark(text: &str) -> Option<usize> {
    if let Some(inner) = text.strip_suffix('}') {
        return inner.rfind(NAME).filter(|at| !inner[*at..].contains('}'));
    }
    if text.ends_with(')') {
        return opening(text).filter(|at| starts_with_after(&text[*at..]));
    }
    let word = text
        .rfind(char::is_whitespace)
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let start = if text[word..].starts_with('\\') { word + 1 } else { word };
    let begins =
        |mark: char| text[start..].strip_prefix(mark).is_some_and(|it| it.starts_with(char::is_alphabetic));
    let is_tag =
        begins('#') && text[start + 1..].chars().all(|it| it.is_alphanumeric() || "_-:/.".contains(it));
    let is_priority = begins('!') && text[start + 1..].chars().all(char::is_alphabetic);
    (is_tag || is_priority).then_some(start)
}

/// The bracket that belongs to the one at the end.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, it) in text.char_indices().rev() {
        match it {
            ')' => depth += 1,
            '(' if depth == 1 => return Some(at),
            '(' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn starts_with_after(text: &str) -> bool {
    text.get(..AFTER.len()).is_some_and(|it| it.eq_ignore_ascii_case(AFTER))
}

impl Marks {
    fn take(&mut self, at: usize, mark: &str) {
        if let Some(name) = mark.strip_prefix(NAME).and_then(|it| it.strip_suffix('}')) {
            self.take_name(at, name.trim());
        } else if let Some(tag) = mark.strip_prefix('#') {
            if !self.tags.iter().any(|it| it == tag) {
                self.tags.push(tag.to_owned());
            }
        } else if let Some(word) = mark.strip_prefix('!') {
            self.take_priority(at, word);
        } else {
            self.take_after(at + AFTER.len(), &mark[AFTER.len()..mark.len() - 1]);
        }
    }

    fn take_name(&mut self, at: usize, name: &str) {
        if name.is_empty() || !name.chars().all(|it| it.is_alphanumeric() || "_-.".contains(it)) {
            let hint = "a name holds letters, digits, `_`, `-` and `.`";
            self.fault(at, format!("`{name}` cannot be a name"), Some(hint));
        } else if self.name.replace(name.to_owned()).is_some() {
            self.fault(at, "the item has two names".to_owned(), None);
        }
    }

    fn take_priority(&mut self, at: usize, word: &str) {
        match Priority::named(&word.to_lowercase()) {
            None => {
                let hint = format!("it is !low, !medium or !high; if text is meant, write \\!{word}");
                self.fault(at, format!("`!{word}` is no priority"), Some(&hint));
            }
            Some(priority) => {
                if self.priority.replace(priority).is_some() {
                    self.fault(at, "the item has two priorities".to_owned(), None);
                }
            }
        }
    }

    fn take_after(&mut self, mut at: usize, list: &str) {
        for name in list.split(',') {
            let place = at + name.len() - name.trim_start().len();
            if name.trim().is_empty() {
                self.fault(place, "a name is missing in `(after: …)`".to_owned(), None);
            } else {
                self.after.push((place, name.trim().to_owned()));
            }
            at += name.len() + 1;
        }
    }

    /// A mark in the middle of the text, or half of one: left in the subject it would say nothing.
    fn stray(&mut self, rest: &str) {
        let is_text = |at: usize| rest[..at].ends_with('\\') || rest[..at].matches('`').count() % 2 == 1;
        let mut found = (0..rest.len()).filter(|at| rest.is_char_boundary(*at) && !is_text(*at));
        let mark = found.find_map(|at| {
            let after = starts_with_after(&rest[at..]).then_some((AFTER, ')'));
            let name = rest[at..].starts_with(NAME).then_some((NAME, '}'));
            after.or(name).map(|(mark, close)| (at, mark, rest[at..].contains(close)))
        });
        let Some((at, mark, is_closed)) = mark else { return };
        if is_closed {
            let hint = format!("move it to the end; if text is meant, write \\{mark}");
            self.fault(at, format!("`{mark}` stands in the middle of the text"), Some(&hint));
        } else {
            self.fault(at, format!("`{mark}` is not closed"), None);
        }
    }

    fn fault(&mut self, at: usize, reason: String, hint: Option<&str>) {
        self.faults.push(Fault { at, reason, hint: hint.map(str::to_owned) });
    }

    /// Marks were taken from the end: as they were written, then.
    fn in_order(mut self) -> Marks {
        self.tags.reverse();
        self.after.sort_by_key(|it| it.0);
        self.faults.sort_by_key(|it| it.at);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_off_the_end_in_any_order() {
        let marks = read("Design the *schema* #db {#schema} (after: a, B c (d)) !high #core");
        assert_eq!(marks.subject, "Design the *schema*");
        assert_eq!(marks.name.as_deref(), Some("schema"));
        assert_eq!(marks.priority, Some(Priority::High));
        assert_eq!(marks.tags, ["db", "core"]);
        assert_eq!(marks.after, [(42, "a".to_owned()), (45, "B c (d)".to_owned())]);
        assert!(marks.faults.is_empty());
    }

    #[test]
    fn what_is_not_a_mark_is_text() {
        for text in [
            "Fix #12",
            "Fix C#",
            "Say hello!",
            "Use `(after: x)` in plans",
            "Use `{#x}`",
            "Call f(x)",
            "See (the page)",
            "Tell #ann how",
            "Sum = {1}",
            "unbalanced )",
            "é #",
        ] {
            let marks = read(text);
            assert_eq!((marks.subject.as_str(), marks.faults.len()), (text, 0), "{marks:?}");
            assert!(marks.tags.is_empty() && marks.name.is_none() && marks.after.is_empty(), "{marks:?}");
        }
    }

    #[test]
    fn a_backslash_makes_text_of_a_mark() {
        for (text, subject) in [
            (r"Join \#general", "Join #general"),
            (r"Shout \!now", "Shout !now"),
            (r"Write \(after: x)", "Write (after: x)"),
            (r"Write \{#x} #tag", "Write {#x}"),
        ] {
            let marks = read(text);
            assert_eq!((marks.subject.as_str(), marks.faults.len()), (subject, 0), "{marks:?}");
        }
    }

    #[test]
    fn half_and_wrong_marks_are_faults() {
        for (text, at, reason) in [
            ("Do (after: x", 3, "`(after:` is not closed"),
            ("Do (After: x #tag", 3, "`(after:` is not closed"),
            ("Do (after: x) it", 3, "`(after:` stands in the middle of the text"),
            ("Do {#x} it", 3, "`{#` stands in the middle of the text"),
            ("Do {#x", 3, "`{#` is not closed"),
            ("Do (after: )", 11, "a name is missing in `(after: …)`"),
            ("Do (after: x,,y)", 13, "a name is missing in `(after: …)`"),
            ("Do {#a b}", 3, "`a b` cannot be a name"),
            ("Do {#a} {#b}", 3, "the item has two names"),
            ("Do !low !high", 3, "the item has two priorities"),
            ("Do !hihg", 3, "`!hihg` is no priority"),
        ] {
            let faults = read(text).faults;
            assert_eq!(faults.len(), 1, "{text}: {faults:?}");
            assert_eq!((faults[0].at, faults[0].reason.as_str()), (at, reason), "{text}");
        }
    }
}
