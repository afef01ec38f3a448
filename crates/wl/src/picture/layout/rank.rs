//! Which layer a node is in. Not where in it.

use super::acyclic::{Arrow, arrows};
use std::cmp::Reverse;

/// For each node the first layer it can be in: one more than the last of what it waits for.
pub(crate) fn waves(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    layers(count, &arrows(count, edges), usize::MAX)
}

/// For each node its layer, with at most `room` nodes in each, and edges as short as is easily had.
pub(super) fn ranks(count: usize, arrows: &[Arrow], room: usize) -> Vec<usize> {
    let mut rank = layers(count, arrows, room);
    shorten(&mut rank, arrows, room);
    rank
}

/// Fills layer after layer with what may come next, the longest way to go first.
fn layers(count: usize, arrows: &[Arrow], room: usize) -> Vec<usize> {
    let (before, after) = neighbours(count, arrows);
    let height = heights(&before, &after);
    let mut waiting: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut rank = vec![0; count];
    let mut free: Vec<usize> = (0..count).filter(|it| waiting[*it] == 0).collect();
    let mut layer = 0;
    while !free.is_empty() {
        free.sort_by_key(|it| (Reverse(height[*it]), *it));
        let late = free.split_off(room.min(free.len()));
        let taken = std::mem::replace(&mut free, late);
        for node in taken {
            rank[node] = layer;
            for next in &after[node] {
                waiting[*next] -= 1;
                if waiting[*next] == 0 {
                    free.push(*next);
                }
            }
        }
        layer += 1;
    }
    rank
}

/// Moves nodes with more edges ahead than behind towards what comes after them, where there is room.
fn shorten(rank: &mut [usize], arrows: &[Arrow], room: usize) {
    let (before, after) = neighbours(rank.len(), arrows);
    let mut used = vec![0; rank.iter().max().map_or(0, |it| it + 1)];
    for layer in rank.iter() {
        used[*layer] += 1;
    }
    let mut order: Vec<usize> = (0..rank.len()).collect();
    order.sort_by_key(|it| (Reverse(rank[*it]), *it));
    for node in order {
        let next = after[node].iter().map(|it| rank[*it]).min();
        let Some(next) = next.filter(|_| after[node].len() > before[node].len()) else { continue };
        let free = (rank[node] + 1..next).rev().find(|it| used[*it] < room);
        if let Some(layer) = free {
            used[rank[node]] -= 1;
            used[layer] += 1;
            rank[node] = layer;
        }
    }
    close_gaps(rank, &used);
}

/// Layers that nobody is left in go.
fn close_gaps(rank: &mut [usize], used: &[usize]) {
    let mut place = vec![0; used.len()];
    for layer in 1..used.len() {
        place[layer] = place[layer - 1] + usize::from(used[layer - 1] > 0);
    }
    for layer in rank {
        *layer = place[*layer];
    }
}

/// For each node how many steps the longest way from it has.
fn heights(before: &[Vec<usize>], after: &[Vec<usize>]) -> Vec<usize> {
    let mut left: Vec<usize> = after.iter().map(Vec::len).collect();
    let mut height = vec![0; left.len()];
    let mut done: Vec<usize> = (0..left.len()).filter(|it| left[*it] == 0).collect();
    while let Some(node) = done.pop() {
        for previous in &before[node] {
            height[*previous] = height[*previous].max(height[node] + 1);
            left[*previous] -= 1;
            if left[*previous] == 0 {
                done.push(*previous);
            }
        }
    }
    height
}

type Neighbours = Vec<Vec<usize>>;

fn neighbours(count: usize, arrows: &[Arrow]) -> (Neighbours, Neighbours) {
    let (mut before, mut after) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for arrow in arrows {
        before[arrow.to].push(arrow.from);
        after[arrow.from].push(arrow.to);
    }
    (before, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_follow_the_edges() {
        assert_eq!(waves(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]), [0, 1, 1, 2]);
        assert_eq!(waves(3, &[(0, 1), (1, 0), (1, 2)]), [0, 1, 2]);
        assert_eq!(waves(0, &[]), [0; 0]);
    }

    #[test]
    fn a_layer_holds_no_more_than_its_room() {
        let star: Vec<_> = (1..10).map(|it| (0, it)).collect();
        let rank = ranks(10, &arrows(10, &star), 4);
        assert_eq!(rank.iter().max(), Some(&3));
        for layer in 0..4 {
            assert!(rank.iter().filter(|it| **it == layer).count() <= 4);
        }
    }

    #[test]
    fn a_source_moves_to_what_waits_for_it() {
        let edges = [(0, 1), (1, 2), (3, 2)];
        assert_eq!(ranks(4, &arrows(4, &edges), 9), [0, 1, 2, 1]);
    }
}
