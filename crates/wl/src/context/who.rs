//! Who acts: the agent's name and the session behind it.
#![expect(clippy::disallowed_methods, reason = "the host's name is in a file")]

use super::variable;
use crate::{
    args::Global,
    failure::Failure,
    settings::{Origin, Settings},
};
use std::fs;
use worklist::Actor;

pub(super) fn actor(global: &Global, settings: &Settings) -> Result<(Actor, [Origin; 2]), Failure> {
    let given = global.agent.clone().map(|it| (it, Origin::Flag("--as")));
    let (agent, agent_by) = given
        .or_else(|| first(&["WORKLIST_AGENT", "CLAUDE_AGENT_NAME"]))
        .or_else(|| settings.found("agent"))
        .or_else(|| first(&["USER", "LOGNAME"]))
        .unwrap_or_else(|| ("agent".to_owned(), Origin::Default));
    let given = global.session.clone().map(|it| (it, Origin::Flag("--session")));
    let (session, session_by) = given
        .or_else(|| first(&["WORKLIST_SESSION", "CLAUDE_CODE_SESSION_ID"]))
        .unwrap_or_else(|| (format!("{agent}@{}", host()), Origin::Default));
    for (name, value) in [("--as", &agent), ("--session", &session)] {
        if value.trim().is_empty() {
            return Err(Failure::invalid(name, "may not be empty", None));
        }
        if !Actor::is_name(value) {
            let reason = "must be one line of at most 200 bytes";
            return Err(Failure::invalid(name, reason, None));
        }
    }
    Ok((Actor { agent, session }, [agent_by, session_by]))
}

fn first(names: &[&'static str]) -> Option<(String, Origin)> {
    names.iter().find_map(|it| Some((variable(it)?, Origin::Variable(it))))
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok().map(|it| it.trim().to_owned());
    name.or_else(|| variable("HOSTNAME")).unwrap_or_else(|| "localhost".to_owned())
}
