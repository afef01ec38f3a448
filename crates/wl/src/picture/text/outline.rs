//! The graph as a list: layer below layer, one line for each task. For what no drawing of boxes could show.

use super::{cut_mark, mark, paint};
use crate::picture::{Charset, Picture, chain::Chain, layout::waves, words};
use anstyle::Style;

/// Before a task on the critical path.
pub(super) const STAR: &str = "*";

/// All tasks that hang together with others, each below what it waits for.
pub(super) fn outline(picture: &Picture, chain: &Chain, edges: &[(usize, usize)], page: Page) -> String {
    let count = picture.nodes.len();
    let mut blockers = vec![Vec::new(); count];
    let mut is_tied = vec![false; count];
    for (from, to) in edges {
        blockers[*to].push(*from);
        (is_tied[*from], is_tied[*to]) = (true, true);
    }
    let mut layers: Vec<Vec<usize>> = Vec::new();
    for (node, layer) in waves(count, edges).into_iter().enumerate().filter(|it| is_tied[it.0]) {
        layers.resize_with(layers.len().max(layer + 1), Vec::new);
        layers[layer].push(node);
    }
    let mut text = String::new();
    for (layer, nodes) in layers.iter().enumerate() {
        text += &page.heading(&format!("layer {}", layer + 1));
        for node in nodes {
            let star = if chain.has(*node) { STAR } else { " " };
            let after: Vec<String> =
                blockers[*node].iter().map(|it| format!("#{}", picture.nodes[*it].id)).collect();
            text += &page.line(picture, *node, star, &after);
        }
    }
    text
}

/// How wide the lines may be, and of which signs.
#[derive(Clone, Copy)]
pub(super) struct Page {
    pub(super) charset: Charset,
    pub(super) width: usize,
}

impl Page {
    pub(super) fn heading(self, text: &str) -> String {
        let bold = Style::new().bold();
        format!("{bold}{}{bold:#}\n", self.fit(text, self.width))
    }

    /// One task: what it is, who has it, what it comes after. The subject gives way first.
    pub(super) fn line(self, picture: &Picture, node: usize, star: &str, after: &[String]) -> String {
        let it = &picture.nodes[node];
        let mut tail = it.owner.as_ref().map(|owner| format!("  @{owner}")).unwrap_or_default();
        if !after.is_empty() {
            tail += &format!("  after {}", after.join(", "));
        }
        let tail = self.fit(&tail, self.width / 2);
        let head = format!("{star} {} #{} {}", mark(it.look()), it.id, it.subject);
        let head = self.fit(head.trim_end(), self.width - words::columns(&tail));
        let (style, dim) = (paint(it.look()), Style::new().dimmed());
        format!("{style}{head}{style:#}{dim}{tail}{dim:#}\n")
    }

    pub(super) fn fit(self, text: &str, most: usize) -> String {
        words::fit(text, most, cut_mark(self.charset))
    }
}
