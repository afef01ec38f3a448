//! Pictures of a terminal as one SVG that moves: a window, lines of coloured text, one group for each moment.

use super::{COLUMNS, Frame, ROWS};
use std::fmt::Write;

/// The size of a letter, and the space around the text.
const WIDE: f64 = 8.4;
const HIGH: f64 = 19.0;
const MARGIN: f64 = 18.0;
/// The bar above the text.
const BAR: f64 = 34.0;
/// The last picture stands for so long before all begins again.
const REST: u64 = 4_000;

/// The looks that the program gives to text, each by the number that a terminal is told.
const LOOKS: [(&str, &str); 7] =
    [("1", "b"), ("2", "f"), ("31", "r"), ("32", "g"), ("33", "y"), ("34", "l"), ("36", "c")];
const STYLE: &str = "text{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d6dbe4;white-space:pre}\
.b{font-weight:bold}.f{fill:#7c8698}.r{fill:#f4777f}.g{fill:#8fce7a}.y{fill:#e8c268}.l{fill:#79b0f2}.c{fill:#6cc7c4}";

/// The frames one after the other, for ever. Where nothing moves, one from the middle is seen.
pub(super) fn moving(typed: &str, frames: &[Frame]) -> String {
    let width = to_f64(COLUMNS) * WIDE + 2.0 * MARGIN;
    let height = BAR + to_f64(ROWS + 2) * HIGH + MARGIN;
    let begin = frames.first().map_or(0, |it| it.at);
    let whole = frames.last().map_or(0, |it| it.at - begin) + REST;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">\n\
         <style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"10\" fill=\"#1d222b\"/>\n\
         <g fill=\"#4a5260\"><circle cx=\"20\" cy=\"17\" r=\"6\"/><circle cx=\"40\" cy=\"17\" r=\"6\"/><circle cx=\"60\" cy=\"17\" r=\"6\"/></g>\n\
         <text x=\"{MARGIN}\" y=\"{:.0}\"><tspan class=\"f\">$ </tspan>{}</text>\n",
        BAR + HIGH,
        plain(typed),
    );
    for (n, frame) in frames.iter().enumerate() {
        let part = |at: u64| (to_f64(at) / to_f64(whole)).min(1.0);
        let from = part(frame.at - begin);
        let to = frames.get(n + 1).map_or(1.0, |it| part(it.at - begin));
        let seen = if n == frames.len() / 2 { "visible" } else { "hidden" };
        _ = writeln!(svg, "<g visibility=\"{seen}\">{}{}</g>", times(from, to, whole), lines(&frame.text));
    }
    svg + "</svg>\n"
}

fn to_f64(number: impl TryInto<u32>) -> f64 {
    number.try_into().map_or(0.0, f64::from)
}

/// Seen from one moment to another, hidden before and after.
fn times(from: f64, to: f64, whole: u64) -> String {
    let (values, times) = match (from > 0.0, to < 1.0) {
        (true, true) => ("hidden;visible;hidden", format!("0;{from:.4};{to:.4}")),
        (false, true) => ("visible;hidden", format!("0;{to:.4}")),
        (true, false) => ("hidden;visible", format!("0;{from:.4}")),
        (false, false) => ("visible", "0".to_owned()),
    };
    let seconds = to_f64(whole) / 1000.0;
    format!(
        "<animate attributeName=\"visibility\" calcMode=\"discrete\" values=\"{values}\" keyTimes=\"{times}\" dur=\"{seconds:.1}s\" repeatCount=\"indefinite\"/>"
    )
}

fn lines(text: &str) -> String {
    let mut drawn = String::new();
    for (n, line) in text.lines().take(ROWS + 1).enumerate() {
        let spans = spans(line);
        if !spans.is_empty() {
            let y = BAR + to_f64(n + 2) * HIGH + 6.0;
            _ = write!(drawn, "<text x=\"{MARGIN}\" y=\"{y:.0}\">{spans}</text>");
        }
    }
    drawn
}

/// A line as the terminal would colour it.
fn spans(line: &str) -> String {
    let (mut drawn, mut look) = (String::new(), "");
    for (n, part) in line.split("\x1b[").enumerate() {
        let text = match part.find(|it: char| it.is_ascii_alphabetic()) {
            Some(end) if n > 0 => {
                let (codes, rest) = part.split_at(end);
                if let Some(rest) = rest.strip_prefix('m') {
                    look = codes
                        .split(';')
                        .find_map(|code| LOOKS.iter().find(|it| it.0 == code))
                        .map_or("", |it| it.1);
                    rest
                } else {
                    &rest[1..]
                }
            }
            _ => part,
        };
        let text = plain(text.trim_end_matches(['\r', '\n']));
        match (text.is_empty(), look) {
            (true, _) => {}
            (false, "") => drawn += &text,
            (false, look) => _ = write!(drawn, "<tspan class=\"{look}\">{text}</tspan>"),
        }
    }
    drawn
}

fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_classes() {
        assert_eq!(spans("a\x1b[32mb<\x1b[0m c\x1b[K\r"), "a<tspan class=\"g\">b&lt;</tspan> c");
    }

    #[test]
    fn one_picture_follows_the_other() {
        let frame = |at: u64, text: &str| Frame { at, text: text.to_owned() };
        let svg = moving("x", &[frame(100, "one"), frame(4100, "two")]);
        assert!(svg.contains("keyTimes=\"0;0.5000\" dur=\"8.0s\""), "{svg}");
        assert_eq!(svg.matches("visibility=\"visible\"").count(), 1);
    }
}
