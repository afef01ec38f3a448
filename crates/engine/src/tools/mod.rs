//! The tools that agents call, by vocabulary: each with its name, its description, the schema of its input, and what
//! it answers. One declaration for every surface. Not a protocol: who carries calls and answers is a surface's business.
//!
//! Descriptions are constants: text of tasks is data, and never gets into them.

mod arguments;
mod bound;
mod change;
mod checklist;
mod claude;
mod lessons;
mod look;
mod ours;
mod plain;
mod python;
mod s07;
mod s12;
mod stopped;
mod switch;
mod todo;
mod v6;

pub use arguments::Arguments;
pub use checklist::{Checklist, Item, MAX_ITEMS};
pub use claude::{adopt, guard};
pub use plain::plain_line;
pub use stopped::{Stop, stopped};
pub use switch::enabled;

use crate::{
    claim::Actor,
    json::{Json, Object, parse},
    list::{GoesOn, TaskList},
    nearest::nearest,
    rules::Refusal,
    store::Error,
};
use std::ops::ControlFlow;

/// One tool.
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Other names that are understood, and not shown.
    pub aliases: &'static [&'static str],
    /// What a model is told about it.
    pub description: &'static str,
    /// The JSON Schema of its input, as compact text.
    pub schema: &'static str,
    /// What it may do to the list.
    pub effect: Effect,
    call: fn(&Desk<'_>, &Arguments<'_>) -> Result<Reply, Fault>,
}

/// What a call of a tool may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It only looks.
    Looks,
    /// It adds or changes; nothing is lost by it.
    Changes,
    /// It can remove something, which history can bring back.
    Removes,
}

/// A vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Set {
    /// The names that models know, and more.
    Ours,
    /// Those of Claude Code, with its inputs and answers.
    Claude,
    /// Those of the s12 lesson: `create_task`, `claim_task` …
    S12,
    /// Those of the s07 lesson and of its Java port: `task_create`, `taskCreate` …
    S07,
    /// Those of the v6 lesson, with its answers.
    V6,
    /// `TodoWrite` and `TodoRead`.
    Todo,
}

/// Where a call is answered: on which list, for whom, within which bounds.
pub struct Desk<'a> {
    /// The list.
    pub list: &'a TaskList,
    /// Who calls.
    pub actor: Actor,
    /// An answer is at most about so many tokens long.
    pub bound: usize,
    /// The caller's own checklist, if its session keeps one.
    pub checklist: Option<&'a Checklist>,
    /// By whose word.
    pub word: Word,
    /// Whether the caller still waits for its answer.
    pub goes_on: GoesOn<'a>,
}

/// By whose word something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// An agent's.
    Agent,
    /// A person's, who was asked and said yes: also what another holds can be removed.
    Person,
}

/// Unless a surface says otherwise, an answer is at most about so many tokens long.
pub const BOUND: usize = 2_000;

impl<'a> Desk<'a> {
    /// A desk for an agent, with the usual bounds.
    pub fn new(list: &'a TaskList, actor: Actor) -> Desk<'a> {
        let goes_on = &|_| ControlFlow::Continue(());
        Desk { list, actor, bound: BOUND, checklist: None, word: Word::Agent, goes_on }
    }
}

/// What a tool answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// What the model reads.
    pub text: String,
    /// Whether the call did not do what was asked, and why by a word.
    pub error: Option<&'static str>,
    /// The same as data, where the vocabulary has a shape for it. Surfaces decide whether to send it.
    pub structured: Option<Object>,
}

impl Reply {
    fn ok(text: impl Into<String>) -> Reply {
        Reply { text: text.into(), ..Reply::default() }
    }

    /// The answer to a call whose arguments are no JSON that can be taken.
    pub fn unreadable(fault: &str) -> Reply {
        Reply::refused(format!("The arguments cannot be read: {fault}."), "invalid")
    }

