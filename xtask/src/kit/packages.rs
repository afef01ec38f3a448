//! Packages of npm and Python in exact versions, each kind in a folder of its own beneath the tools. A folder counts only
//! once everything in it was seen to run. Not the tables: those are one level up.
#![expect(clippy::print_stdout, reason = "a tool for the terminal")]
#![expect(clippy::disallowed_methods, reason = "a tool that keeps a folder of packages")]

use super::{system, twice};
use crate::Outcome;
use std::{env, fs, path::Path, process::Command};
use worklist::json;

/// Written last, with the versions that were installed: what was begun and not finished has none.
const STAMP: &str = "installed";

/// Where packages come from.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Npm,
    Python,
}

pub(super) struct Package {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
}

/// A program in the folder, and what it says when it runs as it should.
pub(super) struct Proof {
    pub(super) program: &'static str,
    pub(super) arguments: &'static [&'static str],
    pub(super) says: &'static str,
}

/// Packages that are installed together.
pub(super) struct Packages {
    pub(super) kind: Kind,
    pub(super) wanted: &'static [Package],
    pub(super) proofs: &'static [Proof],
}

impl Packages {
    /// Makes sure that all of them are in their folder beneath the tools.
    pub(super) fn bring(&self, tools: &Path) -> Outcome {
        let folder = tools.join(self.kind.folder());
        let there = self.are_in(&folder);
        if !there {
            println!("{}: installing into {}", self.kind.folder(), folder.display());
            twice(|| self.install(&folder))?;
        }
        let did = if there { "there" } else { "installed" };
        for Package { name, version } in self.wanted {
            println!("{name} {version}: {did}");
        }
        Ok(())
    }

    fn are_in(&self, folder: &Path) -> bool {
        let stamp = fs::read_to_string(folder.join(STAMP));
        stamp.is_ok_and(|it| it == self.stamp())
            && self.wanted.iter().all(|it| self.kind.has(folder, it))
            && self.proofs.iter().all(|it| folder.join(it.program).is_file())
    }

    fn stamp(&self) -> String {
        self.wanted.iter().map(|it| format!("{} {}", it.name, it.version)).collect::<Vec<_>>().join("\n")
    }

    /// Begins with an empty folder: half of an older set is harder to explain than a download.
    fn install(&self, folder: &Path) -> Outcome {
        let said = |error: std::io::Error| format!("{}: {error}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(said)?;
        }
        fs::create_dir_all(folder).map_err(said)?;
        self.kind.install(folder, self.wanted)?;
        for proof in self.proofs {
            proof.check(folder)?;
        }
        fs::write(folder.join(STAMP), self.stamp()).map_err(said)
    }
}

impl Package {
    /// Whether a folder of npm says of itself that it has this.
    pub(super) fn is_in(&self, folder: &Path) -> bool {
        Kind::Npm.has(folder, self)
    }

    /// Installs this alone with npm.
    pub(super) fn install(self, folder: &Path) -> Outcome {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Kind::Npm.install(folder, &[self])
    }
}

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Kind::Npm => "npm",
            Kind::Python => "python",
        }
    }

    /// Whether the folder says of itself that it has a package in this version.
    fn has(self, folder: &Path, package: &Package) -> bool {
        let Package { name, version } = package;
        match self {
            Kind::Npm => {
                let text = fs::read_to_string(folder.join("node_modules").join(name).join("package.json"));
                let parsed = text.ok().and_then(|it| json::parse(&it).ok());
                let found = parsed.as_ref().and_then(|it| it.as_object()?.get("version")?.as_str());
                found == Some(version)
            }
            Kind::Python => {
                let pythons = fs::read_dir(folder.join("lib")).into_iter().flatten().flatten();
                let name = format!("site-packages/{name}-{version}.dist-info");
                pythons.map(|it| it.path().join(&name)).any(|it| it.is_dir())
            }
        }
    }

    fn install(self, folder: &Path, wanted: &[Package]) -> Outcome {
        match self {
            Kind::Npm => {
                let mut npm = Command::new("npm");
                npm.args(["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", "--prefix"])
                    .arg(folder);
                npm.args(wanted.iter().map(|it| format!("{}@{}", it.name, it.version)));
                fetch("npm", npm.current_dir(folder))
            }
            Kind::Python => {
                let knows = Command::new("python3").args(["-c", "import ensurepip, venv"]).output();
                if !knows.is_ok_and(|it| it.status.success()) {
                    system::install(&["python3-venv"])?;
                }
                fetch("python3", Command::new("python3").args(["-m", "venv"]).arg(folder))?;
                let mut pip = Command::new(folder.join("bin/python3"));
                pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
                pip.args(wanted.iter().map(|it| format!("{}=={}", it.name, it.version)));
                fetch("pip", &mut pip)
            }
        }
    }
}

