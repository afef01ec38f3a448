//! One card: a strip in the colour of its state, id and owner, the subject, a badge. Not where it lies.

use super::{
    Card,
    ink::{self, escape, fit, wide, wrap},
    panel::CARD,
};
use crate::picture::{Look, Node};

const LEFT: i64 = 18;
const RIGHT: i64 = 12;
const SUBJECT: i64 = 13;
const SMALL: i64 = 11;

/// Whether a card is on the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Plain,
    Critical,
}

/// The card as SVG.
pub(super) fn render(node: &Node, card: Card, weight: Weight) -> String {
    let look = node.look();
    let Card { x, y, .. } = card;
    let colour = ink::of_look(look).light;
    let mut svg =
        format!("<g class=\"{}\" color=\"{colour}\" transform=\"translate({x},{y})\">", look.class());
    svg += &format!("<title>{}</title>", escape(&tooltip(node)));
    svg += &frame(look, weight);
    let badge = badge(look);
    svg += &badge.svg;
    svg += &head(node, CARD.width - LEFT - badge.width - RIGHT - 8);
    svg += &subject(node, look);
    svg + "</g>\n"
}

fn frame(look: Look, weight: Weight) -> String {
    let (class, stroke, width) = match weight {
        Weight::Plain => ("card", ink::BORDER.light, "1"),
        Weight::Critical => ("card hot", ink::CRITICAL.light, "2"),
    };
    let dashes = if matches!(look, Look::Missing | Look::Parked) { " stroke-dasharray=\"5 4\"" } else { "" };
    let (w, h, fill) = (CARD.width, CARD.height, ink::CARD.light);
    let strip = h - 20;
    format!(
        "<rect class=\"{class}\" width=\"{w}\" height=\"{h}\" rx=\"10\" fill=\"{fill}\" stroke=\"{stroke}\" \
         stroke-width=\"{width}\"{dashes}/><rect x=\"7\" y=\"10\" width=\"4\" height=\"{strip}\" rx=\"2\" \
         fill=\"currentColor\"/>"
    )
}

struct Badge {
    svg: String,
    width: i64,
}

/// The state in a word, at the upper right.
fn badge(look: Look) -> Badge {
    let label = look.label();
    let width = wide(label, 10) + 16;
    let (x, middle) = (CARD.width - RIGHT - width, CARD.width - RIGHT - width / 2);
    let svg = format!(
        "<rect x=\"{x}\" y=\"9\" width=\"{width}\" height=\"17\" rx=\"8.5\" fill=\"currentColor\" \
         fill-opacity=\".13\"/><text class=\"badge\" x=\"{middle}\" y=\"21\" text-anchor=\"middle\" \
         font-size=\"10\" font-weight=\"600\" fill=\"currentColor\">{label}</text>"
    );
    Badge { svg, width }
}

/// Id and owner.
fn head(node: &Node, room: i64) -> String {
    // Bold letters are wider, about as much as if they were higher.
    let id = fit(&format!("#{}", node.id), SMALL + 1, room);
    let rest = room - wide(&id, SMALL + 1) - 8;
    let owner = node.owner.as_ref().map(|it| fit(&format!("@{it}"), SMALL, rest)).unwrap_or_default();
    let muted = ink::MUTED.light;
    let mut svg = format!(
        "<text class=\"muted\" x=\"{LEFT}\" y=\"22\" font-size=\"{SMALL}\" fill=\"{muted}\">\
         <tspan font-weight=\"700\">{}</tspan>",
        escape(&id)
    );
    if !owner.is_empty() {
        svg += &format!("<tspan dx=\"8\">{}</tspan>", escape(&owner));
    }
    svg + "</text>"
}

fn subject(node: &Node, look: Look) -> String {
    let lines = wrap(&node.subject, SUBJECT, CARD.width - LEFT - RIGHT);
    let (class, fill) = match look {
        Look::Completed | Look::Missing => ("muted", ink::MUTED.light),
        _ => ("text", ink::TEXT.light),
    };
    let first = if lines.len() > 1 { 43 } else { 49 };
    let mut svg = String::new();
    for (line, at) in lines.iter().zip(0..) {
        let y = first + at * 17;
        svg += &format!(
            "<text class=\"{class}\" x=\"{LEFT}\" y=\"{y}\" font-size=\"{SUBJECT}\" font-weight=\"500\" \
             fill=\"{fill}\">{}</text>",
            escape(line)
        );
    }
    svg
}

/// All there is to say, for whoever holds the pointer over the card.
fn tooltip(node: &Node) -> String {
    let mut text = format!("#{} {} — {}", node.id, node.subject, node.look().label());
    if let Some(owner) = &node.owner {
        text += &format!(", @{owner}");
    }
    text
}
