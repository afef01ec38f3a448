//! Attacks on the finished program: real processes, real files, real file systems. One module for each line of the matrix
//! in docs/proof.md, where the figures are. Not the simulated disk: that is the engine's suite.
#![expect(clippy::print_stdout, reason = "each proof prints its figures")]
#![expect(clippy::disallowed_methods, reason = "tests start processes, prepare folders and watch the clock")]

mod calls;
mod cases;
mod chance;
#[path = "../clients/claude.rs"]
#[expect(dead_code, reason = "shared with the clients' own tests, which use the rest")]
mod claude;
mod clocks;
mod files;
mod fleet;
mod gate;
#[path = "../clients/http.rs"]
#[expect(dead_code, reason = "shared with other scripted services, which use the rest")]
mod http;
#[path = "../clients/kit.rs"]
mod kit;
mod machines;
#[path = "../mcp/client.rs"]
#[expect(dead_code, reason = "shared with the server's own tests, which use the rest")]
#[expect(clippy::needless_pass_by_value, reason = "values are written down where they are sent")]
mod mcp;
#[path = "../clients/model.rs"]
#[expect(dead_code, reason = "shared with the clients' own tests, which use the rest")]
mod model;
mod order;
mod peers;
mod place;
mod power;
mod race;
mod racer;
mod scarce;
#[path = "../hostile/snapshot.rs"]
mod snapshot;
mod storm;
mod tally;
mod torn;
mod versions;
mod victims;
mod wiped;
#[path = "../program/wl/mod.rs"]
#[expect(dead_code, unused_imports, reason = "shared with the other tests, which use the rest")]
mod wl;
