//! Strict reading of JSON: no trailing bytes, no byte order mark, bounded depth. Not lenient in any corner:
//! a file that another program is half way through writing must be seen as broken.

use super::{
    Json, Lent,
    made::{Made, Passed},
};
use std::{borrow::Cow, collections::HashMap, ops::Range};

/// How deep values may nest.
pub const MAX_DEPTH: usize = 64;

/// Where and why a text is not JSON, or not what was expected in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at line {line}, column {column}")]
pub struct Malformed {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, as a fragment.
    pub reason: String,
}

/// So many members are made room for at once.
const USUAL: usize = 8;

/// One member of an object, as places in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The key, read.
    pub key: String,
    /// Where the key stands, with its quotes.
    pub key_span: Range<usize>,
    /// Where the value stands.
    pub value_span: Range<usize>,
}

/// Reads one JSON value that fills the text. Of keys given twice, the last one counts.
pub fn parse(text: &str) -> Result<Json, Malformed> {
    read(text)
}

/// The same, with its texts left where they are.
pub fn lent(text: &str) -> Result<Lent<'_>, Malformed> {
    read(text)
}

fn read<'a, T: Made<'a>>(text: &'a str) -> Result<T, Malformed> {
    let mut scanner = Scanner { text, at: 0 };
    scanner.blanks();
    let value = scanner.value(0)?;
    scanner.end()?;
    Ok(value)
}

/// The members of the object that fills `text`, duplicates included.
pub fn members(text: &str) -> Result<Vec<Member>, Malformed> {
    let mut scanner = Scanner { text, at: 0 };
    let mut found = Vec::new();
    scanner.blanks();
    scanner.object(0, &mut |scanner, key, key_span, depth| {
        let start = scanner.at;
        scanner.value::<Passed>(depth)?;
        found.push(Member { key: key.into_owned(), key_span, value_span: start..scanner.at });
        Ok(())
    })?;
    scanner.end()?;
    Ok(found)
}

/// The places of the elements of the array that fills `text`.
pub(crate) fn elements(text: &str) -> Result<Vec<Range<usize>>, Malformed> {
    let mut scanner = Scanner { text, at: 0 };
    let mut found = Vec::new();
    scanner.blanks();
    scanner.array(0, &mut |scanner, depth| {
        let start = scanner.at;
        scanner.value::<Passed>(depth)?;
        found.push(start..scanner.at);
        Ok(())
    })?;
    scanner.end()?;
    Ok(found)
}

/// So many repeated keys are named.
const MOST_REPEATED: usize = 16;

/// Some of the keys that stand more than once in one object of a text, each with the line of its last place.
pub(crate) fn repeated_keys(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let whole: Range<usize> = 0..text.len();
    let mut open = Vec::from([whole]);
    while let Some(span) = open.pop() {
        let inner = &text[span.clone()];
        let shifted = |it: Range<usize>| it.start + span.start..it.end + span.start;
        match inner.trim_start().as_bytes().first() {
            Some(b'{') => {
                let mut last: HashMap<String, usize> = HashMap::new();
                for member in members(inner).unwrap_or_default() {
                    let at = shifted(member.key_span).start;
                    if last.insert(member.key.clone(), at).is_some() {
                        found.push((member.key, at));
                    }
                    open.push(shifted(member.value_span));
                }
            }
            Some(b'[') => open.extend(elements(inner).unwrap_or_default().into_iter().map(shifted)),
            _ => {}
        }
    }
    found.sort_unstable_by_key(|it| it.1);
    found.truncate(MOST_REPEATED);
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    found.into_iter().map(|(key, at)| (key, line(at))).collect()
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

type OnMember<'f, 'a> =
    &'f mut dyn FnMut(&mut Scanner<'a>, Cow<'a, str>, Range<usize>, usize) -> Result<(), Malformed>;
type OnElement<'f, 'a> = &'f mut dyn FnMut(&mut Scanner<'a>, usize) -> Result<(), Malformed>;

impl<'a> Scanner<'a> {
    fn fail<T>(&self, reason: &str) -> Result<T, Malformed> {
        let before = &self.text[..floor(self.text, self.at)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Err(Malformed {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            reason: reason.to_owned(),
        })
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn end(&mut self) -> Result<(), Malformed> {
        self.blanks();
        if self.at == self.text.len() { Ok(()) } else { self.fail("something follows the value") }
    }

    fn take(&mut self, expected: u8, reason: &str) -> Result<(), Malformed> {
        if self.peek() == Some(expected) {
            self.at += 1;
            Ok(())
        } else {
            self.fail(reason)
        }
    }

    fn word<T>(&mut self, word: &str, value: T) -> Result<T, Malformed> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            Ok(value)
        } else {
            self.fail("not a JSON value")
        }
    }

