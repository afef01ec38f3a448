//! A moment, in milliseconds. Not a clock: it never asks what time it is.

use std::fmt;

/// A moment in milliseconds since 1970 (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(pub i64);

impl Time {
    /// Reads an RFC 3339 time; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Time> {
        text.parse::<jiff::Timestamp>().ok().map(|it| Time(it.as_millisecond()))
    }

    /// This moment and some milliseconds.
    #[must_use]
    pub fn plus(self, milliseconds: i64) -> Time {
        Time(self.0.saturating_add(milliseconds))
    }
}

impl fmt::Display for Time {
    /// RFC 3339 with milliseconds and `Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(it) => write!(f, "{it:.3}"),
            Err(_) => write!(f, "{} ms", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        let time = Time::parse("2026-11-15T06:30:54.898Z").unwrap();
        assert_eq!(time.to_string(), "2026-11-15T06:30:54.898Z");
        assert_eq!(Time::parse("2025-02-06T10:00:00Z").unwrap().to_string(), "2025-02-06T10:00:00.000Z");
        assert_eq!(Time::parse("yesterday"), None);
    }
}
