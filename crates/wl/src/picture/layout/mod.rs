//! Layers of a graph: which layer a node is in, which place in it, and how lines get past the others. Knows neither
//! signs nor pixels.

mod acyclic;
mod mesh;
mod order;
mod pack;
mod place;
mod rank;
mod relax;

pub(super) use acyclic::closing;
pub(super) use mesh::{Mesh, Wire};
pub(super) use pack::{Size, pack};
pub(super) use place::{Spacing, centres};
pub(super) use rank::waves;

/// Nodes that hang together, and the edges among them as places in `nodes`.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) nodes: Vec<usize>,
    pub(super) edges: Vec<(usize, usize)>,
}

/// The graph taken apart: parts that hang together, and the nodes without any edge.
pub(super) fn parts(count: usize, edges: &[(usize, usize)]) -> (Vec<Part>, Vec<usize>) {
    let head = heads(count, edges);
    let mut part_of = vec![usize::MAX; count];
    let mut place_of = vec![0; count];
    let mut parts: Vec<Part> = Vec::new();
    for node in 0..count {
        let first = head[node];
        if first == node {
            part_of[node] = parts.len();
            parts.push(Part { nodes: Vec::new(), edges: Vec::new() });
        }
        part_of[node] = part_of[first];
        let nodes = &mut parts[part_of[node]].nodes;
        place_of[node] = nodes.len();
        nodes.push(node);
    }
    for (from, to) in edges {
        parts[part_of[*from]].edges.push((place_of[*from], place_of[*to]));
    }
    let alone = parts.iter().filter(|it| it.edges.is_empty()).map(|it| it.nodes[0]).collect();
    parts.retain(|it| !it.edges.is_empty());
    (parts, alone)
}

/// For each node the first one that it hangs together with.
fn heads(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut head: Vec<usize> = (0..count).collect();
    let find = |head: &mut Vec<usize>, mut at: usize| {
        while head[at] != at {
            head[at] = head[head[at]];
            at = head[at];
        }
        at
    };
    for (from, to) in edges {
        let (one, other) = (find(&mut head, *from), find(&mut head, *to));
        head[one.max(other)] = one.min(other);
    }
    for node in 0..count {
        head[node] = find(&mut head, node);
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_falls_into_parts() {
        let (parts, alone) = parts(7, &[(5, 1), (2, 4), (4, 6)]);
        assert_eq!(alone, [0, 3]);
        assert_eq!(parts[0].nodes, [1, 5]);
        assert_eq!(parts[0].edges, [(1, 0)]);
        assert_eq!(parts[1].nodes, [2, 4, 6]);
        assert_eq!(parts[1].edges, [(0, 1), (1, 2)]);
    }
}
