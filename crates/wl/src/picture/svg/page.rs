//! The page: title, counts and legend, lines, cards. Not where they lie.

use super::{
    Course, Line, Stop,
    card::{self, Weight},
    ink::{self, Colour, escape, fit, wide},
    scene::Scene,
};
use crate::picture::{Look, Picture, chain::Chain};

const MARGIN: i64 = 32;
/// What title and legend want, however small the picture is.
const LEAST_WIDTH: i64 = 540;
const TITLE: i64 = 20;
const SMALL: i64 = 12;
const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', \
                    'Liberation Sans', Arial, sans-serif";

pub(super) fn render(picture: &Picture, chain: &Chain, scene: &Scene, title: &str) -> String {
    let inner = scene.size.width.max(LEAST_WIDTH);
    let legend = legend(picture, chain, scene, inner);
    let top = legend.bottom + 34;
    let (width, height) = (inner + 2 * MARGIN, top + scene.size.height + MARGIN);
    let left = (width - scene.size.width) / 2;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wl\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" font-family=\"{FONT}\">\n<title>{}</title>\n{}",
        escape(title),
        style()
    );
    let paper = ink::PAPER.light;
    svg += &format!(
        "<rect class=\"paper\" width=\"{width}\" height=\"{height}\" rx=\"12\" fill=\"{paper}\"/>\n"
    );
    svg += &text("text", (MARGIN, 46), TITLE, "700", ink::TEXT, &fit(title, TITLE, inner));
    svg += &legend.svg;
    svg += &format!("<g transform=\"translate({left},{top})\">\n");
    svg += &lines(picture, chain, scene);
    if let Some(at) = scene.alone_at {
        svg += &text("muted", (0, at + 14), SMALL, "600", ink::MUTED, "Without dependencies");
    }
    for it in &scene.cards {
        let weight = if chain.has(it.node) { Weight::Critical } else { Weight::Plain };
        svg += &card::render(&picture.nodes[it.node], *it, weight);
    }
    svg + "</g>\n</svg>\n"
}

/// Light colours are attributes, which every reader of SVG knows; dark ones need one that knows the question.
fn style() -> String {
    let mut css = String::new();
    let mut rule = |selector: &str, property: &str, colour: Colour| {
        css += &format!(".wl {selector}{{{property}:{}}}", colour.dark);
    };
    rule(".paper", "fill", ink::PAPER);
    rule(".card", "fill", ink::CARD);
    rule(".card", "stroke", ink::BORDER);
    rule(".card.hot", "stroke", ink::CRITICAL);
    rule(".text", "fill", ink::TEXT);
    rule(".muted", "fill", ink::MUTED);
    for kind in Kind::ALL {
        rule(&format!(".{}", kind.class()), "color", kind.colour());
    }
    for look in Look::ALL {
        rule(&format!(".{}", look.class()), "color", ink::of_look(look));
    }
    format!("<style>@media (prefers-color-scheme:dark){{{css}}}</style>\n")
}

fn text(class: &str, (x, y): (i64, i64), size: i64, weight: &str, colour: Colour, content: &str) -> String {
    format!(
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" font-weight=\"{weight}\" \
         fill=\"{}\">{}</text>\n",
        colour.light,
        escape(content)
    )
}

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Its blocker is completed.
    Met,
    Waiting,
    Critical,
    /// It closes a circle.
    Circle,
}

impl Kind {
    /// In the order in which they are drawn: the most important one on top.
    const ALL: [Kind; 4] = [Kind::Met, Kind::Waiting, Kind::Circle, Kind::Critical];

    fn of(line: &Line, picture: &Picture, chain: &Chain) -> Kind {
        if line.course == Course::Back {
            Kind::Circle
        } else if chain.has_step(line.from, line.to) {
            Kind::Critical
        } else if picture.nodes[line.from].look() == Look::Completed {
            Kind::Met
        } else {
            Kind::Waiting
        }
    }

