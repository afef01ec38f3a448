//! Lists of other versions and fields of other programs: read, continued, refused, and never damaged. Not what a format
//! looks like: that is the engine's suite.

mod frozen;
mod kept;
mod newer;
