//! Any text as the user's file of settings and as a list's: refused with a line that it has, or taken; and what is taken
//! can be used.
#![no_main]

#[expect(dead_code, reason = "the program uses the rest")]
#[path = "../../crates/wl/src/settings/text/mod.rs"]
mod text;

use libfuzzer_sys::fuzz_target;
use text::{Hook, KEYS, Origin, Run, Settings};
use worklist::{Actor, Command, NewTask, TaskList, format::named, rules::ClaimTask};

fuzz_target!(|text: &str| {
    for origin in [Origin::User("config.toml".into()), Origin::List("worklist.toml".into())] {
        let mut settings = Settings::default();
        match settings.take(text, &origin) {
            Ok(()) => usable(&settings, &origin),
            Err(mistake) => assert!((1..=text.split('\n').count()).contains(&mistake.line)),
        }
    }
});

fn usable(settings: &Settings, origin: &Origin) {
    for key in KEYS {
        let Some((value, from)) = settings.found(key.name) else { continue };
        assert!(from == *origin && (key.for_lists || matches!(from, Origin::User(_))));
        assert!(!value.trim().is_empty() && !value.chars().any(char::is_control));
    }
    assert!(settings.text("agent").is_none_or(|it| Actor::is_name(&it)));
    assert!(settings.text("format").is_none_or(|it| named(&it).is_some()));
    assert_eq!(settings.text("lease").is_some(), settings.lease().is_some());
    if let Some(lease) = settings.lease() {
        claimed(lease);
    }
    settings.hooks.iter().for_each(startable);
}

/// A claim that lasts so long can be made.
fn claimed(lease: i64) {
    let (list, ann) = (TaskList::in_memory(), Actor::new("ann", "s"));
    let new = NewTask { subject: "one".to_owned(), ..NewTask::default() };
    let id = list.run(&ann, &Command::Create(new)).expect("a task").tasks[0].task.id.clone();
    let claim = ClaimTask { lease: Some(lease), ..ClaimTask::of(id) };
    list.run(&ann, &Command::Claim(claim)).expect("a claim");
}

fn startable(hook: &Hook) {
    assert!(hook.timeout_ms > 0 && !hook.name().is_empty());
    let words = match &hook.run {
        Run::Shell(line) => std::slice::from_ref(line),
        Run::Words(words) => words,
    };
    assert!(!words[0].trim().is_empty() && words.iter().all(|it| !it.contains('\0')));
}
