//! `wl man`.

use crate::{Tested, Wl, wl::commands};

pub(crate) const TESTED: Tested = Tested::new("man", [text, json, failures]);

#[test]
fn text() {
    let wl = Wl::new();
    wl.ok(&["man"]).stdout_has(".TH wl 1").stdout_has(".SH NAME");
    wl.ok(&["man", "claim"]).stdout_has(".SH SYNOPSIS").stdout_has("lease");
    wl.ok(&["man", "--out", "pages"]).stdout_has(" pages to pages\n");
    for command in commands().iter().filter(|it| *it != "overview") {
        assert!(wl.read(&format!("pages/wl-{command}.1")).contains(".SH NAME"), "{command}");
    }
}

#[test]
fn json() {
    let wl = Wl::new();
    assert_eq!(wl.ok(&["man", "--json"]).out, wl.ok(&["man"]).out, "a page is a page");
    let written = wl.json(&["man", "--out", "pages"]);
    let count = std::fs::read_dir(wl.path("pages")).unwrap().count();
    assert_eq!((written["pages"].as_u64(), written["dir"].as_str()), (Some(count as u64), Some("pages")));
}

#[test]
fn failures() {
    let wl = Wl::new();
    wl.fails(&["man", "clam"], 2, "usage")
        .says("there is no command or topic `clam`")
        .hints("did you mean `claim`?");
    wl.fails(&["man", "claim", "--out", "x"], 2, "usage");
    wl.write("file", "");
    wl.fails(&["man", "--out", "file"], 1, "io").says("could not write to file");
}

/// The formatter of the system, which `cargo xtask kit` makes sure of, has nothing to say against a page.
#[test]
fn man_can_show_it() {
    let wl = Wl::new();
    wl.write("wl-claim.1", &wl.ok(&["man", "claim"]).out);
    let shown =
        wl.with("MANWIDTH", "80").with("PAGER", "cat").program("man", &["--warnings", "-l", "wl-claim.1"]);
    shown.stdout_has("SYNOPSIS").stdout_has("lease").stderr("");
}
