//! One server for all tests of this program, a database for each, and lists in them.

use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};
use worklist::TaskList;
use worklist_postgres::{Address, Admin, Postgres};
use worklist_throwaway::Server;

/// A server with a database that holds the tables and no list.
pub(crate) fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| prepared(&[]))
}

/// A server of one's own, to crash or to set up otherwise.
pub(crate) fn prepared(settings: &[&str]) -> Server {
    let server = Server::start(settings);
    server.sql("postgres", "CREATE DATABASE prepared");
    Admin::new(address(&server, "prepared")).migrate().expect("tables");
    server
}

/// The address of a database.
pub(crate) fn address(server: &Server, database: &str) -> Address {
    Address::parse(&server.url(database), &|_| None).expect("an address")
}

/// The address of a database on loopback, by this port.
pub(crate) fn on_loopback(port: u16, database: &str) -> Address {
    let url = format!("postgres://postgres@127.0.0.1:{port}/{database}");
    Address::parse(&url, &|_| None).expect("an address")
}

/// A database of one's own with the tables.
pub(crate) fn database() -> Address {
    address(server(), &server().database(Some("prepared")))
}

/// A list that nobody else has opened: its name.
pub(crate) fn fresh_list(address: &Address) -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("list-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    Postgres::create(address.clone(), &name).expect("a list");
    name
}

/// The list as one process opens it.
pub(crate) fn open(address: &Address, name: &str) -> TaskList {
    Postgres::open(address.clone(), name).expect("the list").into_list()
}
