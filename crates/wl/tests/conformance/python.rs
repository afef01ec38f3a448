//! A client in another language, with the official library: a whole life over both transports and in both eras, and two
//! clients of one server. What it does is in `client.py`. Not how the server is written.

use crate::{
    kit::{python, said},
    wl::Wl,
};

fn lives(arguments: &[&str]) {
    let wl = Wl::new();
    let mut command = python("client.py");
    command.arg(env!("CARGO_BIN_EXE_wl")).args(arguments);
    command.env_clear().env("HOME", wl.path("home")).env("USER", "me").env("PATH", "/usr/bin:/bin");
    let run = said(command.current_dir(wl.path("")));
    assert_eq!(run.code, Some(0), "{arguments:?}\n{}\n{}", run.out, run.err);
    print!("{}", run.out);
}

#[test]
fn a_life_over_stdio_in_the_older_era() {
    lives(&["life", "stdio", "legacy"]);
}

#[test]
fn a_life_over_stdio_in_the_newer_era() {
    lives(&["life", "stdio", "2026-07-28"]);
}

#[test]
fn a_life_over_http_in_the_older_era() {
    lives(&["life", "http", "legacy"]);
}

#[test]
fn a_life_over_http_in_the_newer_era() {
    lives(&["life", "http", "2026-07-28"]);
}

#[test]
fn two_clients_of_one_server_in_the_older_era() {
    lives(&["two", "http", "legacy"]);
}

#[test]
fn two_clients_of_one_server_in_the_newer_era() {
    lives(&["two", "http", "2026-07-28"]);
}
