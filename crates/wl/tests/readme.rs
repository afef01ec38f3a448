//! The pages tell the truth: every `$` line in a block of kind `console`, in the README and in the book, is run, and what
//! stands beneath it must come out. Not a test of the program itself: it is a test of what is said about it.
#![expect(clippy::disallowed_methods, reason = "pages and examples are files")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What stands for anything: within a line for some text, alone on a line for some lines.
const ANYTHING: char = '…';

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// A command of a page and what should come out.
struct Shown {
    line: usize,
    command: String,
    expected: Vec<String>,
}

/// The commands of a page in their order, and the lines that look like one but would never be run.
fn read(text: &str) -> (Vec<Shown>, Vec<usize>) {
    let (mut shown, mut missed): (Vec<Shown>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut fence: Option<&str> = None;
    for (n, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), fence) {
            (Some(kind), None) => fence = Some(kind),
            (Some(_), Some(_)) => fence = None,
            (None, Some("console")) => match line.strip_prefix("$ ") {
                Some(command) => {
                    shown.push(Shown { line: n + 1, command: command.to_owned(), expected: Vec::new() });
                }
                None => shown.last_mut().expect("a command first").expected.push(line.to_owned()),
            },
            (None, _) if line.trim_start().starts_with("$ ") => missed.push(n + 1),
            (None, _) => {}
        }
    }
    (shown, missed)
}

/// Whether a line is as expected, where `…` may be anything.
fn fits(line: &str, expected: &str) -> bool {
    let mut parts = expected.split(ANYTHING);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn is_anything(line: &str) -> bool {
    line.chars().eq([ANYTHING])
}

/// Whether lines are as expected, where `…` alone may be any number of them.
fn all_fit(lines: &[&str], expected: &[String]) -> bool {
    // Where the lines read so far may leave us in what is expected.
    let skip = |mut at: Vec<usize>| {
        let mut n = 0;
        while let Some(&place) = at.get(n) {
            if expected.get(place).is_some_and(|it| is_anything(it)) && !at.contains(&(place + 1)) {
                at.push(place + 1);
            }
            n += 1;
        }
        at
    };
    let mut places = skip(vec![0]);
    for line in lines {
        let next = places.iter().filter_map(|&at| match expected.get(at) {
            Some(it) if is_anything(it) => Some(at),
            Some(it) if fits(line, it) => Some(at + 1),
            _ => None,
        });
        places = skip(next.collect());
    }
    places.contains(&expected.len())
}

/// A shell in an empty folder with the examples in it, and a home of its own.
struct Place {
    folder: tempfile::TempDir,
    /// How the last command ended, for `echo $?`.
    code: i32,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let examples = folder.path().join("project/examples");
        fs::create_dir_all(&examples).expect("a folder");
        for entry in fs::read_dir(root().join("examples")).expect("examples") {
            let entry = entry.expect("an example");
            fs::copy(entry.path(), examples.join(entry.file_name())).expect("a copy");
        }
        Place { folder, code: 0 }
    }

    /// Everything that a line of the shell prints.
    fn run(&mut self, line: &str) -> String {
        let wl = Path::new(env!("CARGO_BIN_EXE_wl")).parent().expect("a folder").display();
        let path = format!("{wl}:{}", std::env::var("PATH").expect("a path"));
        let output = Command::new("/bin/sh")
            .args(["-c", &format!("exec 2>&1\n(exit {})\n{line}", self.code)])
            .env_clear()
            .envs([("PATH", path.as_str()), ("USER", "me"), ("TZ", "UTC")])
            .env("HOME", self.folder.path())
            .current_dir(self.folder.path().join("project"))
            .output()
            .expect("a shell");
        self.code = output.status.code().unwrap_or(-1);
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

/// The README and every page of the book.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("pages") {
            let path = entry.expect("a page").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

#[test]
fn what_the_pages_show_comes_out() {
    let (mut faults, mut run) = (Vec::new(), 0);
    for page in pages() {
        let name = page.strip_prefix(root()).unwrap().display().to_string();
        let (shown, missed) = read(&fs::read_to_string(&page).unwrap());
        faults.extend(missed.iter().map(|line| format!("{name}:{line}: not in a block of kind `console`")));
        let mut place = Place::new();
        for it in shown {
            let said = place.run(&it.command);
            run += 1;
            let lines: Vec<&str> = said.lines().map(str::trim_end).collect();
            if !all_fit(&lines, &it.expected) {
                let expected = it.expected.join("\n");
                faults.push(format!(
                    "{name}:{}: $ {}\n{said}--- but the page says\n{expected}",
                    it.line, it.command
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(run > 50, "only {run} commands were found");
}

#[test]
fn the_worker_in_python_works() {
    let mut place = Place::new();
    place.run("wl plan examples/release.md");
    let said = place.run("python3 examples/worker.py ann");
    assert_ne!(place.code, 127, "python3 is missing: run `cargo xtask kit`");
    assert_eq!(said.lines().count(), 13, "{said}");
    assert_eq!(place.run("wl list --status completed --owner ann --limit 99 | wc -l").trim(), "13");
}

/// The first command of the README, as it stands there: with the program under test in the place of cargo.
#[test]
fn the_first_command_does_the_whole_plan() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    let line =
        readme.lines().find_map(|it| it.strip_prefix("    cargo run --release -p wl -- ")).expect("it");
    let place = tempfile::tempdir().expect("a folder");
    fs::create_dir(place.path().join("examples")).expect("a folder");
    fs::copy(root().join("examples/release.md"), place.path().join("examples/release.md")).expect("the plan");
    let script = format!("{} {line}", env!("CARGO_BIN_EXE_wl"));
    let run = |end: &str| {
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(place.path())
            .env("HOME", place.path())
            .output();
        let output = output.expect("a shell");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains(end), "{said}");
    };
    run("13 tasks done in ");
    run("0 tasks done in ");
}

#[test]
fn a_page_that_lies_is_found_out() {
    let (shown, missed) = read("```console\n$ wl\nNo list\n```\n    $ wl list\n```sh\nwl add\n```\n");
    assert_eq!((shown.len(), missed), (1, vec![5]));
    assert_eq!((shown[0].line, shown[0].command.as_str()), (2, "wl"));
    assert_eq!(shown[0].expected, ["No list"]);

    assert!(fits("token 17 ok", "token … ok") && fits("token 17", "token …") && fits("", "…"));
    assert!(!fits("token 17 no", "token … ok") && !fits("token", "Token") && !fits("a b", "a"));
    let expected: Vec<String> = ["a", "…", "d"].map(str::to_owned).into();
    assert!(all_fit(&["a", "d"], &expected) && all_fit(&["a", "b", "c", "d"], &expected));
    assert!(
        !all_fit(&["a", "d", "e"], &expected) && !all_fit(&["b", "d"], &expected) && !all_fit(&[], &expected)
    );
}
