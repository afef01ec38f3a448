//! What the tree promises of itself: heads, sizes, names, imports, documents. Pure functions over paths and texts,
//! and one walk that reads them. Not a matter of taste: what rustfmt and clippy check is not checked again.
#![expect(clippy::print_stdout, reason = "a tool for the terminal")]
#![expect(clippy::disallowed_methods, reason = "reads the tree that it checks")]

use crate::{Outcome, arrows};
use std::{collections::BTreeSet, fs, io, path::Path};

/// Lines of a file before its tests.
const LONGEST: usize = 400;
/// Lines of the page that everybody should read.
const LONGEST_MAP: usize = 250;
const MAP: &str = "ARCHITECTURE.md";
const ENGINE: &str = "crates/engine/src/";
const PROGRAM: &str = "crates/wl/src/";
const FORMATS: &str = "crates/engine/src/format/";
const SHELVES: [&str; 9] =
    ["util", "utils", "common", "helper", "helpers", "manager", "managers", "misc", "types"];
const MARKS: [&str; 3] = ["TODO", "FIXME", "XXX"];
const PRINTING: [&str; 6] =
    ["println!(", "print!(", "eprintln!(", "eprint!(", "stdout().lock(", "stderr().lock("];
const FOLDERS: [&str; 5] = ["crates/", "docs/", "xtask/", ".ci/", ".cargo/"];

/// A file that is checked: its path from the root, and what is in it.
pub(crate) struct File {
    path: String,
    text: String,
}

/// The files that are checked, and every path there is.
#[derive(Default)]
pub(crate) struct Tree {
    files: Vec<File>,
    paths: BTreeSet<String>,
}

/// Checks the tree and says what is wrong with it.
pub(crate) fn run(root: &Path) -> Outcome {
    let tree = read(root).map_err(|error| format!("the tree could not be read: {error}"))?;
    let faults = faults(&tree);
    for fault in &faults {
        println!("{fault}");
    }
    println!("tidy: {} files, median {} lines", tree.files.len(), median(&tree));
    if faults.is_empty() { Ok(()) } else { Err(format!("{} faults", faults.len())) }
}

/// Reads every file that is checked. What is built and what git keeps is left out.
fn read(root: &Path) -> io::Result<Tree> {
    let mut tree = Tree::default();
    let mut open = vec![String::new()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = format!("{folder}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                if path != "target" && path != ".git" {
                    open.push(format!("{path}/"));
                }
            } else if ["rs", "md", "toml"].contains(&kind(&path)) {
                let text = String::from_utf8_lossy(&fs::read(entry.path())?).into_owned();
                tree.files.push(File { path: path.clone(), text });
            }
            tree.paths.insert(path);
        }
    }
    tree.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(tree)
}

/// Everything that is wrong, one line each.
pub(crate) fn faults(tree: &Tree) -> Vec<String> {
    let rules: [fn(&File) -> Vec<String>; 7] = [head, size, marks, shelf, allowances, imports, printing];
    let mut faults = Vec::new();
    for file in &tree.files {
        for fault in rules.iter().flat_map(|rule| rule(file)) {
            faults.push(format!("{}: {fault}", file.path));
        }
    }
    let map = tree.files.iter().find(|it| it.path == MAP);
    faults.extend(map.map_or_else(|| vec![format!("{MAP} is missing")], |it| paths_of_map(it, &tree.paths)));
    faults.extend(pages(tree));
    faults
}

/// How a name ends.
fn kind(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, end)| end)
}

fn is_source(path: &str) -> bool {
    let code = path.starts_with("crates/") && (path.contains("/src/") || path.contains("/tests/"));
    kind(path) == "rs" && (code || path.starts_with("xtask/src/"))
}

/// What stands before the tests.
fn production(text: &str) -> &str {
    text.find("\n#[cfg(test)]\nmod ").map_or(text, |at| &text[..=at])
}

fn head(file: &File) -> Vec<String> {
    let bare = is_source(&file.path) && !file.text.starts_with("//!");
    bare.then(|| "the first line must say what the file is (//!)".to_owned()).into_iter().collect()
}

fn size(file: &File) -> Vec<String> {
    let lines = production(&file.text).lines().count();
    let counts = is_source(&file.path) && file.path.contains("/src/");
    let long = counts && lines > LONGEST || file.path == MAP && lines > LONGEST_MAP;
    long.then(|| format!("{lines} lines are too many")).into_iter().collect()
}

