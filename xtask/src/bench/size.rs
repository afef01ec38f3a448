//! How much a command and a list take: the most memory of a process, the bytes of journal and index. Not how long.

use super::{
    Bench, Measured,
    figures::{Figure, Unit},
    to_f64,
};
use std::{fs, io, process::Stdio};

/// Tells the most memory that a process had. Not read from the process that measures: a new process begins with the
/// memory of the one that started it, which must be small for this.
const TIME: &str = "/usr/bin/time";

/// What is asked for its memory: a name, a size, the words; `{id}` is a free task.
const MEMORY: [(&str, usize, &[&str]); 6] = [
    ("show", 1_000, &["show", "{id}"]),
    ("claim", 1_000, &["claim", "{id}"]),
    ("done", 1_000, &["done", "{id}"]),
    ("add", 1_000, &["add", "A new one"]),
    ("list --all --json", 1_000, &["list", "--all", "--json"]),
    ("list --all --json", 100_000, &["list", "--all", "--json"]),
];

/// The most memory of single commands.
pub(super) fn memory(bench: &mut Bench) -> io::Result<Vec<Measured>> {
    let mut rows = Vec::new();
    for (name, size, words) in MEMORY {
        if size > bench.largest() {
            continue;
        }
        let list = bench.list(size)?;
        let (folder, id) = (list.folder.display().to_string(), list.id(0).to_owned());
        let words: Vec<&str> = words.iter().map(|it| if *it == "{id}" { &id } else { *it }).collect();
        let words = [words, vec!["--dir", &folder]].concat();
        rows.push(Measured::new(name, size, Figure::once(peak(bench, &words)?, Unit::Bytes)));
    }
    Ok(rows)
}

fn peak(bench: &Bench, words: &[&str]) -> io::Result<f64> {
    let program = bench.program.path().display().to_string();
    let words = [&["-f", "%M", &program], words].concat();
    let output = bench.other(TIME.as_ref()).command(&words).stderr(Stdio::piped()).output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let kilobytes = said.lines().last().and_then(|it| it.parse::<f64>().ok());
    match kilobytes {
        Some(it) if output.status.success() => Ok(it * 1024.0),
        _ => Err(io::Error::other(format!("{TIME} {}: {said}", words.join(" ")))),
    }
}

/// Bytes of what we keep beside the tasks of a new list, for each task.
pub(super) fn space(bench: &mut Bench) -> io::Result<Vec<Measured>> {
    let list = super::lists::List::make(&bench.place.join("weighed"), 10_000)?;
    let mut rows = Vec::new();
    for entry in fs::read_dir(list.folder.join(".worklist"))? {
        let entry = entry?;
        let (name, size) = (entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len());
        let each = to_f64(size) / to_f64(list.size);
        if entry.file_type()?.is_file() && each >= 1.0 {
            rows.push(Measured::new(&name, list.size, Figure::once(each, Unit::Bytes)));
        }
    }
    let files = list.files.iter().map(|it| fs::metadata(list.folder.join(it)).map(|it| it.len()));
    let files: u64 = files.sum::<io::Result<u64>>()?;
    rows.push(Measured::new(
        "its own file",
        list.size,
        Figure::once(to_f64(files) / to_f64(list.size), Unit::Bytes),
    ));
    Ok(rows)
}
