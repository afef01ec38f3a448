//! Curves and bars over logarithmic axes as SVG, readable on light and on dark pages. Not a library for plots: two pictures,
//! drawn as they are needed.

use crate::bench::figures::seconds;
use std::fmt::Write;

const WIDE: f64 = 760.0;
const HIGH: f64 = 440.0;
/// Where the axes begin and end.
const LEFT: f64 = 76.0;
const RIGHT: f64 = 566.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 390.0;
/// Names beside the curves keep this distance from each other.
const APART: f64 = 17.0;
/// A bar, and the space behind each group of them.
const BAR: f64 = 17.0;
const GAP: f64 = 16.0;
/// Colours that can be told apart on both grounds, also by those who see fewer.
const COLOURS: [(&str, &str); 5] = [
    ("#0b6fb8", "#5db4f0"),
    ("#b8510b", "#f0a05d"),
    ("#1b7f4b", "#5fcf98"),
    ("#8a3ba6", "#cf8fe8"),
    ("#a31f3c", "#f08098"),
];

/// What has the same looks on every ground: headline, bold name, note, curve, name of a curve, limit, grid.
const SHAPES: &str = "text{font:13px system-ui,'Segoe UI',Helvetica,Arial,sans-serif}.h{font-size:15px;font-weight:600}\
.b,.t{font-weight:600}.n{font-size:12px;font-weight:400}.l{fill:none;stroke-width:2.2;stroke-linejoin:round}\
.m{fill:none;stroke-width:1;stroke-dasharray:4 3}.g{stroke-width:1}";
const LIGHT: Ground = Ground { paper: "#ffffff", ink: "#1c2430", faint: "#5a6675", grid: "#e3e7ec" };
const DARK: Ground = Ground { paper: "#161b22", ink: "#e6ebf2", faint: "#98a5b5", grid: "#2b333e" };

/// The colours of what has no colour of its own.
struct Ground {
    paper: &'static str,
    ink: &'static str,
    faint: &'static str,
    grid: &'static str,
}

/// How a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// In one of the colours.
    Line(usize),
    /// Thin, without a colour: what the machine itself needs.
    Limit,
}

pub(super) struct Curve {
    pub(super) name: &'static str,
    /// Tasks and seconds.
    pub(super) points: Vec<(f64, f64)>,
    pub(super) style: Style,
}

/// Curves over the number of tasks.
pub(super) struct Growth {
    pub(super) title: &'static str,
    pub(super) curves: Vec<Curve>,
}

pub(super) struct Bar {
    pub(super) name: &'static str,
    pub(super) value: f64,
    pub(super) colour: usize,
}

/// Bars in groups, each group with a name.
pub(super) struct Bars {
    pub(super) title: &'static str,
    pub(super) groups: Vec<(&'static str, Vec<Bar>)>,
}

/// A logarithmic axis from one power of ten to another.
struct Axis {
    from: f64,
    to: f64,
    begin: f64,
    end: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, begin: f64, end: f64) -> Axis {
        let (mut low, mut high) = (f64::MAX, f64::MIN);
        for value in values {
            (low, high) = (low.min(value), high.max(value));
        }
        Axis { from: low.log10().floor(), to: high.log10().ceil(), begin, end }
    }

    fn place(&self, value: f64) -> f64 {
        self.begin + (value.log10() - self.from) / (self.to - self.from).max(1.0) * (self.end - self.begin)
    }

    /// The powers of ten on it.
    fn marks(&self) -> impl Iterator<Item = f64> {
        let (mut next, to) = (self.from, self.to);
        std::iter::from_fn(move || {
            let mark = next;
            next += 1.0;
            (mark <= to).then(|| 10_f64.powf(mark))
        })
    }
}

