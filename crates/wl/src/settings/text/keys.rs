//! The table of settings: name, what it means, who may set it, what it may be.

use worklist::{Actor, claim::LONGEST_NAME, format::FORMATS};

/// One setting.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) default: &'static str,
    /// Whether a list's own file may set it.
    pub(crate) for_lists: bool,
    pub(crate) check: fn(&str) -> Result<(), String>,
}

/// All settings.
pub(crate) const KEYS: &[Key] = &[
    Key {
        name: "agent",
        about: "who acts, where nothing else says it",
        default: "the user's name",
        for_lists: false,
        check: name,
    },
    Key {
        name: "claude.continue",
        about: "whether Claude Code is asked to go on while tasks are ready: true, false",
        default: "false",
        for_lists: true,
        check: switch,
    },
    Key {
        name: "claude.sentinel",
        about: "whether its lists are kept from being emptied: true, false",
        default: "false",
        for_lists: true,
        check: switch,
    },
    Key {
        name: "color",
        about: "when to use colours: auto, always, never",
        default: "auto",
        for_lists: false,
        check: |it| one_of(it, &["auto", "always", "never"]),
    },
    Key {
        name: "format",
        about: "the format of new lists",
        default: "claude",
        for_lists: false,
        check: |it| one_of(it, &FORMATS.map(|it| it.shape().name)),
    },
    Key {
        name: "lease",
        about: "how long a claim lasts without a sign of life",
        default: "15m",
        for_lists: true,
        check: |it| milliseconds(it).map(|_| ()),
    },
    Key {
        name: "model.key",
        about: "the key of the model's service, for `wl agent`; never shown",
        default: "none",
        for_lists: false,
        check: filled,
    },
    Key {
        name: "model.name",
        about: "the model that `wl agent` asks",
        default: "the provider's usual one",
        for_lists: false,
        check: filled,
    },
    Key {
        name: "model.provider",
        about: "whose service it is: anthropic, openai (or one that speaks like it)",
        default: "anthropic",
        for_lists: false,
        check: |it| one_of(it, &["anthropic", "openai"]),
    },
    Key {
        name: "model.url",
        about: "where the service is",
        default: "the provider's own",
        for_lists: false,
        check: filled,
    },
    Key {
        name: "pager",
        about: "the program for long output; cat for none",
        default: "$PAGER, else less",
        for_lists: false,
        check: filled,
    },
    Key {
        name: "rules",
        about: "strict, or lenient: blocked tasks may be started and completed",
        default: "strict",
        for_lists: true,
        check: |it| one_of(it, &["strict", "lenient"]),
    },
    Key {
        name: "store",
        about: "the database in which lists named with --list are kept, postgres://HOST/DATABASE",
        default: "none",
        for_lists: false,
        check: filled,
    },
];

/// A text that is a name or a part of a command or of a header: all of these are one line.
fn filled(value: &str) -> Result<(), String> {
    if value.trim().is_empty() {
        return Err("may not be empty".to_owned());
    }
    if value.chars().any(char::is_control) {
        return Err("must be one line without control characters".to_owned());
    }
    Ok(())
}

fn name(value: &str) -> Result<(), String> {
    filled(value)?;
    if Actor::is_name(value) { Ok(()) } else { Err(format!("must be at most {LONGEST_NAME} bytes")) }
}

fn switch(value: &str) -> Result<(), String> {
    one_of(value, &["true", "false"])
}

fn one_of(value: &str, known: &[&str]) -> Result<(), String> {
    if known.contains(&value) {
        Ok(())
    } else {
        Err(format!("must be one of {}, not \"{value}\"", known.join(", ")))
    }
}

/// Longer than a year is a mistake.
const LONGEST: i64 = 366 * 86_400_000;

/// A length of time in milliseconds: `90s`, `15m`, `2h`, `1d`.
pub(crate) fn milliseconds(text: &str) -> Result<i64, String> {
    let unit = |name: &str| match name {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" | "min" => Some(60_000),
        "h" => Some(3_600_000),
        "d" => Some(86_400_000),
        _ => None,
    };
    let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    let (number, name) = text.split_at(end);
    let length = number
        .parse::<i64>()
        .ok()
        .zip(unit(name))
        .and_then(|(number, unit)| number.checked_mul(unit))
        .filter(|it| (1..=LONGEST).contains(it));
    length.ok_or_else(|| format!("`{text}` is not a length of time: write 90s, 15m or 2h"))
}
