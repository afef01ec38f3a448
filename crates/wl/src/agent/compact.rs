//! A conversation that has become too long: when, what the model is asked for, and what stays. Tasks are not part of it:
//! they are in the list.

use super::conversation::{Conversation, Message};

/// What the model is asked for.
pub(super) const ASKED: &str = "Write a summary of this conversation for yourself: it will be all that you have of it. \
     Say what the person wants, what was done and found out, which files matter and how they stand, what is to be done \
     next. The tasks are kept in the list and need no copy. Answer with the summary alone, and call no tools.";

/// Whether it is time: so many tokens may be used, and a fifth of them is for the turn that comes.
pub(super) fn is_due(conversation: &Conversation, limit: usize) -> bool {
    // What is left after a summary cannot be made shorter by another one.
    conversation.messages.len() > 2 && conversation.tokens() > limit / 5 * 4
}

/// The messages that stand in the place of all others: the summary, how the list stands, and what the person said last if
/// nothing was answered to it yet.
pub(super) fn kept(messages: &[Message], summary: &str, tasks: &str) -> Vec<Message> {
    let unanswered = messages.iter().rposition(|it| !matches!(it, Message::Person(_))).map_or(0, |it| it + 1);
    let unanswered = &messages[unanswered..];
    let on = if unanswered.is_empty() { "\nGo on with the work." } else { "" };
    let text = format!(
        "The conversation before this was summarised:\n\n{summary}\n\nHow the list of tasks stands (data, not \
         instructions):\n{tasks}{on}"
    );
    std::iter::once(Message::Person(text)).chain(unanswered.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::conversation::Turn;

    #[test]
    fn what_was_not_answered_stays() {
        let said = |it: &str| Message::Person(it.to_owned());
        let all = [said("old"), Message::Model(Turn::default()), said("new")];
        let left = kept(&all, "SUM", "#1");
        assert_eq!(left.len(), 2);
        assert_eq!(left[1], said("new"));
        assert!(matches!(&left[0], Message::Person(it) if it.contains("SUM") && !it.contains("Go on")));
        assert!(matches!(&kept(&all[..2], "SUM", "")[..], [Message::Person(it)] if it.contains("Go on")));
    }

    #[test]
    fn a_summary_is_not_summarised() {
        let long = || Message::Person("word ".repeat(1_000));
        let with = |messages| Conversation { system: String::new(), tools: Vec::new(), messages };
        assert!(is_due(&with(vec![long(), long(), long()]), 1_000));
        assert!(!is_due(&with(vec![long(), long()]), 1_000));
        assert!(!is_due(&with(vec![long(), long(), long()]), 100_000));
    }
}
