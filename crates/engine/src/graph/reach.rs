//! How many unfinished tasks wait for each task, near or far, for all of them at once. Not which ones.

use super::Web;

/// So many words of 64 tasks are counted in one go: few enough to stay in the processor's cache.
const WORDS: usize = 32;
/// Circles are somebody's mistake: how much waits behind long ones is not worth more than this to know.
const MOST_PASSES: usize = 100;

/// All tasks in a line in which each stands before those that wait for it; those in circles, and what waits for them, last.
struct Line {
    /// The place of each task in the graph.
    places: Vec<usize>,
    /// How many stand in order.
    ordered: usize,
    /// For each in the line where the unfinished ones stand that wait for it.
    waiting: Vec<Vec<usize>>,
}

impl Web {
    /// For each task by its place. In rounds, each for some of the tasks that may wait: every task takes over from those
    /// that wait for it directly, and they were looked at before it. Who stands behind those of a round reaches none.
    pub(super) fn reach_counts(&self) -> Vec<usize> {
        let count = self.len();
        let line = self.line();
        let mut counts = vec![0; count];
        let mut reached = vec![[0_u64; WORDS]; count];
        for start in (0..count).step_by(WORDS * 64) {
            let end = count.min(start + WORDS * 64);
            let reached = if end > line.ordered { &mut reached[..] } else { &mut reached[..end] };
            reached.fill([0; WORDS]);
            line.pass_on(start, reached);
            for (at, bits) in reached.iter().enumerate() {
                let own = bit(at, start).is_some_and(|(word, mask)| bits[word] & mask != 0);
                counts[line.places[at]] +=
                    bits.iter().map(|it| it.count_ones() as usize).sum::<usize>() - usize::from(own);
            }
        }
        counts
    }

    fn line(&self) -> Line {
        let mut places = self.sorted_places();
        let ordered = places.len();
        let mut rest = vec![true; self.len()];
        for place in &places {
            rest[*place] = false;
        }
        places.extend((0..rest.len()).filter(|it| rest[*it]));
        let mut stands = vec![0; places.len()];
        for (at, place) in places.iter().enumerate() {
            stands[*place] = at;
        }
        let open = |place: &usize| {
            let open = self.dependents[*place].iter().filter(|it| self.is_open(**it));
            open.map(|it| stands[*it]).collect()
        };
        let waiting = places.iter().map(open).collect();
        Line { places, ordered, waiting }
    }
}

impl Line {
    /// One round. In circles nobody is the last, so all of them are asked until nothing is new.
    fn pass_on(&self, start: usize, reached: &mut [[u64; WORDS]]) {
        for _ in 0..MOST_PASSES {
            let news = (self.ordered..reached.len()).filter(|at| self.take_over(*at, start, reached));
            if news.count() == 0 {
                break;
            }
        }
        for at in (0..self.ordered.min(reached.len())).rev() {
            self.take_over(at, start, reached);
        }
    }

    /// Takes over from those that wait for a task; whether that was news.
    fn take_over(&self, at: usize, start: usize, reached: &mut [[u64; WORDS]]) -> bool {
        let mut bits = reached[at];
        for dependent in self.waiting[at].iter().filter(|it| **it < reached.len()) {
            if let Some((word, mask)) = bit(*dependent, start) {
                bits[word] |= mask;
            }
            for (own, other) in bits.iter_mut().zip(&reached[*dependent]) {
                *own |= other;
            }
        }
        let news = bits != reached[at];
        reached[at] = bits;
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
            prop_assert_eq!(graph.web.reach_counts(), one_by_one);
        }
    }
}
