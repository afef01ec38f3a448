//! All tests of the engine that need more than one file of it. One binary, so that it links once.

mod faults;
mod stores;
mod world;
