//! Histories of real processes on one task, some of them killed: for each there must be an order of single steps that
//! explains every answer. Not the engine's own histories: those are in its suite, with the store that has no lock.

mod checker;
mod history;
