//! Keys: where they may come from, where they may go, and that nobody sees them.

use crate::{KEY, Service, Step, Turn, Wl, at, json, place, plays, then};

#[test]
fn a_key_is_sent_and_never_shown() {
    let service = Service::playing([
        Step::Turn(
            Turn::calls("bash", json!({"command": "env; echo tail"}))
                .and("write_file", json!({"path": "k", "content": "x"})),
        ),
        then(|asked| {
            assert!(!asked.body.to_string().contains(KEY), "commands do not have it");
            assert!(asked.news()[0].contains("tail"));
            Turn::says(&format!("The key is {KEY}!"))
        }),
    ]);
    let said = plays(&place(), &service, &["--yes", "-v"]);
    assert!(said.out.contains("is"), "{}", said.out);
    assert!(service.asked()[0].headers.to_lowercase().contains(&format!("x-api-key: {KEY}")));
}

/// A file that holds it can be read; what is passed on does not.
#[test]
fn a_key_in_a_file_is_hidden() {
    let wl = place();
    wl.write("secret.txt", &format!("key={KEY}\n"));
    let service = Service::playing([
        Step::Turn(Turn::calls("read_file", json!({"path": "secret.txt"}))),
        then(|asked| {
            assert_eq!(asked.result(), "key=[key]\n");
            Turn::says("Hidden.")
        }),
    ]);
    plays(&wl, &service, &["--json"]);
}

#[test]
fn a_key_comes_from_the_users_settings() {
    let service = Service::saying([Turn::says("Yes.")]);
    let wl = Wl::new();
    let settings = format!(
        "[model]\nprovider = \"openai\"\nname = \"m\"\nurl = \"{}\"\nkey = \"{KEY}\"\n",
        service.url()
    );
    wl.write("home/.config/worklist/config.toml", &settings);
    wl.ok(&["agent", "-p", "Go"]).stdout("Yes.\n");
    let asked = &service.asked()[0];
    assert!(asked.headers.to_lowercase().contains(&format!("authorization: bearer {KEY}")));
    assert_eq!(asked.body["model"], "m");
    let shown = wl.ok(&["config"]);
    shown.stdout_has("(set)");
    assert!(!shown.out.contains(KEY) && !wl.ok(&["config", "--json"]).out.contains(KEY));
    // What belongs to one service is not sent to another.
    wl.fails(&["agent", "-p", "Go", "--provider", "anthropic"], 2, "invalid")
        .says("ANTHROPIC_API_KEY is not set");
}

/// A list may not say where keys go, nor which.
#[test]
fn a_list_has_no_say() {
    for line in ["key = \"x\"", "url = \"http://127.0.0.1:1\"", "provider = \"openai\"", "name = \"m\""] {
        let wl = Wl::with_tasks(&["a"]);
        wl.write(".tasks/worklist.toml", &format!("[model]\n{line}\n"));
        wl.fails(&["agent", "-p", "Go"], 2, "invalid").says("is the user's to set, not a list's");
    }
}

#[test]
fn a_key_is_not_sent_in_the_open() {
    let wl = place();
    let failed = wl.fails(&at("http://models.example:80/v1", &["-p", "Go"]), 2, "invalid");
    failed.says("would send the key where others can read it");
    wl.fails(&at("http://me:secret@127.0.0.1:1", &["-p", "Go"]), 2, "invalid");
}
