//! The order within each layer, so that few lines cross. Good, not best: the best is out of reach.

use super::mesh::Mesh;

/// Points and lines times rounds that are looked at before the order is good enough.
const EFFORT: usize = 2_500_000;
/// Rounds that a small graph gets.
const MOST_ROUNDS: usize = 24;
/// Pairs of lines that may be compared to swap neighbours; beyond that it is a thicket in any order.
const MOST_PAIRS: usize = 2_000_000;

/// Sorts the layers by the middle of their neighbours, forth and back, and keeps the best order that was seen.
pub(super) fn untangle(mesh: &mut Mesh) {
    let rounds = (EFFORT / (mesh.weight() + 1)).clamp(2, MOST_ROUNDS);
    let swaps = pairs(mesh) <= MOST_PAIRS;
    let mut best = mesh.layers.clone();
    let mut fewest = crossings(mesh);
    for round in 0..rounds {
        if fewest == 0 {
            break;
        }
        sweep(mesh, if round % 2 == 0 { Way::Down } else { Way::Up });
        if swaps {
            swap_neighbours(mesh);
        }
        let found = crossings(mesh);
        if found < fewest {
            fewest = found;
            best.clone_from(&mesh.layers);
        }
    }
    mesh.layers = best;
}

#[derive(Clone, Copy)]
enum Way {
    Down,
    Up,
}

/// Sorts each layer by the neighbours in the layer before it, in the order of the way.
fn sweep(mesh: &mut Mesh, way: Way) {
    /// Parts of a place, so that middles need no fractions.
    const FINE: usize = 64;
    let mut places = mesh.places();
    let count = mesh.layers.len();
    for step in 1..count {
        let (layer, fixed) = match way {
            Way::Down => (step, &mesh.up),
            Way::Up => (count - 1 - step, &mesh.down),
        };
        let middle = |point: usize| {
            let near = &fixed[point];
            let sum: usize = near.iter().map(|it| places[*it] * FINE).sum();
            sum.checked_div(near.len()).unwrap_or(places[point] * FINE)
        };
        let mut sorted: Vec<(usize, usize)> =
            mesh.layers[layer].iter().map(|it| (middle(*it), *it)).collect();
        sorted.sort_by_key(|it| it.0);
        mesh.layers[layer] = sorted.into_iter().map(|it| it.1).collect();
        for (place, point) in mesh.layers[layer].iter().enumerate() {
            places[*point] = place;
        }
    }
}

/// Swaps points side by side as long as that saves crossings.
fn swap_neighbours(mesh: &mut Mesh) {
    const MOST_PASSES: usize = 4;
    let mut places = mesh.places();
    for _ in 0..MOST_PASSES {
        let mut swapped = false;
        for layer in 0..mesh.layers.len() {
            for place in 1..mesh.layers[layer].len() {
                let (one, other) = (mesh.layers[layer][place - 1], mesh.layers[layer][place]);
                if between(mesh, &places, one, other) > between(mesh, &places, other, one) {
                    mesh.layers[layer].swap(place - 1, place);
                    places.swap(one, other);
                    swapped = true;
                }
            }
        }
        if !swapped {
            break;
        }
    }
}

/// How many pairs of lines there are at points side by side.
fn pairs(mesh: &Mesh) -> usize {
    let lines = |it: usize| mesh.up[it].len() + mesh.down[it].len();
    let pairs = mesh.layers.iter().flat_map(|it| it.windows(2));
    pairs.map(|it| lines(it[0]) * lines(it[1])).sum()
}

/// How often the lines of two points cross if `left` stands before `right`.
fn between(mesh: &Mesh, places: &[usize], left: usize, right: usize) -> usize {
    let crossed = |near: &[Vec<usize>]| -> usize {
        let before = |it: &usize| near[right].iter().filter(|other| places[**other] < places[*it]).count();
        near[left].iter().map(before).sum()
    };
    crossed(&mesh.up) + crossed(&mesh.down)
}

/// How often lines cross.
fn crossings(mesh: &Mesh) -> usize {
    let places = mesh.places();
    let mut sum = 0;
    for (above, layer) in mesh.layers.iter().zip(mesh.layers.iter().skip(1)) {
        let mut seen = Tally::new(above.len());
        for (count, place) in ends(mesh, &places, layer).into_iter().enumerate() {
            sum += count - seen.up_to(place);
            seen.add(place);
        }
    }
    sum
}

/// The upper ends of all lines into a layer, sorted by their lower ends.
fn ends(mesh: &Mesh, places: &[usize], layer: &[usize]) -> Vec<usize> {
    let mut ends = Vec::new();
    for point in layer {
        let first = ends.len();
        ends.extend(mesh.up[*point].iter().map(|it| places[*it]));
        ends[first..].sort_unstable();
    }
    ends
}

/// How many of the numbers seen are not above a given one (a Fenwick tree).
struct Tally(Vec<usize>);

impl Tally {
    fn new(count: usize) -> Tally {
        Tally(vec![0; count + 1])
    }

    fn add(&mut self, number: usize) {
        let mut at = number + 1;
        while at < self.0.len() {
            self.0[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    fn up_to(&self, number: usize) -> usize {
        let mut at = number + 1;
        let mut sum = 0;
        while at > 0 {
            sum += self.0[at];
            at -= at & at.wrapping_neg();
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_need_not_cross_do_not() {
        let mesh = Mesh::of(6, &[(0, 5), (1, 4), (2, 3), (0, 4)], usize::MAX);
        assert_eq!(crossings(&mesh), 0);
        let k33: Vec<_> = (0..3).flat_map(|it| (3..6).map(move |other| (it, other))).collect();
        assert_eq!(crossings(&Mesh::of(6, &k33, usize::MAX)), 9);
    }
}
