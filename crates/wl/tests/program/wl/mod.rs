//! Runs the program in a folder and home of its own, and checks what it says. What is not expected is not excused: every
//! document is checked against the published schemas, whether a test looks at it or not.

mod read;
mod run;
mod schemas;

pub(crate) use read::Read;
pub(crate) use run::{Failed, Run, Running};
pub(crate) use schemas::{Form, commands, faults, form};

use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

/// The formats that a list can be in.
pub(crate) const FORMATS: [&str; 6] = ["claude", "s12", "s07", "java", "v6", "tasks-json"];

/// If this variable names a database, every place has its list there.
pub(crate) const IN_STORE: &str = "WORKLIST_TESTS_IN_STORE";

/// If a place has this variable, the program is started there by these words, which become it.
pub(crate) const STARTER: &str = "WORKLIST_TESTS_STARTER";

/// A place to run in, with an environment that holds nothing but what is set here.
#[derive(Clone)]
pub(crate) struct Wl {
    place: Arc<tempfile::TempDir>,
    folder: PathBuf,
    variables: Vec<(String, String)>,
    input: String,
}

impl Wl {
    /// A place without a list.
    pub(crate) fn new() -> Wl {
        Wl::beneath(std::env::temp_dir())
    }

    /// The same beneath a folder of choice.
    pub(crate) fn beneath(folder: impl AsRef<Path>) -> Wl {
        Wl::at(tempfile::tempdir_in(folder).expect("a folder"))
    }

    /// The same in a folder that somebody made.
    pub(crate) fn at(place: tempfile::TempDir) -> Wl {
        let place = Arc::new(place);
        let folder = place.path().to_owned();
        let home = place.path().join("home").display().to_string();
        let mut variables = vec![("HOME".into(), home), ("USER".into(), "me".into())];
        if let Ok(store) = std::env::var(IN_STORE) {
            variables.push(("WORKLIST_STORE".into(), store));
            variables.push(("WORKLIST_LIST".into(), folder.display().to_string()));
        }
        Wl { place, folder, variables, input: String::new() }
    }

    /// A place with a list of these tasks; `b < a` waits for `a`.
    pub(crate) fn with_tasks(subjects: &[&str]) -> Wl {
        Wl::of_format("claude", subjects)
    }

    /// The same in a format.
    pub(crate) fn of_format(format: &str, subjects: &[&str]) -> Wl {
        let wl = Wl::new();
        let arguments = ["init", "--format", format];
        wl.ok(&arguments[..if std::env::var_os(IN_STORE).is_some() { 1 } else { 3 }]);
        let names: Vec<&str> = subjects.iter().map(|it| it.split(" < ").next().unwrap_or(it)).collect();
        let mut ids: Vec<String> = Vec::new();
        for (name, subject) in names.iter().zip(subjects) {
            let blockers = subject.split(" < ").skip(1);
            let blockers =
                blockers.map(|it| ids[names.iter().position(|name| *name == it).expect("its name")].clone());
            let after: Vec<String> = blockers.flat_map(|it| ["--after".to_owned(), it]).collect();
            let mut arguments = vec!["add", name];
            arguments.extend(after.iter().map(String::as_str));
            ids.push(wl.json(&arguments)["task"].word("id").to_owned());
        }
        wl
    }

    /// A path in the place.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.place.path().join(path)
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Writes a file, and the folders it is in.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, text))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Replaces a part of a file, as an editor would.
    #[track_caller]
    pub(crate) fn replace(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{from:?} is not in {text}");
        self.write(path, &text.replace(from, to));
    }

    pub(crate) fn in_folder(&self, folder: &str) -> Wl {
        Wl { folder: self.path(folder), ..self.clone() }
    }

    pub(crate) fn with(&self, name: &str, value: &str) -> Wl {
        let mut wl = self.clone();
        wl.variables.push((name.to_owned(), value.to_owned()));
        wl
    }

    /// The same as another agent.
    pub(crate) fn by(&self, agent: &str) -> Wl {
        self.with("WORKLIST_AGENT", agent)
    }

    pub(crate) fn input(&self, text: &str) -> Wl {
        Wl { input: text.to_owned(), ..self.clone() }
    }

    /// What is given on standard input.
    pub(crate) fn typed(&self) -> &str {
        &self.input
    }

    /// Runs a command; its name comes first.
    #[track_caller]
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.start(arguments).end()
    }

    /// Runs a command that must succeed.
    #[track_caller]
    pub(crate) fn ok(&self, arguments: &[&str]) -> Run {
        self.run(arguments).code(0)
    }

    /// The document of a command that must succeed.
    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        self.ok(&with_json(arguments)).json()
    }

    /// Runs a command that must fail, in text and with `--json`, with this exit code and this code.
    #[track_caller]
    pub(crate) fn fails(&self, arguments: &[&str], exit: i32, code: &str) -> Failed {
        let text = self.run(arguments).code(exit);
        text.stdout("").stderr_has("error: ");
        let json = self.run(&with_json(arguments)).code(exit).json();
        assert_eq!(json["error"]["code"], code, "wl {arguments:?}: {json}");
        Failed { err: text.err, json }
    }

    /// Starts a command and lets it run.
    #[track_caller]
    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        self.spawn(self.command(arguments), arguments)
    }

    /// Runs a line of the shell in which `wl` is the program.
    #[track_caller]
    pub(crate) fn shell(&self, line: &str) -> Run {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &format!("wl() {{ {} \"$@\"; }}; {line}", env!("CARGO_BIN_EXE_wl"))]);
        self.spawn(command, &[]).end_unchecked(line)
    }

    /// Runs another program, which the system has or `cargo xtask kit` brings.
    #[track_caller]
    pub(crate) fn program(&self, name: &str, arguments: &[&str]) -> Run {
        let mut command = Command::new(name);
        command.args(arguments);
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".to_owned());
        self.with("PATH", &path).spawn(command, &[]).end_unchecked(name)
    }

    /// The program, about to start here.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let program = env!("CARGO_BIN_EXE_wl");
        let starter = self.variables.iter().rfind(|it| it.0 == STARTER).map(|it| it.1.as_str());
        let mut words = starter.unwrap_or_default().split_whitespace().chain([program]);
        let mut command = Command::new(words.next().unwrap_or(program));
        command.args(words).args(arguments);
        self.here(&mut command);
        command
    }

    fn here(&self, command: &mut Command) {
        let variables = self.variables.iter().map(|(name, value)| (name, value));
        command.env_clear().envs(variables).current_dir(&self.folder);
    }

    #[track_caller]
    fn spawn(&self, mut command: Command, arguments: &[&str]) -> Running {
        self.here(&mut command);
        let program = command.get_program().to_owned();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}: run `cargo xtask kit`", program.display()));
        // A program that does not read has what it needs.
        _ = child.stdin.take().expect("a pipe").write_all(self.typed().as_bytes());
        Running { child, arguments: arguments.iter().map(|it| (*it).to_owned()).collect() }
    }
}

/// The same as JSON: what stands behind `--` is not ours.
fn with_json<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let place = arguments.iter().position(|it| *it == "--").unwrap_or(arguments.len());
    let (own, others) = arguments.split_at(place);
    [own, &["--json"], others].concat()
}
