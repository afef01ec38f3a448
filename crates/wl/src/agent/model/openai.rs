//! Chat completions: a conversation as their request, their chunks as a turn. Only shapes: nothing is sent from here.

use super::{Listener, Secret, Trouble, Wire};
use crate::agent::conversation::{Call, Conversation, Message, Offer, Returned, Stop, Turn};
use worklist::json::{Json, Object, parse};

pub(super) struct OpenAi;

impl Wire for OpenAi {
    fn path(&self) -> &'static str {
        "/chat/completions"
    }

    fn headers(&self, key: &Secret) -> Vec<(&'static str, String)> {
        key.reveal().map(|it| ("authorization", format!("Bearer {it}"))).into_iter().collect()
    }

    fn body(&self, model: &str, conversation: &Conversation) -> Object {
        let tool = |it: &Offer| {
            let function = Object::new().with("name", it.name).with("description", it.description);
            let function = function.with("parameters", it.schema.clone());
            Json::Object(Object::new().with("type", "function").with("function", function))
        };
        let system = message("system", &conversation.system);
        let messages =
            std::iter::once(Json::Object(system)).chain(conversation.messages.iter().flat_map(said));
        Object::new()
            .with("model", model)
            .with("stream", true)
            .with("messages", Json::Array(messages.collect()))
            .with("tools", Json::Array(conversation.tools.iter().map(tool).collect()))
    }

    fn listener(&self) -> Box<dyn Listener> {
        Box::<Heard>::default()
    }
}

fn message(role: &str, content: &str) -> Object {
    Object::new().with("role", role).with("content", content)
}

fn said(contribution: &Message) -> Vec<Json> {
    match contribution {
        Message::Person(text) => vec![message("user", text).into()],
        Message::Results(results) => results.iter().map(result).collect(),
        Message::Model(turn) => {
            let mut said = message("assistant", &turn.text);
            if !turn.calls.is_empty() {
                said.set("tool_calls", Json::Array(turn.calls.iter().map(call).collect()));
            }
            vec![said.into()]
        }
    }
}

fn call(call: &Call) -> Json {
    // Some services read the arguments again; those that cannot be read were answered with an error.
    let readable = parse(&call.arguments).is_ok();
    let arguments = if readable { call.arguments.as_str() } else { "{}" };
    let function = Object::new().with("name", call.name.as_str()).with("arguments", arguments);
    let object = Object::new().with("id", call.id.as_str()).with("type", "function");
    Json::Object(object.with("function", function))
}

/// The shape has no word for an error: the text says it.
fn result(result: &Returned) -> Json {
    let text = if result.is_error { format!("Error: {}", result.text) } else { result.text.clone() };
    message("tool", &text).with("tool_call_id", result.id.as_str()).into()
}

/// What was heard so far.
#[derive(Default)]
struct Heard {
    text: String,
    calls: Vec<(Option<u64>, Call)>,
    stop: Stop,
    ended: bool,
}

impl Listener for Heard {
    fn hear(&mut self, data: &str) -> Result<Option<String>, Trouble> {
        if data.trim() == "[DONE]" {
            self.ended = true;
            return Ok(None);
        }
        let event = parse(data).map_err(|fault| Trouble::broken(&format!("an event is no JSON: {fault}")))?;
        let object = event.as_object().ok_or_else(|| Trouble::broken("an event is no object"))?;
        if object.get("error").is_some_and(|it| *it != Json::Null) {
            return Err(Trouble::of_event(&event));
        }
        let choices = object.get("choices").and_then(Json::as_array).unwrap_or_default();
        // The last chunk may have no choice: it says what was used.
        Ok(choices.first().and_then(Json::as_object).and_then(|it| self.choice(it)))
    }

    fn turn(&mut self) -> Result<Turn, Trouble> {
        if !self.ended {
            return Err(Trouble::broken("the answer broke off in the middle"));
        }
        let calls = std::mem::take(&mut self.calls).into_iter().enumerate().map(|(n, (_, call))| {
            // Some services give no ids.
            let id = if call.id.is_empty() { format!("call_{n}") } else { call.id };
            Call { id, ..call }
        });
        Ok(Turn {
            text: std::mem::take(&mut self.text),
            calls: calls.collect(),
            stop: std::mem::take(&mut self.stop),
        })
    }
}

impl Heard {
    fn choice(&mut self, choice: &Object) -> Option<String> {
        if let Some(reason) = choice.get("finish_reason").and_then(Json::as_str) {
            self.ended = true;
            self.stop = match reason {
                "stop" | "tool_calls" | "function_call" => Stop::Done,
                "length" => Stop::Length,
                other => Stop::Other(other.to_owned()),
            };
        }
        let delta = choice.get("delta").and_then(Json::as_object)?;
        for call in delta.get("tool_calls").and_then(Json::as_array).unwrap_or_default() {
            call.as_object().into_iter().for_each(|it| self.call(it));
        }
        let text = delta.get("content").and_then(Json::as_str).filter(|it| !it.is_empty())?;
        self.text += text;
        Some(text.to_owned())
    }

    /// A piece of a call: of the one with its index, or, where services count nothing, a new one if it has an id.
    fn call(&mut self, piece: &Object) {
        let index = piece.get("index").and_then(Json::as_u64);
        let id = piece.get("id").and_then(Json::as_str).filter(|it| !it.is_empty());
        let known = match index {
            Some(_) => self.calls.iter().position(|(it, _)| *it == index),
            None if id.is_some() => None,
            None => self.calls.len().checked_sub(1),
        };
        let at = known.unwrap_or_else(|| {
            self.calls.push((index, Call::default()));
            self.calls.len() - 1
        });
        let call = &mut self.calls[at].1;
        if let Some(id) = id {
            id.clone_into(&mut call.id);
        }
        let function = piece.get("function").and_then(Json::as_object);
        let word = |key: &str| function.and_then(|it| it.get(key)).and_then(Json::as_str).unwrap_or_default();
        call.name += word("name");
        call.arguments += word("arguments");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(chunks: &[&str]) -> Result<Turn, Trouble> {
        let mut heard = Heard::default();
        for chunk in chunks {
            heard.hear(chunk)?;
        }
        heard.turn()
    }

    #[test]
    fn calls_come_in_pieces() {
        let turn = turn(&[
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":"{\"co"}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"read_file","arguments":"{}"}},{"index":0,"function":{"arguments":"mmand\":1}"}}]}}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
            "[DONE]",
        ])
        .expect("a turn");
        let read: Vec<_> = turn.calls.iter().map(|it| (it.name.as_str(), it.arguments.as_str())).collect();
        assert_eq!(read, [("bash", "{\"command\":1}"), ("read_file", "{}")]);
    }

    #[test]
    fn calls_without_index_or_id_are_told_apart() {
        let turn = turn(&[
            r#"{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"x","arguments":"1"}},{"id":"b","function":{"name":"y","arguments":"2"}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"3"}}]},"finish_reason":"stop"}]}"#,
        ])
        .expect("a turn");
        let read: Vec<_> = turn.calls.iter().map(|it| (it.id.as_str(), it.arguments.as_str())).collect();
        assert_eq!(read, [("a", "1"), ("b", "23")]);
    }

    #[test]
    fn a_stream_that_was_cut_is_no_turn() {
        let cut = turn(&[r#"{"choices":[{"delta":{"content":"Hel"},"finish_reason":null}]}"#]);
        assert!(cut.is_err_and(|it| it.passes()));
        assert!(turn(&["nonsense"]).is_err_and(|it| it.passes()));
    }
}
