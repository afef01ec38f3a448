//! Processes that others kill and pause while somebody waits for what they say. Not who they are, nor when it happens.

use rustix::process::{Pid, Signal, kill_process};
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex},
};

/// The place of a process: empty while none runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Victim(Arc<Mutex<Option<Pid>>>);

impl Victim {
    pub(crate) fn start(&self, command: &mut Command) -> Child {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut place = self.0.lock().expect("a place");
        let child =
            piped.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}: run `cargo xtask kit`"));
        *place = Some(Pid::from_child(&child));
        child
    }

    /// Waits for the end of a process that has closed its streams.
    pub(crate) fn end(&self, mut child: Child) -> ExitStatus {
        // It cannot be meant any more once its number may be another's.
        *self.0.lock().expect("a place") = None;
        child.wait().expect("it ends")
    }

    /// Runs a command to its end: how it ended, and what it said.
    pub(crate) fn run(&self, command: &mut Command) -> (ExitStatus, String, String) {
        let mut child = self.start(command);
        drop(child.stdin.take());
        let (mut out, mut err) = (String::new(), String::new());
        child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
        child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("text");
        (self.end(child), out, err)
    }

    /// Kills whatever is there at this moment, after the word was spread.
    pub(crate) fn kill(&self, spread: impl FnOnce(Pid)) -> bool {
        let place = self.0.lock().expect("a place");
        let Some(pid) = *place else { return false };
        spread(pid);
        kill_process(pid, Signal::KILL).is_ok()
    }

    /// Stops whatever is there at this moment, until the answer is dropped.
    pub(crate) fn pause(&self) -> Option<Paused> {
        let pid = (*self.0.lock().expect("a place"))?;
        kill_process(pid, Signal::STOP).ok().map(|()| Paused(pid))
    }
}

/// A process that stands still.
pub(crate) struct Paused(Pid);

impl Drop for Paused {
    fn drop(&mut self) {
        // If it has ended meanwhile, nobody minds.
        _ = kill_process(self.0, Signal::CONT);
    }
}

/// A process that answers lines with lines.
pub(crate) struct Talk {
    child: Option<Child>,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    victim: Victim,
}

impl Talk {
    pub(crate) fn start(victim: &Victim, command: &mut Command) -> Talk {
        let mut child = victim.start(command.stderr(Stdio::null()));
        // Nobody reads it, and it must not fill up.
        drop(child.stderr.take());
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Talk { input: child.stdin.take(), child: Some(child), output, victim: victim.clone() }
    }

    /// Says a line; false if nobody is there to hear it.
    pub(crate) fn say(&mut self, line: &str) -> bool {
        self.input.as_mut().is_some_and(|it| it.write_all(format!("{line}\n").as_bytes()).is_ok())
    }

    /// The next line; none once it has ended.
    pub(crate) fn hear(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.output.read_line(&mut line).ok()?;
        (length > 0 && line.ends_with('\n')).then(|| line.trim_end().to_owned())
    }

    /// Nothing more will be said to it.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.hang_up();
        let Some(mut child) = self.child.take() else { return };
        _ = child.kill();
        self.victim.end(child);
    }
}
