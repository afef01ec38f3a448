//! The moving picture in the README: the live view of `wl work` at a real terminal, as it was drawn, frame by frame. Not
//! made with every run: times differ from one to the next.
#![expect(clippy::disallowed_methods, reason = "a tool that watches the clock")]

mod svg;

use crate::{Outcome, gate};
use std::{
    fs,
    io::Read,
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

/// The window.
const COLUMNS: usize = 92;
const ROWS: usize = 15;
/// What the workers run: some tasks take longer, and one fails at first.
const SCRIPT: &str = r#"sleep $((WORKLIST_TASK_ID % 3)).$((WORKLIST_TASK_ID * 37 % 9))
case $WORKLIST_TASK_ID in 7) mkdir again 2>/dev/null && { echo "slower than before"; exit 1; };; esac; true"#;
/// What stands above it, as a person would type it.
const TYPED: &str = "wl work release.md --workers 3 -- ./do-one";
/// Each picture of the view begins with this.
const BEGIN: &str = "\x1b[?2026h";

/// The view at a moment.
struct Frame {
    /// Milliseconds since the beginning.
    at: u64,
    text: String,
}

/// Records a run and writes the picture.
pub(crate) fn run(root: &Path) -> Outcome {
    gate::finish(gate::cargo(root, &["build", "--release", "-p", "wl"]))?;
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let frames =
        record(root, place.path()).map_err(|error| format!("the run could not be recorded: {error}"))?;
    if frames.len() < 3 {
        return Err(format!("only {} pictures were drawn", frames.len()));
    }
    let path = root.join("docs/pictures/work.svg");
    fs::write(&path, svg::moving(TYPED, &frames)).map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs the workers at a terminal of this size.
fn record(root: &Path, place: &Path) -> std::io::Result<Vec<Frame>> {
    let wl = root.join("target/release/wl");
    let plan = root.join("examples/release.md");
    let line = format!(
        "stty cols {COLUMNS} rows {ROWS}; exec '{}' work '{}' --dir list --as agent --workers 3 -- sh -c '{SCRIPT}'",
        wl.display(),
        plan.display(),
    );
    let mut child = Command::new("script")
        .args(["-q", "-e", "-c", &line, "/dev/null"])
        .current_dir(place)
        .env_clear()
        .envs([
            ("HOME", place.as_os_str()),
            ("TERM", "xterm-256color".as_ref()),
            ("LANG", "C.UTF-8".as_ref()),
        ])
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut output = child.stdout.take().ok_or(std::io::ErrorKind::BrokenPipe)?;
    let (began, mut frames, mut piece) = (Instant::now(), Vec::<Frame>::new(), vec![0; 65_536]);
    while let Ok(length @ 1..) = output.read(&mut piece) {
        let text = String::from_utf8_lossy(&piece[..length]).into_owned();
        let at = u64::try_from(began.elapsed().as_millis()).unwrap_or(0);
        take(&mut frames, at, &text);
    }
    child.wait()?;
    Ok(frames)
}

/// Adds what was drawn; what was drawn in pieces belongs together, and what did not change is no new picture.
fn take(frames: &mut Vec<Frame>, at: u64, text: &str) {
    let mut parts = text.split(BEGIN);
    if let (Some(rest), Some(last)) = (parts.next(), frames.last_mut()) {
        last.text.push_str(rest);
    }
    for part in parts {
        if frames.last().is_none_or(|it| it.text != part) {
            frames.push(Frame { at, text: part.to_owned() });
        }
    }
}