    fn class(self) -> &'static str {
        match self {
            Kind::Met => "met",
            Kind::Waiting => "open",
            Kind::Critical => "critical",
            Kind::Circle => "circle",
        }
    }

    fn colour(self) -> Colour {
        match self {
            Kind::Met => ink::MET,
            Kind::Waiting => ink::WAITING,
            Kind::Critical => ink::CRITICAL,
            Kind::Circle => ink::CIRCLE,
        }
    }

    /// What is the same for all lines of the kind.
    fn attributes(self) -> String {
        let (width, dashes) = match self {
            Kind::Met | Kind::Waiting => ("1.5", ""),
            Kind::Critical => ("2.5", ""),
            Kind::Circle => ("1.5", " stroke-dasharray=\"6 4\""),
        };
        format!(
            "class=\"{}\" color=\"{}\" stroke=\"currentColor\" stroke-width=\"{width}\" fill=\"none\"{dashes}",
            self.class(),
            self.colour().light
        )
    }
}

fn lines(picture: &Picture, chain: &Chain, scene: &Scene) -> String {
    let mut svg = String::new();
    for kind in Kind::ALL {
        let own = scene.lines.iter().filter(|it| Kind::of(it, picture, chain) == kind);
        let drawn: String = own.map(|it| line(it, picture)).collect();
        if !drawn.is_empty() {
            svg += &format!("<g {}>\n{drawn}</g>\n", kind.attributes());
        }
    }
    svg
}

fn line(line: &Line, picture: &Picture) -> String {
    let mut course = String::new();
    for (at, stop) in line.stops.iter().enumerate() {
        course += &match stop {
            Stop::At(x, y) if at == 0 => format!("M{x} {y}"),
            Stop::At(x, y) => format!("L{x} {y}"),
            Stop::Curve([(ax, ay), (bx, by), (x, y)]) => format!("C{ax} {ay} {bx} {by} {x} {y}"),
        };
    }
    let (from, to) = (&picture.nodes[line.from].id, &picture.nodes[line.to].id);
    format!(
        "<g><title>#{} → #{}</title><path d=\"{course}\"/>{}</g>\n",
        escape(from),
        escape(to),
        head(line.tip.at, line.tip.towards)
    )
}

/// The head of an arrow.
fn head((x, y): (i64, i64), (right, down): (i64, i64)) -> String {
    let (back_x, back_y) = (-9 * right, -9 * down);
    let (side_x, side_y) = (4 * down, 4 * right);
    let (one_x, one_y) = (back_x + side_x, back_y + side_y);
    let (other_x, other_y) = (-2 * side_x, -2 * side_y);
    format!(
        "<path d=\"M{x} {y}l{one_x} {one_y}l{other_x} {other_y}z\" fill=\"currentColor\" stroke=\"none\"/>"
    )
}

struct Legend {
    svg: String,
    bottom: i64,
}

/// The states with their counts, then the kinds of lines that are there; as many rows as it takes.
fn legend(picture: &Picture, chain: &Chain, scene: &Scene, room: i64) -> Legend {
    let mut items = Vec::new();
    for look in Look::ALL.into_iter().filter(|it| picture.count(*it) > 0) {
        let dot = format!(
            "<circle class=\"{}\" color=\"{}\" cx=\"5\" cy=\"-4\" r=\"5\" fill=\"currentColor\"/>",
            look.class(),
            ink::of_look(look).light
        );
        items.push((dot, 16, format!("{} {}", picture.count(look), look.label())));
    }
    if !chain.nodes.is_empty() {
        items.push((sample(Kind::Critical), 30, format!("critical path, {} tasks", chain.nodes.len())));
    }
    if scene.lines.iter().any(|it| it.course == Course::Back) {
        items.push((sample(Kind::Circle), 30, "closes a circle".to_owned()));
    }
    let (mut x, mut y) = (0, 74);
    let mut svg = String::new();
    for (sign, indent, label) in items {
        let width = indent + wide(&label, SMALL);
        if x > 0 && x + width > room {
            (x, y) = (0, y + 22);
        }
        svg += &format!("<g transform=\"translate({},{y})\">{sign}", MARGIN + x);
        svg += &text("muted", (indent, 0), SMALL, "500", ink::MUTED, &label);
        svg += "</g>\n";
        x += width + 20;
    }
    Legend { svg, bottom: y }
}

fn sample(kind: Kind) -> String {
    format!("<g {}><path d=\"M0 -4L17 -4\"/>{}</g>", kind.attributes(), head((24, -4), (1, 0)))
}
