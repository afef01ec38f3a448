//! The checklist of one session, as `TodoWrite` kept it before there were tasks: a flat list in memory, replaced as a
//! whole. Not tasks: nothing waits for anything, nobody claims, and it is gone with the session.

use crate::{
    json::{Json, Object},
    task::Status,
};
use std::sync::{Mutex, PoisonError};

/// Longest checklist.
pub const MAX_ITEMS: usize = 20;

/// What a session has on its list.
#[derive(Debug, Default)]
pub struct Checklist(Mutex<Vec<Item>>);

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What.
    pub content: String,
    /// Where it stands.
    pub status: Status,
    /// What is being done while it is in progress.
    pub active_form: Option<String>,
}

impl Checklist {
    /// An empty one.
    pub fn new() -> Checklist {
        Checklist::default()
    }

    /// What is on it.
    pub fn items(&self) -> Vec<Item> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts another list in its place; how many items that has, or what is wrong with it.
    pub(super) fn replace(&self, list: &[Json]) -> Result<usize, String> {
        let items = list.iter().enumerate().map(|(n, it)| item(n, it)).collect::<Result<Vec<_>, _>>()?;
        if items.len() > MAX_ITEMS {
            return Err(format!("at most {MAX_ITEMS} todos are allowed"));
        }
        if items.iter().filter(|it| it.status == Status::InProgress).count() > 1 {
            return Err("only one todo can be in_progress".to_owned());
        }
        let count = items.len();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = items;
        Ok(count)
    }
}

fn item(n: usize, value: &Json) -> Result<Item, String> {
    let empty = Object::new();
    let object = value.as_object().unwrap_or(&empty);
    let text = |key: &str| object.get(key).and_then(Json::as_str);
    let (Some(content), Some(status)) = (text("content"), text("status")) else {
        return Err(format!("todos[{n}] missing 'content' or 'status'"));
    };
    let status = Status::named(status).ok_or_else(|| format!("todos[{n}] invalid status '{status}'"))?;
    let active_form = text("activeForm").or(text("active_form")).map(str::to_owned);
    Ok(Item { content: content.to_owned(), status, active_form })
}
