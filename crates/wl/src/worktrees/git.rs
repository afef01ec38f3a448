//! The program git in one folder: what it is asked, what it says. Not what it is asked for.

use std::{
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// Variables by which whoever started us may have tied git to another place.
pub(crate) const TIES: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
];

/// Git in a folder.
#[derive(Debug, Clone)]
pub(super) struct Git {
    folder: PathBuf,
}

impl Git {
    pub(super) fn at(folder: &Path) -> Git {
        Git { folder: folder.to_owned() }
    }

    /// What it says; or why it does not do it.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self.run(arguments).map_err(|error| format!("git could not be started: {error}"))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
        if output.status.success() {
            return Ok(text(&output.stdout));
        }
        let said = [&output.stderr, &output.stdout].map(|it| text(it)).into_iter().find(|it| !it.is_empty());
        Err(said.unwrap_or_else(|| format!("git {} ended with {}", arguments.join(" "), output.status)))
    }

    /// Whether it says yes.
    pub(super) fn agrees(&self, arguments: &[&str]) -> bool {
        self.ask(arguments).is_ok()
    }

    fn run(&self, arguments: &[&str]) -> std::io::Result<Output> {
        let mut command = Command::new("git");
        for tie in TIES {
            command.env_remove(tie);
        }
        // In a group of its own: Ctrl-C at the terminal is for us, and must not break off what git is at.
        command.process_group(0).stdin(Stdio::null()).env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0");
        command.env("GIT_EDITOR", "true").arg("-C").arg(&self.folder).args(arguments).output()
    }
}

/// The commit that a folder stands at, if it is in a repository with one.
pub(crate) fn head(folder: &Path) -> Option<String> {
    Git::at(folder).ask(&["rev-parse", "--verify", "-q", "HEAD"]).ok()
}
