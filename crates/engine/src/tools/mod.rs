//! The tools that agents call, by vocabulary: each with its name, its description, the schema of its input, and what
//! it answers. One declaration for every surface. Not a protocol: who carries calls and answers is a surface's business.
//!
//! Descriptions are constants: text of tasks is data, and never gets into them.

mod arguments;
mod ours;

pub use arguments::Arguments;

use crate::{
    claim::Actor,
    json::{Json, Object, parse},
    list::TaskList,
    nearest::nearest,
    rules::Refusal,
    store::Error,
};

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
}

/// Where a call is answered: on which list, for whom, within which bounds.
pub struct Desk<'a> {
    /// The list.
    pub list: &'a TaskList,
    /// Who calls.
    pub actor: Actor,
    /// An answer is at most about so many tokens long.
    pub bound: usize,
}

/// What a tool answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// What the model reads.
    pub text: String,
    /// Whether the call did not do what was asked, and why by a word.
    pub error: Option<&'static str>,
}

impl Reply {
    fn ok(text: impl Into<String>) -> Reply {
        Reply { text: text.into(), error: None }
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
    pub const ALL: [Set; 1] = [Set::Ours];

    /// Its name in flags.
    pub fn name(self) -> &'static str {
        match self {
            Set::Ours => "ours",
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
        }
    }

    /// How a fault is told in this vocabulary.
    fn told(self, fault: &Fault) -> String {
        match self {
            Set::Ours => ours::told(fault),
        }
    }

    /// The tool of a name.
    pub fn find(self, name: &str) -> Option<&'static Tool> {
        self.tools().iter().find(|it| it.name == name || it.aliases.contains(&name))
    }

    /// Answers a call. Whatever is wrong with it is an answer, too.
    pub fn call(self, desk: &Desk<'_>, name: &str, input: &Json) -> Reply {
        let Some(tool) = self.find(name) else {
            let near = nearest(name, self.tools().iter().map(|it| it.name));
            let near = near.map(|it| format!(" Did you mean {it}?")).unwrap_or_default();
            return Reply { text: format!("There is no tool {name}.{near}"), error: Some("unknown_tool") };
        };
        let empty = Object::new();
        let object = match input {
            Json::Object(object) => object,
            Json::Null => &empty,
            _ => {
                return Reply {
                    text: "The arguments must be a JSON object.".to_owned(),
                    error: Some("invalid"),
                };
            }
        };
        match (tool.call)(desk, &Arguments::new(tool, name, object)) {
            Ok(reply) => reply,
            Err(fault) => Reply { text: self.told(&fault), error: Some(fault.code()) },
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
