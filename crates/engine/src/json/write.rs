//! Writing JSON byte for byte as the programs do whose files we share: Python, JavaScript, Jackson.
//! Not a choice of taste: each format names its style.

use super::Json;

/// The layout of one JSON library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Spaces per level; `None` puts everything on one line.
    pub indent: Option<usize>,
    /// What stands between a key and its value.
    pub colon: &'static str,
    /// Whether characters outside ASCII are written as `\uXXXX`.
    pub ascii: bool,
    /// Whether arrays stay on one line with blanks inside, as Jackson writes them.
    pub inline_arrays: bool,
    /// What stands after a comma on one line.
    pub gap: &'static str,
}

impl Style {
    /// `json.dumps(value, indent=2)`
    pub const PYTHON: Style =
        Style { indent: Some(2), colon: ": ", ascii: true, inline_arrays: false, gap: "" };
    /// `JSON.stringify(value, null, 2)`
    pub const JAVASCRIPT: Style = Style { ascii: false, ..Style::PYTHON };
    /// Jackson's default pretty printer.
    pub const JACKSON: Style = Style { colon: " : ", ascii: false, inline_arrays: true, ..Style::PYTHON };
    /// `JSON.stringify(value)`
    pub const COMPACT: Style =
        Style { indent: None, colon: ":", ascii: false, inline_arrays: false, gap: "" };
}

/// Writes a value in a style. `margin` stands before every line but the first.
pub fn write(value: &Json, style: Style, margin: &str) -> String {
    let mut pen = Pen { text: String::with_capacity(ROOM), style, margin, depth: 0 };
    pen.put(value);
    pen.text
}

/// Most values fit in so many bytes.
const ROOM: usize = 512;

/// Where and how values are written.
struct Pen<'a> {
    text: String,
    style: Style,
    margin: &'a str,
    /// How many arrays and objects are open.
    depth: usize,
}

impl Pen<'_> {
    fn put(&mut self, value: &Json) {
        let is_inline = self.style.inline_arrays;
        match value {
            Json::Null => self.text.push_str("null"),
            Json::Bool(truth) => self.text.push_str(if *truth { "true" } else { "false" }),
            Json::Number(spelled) => self.text.push_str(spelled),
            Json::String(string) => put_string(&mut self.text, string, self.style),
            Json::Array(items) if items.is_empty() => {
                self.text.push_str(if is_inline { "[ ]" } else { "[]" });
            }
            Json::Array(items) if is_inline => {
                self.text.push_str("[ ");
                for (n, item) in items.iter().enumerate() {
                    self.text.push_str(if n == 0 { "" } else { ", " });
                    self.put(item);
                }
                self.text.push_str(" ]");
            }
            Json::Array(items) => {
                self.open('[');
                for (n, item) in items.iter().enumerate() {
                    self.separate(n);
                    self.put(item);
                }
                self.close(']');
            }
            Json::Object(object) if object.is_empty() => {
                self.text.push_str(if is_inline { "{ }" } else { "{}" });
            }
            Json::Object(object) => {
                self.open('{');
                for (n, (key, item)) in object.iter().enumerate() {
                    self.separate(n);
                    put_string(&mut self.text, key, self.style);
                    self.text.push_str(self.style.colon);
                    self.put(item);
                }
                self.close('}');
            }
        }
    }

    fn open(&mut self, bracket: char) {
        self.text.push(bracket);
        self.depth += 1;
    }

    fn close(&mut self, bracket: char) {
        self.depth -= 1;
        if self.style.indent.is_some() {
            self.break_line();
        }
        self.text.push(bracket);
    }

    fn separate(&mut self, n: usize) {
        if n > 0 {
            self.text.push(',');
        }
        if self.style.indent.is_some() {
            self.break_line();
        } else if n > 0 {
            self.text.push_str(self.style.gap);
        }
    }

    fn break_line(&mut self) {
        const BLANKS: &str = "                                ";
        self.text.push('\n');
        self.text.push_str(self.margin);
        let mut left = self.depth * self.style.indent.unwrap_or(0);
        while left > 0 {
            let some = left.min(BLANKS.len());
            self.text.push_str(&BLANKS[..some]);
            left -= some;
        }
    }
}

/// Writes one string with its quotes.
pub(super) fn put_string(text: &mut String, string: &str, style: Style) {
    text.push('"');
    let mut rest = string;
    loop {
        // Most of a text is plain: that goes over as a whole.
        let (plain, others) = rest.split_at(plain_length(rest.as_bytes()));
        text.push_str(plain);
        let mut characters = others.chars();
        let Some(character) = characters.next() else { break };
        rest = characters.as_str();
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            '\0'..='\u{1f}' => escape(text, character, style.inline_arrays),
            _ if style.ascii => escape(text, character, false),
            _ => text.push(character),
        }
    }
    text.push('"');
}

/// How many bytes from the first on are written as they are. In pieces, of which each is looked at as a whole.
fn plain_length(bytes: &[u8]) -> usize {
    let is_plain = |it: &u8| matches!(it, b' '..=b'~') & !matches!(it, b'"' | b'\\');
    let pieces = bytes.chunks_exact(PIECE);
    let whole =
        pieces.take_while(|piece| piece.iter().fold(true, |all, it| all & is_plain(it))).count() * PIECE;
    whole + bytes[whole..].iter().take_while(|it| is_plain(it)).count()
}

/// As many bytes as a processor looks at in a step or two.
const PIECE: usize = 16;

/// Jackson writes its hexadecimal digits in capitals, the others do not.
fn escape(text: &mut String, character: char, capitals: bool) {
    let mut units = [0; 2];
    for unit in character.encode_utf16(&mut units) {
        text.push_str(&if capitals { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn each_library_is_matched_to_the_byte() {
        let value = parse(r#"{"a":[1,{"b":[]}],"é\u001b\u007f":"数\t","o":{}}"#).unwrap();
        let python = "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \
                      \"\\u00e9\\u001b\\u007f\": \"\\u6570\\t\",\n  \"o\": {}\n}";
        assert_eq!(write(&value, Style::PYTHON, ""), python);
        let javascript = python.replace("\\u00e9", "é").replace("\\u007f", "\u{7f}").replace("\\u6570", "数");
        assert_eq!(write(&value, Style::JAVASCRIPT, ""), javascript);
        let jackson = "{\n  \"a\" : [ 1, {\n    \"b\" : [ ]\n  } ],\n  \"é\\u001B\u{7f}\" : \"数\\t\",\n  \"o\" : { }\n}";
        assert_eq!(write(&value, Style::JACKSON, ""), jackson);
        assert_eq!(
            write(&value, Style::COMPACT, ""),
            "{\"a\":[1,{\"b\":[]}],\"é\\u001b\u{7f}\":\"数\\t\",\"o\":{}}"
        );
    }
}
