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
    boxes: Vec<(Place, Place)>,
}

impl Reader {
    fn of(text: &str) -> Reader {
        let rows = text.lines().map(|it| it.chars().collect()).collect();
        let mut reader = Reader { rows, boxes: Vec::new() };
        reader.boxes = reader.find_boxes();
        reader
    }

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
    fn find_boxes(&self) -> Vec<(Place, Place)> {
        let mut boxes = Vec::new();
        for (y, row) in self.rows.iter().enumerate() {
            for x in (0..row.len()).filter(|it| self.is_box((*it, y))) {
                let right = (x..row.len()).find(|it| "┐┓".contains(row[*it])).unwrap();
                let bottom = (y..self.rows.len()).find(|it| "└┗".contains(self.at((x, *it)))).unwrap();
                boxes.push(((x, y), (right, bottom)));
            }
        }
        boxes
    }

    /// Whether a box has its upper left corner here. A line may turn here as well, but has no text beside it.
    fn is_box(&self, (x, y): Place) -> bool {
        let below: String = self.rows.get(y + 1).into_iter().flatten().skip(x).collect();
        let text = below.strip_prefix(['│', '┃']).map(str::trim_start);
        "┌┏".contains(self.at((x, y))) && text.is_some_and(|it| it.starts_with("[ ] #"))
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
            // Lines lead down, if not aside: upwards is only where others come from.
            for arm in (1..4).filter(|it| arms(sign)[*it] && *it != (way + 2) % 4) {
                if seen.insert((next, arm)) {
                    open.push((next, arm));
                }
            }
        }
        heads
    }

    fn edges(&self) -> BTreeSet<(usize, usize)> {
        let mut edges = BTreeSet::new();
        for (corner, (right, bottom)) in &self.boxes {
            let ports = (corner.0 + 1..*right).filter(|x| arms(self.at((*x, *bottom)))[2]);
            for (x, y) in ports.flat_map(|x| self.follow((x, *bottom))) {
                let is_below = |it: &&(Place, Place)| it.0.1 == y + 1 && (it.0.0..=it.1.0).contains(&x);
                let target = self.boxes.iter().find(is_below).unwrap();
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
        let reader = Reader::of(&text);
        let wanted: BTreeSet<(usize, usize)> = it.edges.iter().copied().collect();
        assert_eq!(reader.edges(), wanted, "round {round}\n{text}");
    }
    assert!(drawn > 200, "{drawn} were drawn");
}
