//! What befell others, and what a hostile neighbour could do: each as a test of that name, here or elsewhere in the tree.
//! docs/proof.md says which; that every test it names exists is tested, too.

mod faults;
mod threats;

use std::{collections::BTreeSet, fs, path::Path};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The headings in docs/proof.md beneath which tests are named, in the last column.
const TABLES: [&str; 2] = ["## What befell others", "## What a hostile neighbour could do"];

/// The names in backticks in the last column of a table.
fn named(page: &str, heading: &str) -> Vec<String> {
    let section = page.split(heading).nth(1).unwrap_or_else(|| panic!("no {heading}"));
    let lines =
        section.lines().skip(1).take_while(|it| !it.starts_with("## ")).filter(|it| it.starts_with("| "));
    let last = lines.filter_map(|it| it.trim_end_matches([' ', '|']).rsplit("| ").next());
    last.flat_map(|it| it.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// Every function of every test in the tree.
fn functions() -> BTreeSet<String> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![Path::new(ROOT).join("crates")]);
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(path).expect("a folder").map(|it| it.expect("an entry").path()));
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(path).expect("a source");
            let tests =
                text.split("#[test]").skip(1).filter_map(|it| it.split_once("fn ")?.1.split('(').next());
            found.extend(tests.map(str::to_owned));
        }
    }
    found
}

#[test]
fn every_test_that_the_page_names_exists() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/proof.md")).expect("the page");
    let known = functions();
    for heading in TABLES {
        let named = named(&page, heading);
        assert!(named.len() > 10, "{heading}: {named:?}");
        let unknown: Vec<&String> = named.iter().filter(|it| !known.contains(*it)).collect();
        assert!(unknown.is_empty(), "{heading}: {unknown:?}");
    }
}
