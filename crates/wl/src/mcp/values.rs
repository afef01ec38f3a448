//! Values on their way between the protocol's library and the engine. Not their meaning.

use serde_json::{Map, Value};
use worklist::json::{Json, Style, parse, write};

/// What a client sent, for the engine; why it cannot be read.
pub(super) fn json(value: &Value) -> Result<Json, String> {
    parse(&value.to_string()).map_err(|fault| fault.to_string())
}

/// An object of the engine's, for a client.
pub(super) fn object(json: &Json) -> Map<String, Value> {
    match serde_json::from_str(&write(json, Style::COMPACT, "")) {
        Ok(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_on_the_way_there_and_back() {
        let text = r#"{"z":1,"a":[null,true,"é\u0000"],"n":12345678901234567890,"f":0.5}"#;
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(Value::Object(object(&json(&value).expect("JSON"))), value);
    }
}
