//! What is good enough, as a table: each row a figure, what it is held against, and the bound. Not measured here: a target
//! whose figures are missing says so.

use super::{
    figures::{Figure, Figures, Unit, seconds},
    peers::{PEERS, SIZES},
};

/// One row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub(super) group: &'static str,
    pub(super) name: &'static str,
    pub(super) size: usize,
    /// Figures of the same group, which are added up.
    against: &'static [(&'static str, usize)],
    bound: Bound,
}

/// What a figure may be.
#[derive(Debug, Clone, Copy)]
enum Bound {
    /// At most so many times what it is held against.
    Times(f64),
    /// At least so many times as fast.
    Faster(f64),
    /// At most so much, in its own unit.
    Most(f64, Unit),
    /// At most so many seconds, or what it is held against if that is more.
    MostOr(f64),
}

/// Whether a target is reached, in words for a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) what: String,
    pub(super) against: String,
    pub(super) measured: String,
    pub(super) bound: String,
    pub(super) reached: Reached,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    Yes,
    No,
    /// Something was not measured.
    Unknown,
}

const MIB: f64 = 1_048_576.0;
const PROCESS: &[(&str, usize)] = &[("an empty process", 0)];
const DURABLE: &[(&str, usize)] = &[("an empty process", 0), ("append and fdatasync", 0)];
const SERIALISED: &str = "read, parse and write all files";

const TARGETS: &[Target] = &[
    commands("wl --version", 0, PROCESS, Bound::Times(1.5)),
    commands("show", 1_000, PROCESS, Bound::Times(2.5)),
    commands("claim", 1_000, DURABLE, Bound::Times(2.5)),
    commands("done", 1_000, DURABLE, Bound::Times(2.5)),
    commands("show", 100_000, &[("show", 1_000)], Bound::Times(1.5)),
    commands("claim", 100_000, &[("claim", 1_000)], Bound::Times(1.5)),
    commands("done", 100_000, &[("done", 1_000)], Bound::Times(1.5)),
    commands("add", 1_000, &[("claim", 1_000)], Bound::Times(1.2)),
    looks("next", 10_000, &[("ready", 10_000)], Bound::Times(1.2)),
    looks("ready --json, warm", 10_000, &[("statx of all files", 10_000)], Bound::Times(1.5)),
    looks("ready --json, cold", 10_000, &[("read and parse all files", 10_000)], Bound::Times(1.3)),
    looks("list --all --json, cold", 1_000, &[(SERIALISED, 1_000)], Bound::Times(1.5)),
    looks("list --all --json, cold", 10_000, &[(SERIALISED, 10_000)], Bound::Times(1.5)),
    looks("list --all --json, cold", 100_000, &[(SERIALISED, 100_000)], Bound::Times(1.5)),
    looks("list --all --json, warm", 1_000, &[(SERIALISED, 1_000)], Bound::Times(0.75)),
    looks("list --all --json, warm", 10_000, &[(SERIALISED, 10_000)], Bound::Times(0.75)),
    looks("list --all --json, warm", 100_000, &[(SERIALISED, 100_000)], Bound::Times(0.75)),
    row("bulk", "plan", 10_000, &[("creating as many files", 10_000)], Bound::Times(2.0)),
    library("claim", &[("append and fdatasync", 1_000)], Bound::Times(2.0)),
    library("complete", &[("append and fdatasync", 1_000)], Bound::Times(2.0)),
    library("a change, eight writers", &[("a change, one writer", 1_000)], Bound::Faster(4.0)),
    row("drain", "eight workers, until all is done", 1_000, &[], Bound::Most(3.0, Unit::Seconds)),
    row("drain", "done twice", 1_000, &[], Bound::Most(0.0, Unit::Count)),
    row("drain", "not done", 1_000, &[], Bound::Most(0.0, Unit::Count)),
    row("drain", "errors", 1_000, &[], Bound::Most(0.0, Unit::Count)),
    server("start to tools/list", &[("wl --version", 1_000)], Bound::Times(3.0)),
    server("TaskGet", &[], Bound::Most(1.0 / 2_000.0, Unit::Seconds)),
    server("TaskUpdate", &[("append and fdatasync", 1_000)], Bound::MostOr(1.0 / 1_000.0)),
    server("TaskCreate", &[("append and fdatasync", 1_000)], Bound::MostOr(1.0 / 1_000.0)),
    row("team", "one list, 1 at once", 0, &[("bare statements, 1 at once", 0)], Bound::Times(1.25)),
    row("team", "one list, 8 at once", 0, &[("bare statements, 8 at once", 0)], Bound::Times(1.25)),
    row("team", "one list, 32 at once", 0, &[("bare statements, 32 at once", 0)], Bound::Times(1.25)),
    row(
        "team",
        "1,000,000 tasks in 1,000 lists, 32 at once",
        0,
        &[("10,000 tasks in 10 lists, 32 at once", 0)],
        Bound::Times(1.25),
    ),
    memory("show", 1_000, Bound::Most(8.0 * MIB, Unit::Bytes)),
    memory("claim", 1_000, Bound::Most(8.0 * MIB, Unit::Bytes)),
    memory("done", 1_000, Bound::Most(8.0 * MIB, Unit::Bytes)),
    memory("add", 1_000, Bound::Most(8.0 * MIB, Unit::Bytes)),
    memory("list --all --json", 100_000, Bound::Most(150.0 * MIB, Unit::Bytes)),
];

