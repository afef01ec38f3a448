//! What a command costs, as ratios to what the machine itself needs, measured in one run. Not a test: times belong to a
//! machine, so a target that is missed is marked, and only `--strict` makes it a failure.
#![expect(clippy::print_stdout, reason = "a tool for the terminal")]
#![expect(clippy::disallowed_methods, reason = "a benchmark measures time and prepares folders")]

mod drain;
mod figures;
mod instructions;
mod layout;
mod library;
mod limits;
mod lists;
mod machine;
mod options;
mod page;
mod peers;
mod plots;
mod program;
mod rounds;
mod server;
mod size;
mod targets;
mod team;
mod text;
mod workloads;

use crate::{Outcome, gate, kit, ship};
use figures::{Figure, Figures};
use limits::{Ground, Limit};
use lists::List;
use machine::Machine;
use options::{Kind, Missed, Options, Pace};
use program::Program;
use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};
use targets::{Reached, Verdict};

/// Things that are measured together, in turn.
struct Group {
    name: &'static str,
    about: &'static str,
    run: fn(&mut Bench) -> io::Result<Vec<Measured>>,
}

/// First is what needs no large list, last what makes many files: both leave the disk busy for a while.
const GROUPS: [Group; 10] = [
    Group { name: "library", about: "changes without a process", run: library::run },
    Group { name: "drain", about: "eight workers empty a list of 1,000", run: drain::run },
    Group { name: "server", about: "the MCP server", run: server::run },
    Group {
        name: "commands",
        about: "one task at a time, a process each",
        run: |it| it.table(workloads::COMMANDS, 60),
    },
    Group { name: "looks", about: "the whole list", run: |it| it.table(workloads::LOOKS, 15) },
    Group { name: "memory", about: "the most memory of a command", run: size::memory },
    Group { name: "space", about: "bytes beside each task", run: size::space },
    Group { name: "peers", about: "other programs", run: peers::run },
    Group { name: "team", about: "a team's database, a claim and a completion", run: team::run },
    Group { name: "bulk", about: "many tasks at once", run: |it| it.table(workloads::BULK, 3) },
];

/// One figure, by its name and the size of the list.
struct Measured {
    name: String,
    size: usize,
    figure: Figure,
}

/// How instructions are counted.
const VALGRIND: &str = "--tool=callgrind";

/// A run: what is measured, and where.
struct Bench {
    root: PathBuf,
    place: PathBuf,
    home: PathBuf,
    program: Program,
    pace: Pace,
    ground: Ground,
    lists: BTreeMap<usize, List>,
}

/// Builds the program, measures, and keeps the figures of a full run.
pub(crate) fn run(root: &Path, words: &[&str]) -> Outcome {
    let options = Options::of(words)?;
    if let Some(unknown) = options.groups.iter().find(|name| GROUPS.iter().all(|it| it.name != **name)) {
        let known: Vec<String> = GROUPS.iter().map(|it| format!("  {:<10} {}", it.name, it.about)).collect();
        return Err(format!("there is no group {unknown}; there are\n{}", known.join("\n")));
    }
    if options.kind == Kind::Kept {
        return keep(root, Figures::default()).map_err(|error| error.to_string());
    }
    let target = kit::target(root)?;
    if options.kind == Kind::Layout {
        return layout::run(root, &target);
    }
    let folder = target.join(&options.profile);
    // One after the other: together they would be built with each other's features.
    let program = ship::build(root, &options.profile)?;
    gate::finish(gate::cargo(root, &["build", "--profile", &options.profile, "-p", "xtask"]))?;
    // What is measured in this process must be as optimised as the program that it is held against.
    if std::env::current_exe().ok() != Some(folder.join("xtask")) {
        let mut again = std::process::Command::new(folder.join("xtask"));
        again.current_dir(root).arg("bench").args(words);
        return gate::finish(again).map_err(|_| "see above".to_owned());
    }
    if options.kind != Kind::Times {
        return instructions::run(root, &program, &target, &options);
    }
    let figures = measure(root, &target, &program, &options).map_err(|error| error.to_string())?;
    conclude(root, figures, &options)
}

/// Measures the groups, on a real disk: the system's folder for such things is often none.
fn measure(root: &Path, target: &Path, program: &Path, options: &Options) -> io::Result<Figures> {
    let place =
        tempfile::Builder::new().prefix("bench-").tempdir_in(options.on.as_deref().unwrap_or(target))?;
    let mut bench = Bench::new(root, place.path(), program, options.pace)?;
    let mut figures = Figures::default();
    let is_wanted =
        |it: &&Group| options.groups.is_empty() || options.groups.iter().any(|name| name == it.name);
    for group in GROUPS.iter().filter(is_wanted) {
        println!("== {}: {}", group.name, group.about);
        figures.machines.insert(group.name.to_owned(), Machine::of(place.path(), &options.profile));
        lists::flush(place.path())?;
        for it in (group.run)(&mut bench)? {
            println!(
                "{:<44}{:>10}{:>14}",
                it.name,
                if it.size == 0 { String::new() } else { it.size.to_string() },
                it.figure.shown()
            );
            figures.put(group.name, &it.name, it.size, it.figure);
        }
        for verdict in targets::verdicts(&figures, group.name) {
            println!("{}", line(&verdict));
        }
        println!();
    }
    Ok(figures)
}

