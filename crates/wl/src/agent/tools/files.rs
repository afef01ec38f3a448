//! Reading, writing and editing text files of the workspace, with answers for a model. Not where the workspace ends.

use super::{Answer, Toolbox, input::Input};
use std::io::{Read, Write};

/// Larger files are not read.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// An answer is at most so long, and so many lines.
const MOST_SHOWN: usize = 64 * 1024;
const MOST_LINES: usize = 2_000;

pub(super) fn read(toolbox: &Toolbox<'_>, input: &Input) -> Answer {
    let path = input.text("path")?;
    let first = count(input.number("offset")?.unwrap_or(1).max(1)) - 1;
    let limit = count(input.number("limit")?.unwrap_or(u64::MAX)).min(MOST_LINES);
    let text = whole(toolbox, path)?;
    Ok(part(&text, first, limit))
}

pub(super) fn write(toolbox: &Toolbox<'_>, input: &Input) -> Answer {
    let (path, content) = (input.text("path")?, input.text("content")?);
    put(toolbox, path, content)?;
    Ok(format!("Wrote {} bytes to {path}.", content.len()))
}

pub(super) fn edit(toolbox: &Toolbox<'_>, input: &Input) -> Answer {
    let path = input.text("path")?;
    let (old, new) = (input.text("old_text")?, input.text("new_text")?);
    let text = whole(toolbox, path)?;
    put(toolbox, path, &replaced(path, &text, old, new)?)?;
    Ok(format!("Edited {path}."))
}

/// The text with one part replaced, which must be there exactly once.
fn replaced(path: &str, text: &str, old: &str, new: &str) -> Answer {
    if old.is_empty() {
        return Err("`old_text` may not be empty.".to_owned());
    }
    match text.matches(old).count() {
        0 => Err(format!("`old_text` is not in {path}.")),
        1 => Ok(text.replacen(old, new, 1)),
        many => Err(format!("`old_text` is in {path} {many} times; give more of what is around it.")),
    }
}

fn whole(toolbox: &Toolbox<'_>, path: &str) -> Answer {
    let file = toolbox.workspace.to_read(path)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| format!("{path}: {error}."))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("{path} is larger than {MOST_BYTES} bytes."));
    }
    String::from_utf8(bytes).map_err(|_| format!("{path} is not UTF-8 text."))
}

fn put(toolbox: &Toolbox<'_>, path: &str, text: &str) -> Result<(), String> {
    let mut file = toolbox.workspace.to_write(path)?;
    file.write_all(text.as_bytes()).map_err(|error| format!("{path}: {error}."))
}

/// Some lines of a text, and what was left out.
fn part(text: &str, first: usize, limit: usize) -> String {
    let mut shown = String::new();
    let mut lines = 0;
    for line in text.split_inclusive('\n').skip(first).take(limit) {
        if shown.len() + line.len() > MOST_SHOWN {
            break;
        }
        shown += line;
        lines += 1;
    }
    let all = text.split_inclusive('\n').count();
    let left = all.saturating_sub(first + lines);
    if left > 0 {
        shown += &format!("\n[{left} more lines; go on with offset {}]", first + lines + 1);
    }
    if shown.is_empty() { "(nothing)".to_owned() } else { shown }
}

fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_says_what_is_missing() {
        assert_eq!(part("a\nb\nc\n", 1, 1), "b\n\n[1 more lines; go on with offset 3]");
        assert_eq!(part("a\nb", 0, 9), "a\nb");
        assert_eq!(part("", 0, 9), "(nothing)");
        assert_eq!(part("a\n", 7, 9), "(nothing)");
    }

    #[test]
    fn an_edit_must_be_clear() {
        assert_eq!(replaced("f", "a b", "a", "c").as_deref(), Ok("c b"));
        assert!(replaced("f", "a a", "a", "c").is_err_and(|it| it.contains("2 times")));
        assert!(replaced("f", "a", "x", "c").is_err() && replaced("f", "a", "", "c").is_err());
    }
}
