//! Links in the place of settings: followed where they stay, named where they lead, not followed out of a project.

use crate::site::{everything, project};
use std::{fs, os::unix::fs::symlink};

#[test]
fn a_link_within_the_project_is_followed() {
    let wl = project();
    wl.write("docs/AGENTS.md", "# Mine\n");
    symlink("docs/AGENTS.md", wl.path("AGENTS.md")).unwrap();
    wl.ok(&["setup", "codex"]).stdout_has("is a link; the file is");
    assert!(wl.path("AGENTS.md").is_symlink(), "the link stays one");
    assert!(wl.read("docs/AGENTS.md").contains("worklist:end"));
    wl.ok(&["setup", "codex", "--remove"]);
    assert_eq!(wl.read("docs/AGENTS.md"), "# Mine\n");
    assert!(wl.path("AGENTS.md").is_symlink());
}

#[test]
fn a_link_out_of_the_project_is_not() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("config.toml"), "a = 1\n").unwrap();
    let file = |name: &str| fs::read_to_string(outside.path().join(name));
    let wl = project();
    symlink(outside.path(), wl.path(".codex")).unwrap();
    wl.fails(&["setup", "codex"], 1, "unreadable").says("it leads out of the project, to ");
    assert_eq!(file("config.toml").unwrap(), "a = 1\n");
    assert!(!wl.path("AGENTS.md").exists(), "nothing at all is written");
    symlink(outside.path().join("mcp.json"), wl.path("dangling")).unwrap();
    fs::create_dir(wl.path(".cursor")).unwrap();
    symlink(outside.path().join("mcp.json"), wl.path(".cursor/mcp.json")).unwrap();
    wl.fails(&["setup", "cursor"], 1, "io").says("could not read");
    assert!(file("mcp.json").is_err(), "a link that leads nowhere makes no file there");
    wl.ok(&["setup", "codex", "--force"]);
    assert!(file("config.toml").unwrap().contains("worklist"));
}

/// Many keep the files of their home elsewhere and link to them.
#[test]
fn a_users_link_is_followed_and_named() {
    let wl = project();
    wl.write("dotfiles/config.toml", "a = 1\n");
    fs::create_dir_all(wl.path("home/.codex")).unwrap();
    symlink(wl.path("dotfiles/config.toml"), wl.path("home/.codex/config.toml")).unwrap();
    wl.ok(&["setup", "codex", "--user"]).stdout_has("dotfiles/config.toml");
    assert!(wl.path("home/.codex/config.toml").is_symlink());
    assert!(wl.read("dotfiles/config.toml").contains("worklist"));
    let before = everything(&wl);
    wl.ok(&["setup", "codex", "--user"]).stdout_has("nothing to do");
    assert_eq!(everything(&wl), before);
    wl.ok(&["setup", "codex", "--user", "--remove"]);
    assert_eq!(wl.read("dotfiles/config.toml"), "a = 1\n");
}
