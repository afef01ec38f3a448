//! How many unfinished tasks wait for each task, near or far, for all of them at once. Not which ones.

use super::Web;

/// So many words of 64 tasks are counted in one go: few enough to stay in the processor's cache.
const MOST_WORDS: usize = 32;
/// Circles are somebody's mistake: how much waits behind long ones is not worth more than this to know.
const MOST_PASSES: usize = 100;

/// The unfinished tasks in a line in which each stands before those that wait for it; those in circles, and what waits for
/// them, last.
struct Line {
    /// The place of each task in the graph.
    places: Vec<usize>,
    /// How many stand in order.
    ordered: usize,
    /// For each in the line where the unfinished ones stand that wait for it.
    waiting: Vec<Vec<usize>>,
}

/// Some of the tasks in the line, and who reaches them: for each task a row of bits.
struct Round {
    /// Where in the line they begin.
    start: usize,
    /// How many words a row has.
    words: usize,
    bits: Vec<u64>,
    /// The row that is being put together.
    row: Vec<u64>,
}

impl Web {
    /// For each unfinished task by its place, and 0 for the others. In rounds, each for some of the tasks that may wait: every
    /// task takes over from those that wait for it directly, and they were looked at before it. Who stands behind those of a
    /// round reaches none.
    pub(super) fn reach_counts(&self) -> Vec<usize> {
        let line = self.line();
        let count = line.places.len();
        let words = count.div_ceil(64).min(MOST_WORDS);
        let mut counts = vec![0; self.len()];
        let mut round = Round { start: 0, words, bits: vec![0; count * words], row: vec![0; words] };
        for start in (0..count).step_by(MOST_WORDS * 64) {
            let end = count.min(start + MOST_WORDS * 64);
            let reaching = if end > line.ordered { count } else { end };
            round.start = start;
            round.bits[..reaching * words].fill(0);
            line.pass_on(&mut round, reaching);
            for at in 0..reaching {
                let row = round.row_of(at);
                let own = round.bit(at).is_some_and(|(word, mask)| row[word] & mask != 0);
                counts[line.places[at]] +=
                    row.iter().map(|it| it.count_ones() as usize).sum::<usize>() - usize::from(own);
            }
        }
        counts
    }

    fn line(&self) -> Line {
        const NOWHERE: usize = usize::MAX;
        let (mut places, mut rest) = (Vec::new(), vec![true; self.len()]);
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
        let open = |place: &usize| {
            self.dependents[*place].iter().map(|it| stands[*it]).filter(|it| *it != NOWHERE).collect()
        };
        let waiting = places.iter().map(open).collect();
        Line { places, ordered, waiting }
    }
}

impl Line {
    /// One round, for so many from the line's beginning. In circles nobody is the last, so all of them are asked until nothing is
    /// new.
    fn pass_on(&self, round: &mut Round, reaching: usize) {
        for _ in 0..MOST_PASSES {
            let news =
                (self.ordered..reaching).filter(|at| round.take_over(*at, &self.waiting[*at], reaching));
            if news.count() == 0 {
                break;
            }
        }
        for at in (0..self.ordered.min(reaching)).rev() {
            round.take_over(at, &self.waiting[at], reaching);
        }
    }
}

impl Round {
    fn row_of(&self, at: usize) -> &[u64] {
        &self.bits[at * self.words..(at + 1) * self.words]
    }

    /// Takes over from those that wait for a task, if they take part; whether that was news.
    fn take_over(&mut self, at: usize, waiting: &[usize], reaching: usize) -> bool {
        let (row, bits, words) = (&mut self.row, &self.bits, self.words);
        row.copy_from_slice(&bits[at * words..(at + 1) * words]);
        for dependent in waiting.iter().filter(|it| **it < reaching) {
            if let Some((word, mask)) = bit(*dependent, self.start) {
                row[word] |= mask;
            }
            for (own, other) in row.iter_mut().zip(&bits[dependent * words..(dependent + 1) * words]) {
                *own |= other;
            }
        }
        let mut news = false;
        for (old, new) in self.bits[at * words..(at + 1) * words].iter_mut().zip(row) {
            news |= *old != *new;
            *old = *new;
        }
        news
    }

    fn bit(&self, at: usize) -> Option<(usize, u64)> {
        bit(at, self.start)
    }
}

/// Where a task's bit is in this round, if it is in it.
fn bit(place: usize, start: usize) -> Option<(usize, u64)> {
    let at = place.checked_sub(start).filter(|it| *it < MOST_WORDS * 64)?;
    Some((at / 64, 1 << (at % 64)))
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
