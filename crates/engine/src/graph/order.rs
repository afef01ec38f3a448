//! Orders of a graph: one after another, round in circles, along the longest chain. Not what may start now.

use super::Graph;
use crate::id::TaskId;

impl<'a> Graph<'a> {
    /// The tasks so that each stands after all it waits for; or a cycle, if there is one.
    pub fn order(&self) -> Result<Vec<&'a TaskId>, Vec<&'a TaskId>> {
        let order = self.web.sorted_places();
        if order.len() < self.tasks.len() {
            return Err(self.cycle().unwrap_or_default());
        }
        Ok(order.into_iter().map(|place| &self.tasks[place].id).collect())
    }

    /// A cycle as a path whose last task is its first, each task waiting for the next one.
    pub fn cycle(&self) -> Option<Vec<&'a TaskId>> {
        self.cycles(1).pop()
    }

    /// Some cycles, at most so many: one for every edge that leads back into the path on which it was found.
    pub fn cycles(&self, most: usize) -> Vec<Vec<&'a TaskId>> {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let mut cycles = Vec::new();
        let mut state = vec![NEW; self.tasks.len()];
        for start in 0..self.tasks.len() {
            if state[start] != NEW {
                continue;
            }
            // Each step: a task and which of its blockers to look at next.
            let mut path = vec![(start, 0)];
            state[start] = OPEN;
            while let Some((place, next)) = path.last_mut() {
                let Some(blocker) = self.web.blockers[*place].get(*next).copied() else {
                    state[*place] = DONE;
                    path.pop();
                    continue;
                };
                *next += 1;
                match state[blocker] {
                    NEW => {
                        state[blocker] = OPEN;
                        path.push((blocker, 0));
                    }
                    OPEN => {
                        let from = path.iter().position(|(it, _)| *it == blocker).unwrap_or(0);
                        let round = path[from..].iter().map(|(it, _)| *it).chain([blocker]);
                        cycles.push(round.map(|it| &self.tasks[it].id).collect());
                        if cycles.len() >= most {
                            return cycles;
                        }
                    }
                    _ => {}
                }
            }
        }
        cycles
    }

    /// The longest chain of unfinished tasks, each waiting for the one before it. Tasks in cycles are left out.
    pub fn critical_path(&self) -> Vec<&'a TaskId> {
        let mut length = vec![0_usize; self.tasks.len()];
        let mut before = vec![None; self.tasks.len()];
        for place in self.web.sorted_places() {
            if !self.tasks[place].is_open() {
                continue;
            }
            // Of equally long chains the one that comes first in the list.
            let longest = self.web.blockers[place].iter().copied().rev().max_by_key(|it| length[*it]);
            before[place] = longest.filter(|it| length[*it] > 0);
            length[place] = 1 + before[place].map_or(0, |it: usize| length[it]);
        }
        let mut path = Vec::new();
        let mut at = (0..self.tasks.len()).rev().max_by_key(|it| length[*it]).filter(|it| length[*it] > 0);
        while let Some(place) = at {
            path.push(&self.tasks[place].id);
            at = before[place];
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        graph::Graph,
        id::TaskId,
        task::{Status, Task},
    };

    /// `1<2` says that 2 waits for 1; a task alone stands alone; `!` marks a completed one.
    fn tasks(text: &str) -> Vec<Task> {
        let mut tasks: Vec<Task> = Vec::new();
        let mut place = |name: &str| {
            let id = TaskId::found(name.trim_end_matches('!'));
            if !tasks.iter().any(|it| it.id == id) {
                tasks.push(Task::new(id.clone(), name));
            }
            let task = tasks.iter_mut().find(|it| it.id == id).unwrap();
            if name.ends_with('!') {
                task.status = Status::Completed;
            }
            id
        };
        let edges: Vec<_> = text
            .split_whitespace()
            .filter_map(|word| match word.split_once('<') {
                Some((blocker, task)) => Some((place(blocker), place(task))),
                None => {
                    place(word);
                    None
                }
            })
            .collect();
        for (blocker, task) in edges {
            tasks.iter_mut().find(|it| it.id == task).unwrap().blocked_by.push(blocker);
        }
        tasks
    }

    fn names(ids: &[&TaskId]) -> String {
        ids.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_diamond_of_s002_12() {
        let tasks = tasks("1<2 1<3 2<4 3<4");
        let graph = Graph::new(&tasks);
        assert_eq!(names(&graph.order().unwrap()), "1 2 3 4");
        assert_eq!(names(&graph.all_blockers(&TaskId::from(4))), "1 2 3");
        assert_eq!(graph.unblocks(&TaskId::from(1)), 3);
        assert_eq!(names(&graph.critical_path()), "1 2 4");
        assert_eq!(graph.ready().len(), 1);
        assert_eq!(graph.blocked().len(), 3);
    }

    #[test]
    fn finished_and_missing_blockers() {
        let mut tasks = tasks("1!<2 2<3");
        tasks[1].blocked_by.push(TaskId::from(9));
        let graph = Graph::new(&tasks);
        assert_eq!(names(&graph.open_blockers(&TaskId::from(2))), "9");
        assert_eq!(names(&graph.critical_path()), "2 3");
        assert!(graph.ready().is_empty());
    }

    #[test]
    fn an_edge_on_one_end_is_an_edge() {
        let mut tasks = tasks("1 2");
        tasks[0].blocks.push(TaskId::from(2));
        assert!(Graph::new(&tasks).is_blocked(&TaskId::from(2)));
    }

    #[test]
    fn cycles_are_shown_as_paths() {
        let round = tasks("1<2 2<3 3<1 3<4");
        assert_eq!(names(&Graph::new(&round).order().unwrap_err()), "1 3 2 1");
        let mut selfish = tasks("5");
        selfish[0].blocked_by.push(TaskId::from(5));
        assert_eq!(names(&Graph::new(&selfish).cycle().unwrap()), "5 5");
        assert_eq!(Graph::new(&tasks("1<2")).cycle(), None);
        let two = tasks("1<2 2<1 3<4 4<3");
        assert_eq!(
            Graph::new(&two).cycles(9).iter().map(|it| names(it)).collect::<Vec<_>>(),
            ["1 2 1", "3 4 3"]
        );
    }

    #[test]
    fn a_chain_of_a_million_does_not_overflow() {
        let chain: Vec<Task> = (0..1_000_000_u64)
            .map(|n| {
                let mut task = Task::new(TaskId::from(n), "");
                task.blocked_by = if n == 0 { vec![] } else { vec![TaskId::from(n - 1)] };
                task
            })
            .collect();
        let graph = Graph::new(&chain);
        assert_eq!(graph.order().unwrap().len(), chain.len());
        assert_eq!(graph.cycle(), None);
        assert_eq!(graph.critical_path().len(), chain.len());
        assert_eq!(graph.unblocks(&TaskId::from(0)), chain.len() - 1);
    }
}
