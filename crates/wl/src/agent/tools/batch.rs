//! Calls of one turn: those that only look run together, all others one after the other, each in its place. Not what a
//! call does.

use crate::agent::conversation::{Call, Returned};
use std::thread;

/// So many run at once.
const AT_ONCE: usize = 8;

/// Answers all calls. Nothing that changes runs before what stands before it is answered.
pub(super) fn run(
    calls: &[Call],
    is_safe: &dyn Fn(&Call) -> bool,
    answer: &(dyn Fn(&Call) -> Returned + Sync),
) -> Vec<Returned> {
    let safe: Vec<bool> = calls.iter().map(is_safe).collect();
    let mut results = Vec::with_capacity(calls.len());
    let mut at = 0;
    while at < calls.len() {
        let together = safe[at..].iter().take(AT_ONCE).take_while(|it| **it).count().max(1);
        results.extend(at_once(&calls[at..at + together], answer));
        at += together;
    }
    results
}

fn at_once(calls: &[Call], answer: &(dyn Fn(&Call) -> Returned + Sync)) -> Vec<Returned> {
    if let [call] = calls {
        return vec![answer(call)];
    }
    thread::scope(|scope| {
        let running: Vec<_> = calls.iter().map(|it| scope.spawn(move || answer(it))).collect();
        let ended = running.into_iter().zip(calls);
        ended.map(|(it, call)| it.join().unwrap_or_else(|_| lost(call))).collect()
    })
}

/// A tool that fell over is an answer, too.
fn lost(call: &Call) -> Returned {
    Returned { id: call.id.clone(), text: "The tool failed.".to_owned(), is_error: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Barrier, Mutex};

    fn calls(names: &str) -> Vec<Call> {
        let call =
            |(n, it): (usize, char)| Call { id: n.to_string(), name: it.to_string(), ..Call::default() };
        names.chars().enumerate().map(call).collect()
    }

    fn returned(call: &Call) -> Returned {
        Returned { id: call.id.clone(), text: call.name.clone(), is_error: false }
    }

    /// Three looks meet at a barrier: one after the other they would wait for ever.
    #[test]
    fn looks_run_together() {
        let meeting = Barrier::new(3);
        let results = run(&calls("rrr"), &|it| it.name == "r", &|call| {
            meeting.wait();
            returned(call)
        });
        assert_eq!(results.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["0", "1", "2"]);
    }

    #[test]
    fn changes_keep_their_place() {
        let seen = Mutex::new(String::new());
        let results = run(&calls("rrwwrwr"), &|it| it.name == "r", &|call| {
            seen.lock().expect("a lock").push_str(&call.name);
            returned(call)
        });
        assert_eq!(*seen.lock().expect("a lock"), "rrwwrwr");
        assert_eq!(results.len(), 7);
    }

    #[test]
    fn a_tool_that_falls_over_is_answered() {
        let results = run(&calls("rr"), &|_| true, &|call| {
            assert_ne!(call.id, "0", "on purpose");
            returned(call)
        });
        assert!(results[0].is_error && !results[1].is_error);
    }
}
