//! Commands of the shell: in a group of processes of their own, for a bounded time, with a bounded answer. Not whether a
//! command may run.

use crate::agent::interrupt::Interrupts;
use std::{
    collections::VecDeque,
    io::{PipeReader, Read},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, channel},
    },
    thread,
    time::Duration,
};
use worklist::clock::{Clock, SystemClock};

/// So long a command may take, unless the call says otherwise, and at most.
pub(super) const USUAL_SECONDS: u64 = 120;
pub(super) const MOST_SECONDS: u64 = 600;
/// So much of the beginning and of the end of an output is kept.
const HEAD: usize = 8 * 1024;
const TAIL: usize = 24 * 1024;
/// So often it is looked whether a command has ended.
const STEP_MS: u64 = 10;
/// The keys of services are nothing for commands.
const KEYS: [&str; 2] = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"];

/// Where and how long a command runs.
pub(super) struct Shell<'a> {
    pub(super) folder: &'a Path,
    pub(super) seconds: u64,
    pub(super) interrupts: &'a Interrupts,
}

/// How it ended.
enum End {
    Exited(ExitStatus),
    TooLong,
    Interrupted,
}

impl Shell<'_> {
    /// Runs a command; its output, or what went wrong with what it said until then.
    pub(super) fn run(&self, command: &str) -> Result<String, String> {
        let (mut child, reader) =
            self.start(command).map_err(|error| format!("It could not be started: {error}."))?;
        let output = Listener::new(reader);
        let end = self.end(&mut child);
        // Also what it left in the background: nothing of it outlives the call.
        stop(&mut child);
        let said = output.text();
        let said = if said.is_empty() { "(no output)".to_owned() } else { said };
        match end {
            End::Exited(status) if status.success() => Ok(said),
            End::Exited(status) => Err(format!("{said}\n[{status}]")),
            End::TooLong => Err(format!("{said}\n[stopped: it took longer than {} s]", self.seconds)),
            End::Interrupted => Err(format!("{said}\n[stopped: the person broke it off]")),
        }
    }

    fn start(&self, command: &str) -> std::io::Result<(Child, PipeReader)> {
        let (reader, writer) = std::io::pipe()?;
        let spawn = |shell: &str| -> std::io::Result<Child> {
            let mut shell = Command::new(shell);
            shell.args(["-c", command]).current_dir(self.folder).stdin(Stdio::null());
            shell.stdout(writer.try_clone()?).stderr(writer.try_clone()?);
            for key in KEYS {
                shell.env_remove(key);
            }
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut shell, 0);
            shell.spawn()
        };
        let child = match spawn("bash") {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => spawn("sh"),
            other => other,
        };
        Ok((child?, reader))
    }

    fn end(&self, child: &mut Child) -> End {
        let until = SystemClock.ticks() + self.seconds * 1000;
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return End::Exited(status),
                _ if self.interrupts.came() => return End::Interrupted,
                _ if SystemClock.ticks() >= until => return End::TooLong,
                _ => SystemClock.sleep(STEP_MS),
            }
        }
    }
}

/// Stops a command and whatever it started.
fn stop(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    _ = child.kill();
    _ = child.wait();
}

/// Reads a pipe in the background: something that left the group may hold it open.
struct Listener {
    kept: Arc<Mutex<Kept>>,
    done: Receiver<()>,
}

impl Listener {
    fn new(mut pipe: PipeReader) -> Listener {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let (sender, done) = channel();
        let ours = kept.clone();
        thread::spawn(move || {
            let mut part = [0; 8192];
            while let Ok(length @ 1..) = pipe.read(&mut part) {
                ours.lock().unwrap_or_else(PoisonError::into_inner).add(&part[..length]);
            }
            _ = sender.send(());
        });
        Listener { kept, done }
    }

    fn text(&self) -> String {
        _ = self.done.recv_timeout(Duration::from_millis(500));
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).text()
    }
}

/// The beginning and the end of an output of any length.
#[derive(Default)]
struct Kept {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: usize,
}

impl Kept {
    fn add(&mut self, bytes: &[u8]) {
        let room = HEAD - self.head.len();
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..over);
        self.left_out += over;
    }

    fn text(&self) -> String {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let gap = format!("\n[{} bytes left out]\n", self.left_out);
        let parts: [&[u8]; 3] = [&self.head, if self.left_out > 0 { gap.as_bytes() } else { b"" }, &tail];
        // One text: a letter may begin in the head and end in the tail.
        String::from_utf8_lossy(&parts.concat()).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(command: &str, seconds: u64, interrupts: &Interrupts) -> Result<String, String> {
        Shell { folder: Path::new("/"), seconds, interrupts }.run(command)
    }

    #[test]
    fn long_output_keeps_both_ends() {
        let mut kept = Kept::default();
        for n in 0..100_000 {
            kept.add(format!("{n}\n").as_bytes());
        }
        let text = kept.text();
        assert!(
            text.starts_with("0\n1\n") && text.ends_with("99998\n99999") && text.contains("bytes left out")
        );
        assert!(text.len() < HEAD + TAIL + 100);
    }

    #[test]
    fn letters_survive_the_seam() {
        let mut kept = Kept::default();
        kept.add(&vec![b'a'; HEAD - 1]);
        kept.add("é".as_bytes());
        assert!(kept.text().ends_with("aé"));
    }

    #[test]
    fn how_it_ended_is_told() {
        let calm = Interrupts::default();
        assert_eq!(run("echo out; echo err >&2", 9, &calm).as_deref(), Ok("out\nerr"));
        assert!(
            run("echo no; exit 3", 9, &calm).is_err_and(|it| it.starts_with("no\n[") && it.contains('3'))
        );
        assert!(run("sleep 60", 1, &calm).is_err_and(|it| it.contains("longer than 1 s")));
        calm.press();
        assert!(run("sleep 60", 60, &calm).is_err_and(|it| it.contains("broke it off")));
    }
}
