//! `wl tools`, and whether the schemas that it prints have teeth.

use crate::{
    Tested, Wl,
    wl::{Form, commands, faults, form},
};
use serde_json::{Value, json};

pub(crate) const TESTED: Tested = Tested::new("tools", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::new();
    wl.ok(&["tools"]).stdout_has("TaskCreate\n").stdout_has("TaskNext\n").stdout_has("\"type\":");
    let printed = wl.ok(&["tools", "--json-schemas"]).json();
    assert_eq!(printed["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(jsonschema::meta::is_valid(&printed));
}

#[test]
fn json() {
    let wl = Wl::new();
    assert_eq!(wl.ok(&["tools", "--json-schemas", "--json"]).out, wl.ok(&["tools", "--json-schemas"]).out);
    let forms = ["watch", "export", "help", "add"].map(form);
    assert_eq!(forms, [Form::Lines, Form::Lines, Form::Text, Form::Document]);
    let tools = wl.json(&["tools", "ours"])["tools"].clone();
    for tool in tools.as_array().unwrap() {
        assert!(jsonschema::meta::is_valid(&tool["inputSchema"]), "{tool}");
        assert!(jsonschema::validator_for(&tool["inputSchema"]).is_ok(), "{tool}");
    }
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["tools", "odd"], 2, "invalid").says("ours");
    wl.fails(&["tools", "ours", "more"], 2, "usage");
}

/// Every small damage to a good answer is noticed: a key too many, one too few, a wrong word, a wrong kind.
#[test]
fn a_broken_answer_is_rejected() {
    let wl = Wl::with_tasks(&["a", "b < a"]);
    let claimed = wl.json(&["claim", "1"]);
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut answer = claimed.clone();
        change(&mut answer);
        faults("claim", &answer)
    };
    assert_eq!(broken(&|_| ()), [""; 0]);
    let damage: [&dyn Fn(&mut Value); 9] = [
        &|it| it["extra"] = json!(1),
        &|it| it["task"]["colour"] = json!("red"),
        &|it| _ = it.as_object_mut().unwrap().remove("token"),
        &|it| _ = it["task"].as_object_mut().unwrap().remove("state"),
        &|it| _ = it["task"].as_object_mut().unwrap().remove("blockedBy"),
        &|it| it["task"]["status"] = json!("open"),
        &|it| it["task"]["createdAt"] = json!("2026-01-01"),
        &|it| it["task"]["claim"]["expires"] = json!(17),
        &|it| it["warnings"] = json!("one"),
    ];
    for (n, change) in damage.iter().enumerate() {
        assert!(!broken(change).is_empty(), "damage {n} went unnoticed");
    }
}

#[test]
fn a_broken_failure_is_rejected() {
    let error = |error: Value| faults("error", &json!({ "error": error })).is_empty();
    assert!(error(json!({"code": "blocked", "message": "m", "id": "1", "by": ["2"], "missing": []})));
    assert!(!error(json!({"code": "blocked", "message": "m", "id": "1", "by": "ann", "missing": []})));
    assert!(!error(json!({"code": "blocked", "message": "m"})));
    assert!(!error(json!({"code": "strange", "message": "m"})));
    assert!(!error(json!({"code": "io", "message": ""})));
    assert!(!error(json!({"code": "io", "message": "m", "more": 1})));
    assert!(!faults("error", &json!({"error": {"code": "io", "message": "m"}, "task": {}})).is_empty());
}

/// No schema lets everything through.
#[test]
fn nothing_takes_anything() {
    for command in commands().into_iter().filter(|it| form(it) != Form::Text) {
        for answer in [json!({}), json!({"odd": 1}), json!([]), json!("text")] {
            assert!(!faults(&command, &answer).is_empty(), "{command} takes {answer}");
        }
    }
}
