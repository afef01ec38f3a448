//! The conversation at a prompt: its commands, Ctrl-C, and troubles that do not end it.

use crate::{Service, Step, Turn, at, json, place, then};
use std::{
    io::{BufRead, BufReader, Write},
    process::Stdio,
};

#[test]
fn the_commands_of_the_prompt() {
    let wl = place();
    wl.ok(&["init"]);
    wl.ok(&["add", "First"]);
    wl.ok(&["add", "Second", "--after", "1"]);
    let service = Service::playing([
        Step::Turn(Turn::says("Hello.")),
        then(|asked| {
            assert_eq!(
                asked.body["messages"].as_array().map(Vec::len),
                Some(1),
                "what was said is forgotten"
            );
            Turn::says("Again.")
        }),
    ]);
    let url = service.url();
    let typed = "/help\n/tasks\n/graph\n\nHi\n/clear\nHi again\n/odd\n/quit\nnever said\n";
    let said = wl.input(typed).run(&at(&url, &[])).code(0);
    said.stdout_has("/compact  replaces")
        .stdout_has("#2 [blocked] Second")
        .stdout_has("Hello.\n")
        .stdout_has("Again.\n");
    said.stderr_has("There is no command /odd").stderr_has("Open in the list:");
    assert!(said.out.matches("First").count() >= 2, "the list and the picture: {}", said.out);
    service.ended();
}

/// Trouble ends the piece of work, not the conversation; calls that were never answered are closed.
#[test]
fn trouble_does_not_end_the_conversation() {
    let service = Service::playing([
        Step::Turn(Turn::calls("TaskList", json!({}))),
        Step::Status(400, Vec::new(), json!({"error": {"message": "no"}})),
        Step::Turn(Turn::says("Here.")),
    ]);
    let url = service.url();
    let said = place().input("One\nTwo\n").run(&at(&url, &[])).code(0);
    said.stdout("Here.\n").stderr_has("the service answered 400: no");
    service.ended();
}

/// Ctrl-C breaks off the turn, the prompt stays; a second one at once ends.
#[test]
fn an_interrupt_breaks_off_the_turn() {
    let wl = place();
    let service = Service::playing([
        Step::Turn(Turn::calls("bash", json!({"command": "sleep 300"}))),
        then(|asked| {
            let news = asked.news();
            assert!(news[0].contains("person broke it off"), "{news:?}");
            assert_eq!(news[1], "Go on");
            Turn::says("On.")
        }),
    ]);
    let url = service.url();
    let mut command = wl.command(&at(&url, &["--yes", "--json"]));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut until = |kind: &str| {
        let wanted = format!("\"type\":\"{kind}\"");
        lines
            .by_ref()
            .map_while(Result::ok)
            .find(|it| it.replace(": ", ":").contains(&wanted))
            .expect("the event")
    };
    input.write_all(b"Sleep\n").expect("it reads");
    until("call");
    interrupt(&child);
    until("trouble");
    input.write_all(b"Go on\n").expect("it reads");
    assert!(until("end").contains("On."));
    drop(input);
    assert!(child.wait().expect("it ends").success());
    service.ended();
}

/// At the prompt it only warns: what is typed then is said, and a second one at once ends.
#[test]
fn two_interrupts_end_the_conversation() {
    let wl = place();
    let service = Service::saying([Turn::says("Hello."), Turn::says("Still here.")]);
    let url = service.url();
    let mut command = wl.command(&at(&url, &[]));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut said = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let mut notes = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let mut warned = || notes.find(|it| it.contains("Ctrl-C again ends")).expect("a warning");
    input.write_all(b"Hi\n").expect("it reads");
    assert_eq!(said.next().as_deref(), Some("Hello."));
    interrupt(&child);
    warned();
    input.write_all(b"And now?\n").expect("it reads");
    assert_eq!(said.next().as_deref(), Some("Still here."));
    interrupt(&child);
    warned();
    interrupt(&child);
    assert!(child.wait().expect("it ends").success());
    service.ended();
}

/// With one prompt there is nothing to go back to: it ends, and says so.
#[test]
fn an_interrupt_ends_a_single_run() {
    let wl = place();
    let service = Service::playing([Step::Silence]);
    let url = service.url();
    let mut command = wl.command(&at(&url, &["-p", "Go"]));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    service.wait_for(1);
    interrupt(&child);
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("it was broken off"));
}

fn interrupt(child: &std::process::Child) {
    let pid = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw).expect("a process");
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it is there");
}
