//! The book under `docs/`: its page of commands is what the program says, its links lead somewhere, and it can be
//! built. Not what its examples print: a test of the program runs those.
#![expect(clippy::disallowed_methods, reason = "a tool that reads and writes the pages of the repository")]

use crate::{Outcome, gate, kit, published};
use std::{
    collections::BTreeMap,
    fs,
    path::{Component, Path, PathBuf},
    process::Command,
};

/// The version of mdBook that is installed where there is none.
const MDBOOK: &str = "0.5.4";
/// The page that is made from the program's own help.
const COMMANDS: &str = "docs/commands.md";
/// The contents of the book.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Builds the book, with every complaint as a failure.
pub(crate) fn run(root: &Path) -> Outcome {
    if page_of_commands(root)? != read(&root.join(COMMANDS))? {
        return Err(format!("{COMMANDS} is not what the program says: run `cargo xtask docs`"));
    }
    published::check(root)?;
    let faults = faults(&pages(root)?);
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    build(root)
}

/// Writes the page of commands anew.
pub(crate) fn write(root: &Path) -> Outcome {
    let page = page_of_commands(root)?;
    fs::write(root.join(COMMANDS), page).map_err(|error| format!("{COMMANDS}: {error}"))
}

fn build(root: &Path) -> Outcome {
    let mut command = Command::new(mdbook(root)?);
    let output = command.arg("build").arg(root).output().map_err(|error| format!("mdbook: {error}"))?;
    let said =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    let complains = said.lines().any(|it| it.contains("WARN") || it.contains("ERROR"));
    if output.status.success() && !complains { Ok(()) } else { Err(said) }
}

/// mdBook as it is installed, or beneath the tools.
fn mdbook(root: &Path) -> Result<PathBuf, String> {
    let version = Command::new("mdbook").arg("--version").output();
    if version.is_ok_and(|it| String::from_utf8_lossy(&it.stdout).contains("v0.5.")) {
        return Ok(PathBuf::from("mdbook"));
    }
    // Neither a server nor an optimised build is needed for a few dozen pages.
    kit::crate_of(root, "mdbook", MDBOOK, &["--no-default-features", "--features", "search", "--debug"])
}

/// What the program says about itself, as a page.
fn page_of_commands(root: &Path) -> Result<String, String> {
    gate::finish(gate::cargo(root, &["build", "--quiet", "--package", "wl"]))?;
    let overview = help(root, None)?;
    let (commands, shared) =
        overview.split_once("\nOptions of every command\n").ok_or("`wl help` has no options")?;
    let (shared, more) = shared.split_once("\n\n").unwrap_or((shared, ""));
    let mut page =
        "# Commands\n\nThis page is made from the program's own help by `cargo xtask docs`.\n\n".to_owned();
    page += &format!(
        "```text\n{}\n```\n\n## Options of every command\n\n```text\n{shared}\n```\n",
        commands.trim_end()
    );
    page += &format!("\n{}\n", more.trim().replace('\n', " "));
    for name in commands.lines().filter_map(|it| it.strip_prefix("  ")?.split_whitespace().next()) {
        let text = help(root, Some(name))?;
        page += &format!("\n## wl {name}\n\n```text\n{}\n```\n", without_shared(&text).trim_end());
    }
    Ok(page)
}

/// The help of a command without what all commands take.
fn without_shared(text: &str) -> String {
    let Some((own, rest)) = text.split_once("\nGlobal options:\n") else { return text.to_owned() };
    let after = rest.find("\n\nExamples:").map_or("", |at| &rest[at + 1..]);
    format!("{own}{after}")
}

fn help(root: &Path, of: Option<&str>) -> Result<String, String> {
    let mut command = gate::cargo(root, &["run", "--quiet", "--package", "wl", "--", "help"]);
    let output = command.args(of).env_remove("COLUMNS").output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("`wl help {}` ended with {}", of.unwrap_or(""), output.status));
    }
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    Ok(text.lines().map(|it| it.trim_end().to_owned() + "\n").collect())
}

