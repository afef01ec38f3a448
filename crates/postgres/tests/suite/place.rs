//! One server for all tests of this program, a database for each.

use std::sync::OnceLock;
use worklist_postgres::{Address, Admin};
use worklist_throwaway::Server;

/// A server with a database that holds the tables and no list.
pub(crate) fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let server = Server::start(&[]);
        server.sql("postgres", "CREATE DATABASE prepared");
        Admin::new(address(&server, "prepared")).migrate().expect("tables");
        server
    })
}

/// The address of a database.
pub(crate) fn address(server: &Server, database: &str) -> Address {
    Address::parse(&server.url(database), &|_| None).expect("an address")
}

/// A database of one's own with the tables.
pub(crate) fn database() -> Address {
    address(server(), &server().database(Some("prepared")))
}
