//! A graph without circles: where one closes, an edge is turned round. Not a judgement on circles.

/// An edge as it is laid out: `from` comes in an earlier layer than `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrow {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Whether the edge itself points from `to` to `from`.
    pub(crate) turned: bool,
}

/// The edges, with as many turned round as close a circle.
pub(super) fn arrows(count: usize, edges: &[(usize, usize)]) -> Vec<Arrow> {
    let closing = closing(count, edges);
    let turn = |((from, to), turned): (&(usize, usize), bool)| {
        let (from, to) = if turned { (*to, *from) } else { (*from, *to) };
        Arrow { from, to, turned }
    };
    edges.iter().zip(closing).map(turn).collect()
}

/// For each edge whether it leads back to a node on the way to it.
pub(crate) fn closing(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        OnTheWay,
        Done,
    }
    let mut leaving = vec![Vec::new(); count];
    let mut is_first = vec![true; count];
    for (at, (from, to)) in edges.iter().enumerate() {
        leaving[*from].push(at);
        is_first[*to] = false;
    }
    let mut closing = vec![false; edges.len()];
    let mut seen = vec![Seen::No; count];
    let starts = (0..count).filter(|it| is_first[*it]).chain(0..count);
    for start in starts {
        if seen[start] != Seen::No {
            continue;
        }
        seen[start] = Seen::OnTheWay;
        // Each step: a node, and which of its edges to follow next.
        let mut way = vec![(start, 0)];
        while let Some((node, next)) = way.last_mut() {
            let Some(edge) = leaving[*node].get(*next).copied() else {
                seen[*node] = Seen::Done;
                way.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].1;
            match seen[to] {
                Seen::No => {
                    seen[to] = Seen::OnTheWay;
                    way.push((to, 0));
                }
                Seen::OnTheWay => closing[edge] = true,
                Seen::Done => {}
            }
        }
    }
    closing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edge_of_a_circle_is_turned() {
        let turned = |edges: &[(usize, usize)]| {
            let arrows = arrows(4, edges).into_iter().filter(|it| it.turned);
            arrows.map(|it| (it.from, it.to)).collect::<Vec<_>>()
        };
        assert_eq!(turned(&[(0, 1), (1, 2), (2, 3)]), []);
        assert_eq!(turned(&[(0, 1), (1, 2), (2, 0)]), [(0, 2)]);
        assert_eq!(turned(&[(3, 1), (1, 2), (2, 1)]), [(1, 2)]);
    }
}
