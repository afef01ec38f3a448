//! A person at a terminal, who is asked before a command runs. Not the rest of the conversation.

use crate::{Service, Step, Turn, Wl, at, json, place, then};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    process::Stdio,
    sync::mpsc::channel,
    thread,
    time::Duration,
};

/// Runs one prompt at a terminal and types this when a question comes; all that was shown.
fn answered(wl: &Wl, service: &Service, answer: &str) -> String {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("a terminal that can be opened");
    let name = ptsname(&ours, Vec::new()).expect("a name").into_string().expect("a path");
    let theirs =
        || Stdio::from(OpenOptions::new().read(true).write(true).open(&name).expect("the other end"));
    let url = service.url();
    let mut command = wl.command(&at(&url, &["-p", "Go"]));
    let mut child = command.stdin(theirs()).stdout(theirs()).stderr(theirs()).spawn().expect("it starts");
    drop(command);
    let mut typing = File::from(ours.try_clone().expect("a handle"));
    let (sender, shown) = channel();
    thread::spawn(move || {
        let mut from = File::from(ours);
        let mut part = [0; 4096];
        // The end of the last program at the terminal is an error here.
        while let Ok(length @ 1..) = from.read(&mut part) {
            _ = sender.send(String::from_utf8_lossy(&part[..length]).into_owned());
        }
    });
    let mut screen = String::new();
    while !screen.contains("[y/N]") {
        screen +=
            &shown.recv_timeout(Duration::from_mins(1)).unwrap_or_else(|_| panic!("no question: {screen}"));
    }
    typing.write_all(answer.as_bytes()).expect("it is typed");
    assert!(child.wait().expect("it ends").success(), "{screen}");
    screen
}

#[test]
fn a_person_is_asked() {
    for (answer, runs) in [("y\n", true), ("n\n", false), ("\n", false), ("what?\n", false)] {
        let wl = place();
        let service = Service::playing([
            Step::Turn(Turn::calls("bash", json!({"command": "touch made"}))),
            then(move |asked| {
                assert_eq!(asked.result().contains("does not want"), !runs, "{}", asked.result());
                Turn::says("So be it.")
            }),
        ]);
        let shown = answered(&wl, &service, answer);
        assert!(shown.contains("touch made"), "{shown}");
        assert_eq!(wl.path("made").exists(), runs, "{answer:?}");
        service.ended();
    }
}
