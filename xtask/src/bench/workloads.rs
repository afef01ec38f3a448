//! What is measured by rounds, as tables: for each row a name, the sizes of the lists, and what is done. Limits of the
//! machine stand among the commands, so that noise falls on all alike. Not what is good enough: that is `targets.rs`.

use super::limits::Limit;

/// The sizes of the lists.
pub(super) const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];
/// Where no list matters.
const NONE: &[usize] = &[0];
const ALL: &[usize] = &SIZES;
/// A look at a list of this size takes so long that it is not repeated in every round.
const LONG: usize = 100_000;
/// It is in every so manieth.
const SELDOM: usize = 5;

/// One row.
pub(super) struct Workload {
    pub(super) name: &'static str,
    pub(super) sizes: &'static [usize],
    pub(super) work: Work,
}

/// What is done. Among the words `{id}` is a free task, another one in each round, and `{text}` a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    Limit(Limit),
    /// One process of the program.
    Run(&'static [&'static str]),
    /// One that takes a task, which is `{taken}` from then on.
    Take(&'static [&'static str]),
    /// One that looks at the whole list, right after another that did the same.
    Warm(&'static [&'static str]),
    /// The same without the snapshot that such a look can use.
    Cold(&'static [&'static str]),
    /// A process that only brings the list back to where it was: it is not measured.
    Aside(&'static [&'static str]),
    /// A plan of as many tasks as the list has, in a new folder.
    Plan,
}

const fn row(name: &'static str, sizes: &'static [usize], work: Work) -> Workload {
    Workload { name, sizes, work }
}

/// One task at a time.
pub(super) const COMMANDS: &[Workload] = &[
    row("an empty process", NONE, Work::Limit(Limit::Process)),
    row("an empty static process", NONE, Work::Limit(Limit::StaticProcess)),
    row("append and fdatasync", NONE, Work::Limit(Limit::Append)),
    row("rename exchange", NONE, Work::Limit(Limit::Exchange)),
    row("wl --version", NONE, Work::Run(&["--version"])),
    row("show", ALL, Work::Run(&["show", "{id}"])),
    row("claim", ALL, Work::Run(&["claim", "{id}"])),
    row("done", ALL, Work::Run(&["done", "{id}"])),
    row("reopen", ALL, Work::Aside(&["edit", "{id}", "--status", "pending"])),
    row("add", &[1_000], Work::Run(&["add", "{text}"])),
];

/// The whole list.
pub(super) const LOOKS: &[Workload] = &[
    row("statx of all files", ALL, Work::Limit(Limit::Stat)),
    row("read and parse all files", ALL, Work::Limit(Limit::Parse)),
    row("read, parse and write all files", ALL, Work::Limit(Limit::Serialise)),
    row("ready", &[10_000], Work::Warm(&["ready"])),
    row("next", &[10_000], Work::Take(&["next", "--json"])),
    row("release", &[10_000], Work::Aside(&["release", "{taken}"])),
    row("ready --json, warm", ALL, Work::Warm(&["ready", "--json"])),
    row("ready --json, cold", ALL, Work::Cold(&["ready", "--json"])),
    row("list --all --json, warm", ALL, Work::Warm(&["list", "--all", "--json"])),
    row("list --all --json, cold", ALL, Work::Cold(&["list", "--all", "--json"])),
];

/// Many tasks at once.
pub(super) const BULK: &[Workload] = &[
    row("creating as many files", &[10_000], Work::Limit(Limit::Create)),
    row("plan", &[10_000], Work::Plan),
];

impl Workload {
    /// Whether it is done in a round.
    pub(super) fn is_due(&self, size: usize, round: usize) -> bool {
        let looks_at_all = match self.work {
            Work::Limit(it) => matches!(it, Limit::Stat | Limit::Parse | Limit::Serialise | Limit::Create),
            Work::Warm(_) | Work::Cold(_) | Work::Plan => true,
            Work::Run(_) | Work::Take(_) | Work::Aside(_) => false,
        };
        !looks_at_all || size < LONG || round.is_multiple_of(SELDOM)
    }
}
