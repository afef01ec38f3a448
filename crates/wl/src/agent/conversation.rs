//! What was said so far: the person's words, the model's turns, what tools answered. Not how any service spells it.

use worklist::json::Json;

/// A conversation with a model, and what the model is told and offered beside it.
pub(super) struct Conversation {
    pub(super) system: String,
    pub(super) tools: Vec<Offer>,
    pub(super) messages: Vec<Message>,
}

/// A tool that a model may call.
pub(super) struct Offer {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) schema: Json,
}

/// One contribution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Message {
    /// The person's words, or what we add in their place.
    Person(String),
    Model(Turn),
    /// What the calls of the turn before gave, in the order of the calls.
    Results(Vec<Returned>),
}

/// What a model says at once: text, calls of tools, or both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
    pub(super) stop: Stop,
}

/// Why a turn ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Stop {
    /// The model has said what it wanted to say, or waits for its calls.
    #[default]
    Done,
    /// It was cut off: a turn may not be longer.
    Length,
    /// Something else, by the service's word for it.
    Other(String),
}

/// A call of a tool. The arguments are as they came: whether they can be read is for the one who answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Returned {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) is_error: bool,
}

impl Conversation {
    /// A model may go on only when each of its calls is answered: those that never will be get this for an answer.
    pub(super) fn close(&mut self, why: &str) {
        let Some(Message::Model(turn)) = self.messages.last() else { return };
        let answer = |it: &Call| Returned { id: it.id.clone(), text: why.to_owned(), is_error: true };
        let results: Vec<Returned> = turn.calls.iter().map(answer).collect();
        if !results.is_empty() {
            self.messages.push(Message::Results(results));
        }
    }

    /// About how many tokens all of it is.
    pub(super) fn tokens(&self) -> usize {
        let offers = self.tools.iter().map(|it| tokens(it.description) + 60);
        let messages = self.messages.iter().map(Message::tokens);
        tokens(&self.system) + offers.sum::<usize>() + messages.sum::<usize>()
    }
}

impl Message {
    fn tokens(&self) -> usize {
        const FRAME: usize = 8;
        let inner: usize = match self {
            Message::Person(text) => tokens(text),
            Message::Model(turn) => {
                let call = |it: &Call| tokens(&it.name) + tokens(&it.arguments) + FRAME;
                tokens(&turn.text) + turn.calls.iter().map(call).sum::<usize>()
            }
            Message::Results(results) => results.iter().map(|it| tokens(&it.text) + FRAME).sum(),
        };
        inner + FRAME
    }
}

/// About how many tokens a text is: four letters of ASCII to one, every other character for itself.
pub(super) fn tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().filter(|it| !it.is_ascii()).count();
    ascii.div_ceil(4) + others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_guessed_by_script() {
        assert_eq!(tokens("abcdefgh"), 2);
        assert_eq!(tokens("数据库"), 3);
    }

    #[test]
    fn calls_that_nobody_answers_are_closed() {
        let call = Call { id: "c1".into(), ..Call::default() };
        let turn = Turn { calls: vec![call], ..Turn::default() };
        let mut conversation =
            Conversation { system: String::new(), tools: Vec::new(), messages: vec![Message::Model(turn)] };
        conversation.close("broken off");
        let wanted = Returned { id: "c1".into(), text: "broken off".into(), is_error: true };
        assert_eq!(conversation.messages[1], Message::Results(vec![wanted]));
        conversation.close("again");
        assert_eq!(conversation.messages.len(), 2);
    }
}