/// Work that was put off. The word in small letters is a word like others, and the name of a tool.
fn marks(file: &File) -> Vec<String> {
    if file.path.contains("tests/fixtures/") || file.path == "xtask/src/tidy.rs" {
        return Vec::new();
    }
    let mut faults = Vec::new();
    for (n, line) in file.text.lines().enumerate() {
        let mut words = line.split(|it: char| !it.is_alphanumeric() && it != '_');
        if words.any(|it| MARKS.contains(&it)) || line.contains("todo!(") {
            faults.push(format!("line {} is marked as unfinished", n + 1));
        }
        if kind(&file.path) == "rs" && line.contains("#[ignore") {
            faults.push(format!("line {} turns a test off", n + 1));
        }
    }
    faults
}

fn shelf(file: &File) -> Vec<String> {
    let names = file.path.trim_end_matches(".rs").split('/');
    let shelves = names.filter(|it| kind(&file.path) == "rs" && SHELVES.contains(it));
    shelves.map(|it| format!("{it} is a shelf, not a noun")).collect()
}

/// Lints that are switched off without a word. A macro cannot know whether it will be needed, but can say why.
fn allowances(file: &File) -> Vec<String> {
    if kind(&file.path) != "rs" || file.path == "xtask/src/tidy.rs" {
        return Vec::new();
    }
    let mut faults = Vec::new();
    let mut inside: Option<&str> = None;
    for (n, line) in file.text.lines().enumerate() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if line.trim_start().starts_with("macro_rules!") {
            inside = Some(indent);
        } else if inside == Some(indent) && line.trim_start().starts_with(['}', ')']) {
            inside = None;
        }
        let rest = file.text.lines().skip(n).take_while(|it| !it.contains(")]")).count();
        let whole: Vec<&str> = file.text.lines().skip(n).take(rest + 1).collect();
        let allows = line.contains("#[allow") || line.contains("#![allow");
        if allows && inside.is_none() && !whole.join(" ").contains("reason") {
            faults.push(format!("line {} allows something without a reason", n + 1));
        }
    }
    faults
}

fn imports(file: &File) -> Vec<String> {
    if kind(&file.path) != "rs" {
        return Vec::new();
    }
    let text = production(&file.text);
    if let Some(inner) = file.path.strip_prefix(ENGINE) {
        return arrows::forbidden(arrows::ENGINE, inner, text);
    }
    let Some(inner) = file.path.strip_prefix(PROGRAM) else { return Vec::new() };
    let mut faults = arrows::forbidden(arrows::PROGRAM, inner, text);
    faults.extend(arrows::of_stores(text));
    faults
}

fn printing(file: &File) -> Vec<String> {
    let silent = file.path.starts_with(PROGRAM) && !file.path.starts_with(&format!("{PROGRAM}output/"));
    let prints = silent && PRINTING.iter().any(|it| production(&file.text).contains(it));
    prints.then(|| "only output prints".to_owned()).into_iter().collect()
}

/// Paths that the map names and that are not there.
fn paths_of_map(map: &File, paths: &BTreeSet<String>) -> Vec<String> {
    let quoted = map.text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let named = quoted.filter(|it| FOLDERS.iter().any(|folder| it.starts_with(folder)));
    let gone = named.filter(|it| !paths.contains(it.trim_end_matches('/')));
    gone.map(|it| format!("{MAP}: {it} is not there")).collect()
}

/// Every format has a page that ends in a sample.
fn pages(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for format in tree.files.iter().filter(|it| it.path.starts_with(FORMATS)) {
        let shape = format.text.split_once(": Shape = Shape {").and_then(|(_, it)| it.split_once("name: \""));
        let Some((name, _)) = shape.and_then(|(_, it)| it.split_once('"')) else { continue };
        let path = format!("docs/formats/{name}.md");
        match tree.files.iter().find(|it| it.path == path) {
            None => faults.push(format!("{}: {path} is missing", format.path)),
            Some(page) if !page.text.contains("## Sample") => faults.push(format!("{path}: no sample")),
            Some(_) => {}
        }
    }
    faults
}