    fn value<T: Made<'a>>(&mut self, depth: usize) -> Result<T, Malformed> {
        if depth > MAX_DEPTH {
            return self.fail("nested too deep");
        }
        match self.peek() {
            None => self.fail("the text ends too early"),
            Some(b'{') => {
                let mut object = Vec::with_capacity(USUAL);
                self.object(depth, &mut |scanner, key, _, depth| {
                    object.push((key.into(), scanner.value(depth)?));
                    Ok(())
                })?;
                Ok(T::object(object))
            }
            Some(b'[') => {
                let mut items = Vec::new();
                self.array(depth, &mut |scanner, depth| {
                    items.push(scanner.value(depth)?);
                    Ok(())
                })?;
                Ok(T::array(items))
            }
            Some(b'"') => Ok(T::string(self.string()?)),
            Some(b't') => self.word("true", T::truth(true)),
            Some(b'f') => self.word("false", T::truth(false)),
            Some(b'n') => self.word("null", T::NULL),
            Some(b'-' | b'0'..=b'9') => self.number().map(T::number),
            Some(0xEF) => self.fail("a byte order mark or other text stands before the value"),
            Some(_) => self.fail("not a JSON value"),
        }
    }

    fn object(&mut self, depth: usize, on_member: OnMember<'_, 'a>) -> Result<(), Malformed> {
        self.take(b'{', "an object was expected")?;
        self.blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            let start = self.at;
            if self.peek() != Some(b'"') {
                return self.fail("a key in quotes was expected");
            }
            let key = self.string()?;
            let key_span = start..self.at;
            self.blanks();
            self.take(b':', "a colon was expected")?;
            self.blanks();
            on_member(self, key, key_span, depth + 1)?;
            self.blanks();
            if self.peek() == Some(b'}') {
                self.at += 1;
                return Ok(());
            }
            self.take(b',', "a comma or the end of the object was expected")?;
            self.blanks();
        }
    }

    fn array(&mut self, depth: usize, on_element: OnElement<'_, 'a>) -> Result<(), Malformed> {
        self.take(b'[', "an array was expected")?;
        self.blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            on_element(self, depth + 1)?;
            self.blanks();
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(());
            }
            self.take(b',', "a comma or the end of the array was expected")?;
            self.blanks();
        }
    }

    fn digits(&mut self) -> Result<(), Malformed> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { self.fail("a digit was expected") } else { Ok(()) }
    }

    fn number(&mut self) -> Result<&'a str, Malformed> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    /// As it stands in the text, if nothing in it is escaped.
    fn string(&mut self) -> Result<Cow<'a, str>, Malformed> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let start = self.at;
            let is_plain = |it: &u8| !matches!(it, b'"' | b'\\' | 0..=0x1F);
            self.at += self.text.as_bytes()[start..].iter().take_while(|it| is_plain(it)).count();
            let plain = &self.text[start..self.at];
            if text.is_empty() && self.peek() == Some(b'"') {
                self.at += 1;
                return Ok(Cow::Borrowed(plain));
            }
            text.push_str(plain);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return self.fail("a control character stands unescaped in a string"),
                None => return self.fail("a string does not end"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Malformed> {
        self.at += 1;
        let plain = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode_escape();
            }
            _ => return self.fail("an unknown escape"),
        };
        self.at += 1;
        Ok(plain)
    }

    /// Half a pair, which JavaScript writes where a text was cut, reads as the replacement character.
    fn unicode_escape(&mut self) -> Result<char, Malformed> {
        let first = self.four_hex()?;
        let mut code = first;
        if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            let back = self.at;
            self.at += 2;
            let second = self.four_hex()?;
            if (0xDC00..0xE000).contains(&second) {
                code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            } else {
                self.at = back;
            }
        }
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn four_hex(&mut self) -> Result<u32, Malformed> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let Some(digits) = digits.filter(|it| it.iter().all(u8::is_ascii_hexdigit)) else {
            return self.fail("four hexadecimal digits were expected");
        };
        let code =
            digits.iter().fold(0, |code, digit| code * 16 + (*digit as char).to_digit(16).unwrap_or(0));
        self.at += 4;
        Ok(code)
    }
}

fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_others_round() {
        let value = parse(r#"{"big":12345678901234567890,"f":1.0,"e":1e3}"#).unwrap();
        let spelled: Vec<_> = value.as_object().unwrap().iter().map(|(_, it)| it.clone()).collect();
        assert_eq!(spelled, ["12345678901234567890", "1.0", "1e3"].map(|it| Json::Number(it.into())));
    }

    #[test]
    fn last_of_two_equal_keys_wins() {
        let value = parse(r#"{"a":1,"b":2,"a":3}"#).unwrap();
        assert_eq!(value.as_object().unwrap().get("a").unwrap().as_u64(), Some(3));
    }

    #[test]
    fn pairs_of_surrogates_are_one_character() {
        assert_eq!(parse(r#""\ud83c\udf89""#).unwrap(), Json::from("🎉"));
        assert_eq!(parse(r#""a\ud83c\u0041\udf89""#).unwrap(), Json::from("a\u{fffd}A\u{fffd}"));
    }

    #[test]
    fn broken_texts_are_named_with_their_place() {
        for (text, place) in [
            ("", (1, 1)),
            ("\u{feff}{}", (1, 1)),
            ("{\n  \"a\": 01\n}", (2, 9)),
            ("{} x", (1, 4)),
            ("[1,]", (1, 4)),
            ("\"\\ud80\"", (1, 4)),
            ("\"a\nb\"", (1, 3)),
            ("nul", (1, 1)),
            ("{\"v\":2}ld old\"}", (1, 8)),
        ] {
            let fault = parse(text).unwrap_err();
            assert_eq!((fault.line, fault.column), place, "{text:?}: {fault}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(parse(&deep(MAX_DEPTH + 1)).is_ok());
        assert!(parse(&deep(MAX_DEPTH + 2)).is_err());
        assert!(parse(&"[".repeat(1_000_000)).is_err());
    }
}
