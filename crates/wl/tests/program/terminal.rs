//! What a person at a terminal gets and a pipe does not: colours, a list cut to the screen, pages, the live view.

use crate::Wl;
use rustix::{
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};
use std::{
    fs::{File, OpenOptions},
    io::Read,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

/// A terminal of so many rows and 80 columns, and what was drawn on it.
struct Screen {
    child: Child,
    drawn: Arc<Mutex<String>>,
    reader: thread::JoinHandle<()>,
}

impl Screen {
    fn new(wl: &Wl, rows: u16, variables: &[(&str, &str)], arguments: &[&str]) -> Screen {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("a terminal that can be opened");
        let size = Winsize { ws_row: rows, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&ours, size).expect("a size");
        let name = ptsname(&ours, Vec::new()).expect("a name").into_string().expect("a path");
        let theirs = || OpenOptions::new().read(true).write(true).open(&name).expect("the other end");
        let child = Command::new(env!("CARGO_BIN_EXE_wl"))
            .args(arguments)
            .env_clear()
            .envs([("HOME", "/nonexistent"), ("USER", "me"), ("TERM", "xterm"), ("LANG", "C.UTF-8")])
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .envs(variables.iter().copied())
            .current_dir(wl.path("."))
            .stdin(Stdio::from(theirs()))
            .stdout(Stdio::from(theirs()))
            .stderr(Stdio::from(theirs()))
            .spawn()
            .expect("the program starts");
        let drawn = Arc::new(Mutex::new(String::new()));
        let kept = drawn.clone();
        let reader = thread::spawn(move || {
            let mut from = File::from(ours);
            let mut part = [0; 4096];
            // The end of the last program at the terminal is an error here.
            while let Ok(length @ 1..) = from.read(&mut part) {
                kept.lock().expect("no panic").push_str(&String::from_utf8_lossy(&part[..length]));
            }
        });
        Screen { child, drawn, reader }
    }

    /// Waits until something is drawn.
    fn shows(&self, text: &str) {
        let until = Instant::now() + Duration::from_secs(20);
        while !self.drawn.lock().expect("no panic").contains(text) {
            assert!(Instant::now() < until, "{text:?} is not in {:?}", self.drawn.lock().expect("no panic"));
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end, and gives all that was drawn.
    fn end(mut self) -> String {
        self.child.wait().expect("it ends");
        self.reader.join().expect("no panic");
        self.drawn.lock().expect("no panic").replace("\r\n", "\n")
    }
}

fn tasks(count: usize) -> Wl {
    let wl = Wl::new();
    let lines: Vec<String> = (1..=count).map(|n| format!("- [ ] Task {n}")).collect();
    wl.write("plan.md", &lines.join("\n"));
    wl.ok(&["plan", "plan.md"]);
    wl
}

#[test]
fn colours_on_a_terminal_unless_unwanted() {
    let wl = tasks(1);
    let green = "\u{1b}[32m[ ]\u{1b}[0m";
    assert!(Screen::new(&wl, 24, &[], &["list"]).end().contains(green));
    for (variables, arguments) in [
        (&[("NO_COLOR", "1")][..], &["list"][..]),
        (&[("TERM", "dumb")], &["list"]),
        (&[], &["list", "--color", "never"]),
    ] {
        assert_eq!(Screen::new(&wl, 24, variables, arguments).end(), "[ ] #1 Task 1\n", "{arguments:?}");
    }
}

#[test]
fn a_long_list_is_cut_to_the_screen_and_says_so() {
    let wl = tasks(50);
    let cut = Screen::new(&wl, 10, &[("NO_COLOR", "1")], &["list"]).end();
    assert_eq!(cut.lines().count(), 8, "{cut}");
    assert!(cut.ends_with("… and 43 more; --all shows every one\n"), "{cut}");
}

#[test]
fn long_output_is_shown_page_by_page_where_somebody_turns_them() {
    let wl = tasks(50);
    let pager = &[("PAGER", "cat -n"), ("NO_COLOR", "1")];
    let paged = Screen::new(&wl, 10, pager, &["list", "--all"]).end();
    assert!(paged.contains("50\t[ ] #50 Task 50\n"), "{paged}");
    let short = Screen::new(&wl, 100, pager, &["list", "--all"]).end();
    assert!(short.starts_with("[ ]  #1 Task 1\n"), "{short}");
    for (variables, arguments) in
        [(&[("CLAUDECODE", "1")][..], &["list", "--all"][..]), (&[], &["list", "--all", "--no-pager"])]
    {
        let variables = [pager, variables].concat();
        let plain = Screen::new(&wl, 10, &variables, arguments).end();
        assert!(plain.starts_with("[ ]  #1 Task 1\n"), "{arguments:?}: {plain}");
    }
    let gone = Screen::new(&wl, 10, &[("PAGER", "/nonexistent/pager")], &["list", "--all"]).end();
    assert!(gone.contains("Task 50"), "what cannot be paged is printed: {gone}");
}

#[test]
fn the_live_view_follows_the_list() {
    let wl = tasks(2);
    let mut screen = Screen::new(&wl, 24, &[("NO_COLOR", "1")], &["watch"]);
    screen.shows("2 tasks: 2 ready, 0 in progress");
    wl.by("ann").ok(&["claim", "1"]);
    screen.shows("2 tasks: 1 ready, 1 in progress");
    screen.shows("ann claimed #1 Task 1");
    wl.write(".tasks/2.json", &wl.read(".tasks/2.json").replace("Task 2", "Edited by hand"));
    screen.shows("Edited by hand");
    screen.child.kill().expect("it can be stopped");
    screen.end();
}
