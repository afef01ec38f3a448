//! Pictures of a task graph: boxes on a terminal, DOT, Mermaid, SVG. Not where it is decided what is in the picture.

mod chain;
mod dot;
mod layout;
mod mermaid;
mod of_tasks;
mod svg;
mod text;
mod words;

pub(crate) use dot::dot;
pub(crate) use mermaid::mermaid;
pub(crate) use of_tasks::Missing;
pub(crate) use svg::svg;
pub(crate) use text::text;

use crate::output::Output;
use worklist::State;

/// A task as it is drawn. The texts are safe to print and have one line each.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) id: String,
    pub(crate) subject: String,
    pub(crate) owner: Option<String>,
    /// Nothing for a task that is named but does not exist.
    pub(crate) state: Option<State>,
    pub(crate) parked: bool,
}

/// What is drawn.
#[derive(Debug, Clone, Default)]
pub(crate) struct Picture {
    pub(crate) nodes: Vec<Node>,
    /// From a blocker to what waits for it, as places in `nodes`.
    pub(crate) edges: Vec<(usize, usize)>,
}

/// The signs that lines are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Charset {
    Unicode,
    Ascii,
}

/// How a terminal wants its picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawing {
    pub(crate) charset: Charset,
    /// The columns there are; no line is wider.
    pub(crate) width: usize,
}

/// What a drawing says of a node: its state, or why that is not the whole truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Ready,
    Blocked,
    InProgress,
    Completed,
    Parked,
    Missing,
}

impl Look {
    const ALL: [Look; 6] =
        [Look::Ready, Look::InProgress, Look::Blocked, Look::Completed, Look::Parked, Look::Missing];

    /// The words for it in a legend.
    fn label(self) -> &'static str {
        match self {
            Look::Ready => "ready",
            Look::Blocked => "blocked",
            Look::InProgress => "in progress",
            Look::Completed => "completed",
            Look::Parked => "parked",
            Look::Missing => "missing",
        }
    }

    /// The same as one word for classes.
    fn class(self) -> &'static str {
        if self == Look::InProgress { "doing" } else { self.label() }
    }
}

impl Node {
    fn look(&self) -> Look {
        match self.state {
            None => Look::Missing,
            Some(State::Completed) => Look::Completed,
            Some(_) if self.parked => Look::Parked,
            Some(State::Ready) => Look::Ready,
            Some(State::Blocked) => Look::Blocked,
            Some(State::InProgress) => Look::InProgress,
        }
    }
}

impl Picture {
    /// How many nodes look like this.
    fn count(&self, look: Look) -> usize {
        self.nodes.iter().filter(|it| it.look() == look).count()
    }

    /// The edges, each once, between nodes that are there. Those from a node to itself come second.
    fn plain_edges(&self) -> (Vec<(usize, usize)>, Vec<usize>) {
        let count = self.nodes.len();
        let mut edges: Vec<_> =
            self.edges.iter().copied().filter(|(from, to)| *from < count && *to < count).collect();
        edges.sort_unstable();
        edges.dedup();
        let loops = edges.iter().filter(|(from, to)| from == to).map(|it| it.0).collect();
        edges.retain(|(from, to)| from != to);
        (edges, loops)
    }
}

/// A terminal that does not say how wide it is.
const USUAL_COLUMNS: usize = 100;

/// A picture for the terminal.
pub(crate) fn drawn(output: &Output, picture: &Picture) -> String {
    let charset = if output.ascii { Charset::Ascii } else { Charset::Unicode };
    text(picture, &Drawing { charset, width: output.columns.unwrap_or(USUAL_COLUMNS) })
}

#[cfg(test)]
mod tests;
