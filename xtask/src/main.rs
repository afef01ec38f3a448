//! The tasks of this repository: one command for each thing that people and the gate run. Not part of the program.
#![expect(clippy::print_stderr, reason = "a tool for the terminal")]

mod arrows;
mod bench;
mod book;
mod fuzz;
mod gate;
mod kit;
mod prove;
mod published;
mod record;
mod ship;
mod tidy;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  install [--root PATH]
                 the program, as one file that needs no other where that can be had
  test           everything that must pass, in order, up to the first failure
  kit            installs what the tests need beside Rust, if it is missing
  tidy           only what the tree promises of itself: heads, sizes, imports, documents
  docs           writes the page of commands anew, and what clients install, from the program itself
  book           checks and builds the book, in target/book
  record         records the moving picture in the README
  bench [NAME…] [--quick] [--strict] [--profile NAME]
                 what commands cost, as ratios measured in one run (docs/performance.md); --quick keeps nothing
  bench --kept   draws the pictures and tables of that page anew from the figures that are kept
  bench --instructions [--accept]
                 how many instructions the hot paths execute, against what was accepted
  bench --layout what the usual commands run through: crates/wl/often.ld, which puts it side by side
  prove [NAME…] [--long]
                 what was tried to break it, line by line (docs/proof.md); --long tries much more";

/// What went wrong, in a line.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["test"] => gate::run(&root()),
        ["install", words @ ..] => ship::install(&root(), words),
        ["kit"] => kit::run(&root()),
        ["tidy"] => tidy::run(&root()),
        ["docs"] => book::write(&root()).and_then(|()| published::write(&root())),
        ["book"] => book::run(&root()),
        ["record"] => record::run(&root()),
        ["bench", words @ ..] => bench::run(&root(), words),
        ["prove", names @ .., "--long"] => prove::run(&root(), names, prove::Length::Long),
        ["prove", names @ ..] => prove::run(&root(), names, prove::Length::Short),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("failed: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the whole repository.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
