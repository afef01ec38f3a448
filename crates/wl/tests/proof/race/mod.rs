//! Many want the same at the same moment, through the command line, the tools and the server, each way alone and all of
//! them mixed: one gets it. Not what becomes of it when they are killed: that is `storm`.

mod creates;
mod drains;
mod one;

use crate::{
    gate::{Gate, Held},
    racer::{Racer, Said, Way, Wish, params},
    wl::Wl,
};
use serde_json::{Value, json};

/// Who is in a race, and under which names: peers are known to have taken all of one name for the same.
#[derive(Debug, Clone, Copy)]
struct Field {
    about: &'static str,
    /// Most of these have no locks of other programs, which would help a store without its own.
    format: &'static str,
    ways: &'static [Way],
    names: Names,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    Own,
    Shared,
}

const FIELDS: [Field; 5] = [
    Field { about: "command line", format: "s07", ways: &[Way::Line], names: Names::Own },
    Field { about: "tools", format: "java", ways: &[Way::Tool], names: Names::Own },
    Field { about: "servers", format: "v6", ways: &[Way::Server], names: Names::Own },
    Field { about: "mixed", format: "s07", ways: &[Way::Line, Way::Tool, Way::Server], names: Names::Own },
    Field {
        about: "mixed, of one name",
        format: "claude",
        ways: &[Way::Server, Way::Tool, Way::Line],
        names: Names::Shared,
    },
];

impl Field {
    /// So many racers of this kind on a list.
    fn racers(self, wl: &Wl, count: usize) -> Vec<Racer> {
        let racer = |(n, way): (usize, &Way)| {
            let agent = if self.names == Names::Own { format!("agent-{n}") } else { "twin".to_owned() };
            Racer::new(wl, *way, &agent, format!("session-{n}"))
        };
        self.ways.iter().cycle().take(count).enumerate().map(racer).collect()
    }
}

/// All ask for their wish at once: processes go through one gate, servers are asked the moment it opens.
fn race<'a>(racers: &'a [Racer], wish: impl Fn(usize) -> Wish) -> Vec<Said> {
    let gate = Gate::new();
    let held = |(n, it): (usize, &'a Racer)| {
        let arguments = wish(n).arguments(it.way);
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        it.server.is_none().then(|| gate.hold(&it.wl, &words))
    };
    let mut held: Vec<Option<Held>> = racers.iter().enumerate().map(held).collect();
    gate.open(held.iter_mut().flatten());
    let asked = |(n, it): (usize, &'a Racer)| {
        it.server.as_ref().map(|server| (server, server.send("tools/call", params(&wish(n)))))
    };
    let asked: Vec<_> = racers.iter().enumerate().map(asked).collect();
    let answers = held.into_iter().zip(asked);
    answers
        .map(|(held, asked)| match (held, asked) {
            (Some(held), _) => Said::of_process(&held.end()),
            (None, Some((server, number))) => Said::of_server(&server.answer(&number)),
            (None, None) => Said::Wrong("nobody".to_owned()),
        })
        .collect()
}

/// A list of so many tasks, none of which waits for another.
fn list_of(format: &str, count: usize) -> Wl {
    let wl = Wl::of_format(format, &[]);
    let tasks: Vec<Value> = (0..count).map(|n| json!({"subject": format!("task {n}")})).collect();
    wl.input(&json!({"tasks": tasks}).to_string()).ok(&["plan", "-"]);
    wl
}
