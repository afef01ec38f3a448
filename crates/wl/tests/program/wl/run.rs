//! What a run said, and a run that goes on. Not how it is started.

use super::schemas::{Form, commands, exit_code, faults, form};
use serde_json::Value;
use std::{
    io::{BufRead, BufReader},
    process::Child,
};

/// A program that runs.
pub(crate) struct Running {
    pub(super) child: Child,
    pub(super) arguments: Vec<String>,
}

impl Running {
    /// Waits for a line on standard error: a sign that it is there.
    pub(crate) fn complained(&mut self) -> String {
        let mut line = String::new();
        let pipe = self.child.stderr.take().expect("a pipe");
        BufReader::new(pipe).read_line(&mut line).expect("a line");
        line
    }

    /// Waits for its end, and checks its documents.
    #[track_caller]
    pub(crate) fn end(self) -> Run {
        let arguments = self.arguments.clone();
        let run = self.end_unchecked(&arguments.join(" "));
        if arguments.iter().any(|it| it == "--json") {
            check(&arguments, &run);
        }
        run
    }

    #[track_caller]
    pub(super) fn end_unchecked(self, what: &str) -> Run {
        let output = self.child.wait_with_output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        let (out, err) = (text(output.stdout), text(output.stderr));
        Run { what: what.to_owned(), code: output.status.code(), out, err }
    }
}

/// Every document must be what the schemas say, and every failure must end as its code says.
#[track_caller]
fn check(arguments: &[String], run: &Run) {
    let known = commands();
    let named = |it: &&String| known.contains(it) || *it == "ls";
    // The first word is a command if any is; before it there may be flags with values of their own.
    let first = arguments.first().filter(|it| !it.starts_with('-'));
    let first = first.or_else(|| arguments.iter().find(named)).map(String::as_str);
    let command = first.map_or("overview", |it| if it == "ls" { "list" } else { it });
    let form = form(command);
    if run.code == Some(0) && form == Form::Text && !run.out.starts_with('{')
        || arguments.iter().any(|it| it == "--json-schemas")
    {
        return;
    }
    let failed = run.out.trim_start_matches('{').trim_start().starts_with("\"error\"");
    let documents = if !failed && form == Form::Lines { run.lines() } else { vec![run.json()] };
    for document in documents {
        let failed = document.get("error").is_some();
        let wrong = faults(if failed { "error" } else { command }, &document);
        assert!(wrong.is_empty(), "wl {}\n{wrong:#?}\n{document:#}", run.what);
        let code = document["error"]["code"].as_str().or_else(|| document["code"].as_str());
        if let Some(code) = code {
            assert_eq!(run.code, Some(exit_code(code)), "{code} of wl {}", run.what);
        } else {
            assert!(
                run.code == Some(0) || matches!(command, "doctor" | "work"),
                "wl {}: {document}",
                run.what
            );
        }
    }
}

/// A failure in both its forms.
pub(crate) struct Failed {
    pub(crate) err: String,
    pub(crate) json: Value,
}

impl Failed {
    /// The message, in both.
    #[track_caller]
    pub(crate) fn says(self, message: &str) -> Failed {
        let said = self.json["error"]["message"].as_str().expect("a message");
        assert!(said.contains(message), "{message:?} is not in {said:?}");
        assert!(self.err.contains(message), "{message:?} is not in {:?}", self.err);
        self
    }

    /// The hint, in both.
    #[track_caller]
    pub(crate) fn hints(self, hint: &str) -> Failed {
        let said = self.json["error"]["hint"].as_str().unwrap_or_else(|| panic!("no hint: {}", self.json));
        assert!(said.contains(hint), "{hint:?} is not in {said:?}");
        assert!(self.err.contains(&format!("hint: {said}")), "{said:?} is not in {:?}", self.err);
        self
    }

    /// One of its data.
    #[track_caller]
    pub(crate) fn has(self, key: &str, value: impl Into<Value>) -> Failed {
        assert_eq!(self.json["error"][key], value.into(), "{key} of {}", self.json);
        self
    }
}

/// What a run said.
pub(crate) struct Run {
    pub(super) what: String,
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "wl {}\n{}{}", self.what, self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn stdout(&self, text: &str) -> &Run {
        assert_eq!(self.out, text, "wl {}", self.what);
        self
    }

    #[track_caller]
    pub(crate) fn stdout_has(&self, text: &str) -> &Run {
        assert!(self.out.contains(text), "wl {}: {:?} is not in {:?}", self.what, text, self.out);
        self
    }

    #[track_caller]
    pub(crate) fn stderr(&self, text: &str) -> &Run {
        assert_eq!(self.err, text, "wl {}", self.what);
        self
    }

    #[track_caller]
    pub(crate) fn stderr_has(&self, text: &str) -> &Run {
        assert!(self.err.contains(text), "wl {}: {:?} is not in {:?}", self.what, text, self.err);
        self
    }

    /// The one document on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|fault| panic!("wl {}: {fault}: {}", self.what, self.out))
    }

    /// The documents on standard output, one a line.
    #[track_caller]
    pub(crate) fn lines(&self) -> Vec<Value> {
        let read = |line: &str| {
            serde_json::from_str(line).unwrap_or_else(|fault| panic!("wl {}: {fault}: {line}", self.what))
        };
        self.out.lines().map(read).collect()
    }
}