/// Every page at the root and in the book, by its path.
fn pages(root: &Path) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut pages = BTreeMap::new();
    let mut folders = vec![PathBuf::new(), PathBuf::from("docs")];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(root.join(&folder)).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let name = entry.map_err(|error| error.to_string())?.file_name();
            let path = folder.join(name);
            if root.join(&path).is_dir() {
                folders.extend(folder.starts_with("docs").then_some(path));
            } else if path.extension().is_some_and(|it| it == "md") {
                pages.insert(path.clone(), read(&root.join(&path))?);
            }
        }
    }
    Ok(pages)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Links that lead nowhere, and pages that are not in the contents.
fn faults(pages: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in pages {
        let fault =
            |target| lost(pages, path, target).map(|why| format!("{}: {target} {why}", path.display()));
        faults.extend(links(text).into_iter().filter_map(fault));
    }
    let contents = pages.get(Path::new(SUMMARY)).map(String::as_str).unwrap_or_default();
    let listed: Vec<PathBuf> = links(contents).into_iter().map(|it| Path::new("docs").join(it)).collect();
    let inside = pages.keys().filter(|it| it.starts_with("docs") && *it != Path::new(SUMMARY));
    faults.extend(
        inside.filter(|it| !listed.contains(it)).map(|it| format!("{} is not in {SUMMARY}", it.display())),
    );
    faults
}

/// The targets of links and pictures in a text, code left out.
fn links(text: &str) -> Vec<&str> {
    let mut fenced = false;
    let plain = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence && !line.starts_with("    ")
    });
    let targets = |line| {
        let prose = str::split(line, '`').step_by(2);
        prose.flat_map(|it| it.split("](").skip(1)).filter_map(|it| Some(it.split_once(')')?.0))
    };
    // A link whose words are code is cut in two by its backquotes; what matters begins behind them.
    plain.flat_map(targets).collect()
}

/// Why a link leads nowhere, if it does.
fn lost(pages: &BTreeMap<PathBuf, String>, from: &Path, target: &str) -> Option<String> {
    if target.contains("://") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { from.to_owned() } else { flat(&from.parent()?.join(file)) };
    if from.starts_with("docs") && !path.starts_with("docs") {
        return Some("leads out of the book".to_owned());
    }
    let Some(text) = pages.get(&path) else {
        let exists = crate::root().join(&path).exists();
        return (!exists).then(|| "does not exist".to_owned());
    };
    let heads = || text.lines().filter(|it| it.starts_with('#')).map(slug);
    (!anchor.is_empty() && !heads().any(|it| it == anchor)).then(|| "is not a heading there".to_owned())
}

/// A path without steps up.
fn flat(path: &Path) -> PathBuf {
    let mut flat = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                flat.pop();
            }
            Component::CurDir => {}
            other => flat.push(other),
        }
    }
    flat
}

/// The name of a heading in links.
fn slug(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pages: &[(&str, &str)]) -> Vec<String> {
        faults(&pages.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect())
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let summary = (SUMMARY, "- [A](a.md)\n");
        assert_eq!(
            found(&[summary, ("docs/a.md", "# Head line\n[up](#head-line) [web](https://x.org)\n")]),
            [""; 0]
        );
        assert_eq!(found(&[summary, ("docs/a.md", "`[x](y)`\n```\n[x](y)\n```\n    [x](y)\n")]), [""; 0]);
        assert_eq!(found(&[summary, ("docs/a.md", "[b](b.md)")]), ["docs/a.md: b.md does not exist"]);
        assert_eq!(found(&[summary, ("docs/a.md", "[`b`](b.md)")]), ["docs/a.md: b.md does not exist"]);
        assert_eq!(found(&[summary, ("docs/a.md", "[b](#b)")]), ["docs/a.md: #b is not a heading there"]);
        assert_eq!(
            found(&[summary, ("docs/a.md", "[b](../README.md)")]),
            ["docs/a.md: ../README.md leads out of the book"]
        );
        assert_eq!(found(&[(SUMMARY, ""), ("docs/a.md", "")]), ["docs/a.md is not in docs/SUMMARY.md"]);
    }

    #[test]
    fn shared_options_are_told_once() {
        let text =
            "Do it\n\nOptions:\n  -x\n\nGlobal options:\n  --json\n      Print\n\nExamples:\n  wl do\n";
        assert_eq!(without_shared(text), "Do it\n\nOptions:\n  -x\n\nExamples:\n  wl do\n");
    }
}
