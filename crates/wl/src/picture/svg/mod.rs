//! The graph as SVG: a page by itself, light or dark as its reader likes it. No scripts, no fonts, nothing fetched.

mod card;
mod ink;
mod page;
mod panel;
mod scene;

use super::{Picture, chain::Chain};
use scene::Scene;

/// The picture as an SVG document.
pub(crate) fn svg(picture: &Picture, title: &str) -> String {
    let scene = Scene::of(picture);
    page::render(picture, &Chain::of(picture), &scene, title)
}

/// A card on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Card {
    node: usize,
    x: i64,
    y: i64,
}

/// An edge on the page.
#[derive(Debug)]
struct Line {
    from: usize,
    to: usize,
    course: Course,
    stops: Vec<Stop>,
    tip: Tip,
}

/// How an edge runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Course {
    /// With the layers.
    Forward,
    /// Against them: it closes a circle.
    Back,
}

/// One stretch of a line; the first one says where it begins.
#[derive(Debug, Clone, Copy)]
enum Stop {
    /// Straight to here.
    At(i64, i64),
    /// In a curve to here, by way of two points that pull at it.
    Curve([(i64, i64); 3]),
}

/// Where the head of an arrow is, and where it points.
#[derive(Debug, Clone, Copy)]
struct Tip {
    at: (i64, i64),
    towards: (i64, i64),
}

impl Stop {
    fn map(self, to: impl Fn((i64, i64)) -> (i64, i64)) -> Stop {
        match self {
            Stop::At(x, y) => {
                let (x, y) = to((x, y));
                Stop::At(x, y)
            }
            Stop::Curve(points) => Stop::Curve(points.map(to)),
        }
    }
}

impl Line {
    /// The same line elsewhere.
    fn moved(mut self, (right, down): (i64, i64)) -> Line {
        for stop in &mut self.stops {
            *stop = stop.map(|(x, y)| (x + right, y + down));
        }
        self.tip.at = (self.tip.at.0 + right, self.tip.at.1 + down);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::{Card, Scene, Stop, panel};
    use crate::picture::{
        Picture,
        tests::{Dice, random},
    };

    #[test]
    fn lines_run_beside_cards() {
        let mut dice = Dice(3);
        for _ in 0..40 {
            let (nodes, edges) = (2 + dice.below(60), 1 + dice.below(120));
            check(&random(&mut dice, nodes, edges));
        }
    }

    /// Follows each line in small steps.
    fn check(picture: &Picture) {
        let scene = Scene::of(picture);
        for line in &scene.lines {
            for (x, y) in points(&line.stops) {
                let inside = |it: &&Card| {
                    let (right, down) = (x - it.x, y - it.y);
                    (1..panel::CARD.width).contains(&right) && (1..panel::CARD.height).contains(&down)
                };
                let hit = scene.cards.iter().find(inside);
                assert!(hit.is_none(), "the line {} to {} runs over {hit:?}", line.from, line.to);
            }
        }
    }

    /// Points along a line, a few pixels from each other.
    fn points(stops: &[Stop]) -> Vec<(i64, i64)> {
        const STEPS: i64 = 40;
        let mut here = (0, 0);
        let mut points = Vec::new();
        for (at, stop) in stops.iter().enumerate() {
            let curve = match *stop {
                Stop::At(x, y) if at == 0 => [(x, y); 4],
                Stop::At(x, y) => [here, here, (x, y), (x, y)],
                Stop::Curve([one, other, end]) => [here, one, other, end],
            };
            points.extend((0..=STEPS).map(|step| point(curve, step, STEPS)));
            here = curve[3];
        }
        points
    }

    /// Bézier's formula in whole numbers.
    fn point(curve: [(i64, i64); 4], step: i64, steps: i64) -> (i64, i64) {
        let (t, u) = (step, steps - step);
        let weights = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
        let sum = |of: fn((i64, i64)) -> i64| {
            let parts = curve.iter().zip(weights).map(|(at, weight)| of(*at) * weight);
            parts.sum::<i64>() / (steps * steps * steps)
        };
        (sum(|it| it.0), sum(|it| it.1))
    }
}
