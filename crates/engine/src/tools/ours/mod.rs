//! Our own vocabulary: the four names that models know, which take all that Claude Code's take and more, and two that
//! plan a whole graph and take up the next task. Answers are short lines for a model, bounded, and say what comes next.

mod create;
mod list;
mod next;
mod plan;
mod said;
mod show;
mod update;

pub(super) use said::{one_line, told};

use super::{Arguments, Desk, Effect, Tool};
use crate::claim::Actor;

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "TaskCreate",
        aliases: &[],
        description: "Add a task. For several related tasks use TaskPlan.",
        schema: r#"{"type":"object","properties":{"subject":{"type":"string","description":"Imperative, one line"},"description":{"type":"string","description":"What to do, how to tell it is done"},"blockedBy":{"type":"array","items":{"type":"string"},"description":"Ids that must be done first"},"blocks":{"type":"array","items":{"type":"string"}},"priority":{"enum":["low","medium","high"]},"tags":{"type":"array","items":{"type":"string"}},"parent":{"type":"string"},"activeForm":{"type":"string"},"metadata":{"type":"object"}},"required":["subject"]}"#,
        effect: Effect::Changes,
        call: create::call,
    },
    Tool {
        name: "TaskGet",
        aliases: &[],
        description: "Everything about one task.",
        schema: r#"{"type":"object","properties":{"taskId":{"type":"string"}},"required":["taskId"]}"#,
        effect: Effect::Looks,
        call: show::call,
    },
    Tool {
        name: "TaskUpdate",
        aliases: &[],
        description: "Change a task. Status in_progress claims it for you (refused if blocked or taken), completed finishes it and names what became ready, pending gives it back, deleted removes it.",
        schema: r#"{"type":"object","properties":{"taskId":{"type":"string"},"status":{"enum":["pending","in_progress","completed","deleted"]},"reason":{"type":"string","description":"Why you give it back"},"subject":{"type":"string"},"description":{"type":"string"},"activeForm":{"type":"string"},"owner":{"type":"string"},"priority":{"enum":["low","medium","high"]},"addBlockedBy":{"type":"array","items":{"type":"string"}},"removeBlockedBy":{"type":"array","items":{"type":"string"}},"addBlocks":{"type":"array","items":{"type":"string"}},"removeBlocks":{"type":"array","items":{"type":"string"}},"addTags":{"type":"array","items":{"type":"string"}},"removeTags":{"type":"array","items":{"type":"string"}},"metadata":{"type":"object","description":"Merged; null deletes a key"},"agent":{"type":"string"}},"required":["taskId"]}"#,
        effect: Effect::Removes,
        call: update::call,
    },
    Tool {
        name: "TaskList",
        aliases: &[],
        description: "Open tasks, ready ones first. Filters combine.",
        schema: r#"{"type":"object","properties":{"state":{"enum":["ready","blocked","in_progress","completed","all"]},"owner":{"type":"string"},"tag":{"type":"string"},"since":{"type":"integer","description":"Only what changed after this seq"},"limit":{"type":"integer"}}}"#,
        effect: Effect::Looks,
        call: list::call,
    },
    Tool {
        name: "TaskPlan",
        aliases: &[],
        description: "Add a whole graph of tasks at once, all or nothing. Use it to break a goal down.",
        schema: r#"{"type":"object","properties":{"tasks":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","description":"Local name for after"},"subject":{"type":"string"},"description":{"type":"string"},"after":{"type":"array","items":{"type":"string"},"description":"Names or ids"},"priority":{"enum":["low","medium","high"]},"tags":{"type":"array","items":{"type":"string"}}},"required":["subject"]}},"key":{"type":"string","description":"Same key again changes nothing"}},"required":["tasks"]}"#,
        effect: Effect::Changes,
        call: plan::call,
    },
    Tool {
        name: "TaskNext",
        aliases: &[],
        description: "Claim the best ready task and get all about it. Then do it and set it completed.",
        schema: r#"{"type":"object","properties":{"tag":{"type":"string"},"wait":{"type":"integer","description":"Seconds to wait if nothing is ready"},"agent":{"type":"string","description":"Your name if several agents share this connection"}}}"#,
        effect: Effect::Changes,
        call: next::call,
    },
];

/// Who calls: agents that share one session are told apart by the name they give.
fn caller(desk: &Desk<'_>, arguments: &Arguments<'_>) -> Result<Actor, super::Fault> {
    let name = arguments.text(&["agent"])?.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    Ok(match name {
        Some(name) => desk.actor.within(&name),
        None => desk.actor.clone(),
    })
}
