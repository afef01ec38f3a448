//! `wl graph`: the picture of what waits for what.

use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, visible},
    picture::{Missing, Picture, dot, drawn, mermaid, svg},
};
use clap::{Args, ValueEnum};
use std::collections::HashSet;
use worklist::{
    State, TaskId, TaskView,
    json::{Json, Object},
};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl graph                     # boxes and arrows, in the terminal
  wl graph --to svg > plan.svg
  wl graph --to mermaid        # for a README or a pull request
  wl graph --to dot | dot -Tpng > plan.png
  wl graph 7 --open            # only what is open around one task";

#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// Only this task, what it waits for and what waits for it
    #[arg(value_parser = super::typed::id, add = clap_complete::ArgValueCandidates::new(crate::complete::any))]
    pub(crate) id: Option<TaskId>,
    /// As what
    #[arg(long, value_name = "KIND", value_enum, default_value_t)]
    pub(crate) to: Kind,
    /// Leave completed tasks out
    #[arg(long)]
    pub(crate) open: bool,
    /// Only tasks with this tag; with several, all of them
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
}

/// What a picture is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Boxes and lines for the terminal
    #[default]
    Text,
    /// For Graphviz
    Dot,
    /// For Markdown
    Mermaid,
    /// A picture for browsers and documents
    Svg,
}

pub(super) fn run(context: &Context, args: &GraphArgs) -> Result<Answer, Failure> {
    let list = context.look()?;
    let board = list.board()?;
    let around = args.id.as_ref().map(|id| neighbourhood(&board.tasks, id)).transpose()?;
    let wanted = |it: &&TaskView| {
        !it.task.is_internal()
            && (!args.open || it.state != State::Completed)
            && args.tag.iter().all(|tag| it.task.tags.contains(tag))
            && around.as_ref().is_none_or(|ids| ids.contains(&it.task.id))
    };
    let tasks: Vec<&TaskView> = board.tasks.iter().filter(wanted).collect();
    let narrowed = tasks.len() < board.tasks.len();
    let missing = if narrowed { Missing::LeftOut } else { Missing::Drawn };
    let picture = Picture::of_tasks(&tasks, missing);
    let name =
        context.folder.parent().and_then(|it| it.file_name()).map(|it| it.to_string_lossy().into_owned());
    let title = visible(&name.unwrap_or_else(|| "tasks".to_owned()));
    let text = match args.to {
        Kind::Text if tasks.is_empty() => "There is nothing to draw.\n".to_owned(),
        Kind::Text => drawn(&context.output, &picture),
        Kind::Dot => dot(&picture),
        Kind::Mermaid => mermaid(&picture),
        Kind::Svg => svg(&picture, &title),
    };
    let json = json(&picture).with("picture", text.as_str());
    Ok(Answer::new(text, json).warned(&board.problems))
}

fn json(picture: &Picture) -> Object {
    let name = |n: usize| picture.nodes[n].id.as_str();
    let nodes = picture.nodes.iter().map(|it| {
        let mut node = Object::new().with("id", it.id.as_str()).with("subject", it.subject.as_str());
        node.set_some("state", it.state.map(State::name));
        Json::Object(node)
    });
    let edges = picture.edges.iter().map(|(from, to)| Json::strings([name(*from), name(*to)]));
    let critical = picture.critical();
    Object::new()
        .with("nodes", Json::Array(nodes.collect()))
        .with("edges", Json::Array(edges.collect()))
        .with("criticalPath", Json::strings(critical.into_iter().map(name)))
}

/// The tasks that a task waits for, near or far, and that wait for it.
fn neighbourhood(tasks: &[TaskView], id: &TaskId) -> Result<HashSet<TaskId>, Failure> {
    let graph = worklist::graph::Graph::new(tasks.iter().map(|it| &*it.task));
    if graph.task(id).is_none() {
        return Err(worklist::Error::Refused(worklist::Refusal::NotFound { id: id.clone() }).into());
    }
    let around = graph.all_blockers(id).into_iter().chain(graph.all_dependents(id));
    Ok(around.cloned().chain([id.clone()]).collect())
}
