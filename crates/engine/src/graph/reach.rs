//! How many unfinished tasks wait for each task, near or far, for all of them at once. Not which ones.

use super::Graph;

/// So many words of 64 tasks are counted in one go: few enough to stay in the processor's cache.
const WORDS: usize = 32;
/// Circles are somebody's mistake: how much waits behind long ones is not worth more than this to know.
const MOST_PASSES: usize = 100;

impl Graph<'_> {
    /// For each task by its place. In rounds, each for some of the tasks that may wait: every task takes over from those
    /// that wait for it directly, and they were looked at before it.
    pub(super) fn reach_counts(&self) -> Vec<usize> {
        let count = self.tasks.len();
        let ordered = self.sorted_places();
        let mut rest = vec![true; count];
        for place in &ordered {
            rest[*place] = false;
        }
        // Tasks in circles, and what waits for them: here nobody is the last, so all are asked until nothing is new.
        let circles: Vec<usize> = (0..count).filter(|it| rest[*it]).collect();
        let mut counts = vec![0; count];
        let mut reached = vec![[0_u64; WORDS]; count];
        for start in (0..count).step_by(WORDS * 64) {
            reached.fill([0; WORDS]);
            let mut ask = |place: &usize| self.take_over(*place, start, &mut reached);
            for _ in 0..MOST_PASSES {
                if circles.iter().filter(|it| ask(it)).count() == 0 {
                    break;
                }
            }
            for place in ordered.iter().rev() {
                ask(place);
            }
            for (place, (count, bits)) in counts.iter_mut().zip(&reached).enumerate() {
                let own = bit(place, start).is_some_and(|(word, mask)| bits[word] & mask != 0);
                *count += bits.iter().map(|it| it.count_ones() as usize).sum::<usize>() - usize::from(own);
            }
        }
        counts
    }

    /// Takes over from those that wait for a task; whether that was news.
    fn take_over(&self, place: usize, start: usize, reached: &mut [[u64; WORDS]]) -> bool {
        let mut bits = reached[place];
        for dependent in self.dependents[place].iter().copied().filter(|it| self.tasks[*it].is_open()) {
            if let Some((word, mask)) = bit(dependent, start) {
                bits[word] |= mask;
            }
            for (own, other) in bits.iter_mut().zip(&reached[dependent]) {
                *own |= other;
            }
        }
        let news = bits != reached[place];
        reached[place] = bits;
        news
    }
}

/// Where a task's bit is in this round, if it is in it.
fn bit(place: usize, start: usize) -> Option<(usize, u64)> {
    let at = place.checked_sub(start).filter(|it| *it < WORDS * 64)?;
    Some((at / 64, 1 << (at % 64)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
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
            padding in prop_oneof![Just(0_u64), Just(WORDS as u64 * 64 - 35)],
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
            prop_assert_eq!(graph.reach_counts(), one_by_one);
        }
    }
}
