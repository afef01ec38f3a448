//! How long to wait before asking a service again, and when to give up. Only arithmetic: who waits is elsewhere.

use super::Trouble;

/// The first wait; each further one is twice as long.
const FIRST_MS: u64 = 500;
/// No wait is longer, also if the service asks for it.
const LONGEST_MS: u64 = 60_000;

/// How often it is tried again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Retry {
    pub(super) most: u32,
}

impl Retry {
    /// How long to wait after this attempt, counted from 0; none to give up. Chance spreads those who were turned away
    /// together.
    pub(super) fn wait(self, attempt: u32, trouble: &Trouble, chance: u64) -> Option<u64> {
        if attempt >= self.most || !trouble.passes() {
            return None;
        }
        let doubled = FIRST_MS.saturating_mul(1_u64.checked_shl(attempt).unwrap_or(u64::MAX));
        let own = doubled.min(LONGEST_MS);
        let spread = own / 2 + chance % (own / 2 + 1);
        Some(trouble.wait_ms.map_or(spread, |asked| asked.max(spread)).min(LONGEST_MS))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Kind, *};

    #[test]
    fn waits_grow_and_end() {
        let busy = Trouble::new(Kind::Busy, "");
        let wait = |attempt| Retry { most: 4 }.wait(attempt, &busy, u64::MAX);
        let waits: Vec<u64> = (0..9).map_while(wait).collect();
        assert_eq!(waits.len(), 4);
        for (n, it) in waits.iter().enumerate() {
            let whole = FIRST_MS << n;
            assert!((whole / 2..=whole).contains(it), "{waits:?}");
        }
        assert!(Retry { most: 99 }.wait(98, &busy, 7).is_some_and(|it| it <= LONGEST_MS));
    }

    #[test]
    fn the_service_says_how_long() {
        let asked = |wait_ms| Trouble { wait_ms, ..Trouble::new(Kind::Busy, "") };
        let wait = |wait_ms| Retry { most: 1 }.wait(0, &asked(wait_ms), 0);
        assert_eq!(wait(Some(3_000)), Some(3_000));
        assert_eq!(wait(Some(9_000_000)), Some(LONGEST_MS));
        assert_eq!(Retry { most: 9 }.wait(0, &Trouble::new(Kind::Unauthorized, ""), 0), None);
    }
}
