//! The pictures in docs/performance: how a command grows with the list, and how it stands beside other programs. Not how
//! lines and bars are drawn.

mod svg;

use super::{
    figures::Figures,
    peers::{PEERS, SIZES},
    workloads,
};
use svg::{Bar, Bars, Curve, Growth, Style};

/// A curve: its name in the picture, the group and name of its figures, and how it is drawn.
const CURVES: [(&str, &str, &str, Style); 8] = [
    ("show", "commands", "show", Style::Line(0)),
    ("claim", "commands", "claim", Style::Line(1)),
    ("done", "commands", "done", Style::Line(2)),
    ("ready", "looks", "ready --json, warm", Style::Line(3)),
    ("list", "looks", "list --all --json, warm", Style::Line(4)),
    ("an empty process", "commands", "an empty process", Style::Limit),
    ("statx of all files", "looks", "statx of all files", Style::Limit),
    ("read, parse, write all", "looks", "read, parse and write all files", Style::Limit),
];
/// The commands that are set beside those of others.
const VERBS: [&str; 6] = ["show", "claim", "done", "add", "ready", "list"];

/// The pictures with their names, as far as there are figures for them.
pub(super) fn drawn(figures: &Figures) -> Vec<(&'static str, String)> {
    let mut pictures = Vec::new();
    let curves: Vec<Curve> = CURVES.iter().filter_map(|it| curve(figures, *it)).collect();
    if curves.iter().any(|it| it.style != Style::Limit) {
        pictures.push((
            "growth.svg",
            Growth { title: "One command, by the number of tasks in the list", curves }.draw(),
        ));
    }
    let bars = peers(figures);
    if !bars.groups.is_empty() {
        pictures.push(("peers.svg", bars.draw()));
    }
    pictures
}

fn curve(figures: &Figures, (name, group, row, style): (&'static str, &str, &str, Style)) -> Option<Curve> {
    let at = |size: usize| figures.find(group, row, size).map(|it| (super::to_f64(size), it.value));
    let mut points: Vec<(f64, f64)> = workloads::SIZES.iter().filter_map(|it| at(*it)).collect();
    // What needs no list costs the same beside every list.
    if let Some(flat) = figures.find(group, row, 0) {
        points = workloads::SIZES.iter().map(|it| (super::to_f64(*it), flat.value)).collect();
    }
    (points.len() > 1).then_some(Curve { name, points, style })
}

fn peers(figures: &Figures) -> Bars {
    let size = SIZES[1];
    let bar = |peer: &'static str, verb: &str| {
        let value = figures.find("peers", &format!("{peer}: {verb}"), size)?.value;
        let place = PEERS.iter().position(|it| it.name == peer)?;
        Some(Bar { name: peer, value, colour: place })
    };
    let bars = |verb: &'static str| {
        let bars: Vec<Bar> = PEERS.iter().filter_map(|it| bar(it.name, verb)).collect();
        (bars.len() > 1).then_some((verb, bars))
    };
    let groups = VERBS.iter().filter_map(|it| bars(it)).collect();
    Bars { title: "One command in a list of 1,000 tasks, beside other programs", groups }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::figures::{Figure, Unit};

    #[test]
    fn what_was_measured_is_drawn_and_what_was_not_is_left_out() {
        let mut figures = Figures::default();
        assert!(drawn(&figures).is_empty());
        for (size, value) in [(100, 0.002), (1_000, 0.003)] {
            figures.put("commands", "show", size, Figure::once(value, Unit::Seconds));
        }
        figures.put("commands", "an empty process", 0, Figure::once(0.001, Unit::Seconds));
        let names: Vec<&str> = drawn(&figures).iter().map(|it| it.0).collect();
        assert_eq!(names, ["growth.svg"]);
        for who in ["wl", "Taskwarrior"] {
            figures.put("peers", &format!("{who}: show"), 1_000, Figure::once(0.01, Unit::Seconds));
        }
        let pictures = drawn(&figures);
        assert_eq!(pictures.len(), 2);
        assert!(pictures[0].1.contains(">show<") && !pictures[0].1.contains(">claim<"));
        assert!(pictures[1].1.contains(">Taskwarrior<") && !pictures[1].1.contains(">ticket<"));
    }
}
