//! What the machine itself takes for the least that has to be done: a process, a flush, a look at every file. Not ours: no
//! line of the engine is in it but its parser of JSON.

use super::{lists::List, program, text::Author};
use crate::ship;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags, StatxFlags};
use std::{
    fs::{self, File, OpenOptions},
    hint::black_box,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use worklist::json::{self, Json, Style};

/// About as many bytes as the journal gets for one change.
const APPENDED: [u8; 800] = [b'x'; 800];

/// One thing that a machine does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// The start and end of a Rust program that does nothing, as the compiler makes it.
    Process,
    /// The same, made as the program that is shipped.
    StaticProcess,
    /// 800 bytes behind those that are there, and a flush.
    Append,
    /// Two names change their files.
    Exchange,
    /// The state of every task file.
    Stat,
    /// Every task file read and parsed.
    Parse,
    /// The same, and written down again as one text.
    Serialise,
    /// As many files made as the list has tasks, as long as those.
    Create,
}

/// What the limits are measured with.
pub(super) struct Ground {
    folder: PathBuf,
    dynamic: PathBuf,
    stationary: PathBuf,
    appended: File,
    made: usize,
}

impl Ground {
    /// Compiles the empty programs and lays out the files.
    pub(super) fn lay(folder: &Path) -> io::Result<Ground> {
        let source = folder.join("empty.rs");
        fs::write(&source, "fn main() {}\n")?;
        let dynamic = compile(&source, &folder.join("empty"), &[])?;
        let target = ship::target().map_err(io::Error::other)?;
        let how: Vec<&str> = match &target {
            Some(target) => vec!["--target", target, "-C", "relocation-model=static"],
            None => vec!["-C", "target-feature=+crt-static"],
        };
        let stationary = compile(&source, &folder.join("empty-static"), &how)?;
        for name in ["appended", "one", "other"] {
            fs::write(folder.join(name), APPENDED)?;
        }
        let appended = OpenOptions::new().append(true).open(folder.join("appended"))?;
        appended.sync_all()?;
        Ok(Ground { folder: folder.to_owned(), dynamic, stationary, appended, made: 0 })
    }

    /// Measures once.
    pub(super) fn sample(&mut self, limit: Limit, list: &List) -> io::Result<Duration> {
        match limit {
            Limit::Process => program::time(&mut quiet(&self.dynamic)),
            Limit::StaticProcess => program::time(&mut quiet(&self.stationary)),
            Limit::Append => timed(|| {
                self.appended.write_all(&APPENDED)?;
                self.appended.sync_data()
            }),
            Limit::Exchange => {
                let [one, other] = ["one", "other"].map(|it| self.folder.join(it));
                let exchange = || rustix::fs::renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE);
                timed(|| Ok(exchange()?))
            }
            Limit::Stat => timed(|| stat_all(list)),
            Limit::Parse => timed(|| parse_all(list).map(drop)),
            Limit::Serialise => timed(|| {
                let all = Json::Array(parse_all(list)?);
                black_box(json::write(&all, Style::COMPACT, ""));
                Ok(())
            }),
            Limit::Create => {
                let folder = self.folder.join(format!("made-{}", self.made));
                self.made += 1;
                create_all(&folder, list.size)
            }
        }
    }
}

fn compile(source: &Path, program: &Path, how: &[&str]) -> io::Result<PathBuf> {
    let mut command = Command::new("rustc");
    command.args(["--edition", "2024", "-O", "-C", "strip=symbols"]).args(how);
    let output = command.arg("-o").arg(program).arg(source).output()?;
    if output.status.success() { Ok(program.to_owned()) } else { Err(program::unexpected(&command, &output)) }
}

fn quiet(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn timed(work: impl FnOnce() -> io::Result<()>) -> io::Result<Duration> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed())
}

fn stat_all(list: &List) -> io::Result<()> {
    let folder = File::open(&list.folder)?;
    for file in &list.files {
        let state = rustix::fs::statx(&folder, file, AtFlags::empty(), StatxFlags::BASIC_STATS)?;
        black_box(state.stx_size);
    }
    Ok(())
}

/// Reads by name beneath the open folder, which is the shortest way to a file.
fn parse_all(list: &List) -> io::Result<Vec<Json>> {
    let folder = File::open(&list.folder)?;
    let mut text = String::new();
    let parse = |file: &String| {
        let opened = rustix::fs::openat(&folder, file, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        text.clear();
        File::from(opened).read_to_string(&mut text)?;
        json::parse(&text).map_err(|error| io::Error::other(format!("{file}: {error}")))
    };
    list.files.iter().map(parse).collect()
}

/// Texts are thought up before the clock runs.
fn create_all(folder: &Path, count: usize) -> io::Result<Duration> {
    let mut author = Author::new(3);
    let texts: Vec<String> = (0..count).map(|_| author.subject() + &author.description()).collect();
    fs::create_dir(folder)?;
    timed(|| {
        for (n, text) in texts.iter().enumerate() {
            File::create(folder.join(format!("{n}.json")))?.write_all(text.as_bytes())?;
        }
        Ok(())
    })
}
