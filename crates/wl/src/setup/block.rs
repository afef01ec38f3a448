//! A block of ours in a text of somebody else: behind what is there, between two marks, with a number that tells whether
//! it was changed by hand. What it says is in `guide`.

use super::{Fault, State};
use crate::fingerprint::fingerprint;
use std::ops::Range;

const BEGIN: &str = "<!-- worklist:begin hash=";
const END: &str = "<!-- worklist:end -->";

/// How the block stands in a text.
pub(super) fn state(text: &str, wanted: &str) -> Result<State, Fault> {
    let Some(found) = find(text)? else { return Ok(State::Missing) };
    let inner = found.inner.replace("\r\n", "\n");
    Ok(match format!("{:016x}", fingerprint(&inner)) == found.number {
        false => State::Edited,
        true if inner == wanted => State::Current,
        true => State::Stale,
    })
}

/// The text with the block, in the place of an older one if there is one.
pub(super) fn put(text: &str, wanted: &str) -> Result<String, Fault> {
    let block = format!("{BEGIN}{:016x} -->\n{wanted}{END}", fingerprint(wanted));
    Ok(match find(text)? {
        Some(found) => {
            let block = block.replace('\n', end_of_line(text));
            format!("{}{block}{}", &text[..found.span.start], &text[found.span.end..])
        }
        None => appended(text, &block),
    })
}

/// The text without the block.
pub(super) fn take(text: &str) -> Result<String, Fault> {
    Ok(find(text)?.map_or_else(|| text.to_owned(), |found| cut(text, found.span)))
}

/// A paragraph behind a text. Whether the text ends with a line is as it was.
pub(super) fn appended(text: &str, paragraph: &str) -> String {
    let line = end_of_line(text);
    let paragraph = paragraph.replace('\n', line);
    if text.is_empty() {
        return format!("{paragraph}{line}");
    }
    let body = text.strip_suffix(line).unwrap_or(text);
    format!("{body}{line}{line}{paragraph}{}", &text[body.len()..])
}

/// A text without a paragraph of it, and without the empty line that parted it from the rest.
pub(super) fn cut(text: &str, span: Range<usize>) -> String {
    let line = end_of_line(text);
    let (before, behind) = (&text[..span.start], &text[span.end..]);
    if before.is_empty() {
        let behind = behind.strip_prefix(line).unwrap_or(behind);
        return behind.strip_prefix(line).unwrap_or(behind).to_owned();
    }
    let before = before.strip_suffix(line).unwrap_or(before);
    format!("{}{behind}", before.strip_suffix(line).unwrap_or(before))
}

/// How the lines of a text end.
pub(super) fn end_of_line(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

struct Block<'a> {
    span: Range<usize>,
    number: &'a str,
    inner: &'a str,
}

fn find(text: &str) -> Result<Option<Block<'_>>, Fault> {
    let Some(start) = text.find(BEGIN) else { return Ok(None) };
    let rest = &text[start + BEGIN.len()..];
    let ends = rest.split_once(" -->").and_then(|(number, rest)| Some((number, rest.split_once(END)?.0)));
    let Some((number, inner)) = ends else {
        return Err(Fault::new(&format!("a block begins with {BEGIN} and does not end with {END}")));
    };
    let end = start + BEGIN.len() + number.len() + " -->".len() + inner.len() + END.len();
    if text[start + 1..end].contains(BEGIN) || text[end..].contains(BEGIN) {
        return Err(Fault::new("there are two blocks of Worklist; leave one"));
    }
    let inner = inner.strip_prefix('\n').or_else(|| inner.strip_prefix("\r\n")).unwrap_or(inner);
    Ok(Some(Block { span: start..end, number, inner }))
}
