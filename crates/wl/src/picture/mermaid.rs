//! The graph for Mermaid, which many pages draw by themselves. Not laid out.

use super::{Look, Node, Picture, chain::Chain, words};

/// Letters of a subject in one label.
const MOST: usize = 60;

/// The picture as a Mermaid flowchart. Nodes are called n0, n1 and so on, so that no id is taken for a keyword.
pub(crate) fn mermaid(picture: &Picture) -> String {
    let chain = Chain::of(picture);
    let mut text = String::from("flowchart LR\n");
    for (at, node) in picture.nodes.iter().enumerate() {
        text += &format!("  n{at}[\"{}\"]:::{}\n", label(node), node.look().class());
    }
    let (edges, loops) = picture.plain_edges();
    let mut thick = Vec::new();
    for (place, (from, to)) in edges.into_iter().chain(loops.into_iter().map(|it| (it, it))).enumerate() {
        text += &format!("  n{from} --> n{to}\n");
        if chain.has_step(from, to) {
            thick.push(place.to_string());
        }
    }
    for look in Look::ALL.into_iter().filter(|it| picture.count(*it) > 0) {
        text += &format!("  classDef {} {}\n", look.class(), paint(look));
    }
    if !thick.is_empty() {
        let on_chain: Vec<String> = chain.nodes.iter().map(|it| format!("n{it}")).collect();
        text += "  classDef critical stroke:#e11d48,stroke-width:3px\n";
        text += &format!("  class {} critical\n", on_chain.join(","));
        text += &format!("  linkStyle {} stroke:#e11d48,stroke-width:3px\n", thick.join(","));
    }
    text
}

fn label(node: &Node) -> String {
    let mut label = escape(&format!("#{}", node.id));
    if let Some(owner) = &node.owner {
        label += &escape(&format!(" @{owner}"));
    }
    if matches!(node.look(), Look::Parked | Look::Missing) {
        label += &format!(" ({})", node.look().label());
    }
    label + "<br/>" + &escape(&words::fit(&node.subject, MOST, "…"))
}

/// Letters and digits of any script stay as they are; every other sign could mean something and is named by number.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in words::letters(text).flat_map(str::chars) {
        match letter {
            it if it.is_control() => escaped.push(' '),
            it if it.is_ascii_alphanumeric() || " ,-…".contains(it) || !it.is_ascii() => escaped.push(it),
            it => escaped += &format!("#{};", u32::from(it)),
        }
    }
    escaped
}

fn paint(look: Look) -> &'static str {
    match look {
        Look::Ready => "fill:#dbeafe,stroke:#2563eb,color:#172554",
        Look::InProgress => "fill:#fef3c7,stroke:#b45309,color:#451a03",
        Look::Blocked => "fill:#f1f5f9,stroke:#66738a,color:#1e293b",
        Look::Completed => "fill:#dcfce7,stroke:#15803d,color:#14532d",
        Look::Parked => "fill:#f3e8ff,stroke:#7e22ce,color:#3b0764,stroke-dasharray:5 4",
        Look::Missing => "fill:#fff1f2,stroke:#9f1239,color:#4c0519,stroke-dasharray:5 4",
    }
}
