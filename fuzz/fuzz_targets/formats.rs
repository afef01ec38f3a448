//! Any text in the place of any file of any format: read or refused, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use worklist::format::FORMATS;

fuzz_target!(|text: &str| {
    for format in FORMATS {
        for name in ["1.json", "task_1.json", "tasks.json"] {
            _ = format.decode(name, text);
        }
    }
});
