//! Who calls: the session of the connection, and the agent within it where the client tells. Not what the caller may do.

use super::office::Office;
use crate::callers::{Agent, take};
use rmcp::{RoleServer, model::RequestMetaObject, service::RequestContext};
use worklist::Actor;

/// A client that knows its agents apart says here who calls.
const AGENT: &str = "worklist/agent";
/// A client without a session of its own says here which one it means.
const SESSION: &str = "worklist/session";
/// The number of a call in Claude Code, under which its hook may have left a note.
const CALL: &str = "claudecode/toolUseId";

/// Who a request comes from, beside the agent within.
#[derive(Debug, Clone, Default)]
pub(super) struct Caller {
    /// What the client calls itself.
    pub(super) client: Option<String>,
    /// The session of the connection, where it has one of its own.
    pub(super) session: Option<String>,
    /// The agent within it.
    pub(super) agent: Option<Agent>,
    /// Whether the session ends with the connection.
    pub(super) lasts: bool,
}

impl Caller {
    pub(super) fn of(context: &RequestContext<RoleServer>, office: &Office) -> Caller {
        let guest = super::http::guest(context);
        let client = guest.as_ref().and_then(|it| it.name.clone());
        let client = client.or_else(|| context.client_info().map(|it| it.name));
        let told = word(&context.meta, SESSION);
        let noted = || take(office.state()?, &word(&context.meta, CALL)?);
        Caller {
            client: client.filter(|it| Actor::is_name(it)),
            lasts: guest.as_ref().is_some_and(|it| it.session.is_some()),
            session: guest.map(|it| it.session_or(told.as_deref())),
            agent: word(&context.meta, AGENT).map(named).or_else(noted),
        }
    }

    /// The actor that this is, given whom the server itself acts for.
    pub(super) fn actor(&self, own: &Actor) -> Actor {
        let actor = match &self.session {
            Some(session) => Actor::new(own.agent.clone(), format!("{}/{session}", own.session)),
            None => own.clone(),
        };
        match &self.agent {
            Some(agent) => Actor { agent: agent.name.clone(), ..actor.within(&agent.key) },
            None => actor,
        }
    }
}

/// An agent that is known by its name.
fn named(name: String) -> Agent {
    Agent { key: name.clone(), name }
}

/// A word in the notes of a request.
fn word(meta: &RequestMetaObject, key: &str) -> Option<String> {
    meta.get(key)?.as_str().map(str::to_owned).filter(|it| Actor::is_name(it))
}
