//! The lines of a Markdown text by kind: items, headings, fences, comments, text. Not all of Markdown: only what must
//! be told apart to know where an item begins and what belongs to it.

use super::Mistake;

/// How wide a tab is, at most.
const TAB: usize = 4;

pub(super) struct Line<'a> {
    /// From 1.
    pub(super) number: usize,
    pub(super) raw: &'a str,
    /// How far the text stands from the margin, in columns.
    pub(super) indent: usize,
    pub(super) kind: Kind<'a>,
}

pub(super) enum Kind<'a> {
    Blank,
    Item(Bullet<'a>),
    /// A comment on one line, without its marks.
    Comment(&'a str),
    /// The first line of a fence or of a longer comment.
    Opening,
    /// A line within a fence or a longer comment, the last one included.
    Inside,
    /// A heading or a line across the page: whatever went before has ended.
    Break,
    Text,
}

/// The head of an item.
pub(super) struct Bullet<'a> {
    pub(super) ordered: bool,
    pub(super) tick: Tick,
    /// From which column on something can stand beneath it.
    pub(super) least: usize,
    /// Where its own text begins.
    pub(super) content: usize,
    /// What follows the bullet and the box.
    pub(super) text: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tick {
    None,
    Open,
    Done,
    /// Something else in the box.
    Odd,
}

/// A fence or comment that has begun.
enum Block<'a> {
    Fence { line: usize, mark: &'a str },
    Comment { line: usize },
}

/// All lines of a text. What is opened and never closed is a mistake.
pub(super) fn lines<'a>(text: &'a str, mistakes: &mut Vec<Mistake>) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let mut block: Option<Block<'a>> = None;
    for (n, raw) in text.split('\n').enumerate() {
        let raw = raw.strip_suffix('\r').unwrap_or(raw);
        let (number, inner) = (n + 1, raw.trim());
        let kind = match &block {
            Some(open) => {
                if open.is_closed_by(inner) {
                    block = None;
                }
                Kind::Inside
            }
            None => {
                block = Block::opened_by(number, inner);
                if block.is_some() { Kind::Opening } else { kind_of(raw) }
            }
        };
        lines.push(Line { number, raw, indent: indent_of(raw), kind });
    }
    mistakes.extend(block.map(|it| it.unclosed()));
    lines
}

impl<'a> Block<'a> {
    fn opened_by(line: usize, text: &'a str) -> Option<Block<'a>> {
        if text.starts_with("<!--") {
            return (!text.contains("-->")).then_some(Block::Comment { line });
        }
        let mark = ['`', '~'].into_iter().find(|it| text.starts_with(*it))?;
        let length = text.len() - text.trim_start_matches(mark).len();
        // Three or more backticks with another behind them are code within a line.
        let is_fence = length >= 3 && (mark == '~' || !text[length..].contains('`'));
        is_fence.then(|| Block::Fence { line, mark: &text[..length] })
    }

    fn is_closed_by(&self, text: &str) -> bool {
        match self {
            Block::Comment { .. } => text.contains("-->"),
            Block::Fence { mark, .. } => {
                text.starts_with(mark) && text.trim_start_matches(&mark[..1]).is_empty()
            }
        }
    }

    fn unclosed(&self) -> Mistake {
        match self {
            Block::Comment { line } => {
                Mistake::at(*line, "the comment is not closed").hint("close it with `-->`")
            }
            Block::Fence { line, mark } => Mistake::at(*line, "the fence is not closed")
                .hint(format!("close it with a line that says `{mark}`")),
        }
    }
}

fn kind_of(raw: &str) -> Kind<'_> {
    let text = raw.trim();
    if text.is_empty() {
        return Kind::Blank;
    }
    if let Some(comment) = text.strip_prefix("<!--").and_then(|it| it.strip_suffix("-->")) {
        return Kind::Comment(comment.trim());
    }
    let across = |mark: char| {
        text.chars().all(|it| it == mark || it.is_whitespace()) && text.matches(mark).count() >= 3
    };
    let behind = text.trim_start_matches('#');
    let heading = behind.len() < text.len() && (behind.is_empty() || behind.starts_with([' ', '\t']));
    if heading || ['-', '*', '_'].into_iter().any(across) {
        return Kind::Break;
    }
    bullet(raw).map_or(Kind::Text, Kind::Item)
}

fn bullet(raw: &str) -> Option<Bullet<'_>> {
    let text = raw.trim_start();
    let digits = text.len() - text.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let ordered = (1..=9).contains(&digits) && text[digits..].starts_with(['.', ')']);
    if !ordered && !text.starts_with(['-', '*', '+']) {
        return None;
    }
    let (mark, behind) = text.split_at(if ordered { digits + 1 } else { 1 });
    if !behind.is_empty() && !behind.starts_with([' ', '\t']) {
        return None;
    }
    let end = indent_of(raw) + mark.len();
    let content = column(&raw[..raw.len() - behind.trim_start().len()]).max(end + 1);
    let (tick, text) = tick(behind.trim());
    Some(Bullet { ordered, tick, least: end + 1, content, text })
}

/// The box that a text begins with, and the rest.
fn tick(text: &str) -> (Tick, &str) {
    let Some((inner, rest)) = text.strip_prefix('[').and_then(|it| it.split_once(']')) else {
        return (Tick::None, text);
    };
    if inner.chars().count() > 1 || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return (Tick::None, text);
    }
    let tick = match inner {
        " " => Tick::Open,
        "x" | "X" => Tick::Done,
        _ => Tick::Odd,
    };
    (tick, rest.trim_start())
}

/// How far the first character that is not blank stands from the margin.
fn indent_of(raw: &str) -> usize {
    column(&raw[..raw.len() - raw.trim_start().len()])
}

/// The column behind a text, tabs counted.
fn column(text: &str) -> usize {
    text.chars().fold(0, |at, it| if it == '\t' { at + TAB - at % TAB } else { at + 1 })
}

/// A line without up to so many columns of its margin. What is left of a tab becomes blanks.
pub(super) fn without_margin(raw: &str, columns: usize) -> String {
    let mut at = 0;
    for (place, it) in raw.char_indices() {
        if at >= columns || !matches!(it, ' ' | '\t') {
            return " ".repeat(at.saturating_sub(columns)) + &raw[place..];
        }
        at = column(&raw[..=place]);
    }
    String::new()
}
