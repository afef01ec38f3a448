//! The way to a database.

use super::{Health, Kept, Variable};
use crate::failure::Failure;
use worklist::TaskList;
use worklist_postgres::{Address, Admin, Postgres};

fn address(url: &str, variable: Variable) -> Result<Address, Failure> {
    Ok(Address::parse(url, &variable)?)
}

pub(super) fn open(url: &str, name: &str, variable: Variable) -> Result<TaskList, Failure> {
    Ok(Postgres::open(address(url, variable)?, name)?.into_list())
}

pub(super) fn make(url: &str, name: &str, variable: Variable) -> Result<TaskList, Failure> {
    Ok(Postgres::create(address(url, variable)?, name)?.into_list())
}

pub(super) fn lists(url: &str, variable: Variable) -> Result<Vec<Kept>, Failure> {
    let lists = Admin::new(address(url, variable)?).lists()?;
    let kept = |it: worklist_postgres::Kept| Kept {
        name: it.name,
        open: it.open,
        total: it.total,
        changed: it.changed,
    };
    Ok(lists.into_iter().map(kept).collect())
}

pub(super) fn migrate(url: &str, variable: Variable) -> Result<(i32, i32), Failure> {
    Ok(Admin::new(address(url, variable)?).migrate()?)
}

pub(super) fn health(url: &str, variable: Variable) -> Result<Health, Failure> {
    let it = Admin::new(address(url, variable)?).status()?;
    Ok(Health {
        server: it.server,
        version: it.version,
        schema: it.schema,
        role: it.role,
        lists: it.lists,
        tasks: it.tasks,
        claimed: it.claimed,
        oldest: it.oldest,
        parked: it.parked,
    })
}

pub(super) fn grant(url: &str, role: &str, lists: &[String], variable: Variable) -> Result<(), Failure> {
    Ok(Admin::new(address(url, variable)?).grant(role, lists)?)
}
