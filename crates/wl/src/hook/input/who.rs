//! Who stands behind a hook: the session, within it the subagent, and a name for people. Not whether they may do
//! something.

use super::Input;
use worklist::{Actor, json::Json};

/// Who acts, with what is known otherwise where the input is silent. A subagent is a session of its own, within that of
/// the client.
pub(crate) fn actor(input: &Input, known: &Actor) -> Actor {
    let session = input.name("session_id").unwrap_or(&known.session);
    match subagent(input) {
        Some(key) => Actor::new(name(input, key), format!("{session}/{key}")),
        None => Actor::new(known.agent.as_str(), session),
    }
}

/// What tells a subagent from the others of its session. Every event has its id; only some have its name.
pub(crate) fn subagent(input: &Input) -> Option<&str> {
    input.name("agent_id").or_else(|| input.name("teammate_name"))
}

/// Whether whoever ends a turn lives on: a teammate waits for what comes, and keeps what it has.
pub(crate) fn lives_on(input: &Input) -> bool {
    let is = |it: &Json, key: &str, word: &str| {
        it.as_object().and_then(|it| it.get(key)).and_then(Json::as_str) == Some(word)
    };
    let runs = |it: &Json| is(it, "type", "teammate") && is(it, "status", "running");
    let named = subagent(input).and_then(named_in).or_else(|| input.name("teammate_name"));
    named.is_some() && input.value("background_tasks").as_array().unwrap_or_default().iter().any(runs)
}

/// Every session that may hold a claim for whoever stops.
pub(crate) fn sessions(input: &Input, actor: &Actor) -> Vec<String> {
    let client = input.name("session_id").unwrap_or(&actor.session);
    let name = input.name("teammate_name").filter(|_| subagent(input).is_some());
    let named = name.map(|it| format!("{client}/{it}")).filter(|it| *it != actor.session);
    std::iter::once(actor.session.clone()).chain(named).collect()
}

/// A name for people, and for the client: that of a teammate is the owner which it writes itself.
pub(crate) fn name(input: &Input, key: &str) -> String {
    let given = input.name("teammate_name").or_else(|| named_in(key)).map(str::to_owned);
    let short = |kind: &str| format!("{kind}-{}", key.chars().take(8).collect::<String>());
    given.unwrap_or_else(|| input.name("agent_type").map_or_else(|| key.to_owned(), short))
}

/// The name in the id of an agent that was given one: `aworker-50de1de4b648bdd9`.
fn named_in(id: &str) -> Option<&str> {
    let (name, tail) = id.strip_prefix('a')?.rsplit_once('-')?;
    let is_number = tail.len() == 16 && tail.bytes().all(|it| it.is_ascii_hexdigit());
    Some(name).filter(|it| is_number && !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subagent_has_a_name_for_people() {
        for (input, wanted) in [
            (r#"{"agent_id": "aworker-50de1de4b648bdd9", "agent_type": "general-purpose"}"#, "worker"),
            (r#"{"agent_id": "a1", "teammate_name": "ann", "agent_type": "x"}"#, "ann"),
            (r#"{"agent_id": "a0123456789abcdef", "agent_type": "Explore"}"#, "Explore-a0123456"),
            (r#"{"agent_id": "a0123"}"#, "a0123"),
        ] {
            let input = Input::of(input).unwrap();
            assert_eq!(name(&input, subagent(&input).unwrap()), wanted);
        }
    }

    #[test]
    fn whoever_stops_may_have_been_known_by_two_names() {
        let actor = Actor::new("worker", "s/a1");
        let both = Input::of(r#"{"session_id": "s", "agent_id": "a1", "teammate_name": "worker"}"#).unwrap();
        assert_eq!(sessions(&both, &actor), ["s/a1", "s/worker"]);
        let main = Input::of(r#"{"session_id": "s"}"#).unwrap();
        assert_eq!(sessions(&main, &Actor::new("claude", "s")), ["s"]);
    }
}
