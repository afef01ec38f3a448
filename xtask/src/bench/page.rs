//! The tables in docs/performance.md, between two marks, made from the figures. Not the story around them.

use super::{
    GROUPS,
    figures::{Figure, Figures},
    machine::Machine,
    peers::{PEERS, SIZES},
    targets::{self, Reached, Verdict},
};
use std::{collections::BTreeSet, fs, io, path::Path};

const BEGIN: &str = "<!-- figures: written by `cargo xtask bench` -->";
const END: &str = "<!-- end of figures -->";

/// Writes the tables anew.
pub(super) fn renew(path: &Path, figures: &Figures) -> io::Result<()> {
    let text = fs::read_to_string(path)?;
    let renewed = replaced(&text, &tables(figures));
    let missing =
        || io::Error::other(format!("{}: the marks around the figures are missing", path.display()));
    fs::write(path, renewed.ok_or_else(missing)?)
}

fn replaced(text: &str, tables: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n\n{tables}\n{END}{after}"))
}

fn tables(figures: &Figures) -> String {
    let mut text = machines(figures);
    text += &targets_table(figures);
    for group in GROUPS.iter().filter(|it| it.name != "peers" && figures.machines.contains_key(it.name)) {
        text += &format!("\n### {}\n\n{}", sentence(group.about), by_size(figures, group.name));
    }
    if figures.machines.contains_key("peers") {
        text += &format!("\n### Other programs\n{}", peers_tables(figures));
    }
    text
}

/// One line for each machine and day.
fn machines(figures: &Figures) -> String {
    let mut seen: Vec<&Machine> = Vec::new();
    for machine in figures.machines.values() {
        let is_same = |it: &&Machine| {
            Machine { load: String::new(), ..(*it).clone() }
                == Machine { load: String::new(), ..machine.clone() }
        };
        if !seen.iter().any(is_same) {
            seen.push(machine);
        }
    }
    let line = |it: &&Machine| {
        let Machine { processor, cores, kernel, file_system, date, profile, .. } = it;
        format!(
            "Measured on {date}: {processor}, {cores} cores, {kernel}, {file_system}, profile `{profile}`, load {}.\n",
            it.load
        )
    };
    seen.iter().map(line).collect()
}

fn targets_table(figures: &Figures) -> String {
    let mut text =
        "\n### Targets\n\n| | what | held against | measured | target | |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for group in &GROUPS {
        for it in targets::verdicts(figures, group.name) {
            let mark = match it.reached {
                Reached::Yes => "met",
                Reached::No => "**missed**",
                Reached::Unknown => "",
            };
            let Verdict { what, against, measured, bound, .. } = it;
            text += &format!("| {} | {what} | {against} | {measured} | {bound} | {mark} |\n", group.name);
        }
    }
    text
}

/// A line for each name, a column for each size.
fn by_size(figures: &Figures, group: &str) -> String {
    let sizes: BTreeSet<usize> = figures.of(group).map(|it| it.1).collect();
    let names: BTreeSet<&str> = figures.of(group).map(|it| it.0).collect();
    let head: Vec<String> =
        sizes.iter().map(|it| if *it == 0 { String::new() } else { format!("{it} tasks") }).collect();
    let mut rows: Vec<(f64, String)> = Vec::new();
    for name in names {
        let found: Vec<Option<Figure>> = sizes.iter().map(|size| figures.find(group, name, *size)).collect();
        let shown: Vec<String> = found.iter().map(|it| it.map(|it| it.shown()).unwrap_or_default()).collect();
        let first = found.iter().flatten().next().map_or(0.0, |it| it.value);
        rows.push((first, format!("| {name} | {} |\n", shown.join(" | "))));
    }
    rows.sort_by(|one, other| one.0.total_cmp(&other.0));
    let lines: String = rows.into_iter().map(|it| it.1).collect();
    format!("| | {} |\n|---|{}\n{lines}", head.join(" | "), "---|".repeat(sizes.len()))
}

fn peers_tables(figures: &Figures) -> String {
    let mut text = String::new();
    for size in SIZES {
        let verbs = PEERS[0].verbs().join(" | ");
        text += &format!("\n| {size} tasks | {verbs} |\n|---|{}\n", "---|".repeat(6));
        for peer in PEERS {
            let of = |verb: &&str| figures.find("peers", &format!("{}: {verb}", peer.name), size);
            let cells: Vec<String> = peer.verbs().iter().filter_map(of).map(|it| it.shown()).collect();
            let line =
                if cells.is_empty() { "not measured | | | | | ".to_owned() } else { cells.join(" | ") };
            text += &format!("| {} | {line} |\n", peer.name);
        }
    }
    text
}

fn sentence(about: &str) -> String {
    let mut letters = about.chars();
    letters.next().map(|it| it.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::figures::Unit;

    #[test]
    fn only_what_stands_between_the_marks_is_written() {
        let page = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        let renewed = replaced(&page, "new\n").unwrap();
        assert_eq!(renewed, format!("before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"));
        assert_eq!(replaced(&renewed, "new\n").unwrap(), renewed);
        assert_eq!(replaced("no marks", "new"), None);
    }

    #[test]
    fn sizes_are_columns() {
        let mut figures = Figures::default();
        figures.put("looks", "ready", 100, Figure::once(0.002, Unit::Seconds));
        figures.put("looks", "ready", 1_000, Figure::once(0.01, Unit::Seconds));
        let table = by_size(&figures, "looks");
        assert_eq!(table, "| | 100 tasks | 1000 tasks |\n|---|---|---|\n| ready | 2.00 ms | 10.0 ms |\n");
    }
}
