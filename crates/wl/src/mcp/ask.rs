//! Asking the person at the client, where it can show a question: whether something that was refused to the agent may be
//! done all the same. Not for anything that can be done without asking.

use rmcp::{
    RoleServer,
    model::{
        CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
        ElicitationSchema, InputRequest, InputRequests, InputRequiredResult, ProtocolVersion,
    },
    service::RequestContext,
};
use serde_json::Value;
use std::time::Duration;
use worklist::tools::{Reply, Word};

/// The name of the one question.
const QUESTION: &str = "confirm";
/// A person who does not answer says no.
const PATIENCE: Duration = Duration::from_mins(2);

/// What came of it.
pub(super) enum Said {
    /// The client is to ask, and to call again with the answer.
    Ask(Box<InputRequiredResult>),
    Yes,
    No,
}

/// By whose word a call is made: it may bring along what a person answered.
pub(super) fn word(request: &CallToolRequestParams) -> Word {
    let answer = request.input_responses.as_ref().and_then(|it| it.get(QUESTION));
    let answer = answer.and_then(|it| serde_json::from_value::<ElicitResult>(it.clone()).ok());
    if answer.is_some_and(|it| is_yes(&it)) { Word::Person } else { Word::Agent }
}

/// Whether a person could allow what was refused: only the removal of what another holds.
pub(super) fn is_worth_it(request: &CallToolRequestParams, reply: &Reply, word: Word) -> bool {
    let status = request.arguments.as_ref().and_then(|it| it.get("status")).and_then(Value::as_str);
    // Who was asked once is not asked again.
    word == Word::Agent
        && request.input_responses.is_none()
        && reply.error == Some("already_claimed")
        && status == Some("deleted")
}

/// Asks, in the way that the client's protocol has for it.
pub(super) async fn person(
    request: &CallToolRequestParams,
    reply: &Reply,
    context: &RequestContext<RoleServer>,
) -> Said {
    let able = context.client_capabilities().and_then(|it| it.elicitation);
    if !able.is_some_and(|it| it.form.is_some() || it.url.is_none()) {
        return Said::No;
    }
    let question = question(request, reply);
    let newer =
        context.protocol_version().is_some_and(|it| it.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
    if newer {
        let asked = InputRequest::Elicitation(ElicitRequest::new(question));
        let asked = InputRequests::from([(QUESTION.to_owned(), asked)]);
        return Said::Ask(Box::new(InputRequiredResult::from_input_requests(asked)));
    }
    match context.peer.create_elicitation_with_timeout(question, Some(PATIENCE)).await {
        Ok(answer) if is_yes(&answer) => Said::Yes,
        _ => Said::No,
    }
}

fn question(request: &CallToolRequestParams, reply: &Reply) -> ElicitRequestParams {
    let id = request.arguments.as_ref().and_then(|it| it.get("taskId")).map(Value::to_string);
    let id = id.unwrap_or_default();
    let id = id.trim_matches('"').trim_start_matches('#');
    let why = reply.text.trim_start_matches("Not done: ");
    let message = format!("An agent wants to remove task #{id}. {why}\n\nRemove it all the same?");
    let requested_schema = ElicitationSchema::builder()
        .required_bool_with("remove", |it| it.title("Remove it").description("History can bring it back"))
        .build_unchecked();
    ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema }
}

fn is_yes(answer: &ElicitResult) -> bool {
    let remove = answer.content.as_ref().and_then(|it| it.get("remove")).and_then(Value::as_bool);
    answer.action == ElicitationAction::Accept && remove == Some(true)
}
