//! Changing some keys of an object in its text: what is not changed keeps its bytes, whatever its layout.
//! Not a merge: the caller says what each key shall be.

use super::{Json, Malformed, Object, Style, members, parse, write, write::put_string};
use std::ops::Range;

/// One key of an object and what it shall be: a value, or gone.
pub(crate) type Edit = (String, Option<Json>);

/// Lays `edits` over the object that `text` holds. `margin` stands before the closing brace of that object.
pub(crate) fn patch_object(
    text: &str,
    edits: &[Edit],
    style: Style,
    margin: &str,
) -> Result<String, Malformed> {
    let mut text = text.to_owned();
    for (key, value) in edits {
        loop {
            let layout = Layout::of(&text, style, margin)?;
            text = match (layout.last(key), value) {
                (None, None) => break,
                (None, Some(value)) => layout.append(key, value),
                // A key that stands there twice goes twice.
                (Some(at), None) => {
                    text = layout.without(at);
                    continue;
                }
                (Some(at), Some(value)) => layout.replace(at, value)?,
            };
            break;
        }
    }
    Ok(text)
}

struct Layout<'a> {
    text: &'a str,
    members: Vec<super::parse::Member>,
    /// What stands between the opening brace and the first key.
    lead: String,
    colon: String,
    style: Style,
    margin: &'a str,
}

impl<'a> Layout<'a> {
    fn of(text: &'a str, style: Style, margin: &'a str) -> Result<Self, Malformed> {
        let members = members(text)?;
        let open = text.find('{').unwrap_or(0) + 1;
        let (lead, colon) = match members.first() {
            Some(first) => (
                text[open..first.key_span.start].to_owned(),
                text[first.key_span.end..first.value_span.start].to_owned(),
            ),
            None => match style.indent {
                Some(indent) => (format!("\n{margin}{}", " ".repeat(indent)), style.colon.to_owned()),
                None => (String::new(), style.colon.to_owned()),
            },
        };
        let colon = if colon.contains('\n') { style.colon.to_owned() } else { colon };
        Ok(Layout { text, members, lead, colon, style, margin })
    }

    fn last(&self, key: &str) -> Option<usize> {
        self.members.iter().rposition(|member| member.key == key)
    }

    /// A value in the manner of this object: on one line if the object is, else with its margin and line ends.
    fn value(&self, value: &Json) -> String {
        let Some(line) = self.lead.rfind('\n') else {
            let gap = if self.colon == ":" { "" } else { " " };
            return write(
                value,
                Style { indent: None, colon: if gap.is_empty() { ":" } else { ": " }, gap, ..self.style },
                "",
            );
        };
        let text = write(value, self.style, &self.lead[line + 1..]);
        if self.lead.contains('\r') { text.replace('\n', "\r\n") } else { text }
    }

    fn append(&self, key: &str, value: &Json) -> String {
        let mut member = String::new();
        put_string(&mut member, key, self.style);
        member.push_str(&self.colon);
        member.push_str(&self.value(value));
        if let Some(last) = self.members.last() {
            let at = last.value_span.end;
            let gap = if self.lead.is_empty() && self.colon != ":" { " " } else { "" };
            return format!("{},{}{gap}{member}{}", &self.text[..at], self.lead, &self.text[at..]);
        }
        let open = self.text.find('{').unwrap_or(0) + 1;
        let close = self.text.rfind('}').unwrap_or(self.text.len());
        let tail = if self.style.indent.is_some() { format!("\n{}", self.margin) } else { String::new() };
        format!("{}{}{member}{tail}{}", &self.text[..open], self.lead, &self.text[close..])
    }

    fn without(&self, at: usize) -> String {
        let gone: Range<usize> = match (at, self.members.get(at + 1)) {
            (0, None) => {
                let open = self.text.find('{').unwrap_or(0) + 1;
                open..self.text.rfind('}').unwrap_or(self.text.len())
            }
            (0, Some(next)) => self.members[0].key_span.start..next.key_span.start,
            (at, _) => self.members[at - 1].value_span.end..self.members[at].value_span.end,
        };
        format!("{}{}", &self.text[..gone.start], &self.text[gone.end..])
    }

