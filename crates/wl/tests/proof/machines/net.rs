//! A network of its own with a server in the middle and machines around it, each in a namespace with one cable. It leads
//! nowhere else, and goes with its processes. Not what the machines do.

use crate::wl::{STARTER, Wl};
use std::process::{Child, Command, Stdio};
use worklist_throwaway::Server;

/// What happens in the middle happens in a process of its own, which is told so by this.
const INSIDE: &str = "WORKLIST_IN_THE_MIDDLE";

/// Whether this system lets us have networks of our own.
pub(crate) fn can_be_made() -> bool {
    Command::new("unshare").args(["--net", "true"]).status().is_ok_and(|it| it.success())
}

/// Whether this process is in the middle of a network. If not, this very test is run there, to its end.
pub(crate) fn is_inside(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let mut again = Command::new("unshare");
    again.arg("--net").arg(std::env::current_exe().expect("this program"));
    let ran = again.args(["--exact", test, "--nocapture"]).env(INSIDE, "1").status().expect("unshare runs");
    assert!(ran.success(), "{test} failed in a network of its own");
    false
}

/// A machine: a namespace for as long as this lives.
pub(crate) struct Machine {
    /// Waits for the end of its input, and keeps the namespace.
    holder: Child,
    number: usize,
}

fn ip(words: &str) {
    let ran = Command::new("ip").args(words.split(' ')).output().expect("ip: run `cargo xtask kit`");
    assert!(ran.status.success(), "ip {words}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// A server that listens to all machines.
pub(crate) fn server() -> Server {
    ip("link set lo up");
    let server = Server::start(&["listen_addresses = '*'"]);
    let rules = "local all all trust\nhost all all 10.77.0.0/16 trust\n";
    std::fs::write(server.data().join("pg_hba.conf"), rules).expect("written");
    server.sql("postgres", "SELECT pg_reload_conf()");
    server
}

impl Machine {
    pub(crate) fn new(number: usize) -> Machine {
        let mut wait = Command::new("unshare");
        wait.args(["--net", "sh", "-c", "echo; exec cat"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut holder = wait.spawn().expect("unshare runs");
        // Once it says something, it is there.
        let said = holder.stdout.as_mut().expect("a pipe");
        std::io::Read::read_exact(said, &mut [0]).expect("it is there");
        let machine = Machine { holder, number };
        let pid = machine.holder.id();
        ip(&format!("link add s{number} type veth peer name m{number} netns {pid}"));
        ip(&format!("addr add 10.77.{number}.1/24 dev s{number}"));
        machine.plug();
        for line in [
            "link set lo up".to_owned(),
            format!("addr add 10.77.{number}.2/24 dev m{number}"),
            format!("link set m{number} up"),
        ] {
            let mut command = Command::new("nsenter");
            command.args(["--net", "--target", &pid.to_string(), "ip"]).args(line.split(' '));
            assert!(command.status().expect("nsenter runs").success(), "{line}");
        }
        machine
    }

    /// A place on this machine, with a list on the server.
    pub(crate) fn place(&self, server: &Server, database: &str, list: &str) -> Wl {
        let url = format!(
            "postgres://postgres@10.77.{}.1:{}/{database}?sslmode=disable",
            self.number,
            server.port()
        );
        let enter = format!("/usr/bin/nsenter --net --target {}", self.holder.id());
        let wl = Wl::new().with("WORKLIST_STORE", &url).with("WORKLIST_LIST", list).with(STARTER, &enter);
        wl.by(&format!("m{}", self.number))
    }

    /// Pulls its cable.
    pub(crate) fn pull(&self) {
        ip(&format!("link set s{} down", self.number));
    }

    /// Plugs it in.
    pub(crate) fn plug(&self) {
        ip(&format!("link set s{} up", self.number));
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        _ = self.holder.kill();
        _ = self.holder.wait();
    }
}
