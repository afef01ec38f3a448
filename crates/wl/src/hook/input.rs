//! What the client tells a hook: one JSON object on standard input, soon. Not what is made of it.

use std::{io::Read, sync::mpsc::channel, thread, time::Duration};
use worklist::{
    Actor, TaskId,
    json::{Json, Object, parse},
};

/// Larger inputs are not read.
const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// The client writes at once; whoever leaves the pipe open does not hold us up.
const PATIENCE: Duration = Duration::from_millis(600);

/// One input.
#[derive(Debug, Default)]
pub(super) struct Input(Object);

impl Input {
    /// Reads standard input to its end, or says why not.
    pub(super) fn read() -> Result<Input, String> {
        let (sender, read) = channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let done = std::io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes);
            _ = sender.send(done.map(|_| bytes));
        });
        let bytes = read.recv_timeout(PATIENCE).map_err(|_| "standard input does not end".to_owned())?;
        let bytes = bytes.map_err(|error| format!("standard input cannot be read: {error}"))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err("the input is larger than 4 MiB".to_owned());
        }
        let text = String::from_utf8(bytes).map_err(|_| "the input is not UTF-8".to_owned())?;
        Input::of(&text)
    }

    fn of(text: &str) -> Result<Input, String> {
        match parse(text.trim()) {
            Ok(Json::Object(object)) => Ok(Input(object)),
            Ok(_) => Err("the input is not an object".to_owned()),
            Err(fault) => Err(format!("the input is not JSON: {fault}")),
        }
    }

    /// What stands under a key; null if nothing does.
    pub(super) fn value(&self, key: &str) -> &Json {
        self.0.get(key).unwrap_or(&Json::Null)
    }

    /// A text that says something.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.value(key).as_str().filter(|it| !it.trim().is_empty())
    }

    /// A text that can be a name: one short line.
    pub(super) fn name(&self, key: &str) -> Option<&str> {
        self.text(key).filter(|it| Actor::is_name(it))
    }

    pub(super) fn is_true(&self, key: &str) -> bool {
        *self.value(key) == Json::Bool(true)
    }

    /// Ids, as texts or numbers; what cannot be one is left out.
    pub(super) fn ids(&self, key: &str) -> Vec<TaskId> {
        let id = |it: &Json| match it {
            Json::String(text) | Json::Number(text) => TaskId::typed(text.trim()),
            _ => None,
        };
        self.value(key).as_array().unwrap_or_default().iter().filter_map(id).collect()
    }
}

#[cfg(test)]
impl Input {
    /// An input for tests.
    pub(super) fn test(text: &str) -> Input {
        Input::of(text).expect("an input")
    }
}
