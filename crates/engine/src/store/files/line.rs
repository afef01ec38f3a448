//! One line of the journal: length, checksum, the checksum before it, and a JSON text that people can read.
//! Not what the text means.

/// What stands before the text: three hexadecimal numbers, each with a blank.
pub(super) const PREFIX: usize = 27;

/// What stands behind the last line, where later ones will. No line begins so.
pub(super) const ROOM: u8 = b' ';

/// Longest line that is believed.
pub(super) const MAX_LINE: usize = 16 * 1024 * 1024;

/// A line that was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) check: u32,
    /// The checksum of the line before.
    pub(super) after: u32,
    /// How many bytes it takes.
    pub(super) length: usize,
}

/// Adds a line and returns its checksum.
pub(super) fn put(bytes: &mut Vec<u8>, text: &str, after: u32) -> u32 {
    let check = checksum(text, after);
    bytes.extend_from_slice(format!("{:08x} {check:08x} {after:08x} ", text.len()).as_bytes());
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(b'\n');
    check
}

/// The line at the start of some bytes; none if it is not whole and true.
pub(super) fn take(bytes: &[u8]) -> Option<Line<'_>> {
    let length = expected(bytes)?;
    let prefix = bytes.get(..PREFIX)?;
    let (check, after) = (number(&prefix[9..17])?, number(&prefix[18..26])?);
    let text = std::str::from_utf8(bytes.get(PREFIX..length - 1)?).ok()?;
    let whole = bytes.get(length - 1) == Some(&b'\n') && checksum(text, after) == check;
    whole.then_some(Line { text, check, after, length })
}

/// How many bytes the line would take that starts here.
pub(super) fn expected(bytes: &[u8]) -> Option<usize> {
    let prefix = bytes.get(..PREFIX)?;
    let blanks = [8, 17, 26].iter().all(|at| prefix[*at] == b' ');
    let length = number(&prefix[..8])? as usize;
    (blanks && length <= MAX_LINE).then_some(PREFIX + length + 1)
}

fn checksum(text: &str, after: u32) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(&after.to_le_bytes()), text.as_bytes())
}

fn number(digits: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_whole_or_nothing() {
        let mut bytes = Vec::new();
        let check = put(&mut bytes, r#"{"seq":1}"#, 7);
        let line = take(&bytes).unwrap();
        assert_eq!((line.text, line.check, line.after, line.length), (r#"{"seq":1}"#, check, 7, bytes.len()));
        for cut in 0..bytes.len() {
            assert_eq!(take(&bytes[..cut]), None);
        }
        for at in 0..bytes.len() {
            let mut bent = bytes.clone();
            bent[at] ^= 1;
            assert!(take(&bent).is_none_or(|it| it.text != line.text || it.after != 7), "byte {at}");
        }
    }
}
