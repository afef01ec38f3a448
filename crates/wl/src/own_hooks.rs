//! Runs the user's hooks: a command for a moment, with what happened as JSON on its input. Not which moments there
//! are: that is the engine's.
#![expect(clippy::disallowed_methods, reason = "a hook that hangs is stopped after a while")]

use crate::{
    output::{Output, visible},
    processes::{Heard, end_group},
    settings::{Hook, Run, Settings},
};
use std::{
    ffi::OsString,
    io::Write,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use worklist::{
    hooks::{Hooks, Notice},
    json::{Json, Object, Style, parse, write},
    portable::task_to_json,
};

/// So much of what a hook says is listened to.
const MOST_BYTES: usize = 64 * 1024;
/// The exit code by which a hook refuses.
const REFUSES: i32 = 2;

/// Variables with what they are set to; none is not to be set.
pub(crate) type Variables = Vec<(&'static str, Option<OsString>)>;

/// Leads a command's own `wl` to a list.
pub(crate) fn lead(command: &mut Command, variables: &Variables) {
    for (name, value) in variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

/// Runs the hooks of the settings.
pub(crate) struct Runner {
    hooks: Vec<Hook>,
    /// Where the list is, in words.
    place: String,
    /// What leads a hook's own commands to the list, and what does not.
    variables: Variables,
    output: Output,
}

impl Runner {
    /// None if there are no hooks.
    pub(crate) fn new(
        settings: &Settings,
        place: String,
        variables: Variables,
        output: Output,
    ) -> Option<Runner> {
        let hooks = settings.hooks.clone();
        (!hooks.is_empty()).then_some(Runner { hooks, place, variables, output })
    }

    fn of(&self, notice: &Notice, before: bool) -> impl Iterator<Item = &Hook> {
        self.hooks.iter().filter(move |it| it.moment == notice.moment && it.before == before)
    }

    fn run(&self, hook: &Hook, notice: &Notice) -> Result<Said, String> {
        let mut command = match &hook.run {
            Run::Shell(line) => {
                let mut command = Command::new("sh");
                command.args(["-c", line]);
                command
            }
            Run::Words(words) => {
                let mut command = Command::new(&words[0]);
                command.args(&words[1..]);
                command
            }
        };
        command.env("WORKLIST_HOOK", hook.name());
        lead(&mut command, &self.variables);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| format!("it could not be started: {error}"))?;
        if let Some(mut input) = child.stdin.take() {
            // A hook that does not read what happened is content with when.
            let text = write(&Json::Object(told(hook, notice, &self.place)), Style::COMPACT, "") + "\n";
            _ = input.write_all(text.as_bytes());
        }
        finish(child, hook.timeout_ms)
    }
}

impl Hooks for Runner {
    fn asks_before(&self) -> bool {
        self.hooks.iter().any(|it| it.before)
    }

    fn before(&self, notice: &Notice) -> Result<(), String> {
        for hook in self.of(notice, true) {
            let said = self.run(hook, notice).map_err(|error| format!("hook {}: {error}", hook.name()))?;
            if let Some(reason) = said.refusal() {
                return Err(reason);
            }
        }
        Ok(())
    }

    fn after(&self, notice: &Notice) {
        for hook in self.of(notice, false) {
            let failed = match self.run(hook, notice) {
                Err(error) => Some(error),
                Ok(said) if said.code != Some(0) => Some(said.complaint()),
                Ok(_) => None,
            };
            if let Some(reason) = failed.filter(|_| !self.output.quiet) {
                self.output.complain(&format!("warning: hook {}: {}", hook.name(), visible(reason.trim())));
            }
        }
    }
}

fn told(hook: &Hook, notice: &Notice, place: &str) -> Object {
    let mut object = Object::new()
        .with("hook", hook.name())
        .with("moment", notice.moment.name())
        .with("task", task_to_json(&notice.task))
        .with("agent", notice.actor.agent.as_str())
        .with("session", notice.actor.session.as_str())
        .with("dir", place);
    object.set_some("seq", notice.seq);
    object
}

/// What a hook said.
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Said {
    /// Why it refuses, if it does: by its exit code, or by a decision on its output.
    fn refusal(&self) -> Option<String> {
        let value = parse(self.out.trim()).ok();
        let object = value.as_ref().and_then(Json::as_object);
        let text = |key: &str| object.and_then(|it| it.get(key)).and_then(Json::as_str);
        if self.code == Some(0) && text("decision") != Some("block") {
            return None;
        }
        if self.code == Some(REFUSES) || text("decision") == Some("block") {
            let own = text("reason").map(str::to_owned);
            return Some(own.unwrap_or_else(|| self.complaint()));
        }
        // It failed. What was to be checked was not: that is no yes.
        Some(format!("the hook failed: {}", self.complaint()))
    }

    fn complaint(&self) -> String {
        let said = [&self.err, &self.out].into_iter().find(|it| !it.trim().is_empty());
        let code = self.code.map_or_else(|| "a signal".to_owned(), |it| format!("exit code {it}"));
        said.map_or_else(|| format!("it ended with {code}"), |it| it.trim().to_owned())
    }
}

/// Waits for a hook, not for ever. What it prints is read meanwhile, so that it cannot block on that.
fn finish(mut child: Child, timeout_ms: i64) -> Result<Said, String> {
    let out = child.stdout.take().map(|it| Heard::of(it, MOST_BYTES, 0));
    let err = child.stderr.take().map(|it| Heard::of(it, MOST_BYTES, 0));
    let text = |heard: Option<Heard>| heard.map(|it| it.text()).unwrap_or_default();
    let started = Instant::now();
    let limit = Duration::from_millis(u64::try_from(timeout_ms).unwrap_or(0));
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if started.elapsed() >= limit => {
                end_group(&mut child);
                return Err(format!("it did not end within {} s and was stopped", limit.as_secs()));
            }
            Ok(None) => thread::sleep(Duration::from_millis(5)),
            Err(error) => return Err(error.to_string()),
        }
    };
    Ok(Said { code: status.code(), out: text(out), err: text(err) })
}
