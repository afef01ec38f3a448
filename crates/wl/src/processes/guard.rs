//! The guardian of one command: a process between us and what we run. It keeps the output, and when we go, however we
//! go, ends everything that the command ever started. Not our judgement of how it ended.
//!
//! On its standard input comes the length of the command's input, the input, and later perhaps a word to stop; the end
//! of that stream is our end.

use super::{heard::Tail, signal_group, tree};
use rustix::process::Signal;
use std::{
    ffi::OsString,
    fs::File,
    io::{self, BufRead, BufReader, PipeReader, Read, Write},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::Duration,
};

/// The variable by which the processes of one guardian are known.
pub(super) const MARK: &str = "WORKLIST_WARD";
/// The word by which the program becomes a guardian.
pub(super) const WORD: &str = "guard";
/// A command that was asked to end has so long to do it.
const GRACE: Duration = Duration::from_secs(3);
/// So much of the output is kept as it comes; of what follows only the end.
const HEAD: u64 = 8 * 1024 * 1024;
const TAIL: usize = 256 * 1024;
/// The exit code of a guardian whose command could not be started.
const NOT_STARTED: u8 = 127;

/// What a guardian says when output could not be kept.
pub(super) const LOST: &[u8] = b"lost";

/// What happens to a guardian.
enum News {
    Ended(io::Result<ExitStatus>),
    /// Whoever started it wants it to stop, or is gone.
    Stop,
}

/// Guards one command; the exit code to end with.
pub(crate) fn guard(log: Option<&Path>, command: &[OsString]) -> u8 {
    tree::adopt_orphans();
    let mut line = BufReader::new(io::stdin());
    let Ok(input) = input(&mut line) else { return 1 };
    let mut kept = log.map(Kept::new);
    let (child, output) = match start(command, kept.is_some()) {
        Ok(started) => started,
        Err(error) => {
            let program = command.first().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
            let said = format!("could not start {program}: {error}\n");
            match &mut kept {
                Some(kept) => kept.write(said.as_bytes()),
                None => _ = io::stdout().write_all(said.as_bytes()),
            }
            return NOT_STARTED;
        }
    };
    let status = watch(child, input, line);
    let reader = output.zip(kept).map(|(output, kept)| thread::spawn(move || keep(output, kept)));
    let status = status.recv_all();
    // What still runs has no task any more. With it goes the last hold on the output.
    tree::end_all();
    if reader.is_some_and(|it| it.join().unwrap_or(true)) {
        // Whoever had it guarded reads this, or is gone.
        _ = io::stdout().write_all(LOST);
    }
    code(status)
}

fn input(line: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut length = String::new();
    line.read_line(&mut length)?;
    let length = length.trim().parse::<u64>().map_err(io::Error::other)?;
    let mut input = Vec::new();
    line.take(length).read_to_end(&mut input)?;
    Ok(input)
}

/// The command in a group of its own, so that what is typed at our terminal does not reach it; and what it says, if that
/// is kept here.
fn start(command: &[OsString], kept: bool) -> io::Result<(Child, Option<PipeReader>)> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).process_group(0).stdin(Stdio::piped());
    if !kept {
        return Ok((command.spawn()?, None));
    }
    let (output, writer) = io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    Ok((command.spawn()?, Some(output)))
}

/// Watches over a command.
struct Watch {
    leader: u32,
    news: Receiver<News>,
}

fn watch(mut child: Child, input: Vec<u8>, mut line: impl BufRead + Send + 'static) -> Watch {
    let (sender, news) = channel();
    let leader = child.id();
    if let Some(mut stdin) = child.stdin.take() {
        // A command that does not read its input has what it needs.
        thread::spawn(move || _ = stdin.write_all(&input));
    }
    let stopper = sender.clone();
    thread::spawn(move || {
        let mut word = String::new();
        _ = line.read_line(&mut word);
        _ = stopper.send(News::Stop);
    });
    thread::spawn(move || _ = sender.send(News::Ended(child.wait())));
    Watch { leader, news }
}

impl Watch {
    /// Waits for the end; who is told to stop is asked first and ended then.
    fn recv_all(&self) -> Option<ExitStatus> {
        match self.news.recv() {
            Ok(News::Ended(status)) => return status.ok(),
            Ok(News::Stop) => self.signal(Signal::TERM),
            Err(_) => return None,
        }
        match self.news.recv_timeout(GRACE) {
            Ok(News::Ended(status)) => return status.ok(),
            Ok(News::Stop) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
        self.signal(Signal::KILL);
        // One that is stopped dies of this, too.
        match self.news.recv_timeout(GRACE) {
            Ok(News::Ended(status)) => status.ok(),
            _ => None,
        }
    }

    fn signal(&self, signal: Signal) {
        signal_group(self.leader, signal);
        if signal == Signal::TERM {
            // Who was paused must be able to hear it.
            signal_group(self.leader, Signal::CONT);
        }
    }
}

fn code(status: Option<ExitStatus>) -> u8 {
    let signal = status.and_then(|it| it.signal()).map(|it| 128 + it);
    let code = status.and_then(|it| it.code()).or(signal).unwrap_or(1);
    u8::try_from(code).unwrap_or(1)
}

/// Reads the output to its end, whatever becomes of it: a command must not hang because nobody reads. Whether some of it
/// was lost.
fn keep(mut output: PipeReader, mut kept: Kept) -> bool {
    let mut piece = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = output.read(&mut piece) {
        kept.write(&piece[..length]);
    }
    kept.finish();
    kept.lost
}

/// The output as it is kept: the beginning as it comes, of the rest only the end.
struct Kept {
    file: Option<File>,
    written: u64,
    tail: Tail,
    lost: bool,
}

impl Kept {
    fn new(path: &Path) -> Kept {
        Kept { file: crate::own_files::create(path).ok(), written: 0, tail: Tail::of(TAIL), lost: false }
    }

    fn write(&mut self, bytes: &[u8]) {
        let room = usize::try_from(HEAD - self.written).unwrap_or(usize::MAX).min(bytes.len());
        self.put(&bytes[..room]);
        self.written += room as u64;
        self.tail.add(&bytes[room..]);
    }

    fn finish(&mut self) {
        let tail = self.tail.bytes().to_vec();
        if self.tail.left_out > 0 {
            self.put(format!("\n… {} bytes are left out here …\n", self.tail.left_out).as_bytes());
        }
        self.put(&tail);
    }

    /// A disk that is full costs the output, not the work.
    fn put(&mut self, bytes: &[u8]) {
        let kept = self.file.as_mut().is_some_and(|it| it.write_all(bytes).is_ok());
        if !kept && !bytes.is_empty() {
            (self.file, self.lost) = (None, true);
        }
    }
}
