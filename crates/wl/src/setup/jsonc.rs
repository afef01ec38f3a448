//! JSON as people write settings, with comments and trailing commas, and where its members stand. What is changed in
//! such a text and how is said in `entry.rs`.

use std::ops::Range;
use worklist::json::{Json, Malformed, Member, members, parse};

/// A text of settings. All three have the same length, so that a place in one is the same place in the others.
pub(super) struct Jsonc<'a> {
    pub(super) text: &'a str,
    /// Comments are blanks here, those of several lines on one.
    pub(super) bare: String,
    /// Plain JSON: comments and trailing commas are blanks.
    plain: String,
}

/// An object in the text, and what is in it.
pub(super) struct Found {
    /// From its opening brace to behind its closing one.
    pub(super) span: Range<usize>,
    pub(super) members: Vec<Member>,
}

impl<'a> Jsonc<'a> {
    /// Reads a text that must hold one object.
    pub(super) fn read(text: &'a str) -> Result<Jsonc<'a>, Malformed> {
        let (bare, mut plain) = blanked(text);
        blank_trailing_commas(&mut plain);
        let (bare, plain) = (string(bare), string(plain));
        parse(&plain)?;
        members(&plain)?;
        Ok(Jsonc { text, bare, plain })
    }

    /// The outermost object.
    pub(super) fn root(&self) -> Result<Found, Malformed> {
        let start = self.plain.find('{').unwrap_or(0);
        let end = self.plain.rfind('}').map_or(start, |it| it + 1);
        self.object(start..end)
    }

    /// The object in a place.
    pub(super) fn object(&self, span: Range<usize>) -> Result<Found, Malformed> {
        let shifted = |it: Range<usize>| it.start + span.start..it.end + span.start;
        let found = members(&self.plain[span.clone()])?.into_iter();
        let members = found.map(|it| Member {
            key_span: shifted(it.key_span),
            value_span: shifted(it.value_span),
            ..it
        });
        Ok(Found { members: members.collect(), span })
    }

    /// The value in a place.
    pub(super) fn value(&self, span: &Range<usize>) -> Result<Json, Malformed> {
        parse(&self.plain[span.clone()])
    }
}

/// The text twice, with comments as blanks: once with its lines joined within them, once with all of its lines.
fn blanked(text: &str) -> (Vec<u8>, Vec<u8>) {
    let bytes = text.as_bytes();
    let (mut bare, mut plain) = (bytes.to_vec(), bytes.to_vec());
    let mut blank = |range: Range<usize>| {
        bare[range.clone()].fill(b' ');
        for it in range.filter(|it| bytes[*it] != b'\n') {
            plain[it] = b' ';
        }
    };
    if text.starts_with('\u{feff}') {
        blank(0..3);
    }
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let end = match rest {
            [b'"', ..] => at + string_length(rest),
            [b'/', b'/', ..] => at + rest.iter().position(|it| *it == b'\n').unwrap_or(rest.len()),
            [b'/', b'*', ..] => {
                at + rest.windows(2).skip(2).position(|it| it == b"*/").map_or(rest.len(), |it| it + 4)
            }
            _ => at + 1,
        };
        if rest[0] == b'/' && end > at + 1 {
            blank(at..end);
        }
        at = end;
    }
    (bare, plain)
}

/// How long a string is, with its quotes.
fn string_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != b'"' {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// A comma that stands behind a value and before the end of what it is in.
fn blank_trailing_commas(text: &mut [u8]) {
    let mut comma = None;
    let mut last = b'{';
    let mut at = 0;
    while at < text.len() {
        let it = text[at];
        let length = if it == b'"' { string_length(&text[at..]) } else { 1 };
        match it {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b',' => comma = Some(at).filter(|_| !matches!(last, b'{' | b'[' | b',')),
            b'}' | b']' => {
                if let Some(comma) = comma.take() {
                    text[comma] = b' ';
                }
            }
            _ => comma = None,
        }
        if !it.is_ascii_whitespace() {
            last = it;
        }
        at += length;
    }
}

/// Only whole characters were replaced, so this is text again.
fn string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_no_obstacle() {
        let text = "\u{feff}{ // one, {\n  \"a//\\\"\": [1, 2,], /* \u{e4} */\n  \"b\": {\"c\": null,},\n}\n";
        let read = Jsonc::read(text).unwrap();
        let root = read.root().unwrap();
        let keys: Vec<&str> = root.members.iter().map(|it| it.key.as_str()).collect();
        assert_eq!(keys, ["a//\"", "b"]);
        assert_eq!(&text[root.members[1].value_span.clone()], "{\"c\": null,}");
        assert_eq!((read.bare.len(), read.plain.len()), (text.len(), text.len()));
    }

    #[test]
    fn what_is_wrong_stays_wrong() {
        for text in [
            "",
            "[]",
            "{",
            "{,}",
            "{\"a\": 1,,}",
            "{\"a\": }",
            "{} x",
            "{ /* ",
            "{\"a\": [,]}",
            "\"{}\"",
            "{\"a",
        ] {
            assert!(Jsonc::read(text).is_err(), "{text:?}");
        }
        assert_eq!(Jsonc::read("{ /* a\nb */\n  x").err().unwrap().line, 3);
    }
}
