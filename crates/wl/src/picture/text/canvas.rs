//! Columns and rows of a terminal: lines that join or pass, letters that are one or two columns wide. Knows no tasks.

use crate::picture::{Charset, words};
use anstyle::Style;
use unicode_width::UnicodeWidthStr;

/// The sign for each set of arms: the row by up and right, the column by down and left; none, light or heavy each.
const SIGNS: [&str; 9] = [
    " ╴╸╷┐┑╻┒┓",
    "╶─╾┌┬┭┎┰┱",
    "╺╼━┍┮┯┏┲┳",
    "╵┘┙│┤┥╽┧┪",
    "└┴┵├┼┽┟╁╅",
    "┕┶┷┝┾┿┢╆╈",
    "╹┚┛╿┦┩┃┨┫",
    "┖┸┹┞╀╃┠╂╉",
    "┗┺┻┡╄╇┣╊╋",
];

/// How thick a line is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    #[default]
    None,
    Light,
    Heavy,
}

/// What is in one column of one row.
#[derive(Debug, Clone, Default)]
struct Cell {
    /// Up, right, down, left.
    arms: [Weight; 4],
    /// Lines of one net join; lines of two nets pass each other.
    net: Option<usize>,
    is_crossing: bool,
    /// A letter goes before any line; the second column of a wide one is empty.
    letter: Option<String>,
    style: Style,
}

/// The net of frames, which join no other.
const FRAME: usize = usize::MAX;

const UP: usize = 0;
const RIGHT: usize = 1;
const DOWN: usize = 2;
const LEFT: usize = 3;

/// A piece of paper.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    pub(super) width: usize,
    rows: Vec<Vec<Cell>>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Canvas {
        Canvas { width, rows: vec![vec![Cell::default(); width]; height] }
    }

    pub(super) fn height(&self) -> usize {
        self.rows.len()
    }

    /// A vertical line, both ends included.
    pub(super) fn down(&mut self, x: usize, from: usize, to: usize, weight: Weight, net: usize) {
        for y in from..=to {
            let cell = self.cell(x, y, net);
            cell.arms[UP] = cell.arms[UP].max(if y > from { weight } else { Weight::None });
            cell.arms[DOWN] = cell.arms[DOWN].max(if y < to { weight } else { Weight::None });
        }
    }

    /// A horizontal line, both ends included.
    pub(super) fn across(&mut self, y: usize, from: usize, to: usize, weight: Weight, net: usize) {
        for x in from..=to {
            let cell = self.cell(x, y, net);
            cell.arms[LEFT] = cell.arms[LEFT].max(if x > from { weight } else { Weight::None });
            cell.arms[RIGHT] = cell.arms[RIGHT].max(if x < to { weight } else { Weight::None });
        }
    }

    /// A frame around columns and rows, its corners included.
    pub(super) fn frame(
        &mut self,
        (left, right): (usize, usize),
        (top, bottom): (usize, usize),
        weight: Weight,
    ) {
        self.across(top, left, right, weight, FRAME);
        self.across(bottom, left, right, weight, FRAME);
        self.down(left, top, bottom, weight, FRAME);
        self.down(right, top, bottom, weight, FRAME);
    }

    /// Ties a cell to the one below it, whatever nets they are of.
    pub(super) fn tie(&mut self, x: usize, y: usize, weight: Weight) {
        let upper = &mut self.rows[y][x].arms[DOWN];
        *upper = (*upper).max(weight);
        let lower = &mut self.rows[y + 1][x].arms[UP];
        *lower = (*lower).max(weight);
    }

    /// A text; what does not fit is not written.
    pub(super) fn write(&mut self, x: usize, y: usize, text: &str, style: Style) {
        let mut at = x;
        for letter in words::letters(text) {
            let wide = letter.width();
            if wide == 0 || at + wide > self.width {
                continue;
            }
            let row = &mut self.rows[y];
            row[at] = Cell { letter: Some(letter.to_owned()), style, ..Cell::default() };
            for rest in 1..wide {
                row[at + rest] = Cell { letter: Some(String::new()), style, ..Cell::default() };
            }
            at += wide;
        }
    }

    /// Lays another piece over this one.
    pub(super) fn paste(&mut self, x: usize, y: usize, other: Canvas) {
        for (row, line) in self.rows.iter_mut().skip(y).zip(other.rows) {
            row.splice(x..x + line.len(), line);
        }
    }

    /// The lines, without what nobody sees at their ends.
    pub(super) fn render(&self, charset: Charset) -> String {
        self.rows.iter().map(|row| line(row, charset) + "\n").collect()
    }

    fn cell(&mut self, x: usize, y: usize, net: usize) -> &mut Cell {
        let cell = &mut self.rows[y][x];
        cell.is_crossing |= cell.net.is_some_and(|it| it != net);
        cell.net = Some(net);
        cell
    }
}

fn line(row: &[Cell], charset: Charset) -> String {
    let used = row.iter().rposition(|it| it.sign(charset) != " ").map_or(0, |it| it + 1);
    let mut line = String::new();
    for run in row[..used].chunk_by(|one, other| one.style == other.style) {
        let text: String = run.iter().map(|it| it.sign(charset)).collect();
        let style = run[0].style;
        line += &format!("{style}{text}{style:#}");
    }
    line
}

impl Cell {
    fn sign(&self, charset: Charset) -> String {
        if let Some(letter) = &self.letter {
            return letter.clone();
        }
        let mut arms = self.arms;
        if self.is_crossing {
            (arms[LEFT], arms[RIGHT]) = (Weight::None, Weight::None);
        }
        let sign = match charset {
            Charset::Unicode => unicode(arms),
            Charset::Ascii => ascii(arms),
        };
        sign.to_string()
    }
}

fn unicode(arms: [Weight; 4]) -> char {
    let [up, right, down, left] = arms.map(|it| it as usize);
    SIGNS[up * 3 + right].chars().nth(down * 3 + left).unwrap_or(' ')
}

fn ascii(arms: [Weight; 4]) -> char {
    let upright = arms[UP].max(arms[DOWN]);
    match (upright, arms[LEFT].max(arms[RIGHT])) {
        (Weight::None, Weight::None) => ' ',
        (_, Weight::None) => '|',
        (Weight::None, Weight::Light) => '-',
        (Weight::None, Weight::Heavy) => '=',
        _ => '+',
    }
}
