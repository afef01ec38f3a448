//! What a hook answers: a document for the client, lines for whoever reads its log, and whether it denies. Not the
//! printing of it.

use crate::{failure::USAGE, output::visible_lines};
use worklist::json::{Json, Object, Style, write};

/// The exit code by which a hook denies: it has to be this one.
const DENIES: u8 = USAGE;

/// An answer.
#[derive(Default)]
pub(crate) struct Said {
    pub(super) document: Option<Object>,
    /// For standard error.
    pub(crate) lines: Vec<String>,
    pub(super) denied: bool,
}

impl Said {
    /// Nothing to say.
    pub(super) fn nothing() -> Said {
        Said::default()
    }

    /// Something went wrong, and the client goes on.
    pub(super) fn complaint(line: String) -> Said {
        Said { lines: vec![line], ..Said::default() }
    }

    /// No, and why.
    pub(super) fn denial(reason: &str) -> Said {
        Said { lines: vec![visible_lines(reason)], denied: true, ..Said::default() }
    }

    /// Something that the model should know.
    pub(super) fn context(event: &str, text: &str) -> Said {
        let inner = Object::new().with("hookEventName", event).with("additionalContext", visible_lines(text));
        Said::document(Object::new().with("hookSpecificOutput", inner))
    }

    /// A whole document; an empty one is nothing.
    pub(super) fn document(document: Object) -> Said {
        Said { document: Some(document).filter(|it| !it.is_empty()), ..Said::default() }
    }

    /// What goes to standard output.
    pub(crate) fn text(&self) -> String {
        let line = |it: &Object| write(&Json::Object(it.clone()), Style::COMPACT, "") + "\n";
        self.document.as_ref().map(line).unwrap_or_default()
    }

    pub(crate) fn exit(&self) -> u8 {
        if self.denied { DENIES } else { 0 }
    }
}