impl Proof {
    fn check(&self, folder: &Path) -> Outcome {
        // Programs of npm look for their interpreter by name.
        let own = folder.join("node_modules/.bin");
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([own].into_iter().chain(env::split_paths(&path)));
        let program = folder.join(self.program);
        let mut command = Command::new(&program);
        command.args(self.arguments).env("HOME", folder).env("PATH", path.unwrap_or_default());
        let output =
            command.output().map_err(|error| format!("{} does not run: {error}", program.display()))?;
        if String::from_utf8_lossy(&output.stdout).contains(self.says) {
            return Ok(());
        }
        let said = last_lines(&output.stdout, &output.stderr);
        Err(format!("{} was installed but does not say {}: {said}", program.display(), self.says))
    }
}

/// Runs an installer in silence, and explains its failure.
fn fetch(name: &str, command: &mut Command) -> Outcome {
    let output = command.output().map_err(|error| format!("{name} could not be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = last_lines(&output.stdout, &output.stderr);
    let all = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    let why = if is_unreachable(&all) {
        "its registry could not be reached"
    } else {
        "the packages could not be installed"
    };
    Err(format!("{name}: {why}; the tests need them. {name} said: {said}"))
}

fn last_lines(stdout: &[u8], stderr: &[u8]) -> String {
    let text = [stdout, stderr].map(|it| String::from_utf8_lossy(it).into_owned()).concat();
    let lines: Vec<&str> = text.lines().filter(|it| !it.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(8)..].join("\n")
}

/// Whether an installer complains about the network and not about a package.
fn is_unreachable(said: &str) -> bool {
    let signs = ["ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EAI_AGAIN", "ENETUNREACH"];
    signs.iter().any(|it| said.contains(it))
        || said.contains("Failed to establish a new connection")
        || said.contains("No matching distribution found")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const SET: Packages = Packages {
        kind: Kind::Npm,
        wanted: &[Package { name: "@a/b", version: "1.2.3" }],
        proofs: &[Proof { program: "node_modules/.bin/b", arguments: &[], says: "hello" }],
    };

    /// A folder as npm leaves it.
    fn folder(version: &str, program: &str) -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("npm");
        fs::create_dir_all(folder.join("node_modules/@a/b")).unwrap();
        fs::create_dir_all(folder.join("node_modules/.bin")).unwrap();
        let about = format!("{{\"name\":\"@a/b\",\"version\":\"{version}\"}}");
        fs::write(folder.join("node_modules/@a/b/package.json"), about).unwrap();
        fs::write(folder.join(program), "").unwrap();
        fs::write(folder.join(STAMP), SET.stamp()).unwrap();
        (place, folder)
    }

    #[test]
    fn only_a_whole_folder_counts() {
        let program = "node_modules/.bin/b";
        let (_place, whole) = folder("1.2.3", program);
        assert!(SET.are_in(&whole));
        fs::remove_file(whole.join(STAMP)).unwrap();
        assert!(!SET.are_in(&whole), "an installation that was not finished");
        assert!(!SET.are_in(&folder("1.2.4", program).1), "another version");
        assert!(!SET.are_in(&folder("1.2.3", "node_modules/.bin/c").1), "a program that is missing");
    }

    #[test]
    fn a_registry_that_cannot_be_reached_is_named_as_such() {
        let closed = "npm error code ECONNREFUSED";
        assert!(is_unreachable(closed) && !is_unreachable("npm error code EINTEGRITY"));
        let said =
            fetch("npm", Command::new("sh").args(["-c", &format!("echo {closed}; exit 1")])).unwrap_err();
        assert!(said.starts_with("npm: its registry could not be reached"), "{said}");
    }
}