    fn replace(&self, at: usize, value: &Json) -> Result<String, Malformed> {
        let span = self.members[at].value_span.clone();
        let old_text = &self.text[span.clone()];
        let old = parse(old_text)?;
        if old == *value {
            return Ok(self.text.to_owned());
        }
        let new_text = match (&old, value) {
            (Json::Object(old), Json::Object(new)) if !old.is_empty() => {
                let line = self.lead.rfind('\n').map_or(self.margin, |line| &self.lead[line + 1..]);
                patch_object(old_text, &difference(old, new), self.style, line)?
            }
            _ => self.value(value),
        };
        Ok(format!("{}{new_text}{}", &self.text[..span.start], &self.text[span.end..]))
    }
}

/// The edits that make `new` of `old`.
fn difference(old: &Object, new: &Object) -> Vec<Edit> {
    let gone = old.iter().filter(|(key, _)| new.get(key).is_none()).map(|(key, _)| (key.to_owned(), None));
    let set = new
        .iter()
        .filter(|(key, value)| old.get(key) != Some(*value))
        .map(|(key, value)| (key.to_owned(), Some(value.clone())));
    gone.chain(set).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patched(text: &str, edits: &[(&str, Option<&str>)]) -> String {
        let edits: Vec<Edit> = edits
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.map(|it| parse(it).unwrap())))
            .collect();
        patch_object(text, &edits, Style::JAVASCRIPT, "").unwrap()
    }

    #[test]
    fn only_what_changes_changes() {
        let pretty = "{\n  \"a\": 1.0,\n  \"b\": [1,2],\n  \"c\": \"\\u6570\"\n}\n";
        assert_eq!(patched(pretty, &[("a", Some("1.0"))]), pretty);
        assert_eq!(patched(pretty, &[("a", Some("2"))]), pretty.replace("1.0", "2"));
        assert_eq!(patched(pretty, &[("c", None)]), "{\n  \"a\": 1.0,\n  \"b\": [1,2]\n}\n");
        assert_eq!(patched(pretty, &[("a", None)]), "{\n  \"b\": [1,2],\n  \"c\": \"\\u6570\"\n}\n");
        assert_eq!(
            patched(pretty, &[("d", Some("[3]"))]),
            "{\n  \"a\": 1.0,\n  \"b\": [1,2],\n  \"c\": \"\\u6570\",\n  \"d\": [\n    3\n  ]\n}\n"
        );
    }

    #[test]
    fn the_layout_found_is_the_layout_kept() {
        assert_eq!(patched(r#"{"a":1}"#, &[("b", Some("[1,2]"))]), r#"{"a":1,"b":[1,2]}"#);
        assert_eq!(patched(r#"{"a": 1}"#, &[("b", Some("[1,2]"))]), r#"{"a": 1, "b": [1, 2]}"#);
        assert_eq!(
            patched("{\r\n\t\"a\": 1\r\n}", &[("b", Some("2"))]),
            "{\r\n\t\"a\": 1,\r\n\t\"b\": 2\r\n}"
        );
        assert_eq!(patched("{}", &[("a", Some("1"))]), "{\n  \"a\": 1\n}");
        assert_eq!(patched("{ \"a\": 1 }", &[("a", None)]), "{}");
        assert_eq!(patched(r#"{"a":1,"b":2,"a":3}"#, &[("a", None)]), r#"{"b":2}"#);
    }

    #[test]
    fn inner_objects_are_changed_key_by_key() {
        let text = "{\n  \"m\": {\"x\":1.0,\"y\":2}\n}";
        assert_eq!(patched(text, &[("m", Some(r#"{"x":1.0,"z":3}"#))]), "{\n  \"m\": {\"x\":1.0,\"z\":3}\n}");
    }
}
