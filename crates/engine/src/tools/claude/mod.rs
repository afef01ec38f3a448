//! The vocabulary of Claude Code as its client answers it today: the same inputs, as strict and as lenient, the same
//! texts and structured results. Not the same freedom: where our rules refuse, `said` has the words for it.

mod create;
mod input;
mod list;
mod native;
mod said;
mod show;
mod update;

pub(super) use said::{told, unknown};

pub use native::{adopt, guard};

use super::{Effect, Tool};

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "TaskCreate",
        aliases: &[],
        description: "Add a task to the list.",
        schema: r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"subject":{"description":"A brief title for the task","type":"string"},"description":{"description":"What needs to be done","type":"string"},"activeForm":{"description":"Present continuous form shown in spinner when in_progress (e.g., \"Running tests\")","type":"string"},"metadata":{"description":"Arbitrary metadata to attach to the task","type":"object","propertyNames":{"type":"string"},"additionalProperties":{}}},"required":["subject","description"],"additionalProperties":false}"#,
        effect: Effect::Changes,
        call: create::call,
    },
    Tool {
        name: "TaskGet",
        aliases: &[],
        description: "Get one task: status, description, what blocks it and what it blocks.",
        schema: r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"taskId":{"description":"The ID of the task to retrieve","type":"string"}},"required":["taskId"],"additionalProperties":false}"#,
        effect: Effect::Looks,
        call: show::call,
    },
    Tool {
        name: "TaskUpdate",
        aliases: &[],
        description: "Change a task. Status in_progress claims it for you and completed finishes it, both refused while it is blocked or another's; deleted removes it.",
        schema: r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"taskId":{"description":"The ID of the task to update","type":"string"},"subject":{"description":"New subject for the task","type":"string"},"description":{"description":"New description for the task","type":"string"},"activeForm":{"description":"Present continuous form shown in spinner when in_progress (e.g., \"Running tests\")","type":"string"},"status":{"description":"New status for the task","anyOf":[{"type":"string","enum":["pending","in_progress","completed"]},{"type":"string","const":"deleted"}]},"addBlocks":{"description":"Task IDs that this task blocks","type":"array","items":{"type":"string"}},"addBlockedBy":{"description":"Task IDs that block this task","type":"array","items":{"type":"string"}},"owner":{"description":"New owner for the task","type":"string"},"metadata":{"description":"Metadata keys to merge into the task. Set a key to null to delete it.","type":"object","propertyNames":{"type":"string"},"additionalProperties":{}}},"required":["taskId"],"additionalProperties":false}"#,
        effect: Effect::Removes,
        call: update::call,
    },
    Tool {
        name: "TaskList",
        aliases: &[],
        description: "List all tasks with status, owner and what blocks them.",
        schema: r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{},"additionalProperties":false}"#,
        effect: Effect::Looks,
        call: list::call,
    },
];