impl Growth {
    pub(super) fn draw(&self) -> String {
        let points = || self.curves.iter().flat_map(|it| &it.points);
        let across = Axis::over(points().map(|it| it.0), LEFT, RIGHT);
        let up = Axis::over(points().map(|it| it.1), BOTTOM, TOP);
        let mut svg = opened(self.title, HIGH);
        for mark in up.marks() {
            let y = up.place(mark);
            _ = writeln!(svg, "<line class=\"g\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
            _ = writeln!(
                svg,
                "<text class=\"n\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 10.0,
                y + 4.0,
                power(mark)
            );
        }
        for mark in across.marks() {
            let x = across.place(mark);
            _ = writeln!(svg, "<line class=\"g\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{BOTTOM}\"/>");
            _ = writeln!(
                svg,
                "<text class=\"n\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                BOTTOM + 20.0,
                thousands(mark)
            );
        }
        _ = writeln!(
            svg,
            "<text class=\"n\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">tasks in the list</text>",
            f64::midpoint(LEFT, RIGHT),
            BOTTOM + 40.0
        );
        for (curve, name_at) in self.curves.iter().zip(self.names(&up)) {
            curve.draw(&across, &up, name_at, &mut svg);
        }
        svg + "</svg>\n"
    }

    /// Where the names stand: at the ends of their curves, moved apart where those are close together.
    fn names(&self, up: &Axis) -> Vec<f64> {
        let ends: Vec<f64> =
            self.curves.iter().map(|it| it.points.last().map_or(BOTTOM, |last| up.place(last.1))).collect();
        let mut order: Vec<usize> = (0..ends.len()).collect();
        order.sort_by(|one, other| ends[*other].total_cmp(&ends[*one]));
        let (mut places, mut below) = (ends.clone(), f64::MAX);
        for n in order {
            places[n] = ends[n].min(below - APART);
            below = places[n];
        }
        places
    }
}

impl Curve {
    fn draw(&self, across: &Axis, up: &Axis, name_at: f64, svg: &mut String) {
        let places: Vec<(f64, f64)> =
            self.points.iter().map(|it| (across.place(it.0), up.place(it.1))).collect();
        let path: Vec<String> = places.iter().map(|it| format!("{:.1},{:.1}", it.0, it.1)).collect();
        let (line, name) = match self.style {
            Style::Line(n) => (format!("c{n} l"), format!("c{n} t")),
            Style::Limit => ("m".to_owned(), "n".to_owned()),
        };
        _ = writeln!(svg, "<polyline class=\"{line}\" points=\"{}\"/>", path.join(" "));
        if let Style::Line(n) = self.style {
            for (x, y) in &places {
                _ = writeln!(svg, "<circle class=\"c{n} d\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\"/>");
            }
        }
        let end = self.points.last().map_or(0.0, |it| it.1);
        _ = writeln!(
            svg,
            "<text class=\"{name}\" x=\"{}\" y=\"{:.1}\">{}<tspan class=\"n\" dx=\"6\">{}</tspan></text>",
            RIGHT + 10.0,
            name_at + 4.0,
            self.name,
            seconds(end)
        );
    }
}

impl Bars {
    pub(super) fn draw(&self) -> String {
        let bars = || self.groups.iter().flat_map(|it| &it.1);
        let axis = Axis::over(bars().map(|it| it.value), LEFT + 96.0, WIDE - 86.0);
        let rows: f64 = self.groups.iter().flat_map(|it| &it.1).map(|_| BAR).sum();
        let bottom = TOP + rows + GAP * self.groups.iter().map(|_| 1.0).sum::<f64>();
        let mut svg = opened(self.title, bottom + 52.0);
        for mark in axis.marks() {
            let x = axis.place(mark);
            _ = writeln!(
                svg,
                "<line class=\"g\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{bottom:.1}\"/>",
                TOP - 6.0
            );
            _ = writeln!(
                svg,
                "<text class=\"n\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 16.0,
                power(mark)
            );
        }
        let (middle, below) = (f64::midpoint(axis.begin, axis.end), bottom + 36.0);
        _ = writeln!(
            svg,
            "<text class=\"n\" x=\"{middle:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">time of one command; each line is ten times the one before</text>"
        );
        let mut y = TOP;
        for (name, bars) in &self.groups {
            _ = writeln!(svg, "<text class=\"b\" x=\"18\" y=\"{:.1}\">{name}</text>", y + 12.5);
            for bar in bars {
                bar.draw(&axis, y, &mut svg);
                y += BAR;
            }
            y += GAP;
        }
        svg + "</svg>\n"
    }
}

impl Bar {
    fn draw(&self, axis: &Axis, y: f64, svg: &mut String) {
        let end = axis.place(self.value);
        let colour = self.colour % COLOURS.len();
        _ = writeln!(
            svg,
            "<text class=\"n\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            axis.begin - 8.0,
            y + 12.5,
            self.name
        );
        _ = writeln!(
            svg,
            "<rect class=\"c{colour} d\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{}\" rx=\"2\"/>",
            axis.begin,
            y + 2.0,
            (end - axis.begin).max(1.0),
            BAR - 4.0
        );
        _ = writeln!(
            svg,
            "<text class=\"n\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            end + 6.0,
            y + 12.5,
            seconds(self.value)
        );
    }
}

/// The ground, the looks of everything, and the title.
fn opened(title: &str, high: f64) -> String {
    let (light, dark) = (looks(&LIGHT, |it| it.0), looks(&DARK, |it| it.1));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDE:.0} {high:.0}\" width=\"{WIDE:.0}\" height=\"{high:.0}\" role=\"img\" aria-label=\"{title}\">\n\
         <style>{SHAPES}{light}\n@media(prefers-color-scheme:dark){{{dark}}}</style>\n\
         <rect class=\"w\" width=\"100%\" height=\"100%\" rx=\"8\"/>\n\
         <text class=\"h\" x=\"18\" y=\"30\">{title}</text>\n"
    )
}

/// The colours of everything on one ground.
fn looks(ground: &Ground, colour: fn(&(&'static str, &'static str)) -> &'static str) -> String {
    let Ground { paper, ink, faint, grid } = ground;
    let mut looks = format!(
        ".w{{fill:{paper}}}.h,.b{{fill:{ink}}}.n{{fill:{faint}}}.g{{stroke:{grid}}}.m{{stroke:{faint}}}"
    );
    for (n, it) in COLOURS.iter().enumerate() {
        let colour = colour(it);
        _ = write!(looks, ".c{n}.l{{stroke:{colour}}}.c{n}.d,.c{n}.t{{fill:{colour}}}");
    }
    looks
}

/// A power of ten of a second, in the unit that suits it.
fn power(value: f64) -> String {
    let text = seconds(value * 1.000_001);
    let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
    format!("{} {unit}", number.split('.').next().unwrap_or(number))
}

fn thousands(value: f64) -> String {
    let text = format!("{value:.0}");
    let (head, tail) = text.split_at(text.len().saturating_sub(3));
    if head.is_empty() { tail.to_owned() } else { format!("{head},{tail}") }
}
