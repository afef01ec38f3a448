//! That nothing is forgotten: each command has its tests here, a schema, a place in the help, and examples.

use crate::{Tested, Wl, agents, history, lists, look, plan, set_up, wl::commands, work};
use std::collections::BTreeSet;

const TESTED: &[Tested] = &[
    plan::init::TESTED,
    plan::add::TESTED,
    plan::plan::TESTED,
    plan::edit::TESTED,
    plan::rm::TESTED,
    look::overview::TESTED,
    look::list::TESTED,
    look::ready::TESTED,
    look::show::TESTED,
    look::why::TESTED,
    look::graph::TESTED,
    look::watch::TESTED,
    work::running::WORK,
    work::running::RUNS,
    work::running::LOGS,
    work::worktrees::TESTED,
    work::next::TESTED,
    work::claim::TESTED,
    work::heartbeat::TESTED,
    work::done::TESTED,
    work::release::TESTED,
    history::log::TESTED,
    history::undo::TESTED,
    history::changes::TESTED,
    lists::lists::TESTED,
    lists::convert::TESTED,
    lists::export::TESTED,
    lists::import::TESTED,
    lists::doctor::TESTED,
    lists::store::TESTED,
    agents::agent::TESTED,
    agents::mcp::TESTED,
    agents::call::TESTED,
    agents::tools::TESTED,
    agents::hook::TESTED,
    set_up::setup::TESTED,
    set_up::config::TESTED,
    set_up::trust::TESTED,
    set_up::completions::TESTED,
    set_up::man::TESTED,
    set_up::help::TESTED,
];

/// The commands as the shell is offered them: from the declarations themselves.
fn declared() -> BTreeSet<String> {
    let offered = Wl::new().with("WORKLIST_COMPLETE", "fish").ok(&["--", "wl", ""]);
    let words = offered.out.lines().filter_map(|it| it.split('\t').next());
    words.filter(|it| !it.starts_with('-')).map(str::to_owned).collect()
}

/// The commands in the groups of `wl --help`.
fn in_help() -> BTreeSet<String> {
    let help = Wl::new().ok(&["--help"]).out;
    let groups = help.split("\nOptions of every command").next().unwrap_or_default().lines();
    let lines = groups.filter_map(|it| it.strip_prefix("  ")).filter(|it| !it.starts_with(' '));
    lines.filter_map(|it| it.split_whitespace().next()).map(str::to_owned).collect()
}

/// `wl` alone is no command that is typed.
fn with_alone(commands: BTreeSet<String>) -> BTreeSet<String> {
    commands.into_iter().chain(["overview".to_owned()]).collect()
}

#[test]
fn every_command_is_in_the_help() {
    let declared = declared();
    assert!(declared.contains("claim") && declared.len() > 20, "{declared:?}");
    let known: BTreeSet<String> = declared.into_iter().filter(|it| it != "ls").collect();
    assert_eq!(known, in_help());
}

#[test]
fn every_command_has_tests() {
    let tested: BTreeSet<String> = TESTED.iter().map(|it| it.command.to_owned()).collect();
    assert_eq!(tested, with_alone(in_help()));
}

#[test]
fn every_command_has_a_schema() {
    assert_eq!(commands().into_iter().collect::<BTreeSet<_>>(), with_alone(in_help()));
}

#[test]
fn every_command_has_examples() {
    let wl = Wl::new();
    for command in in_help() {
        let help = wl.ok(&[&command, "--help"]);
        help.stdout_has(&format!("Usage: wl {command}")).stdout_has("Examples:\n  ").stderr("");
        assert!(help.out.matches("\n  ").count() > 3, "{command}");
    }
}

/// What every command does alike with a mistake.
#[test]
fn every_command_refuses_what_it_does_not_know() {
    let wl = Wl::new();
    for command in in_help() {
        wl.fails(&[&command, "--no-such-flag"], 2, "usage").says("--no-such-flag");
    }
}
