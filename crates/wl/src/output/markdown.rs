//! Markdown for the terminal: headings, lists, code, quotes, emphasis. What it does not know it shows as it stands.

use super::{
    paint::{BOLD, FAINT, NAME, paint},
    visible::visible,
    width::{width, wrapped},
};
use comrak::{
    Arena, Options,
    nodes::{ListType, Node, NodeValue},
    parse_document,
};

/// Lines are not made longer than this, however wide the terminal.
const READABLE: usize = 96;
/// Deeper nesting than this is shown as text: nobody writes it, and drawing it costs.
const DEEPEST: usize = 32;

/// A text as lines of at most so many columns.
pub(crate) fn markdown(text: &str, columns: usize) -> Vec<String> {
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.tasklist = true;
    options.extension.strikethrough = true;
    let root = parse_document(&arena, text, &options);
    let mut page = Page { lines: Vec::new(), columns: columns.clamp(24, READABLE) };
    page.blocks(root, "", 0);
    while page.lines.last().is_some_and(|it| it.trim().is_empty()) {
        page.lines.pop();
    }
    page.lines
}

struct Page {
    lines: Vec<String>,
    columns: usize,
}

impl Page {
    fn blocks(&mut self, parent: Node<'_>, margin: &str, depth: usize) {
        for node in parent.children() {
            self.block(node, margin, depth);
        }
    }

    fn block(&mut self, node: Node<'_>, margin: &str, depth: usize) {
        if depth > DEEPEST {
            self.text(&[(flat(node), false)], margin, margin);
            return;
        }
        let value = node.data().value.clone();
        match value {
            NodeValue::Heading(_) => self.text(&[(flat(node), true)], margin, margin),
            NodeValue::CodeBlock(code) => {
                for line in code.literal.lines() {
                    self.lines.push(format!("{margin}  {}", paint(NAME, &visible(line))));
                }
            }
            NodeValue::BlockQuote => self.blocks(node, &format!("{margin}│ "), depth + 1),
            NodeValue::List(list) => {
                for (number, item) in (list.start..).zip(node.children()) {
                    let bullet = match list.list_type {
                        ListType::Bullet => "• ".to_owned(),
                        ListType::Ordered => format!("{number}. "),
                    };
                    self.item(item, &bullet, margin, depth);
                }
            }
            NodeValue::ThematicBreak => self.lines.push(format!("{margin}{}", paint(FAINT, "────"))),
            NodeValue::HtmlBlock(html) => {
                for line in html.literal.lines() {
                    self.lines.push(format!("{margin}{}", visible(line)));
                }
            }
            _ => self.text(&[(flat(node), false)], margin, margin),
        }
        if !matches!(
            node.parent().map(|it| it.data().value.clone()),
            Some(NodeValue::Item(_) | NodeValue::TaskItem(_))
        ) {
            self.gap();
        }
    }

    fn gap(&mut self) {
        if self.lines.last().is_some_and(|it| !it.is_empty()) {
            self.lines.push(String::new());
        }
    }

    fn item(&mut self, item: Node<'_>, bullet: &str, margin: &str, depth: usize) {
        let done = match &item.data().value {
            NodeValue::TaskItem(task) => Some(task.symbol.is_some()),
            _ => None,
        };
        let bullet = match done {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => bullet,
        };
        let inner = format!("{margin}{}", " ".repeat(width(bullet)));
        let mut first = true;
        for child in item.children() {
            let paragraph = matches!(child.data().value, NodeValue::Paragraph);
            if first && paragraph {
                self.text(&[(flat(child), false)], &format!("{margin}{bullet}"), &inner);
            } else {
                self.block(child, &inner, depth + 1);
            }
            first = false;
        }
    }

    /// A paragraph, wrapped; its first line may begin differently.
    fn text(&mut self, parts: &[(String, bool)], first: &str, margin: &str) {
        for (text, strong) in parts {
            let mut begin = first;
            for line in text.split('\n') {
                for line in wrapped(line, self.columns.saturating_sub(width(margin))) {
                    let line = if *strong { paint(BOLD, &line) } else { line };
                    self.lines.push(format!("{begin}{line}"));
                    begin = margin;
                }
            }
        }
    }
}

/// The text of a paragraph: code in backquotes, links with where they lead.
fn flat(node: Node<'_>) -> String {
    let mut text = String::new();
    for it in node.descendants() {
        match &it.data().value {
            NodeValue::Text(part) => text += &visible(part),
            NodeValue::Code(code) => text += &format!("`{}`", visible(&code.literal)),
            NodeValue::HtmlInline(html) => text += &visible(html),
            NodeValue::SoftBreak => text.push(' '),
            NodeValue::LineBreak => text.push('\n'),
            NodeValue::Link(link) if it.first_child().is_none() => text += &visible(&link.url),
            _ => {}
        }
    }
    let links = node.descendants().filter_map(|it| match &it.data().value {
        NodeValue::Link(link) => Some(visible(&link.url)),
        _ => None,
    });
    for link in links.filter(|it| !text.contains(it.as_str())).collect::<Vec<_>>() {
        text += &format!(" <{link}>");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, columns: usize) -> Vec<String> {
        markdown(text, columns).iter().map(|it| anstream::adapter::strip_str(it).to_string()).collect()
    }

    #[test]
    fn what_people_write() {
        let text = "# Goal\n\nSome *text* with `code` and [a link](https://x.example).\n\n- one\n- two\n  1. inner\n- [x] done\n\n```sh\ncargo test\n```\n> quoted";
        assert_eq!(
            plain(text, 80),
            [
                "Goal",
                "",
                "Some text with `code` and a link. <https://x.example>",
                "",
                "• one",
                "• two",
                "  1. inner",
                "[x] done",
                "",
                "  cargo test",
                "",
                "│ quoted"
            ]
        );
        assert_eq!(plain("one two three four five six", 24), ["one two three four five", "six"]);
        assert_eq!(plain("bad \u{1b}[31m `\u{202e}`", 80), ["bad \\x1b[31m `\\u{202e}`"]);
        assert!(plain(&"> ".repeat(500), 80).len() < 500);
    }
}
