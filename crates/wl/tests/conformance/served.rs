//! Servers to put questions to: where one is, and the program's own as a process. Not the questions.

use crate::{kit::beside, wl::Wl};
use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    process::{Child, ChildStderr, Command, Stdio},
};

/// Where a server is, and what it wants to see.
#[derive(Clone)]
pub(crate) struct Address {
    origin: String,
    pub(crate) token: String,
}

impl Address {
    pub(crate) fn new(address: SocketAddr, token: &str) -> Address {
        Address { origin: format!("http://{address}"), token: token.to_owned() }
    }

    pub(crate) fn url(&self) -> String {
        format!("{}/mcp", self.origin)
    }

    /// Has a tool that knows of no tokens send this one to this server.
    pub(crate) fn with_token<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("NODE_OPTIONS", format!("--import={}", beside("token.mjs").display()))
            .env("WORKLIST_TEST_ORIGIN", &self.origin)
            .env("WORKLIST_TEST_TOKEN", &self.token)
    }
}

/// The program itself, at a place, with an environment of its own.
pub(crate) fn program(wl: &Wl, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wl"));
    command.args(arguments).env_clear().env("HOME", wl.path("home")).env("USER", "me");
    command.current_dir(wl.path(""));
    command
}

/// `wl mcp --http`, ended when it is dropped.
pub(crate) struct Served {
    pub(crate) address: Address,
    child: Child,
    /// Kept, so that it may go on complaining.
    _said: BufReader<ChildStderr>,
}

impl Served {
    pub(crate) fn at(wl: &Wl) -> Served {
        let mut command = program(wl, &["mcp", "--http", "127.0.0.1:0"]);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the server starts");
        let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        said.read_line(&mut line).expect("a line");
        let (at, file) = line.trim().split_once("/mcp; the token is in ").expect("where it is");
        let (_, address) = at.split_once("http://").expect("an address");
        let token = std::fs::read_to_string(file).expect("the token");
        let address = Address::new(address.parse().expect("an address"), token.trim());
        Served { address, child, _said: said }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
