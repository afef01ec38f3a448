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
    let mut text = String::new();
    put(&mut text, value, style, margin);
    text
}

fn put(text: &mut String, value: &Json, style: Style, margin: &str) {
    match value {
        Json::Null => text.push_str("null"),
        Json::Bool(truth) => text.push_str(if *truth { "true" } else { "false" }),
        Json::Number(spelled) => text.push_str(spelled),
        Json::String(string) => put_string(text, string, style),
        Json::Array(items) if items.is_empty() => {
            text.push_str(if style.inline_arrays { "[ ]" } else { "[]" });
        }
        Json::Array(items) if style.inline_arrays => {
            text.push_str("[ ");
            for (n, item) in items.iter().enumerate() {
                text.push_str(if n == 0 { "" } else { ", " });
                put(text, item, style, margin);
            }
            text.push_str(" ]");
        }
        Json::Array(items) => {
            text.push('[');
            let inner = deeper(style, margin);
            for (n, item) in items.iter().enumerate() {
                separate(text, style, n, &inner);
                put(text, item, style, &inner);
            }
            close(text, style, margin);
            text.push(']');
        }
        Json::Object(object) if object.is_empty() => {
            text.push_str(if style.inline_arrays { "{ }" } else { "{}" });
        }
        Json::Object(object) => {
            text.push('{');
            let inner = deeper(style, margin);
            for (n, (key, item)) in object.iter().enumerate() {
                separate(text, style, n, &inner);
                put_string(text, key, style);
                text.push_str(style.colon);
                put(text, item, style, &inner);
            }
            close(text, style, margin);
            text.push('}');
        }
    }
}

fn deeper(style: Style, margin: &str) -> String {
    margin.to_owned() + &" ".repeat(style.indent.unwrap_or(0))
}

fn separate(text: &mut String, style: Style, n: usize, inner: &str) {
    if n > 0 {
        text.push(',');
    }
    if style.indent.is_some() {
        text.push('\n');
        text.push_str(inner);
    } else if n > 0 {
        text.push_str(style.gap);
    }
}

fn close(text: &mut String, style: Style, margin: &str) {
    if style.indent.is_some() {
        text.push('\n');
        text.push_str(margin);
    }
}

/// Writes one string with its quotes.
pub(super) fn put_string(text: &mut String, string: &str, style: Style) {
    text.push('"');
    // Most texts are plain to their end: what is, goes over as a whole.
    let is_plain = |it: &u8| matches!(it, b' '..=b'~') && !matches!(it, b'"' | b'\\');
    let plain = string.bytes().position(|it| !is_plain(&it)).unwrap_or(string.len());
    let (plain, rest) = string.split_at(plain);
    text.push_str(plain);
    for character in rest.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            '\0'..='\u{1f}' if style.inline_arrays => escape(text, character, true),
            '\0'..='\u{1f}' => escape(text, character, false),
            ' '..='~' => text.push(character),
            _ if style.ascii => escape(text, character, false),
            _ => text.push(character),
        }
    }
    text.push('"');
}

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