/// How much faster than a peer: by its name, the size of the list, and the factor.
const FASTER: &[(&str, usize, f64)] = &[
    ("Taskwarrior", SIZES[0], 3.0),
    ("ticket", SIZES[1], 5.0),
    ("Taskwarrior", SIZES[1], 25.0),
    ("Backlog.md", SIZES[1], 25.0),
    ("Task Master", SIZES[1], 25.0),
];
/// The commands for which that is asked.
const ASKED: [&str; 3] = ["show", "claim", "done"];

type Against = &'static [(&'static str, usize)];

const fn row(group: &'static str, name: &'static str, size: usize, against: Against, bound: Bound) -> Target {
    Target { group, name, size, against, bound }
}

const fn commands(name: &'static str, size: usize, against: Against, bound: Bound) -> Target {
    row("commands", name, size, against, bound)
}

const fn looks(name: &'static str, size: usize, against: Against, bound: Bound) -> Target {
    row("looks", name, size, against, bound)
}

const fn library(name: &'static str, against: Against, bound: Bound) -> Target {
    row("library", name, 1_000, against, bound)
}

const fn server(name: &'static str, against: Against, bound: Bound) -> Target {
    row("server", name, 1_000, against, bound)
}

const fn memory(name: &'static str, size: usize, bound: Bound) -> Target {
    row("memory", name, size, &[], bound)
}

/// The verdicts over what was measured of a group.
pub(super) fn verdicts(figures: &Figures, group: &str) -> Vec<Verdict> {
    let own = TARGETS.iter().filter(|it| it.group == group).map(|it| it.verdict(figures));
    let peers = FASTER.iter().filter(|_| group == "peers").flat_map(|it| faster(figures, *it));
    own.chain(peers).collect()
}

fn faster(figures: &Figures, (peer, size, factor): (&str, usize, f64)) -> Vec<Verdict> {
    let of =
        |who: &str, verb: &str| figures.find("peers", &format!("{who}: {verb}"), size).map(|it| it.value);
    debug_assert!(PEERS.iter().any(|it| it.name == peer));
    let verdict = |verb: &&str| {
        let (ours, theirs) = (of("wl", verb), of(peer, verb));
        judged(Bound::Faster(factor), ours, theirs, format!("{verb}, {size} tasks"), peer.to_owned())
    };
    ASKED.iter().map(verdict).collect()
}

impl Target {
    fn verdict(&self, figures: &Figures) -> Verdict {
        let value = |name: &str, size: usize| figures.find(self.group, name, size).map(|it| it.value);
        let sum: Option<f64> = self.against.iter().map(|(name, size)| value(name, *size)).sum();
        let against: Vec<String> = self.against.iter().map(|it| self.other(*it)).collect();
        let what = named(self.name, self.size);
        judged(self.bound, value(self.name, self.size), sum, what, against.join(" + "))
    }

