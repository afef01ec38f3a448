//! A list as a hostile program would write it: every text in every field, in the names of files, in ids. Nothing of it
//! went through the program under test.

use crate::wl::Wl;
use std::{fs, path::Path};
use worklist::json::{Json, Object, Style, write};

/// Makes `.tasks` of the place, with one task for each text: `1` has the first.
pub(crate) fn tasks(wl: &Wl, texts: &[String]) {
    let folder = wl.path(".tasks");
    fs::create_dir_all(&folder).expect("a folder");
    for (n, text) in texts.iter().enumerate() {
        save(&folder.join(format!("{}.json", n + 1)), task(&(n + 1).to_string(), n, text));
    }
}

/// Adds files that cannot be read, or are not what they say.
pub(crate) fn wrecks(wl: &Wl, texts: &[String]) {
    let folder = wl.path(".tasks");
    for (n, text) in texts.iter().enumerate() {
        save(&folder.join(format!("{}.json", 1_000 + n)), task(text, n, text));
        let name = format!("{text}.json");
        if !text.contains(['/', '\0']) && name.len() < 250 {
            fs::write(folder.join(&name), format!("{{\"id\": {text:?}, ")).expect("a file");
        }
    }
    fs::write(folder.join("2000.json"), b"{\"id\": \"2000\", \"subject\": \"\xff\x1b[31m\"}")
        .expect("a file");
    fs::write(folder.join("2001.json"), b"\0\0\0\0").expect("a file");
    fs::write(folder.join("2002.json"), "<<<<<<< \x1b]0;ours\x07\n=======\n>>>>>>> \u{202e}theirs\n")
        .expect("a file");
    fs::write(folder.join("2003.json"), "{\"id\":\"2003\",\"id\":\"2003\",\"\x7f\u{9b}\":1}")
        .expect("a file");
}

fn save(path: &Path, task: Object) {
    fs::write(path, write(&Json::Object(task), Style::COMPACT, "")).expect("a file");
}

/// A task that says the same in all its fields.
fn task(id: &str, n: usize, text: &str) -> Object {
    let status = ["pending", "in_progress", "pending", "completed"][n % 4];
    let waits = if n % 3 == 2 { vec![text.to_owned(), n.to_string()] } else { Vec::new() };
    let own = Object::new().with("tags", Json::strings([text])).with("parent", text);
    let metadata = Object::new().with(text, text).with("worklist", own);
    Object::new()
        .with("id", id)
        .with("subject", text)
        .with("description", described(text))
        .with("activeForm", text)
        .with("owner", text)
        .with("status", status)
        .with("blocks", Json::strings([text]))
        .with("blockedBy", Json::strings(waits))
        .with("metadata", metadata)
}

/// The text in everything that a description can have.
fn described(text: &str) -> String {
    format!(
        "# {text}\n\n{text} *{text}* `{text}` [{text}]({text}) <{text}>\n\n- {text}\n  1. {text}\n- [ ] {text}\n\n\
         > {text}\n\n```{text}\n{text}\n```\n\n<div>{text}</div>\n\n    {text}\n\n| {text} | b |\n|---|---|\n"
    )
}
