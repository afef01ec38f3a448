//! What is read as JSON is the same after it was written and read again, in every style.
#![no_main]

use libfuzzer_sys::fuzz_target;
use worklist::json::{Style, parse, write};

fuzz_target!(|text: &str| {
    let Ok(value) = parse(text) else { return };
    for style in [Style::PYTHON, Style::JAVASCRIPT, Style::JACKSON, Style::COMPACT] {
        let again = parse(&write(&value, style, "")).expect("what we write can be read");
        assert_eq!(again, value);
    }
});