fn line(verdict: &Verdict) -> String {
    let mark = match verdict.reached {
        Reached::Yes => "met   ",
        Reached::No => "MISSED",
        Reached::Unknown => "?     ",
    };
    let Verdict { what, against, measured, bound, .. } = verdict;
    let against = if against.is_empty() { String::new() } else { format!(" to {against}") };
    format!("{mark} {what}{against}: {measured} (target {bound})")
}

/// Keeps what was measured in full, and says what was missed.
fn conclude(root: &Path, figures: Figures, options: &Options) -> Outcome {
    let verdicts = figures.machines.keys().flat_map(|it| targets::verdicts(&figures, it));
    let missed = verdicts.filter(|it| it.reached == Reached::No).count();
    if options.pace == Pace::Full && options.on.is_none() {
        keep(root, figures).map_err(|error| format!("the figures could not be kept: {error}"))?;
    } else {
        println!("a quick run, or on another disk: docs/performance is left as it is");
    }
    match (missed, options.missed) {
        (0, _) => Ok(()),
        (_, Missed::Told) => {
            println!("{missed} targets are missed");
            Ok(())
        }
        (_, Missed::Failure) => Err(format!("{missed} targets are missed")),
    }
}

fn keep(root: &Path, newer: Figures) -> io::Result<()> {
    let folder = root.join("docs/performance");
    fs::create_dir_all(&folder)?;
    let path = folder.join("figures.json");
    let mut figures = Figures::read(&path)?;
    figures.renew(newer);
    figures.write(&path)?;
    for (name, svg) in plots::drawn(&figures) {
        fs::write(folder.join(name), svg)?;
    }
    page::renew(&root.join("docs/performance.md"), &figures)
}

impl Measured {
    fn new(name: &str, size: usize, figure: Figure) -> Measured {
        Measured { name: name.to_owned(), size, figure }
    }
}

impl Bench {
    fn new(root: &Path, place: &Path, program: &Path, pace: Pace) -> io::Result<Bench> {
        let home = place.join("home");
        fs::create_dir(&home)?;
        // As it is installed: what a linker leaves stands in memory in small pieces until the machine starts anew, and a
        // program that is mapped piece by piece starts a fifth slower.
        let installed = place.join("wl");
        fs::copy(program, &installed)?;
        let (program, ground) = (Program::new(&installed, &home), Ground::lay(place)?);
        let (root, place) = (root.to_owned(), place.to_owned());
        Ok(Bench { root, place, home, program, pace, ground, lists: BTreeMap::new() })
    }

    fn table(&mut self, table: &[workloads::Workload], rounds: usize) -> io::Result<Vec<Measured>> {
        rounds::run(self, table, self.repeats(rounds, rounds.div_ceil(5)))
    }

    fn repeats(&self, full: usize, quick: usize) -> usize {
        if self.pace == Pace::Full { full } else { quick }
    }

    /// The size of the largest lists of this run.
    fn largest(&self) -> usize {
        self.repeats(100_000, 10_000)
    }

    /// The list of a size, made when it is first asked for.
    fn list(&mut self, size: usize) -> io::Result<&List> {
        let size = size.max(workloads::SIZES[0]);
        if !self.lists.contains_key(&size) {
            let list = List::make(&self.place.join(format!("list-{size}")), size)?;
            self.lists.insert(size, list);
        }
        Ok(&self.lists[&size])
    }

    fn limit(&mut self, limit: Limit, size: usize) -> io::Result<Duration> {
        self.list(size)?;
        self.ground.sample(limit, &self.lists[&size.max(workloads::SIZES[0])])
    }

    /// Another program in the same environment.
    fn other(&self, program: &Path) -> Program {
        Program::new(program, &self.home)
    }

    /// Where programs find others, the newer node of the kit before that of the system.
    fn path(&self) -> OsString {
        kit::path_with_node(&self.root)
    }

    #[expect(clippy::unused_self, reason = "what is said is said by the bench")]
    fn say(&self, line: &str) {
        println!("{line}");
    }
}

fn to_f64(number: impl TryInto<u32>) -> f64 {
    number.try_into().map_or(f64::MAX, f64::from)
}
