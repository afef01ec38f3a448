//! Python's way to spell lists: how the lessons print them, and how models sometimes send them. Text is only read,
//! never evaluated.

use crate::{
    id::TaskId,
    json::{Json, Style, parse, write},
};
use std::{iter::Peekable, str::Chars};

/// `json.dumps(value)`: on one line, with blanks.
pub(super) const DUMPS: Style =
    Style { indent: None, colon: ": ", ascii: true, inline_arrays: false, gap: " " };

/// Ids as a list of strings: `['a', 'b']`.
pub(super) fn strings(ids: &[TaskId]) -> String {
    listed(ids, |it| format!("'{it}'"))
}

/// Ids as a list of numbers, where they are some: `[1, 2]`.
pub(super) fn numbers(ids: &[TaskId]) -> String {
    listed(ids, |it| if it.number().is_some() { it.to_string() } else { format!("'{it}'") })
}

fn listed(ids: &[TaskId], spelled: impl Fn(&TaskId) -> String) -> String {
    format!("[{}]", ids.iter().map(spelled).collect::<Vec<_>>().join(", "))
}

/// The value of a literal such as `['a', 2]` or `{'x': None}`.
pub(super) fn literal(text: &str) -> Option<Json> {
    let mut json = String::new();
    let mut rest = text.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '\'' | '"' => json += &write(&Json::String(string(&mut rest, next)?), Style::COMPACT, ""),
            '(' => json.push('['),
            ')' | ']' | '}' => {
                // Python allows a comma after the last element.
                json.truncate(json.trim_end().trim_end_matches(',').len());
                json.push(if next == ')' { ']' } else { next });
            }
            'A'..='Z' | 'a'..='z' => json += word(&mut rest, next)?,
            other => json.push(other),
        }
    }
    parse(&json).ok()
}

/// The rest of a string that a quote opened.
fn string(rest: &mut Peekable<Chars<'_>>, quote: char) -> Option<String> {
    let mut text = String::new();
    loop {
        match rest.next()? {
            '\\' => match rest.next()? {
                'n' => text.push('\n'),
                'r' => text.push('\r'),
                't' => text.push('\t'),
                'x' => text.push(code(rest, 2)?),
                'u' => text.push(code(rest, 4)?),
                'U' => text.push(code(rest, 8)?),
                plain @ ('\\' | '\'' | '"') => text.push(plain),
                other => text.extend(['\\', other]),
            },
            end if end == quote => return Some(text),
            other => text.push(other),
        }
    }
}

/// A character by so many hexadecimal digits.
fn code(rest: &mut Peekable<Chars<'_>>, digits: usize) -> Option<char> {
    let digits: String = rest.take(digits).collect();
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}

/// One of the three words that are values. An `e` can also stand in a number.
fn word(rest: &mut Peekable<Chars<'_>>, first: char) -> Option<&'static str> {
    let mut word = String::from(first);
    while let Some(next) = rest.next_if(char::is_ascii_alphabetic) {
        word.push(next);
    }
    match word.as_str() {
        "True" | "true" => Some("true"),
        "False" | "false" => Some("false"),
        "None" | "null" => Some("null"),
        "e" | "E" => Some("e"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read() {
        for (python, json) in [
            ("['a', 'b']", r#"["a","b"]"#),
            ("[1, '2', 3,]", r#"[1,"2",3]"#),
            ("('a', (1,))", r#"["a",[1]]"#),
            (r#"["it's", 'say "so"', 'it\'s']"#, r#"["it's","say \"so\"","it's"]"#),
            (r"['\u6570\x41\n', 'a\d']", r#"["数A\n","a\\d"]"#),
            ("[{'x': None, 'y': True}, False, 1e3]", r#"[{"x":null,"y":true},false,1e3]"#),
            ("[]", "[]"),
        ] {
            assert_eq!(literal(python), Some(parse(json).unwrap()), "{python}");
        }
    }

    #[test]
    fn what_would_have_to_be_evaluated_is_not() {
        for text in ["['a'", "[open('x')]", "[__import__('os')]", "['a' 'b']", "[1 + 1]", "['\\u12']", "[x]"]
        {
            assert_eq!(literal(text), None, "{text}");
        }
    }

    #[test]
    fn ids_are_printed_as_python_prints_them() {
        let ids = ["1", "task_2"].map(TaskId::found);
        assert_eq!(strings(&ids), "['1', 'task_2']");
        assert_eq!(numbers(&ids), "[1, 'task_2']");
        assert_eq!(numbers(&[]), "[]");
    }
}
