//! `wl`: arguments in, one command, an exit code out. Not where anything is decided.

mod agent;
mod args;
mod callers;
mod commands;
mod complete;
mod context;
mod failure;
mod fingerprint;
mod guide;
mod hook;
mod mcp;
mod output;
mod own_files;
mod own_hooks;
mod picture;
mod processes;
mod settings;
mod setup;
mod shared;
mod worker;
mod worktrees;

use clap::error::ErrorKind;
use std::process::ExitCode;

/// The C library of the static program hands memory out slowly.
#[cfg(all(target_os = "linux", target_env = "musl"))]
#[global_allocator]
static HEAP: worklist_heap::Heap = worklist_heap::Heap;

fn main() -> ExitCode {
    complete::answer();
    let args = match commands::parse() {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    match commands::run(&args) {
        Ok((output, answer)) => {
            let code = output.answer(&answer);
            // It goes with the process. Giving back each task of a long list by itself would take a while.
            std::mem::forget(answer);
            code
        }
        Err(failure) => context::output(&args.global, None).failure(&failure),
    }
}

/// Help on standard output, mistakes on standard error, or as one document.
fn usage(error: &clap::Error) -> ExitCode {
    let json = std::env::args_os().any(|it| it == "--json");
    let output = context::plain_output(json && error.use_stderr());
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return output.print(&error.render().ansi().to_string());
    }
    output.failure(&commands::mistyped(error))
}
