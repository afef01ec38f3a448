//! Texts of tasks as people write them: as long, as often missing, in lines. The same ones in every run. Not from anybody's
//! list: the words are drawn from a few of our own, only the lengths are those of a real tracker.

/// How many of a thousand titles are at most so long.
const SUBJECTS: Lengths = Lengths(&[
    (0, 4),
    (50, 14),
    (100, 19),
    (200, 27),
    (250, 31),
    (500, 34),
    (600, 41),
    (700, 47),
    (800, 54),
    (900, 61),
    (950, 67),
    (990, 79),
    (1000, 100),
]);
/// The same of descriptions: three of ten tasks have none, a few are as long as a page.
const DESCRIPTIONS: Lengths = Lengths(&[
    (0, 0),
    (300, 0),
    (310, 30),
    (400, 105),
    (500, 183),
    (600, 284),
    (700, 445),
    (800, 669),
    (900, 987),
    (950, 1471),
    (980, 2244),
    (990, 3180),
    (1000, 7527),
]);
/// About as long as a line of such a description.
const LINE: usize = 45;
const WORDS: [&str; 48] = [
    "the",
    "a",
    "of",
    "when",
    "without",
    "after",
    "add",
    "remove",
    "check",
    "parser",
    "reader",
    "list",
    "file",
    "folder",
    "lock",
    "claim",
    "worker",
    "lease",
    "journal",
    "index",
    "field",
    "value",
    "error",
    "message",
    "timeout",
    "retry",
    "test",
    "flaky",
    "branch",
    "merge",
    "release",
    "build",
    "page",
    "button",
    "request",
    "response",
    "header",
    "token",
    "session",
    "cache",
    "must",
    "should",
    "cannot",
    "is",
    "slow",
    "again",
    "migration",
    "café",
];

/// Lengths that a thousand texts do not exceed.
struct Lengths(&'static [(u64, u64)]);

/// A source of texts and of chance, the same for the same seed.
pub(super) struct Author(u64);

impl Author {
    pub(super) fn new(seed: u64) -> Author {
        Author(seed)
    }

    pub(super) fn subject(&mut self) -> String {
        let length = SUBJECTS.draw(self);
        self.words(length)
    }

    pub(super) fn description(&mut self) -> String {
        let length = DESCRIPTIONS.draw(self);
        self.words(length)
    }

    /// A number below another.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let drawn = self.draw() % u64::try_from(end.max(1)).unwrap_or(1);
        usize::try_from(drawn).unwrap_or(0)
    }

    /// Splitmix: short, and every seed is a good one.
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
    }

    /// Words in lines, as many letters as wanted or a word more.
    fn words(&mut self, letters: usize) -> String {
        let (mut text, mut line) = (String::with_capacity(letters + 16), 0);
        while text.len() < letters {
            let word = WORDS[self.below(WORDS.len())];
            match line {
                _ if text.is_empty() => {}
                LINE.. => {
                    text.push('\n');
                    line = 0;
                }
                _ => text.push(' '),
            }
            text.push_str(word);
            // A subject is one line, however long it is.
            line += if letters > 100 { word.len() + 1 } else { 0 };
        }
        text
    }
}

impl Lengths {
    /// A length between the two that stand around the drawn place.
    fn draw(&self, author: &mut Author) -> usize {
        let place = author.draw() % 1000;
        let above = self.0.iter().position(|it| it.0 > place).unwrap_or(self.0.len() - 1).max(1);
        let ((from, low), (to, high)) = (self.0[above - 1], self.0[above]);
        let length = low + (high - low) * (place - from) / (to - from);
        usize::try_from(length).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_as_long_as_those_of_a_real_list() {
        let mut author = Author::new(1);
        let mut lengths: Vec<usize> = (0..10_000).map(|_| author.description().len()).collect();
        lengths.sort_unstable();
        assert!(lengths[2_900] == 0 && lengths[3_200] > 0, "three of ten have none");
        assert!((170..200).contains(&lengths[5_000]), "{}", lengths[5_000]);
        assert!((950..1_050).contains(&lengths[9_000]), "{}", lengths[9_000]);
        let subjects: Vec<String> = (0..10_000).map(|_| author.subject()).collect();
        assert!(subjects.iter().all(|it| !it.is_empty() && !it.contains('\n') && it.len() < 112));
    }

    #[test]
    fn the_same_seed_writes_the_same() {
        assert_eq!(Author::new(7).description(), Author::new(7).description());
        assert_ne!(Author::new(7).draw(), Author::new(8).draw());
    }
}
