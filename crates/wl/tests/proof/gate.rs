//! Processes that begin at the same moment: each waits at a gate that is opened once all of them stand before it. Not what
//! they do behind it.

use crate::wl::Wl;
use std::{
    io::{PipeReader, PipeWriter, Read, pipe},
    process::{Child, Command, Output, Stdio},
};

/// Says that it is there, waits for the end of its input, and becomes the program.
const WAIT: &str = "echo; read -r _; exec \"$0\" \"$@\"";

/// A pipe that all of them read from: it ends for all at once.
pub(crate) struct Gate {
    reader: PipeReader,
    writer: PipeWriter,
}

/// A process before the gate.
pub(crate) struct Held(Child);

impl Gate {
    pub(crate) fn new() -> Gate {
        let (reader, writer) = pipe().expect("a pipe");
        Gate { reader, writer }
    }

    /// Starts the program and holds it at the gate.
    pub(crate) fn hold(&self, wl: &Wl, arguments: &[&str]) -> Held {
        let program = wl.command(arguments);
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", WAIT]).arg(program.get_program()).args(program.get_args()).env_clear();
        shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell.current_dir(program.get_current_dir().expect("a folder"));
        shell.stdin(self.reader.try_clone().expect("a pipe")).stdout(Stdio::piped()).stderr(Stdio::piped());
        Held(shell.spawn().expect("a shell"))
    }

    /// Waits until everybody is there, and lets them all go.
    pub(crate) fn open<'a>(self, held: impl IntoIterator<Item = &'a mut Held>) {
        for Held(child) in held {
            child.stdout.as_mut().expect("a pipe").read_exact(&mut [0]).expect("it is there");
        }
        drop(self.writer);
    }
}

impl Held {
    pub(crate) fn end(self) -> Output {
        self.0.wait_with_output().expect("it ends")
    }
}
