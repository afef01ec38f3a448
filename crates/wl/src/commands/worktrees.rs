//! `wl worktrees`: the places that tasks were worked on in, and which of them can go.

use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, BUSY, FAINT, WAITS, counted, paint, visible},
    worktrees::{Found, Worktrees},
};
use clap::Args;
use worklist::json::{Json, Object};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl worktrees                 # what `wl work --worktree` has left
  wl worktrees --prune         # removes those in which everything is committed; commits stay on their branches
  git merge wl/7-fix-the-parser";

#[derive(Debug, Args)]
pub(crate) struct WorktreesArgs {
    /// Remove those in which everything is committed and nobody works
    #[arg(long)]
    pub(crate) prune: bool,
}

pub(super) fn run(context: &Context, args: &WorktreesArgs) -> Result<Answer, Failure> {
    let list = context.open()?;
    let trees = Worktrees::of(&context.here, context.state.as_deref())?;
    let found = trees.all(&list.board()?.tasks)?;
    let removed = if args.prune { trees.prune(&found) } else { vec![false; found.len()] };
    let mut text = String::new();
    for (tree, removed) in found.iter().zip(&removed) {
        text += &line(tree, *removed);
    }
    if found.is_empty() {
        text += "There are no worktrees of tasks. `wl work --worktree -- COMMAND` makes one for each task.\n";
    }
    let trees = found.iter().zip(&removed).map(|(tree, removed)| Json::Object(object(tree, *removed)));
    let json = Object::new().with("worktrees", Json::Array(trees.collect())).with("count", found.len());
    Ok(Answer::new(text, json))
}

fn line(tree: &Found, removed: bool) -> String {
    let task = tree.task.as_ref().map(|it| format!("#{} {}", it.task.id, it.task.subject));
    let task = visible(task.as_deref().unwrap_or("no task"));
    let state = match (tree.is_busy(), tree.gone, tree.changes) {
        _ if removed => "removed".to_owned(),
        (true, ..) => paint(BUSY, "in progress"),
        (_, true, _) => "gone".to_owned(),
        (_, _, 0) => "all committed".to_owned(),
        (_, _, changes) => paint(WAITS, &format!("{} not committed", counted(changes, "change"))),
    };
    let commits = counted(tree.commits, "commit");
    let place = paint(FAINT, &visible(&tree.path.display().to_string()));
    format!("{task}  {}  {commits}, {state}\n  {place}\n", visible(&tree.branch))
}

fn object(tree: &Found, removed: bool) -> Object {
    let mut object = Object::new()
        .with("path", tree.path.display().to_string())
        .with("branch", tree.branch.as_str())
        .with("commits", tree.commits)
        .with("changes", tree.changes)
        .with("busy", tree.is_busy())
        .with("removed", removed);
    object.set_some("id", tree.task.as_ref().map(|it| it.task.id.as_str()));
    object.set_some("subject", tree.task.as_ref().map(|it| it.task.subject.as_str()));
    object
}
