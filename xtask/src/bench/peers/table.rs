//! Who is measured beside us: where the program comes from, its words for what we do, and how its list is made. Not how
//! they are run.

use super::{Contestant, lists};
use crate::{bench::Bench, kit};
use std::{io, path::PathBuf};

/// Who cannot be measured anywhere, and why.
pub(in crate::bench) const ABSENT: [(&str, &str); 1] =
    [("beads", "its package of npm fetches the program from elsewhere while it is installed")];

/// One program.
pub(in crate::bench) struct Peer {
    pub(in crate::bench) name: &'static str,
    pub(super) program: &'static str,
    pub(super) source: Source,
    pub(super) variables: &'static [(&'static str, &'static str)],
    /// Our word, and the words of the program: `{id}` is a free task, `{text}` a subject, `{folder}` where its list is.
    pub(super) verbs: [(&'static str, &'static [&'static str]); 6],
    /// The id of the nth task.
    pub(super) id: fn(usize) -> String,
    /// Makes a list of some size.
    pub(super) make: fn(&Contestant, &Bench) -> io::Result<()>,
    /// How often it is measured: no more than there are free tasks in the smallest list.
    pub(super) rounds: usize,
}

/// Where a program comes from.
pub(super) enum Source {
    /// What this bench has built.
    Built,
    /// The system, if it has it.
    System(&'static str),
    /// A package of npm in an exact version.
    Npm { package: &'static str, version: &'static str, program: &'static str },
}

pub(in crate::bench) const PEERS: &[Peer] = &[
    Peer {
        name: "wl",
        program: "wl",
        source: Source::Built,
        variables: &[("WORKLIST_DIR", "{folder}/list")],
        verbs: [
            ("add", &["add", "{text}"]),
            ("list", &["list"]),
            ("ready", &["ready"]),
            ("show", &["show", "{id}"]),
            ("claim", &["claim", "{id}"]),
            ("done", &["done", "{id}"]),
        ],
        id: |n| (n + 1).to_string(),
        make: lists::ours,
        rounds: 10,
    },
    Peer {
        name: "ticket",
        program: "tk",
        source: Source::System("tk"),
        variables: &[],
        verbs: [
            ("add", &["create", "{text}"]),
            ("list", &["ls"]),
            ("ready", &["ready"]),
            ("show", &["show", "{id}"]),
            ("claim", &["start", "{id}"]),
            ("done", &["close", "{id}"]),
        ],
        id: lists::ticket_id,
        make: lists::ticket,
        rounds: 10,
    },
    Peer {
        name: "Taskwarrior",
        program: "task",
        source: Source::System("task"),
        variables: &[("TASKRC", "{folder}/taskrc"), ("TASKDATA", "{folder}")],
        verbs: [
            ("add", &["add", "{text}"]),
            ("list", &["list"]),
            ("ready", &["ready"]),
            ("show", &["{id}", "info"]),
            ("claim", &["{id}", "start"]),
            ("done", &["{id}", "done"]),
        ],
        id: lists::taskwarrior_id,
        make: lists::taskwarrior,
        rounds: 10,
    },
    Peer {
        name: "Backlog.md",
        program: "backlog",
        source: Source::Npm { package: "backlog.md", version: "1.52.0", program: "backlog" },
        variables: &[],
        verbs: [
            ("add", &["task", "create", "{text}", "--plain"]),
            ("list", &["task", "list", "--plain"]),
            ("ready", &["task", "list", "--ready", "--plain"]),
            ("show", &["task", "{id}", "--plain"]),
            ("claim", &["task", "edit", "{id}", "-s", "In Progress", "-a", "@bench", "--plain"]),
            ("done", &["task", "edit", "{id}", "-s", "Done", "--plain"]),
        ],
        id: |n| (n + 1).to_string(),
        make: lists::backlog,
        rounds: 5,
    },
    Peer {
        name: "Task Master",
        program: "task-master",
        source: Source::Npm { package: "task-master-ai", version: "0.43.1", program: "task-master" },
        variables: &[],
        verbs: [
            ("add", &["add-task", "--title={text}", "--description={text}"]),
            ("list", &["list"]),
            ("ready", &["next"]),
            ("show", &["show", "{id}"]),
            ("claim", &["set-status", "--id={id}", "--status=in-progress"]),
            ("done", &["set-status", "--id={id}", "--status=done"]),
        ],
        id: |n| (n + 1).to_string(),
        make: lists::task_master,
        rounds: 3,
    },
];

impl Peer {
    /// Our words for what is measured.
    pub(in crate::bench) fn verbs(&self) -> Vec<&'static str> {
        self.verbs.iter().map(|it| it.0).collect()
    }
}

impl Source {
    /// The program, installed if that is how it comes; or why it is not there.
    pub(super) fn find(&self, bench: &Bench) -> Result<PathBuf, String> {
        match self {
            Source::Built => Ok(bench.program.path().to_owned()),
            Source::System(name) => kit::found(name).ok_or_else(|| format!("{name} is not installed")),
            Source::Npm { package, version, program } => {
                kit::of_npm(&bench.root, package, version).map(|it| it.join(program))
            }
        }
    }
}
