//! `wl setup`: Worklist in the clients that agents run in.

use crate::{
    context::Context,
    failure::{Failure, exit_of},
    output::Answer,
    setup::{self, Aim, CLIENTS, Client, Outcome, Plan, Request, Scope, State},
};
use clap::Args;
use std::path::PathBuf;
use worklist::json::Object;

pub(super) const EXAMPLES: &str = "\
Examples:
  wl setup                     # which clients are there, and how they stand
  wl setup codex               # for this project: its files can be committed
  wl setup codex --user        # for all your projects
  wl setup claude --print      # what would be written, and where
  wl setup claude --native     # Claude Code's own task tools on a list of this project, too
  wl setup cursor --check      # exit code 0: current; 1: not_set_up or outdated
  wl setup cursor --remove     # takes out what was put in, and nothing else

Only an entry named `worklist`, a marked block of text, or a folder of its own is written; all else in
a file keeps its bytes. A block that you changed is left alone unless you say --force.";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct SetupArgs {
    /// The client to set up; without it, all are listed
    #[arg(value_parser = clients())]
    pub(crate) client: Option<String>,
    /// For this project (the default)
    #[arg(long, conflicts_with = "user")]
    pub(crate) project: bool,
    /// For all your projects
    #[arg(long)]
    pub(crate) user: bool,
    /// Only show what would be written
    #[arg(long, requires = "client", conflicts_with = "check")]
    pub(crate) print: bool,
    /// Only say whether it is current
    #[arg(long, requires = "client", conflicts_with = "remove")]
    pub(crate) check: bool,
    /// Take out what was put in
    #[arg(long, requires = "client")]
    pub(crate) remove: bool,
    /// Let Claude Code's own task tools work on a list of this project, too
    #[arg(long, requires = "client")]
    pub(crate) native: bool,
    /// Write over what was changed by hand, and through links that lead out of the project
    #[arg(long, requires = "client")]
    pub(crate) force: bool,
    /// Write what is published for a client beneath a repository's root
    #[arg(long, hide = true, requires = "client", value_name = "DIR")]
    pub(crate) export: Option<PathBuf>,
}

fn clients() -> clap::builder::PossibleValuesParser {
    CLIENTS.iter().map(|it| it.name).collect::<Vec<_>>().into()
}

pub(super) fn run(context: &Context, args: &SetupArgs) -> Result<Answer, Failure> {
    let Some(client) = args.client.as_deref().and_then(Client::named) else {
        return Ok(setup::overview(&setup::standings(context), context.output.width()));
    };
    let scope = if args.user { Scope::User } else { Scope::Project };
    let request = Request { client, scope, native: args.native, force: args.force };
    let plan = match &args.export {
        Some(root) => setup::export(client, &context.here.join(root))?,
        None => Plan::new(context, &request, if args.remove { Aim::Remove } else { Aim::Install })?,
    };
    if args.check {
        return checked(&plan, &request);
    }
    if args.print {
        return Ok(plan.answer(client, scope, Outcome::Shown));
    }
    plan.carry_out(context, &request)?;
    let outcome = if args.export.is_some() { Outcome::Exported } else { Outcome::Done };
    Ok(plan.answer(client, scope, outcome))
}

fn checked(plan: &Plan, request: &Request) -> Result<Answer, Failure> {
    let Client { name, title, .. } = request.client;
    let (code, message) = match plan.state() {
        State::Current => return Ok(plan.answer(request.client, request.scope, Outcome::Shown)),
        State::Missing => {
            ("not_set_up", format!("{title} is not set up for Worklist ({})", request.scope.name()))
        }
        state => {
            ("outdated", format!("what {title} was given is {} ({})", state.name(), request.scope.name()))
        }
    };
    let flag = if request.scope == Scope::User { " --user" } else { "" };
    let hint =
        Some(format!("`wl setup {name}{flag}` sets it up; with --print it only shows what would be written"));
    let data = Object::new()
        .with("client", *name)
        .with("scope", request.scope.name())
        .with("state", plan.state().name());
    Err(Failure { code, message, hint, data, exit: exit_of(code) })
}
