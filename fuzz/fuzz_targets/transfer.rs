//! Any text as an export of ours or of beads: read or refused; what is read is the same after one more journey.
#![no_main]

use libfuzzer_sys::fuzz_target;
use worklist::transfer::{beads, lines};

fuzz_target!(|text: &str| {
    _ = beads::read(text);
    if let Ok((whole, format)) = lines::import(text) {
        let first = lines::export(&whole, &format);
        let (again, format) = lines::import(&first).expect("what we export can be imported");
        assert_eq!(lines::export(&again, &format), first);
    }
});
