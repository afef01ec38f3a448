//! How many unfinished tasks wait for some tasks, near or far, for all of those at once. Not which ones.

use super::Web;

/// So many words of 64 tasks are counted in one go: few enough to stay in the processor's cache.
const MOST_WORDS: usize = 32;
/// Circles are somebody's mistake: how much waits behind long ones is not worth more than this to know.
const MOST_PASSES: usize = 100;
/// Of a task that is not in the line, or not asked about.
const NOWHERE: usize = usize::MAX;

/// The unfinished tasks in a line in which each stands before those that wait for it; those in circles, and what waits for
/// them, last.
struct Line<'a> {
    web: &'a Web,
    /// The place of each task in the graph.
    places: Vec<usize>,
    /// Where each place of the graph stands.
    stands: Vec<usize>,
    /// How many stand in order.
    ordered: usize,
}

/// Some of the tasks that are asked about, and for each in the line which of them it waits for: a row of bits.
struct Round {
    /// How many words a row has.
    words: usize,
    rows: Vec<u64>,
    /// For each in the line which of those that are asked about it is.
    asked: Vec<usize>,
    /// The row that is being put together.
    row: Vec<u64>,
}

impl Web {
    /// For some unfinished tasks by their places. In rounds, each for some of them: every task takes over from those that it
    /// waits for directly, and they were looked at before it.
    pub(super) fn reach_counts(&self, asked: &[usize]) -> Vec<usize> {
        let line = self.line();
        asked.chunks(MOST_WORDS * 64).flat_map(|some| line.counts(some)).collect()
    }

    fn line(&self) -> Line<'_> {
        let (mut places, mut rest) = (Vec::with_capacity(self.len()), vec![true; self.len()]);
        for place in self.sorted_places() {
            rest[place] = false;
            places.extend(Some(place).filter(|it| self.is_open(*it)));
        }
        let ordered = places.len();
        places.extend((0..rest.len()).filter(|it| rest[*it] && self.is_open(*it)));
        let mut stands = vec![NOWHERE; self.len()];
        for (at, place) in places.iter().enumerate() {
            stands[*place] = at;
        }
        Line { web: self, places, stands, ordered }
    }
}

impl Line<'_> {
    /// One round. In circles nobody is the first, so all of them are asked until nothing is new.
    fn counts(&self, asked: &[usize]) -> Vec<usize> {
        let (count, words) = (self.places.len(), asked.len().div_ceil(64));
        let mut round =
            Round { words, rows: vec![0; count * words], asked: vec![NOWHERE; count], row: vec![0; words] };
        for (n, place) in asked.iter().enumerate() {
            round.asked[self.stands[*place]] = n;
        }
        for at in 0..self.ordered {
            self.take_over(&mut round, at);
        }
        for _ in 0..MOST_PASSES {
            if (self.ordered..count).filter(|at| self.take_over(&mut round, *at)).count() == 0 {
                break;
            }
        }
        round.counts(asked.len())
    }

    /// Takes over from those that a task waits for; whether that was news.
    fn take_over(&self, round: &mut Round, at: usize) -> bool {
        let Round { words, rows, asked, row } = round;
        let own = at * *words..(at + 1) * *words;
        row.copy_from_slice(&rows[own.clone()]);
        let blockers = self.web.blockers[self.places[at]].iter().map(|it| self.stands[*it]);
        for blocker in blockers.filter(|it| *it != NOWHERE) {
            if let Some(word) = row.get_mut(asked[blocker] / 64) {
                *word |= 1 << (asked[blocker] % 64);
            }
            for (own, other) in row.iter_mut().zip(&rows[blocker * *words..(blocker + 1) * *words]) {
                *own |= other;
            }
        }
        let mut news = false;
        for (old, new) in rows[own].iter_mut().zip(row) {
            news |= *old != *new;
            *old = *new;
        }
        news
    }
}

impl Round {
    /// In how many rows the bit of each is set, but for its own: 64 columns are added up at once, each in one bit of as many
    /// words as the sum has digits. Eight rows at a time, so that few of them carry far.
    fn counts(&self, asked: usize) -> Vec<usize> {
        let mut digits = vec![[0_u64; usize::BITS as usize]; self.words];
        let mut low = vec![[0_u64; 3]; self.words];
        for rows in self.rows.chunks(8 * self.words.max(1)) {
            for (n, low) in low.iter_mut().enumerate() {
                let row = |it: usize| rows.get(it * self.words + n).copied().unwrap_or(0);
                let [ones, twos, fours] = *low;
                let (ones, first) = add(ones, row(0), row(1));
                let (ones, second) = add(ones, row(2), row(3));
                let (ones, third) = add(ones, row(4), row(5));
                let (ones, fourth) = add(ones, row(6), row(7));
                let (twos, fifth) = add(twos, first, second);
                let (twos, sixth) = add(twos, third, fourth);
                let (fours, eights) = add(fours, fifth, sixth);
                *low = [ones, twos, fours];
                carry(&mut digits[n][3..], eights);
            }
        }
        for (digits, low) in digits.iter_mut().zip(low) {
            for (n, it) in low.into_iter().enumerate() {
                carry(&mut digits[n..], it);
            }
        }
        let digit = |n: usize, it: u32| digits[n / 64][it as usize] >> (n % 64) & 1;
        let count = |n| (0..usize::BITS).filter(|it| digit(n, *it) == 1).map(|it| 1_usize << it).sum();
        let mut counts: Vec<usize> = (0..asked).map(count).collect();
        // In a circle a task waits for itself.
        for (at, n) in self.asked.iter().enumerate().filter(|(_, it)| **it != NOWHERE) {
            counts[*n] -= usize::from(self.rows[at * self.words + n / 64] >> (n % 64) & 1 == 1);
        }
        counts
    }
}

/// Three bits in each place: their sum, and what is carried.
fn add(one: u64, two: u64, three: u64) -> (u64, u64) {
    let both = one ^ two;
    (both ^ three, one & two | both & three)
}

/// Adds a bit in each place.
fn carry(digits: &mut [u64], mut carried: u64) {
    for digit in digits {
        if carried == 0 {
            break;
        }
        (*digit, carried) = (*digit ^ carried, *digit & carried);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        graph::Graph,
        id::TaskId,
        task::{Status, Task},
    };
    use proptest::prelude::*;

    proptest! {
        /// All at once is what each by itself is, also round in circles and across the rounds of counting.
        #[test]
        fn all_at_once_is_one_by_one(
            edges in proptest::collection::vec((0..70_u64, 0..70_u64), 0..120),
            done in proptest::collection::vec(0..70_u64, 0..20),
            padding in prop_oneof![Just(0_u64), Just(MOST_WORDS as u64 * 64 - 35)],
        ) {
            let mut tasks: Vec<Task> =
                (0..70 + padding).map(|n| Task::new(TaskId::from(n), "")).collect();
            for (task, blocker) in edges {
                let at = usize::try_from(task + padding).unwrap();
                tasks[at].blocked_by.push(TaskId::from(blocker + padding));
            }
            for n in done {
                tasks[usize::try_from(n + padding).unwrap()].status = Status::Completed;
            }
            let graph = Graph::new(&tasks);
            let one_by_one: Vec<usize> = tasks.iter().map(|it| graph.unblocks(&it.id)).collect();
            let places: Vec<usize> = (0..tasks.len()).collect();
            prop_assert_eq!(graph.web.all_unblock(&places), one_by_one);
        }
    }
}