    /// The same command in a list of another size is named by that size.
    fn other(&self, (name, size): (&str, usize)) -> String {
        if size == self.size || size == 0 { name.to_owned() } else { named(name, size) }
    }
}

fn named(name: &str, size: usize) -> String {
    if size == 0 { name.to_owned() } else { format!("{name}, {size} tasks") }
}

fn judged(bound: Bound, own: Option<f64>, other: Option<f64>, what: String, against: String) -> Verdict {
    let said = match bound {
        Bound::Times(times) => format!("≤ {times} ×"),
        Bound::Faster(times) => format!("{times} × as fast"),
        Bound::Most(most, unit) => format!("≤ {}", Figure::once(most, unit).shown()),
        Bound::MostOr(most) => format!("≤ {}, or that", seconds(most)),
    };
    let (Some(own), Some(other)) = (own, other) else {
        let measured = "not measured".to_owned();
        return Verdict { what, against, measured, bound: said, reached: Reached::Unknown };
    };
    let (measured, reached) = match bound {
        Bound::Times(times) => (format!("{:.2} ×", own / other), own <= times * other),
        Bound::Faster(times) => (format!("{:.1} × as fast", other / own), other >= times * own),
        Bound::Most(most, unit) => (Figure::once(own, unit).shown(), own <= most),
        Bound::MostOr(most) => (seconds(own), own <= most.max(other)),
    };
    let reached = if reached { Reached::Yes } else { Reached::No };
    Verdict { what, against, measured, bound: said, reached }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(bound: Bound, own: f64, other: f64) -> Reached {
        judged(bound, Some(own), Some(other), String::new(), String::new()).reached
    }

    #[test]
    fn each_bound_is_met_up_to_its_edge() {
        let cases = [
            (Bound::Times(2.0), 4.0, 4.1, 2.0),
            (Bound::Faster(5.0), 2.0, 2.1, 10.0),
            (Bound::Most(8.0, Unit::Count), 8.0, 8.1, 0.0),
            (Bound::MostOr(1.0), 1.0, 1.1, 0.5),
            (Bound::MostOr(1.0), 3.0, 3.1, 3.0),
        ];
        for (bound, good, bad, other) in cases {
            assert_eq!(reached(bound, good, other), Reached::Yes, "{bound:?}");
            assert_eq!(reached(bound, bad, other), Reached::No, "{bound:?}");
        }
    }

    #[test]
    fn limits_are_added_up_and_what_is_missing_is_unknown() {
        let mut figures = Figures::default();
        let second = |value| Figure::once(value, Unit::Seconds);
        figures.put("commands", "claim", 1_000, second(5.0));
        figures.put("commands", "an empty process", 0, second(1.0));
        let claim = |figures: &Figures| verdicts(figures, "commands")[2].clone();
        assert_eq!(claim(&figures).reached, Reached::Unknown);
        figures.put("commands", "append and fdatasync", 0, second(1.0));
        let verdict = claim(&figures);
        assert_eq!((verdict.measured.as_str(), verdict.reached), ("2.50 ×", Reached::Yes));
    }

    #[test]
    fn every_target_speaks_of_rows_that_are_measured() {
        use super::super::workloads::{BULK, COMMANDS, LOOKS};
        for (group, table) in [("commands", COMMANDS), ("looks", LOOKS), ("bulk", BULK)] {
            let is_there =
                |name: &str, size| table.iter().any(|it| it.name == name && it.sizes.contains(&size));
            for target in TARGETS.iter().filter(|it| it.group == group) {
                assert!(is_there(target.name, target.size), "{target:?}");
                assert!(target.against.iter().all(|it| is_there(it.0, it.1)), "{target:?}");
            }
        }
        assert!(FASTER.iter().all(|it| PEERS.iter().any(|peer| peer.name == it.0)));
    }
}
