//! Hooks as the files of settings declare them. Running them is another matter.

use super::{Origin, keys::milliseconds};
use toml_edit::Item;
use worklist::hooks::Moment;

/// A hook that takes longer is stopped, unless the settings say otherwise.
const USUAL_MS: i64 = 30_000;

/// A command to run at a moment.
#[derive(Debug, Clone)]
pub(crate) struct Hook {
    pub(crate) moment: Moment,
    /// Whether it is asked before, and may refuse.
    pub(crate) before: bool,
    pub(crate) run: Run,
    pub(crate) timeout_ms: i64,
    pub(crate) origin: Origin,
}

/// What is run.
#[derive(Debug, Clone)]
pub(crate) enum Run {
    /// A line for the shell.
    Shell(String),
    /// A program and its arguments.
    Words(Vec<String>),
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Run::Shell(line) => f.write_str(line),
            Run::Words(words) => write!(f, "{words:?}"),
        }
    }
}

impl Hook {
    /// Its name in the settings.
    pub(crate) fn name(&self) -> String {
        let before = if self.before { "before-" } else { "" };
        format!("{before}{}", self.moment.name())
    }
}

/// `[hooks]`: a table of moments, each with a command line or a list of words; `timeout` for all of them.
pub(super) fn hooks(item: &Item, origin: &Origin) -> Result<Vec<Hook>, String> {
    let table = item.as_table_like().ok_or("`hooks` must be a table")?;
    let timeout =
        table.get("timeout").map(|it| it.as_str().ok_or("`timeout` must be a text such as \"30s\""));
    let timeout_ms = timeout.transpose()?.map(milliseconds).transpose()?.unwrap_or(USUAL_MS);
    let mut hooks = Vec::new();
    for (name, item) in table.iter().filter(|(name, _)| *name != "timeout") {
        let (moment, before) = match name.strip_prefix("before-") {
            Some(rest) => (Moment::named(rest), true),
            None => (Moment::named(name), false),
        };
        let asked = |it: &Moment| !before || matches!(it, Moment::Created | Moment::Completed);
        let Some(moment) = moment.filter(asked) else {
            let known: Vec<&str> = Moment::ALL.into_iter().map(Moment::name).collect();
            return Err(format!(
                "hook `{name}` is not known: it is one of before-created, before-completed, {}",
                known.join(", ")
            ));
        };
        let run = words(item).ok_or_else(|| format!("hook `{name}` must be a command or a list of words"))?;
        hooks.push(Hook { moment, before, run, timeout_ms, origin: origin.clone() });
    }
    Ok(hooks)
}

/// None for what no program can be started with.
fn words(item: &Item) -> Option<Run> {
    if let Some(line) = item.as_str() {
        return Some(Run::Shell(line.to_owned())).filter(|_| !line.trim().is_empty() && !line.contains('\0'));
    }
    let words =
        item.as_array()?.iter().map(|it| it.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?;
    let can_start =
        words.first().is_some_and(|it| !it.trim().is_empty()) && words.iter().all(|it| !it.contains('\0'));
    can_start.then_some(Run::Words(words))
}
