//! What the client tells a hook: one JSON object, and what follows from it alone. Not the list, and nothing else of this
//! program: the fuzzer reads inputs by this very module.

pub(super) mod tool;
pub(super) mod who;

use worklist::{
    Actor, Task, TaskId,
    json::{Json, Object, parse},
};

/// One input.
#[derive(Debug, Default)]
pub(super) struct Input(Object);

impl Input {
    /// Reads a text, or says why not.
    pub(super) fn of(text: &str) -> Result<Input, String> {
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
    /// The task as the client describes it.
    pub(super) fn task(&self) -> Option<Task> {
        let id = TaskId::typed(self.text("task_id")?)?;
        let mut task = Task::new(id, self.text("task_subject").unwrap_or_default().to_owned());
        self.text("task_description").unwrap_or_default().clone_into(&mut task.description);
        Some(task)
    }
}
