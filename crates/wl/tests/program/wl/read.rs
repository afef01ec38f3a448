//! Reading documents in tests: what is not there fails the test, and is named. Not whether a document is right.

use serde_json::Value;

pub(crate) trait Read {
    /// The items of an array under a key.
    fn items(&self, key: &str) -> &Vec<Value>;
    /// The text under a key.
    fn word(&self, key: &str) -> &str;
    /// The one of its tasks that has this under a key.
    fn task(&self, key: &str, value: &str) -> &Value;
}

impl Read for Value {
    #[track_caller]
    fn items(&self, key: &str) -> &Vec<Value> {
        self[key].as_array().unwrap_or_else(|| panic!("no array {key} in {self}"))
    }

    #[track_caller]
    fn word(&self, key: &str) -> &str {
        self[key].as_str().unwrap_or_else(|| panic!("no text {key} in {self}"))
    }

    #[track_caller]
    fn task(&self, key: &str, value: &str) -> &Value {
        let found = self.items("tasks").iter().find(|it| it[key] == value);
        found.unwrap_or_else(|| panic!("no task with {key} {value} in {self}"))
    }
}
