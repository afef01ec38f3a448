//! `wl runs`: what was run for tasks, and how it ended.

use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, FAINT, GOOD, WRONG, ago, paint, seconds, visible},
    worker::{Record, Runs},
};
use clap::Args;
use worklist::{
    TaskId, TaskList,
    json::{Json, Object},
    time::Time,
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl runs                      # the latest attempts of `wl work`
  wl runs 7                    # those at one task
  wl runs --json | jq '.runs[] | select(.outcome == \"failed\")'";

#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    /// Only attempts at this task
    #[arg(value_parser = super::typed::id, add = clap_complete::ArgValueCandidates::new(crate::complete::any))]
    pub(crate) id: Option<TaskId>,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
}

pub(super) fn run(context: &Context, args: &RunsArgs) -> Result<Answer, Failure> {
    let list = context.open()?;
    let runs = Runs::of(&context.folder).all(args.id.as_ref());
    let total = runs.len();
    let shown = &runs[..total.min(args.limit)];
    let mut text: String = shown.iter().map(|it| line(it, &list) + "\n").collect();
    if runs.is_empty() {
        text += "Nothing was run here. `wl work -- COMMAND` runs a command for each ready task.\n";
    } else if total > shown.len() {
        text += &paint(FAINT, &format!("… and {} more; --limit shows them\n", total - shown.len()));
    }
    let runs = shown.iter().map(|it| Json::Object(it.json())).collect();
    let json = Object::new().with("runs", Json::Array(runs)).with("count", shown.len()).with("total", total);
    Ok(Answer::new(text, json))
}

fn line(run: &Record, list: &TaskList) -> String {
    let when = ago(Time(run.began), list.now());
    let end = match &run.ended {
        None => "runs".to_owned(),
        Some(it) => {
            let style = if it.outcome == "succeeded" { GOOD } else { WRONG };
            let exit = it.exit.filter(|it| *it != 0).map(|it| format!(" {it}")).unwrap_or_default();
            format!("{}{exit} in {}", paint(style, &it.outcome), seconds(it.milliseconds))
        }
    };
    format!(
        "#{}  {when}  {}  {end}  {}",
        visible(&run.id),
        visible(&run.worker),
        paint(FAINT, &visible(&run.command))
    )
}
