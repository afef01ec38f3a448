//! The conformance suite over a real server, and what only a server can get wrong.

mod conformance;
mod place;
