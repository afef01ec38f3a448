//! The client on a terminal of its own, as people use it: what is drawn can be waited for, and keys can be pressed. Not a
//! picture of the screen: what was drawn is kept in its order, also what was drawn over.
//!
//! ```text
//! let mut terminal = Terminal::open(&Claude::new(&wl, &model).list("team"));
//! terminal.shows("? for shortcuts");
//! terminal.press("plan it\r");
//! terminal.shows("planned");
//! ```

use crate::claude::Claude;
use rustix::{
    process::{Pid, Signal, kill_process_group},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};
use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    process::{Child, Stdio},
    sync::{Arc, Condvar, Mutex},
    thread,
    time::Duration,
};

/// How long something may take to be drawn.
const LIMIT: Duration = Duration::from_mins(1);

/// What was drawn so far, and a bell for those who wait for more.
type Drawn = Arc<(Mutex<Vec<u8>>, Condvar)>;

/// A client on a terminal of 40 rows and 120 columns. It is killed with its value.
pub(crate) struct Terminal {
    child: Child,
    keys: File,
    drawn: Drawn,
}

impl Terminal {
    pub(crate) fn open(claude: &Claude) -> Terminal {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("a terminal that can be opened");
        let size = Winsize { ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&ours, size).expect("a size");
        let name = ptsname(&ours, Vec::new()).expect("a name").into_string().expect("a path");
        let theirs = || {
            let end = OpenOptions::new().read(true).write(true).open(&name).expect("the other end");
            Stdio::from(end)
        };
        let mut command = claude.command();
        command.env("TERM", "xterm-256color").stdin(theirs()).stdout(theirs()).stderr(theirs());
        let child = command.spawn().expect("the client starts");
        println!("claude, on a terminal");
        let keys = File::from(ours);
        let drawn = Drawn::default();
        let (eyes, kept) = (keys.try_clone().expect("a second hold"), drawn.clone());
        thread::spawn(move || watch(eyes, &kept));
        Terminal { child, keys, drawn }
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("somebody reads the keys");
    }

    /// Waits until something was drawn. Blanks do not count: they are often movements of the cursor.
    #[track_caller]
    pub(crate) fn shows(&self, text: &str) {
        let (drawn, bell) = &*self.drawn;
        let wanted = without_blanks(text);
        let guard = drawn.lock().expect("no panic");
        let is_missing = |drawn: &mut Vec<u8>| !without_blanks(&plain(drawn)).contains(&wanted);
        let (guard, waited) = bell.wait_timeout_while(guard, LIMIT, is_missing).expect("no panic");
        assert!(!waited.timed_out(), "{text:?} was not drawn: {}", plain(&guard));
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a process");
        // It may have gone by itself in the meantime.
        _ = kill_process_group(group, Signal::KILL);
        _ = self.child.wait();
    }
}

fn watch(mut eyes: File, drawn: &Drawn) {
    let mut part = [0; 4096];
    // The end of the last program at the terminal is an error here.
    while let Ok(length @ 1..) = eyes.read(&mut part) {
        drawn.0.lock().expect("no panic").extend_from_slice(&part[..length]);
        drawn.1.notify_all();
    }
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// A drawing without its escape sequences.
fn plain(drawn: &[u8]) -> String {
    let text = String::from_utf8_lossy(drawn);
    let mut rest = text.split('\u{1b}');
    let mut plain = rest.next().unwrap_or_default().to_owned();
    for sequence in rest {
        let end = match sequence.as_bytes().first() {
            // Colours and movements end with a letter, titles and links with a bell.
            Some(b'[') => sequence[1..].find(|it: char| ('@'..='~').contains(&it)).map(|at| at + 2),
            Some(b']') => sequence.find('\u{7}').map(|at| at + 1),
            _ => Some(sequence.chars().next().map_or(0, char::len_utf8)),
        };
        plain += end.map_or("", |at| &sequence[at..]);
    }
    plain
}

#[test]
fn what_is_drawn_is_read_without_its_colours() {
    assert_eq!(plain(b"\x1b]0;title\x07a\x1b[1;32mb\x1b[0m c\x1b7d\x1b[2Ce"), "ab cde");
}
