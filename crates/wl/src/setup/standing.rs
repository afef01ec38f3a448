//! Which clients are there, and how each stands. Only looks.

use super::{Aim, CLIENTS, Client, Plan, Request, Scope, State, clients::Shape};
use crate::context::{Context, Homes, on_path};
use std::path::Path;

/// How a client stands.
pub(crate) struct Standing {
    pub(crate) client: &'static Client,
    /// Whether its program or anything of it was found.
    pub(crate) detected: bool,
    /// In this project.
    pub(crate) project: Look,
    /// For this user; none where there is no such thing.
    pub(crate) user: Option<Look>,
}

/// What a look at the files gave.
pub(crate) enum Look {
    Is(State),
    /// Why it cannot be told.
    Unreadable(String),
}

impl Look {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Look::Is(state) => state.name(),
            Look::Unreadable(_) => "unreadable",
        }
    }
}

/// Every client.
pub(crate) fn standings(context: &Context) -> Vec<Standing> {
    let homes = Homes::of_user();
    let of = |client: &'static Client| {
        let user = client.user.zip(homes.as_ref()).map(|(place, homes)| place(homes, &context.claude));
        let folder = match client.shape {
            Shape::Plugin => Some(context.claude.as_path()),
            _ => user.as_deref().and_then(Path::parent),
        };
        let detected = on_path(client.program).is_some()
            || context.project().join(client.trace).exists()
            || folder.is_some_and(Path::exists);
        let project = look(context, client, Scope::Project);
        Standing { client, detected, project, user: user.map(|_| look(context, client, Scope::User)) }
    };
    CLIENTS.iter().map(of).collect()
}

fn look(context: &Context, client: &'static Client, scope: Scope) -> Look {
    let request = Request { client, scope, native: false, force: false };
    match Plan::new(context, &request, Aim::Install) {
        Ok(plan) => Look::Is(plan.state()),
        Err(failure) => Look::Unreadable(failure.message),
    }
}
