//! Which functions the usual commands run through, so that the linker of the static program can lay them next to each other:
//! `crates/wl/often.ld`. A process that starts maps what it touches piece by piece, and each piece costs as much as reading
//! a file. Not the order in which they run, and nothing depends on it but time: a function that is not named lies elsewhere.

use super::{VALGRIND, lists::List, program::Program};
use crate::{Outcome, ship};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
    process::{Command, Stdio},
};

/// Where it is kept, for `crates/wl/build.rs`.
const KEPT: &str = "crates/wl/often.ld";
/// The release with the names of its functions.
const PROFILE: &str = "named";
const SIZE: usize = 200;
const USUAL: [&[&str]; 16] = [
    &["show", "{id}"],
    &["claim", "{id}"],
    &["heartbeat", "{id}"],
    &["edit", "{id}", "--active-form", "Working on it"],
    &["show", "{id}", "--json"],
    &["release", "{id}"],
    &["claim", "{id}", "--json"],
    &["done", "{id}", "--json"],
    &["add", "Something new", "--json"],
    &["ready"],
    &["ready", "--json"],
    &["next"],
    &["next", "--json"],
    &["list"],
    &["list", "--all", "--json"],
    &["why", "100"],
];

/// A function: where it begins, and how long it is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Function {
    start: u64,
    length: u64,
    name: String,
}

/// Finds them and writes them down.
pub(super) fn run(root: &Path, target: &Path) -> Outcome {
    let program = ship::build(root, PROFILE)?;
    let script = found(&program, target).map_err(|error| error.to_string())?;
    fs::write(root.join(KEPT), script).map_err(|error| format!("{KEPT}: {error}"))
}

fn found(program: &Path, target: &Path) -> io::Result<String> {
    let place = tempfile::Builder::new().prefix("layout-").tempdir_in(target)?;
    let functions = functions(program)?;
    let list = List::make(&place.path().join("list"), SIZE)?;
    let (folder, counts) = (list.folder.display().to_string(), place.path().join("counts"));
    let out = format!("--callgrind-out-file={}", counts.display());
    let valgrind = Program::new("valgrind".as_ref(), place.path());
    let mut often: BTreeMap<usize, usize> = BTreeMap::new();
    for words in USUAL {
        let words = words.iter().map(|it| if *it == "{id}" { list.id(0) } else { *it });
        let how = [VALGRIND, &out, "--dump-instr=yes", "--compress-pos=no"];
        let own = [program.to_str().unwrap_or_default(), "--dir", &folder];
        let words: Vec<&str> = how.into_iter().chain(own).chain(words).collect();
        let mut command = valgrind.command(&words);
        let output = command.env("PATH", crate::kit::path()).stderr(Stdio::piped()).output()?;
        if !output.status.success() {
            return Err(super::program::unexpected(&command, &output));
        }
        for function in touched(&functions, &fs::read_to_string(&counts)?) {
            *often.entry(function).or_default() += 1;
        }
    }
    let mut often: Vec<_> = often.into_iter().map(|(it, count)| (count, &functions[it])).collect();
    // What all commands run through comes first, and of that the short ones: a long one is rarely run through as a whole.
    often.sort_by_key(|(count, it)| (usize::MAX - count, it.length, it.start));
    Ok(script(often.into_iter().map(|(_, it)| &*it.name)))
}

/// The functions of a program, by their places.
fn functions(program: &Path) -> io::Result<Vec<Function>> {
    let mut command = Command::new("nm");
    let output = command.args(["--print-size", "--defined-only", "--numeric-sort"]).arg(program).output()?;
    if !output.status.success() {
        return Err(super::program::unexpected(&command, &output));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(function).collect())
}

/// A line like `00000000004443b8 0000000000000010 t name`.
fn function(line: &str) -> Option<Function> {
    let mut words = line.split(' ');
    let mut number = || u64::from_str_radix(words.next()?, 16).ok();
    let (start, length) = (number()?, number()?);
    let is_code = matches!(words.next()?, "t" | "T" | "w" | "W");
    Some(Function { start, length, name: words.next()?.to_owned() }).filter(|_| is_code)
}

/// Which of them were run through: those at whose addresses something was counted.
fn touched(functions: &[Function], counts: &str) -> BTreeSet<usize> {
    let address = |line: &str| u64::from_str_radix(line.strip_prefix("0x")?.split(' ').next()?, 16).ok();
    let place = |it: u64| {
        let last = functions.partition_point(|function| function.start <= it).checked_sub(1)?;
        (it < functions[last].start + functions[last].length).then_some(last)
    };
    counts.lines().filter_map(address).filter_map(place).collect()
}

/// The linker's script: a part of the program before all others.
fn script<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut script =
        "/* Written by `cargo xtask bench --layout`. */\nSECTIONS\n{\n  .text.often :\n  {\n".to_owned();
    let mut known = BTreeSet::new();
    for name in names.map(lasting) {
        if !known.contains(&name) {
            script += &format!("    *(.text.{name})\n");
            known.insert(name);
        }
    }
    script + "  }\n}\nINSERT BEFORE .text;\n"
}

/// A function's name without what another compilation may call otherwise: the hash at its end, those of crates in it.
fn lasting(name: &str) -> String {
    if let Some(at) = name.rfind("17h").filter(|_| name.starts_with("_ZN")) {
        return format!("{}17h*", &name[..at]);
    }
    let is_hashed = |it: &str| it.starts_with(|it: char| it.is_ascii_alphanumeric()) && it.contains('_');
    let mut parts = name.split("Cs");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| {
        match part.split_once('_').filter(|_| name.starts_with("_R") && is_hashed(part)) {
            Some((_, rest)) => name + "Cs*_" + rest,
            None => name + "Cs" + part,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_last_from_one_compilation_to_the_next() {
        for (name, expected) in [
            ("_ZN8worklist4json5parse17h0123456789abcdefE", "_ZN8worklist4json5parse17h*"),
            ("_RNvNtNtCsaz6eC2DG7lh_3std6thread9functions4park", "_RNvNtNtCs*_3std6thread9functions4park"),
            ("__libc_start_main", "__libc_start_main"),
        ] {
            assert_eq!(lasting(name), expected);
        }
    }

    #[test]
    fn a_function_is_known_by_any_address_in_it() {
        let lines =
            ["0000000000000010 0000000000000008 t one", "0000000000000020 0000000000000010 T two", "x"];
        let functions: Vec<Function> = lines.into_iter().filter_map(function).collect();
        let counts = "fn=(1)\n0x12 0 3\ncalls=1 0x20 0\n0x18 0 7\n0x2f 0 1\n0x30 0 1\n";
        assert_eq!(touched(&functions, counts), BTreeSet::from([0, 1]));
        let script = script(["two", "one", "two"].into_iter());
        assert!(script.contains("{\n    *(.text.two)\n    *(.text.one)\n  }"), "{script}");
    }
}
