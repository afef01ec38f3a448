//! In place of the way to a database, in a program that was built without it.

use super::{Health, Kept, Variable};
use crate::failure::Failure;
use worklist::TaskList;

fn absent<T>() -> Result<T, Failure> {
    let hint = "build it with the feature `postgres`, which is on by default";
    Err(Failure::invalid("--store", "cannot be used: this program was built without PostgreSQL", Some(hint)))
}

pub(super) fn open(_url: &str, _name: &str, _variable: Variable) -> Result<TaskList, Failure> {
    absent()
}

pub(super) fn make(_url: &str, _name: &str, _variable: Variable) -> Result<TaskList, Failure> {
    absent()
}

pub(super) fn lists(_url: &str, _variable: Variable) -> Result<Vec<Kept>, Failure> {
    absent()
}

pub(super) fn migrate(_url: &str, _variable: Variable) -> Result<(i32, i32), Failure> {
    absent()
}

pub(super) fn health(_url: &str, _variable: Variable) -> Result<Health, Failure> {
    absent()
}

pub(super) fn grant(_url: &str, _role: &str, _lists: &[String], _variable: Variable) -> Result<(), Failure> {
    absent()
}
