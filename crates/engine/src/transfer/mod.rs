//! Lists on their way from one place to another: as lines of text, in another format, from another program.
//! Not the laying down: that is the store's.

pub mod beads;
pub mod lines;
pub mod suit;
