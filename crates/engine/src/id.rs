//! What a task is called. Not how ids are made: that is each format's business.

use smol_str::SmolStr;
use std::{cmp::Ordering, fmt};

/// The name of a task: an opaque string, which in most formats is a number.
///
/// Ids that are numbers sort as numbers and before all others. A short one needs no memory of its own: a list has many, and
/// each is spoken of by others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TaskId(SmolStr);

/// Longest id that may be given to a new task.
pub const MAX_ID: usize = 64;

impl TaskId {
    /// An id as a caller types it: `7`, `#7` or `task_7`. Only letters, digits, `_` and `-` may be typed.
    pub fn typed(text: &str) -> Option<TaskId> {
        let id = TaskId::found(text.strip_prefix('#').unwrap_or(text));
        id.is_plain().then_some(id)
    }

    /// An id as it stands in a file, whatever it is: a reference we cannot follow is still a reference.
    pub fn found(text: &str) -> TaskId {
        TaskId(SmolStr::new(text))
    }

    /// Whether the id may become part of a file name.
    pub fn is_plain(&self) -> bool {
        is_plain(&self.0)
    }

    /// The integer form, if the id is written as an integer would be (`7`, not `007`).
    pub fn number(&self) -> Option<u64> {
        let number = self.0.parse::<u64>().ok()?;
        (self.0.len() == 1 || !self.0.starts_with(['0', '+'])).then_some(number)
    }

    /// Whether there is an integer form, without working it out: ids are compared often.
    fn is_number(&self) -> bool {
        let digits = self.0.as_bytes();
        match digits.len() {
            0 => false,
            1 => digits[0].is_ascii_digit(),
            2..=19 => digits[0] != b'0' && digits.iter().all(u8::is_ascii_digit),
            _ => self.number().is_some(),
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a text would be an id that may become part of a file name.
pub(crate) fn is_plain(text: &str) -> bool {
    (1..=MAX_ID).contains(&text.len())
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-'))
}

impl From<u64> for TaskId {
    fn from(number: u64) -> Self {
        TaskId::found(&number.to_string())
    }
}

impl AsRef<str> for TaskId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Ord for TaskId {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_number(), other.is_number()) {
            // Without zeros before them, the longer one is the larger one.
            (true, true) => (self.0.len(), &self.0).cmp(&(other.0.len(), &other.0)),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.0.cmp(&other.0),
        }
    }
}

impl PartialOrd for TaskId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_typed() {
        assert_eq!(TaskId::typed("#12").unwrap().number(), Some(12));
        assert_eq!(TaskId::typed("007").unwrap().number(), None);
        assert_eq!(TaskId::typed("task_1770000000_ab12").unwrap().number(), None);
        for bad in ["", "#", "../x", "a b", "a/b", "é", "1.json", &"x".repeat(65)] {
            assert_eq!(TaskId::typed(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_number_is_one_that_can_be_worked_out() {
        let long =
            ["18446744073709551615", "18446744073709551616", "00000000000000000001", "1234567890123456789"];
        for text in ["", "0", "7", "x", "+", "-1", "+1", "00", "01", "10", "1a", "٣"].iter().chain(&long) {
            let id = TaskId::found(text);
            assert_eq!(id.is_number(), id.number().is_some(), "{text:?}");
        }
    }

    #[test]
    fn numbers_sort_as_numbers() {
        let mut ids = ["b", "10", "2", "a", "007"].map(TaskId::found);
        ids.sort();
        assert_eq!(ids.map(|it| it.to_string()), ["2", "10", "007", "a", "b"]);
    }
}
