//! `wl agent` from outside: the real program, a real list, and a service on loopback that plays a script. Not whether a
//! model is any good.
#![expect(clippy::disallowed_methods, reason = "tests prepare folders by hand and start processes")]
#![expect(clippy::needless_pass_by_value, reason = "values are written down where they are sent")]

mod compaction;
mod dialogues;
#[path = "../clients/http.rs"]
#[expect(dead_code, reason = "shared with other scripted services, which use the rest")]
mod http;
mod keys;
mod resumed;
mod safety;
mod service;
mod talk;
mod terminal;
mod tools;
mod troubles;
#[path = "../program/wl/mod.rs"]
#[expect(dead_code, unused_imports, reason = "shared with the other tests, which use the rest")]
mod wl;
mod workers;

use serde_json::{Value, json};
use service::{Asked, Service, Step, Turn};
use wl::{Read, Run, Wl};

/// The key of every test; no output may ever show it.
const KEY: &str = "sk-test-0123456789abcdef";

/// A place in which the agent can run commands, with the key of both services.
fn place() -> Wl {
    let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".to_owned());
    Wl::new().with("PATH", &path).with("ANTHROPIC_API_KEY", KEY).with("OPENAI_API_KEY", KEY)
}

/// The arguments of the agent at a service.
fn at<'a>(service: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["agent", "--provider", "anthropic", "--base-url", service], more].concat()
}

/// Runs one prompt to its end.
#[track_caller]
fn run(wl: &Wl, service: &Service, more: &[&str]) -> Run {
    let url = service.url();
    let run = wl.run(&at(&url, &[&["-p", "Go"], more].concat()));
    no_key(&run);
    run
}

/// The same, which must succeed, for a script that must be played to its end.
#[track_caller]
fn plays(wl: &Wl, service: &Service, more: &[&str]) -> Run {
    let run = run(wl, service, more).code(0);
    service.ended();
    run
}

#[track_caller]
fn no_key(run: &Run) {
    assert!(!run.out.contains(KEY) && !run.err.contains(KEY), "the key was shown:\n{}{}", run.out, run.err);
}

/// A step that looks at what came back and then says something.
fn then(look: impl FnOnce(&Asked) -> Turn + Send + 'static) -> Step {
    Step::Then(Box::new(look))
}
