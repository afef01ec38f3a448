//! Worklist: a task graph for teams of coding agents, kept as plain files that outlive any conversation.
//!
//! Tasks wait for tasks. A worker asks what is ready, claims one, works, completes, and what waited is free. Many
//! workers share a list: nothing is done twice, nothing is lost. This crate is the engine; it prints nothing, reads
//! no environment and has no runtime.
//!
//! ```
//! use worklist::{Actor, Command, NewTask, Options, TaskList, rules::{ClaimTask, CompleteTask}};
//!
//! # fn main() -> Result<(), worklist::Error> {
//! let folder = std::env::temp_dir().join(format!("worklist-doc-{}", std::process::id()));
//! let list = TaskList::create(&folder, &Options::default())?;
//! let ann = Actor::new("ann", "session-1");
//!
//! // A task, and one that waits for it.
//! let new = |subject: &str| NewTask { subject: subject.to_owned(), ..NewTask::default() };
//! let parse = list.run(&ann, &Command::Create(new("Write the parser")))?.decision.about[0].clone();
//! let test = NewTask { blocked_by: vec![parse.clone()], ..new("Test the parser") };
//! let test = list.run(&ann, &Command::Create(test))?.decision.about[0].clone();
//!
//! // Claiming is one atomic step and gives a number that fences out everyone else.
//! assert!(list.run(&ann, &Command::Claim(ClaimTask::of(test.clone()))).is_err());
//! let token = list.run(&ann, &Command::Claim(ClaimTask::of(parse.clone())))?.decision.token;
//!
//! // Completing names what it freed.
//! let done = CompleteTask { id: parse, token, force: false };
//! assert_eq!(list.run(&ann, &Command::Complete(done))?.decision.freed, [test]);
//! # std::fs::remove_dir_all(folder).ok();
//! # Ok(())
//! # }
//! ```
//!
//! # The map
//!
//! - Values: [`task`], [`id`], [`time`], [`claim`], [`event`], [`graph`], [`json`].
//! - [`rules`] decide, pure: command in, changes or a refusal out.
//! - [`plan`] reads a plan that somebody wrote; [`transfer`] reads the tasks of other programs.
//! - [`mod@format`] is the shape of tasks on disk; [`store`] keeps lists; [`vfs`] and [`clock`] are what a disk and a
//!   clock must do for it, so that simulated ones can take their place.
//! - [`TaskList`] is the door; [`view`] is what surfaces show; [`spread`] uses every core for both.

pub mod claim;
pub mod clock;
#[cfg(feature = "simulation")]
pub mod conformance;
pub mod event;
pub mod format;
pub mod graph;
pub mod hooks;
pub mod id;
pub mod json;
mod list;
pub mod nearest;
pub mod plan;
pub mod portable;
pub mod rules;
pub mod spread;
pub mod store;
pub mod task;
pub mod time;
pub mod tools;
pub mod transfer;
pub mod vfs;
pub mod view;
pub mod why;

pub use claim::Actor;
pub use id::TaskId;
pub use list::{GoesOn, Options, Outcome, TaskList, Watch};
pub use rules::{Command, NewTask, Refusal};
pub use store::{Error, History, SessionGuard, Whole, files::doctor};
pub use task::{Priority, Status, Task};
pub use view::{Board, Ready, Shown, State, TaskView};
