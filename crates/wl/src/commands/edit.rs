//! `wl edit`: changes what a task says, its status and its edges, in one step.

use super::{
    done::{freed_json, unblocked},
    typed::{self, id, own_key, pair, priorities, statuses},
};
use crate::{
    complete,
    context::Context,
    failure::Failure,
    output::{Answer, line, task_json},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use worklist::{
    Command, Priority, Status, TaskId,
    json::{Json, Object},
    rules::Edit,
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl edit 7 --subject \"Write the new parser\" --priority high
  wl edit 7 --after 3 --not-after 2
  wl edit 7 --status pending           # open it again
  wl edit 7 --meta pr=41 --unmeta draft
  $EDITOR notes.md; wl edit 7 -d - < notes.md";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct EditArgs {
    /// The task: `7` or `#7`
    #[arg(value_parser = id, add = ArgValueCandidates::new(complete::any))]
    pub(crate) id: TaskId,
    /// What is to be done, in one imperative line
    #[arg(long, value_name = "TEXT")]
    pub(crate) subject: Option<String>,
    /// The same at length, in Markdown; `-` reads it from standard input
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// What is being done while it is in progress; empty for none
    #[arg(long, value_name = "TEXT")]
    pub(crate) active_form: Option<String>,
    /// Its status; the rules of `claim` and `done` hold
    #[arg(long, value_name = "STATUS", value_parser = statuses())]
    pub(crate) status: Option<String>,
    /// Who shall do it
    #[arg(long, value_name = "AGENT", conflicts_with = "no_owner")]
    pub(crate) owner: Option<String>,
    /// Nobody in particular shall do it
    #[arg(long)]
    pub(crate) no_owner: bool,
    /// How urgent it is
    #[arg(long, value_name = "PRIORITY", value_parser = priorities(), conflicts_with = "no_priority")]
    pub(crate) priority: Option<String>,
    /// As urgent as usual
    #[arg(long)]
    pub(crate) no_priority: bool,
    /// The task that it is a part of
    #[arg(long, value_name = "ID", value_parser = id, conflicts_with = "no_parent", add = ArgValueCandidates::new(complete::any))]
    pub(crate) parent: Option<TaskId>,
    /// It is not a part of another
    #[arg(long)]
    pub(crate) no_parent: bool,
    /// A label to add; may be repeated
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// A label to take off; may be repeated
    #[arg(long, value_name = "TAG")]
    pub(crate) untag: Vec<String>,
    /// Something to remember with it; the value is JSON, or else text
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    pub(crate) meta: Vec<(String, Json)>,
    /// Something to forget
    #[arg(long, value_name = "KEY", value_parser = own_key)]
    pub(crate) unmeta: Vec<String>,
    /// A task that must be done first; may be repeated
    #[arg(long, value_name = "ID", value_parser = id, add = ArgValueCandidates::new(complete::open))]
    pub(crate) after: Vec<TaskId>,
    /// A task that need not be done first any more
    #[arg(long, value_name = "ID", value_parser = id, add = ArgValueCandidates::new(complete::any))]
    pub(crate) not_after: Vec<TaskId>,
    /// A task that must wait for this one; may be repeated
    #[arg(long, value_name = "ID", value_parser = id, add = ArgValueCandidates::new(complete::open))]
    pub(crate) before: Vec<TaskId>,
    /// A task that need not wait for this one any more
    #[arg(long, value_name = "ID", value_parser = id, add = ArgValueCandidates::new(complete::any))]
    pub(crate) not_before: Vec<TaskId>,
    /// The number of the claim under which this is done
    #[arg(long, value_name = "N")]
    pub(crate) token: Option<u64>,
    /// Also if somebody else is at work on it
    #[arg(long)]
    pub(crate) force: bool,
}

pub(super) fn run(context: &Context, args: &EditArgs) -> Result<Answer, Failure> {
    let edit = wanted(args)?;
    let outcome = context.open()?.run(&context.actor, &Command::Edit(edit))?;
    let Some(task) = outcome.tasks.first() else { return Ok(Answer::default()) };
    let said = if outcome.event.is_some() { "Changed" } else { "Nothing to change in" };
    let text = format!("{said} {}\n{}", line(task), unblocked(&outcome.freed));
    let mut json = Object::new().with("task", task_json(task)).with("changed", outcome.event.is_some());
    if !outcome.freed.is_empty() {
        json.set("unblocked", freed_json(&outcome.freed));
    }
    json.set_some("token", outcome.decision.token);
    Ok(Answer::new(text, json).warned(&outcome.problems))
}

fn wanted(args: &EditArgs) -> Result<Edit, Failure> {
    let description = args.description.as_deref().map(|it| typed::text(it, "the description")).transpose()?;
    let set = args.meta.iter().map(|(key, value)| (key.clone(), Some(value.clone())));
    let metadata = set.chain(args.unmeta.iter().map(|it| (it.clone(), None))).collect();
    Ok(Edit {
        subject: args.subject.clone(),
        description,
        active_form: args.active_form.clone().map(|it| Some(it).filter(|it| !it.is_empty())),
        owner: chosen(args.owner.clone().filter(|it| !it.is_empty()), args.no_owner),
        status: args.status.as_deref().and_then(Status::named),
        priority: chosen(args.priority.as_deref().and_then(Priority::named), args.no_priority),
        parent: chosen(args.parent.clone(), args.no_parent),
        add_tags: args.tag.clone(),
        remove_tags: args.untag.clone(),
        metadata,
        add_blocked_by: args.after.clone(),
        add_blocks: args.before.clone(),
        remove_blocked_by: args.not_after.clone(),
        remove_blocks: args.not_before.clone(),
        token: args.token,
        force: args.force,
        ..Edit::of(args.id.clone())
    })
}

/// A new value, none at all, or what is there.
#[expect(clippy::option_option, reason = "as the rules have it: no change, nothing, something")]
fn chosen<T>(value: Option<T>, none: bool) -> Option<Option<T>> {
    match (value, none) {
        (Some(value), _) => Some(Some(value)),
        (None, true) => Some(None),
        (None, false) => None,
    }
}
