//! Programs of the system that tests run: found by their names, installed with Debian's package manager where that can be
//! done without asking. Not which version of them: any will do.
#![expect(clippy::print_stdout, reason = "a tool for the terminal")]
#![expect(clippy::disallowed_methods, reason = "looks for programs where the shell does")]

use super::twice;
use crate::{Outcome, gate};
use std::{
    env,
    ffi::OsString,
    fs,
    path::PathBuf,
    process::{Command, Stdio},
};

/// A program and the package of Debian that has it.
struct Program {
    name: &'static str,
    package: &'static str,
}

const PROGRAMS: [Program; 24] = [
    Program { name: "git", package: "git" },
    Program { name: "bash", package: "bash" },
    Program { name: "script", package: "bsdutils" },
    Program { name: "strace", package: "strace" },
    Program { name: "python3", package: "python3" },
    Program { name: "man", package: "man-db" },
    Program { name: "groff", package: "groff" },
    Program { name: "node", package: "nodejs" },
    Program { name: "npm", package: "npm" },
    Program { name: "flock", package: "util-linux" },
    Program { name: "prlimit", package: "util-linux" },
    Program { name: "setpriv", package: "util-linux" },
    Program { name: "unshare", package: "util-linux" },
    Program { name: "nsenter", package: "util-linux" },
    Program { name: "ip", package: "iproute2" },
    Program { name: "faketime", package: "faketime" },
    Program { name: "mkfs.ext4", package: "e2fsprogs" },
    Program { name: "mkfs.xfs", package: "xfsprogs" },
    Program { name: "valgrind", package: "valgrind" },
    Program { name: "time", package: "time" },
    Program { name: "task", package: "taskwarrior" },
    Program { name: "openssl", package: "openssl" },
    Program { name: "postgres", package: "postgresql" },
    Program { name: "pgbouncer", package: "pgbouncer" },
];

/// Installs the programs that are missing.
pub(super) fn run() -> Outcome {
    let missing: Vec<&Program> = PROGRAMS.iter().filter(|it| found(it.name).is_none()).collect();
    if !missing.is_empty() {
        install(&missing.iter().map(|it| it.package).collect::<Vec<_>>())?;
    }
    for program in &PROGRAMS {
        let path = found(program.name).ok_or_else(|| format!("{} is not in PATH", program.name))?;
        let new = missing.iter().any(|it| it.name == program.name);
        println!("{}: {} {}", program.name, if new { "installed," } else { "there," }, path.display());
    }
    Ok(())
}

/// Where programs are looked for: also where those of the administrator are, which not every shell knows.
pub(crate) fn path() -> OsString {
    let own = env::var_os("PATH").unwrap_or_default();
    let more = ["/usr/sbin", "/sbin"].map(PathBuf::from);
    env::join_paths(env::split_paths(&own).chain(more)).unwrap_or(own)
}

/// Where a program is found. Debian keeps those of database servers apart, one folder for each version.
pub(crate) fn found(name: &str) -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let servers = versions.map(|it| it.path().join("bin"));
    let path = path();
    env::split_paths(&path).chain(servers).map(|folder| folder.join(name)).find(|it| it.is_file())
}

/// Installs packages of the system, or says who must.
pub(super) fn install(packages: &[&str]) -> Outcome {
    let wanted = packages.join(" ");
    let by_hand = format!("{wanted}: not installed; install it as root, on Debian: apt-get install {wanted}");
    let Some(prefix) = permission() else { return Err(by_hand) };
    if found("apt-get").is_none() {
        return Err(by_hand);
    }
    let apt = |arguments: &[&str]| {
        let words = [prefix, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"], arguments].concat();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).stdout(Stdio::null());
        gate::finish(command)
    };
    println!("{wanted}: installing with apt-get");
    twice(|| {
        apt(&["update"])
            .and_then(|()| apt(&[&["install", "-y", "--no-install-recommends"], packages].concat()))
    })
    .map_err(|reason| format!("apt-get {reason}. {by_hand}"))
}

/// What to put before a command so that root runs it, if that is possible without a question.
fn permission() -> Option<&'static [&'static str]> {
    let id = Command::new("id").arg("-u").output().ok()?;
    if id.stdout.trim_ascii() == b"0" {
        return Some(&[]);
    }
    let sudo = Command::new("sudo").args(["-n", "true"]).stderr(Stdio::null()).status();
    sudo.is_ok_and(|it| it.success()).then_some(&["sudo", "-n"])
}
