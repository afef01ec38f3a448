//! Inputs as that client checks them: types are not bent, and what is wrong is said in its words. Not what becomes of
//! them.

use crate::{
    json::{Json, Object, Style, write},
    tools::{Arguments, Fault},
};

/// What a parameter must be.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    Texts,
    Object,
}

/// A parameter: its name, what it must be.
pub(super) type Parameter = (&'static str, Kind);

/// Refuses an input that has not every required parameter, has others, or has them of other types.
pub(super) fn strict(
    arguments: &Arguments<'_>,
    known: &[Parameter],
    required: &[&'static str],
) -> Result<(), Fault> {
    let missing = required.iter().filter(|it| !arguments.has(&[it]));
    let mut issues: Vec<String> = missing.map(|it| missing_parameter(it)).collect();
    for (key, value) in arguments.given() {
        match known.iter().find(|(name, _)| *name == key) {
            None => issues.push(format!("An unexpected parameter `{key}` was provided")),
            Some((_, kind)) => issues.extend(mistyped(key, *kind, value)),
        }
    }
    refuse(arguments, &issues)
}

/// The refusal of an input with these issues.
pub(super) fn refuse(arguments: &Arguments<'_>, issues: &[String]) -> Result<(), Fault> {
    let issue = match issues.len() {
        0 => return Ok(()),
        1 => "issue",
        _ => "issues",
    };
    let (tool, issues) = (arguments.called, issues.join("\n"));
    Err(Fault::Arguments(format!("{tool} failed due to the following {issue}:\n{issues}")))
}

pub(super) fn missing_parameter(name: &str) -> String {
    format!("The required parameter `{name}` is missing")
}

/// What is wrong with the type of a value, if something is.
pub(super) fn mistyped(name: &str, kind: Kind, value: &Json) -> Option<String> {
    let expected = match (kind, value) {
        (Kind::Text, Json::String(_)) | (Kind::Object, Json::Object(_)) => return None,
        (Kind::Texts, Json::Array(items)) => {
            return items
                .iter()
                .enumerate()
                .find_map(|(n, it)| mistyped(&format!("{name}[{n}]"), Kind::Text, it));
        }
        (Kind::Text, _) => "string",
        (Kind::Texts, _) => "array",
        (Kind::Object, _) => "object",
    };
    let given = type_of(value);
    Some(format!("The parameter `{name}` type is expected as `{expected}` but provided as `{given}`"))
}

fn type_of(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

/// What its checker says of a word that is not a status: none of the two ways to read it fits.
pub(super) fn no_status() -> Fault {
    let choice = |values: &[&str], message: &str| {
        let values = Object::new().with("code", "invalid_value").with("values", Json::strings(values));
        let issue = values.with("path", Json::Array(Vec::new())).with("message", message);
        Json::Array(vec![Json::Object(issue)])
    };
    let three = choice(
        &["pending", "in_progress", "completed"],
        r#"Invalid option: expected one of "pending"|"in_progress"|"completed""#,
    );
    let deleted = choice(&["deleted"], r#"Invalid input: expected "deleted""#);
    let issue = Object::new()
        .with("code", "invalid_union")
        .with("errors", Json::Array(vec![three, deleted]))
        .with("path", Json::strings(["status"]))
        .with("message", "Invalid input");
    Fault::Arguments(write(&Json::Array(vec![Json::Object(issue)]), Style::JAVASCRIPT, ""))
}
