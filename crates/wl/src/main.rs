//! `wl`: arguments in, one command, an exit code out. Not where anything is decided.

mod args;
mod commands;
mod context;
mod failure;
mod output;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => return output::usage(&error),
    };
    let json = args.json;
    let result = context::Context::new(&args).and_then(|context| commands::run(&context, &args.command));
    match result {
        Ok(answer) => output::answer(&answer, json),
        Err(failure) => output::failure(&failure, json),
    }
}
