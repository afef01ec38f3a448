//! The tools of the agent: a shell, files, and the tasks in one vocabulary. Every call gets an answer, whatever is wrong
//! with it. Not what the tools for tasks do: that is the engine's.

mod bash;
mod batch;
mod files;
mod input;
mod tasks;
mod workspace;

pub(super) use tasks::Tasks;
pub(super) use workspace::Workspace;

use super::{
    conversation::{Call, Offer, Returned},
    interrupt::Interrupts,
    model::Model,
    person::Person,
    voice::Voice,
};
use bash::Shell;
use input::Input;
use worklist::json::{Json, Object, parse};

/// All that an agent can do.
pub(super) struct Toolbox<'a> {
    pub(super) tasks: &'a Tasks,
    pub(super) workspace: Workspace,
    pub(super) person: &'a Person,
    pub(super) voice: &'a Voice,
    pub(super) interrupts: Interrupts,
    /// It knows what must not be shown.
    pub(super) model: &'a Model,
    /// Whether commands run without being asked for.
    pub(super) allowed: bool,
}

/// A tool of our own, beside those for tasks.
struct Own {
    name: &'static str,
    description: &'static str,
    schema: &'static str,
    is_safe: bool,
    run: fn(&Toolbox<'_>, &Input) -> Answer,
}

/// What a tool of our own answers: text, or why not.
type Answer = Result<String, String>;

const OWN: &[Own] = &[
    Own {
        name: "bash",
        description: "Run a command in the workspace's folder. What it leaves in the background is stopped when it ends.",
        schema: r#"{"type":"object","properties":{"command":{"type":"string"},"timeout":{"type":"integer","description":"Seconds, 120 unless given, at most 600"}},"required":["command"]}"#,
        is_safe: false,
        run: bash,
    },
    Own {
        name: "read_file",
        description: "Read a text file in the workspace.",
        schema: r#"{"type":"object","properties":{"path":{"type":"string"},"offset":{"type":"integer","description":"First line, from 1"},"limit":{"type":"integer","description":"So many lines"}},"required":["path"]}"#,
        is_safe: true,
        run: files::read,
    },
    Own {
        name: "write_file",
        description: "Write a file in the workspace, and the folders it is in.",
        schema: r#"{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}"#,
        is_safe: false,
        run: files::write,
    },
    Own {
        name: "edit_file",
        description: "Replace a text in a file. It must be there exactly once.",
        schema: r#"{"type":"object","properties":{"path":{"type":"string"},"old_text":{"type":"string"},"new_text":{"type":"string"}},"required":["path","old_text","new_text"]}"#,
        is_safe: false,
        run: files::edit,
    },
];

impl Toolbox<'_> {
    /// What the model is offered.
    pub(super) fn offers(&self) -> Vec<Offer> {
        let own = OWN.iter().map(|it| Offer {
            name: it.name,
            description: it.description,
            schema: parse(it.schema).unwrap_or(Json::Null),
        });
        own.chain(self.tasks.offers()).collect()
    }

    /// Answers calls, those that only look together; in the order of the calls.
    pub(super) fn answer(&self, calls: &[Call]) -> Vec<Returned> {
        let is_safe = |call: &Call| match own(&call.name) {
            Some(tool) => tool.is_safe,
            None => self.tasks.only_looks(&call.name),
        };
        let answer = |call: &Call| {
            let result = self.one(call);
            self.voice.result(call, &result);
            result
        };
        batch::run(calls, &is_safe, &answer)
    }

    fn one(&self, call: &Call) -> Returned {
        self.voice.call(call);
        let (text, is_error) = match self.said(call) {
            Ok(text) => (text, false),
            Err(text) => (text, true),
        };
        Returned { id: call.id.clone(), text: self.model.hide(&text), is_error }
    }

    fn said(&self, call: &Call) -> Answer {
        if self.interrupts.came() {
            return Err("The person broke it off before this was done.".to_owned());
        }
        // A tool without parameters is often called with nothing at all.
        let text = if call.arguments.trim().is_empty() { "{}" } else { &call.arguments };
        let input = parse(text).map_err(|fault| format!("The arguments cannot be read as JSON: {fault}."))?;
        match own(&call.name) {
            Some(tool) => {
                let object = input.as_object().ok_or("The arguments must be a JSON object.")?;
                (tool.run)(self, &Input(object))
            }
            None => self.tasks.call(&call.name, &input, &self.interrupts),
        }
    }

    /// Whether a command may run: by a flag, or by the person's word.
    fn may_run(&self, command: &str) -> Result<(), String> {
        if self.allowed {
            return Ok(());
        }
        if !self.person.is_there() {
            return Err(
                "Commands are not allowed here: nobody is there to ask. `--yes` allows them.".to_owned()
            );
        }
        self.person.forget();
        self.voice.ask(&format!("Run this?  {}  [y/N]", crate::output::visible_lines(command)));
        if self.person.says_yes() {
            Ok(())
        } else {
            Err("The person does not want this command to run.".to_owned())
        }
    }
}

fn own(name: &str) -> Option<&'static Own> {
    OWN.iter().find(|it| it.name == name)
}

fn bash(toolbox: &Toolbox<'_>, input: &Input) -> Answer {
    let command = input.text("command")?;
    let seconds = input.number("timeout")?.unwrap_or(bash::USUAL_SECONDS).clamp(1, bash::MOST_SECONDS);
    toolbox.may_run(command)?;
    Shell { folder: toolbox.workspace.root(), seconds, interrupts: &toolbox.interrupts }.run(command)
}

/// An object without members, for tools that need no arguments.
fn nothing() -> Json {
    Json::Object(Object::new())
}
