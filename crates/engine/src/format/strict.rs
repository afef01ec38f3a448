//! What Claude Code itself demands of a task file, and what keeps it from emptying a list. Not what we demand:
//! we read more than it does.

use crate::{
    id::TaskId,
    json::{Json, Object, parse},
    task::{Status, Task},
};

/// The key in `metadata` of tasks that it keeps to itself.
const INTERNAL: &str = "_internal";

/// Why that client does not see the task in a text.
pub(super) fn fault(text: &str) -> Option<String> {
    let value = parse(text).ok()?;
    let object = value.as_object()?;
    let absent = |key: &str| object.get(key).is_none();
    let text = |key: &str| object.get(key).and_then(Json::as_str);
    let string = |key: &str| (text(key).is_none()).then(|| wrong(object, key, "a string"));
    let ids = |key: &str| (!is_strings(object.get(key))).then(|| wrong(object, key, "an array of strings"));
    let optional = |key: &str| if absent(key) { None } else { string(key) };
    let required = ["id", "subject", "description", "status"].into_iter().find_map(string);
    let status =
        || text("status").filter(|it| Status::named(it).is_none()).map(|it| format!("`status` is {it:?}"));
    let metadata = || {
        let fits = absent("metadata") || object.get("metadata").is_some_and(|it| it.as_object().is_some());
        (!fits).then(|| wrong(object, "metadata", "an object"))
    };
    required
        .or_else(status)
        .or_else(|| ["blocks", "blockedBy"].into_iter().find_map(ids))
        .or_else(|| ["owner", "activeForm"].into_iter().find_map(optional))
        .or_else(metadata)
}

fn wrong(object: &Object, key: &str, wanted: &str) -> String {
    match object.get(key) {
        None => format!("there is no `{key}`"),
        Some(Json::Null) => format!("`{key}` is null"),
        Some(_) => format!("`{key}` is not {wanted}"),
    }
}

fn is_strings(value: Option<&Json>) -> bool {
    value.and_then(Json::as_array).is_some_and(|it| it.iter().all(|it| it.as_str().is_some()))
}

/// The interactive client empties a list whose visible tasks are all completed; an open task that it keeps to itself
/// prevents that. It has an owner, so that none of our workers takes it.
pub(super) fn sentinel(seen: &[&Task]) -> Option<Task> {
    let kept = seen.iter().any(|it| it.is_internal() && it.is_open());
    let mut visible = seen.iter().filter(|it| !it.is_internal()).peekable();
    if kept || visible.peek().is_none() || visible.any(|it| it.is_open()) {
        return None;
    }
    Some(keeper())
}

/// The task that prevents it.
pub(super) fn keeper() -> Task {
    let mut task = Task::new(TaskId::from(0), "Keep this list");
    "Holds the finished tasks of this list in place. Remove it when they may go."
        .clone_into(&mut task.description);
    task.owner = Some("worklist".to_owned());
    task.metadata.set(INTERNAL, true);
    task
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_client_cannot_see() {
        let good =
            r#"{"id":"1","subject":"a","description":"","status":"pending","blocks":[],"blockedBy":[]}"#;
        assert_eq!(fault(good), None);
        for (old, new, said) in [
            (r#""id":"1""#, r#""id":1"#, "`id` is not a string"),
            (r#""description":"","#, "", "there is no `description`"),
            (r#""blocks":[]"#, r#""blocks":[2]"#, "`blocks` is not an array of strings"),
            (r#""blockedBy":[]"#, r#""blockedBy":[],"owner":null"#, "`owner` is null"),
            (r#""blockedBy":[]"#, r#""blockedBy":[],"metadata":null"#, "`metadata` is null"),
            ("pending", "open", "`status` is \"open\""),
        ] {
            assert_eq!(fault(&good.replace(old, new)).as_deref(), Some(said));
        }
    }
}