/// The length of a file in the middle, tests left out.
fn median(tree: &Tree) -> usize {
    let sources = tree.files.iter().filter(|it| is_source(&it.path) && it.path.contains("/src/"));
    let mut lengths: Vec<usize> = sources.map(|it| production(&it.text).lines().count()).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let found = faults(&read(&crate::root()).unwrap());
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    /// The faults of a tree of these files beside a map that names nothing.
    fn check(files: &[(&str, &str)]) -> Vec<String> {
        let with_map = files
            .iter()
            .chain([&(MAP, "# Map\n")].into_iter().filter(|it| files.iter().all(|f| f.0 != it.0)));
        let files = with_map.map(|(path, text)| File { path: (*path).to_owned(), text: (*text).to_owned() });
        let files: Vec<File> = files.collect();
        let paths = files.iter().map(|it| it.path.clone()).collect();
        faults(&Tree { files, paths })
    }

    #[track_caller]
    fn broken(path: &str, text: &str, word: &str) {
        let found = check(&[(path, text)]);
        assert!(found.len() == 1 && found[0].contains(word), "{found:?}");
    }

    #[test]
    fn each_rule_finds_its_fault() {
        assert_eq!(check(&[("crates/engine/src/task.rs", "//! A task.\n")]), [""; 0]);
        broken("crates/engine/src/task.rs", "use std::fmt;\n", "first line");
        broken("crates/engine/tests/suite/main.rs", "mod stores;\n", "first line");
        broken("crates/engine/src/task.rs", "//! A task. TODO: more\n", "unfinished");
        broken("README.md", "FIXME\n", "unfinished");
        broken("crates/engine/src/task.rs", "//! A task.\nfn f() { todo!() }\n", "unfinished");
        broken("xtask/src/main.rs", "//! M.\n#[ignore = \"slow\"]\n", "turns a test off");
        broken("xtask/src/utils.rs", "//! U.\n", "shelf");
        broken("xtask/src/main.rs", "//! M.\n#![allow(dead_code)]\n", "without a reason");
        broken(
            "crates/engine/src/rules/claim.rs",
            "//! C.\nuse crate::store::Error;\n",
            "may not import store",
        );
        broken("crates/wl/src/failure.rs", "//! F.\nuse crate::commands::add;\n", "may not import commands");
        broken("crates/wl/src/main.rs", "//! M.\nuse worklist::store::files::Files;\n", "may not use");
        broken("crates/wl/src/main.rs", "//! M.\nfn main() { println!(\"x\") }\n", "only output prints");
        broken(MAP, "`crates/engine/src/gone.rs`\n", "not there");
        broken(MAP, &"line\n".repeat(LONGEST_MAP + 1), "too many");
        broken(
            "crates/engine/src/format/x.rs",
            "//! X.\nstatic S: Shape = Shape {\n    name: \"x\",\n",
            "missing",
        );
    }

    #[test]
    fn tests_do_not_count_as_length() {
        let head = format!("//! T.\n{}", "fn f() {}\n".repeat(LONGEST - 1));
        let tests = format!("{head}#[cfg(test)]\nmod tests {{\n{}}}\n", "fn f() {}\n".repeat(LONGEST));
        assert_eq!(check(&[("crates/engine/src/task.rs", &tests)]), [""; 0]);
        broken("crates/engine/src/task.rs", &format!("{head}fn g() {{}}\n"), "too many");
    }

    #[test]
    fn what_is_allowed_is_allowed() {
        let reasoned = "//! M.\n#[allow(\n    dead_code,\n    reason = \"generated\"\n)]\n";
        let inside = "//! M.\nmacro_rules! m {\n    () => { #[allow(dead_code)] };\n}\n";
        let shape = "//! X.\nstatic S: Shape = Shape {\n    name: \"x\",\n";
        for text in [reasoned, inside] {
            assert_eq!(check(&[("xtask/src/main.rs", text)]), [""; 0]);
        }
        assert_eq!(check(&[("Cargo.toml", "todo = \"deny\"\n")]), [""; 0]);
        let page = |text| check(&[("crates/engine/src/format/x.rs", shape), ("docs/formats/x.md", text)]);
        assert_eq!(page("## Sample\n"), [""; 0]);
        assert_eq!(page("nothing\n"), ["docs/formats/x.md: no sample"]);
    }
}