    /// The answer to a call that did not do what was asked.
    fn refused(text: String, code: &'static str) -> Reply {
        Reply { text, error: Some(code), structured: None }
    }

    /// The same with data.
    fn with(self, structured: Object) -> Reply {
        Reply { structured: Some(structured), ..self }
    }
}

/// Why a call could not be answered as asked.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The arguments cannot be meant.
    #[error("{0}")]
    Arguments(String),
    /// The list said no, or failed.
    #[error(transparent)]
    List(#[from] Error),
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        Fault::List(refusal.into())
    }
}

impl Set {
    /// All of them.
    pub const ALL: [Set; 6] = [Set::Ours, Set::Claude, Set::S12, Set::S07, Set::V6, Set::Todo];

    /// Its name in flags.
    pub fn name(self) -> &'static str {
        match self {
            Set::Ours => "ours",
            Set::Claude => "claude",
            Set::S12 => "s12",
            Set::S07 => "s07",
            Set::V6 => "v6",
            Set::Todo => "todo",
        }
    }

    /// The set of a name.
    pub fn named(name: &str) -> Option<Set> {
        Set::ALL.into_iter().find(|it| it.name() == name)
    }

    /// The tools in it.
    pub fn tools(self) -> &'static [Tool] {
        match self {
            Set::Ours => ours::TOOLS,
            Set::Claude => claude::TOOLS,
            Set::S12 => s12::TOOLS,
            Set::S07 => s07::TOOLS,
            Set::V6 => v6::TOOLS,
            Set::Todo => todo::TOOLS,
        }
    }

    /// How a fault is told in this vocabulary.
    pub fn told(self, fault: &Fault) -> String {
        match self {
            Set::Ours => ours::told(fault),
            Set::Claude => claude::told(fault),
            Set::S12 => s12::told(fault),
            Set::S07 => s07::told(fault),
            Set::V6 => v6::told(fault),
            Set::Todo => todo::told(fault),
        }
    }

    /// What is said to a call of a tool that is not in this vocabulary.
    fn unknown(self, name: &str) -> String {
        let near = nearest(name, self.tools().iter().map(|it| it.name));
        let near = near.map(|it| format!(" Did you mean {it}?")).unwrap_or_default();
        match self {
            Set::Ours => format!("There is no tool {name}.{near}"),
            Set::Claude => claude::unknown(name),
            Set::S12 => format!("Unknown: {name}"),
            Set::S07 | Set::V6 | Set::Todo => format!("Unknown tool: {name}"),
        }
    }

    /// The tool of a name.
    pub fn find(self, name: &str) -> Option<&'static Tool> {
        self.tools().iter().find(|it| it.name == name || it.aliases.contains(&name))
    }

    /// Answers a call. Whatever is wrong with it is an answer, too.
    pub fn call(self, desk: &Desk<'_>, name: &str, input: &Json) -> Reply {
        let Some(tool) = self.find(name) else {
            return Reply::refused(self.unknown(name), "unknown_tool");
        };
        let empty = Object::new();
        let object = match input {
            Json::Object(object) => object,
            Json::Null => &empty,
            _ => return Reply::refused("The arguments must be a JSON object.".to_owned(), "invalid"),
        };
        let reply = match (tool.call)(desk, &Arguments::new(tool, name, object)) {
            Ok(reply) => reply,
            Err(fault) => Reply::refused(self.told(&fault), fault.code()),
        };
        match self {
            Set::Ours => Reply { text: plain::plain(reply.text), ..reply },
            _ => reply,
        }
    }
}

impl Fault {
    /// The word for it.
    pub fn code(&self) -> &'static str {
        match self {
            Fault::Arguments(_) => "invalid",
            Fault::List(error) => error.code(),
        }
    }
}

impl Tool {
    /// The schema as a value.
    pub fn input_schema(&self) -> Json {
        parse(self.schema).unwrap_or(Json::Null)
    }
}
