//! The graph for Graphviz. Not laid out: that is Graphviz' part.

use super::{Look, Node, Picture, chain::Chain, words};

/// Letters of a subject in one label.
const MOST: usize = 60;

/// The picture in the DOT language. Nodes are called n0, n1 and so on; ids stand in labels only.
pub(crate) fn dot(picture: &Picture) -> String {
    let chain = Chain::of(picture);
    let mut text = String::from(
        "digraph tasks {\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", \
         fontsize=11, margin=\"0.15,0.08\"];\n  edge [color=\"#8694a8\", arrowsize=0.8];\n",
    );
    for (at, node) in picture.nodes.iter().enumerate() {
        text += &format!("  n{at} [label=\"{}\", {}", label(node), paint(node.look()));
        if chain.has(at) {
            text += ", color=\"#e11d48\", penwidth=2.5";
        }
        text += "];\n";
    }
    let (edges, loops) = picture.plain_edges();
    for (from, to) in edges.into_iter().chain(loops.into_iter().map(|it| (it, it))) {
        let thick = if chain.has_step(from, to) { " [color=\"#e11d48\", penwidth=2.5]" } else { "" };
        text += &format!("  n{from} -> n{to}{thick};\n");
    }
    text + "}\n"
}

fn label(node: &Node) -> String {
    let mut label = format!("#{}", escape(&node.id));
    if let Some(owner) = &node.owner {
        label += &format!("  @{}", escape(owner));
    }
    if matches!(node.look(), Look::Parked | Look::Missing) {
        label += &format!("  ({})", node.look().label());
    }
    label + "\\n" + &escape(&words::fit(&node.subject, MOST, "…"))
}

/// Within quotes, a backslash begins something, and so does an ampersand.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in words::letters(text).flat_map(str::chars) {
        match letter {
            '"' => escaped += "\\\"",
            '\\' => escaped += "\\\\",
            '&' => escaped += "&amp;",
            it if it.is_control() => escaped.push(' '),
            it => escaped.push(it),
        }
    }
    escaped
}

fn paint(look: Look) -> &'static str {
    match look {
        Look::Ready => "fillcolor=\"#dbeafe\", color=\"#2563eb\", fontcolor=\"#172554\"",
        Look::InProgress => "fillcolor=\"#fef3c7\", color=\"#b45309\", fontcolor=\"#451a03\"",
        Look::Blocked => "fillcolor=\"#f1f5f9\", color=\"#66738a\", fontcolor=\"#1e293b\"",
        Look::Completed => "fillcolor=\"#dcfce7\", color=\"#15803d\", fontcolor=\"#14532d\"",
        Look::Parked => {
            "fillcolor=\"#f3e8ff\", color=\"#7e22ce\", fontcolor=\"#3b0764\", style=\"rounded,filled,dashed\""
        }
        Look::Missing => {
            "fillcolor=\"#fff1f2\", color=\"#9f1239\", fontcolor=\"#4c0519\", style=\"rounded,filled,dashed\""
        }
    }
}
