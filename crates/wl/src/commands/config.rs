//! `wl config`: the settings that count here, and where each came from.

use crate::{
    context::Context,
    output::{Answer, FAINT, columns, paint, visible},
    settings::{KEYS, LISTS, Origin},
};
use clap::Args;
use worklist::json::{Json, Object};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl config                    # value and origin of each setting
  wl config --json | jq -r '.settings[] | select(.key == \"lease\") | .value'

Files: the user's is $XDG_CONFIG_HOME/worklist/config.toml, a list's is worklist.toml in its folder.
  agent = \"ann\"               # the user's file only
  lease = \"30m\"               # either file; the list's counts
  rules = \"lenient\"           # blocked tasks may be started and completed
  [hooks]                      # in a list's file only with `wl trust`
  completed = \"notify-send done\"
  before-completed = \"cargo test\"   # exit code 2 refuses, its output is the reason";

/// The setting whose value nobody is shown.
const SECRET: &str = "model.key";

#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {}

/// A setting: its name, its value, where that came from, what it means.
struct Line {
    key: String,
    value: String,
    origin: String,
    about: &'static str,
}

pub(super) fn run(context: &Context, _args: &ConfigArgs) -> Answer {
    let lines = lines(context);
    let rows: Vec<Vec<String>> = lines
        .iter()
        .map(|it| vec![it.key.clone(), visible(&it.value), visible(&it.origin), it.about.to_owned()])
        .collect();
    let mut text: String = columns(&rows, context.output.width()).into_iter().map(|it| it + "\n").collect();
    for hook in &context.settings.hooks {
        let line = format!("hook {}: {}", hook.name(), hook.run);
        text += &format!("{} {}\n", visible(&line), paint(FAINT, &visible(&hook.origin.to_string())));
    }
    let settings = lines.iter().map(|it| {
        let object = Object::new().with("key", it.key.as_str()).with("value", it.value.as_str());
        Json::Object(object.with("origin", it.origin.as_str()))
    });
    let hooks = context.settings.hooks.iter().map(|it| {
        let object = Object::new().with("on", it.name()).with("run", it.run.to_string());
        Json::Object(object.with("origin", it.origin.to_string()))
    });
    let json = Object::new()
        .with("settings", Json::Array(settings.collect()))
        .with("hooks", Json::Array(hooks.collect()))
        .with("listFile", context.folder.join(LISTS).display().to_string());
    Answer::new(text, json)
}

fn lines(context: &Context) -> Vec<Line> {
    let line = |key: &str, value: &str, origin: String, about| Line {
        key: key.to_owned(),
        value: value.to_owned(),
        origin,
        about,
    };
    let [agent_by, session_by] = &context.named_by;
    let mut lines = vec![
        line("list", &context.shown(), context.place.name().to_owned(), "the folder of the list"),
        line("session", &context.actor.session, session_by.to_string(), "claims belong to it"),
    ];
    for key in KEYS {
        let (value, origin) = match key.name {
            "agent" => (context.actor.agent.clone(), agent_by.clone()),
            name => context.settings.found(name).unwrap_or_else(|| (key.default.to_owned(), Origin::Default)),
        };
        // That there is a key may be seen; the key may not.
        let value = if key.name == SECRET && origin != Origin::Default { "(set)".to_owned() } else { value };
        lines.push(line(key.name, &value, origin.to_string(), key.about));
    }
    lines
}
