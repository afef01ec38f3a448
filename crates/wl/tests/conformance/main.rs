//! The MCP server as strangers see it: the protocol's own conformance suite, its inspector, and a client in another
//! language. What they need comes from `cargo xtask kit`. Not what the tools answer: that is `program`.
#![expect(clippy::disallowed_methods, reason = "tests read what the official tools wrote")]
#![expect(clippy::print_stdout, reason = "how much was checked is told")]

mod fixtures;
#[path = "../../src/mcp/http/mod.rs"]
#[expect(dead_code, reason = "the product's own way in; its handler uses the rest")]
mod http;
mod inspector;
mod kit;
mod python;
mod served;
mod suite;
#[path = "../program/wl/mod.rs"]
#[expect(dead_code, unused_imports, reason = "shared with the other tests, which use the rest")]
mod wl;
