//! Places for dense graphs: every line pulls at its ends, and the order holds them apart. Less straight than `place`,
//! and much narrower.

use super::{
    mesh::Mesh,
    place::{Spacing, apart},
};

/// Parts of a place, so that means need no fractions.
const FINE: i64 = 16;
/// Points and lines times rounds until the pull has told.
const EFFORT: usize = 2_000_000;
const MOST_ROUNDS: usize = 80;

/// For each point a middle, so that the squares of what lines go aside are small in sum.
pub(super) fn relaxed(mesh: &Mesh, breadth: &[i64], spacing: Spacing) -> Vec<i64> {
    let mut at: Vec<i64> = packed(mesh, breadth, spacing).into_iter().map(|it| it * FINE).collect();
    let rounds = (EFFORT / (mesh.weight() + 1)).clamp(6, MOST_ROUNDS);
    for round in 0..rounds {
        let mut pull = |layer: &Vec<usize>| settle(mesh, layer, breadth, spacing, &mut at);
        if round % 2 == 0 {
            mesh.layers.iter().for_each(&mut pull);
        } else {
            mesh.layers.iter().rev().for_each(&mut pull);
        }
    }
    // Rounding down alike keeps everything as far apart as it was.
    at.into_iter().map(|it| it.div_euclid(FINE)).collect()
}

/// Each layer as tight as it can be, all of them around one middle.
pub(super) fn packed(mesh: &Mesh, breadth: &[i64], spacing: Spacing) -> Vec<i64> {
    let mut centres = vec![0; mesh.up.len()];
    for layer in &mesh.layers {
        let ends = offsets(layer, breadth, spacing);
        let middle = ends.last().unwrap_or(&0) / 2;
        for (point, end) in layer.iter().zip(&ends) {
            centres[*point] = end - middle;
        }
    }
    centres
}

/// How far each point of a layer must at least be from its first one.
fn offsets(layer: &[usize], breadth: &[i64], spacing: Spacing) -> Vec<i64> {
    let mut sum = 0;
    let steps = layer.windows(2).map(|pair| apart(breadth, spacing, pair[0], pair[1]));
    let mut offsets = vec![0];
    offsets.extend(steps.map(|it| {
        sum += it;
        sum
    }));
    offsets
}

/// Points that were pushed together: where the first of them would be, and how hard it is pulled there.
struct Clump {
    pull: i64,
    weight: i64,
    count: usize,
}

impl Clump {
    fn place(&self) -> i64 {
        self.pull.div_euclid(self.weight)
    }
}

/// Puts each point of a layer where its lines pull it, as near as the others allow (isotonic regression).
fn settle(mesh: &Mesh, layer: &[usize], breadth: &[i64], spacing: Spacing, at: &mut [i64]) {
    let offsets: Vec<i64> = offsets(layer, breadth, spacing).into_iter().map(|it| it * FINE).collect();
    let mut clumps: Vec<Clump> = Vec::new();
    for (point, offset) in layer.iter().zip(&offsets) {
        let (wanted, weight) = wanted(mesh, *point, at);
        let mut clump = Clump { pull: (wanted - offset) * weight, weight, count: 1 };
        while let Some(before) = clumps.pop_if(|it| it.place() > clump.place()) {
            clump.pull += before.pull;
            clump.weight += before.weight;
            clump.count += before.count;
        }
        clumps.push(clump);
    }
    let places = clumps.iter().flat_map(|it| std::iter::repeat_n(it.place(), it.count));
    for ((point, offset), place) in layer.iter().zip(&offsets).zip(places) {
        at[*point] = place + offset;
    }
}

/// Where the lines of a point pull it, and how hard. Long lines pull harder: they are to be straight.
fn wanted(mesh: &Mesh, point: usize, at: &[i64]) -> (i64, i64) {
    let (mut sum, mut weight) = (0, 0);
    for other in mesh.up[point].iter().chain(&mesh.down[point]) {
        let bends = i64::from(mesh.is_bend(point)) + i64::from(mesh.is_bend(*other));
        let pull = [1, 2, 8][usize::try_from(bends).unwrap_or(0)];
        sum += at[*other] * pull;
        weight += pull;
    }
    if weight == 0 { (at[point], 1) } else { (sum.div_euclid(weight), weight) }
}
