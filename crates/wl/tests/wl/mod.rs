//! Runs the program in a folder and home of its own, and checks what it says. What is not expected is not excused.

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
    rc::Rc,
};
use worklist::json::{Json, parse};

/// A place to run in, with an environment that holds nothing but what is set here.
#[derive(Clone)]
pub(crate) struct Wl {
    place: Rc<tempfile::TempDir>,
    folder: PathBuf,
    variables: Vec<(String, String)>,
    input: String,
}

impl Wl {
    pub(crate) fn new() -> Wl {
        let place = Rc::new(tempfile::tempdir().expect("a folder"));
        let folder = place.path().to_owned();
        let home = place.path().join("home").display().to_string();
        Wl {
            place,
            folder,
            variables: vec![("HOME".into(), home), ("USER".into(), "me".into())],
            input: String::new(),
        }
    }

    /// A path in the place.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.place.path().join(path)
    }

    pub(crate) fn in_folder(&self, folder: &str) -> Wl {
        Wl { folder: self.path(folder), ..self.clone() }
    }

    pub(crate) fn with(&self, name: &str, value: &str) -> Wl {
        let mut wl = self.clone();
        wl.variables.push((name.to_owned(), value.to_owned()));
        wl
    }

    pub(crate) fn input(&self, text: &str) -> Wl {
        Wl { input: text.to_owned(), ..self.clone() }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wl"));
        command.args(arguments);
        self.start(command, &arguments.join(" "))
    }

    /// Runs a line of the shell in which `wl` is the program.
    pub(crate) fn shell(&self, line: &str) -> Run {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &format!("wl() {{ {} \"$@\"; }}; {line}", env!("CARGO_BIN_EXE_wl"))]);
        self.start(command, line)
    }

    fn start(&self, mut command: Command, what: &str) -> Run {
        let mut child = command
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // A program that does not read has what it needs.
        _ = child.stdin.take().expect("a pipe").write_all(self.input.as_bytes());
        let output = child.wait_with_output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Run {
            what: what.to_owned(),
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// What a run said.
pub(crate) struct Run {
    what: String,
    code: Option<i32>,
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
    pub(crate) fn json(&self) -> Json {
        parse(&self.out).unwrap_or_else(|fault| panic!("wl {}: {fault}: {}", self.what, self.out))
    }
}
