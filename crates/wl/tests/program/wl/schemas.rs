//! The published schemas, and whether a document is what they say. Read as anybody would get them: from the program.

use jsonschema::Validator;
use serde_json::Value;
use std::{collections::HashMap, process::Command, sync::LazyLock};

/// What a command prints with `--json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Document,
    Lines,
    Text,
}

static WHOLE: LazyLock<Value> = LazyLock::new(|| {
    let run = Command::new(env!("CARGO_BIN_EXE_wl")).args(["tools", "--json-schemas"]).output();
    serde_json::from_slice(&run.expect("the program runs").stdout).expect("the schemas are JSON")
});

static VALIDATORS: LazyLock<HashMap<String, Validator>> = LazyLock::new(|| {
    let all = commands().into_iter().map(|it| (format!("#/commands/{it}"), it));
    let all = all.chain([("#/error".to_owned(), "error".to_owned())]);
    all.map(|(pointer, name)| {
        let mut schema = WHOLE.clone();
        schema["$ref"] = pointer.into();
        (name, jsonschema::validator_for(&schema).expect("a schema"))
    })
    .collect()
});

/// The commands that have a schema.
pub(crate) fn commands() -> Vec<String> {
    WHOLE["commands"].as_object().expect("commands").keys().cloned().collect()
}

/// What a command prints; what is no command prints a failure.
pub(crate) fn form(command: &str) -> Form {
    match WHOLE["commands"][command]["x-output"].as_str() {
        Some("text") => Form::Text,
        Some("lines") => Form::Lines,
        _ => Form::Document,
    }
}

/// What is wrong with a document of a command.
pub(crate) fn faults(command: &str, document: &Value) -> Vec<String> {
    let validator = VALIDATORS.get(command).unwrap_or_else(|| panic!("{command} has no schema"));
    validator.iter_errors(document).map(|it| format!("{}: {it}", it.instance_path())).collect()
}

/// How the program ends with a failure.
pub(crate) fn exit_code(code: &str) -> i32 {
    let exit = WHOLE["exitCodes"][code].as_i64().unwrap_or_else(|| panic!("{code} is not published"));
    i32::try_from(exit).expect("a small number")
}
