//! `wl hook`: answers a hook of Claude Code. What each event comes to is not here.

use crate::{
    args::Global,
    context::plain_output,
    hook,
    output::{Answer, Document, Output},
};
use clap::Args;

pub(super) const EXAMPLES: &str = "\
Events:
  PreToolUse          its own TaskCreate and TaskUpdate: claims, or denies with the holder's name
  PostToolUse         the same: notes the change as this agent's, tells what became ready
  TaskCreated         your `before-created` hooks; they can refuse
  TaskCompleted       your `before-completed` hooks; they can refuse
  SessionStart        the open tasks, as context
  SubagentStop        completes what `tasks_completed` names, gives the rest back
  TeammateIdle, Stop  the same completions; can ask the agent to go on (setting claude.continue)
  SessionEnd          gives back what the session holds
  PreCompact, UserPromptSubmit, SubagentStart, PostToolUseFailure
                      a sign of life

Exit code 2 denies, with the reason on standard error. Whatever goes wrong otherwise is said there, and
lets the client go on.

Examples:
  wl hook SessionStart < input.json
  echo '{\"session_id\": \"s\", \"tool_name\": \"TaskUpdate\",
    \"tool_input\": {\"taskId\": \"1\", \"status\": \"in_progress\"}}' | wl hook PreToolUse";

#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    /// The event, as the client names it
    #[arg(value_name = "EVENT")]
    pub(crate) event: String,
}

pub(super) fn run(global: &Global, args: &HookArgs) -> (Output, Answer) {
    let output = plain_output(global.json);
    let said = hook::answer(global, &args.event);
    for line in &said.lines {
        output.complain(line);
    }
    (output, Answer { text: said.text(), json: Document::Text, exit: said.exit(), ..Answer::default() })
}
