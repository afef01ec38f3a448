//! The graph on a terminal: boxes and lines, or a list where boxes would not fit or could not be read. Prints nothing.

mod boxes;
mod cable;
mod canvas;
mod channel;
mod outline;
mod plan;

use super::{
    Charset, Drawing, Look, Picture,
    chain::Chain,
    layout::{Size, closing, pack, parts},
};
use anstyle::{AnsiColor, Style};
use boxes::Sheet;
use canvas::Canvas;
use outline::{Page, STAR, outline};

/// More tasks than that are a list.
const MOST_BOXES: usize = 60;
/// Columns between parts side by side, and lines between parts one below the other.
const BETWEEN: i64 = 2;

/// The picture as lines of text, with colours, none wider than asked for.
pub(crate) fn text(picture: &Picture, drawing: &Drawing) -> String {
    let page = Page { charset: drawing.charset, width: drawing.width };
    let chain = Chain::of(picture);
    let (all, loops) = picture.plain_edges();
    let closing = closing(picture.nodes.len(), &all);
    let (back, edges): (Vec<_>, Vec<_>) = all.into_iter().zip(closing).partition(|it| it.1);
    let edges: Vec<(usize, usize)> = edges.into_iter().map(|it| it.0).collect();
    let (drawn, form) = match boxes(picture, &chain, &edges, drawing) {
        Some(canvas) => (canvas.render(drawing.charset), Form::Boxes),
        None => (outline(picture, &chain, &edges, page), Form::Outline),
    };
    let mut sections = vec![drawn, alone(picture, &edges, page)];
    let back = back.into_iter().map(|it| it.0).chain(loops.into_iter().map(|it| (it, it)));
    let notes = back.map(|it| page.fit(&circle(picture, it), page.width) + "\n");
    sections.push(notes.collect());
    sections.push(page.fit(&legend(picture, &chain, form, page.charset), page.width) + "\n");
    sections.retain(|it| !it.trim().is_empty());
    sections.join("\n")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Boxes,
    Outline,
}

/// All parts as boxes, if each of them can be.
fn boxes(picture: &Picture, chain: &Chain, edges: &[(usize, usize)], drawing: &Drawing) -> Option<Canvas> {
    let (parts, _) = parts(picture.nodes.len(), edges);
    if parts.iter().map(|it| it.nodes.len()).sum::<usize>() > MOST_BOXES {
        return None;
    }
    let sheet = Sheet { picture, chain, charset: drawing.charset, width: drawing.width };
    let drawn: Vec<Canvas> = parts.iter().map(|it| sheet.draw(it)).collect::<Option<_>>()?;
    let number = |it: usize| i64::try_from(it).unwrap_or(i64::MAX);
    let size = |it: &Canvas| Size { width: number(it.width), height: number(it.height()) };
    let sizes: Vec<Size> = drawn.iter().map(size).collect();
    let (places, whole) = pack(&sizes, number(drawing.width), BETWEEN);
    let column = |it: i64| usize::try_from(it).unwrap_or(0);
    let mut canvas = Canvas::new(column(whole.width), column(whole.height));
    for (part, (x, y)) in drawn.into_iter().zip(places) {
        canvas.paste(column(x), column(y), part);
    }
    Some(canvas)
}

/// The tasks without edges, one line each.
fn alone(picture: &Picture, edges: &[(usize, usize)], page: Page) -> String {
    let (parts, alone) = parts(picture.nodes.len(), edges);
    let lines: String = alone.iter().map(|it| page.line(picture, *it, " ", &[])).collect();
    let needs_heading = !parts.is_empty() && !alone.is_empty();
    if needs_heading { page.heading("without dependencies") + &lines } else { lines }
}

/// What is said of an edge that is not drawn, because it closes a circle.
fn circle(picture: &Picture, (from, to): (usize, usize)) -> String {
    let (blocker, task) = (&picture.nodes[from].id, &picture.nodes[to].id);
    if from == to {
        return format!("#{task} waits for itself");
    }
    format!("#{task} also waits for #{blocker}, which closes a circle")
}

/// What the marks mean, those that are there, and the critical path by name.
fn legend(picture: &Picture, chain: &Chain, form: Form, charset: Charset) -> String {
    let mut items = Vec::new();
    if picture.count(Look::Ready) + picture.count(Look::Blocked) > 0 {
        items.push("[ ] to do".to_owned());
    }
    for look in [Look::InProgress, Look::Completed, Look::Parked, Look::Missing] {
        if picture.count(look) > 0 {
            items.push(format!("{} {}", mark(look), look.label()));
        }
    }
    if !chain.nodes.is_empty() {
        let ids: Vec<String> = chain.nodes.iter().map(|it| format!("#{}", picture.nodes[*it].id)).collect();
        let sign = match (form, charset) {
            (Form::Outline, _) => STAR,
            (Form::Boxes, Charset::Unicode) => "┏━┓",
            (Form::Boxes, Charset::Ascii) => "+=+",
        };
        items.push(format!("{sign} critical path {}", ids.join(" ")));
    }
    items.join("   ")
}

fn mark(look: Look) -> &'static str {
    match look {
        Look::Ready | Look::Blocked => "[ ]",
        Look::InProgress => "[>]",
        Look::Completed => "[x]",
        Look::Parked => "[!]",
        Look::Missing => "[?]",
    }
}

fn paint(look: Look) -> Style {
    match look {
        Look::Ready => AnsiColor::Green.on_default(),
        Look::Blocked => Style::new(),
        Look::InProgress => AnsiColor::Yellow.on_default(),
        Look::Completed => Style::new().dimmed(),
        Look::Parked => AnsiColor::Magenta.on_default(),
        Look::Missing => AnsiColor::Red.on_default(),
    }
}

fn cut_mark(charset: Charset) -> &'static str {
    match charset {
        Charset::Unicode => "…",
        Charset::Ascii => "...",
    }
}

#[cfg(test)]
mod tests;
