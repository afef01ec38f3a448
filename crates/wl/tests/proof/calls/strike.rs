//! System calls of a run, one after the other, and a run that is killed or failed at one of them. By `strace`, from
//! outside: the program is the one that is shipped. Not what must hold afterwards.

use crate::wl::Wl;
use std::{
    collections::HashMap,
    fmt, fs,
    io::Write,
    os::unix::process::ExitStatusExt,
    process::{Command, Stdio},
};

/// One system call of a run: the n-th of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) call: String,
    pub(crate) n: usize,
    /// What the trace says of it.
    pub(crate) line: String,
}

/// What strikes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blow {
    Kill,
    Error(&'static str),
}

impl fmt::Display for Blow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Blow::Kill => f.write_str("killed"),
            Blow::Error(errno) => write!(f, "{errno}"),
        }
    }
}

/// How a run ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    /// Whether the blow fell: a run may take another way than the one that was traced.
    pub(crate) struck: bool,
}

/// Calls that ask something of the world, and can be told no.
const WORLDLY: &[&str] = &[
    "open",
    "openat",
    "openat2",
    "read",
    "pread64",
    "write",
    "pwrite64",
    "close",
    "fsync",
    "fdatasync",
    "ftruncate",
    "fallocate",
    "flock",
    "fcntl",
    "mkdir",
    "mkdirat",
    "rmdir",
    "unlink",
    "unlinkat",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "getdents64",
    "fstat",
    "newfstatat",
    "statx",
    "fstatfs",
    "fchmod",
    "fchmodat",
    "utimensat",
    "copy_file_range",
];

/// Calls that change something which outlives the process. Descriptors and locks do not: they die with it.
const CHANGING: &[&str] = &[
    "write",
    "pwrite64",
    "writev",
    "fsync",
    "fdatasync",
    "ftruncate",
    "fallocate",
    "mkdir",
    "mkdirat",
    "rmdir",
    "unlink",
    "unlinkat",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "symlinkat",
    "fchmod",
    "fchmodat",
    "utimensat",
    "copy_file_range",
    "sendfile",
    "exit_group",
];

/// The calls of a run from its first look at the list on: before it there is only the start of the process.
pub(crate) fn points(wl: &Wl, arguments: &[&str], list: &str) -> Vec<Point> {
    let trace = wl.path("trace");
    let ended = run(wl, &["-f", "-qq"], arguments);
    assert_eq!(ended.code, Some(0), "wl {arguments:?}: {}{}", ended.out, ended.err);
    let text = fs::read_to_string(&trace).expect("a trace");
    let (mut counts, mut begun, mut points) = (HashMap::<&str, usize>::new(), false, Vec::new());
    for line in text.lines() {
        let Some((_, line)) = line.split_once(' ') else { continue };
        let Some((call, _)) = line.trim_start().split_once('(') else { continue };
        if !call.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_') {
            continue;
        }
        let n = counts.entry(call).or_default();
        *n += 1;
        begun |= line.contains(list);
        if begun {
            points.push(Point { call: call.to_owned(), n: *n, line: line.trim_start().to_owned() });
        }
    }
    points
}

impl Point {
    pub(crate) fn is_worldly(&self) -> bool {
        // Debug builds of the standard library ask for the flags of what they close; the shipped program does not.
        WORLDLY.contains(&self.call.as_str()) && !self.line.contains("F_GETFD")
    }

    /// Whether a death before this call finds other things on the disk than a death before the one that follows it.
    pub(crate) fn is_changing(&self) -> bool {
        CHANGING.contains(&self.call.as_str())
            || self.line.contains("O_CREAT")
            || self.line.contains("O_TRUNC")
    }

    /// Runs a command that is struck here.
    pub(crate) fn strike(&self, wl: &Wl, arguments: &[&str], blow: Blow) -> Ended {
        let (call, n) = (&self.call, self.n);
        let trace = format!("trace={call}");
        // A filter in the kernel is faster, but a signal at its stop is lost.
        let (filter, inject) = match blow {
            Blow::Kill => ("-qq", format!("inject={call}:signal=KILL:when={n}")),
            Blow::Error(errno) => ("--seccomp-bpf", format!("inject={call}:error={errno}:when={n}")),
        };
        let mut ended = run(wl, &["-f", "-qq", filter, "-e", &trace, "-e", &inject], arguments);
        ended.struck |= fs::read_to_string(wl.path("trace")).is_ok_and(|it| it.contains("(INJECTED)"));
        ended
    }
}

fn run(wl: &Wl, options: &[&str], arguments: &[&str]) -> Ended {
    let plain = wl.command(arguments);
    let mut command = Command::new("strace");
    command.args(options).arg("-o").arg(wl.path("trace")).arg(plain.get_program()).args(arguments);
    let variables = plain.get_envs().filter_map(|(name, value)| Some((name, value?)));
    command.env_clear().envs(variables).current_dir(plain.get_current_dir().expect("a folder"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("strace: {error}: run `cargo xtask kit`"));
    // Whoever was killed before it read needs no input.
    _ = child.stdin.take().expect("a pipe").write_all(wl.typed().as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ended {
        code: output.status.code(),
        out: text(output.stdout),
        err: text(output.stderr),
        struck: output.status.signal() == Some(9),
    }
}
