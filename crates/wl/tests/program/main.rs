//! The program from outside: real processes, real files, every command in text and as JSON, every failure with its exit
//! code. Not the engine: its suite is elsewhere.
#![expect(clippy::disallowed_methods, reason = "tests prepare folders by hand and watch the clock")]

mod agents;
mod busy;
mod every;
mod history;
mod lists;
mod look;
mod places;
mod plan;
mod scenarios;
mod set_up;
mod team;
mod terminal;
mod words;
mod work;

mod wl;

use wl::Wl;

/// The tests that each command must have: what people see, what scripts get, and each way to fail.
#[derive(Clone, Copy)]
pub(crate) struct Tested {
    command: &'static str,
    #[expect(dead_code, reason = "that they can be named is the proof that they exist")]
    tests: [fn(); 3],
}

impl Tested {
    const fn new(command: &'static str, tests: [fn(); 3]) -> Tested {
        Tested { command, tests }
    }
}
