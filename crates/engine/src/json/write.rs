//! Writing JSON byte for byte as the programs do whose files we share: Python, JavaScript, Jackson.
//! Not a choice of taste: each format names its style.

use super::{Json, Members, Object, Value};

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
    let mut pen = Pen::new(String::with_capacity(ROOM), style, margin);
    pen.put(value);
    pen.text
}

/// Writes an object behind a text, member by member, as they are told.
pub fn write_members(text: &mut String, style: Style, margin: &str, tell: &dyn Fn(&mut dyn Members)) {
    let mut pen = Pen::new(std::mem::take(text), style, margin);
    let mut open = Open { pen: &mut pen, count: 0 };
    tell(&mut open);
    open.close();
    *text = pen.text;
}

/// An object that is being written.
struct Open<'p, 'a> {
    pen: &'p mut Pen<'a>,
    count: usize,
}

impl Open<'_, '_> {
    fn close(self) {
        if self.count == 0 { self.pen.object(&Object::new()) } else { self.pen.close('}') }
    }
}

impl Members for Open<'_, '_> {
    fn put(&mut self, key: &str, value: Value<'_>) {
        if self.count == 0 {
            self.pen.open('{');
        }
        self.pen.separate(self.count);
        self.count += 1;
        put_string(&mut self.pen.text, key, self.pen.style);
        self.pen.text.push_str(self.pen.style.colon);
        match value {
            Value::Text(text) => put_string(&mut self.pen.text, text, self.pen.style),
            Value::Texts(texts) => {
                self.pen.array(texts, |pen, it| put_string(&mut pen.text, it, pen.style));
            }
            Value::Object(object) => self.pen.object(object),
            other => self.pen.put(&other.into_json()),
        }
    }
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
    /// What a line begins with, and more blanks than that.
    between: String,
}

impl<'a> Pen<'a> {
    fn new(text: String, style: Style, margin: &'a str) -> Pen<'a> {
        Pen { text, style, margin, depth: 0, between: String::new() }
    }
}

impl Pen<'_> {
    fn put(&mut self, value: &Json) {
        match value {
            Json::Null => self.text.push_str("null"),
            Json::Bool(truth) => self.text.push_str(if *truth { "true" } else { "false" }),
            Json::Number(spelled) => self.text.push_str(spelled),
            Json::String(string) => put_string(&mut self.text, string, self.style),
            Json::Array(items) => self.array(items.iter(), Pen::put),
            Json::Object(object) => self.object(object),
        }
    }

    fn array<T>(&mut self, items: impl Iterator<Item = T>, put: impl Fn(&mut Self, T)) {
        let (mut items, is_inline) = (items.peekable(), self.style.inline_arrays);
        if items.peek().is_none() {
            self.text.push_str(if is_inline { "[ ]" } else { "[]" });
        } else if is_inline {
            self.text.push_str("[ ");
            for (n, item) in items.enumerate() {
                self.text.push_str(if n == 0 { "" } else { ", " });
                put(self, item);
            }
            self.text.push_str(" ]");
        } else {
            self.open('[');
            for (n, item) in items.enumerate() {
                self.separate(n);
                put(self, item);
            }
            self.close(']');
        }
    }

    fn object(&mut self, object: &Object) {
        if object.is_empty() {
            self.text.push_str(if self.style.inline_arrays { "{ }" } else { "{}" });
            return;
        }
        self.open('{');
        for (n, (key, item)) in object.iter().enumerate() {
            self.separate(n);
            put_string(&mut self.text, key, self.style);
            self.text.push_str(self.style.colon);
            self.put(item);
        }
        self.close('}');
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
        let length = 1 + self.margin.len() + self.depth * self.style.indent.unwrap_or(0);
        if self.between.len() < length {
            self.between = format!("\n{}{}", self.margin, " ".repeat(2 * length));
        }
        self.text.push_str(&self.between[..length]);
    }
}

/// Writes one string with its quotes.
pub(super) fn put_string(text: &mut String, string: &str, style: Style) {
    text.push('"');
    let mut rest = string;
    loop {
        // Most of a text is plain: that goes over as a whole.
        let length = if style.ascii {
            plain_length(rest.as_bytes(), |it| matches!(it, b' '..=b'~') & !matches!(it, b'"' | b'\\'))
        } else {
            plain_length(rest.as_bytes(), |it| (it >= b' ') & !matches!(it, b'"' | b'\\'))
        };
        let (plain, others) = rest.split_at(length);
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
            // Not to be printed, or outside ASCII.
            _ => escape(text, character, false),
        }
    }
    text.push('"');
}

/// How many bytes from the first on are written as they are. In pieces, of which each is looked at as a whole.
fn plain_length(bytes: &[u8], is_plain: impl Fn(u8) -> bool) -> usize {
    let pieces = bytes.chunks_exact(PIECE);
    let whole =
        pieces.take_while(|piece| piece.iter().fold(true, |all, it| all & is_plain(*it))).count() * PIECE;
    whole + bytes[whole..].iter().take_while(|it| is_plain(**it)).count()
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
