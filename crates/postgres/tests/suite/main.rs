//! The conformance suite over a real server, and what only a server can get wrong.
#![expect(
    clippy::disallowed_methods,
    reason = "tests wait, keep time and write what servers need by themselves"
)]

mod audit;
mod conformance;
mod crowd;
mod cuts;
mod drain;
mod encrypted;
mod grace;
mod kept;
mod linear;
mod numbers;
mod pages;
mod place;
mod pooler;
mod proxy;
mod removed;
mod roles;
mod skew;
mod stopped;
mod tally;
mod versions;
mod words;
mod worker;
