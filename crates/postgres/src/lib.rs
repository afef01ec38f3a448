//! Lists of tasks in PostgreSQL: the same promises for a team on many machines.
//!
//! One more [`Store`](worklist::store::Store). The rules stay in the engine: SQL finds rows and keeps others from them,
//! the same pure rules decide, SQL writes. What a decision was made on is checked again while it is written; if it has
//! changed, everything is decided anew.
//!
//! ```no_run
//! use worklist_postgres::{Address, Postgres};
//!
//! # fn main() -> Result<(), worklist::Error> {
//! let address = Address::parse("postgres://db.example/team", &|_| None)?;
//! let list = Postgres::open(address, "release")?.into_list();
//! println!("{} tasks", list.board()?.tasks.len());
//! # Ok(())
//! # }
//! ```

mod address;
mod admin;
mod attempt;
mod clock;
mod code;
mod commit;
mod link;
mod listen;
mod passwords;
mod rank;
mod schema;
mod sessions;
mod store;
mod tls;
mod trouble;
mod view;
mod whole;
mod wire;

pub use address::{Address, Variable};
pub use admin::{Admin, Kept, Status};
pub use schema::VERSION;
pub use store::Postgres;
