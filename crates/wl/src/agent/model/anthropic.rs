//! The Messages API: a conversation as its request, its events as a turn. Only shapes: nothing is sent from here.

use super::{Listener, Secret, Trouble, Wire};
use crate::agent::conversation::{Call, Conversation, Message, Offer, Returned, Stop, Turn};
use std::collections::BTreeMap;
use worklist::json::{Json, Object, parse};

/// A turn is at most so many tokens long.
const LONGEST: u64 = 8_192;

pub(super) struct Anthropic;

impl Wire for Anthropic {
    fn path(&self) -> &'static str {
        "/v1/messages"
    }

    fn headers(&self, key: &Secret) -> Vec<(&'static str, String)> {
        let key = key.reveal().map(|it| ("x-api-key", it.to_owned()));
        key.into_iter().chain([("anthropic-version", "2023-06-01".to_owned())]).collect()
    }

    fn body(&self, model: &str, conversation: &Conversation) -> Object {
        let tool = |it: &Offer| {
            let tool = Object::new().with("name", it.name).with("description", it.description);
            Json::Object(tool.with("input_schema", it.schema.clone()))
        };
        Object::new()
            .with("model", model)
            .with("max_tokens", LONGEST)
            .with("stream", true)
            .with("system", conversation.system.as_str())
            .with("tools", Json::Array(conversation.tools.iter().map(tool).collect()))
            .with("messages", Json::Array(messages(&conversation.messages)))
    }

    fn listener(&self) -> Box<dyn Listener> {
        Box::<Heard>::default()
    }
}

/// The messages by turns: neighbours of one role are one message.
fn messages(messages: &[Message]) -> Vec<Json> {
    let mut turns: Vec<(&str, Vec<Json>)> = Vec::new();
    for message in messages {
        let (role, blocks) = blocks(message);
        match turns.last_mut() {
            Some((last, content)) if *last == role => content.extend(blocks),
            _ => turns.push((role, blocks)),
        }
    }
    let message = |(role, content): (&str, Vec<Json>)| {
        Json::Object(Object::new().with("role", role).with("content", Json::Array(content)))
    };
    turns.into_iter().map(message).collect()
}

fn blocks(message: &Message) -> (&'static str, Vec<Json>) {
    match message {
        Message::Person(text) => ("user", vec![text_block(text)]),
        Message::Results(results) => ("user", results.iter().map(result_block).collect()),
        Message::Model(turn) => {
            let text = Some(turn.text.trim_end()).filter(|it| !it.is_empty()).map(text_block);
            let mut blocks: Vec<Json> = text.into_iter().chain(turn.calls.iter().map(call_block)).collect();
            if blocks.is_empty() {
                // The service takes no message without content.
                blocks.push(text_block("(nothing)"));
            }
            ("assistant", blocks)
        }
    }
}

fn text_block(text: &str) -> Json {
    Json::Object(Object::new().with("type", "text").with("text", text))
}

fn call_block(call: &Call) -> Json {
    // Arguments that cannot be read were answered with an error; the service takes only objects.
    let input = parse(&call.arguments).ok().filter(|it| it.as_object().is_some());
    let block = Object::new().with("type", "tool_use").with("id", call.id.as_str());
    Json::Object(block.with("name", call.name.as_str()).with("input", input.unwrap_or(Object::new().into())))
}

fn result_block(result: &Returned) -> Json {
    let block = Object::new().with("type", "tool_result").with("tool_use_id", result.id.as_str());
    let block = block.with("content", result.text.as_str());
    Json::Object(if result.is_error { block.with("is_error", true) } else { block })
}

/// What was heard so far.
#[derive(Default)]
struct Heard {
    text: String,
    calls: BTreeMap<u64, Call>,
    stop: Stop,
    ended: bool,
}

impl Listener for Heard {
    fn hear(&mut self, data: &str) -> Result<Option<String>, Trouble> {
        let event = parse(data).map_err(|fault| Trouble::broken(&format!("an event is no JSON: {fault}")))?;
        let object = event.as_object().ok_or_else(|| Trouble::broken("an event is no object"))?;
        let word = object.get("type").and_then(Json::as_str).unwrap_or_default();
        match word {
            "error" => return Err(Trouble::of_event(&event)),
            "message_stop" => self.ended = true,
            "content_block_start" => return Ok(self.start(object)),
            "content_block_delta" => return Ok(self.more(object)),
            "message_delta" => self.stop = stop(inner(object, "delta")),
            // Pings, and whatever else may come one day.
            _ => {}
        }
        Ok(None)
    }

    fn turn(&mut self) -> Result<Turn, Trouble> {
        if !self.ended {
            return Err(Trouble::broken("the answer broke off in the middle"));
        }
        let calls = std::mem::take(&mut self.calls).into_values().collect();
        Ok(Turn { text: std::mem::take(&mut self.text), calls, stop: std::mem::take(&mut self.stop) })
    }
}

impl Heard {
    fn start(&mut self, event: &Object) -> Option<String> {
        let block = inner(event, "content_block")?;
        if word(block, "type") == "tool_use" {
            let (id, name) = (word(block, "id").to_owned(), word(block, "name").to_owned());
            self.calls.insert(index(event), Call { id, name, arguments: String::new() });
        }
        self.say(word(block, "text"))
    }

    fn more(&mut self, event: &Object) -> Option<String> {
        let delta = inner(event, "delta")?;
        if let Some(call) = self.calls.get_mut(&index(event)) {
            call.arguments += word(delta, "partial_json");
        }
        self.say(word(delta, "text"))
    }

    fn say(&mut self, text: &str) -> Option<String> {
        self.text += text;
        Some(text.to_owned()).filter(|it| !it.is_empty())
    }
}

fn stop(delta: Option<&Object>) -> Stop {
    match delta.map(|it| word(it, "stop_reason")).unwrap_or_default() {
        "end_turn" | "tool_use" | "stop_sequence" | "" => Stop::Done,
        "max_tokens" => Stop::Length,
        other => Stop::Other(other.to_owned()),
    }
}

fn inner<'a>(object: &'a Object, key: &str) -> Option<&'a Object> {
    object.get(key).and_then(Json::as_object)
}

fn word<'a>(object: &'a Object, key: &str) -> &'a str {
    object.get(key).and_then(Json::as_str).unwrap_or_default()
}

fn index(event: &Object) -> u64 {
    event.get("index").and_then(Json::as_u64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_role_are_one_message() {
        let call = Call { id: "c".into(), name: "bash".into(), arguments: "{broken".into() };
        let turn = Turn { calls: vec![call], ..Turn::default() };
        let result = Returned { id: "c".into(), text: "no".into(), is_error: true };
        let all = [
            Message::Person("hello".into()),
            Message::Model(turn),
            Message::Results(vec![result]),
            Message::Person("a reminder".into()),
        ];
        let said = messages(&all);
        assert_eq!(said.len(), 3);
        let content = said[2].as_object().and_then(|it| it.get("content")).and_then(Json::as_array);
        assert_eq!(content.map(<[Json]>::len), Some(2));
        let call = worklist::json::write(&said[1], worklist::json::Style::COMPACT, "");
        assert!(call.contains(r#""input":{}"#), "{call}");
    }

    #[test]
    fn a_stream_that_was_cut_is_no_turn() {
        let mut heard = Heard::default();
        let delta = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}"#;
        assert_eq!(heard.hear(delta), Ok(Some("Hel".to_owned())));
        assert!(heard.turn().is_err_and(|it| it.passes()));
        let overloaded = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
        assert!(heard.hear(overloaded).is_err_and(|it| it.passes()));
    }
}
