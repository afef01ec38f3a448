//! Drawings read back: following the lines with the eyes must give the edges again. Not how drawings look.

use crate::picture::{
    Charset, Drawing, Picture,
    tests::{Dice, picture, plain},
    text,
};
use std::collections::BTreeSet;

type Place = (usize, usize);

/// The arms of signs, up, right, down and left, as far as a reader sees them.
fn arms(sign: char) -> [bool; 4] {
    let all: [(&str, [u8; 4]); 11] = [
        ("│┃╽╿", [1, 0, 1, 0]),
        ("─━╼╾", [0, 1, 0, 1]),
        ("┌┍┎┏", [0, 1, 1, 0]),
        ("┐┑┒┓", [0, 0, 1, 1]),
        ("└┕┖┗", [1, 1, 0, 0]),
        ("┘┙┚┛", [1, 0, 0, 1]),
        ("├┝┞┟┠┡┢┣", [1, 1, 1, 0]),
        ("┤┥┦┧┨┩┪┫", [1, 0, 1, 1]),
        ("┬┭┮┯┰┱┲┳", [0, 1, 1, 1]),
        ("┴┵┶┷┸┹┺┻", [1, 1, 0, 1]),
        ("┼┽┾┿╀╁╂╃╄╅╆╇╈╉╊╋", [1, 1, 1, 1]),
    ];
    all.iter().find(|it| it.0.contains(sign)).map_or([false; 4], |it| it.1.map(|arm| arm == 1))
}

/// What somebody sees who looks at a drawing.
struct Reader {
    rows: Vec<Vec<char>>,
}

impl Reader {
    fn at(&self, (x, y): Place) -> char {
        self.rows.get(y).and_then(|row| row.get(x)).copied().unwrap_or(' ')
    }

    /// The number of the task in the box whose upper left corner is here.
    fn number(&self, (x, y): Place) -> usize {
        let text: String = self.rows[y + 1][x..].iter().collect();
        let digits = text.split_once('#').unwrap().1;
        digits.split(|it: char| !it.is_ascii_digit()).next().unwrap().parse().unwrap()
    }

    /// Every box: its upper left corner and its lower right one.
    fn boxes(&self) -> Vec<(Place, Place)> {
        let mut boxes = Vec::new();
        for (y, row) in self.rows.iter().enumerate() {
            for (x, sign) in row.iter().enumerate() {
                let is_box = "┌┏".contains(*sign) && row.get(x + 2).is_some() && {
                    let below: String = self
                        .rows
                        .get(y + 1)
                        .map_or_else(String::new, |it| it.iter().skip(x).take(4).collect());
                    below.ends_with(" [") && "│┃".contains(below.chars().next().unwrap())
                };
                if is_box {
                    let right = (x + 1..).find(|it| "┐┓".contains(self.at((*it, y)))).unwrap();
                    let bottom = (y + 1..).find(|it| "└┗".contains(self.at((x, *it)))).unwrap();
                    boxes.push(((x, y), (right, bottom)));
                }
            }
        }
        boxes
    }

    /// Where all lines lead that leave a box at its bottom.
    fn follow(&self, start: Place) -> BTreeSet<Place> {
        const STEPS: [(isize, isize); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
        let mut heads = BTreeSet::new();
        let mut seen = BTreeSet::new();
        // Where the eye is, and which way it came.
        let mut open = vec![(start, 2)];
        while let Some(((x, y), way)) = open.pop() {
            let next = (x.wrapping_add_signed(STEPS[way].0), y.wrapping_add_signed(STEPS[way].1));
            let sign = self.at(next);
            if sign == '▼' {
                heads.insert(next);
                continue;
            }
            // A line that goes straight over another one passes it.
            let passes = way % 2 == 1 && !arms(sign)[(way + 2) % 4] && arms(sign)[0] && arms(sign)[2];
            if passes {
                open.push((next, way));
                continue;
            }
            assert!(arms(sign)[(way + 2) % 4], "a line ends at {next:?} before {sign}");
            for (arm, _) in arms(sign).iter().enumerate().filter(|it| *it.1 && it.0 != (way + 2) % 4) {
                let is_frame = arm == 0 && self.boxes_end_at(next);
                if !is_frame && seen.insert((next, arm)) {
                    open.push((next, arm));
                }
            }
        }
        heads
    }

    /// Whether the place above is the bottom of a box, so that a line from here leads back into it.
    fn boxes_end_at(&self, (x, y): Place) -> bool {
        self.boxes().iter().any(|(upper, lower)| lower.1 + 1 == y && (upper.0..=lower.0).contains(&x))
    }

    fn edges(&self) -> BTreeSet<(usize, usize)> {
        let boxes = self.boxes();
        let mut edges = BTreeSet::new();
        for (corner, (right, bottom)) in &boxes {
            let ports = (corner.0 + 1..*right).filter(|x| arms(self.at((*x, *bottom)))[2]);
            for (x, y) in ports.flat_map(|x| self.follow((x, *bottom))) {
                let is_below = |it: &&(Place, Place)| it.0.1 == y + 1 && (it.0.0..=it.1.0).contains(&x);
                let target = boxes.iter().find(is_below).unwrap();
                edges.insert((self.number(*corner) - 1, self.number(target.0) - 1));
            }
        }
        edges
    }
}

fn graph(dice: &mut Dice, nodes: usize, edges: usize) -> Picture {
    let edge = |dice: &mut Dice| {
        let (from, to) = (dice.below(nodes), dice.below(nodes));
        (from.min(to), from.max(to))
    };
    let edges: BTreeSet<(usize, usize)> = (0..edges).map(|_| edge(dice)).filter(|it| it.0 != it.1).collect();
    let edges: Vec<(usize, usize)> = edges.into_iter().collect();
    let subjects: Vec<&str> =
        (0..nodes).map(|_| ["a", "some task", "a longer one, two lines"][dice.below(3)]).collect();
    picture(&subjects, &edges)
}

#[test]
fn the_lines_are_the_edges() {
    let mut dice = Dice(21);
    let mut drawn = 0;
    for round in 0..300 {
        let (nodes, edges) = (2 + dice.below(14), 1 + dice.below(18));
        let it = graph(&mut dice, nodes, edges);
        let width = 60 + dice.below(100);
        let text = plain(&text(&it, &Drawing { charset: Charset::Unicode, width }));
        if !text.contains('▼') {
            continue;
        }
        drawn += 1;
        let reader = Reader { rows: text.lines().map(|it| it.chars().collect()).collect() };
        let wanted: BTreeSet<(usize, usize)> = it.edges.iter().copied().collect();
        assert_eq!(reader.edges(), wanted, "round {round}\n{text}");
    }
    assert!(drawn > 200, "{drawn} were drawn");
}
