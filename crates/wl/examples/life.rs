//! A whole life of a graph: the plan of a release, four worker processes at once, one of them killed at work. Not a
//! test: it shows what happens, with the program itself and on real files.
//!
//! `cargo run --release --example life -p wl`
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example for the terminal")]
#![expect(
    clippy::disallowed_methods,
    reason = "work takes time here, and cargo says by its environment who it is"
)]

use std::{
    error::Error,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, ExitCode, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};
use worklist::json::{Json, parse};

type Outcome<T> = Result<T, Box<dyn Error>>;

const WORKERS: [&str; 4] = ["ann", "bob", "cleo", "dan"];
/// Whoever takes this task first is killed while at work on it.
const FATAL: &str = "6";
/// How long a claim lasts here without a sign of life. Usually it is 15 minutes.
const LEASE: &str = "2s";
/// How long a task takes.
const WORK: Duration = Duration::from_millis(400);
/// The exit code of `wl next` if nothing is ready.
const NOTHING: i32 = 6;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match words.as_slice() {
        [verb, name, place] if verb == "work" => work(&Wl { place: place.into() }, name),
        _ => live(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("life: {error}");
            ExitCode::FAILURE
        }
    }
}

fn live() -> Outcome<()> {
    build()?;
    let wl = Wl { place: tempfile::Builder::new().prefix("worklist-life-").tempdir()?.keep() };
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/release.md").canonicalize()?;
    wl.show(&["plan", &plan.to_string_lossy()])?;

    println!(
        "\nFour worker processes, each in a loop of `wl next --wait` and `wl done`; one will be killed:\n"
    );
    let (sender, said) = mpsc::channel();
    let mut workers = Vec::new();
    for name in WORKERS {
        let mut worker = start(name, &wl.place)?;
        let lines = worker.stdout.take().ok_or("a worker without a voice")?;
        workers.push(worker);
        let sender = sender.clone();
        thread::spawn(move || tell(name, lines, &sender));
    }
    drop(sender);
    follow(&wl, &mut workers, &said)?;
    for worker in &mut workers {
        worker.wait()?;
    }

    println!("\nEverything is done. The graph:\n");
    wl.show(&["graph"])?;
    println!("\nAnd what happened, newest first:\n");
    wl.show(&["log", "--no-pager"])?;
    println!("\nThe list is in {0}; look around with `wl --dir {0}`.", wl.list().display());
    Ok(())
}

/// Cargo builds an example without the program beside it, so it is asked for that as well.
fn build() -> Outcome<()> {
    let Some(cargo) = std::env::var_os("CARGO") else { return Ok(()) };
    let mut command = Command::new(cargo);
    command
        .args(["build", "--quiet", "--package", "wl", "--bin", "wl"])
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    if command.status()?.success() { Ok(()) } else { Err("wl could not be built".into()) }
}

fn start(name: &str, place: &Path) -> Outcome<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    Ok(command.arg("work").arg(name).arg(place).stdout(Stdio::piped()).spawn()?)
}

/// A line that a worker said: who, what, of which task, and the rest.
struct Said {
    who: &'static str,
    words: Vec<String>,
}

/// Passes on what a worker says until it is silent.
fn tell(who: &'static str, lines: ChildStdout, to: &mpsc::Sender<Said>) {
    for line in BufReader::new(lines).lines().map_while(Result::ok) {
        let words = line.split('\t').map(str::to_owned).collect();
        if to.send(Said { who, words }).is_err() {
            return;
        }
    }
}

/// Prints what the workers say, kills the one who takes the fatal task, and lets it try to finish after all.
fn follow(wl: &Wl, workers: &mut [Child], said: &mpsc::Receiver<Said>) -> Outcome<()> {
    let mut victim: Option<(&str, String)> = None;
    for Said { who, words } in said {
        let [verb, id, rest, token] = words.as_slice() else {
            return Err(format!("{who}: {words:?}").into());
        };
        println!("  {who:<5} {verb:<9} #{id} {rest}");
        if verb != "takes" || id != FATAL {
            continue;
        }
        match victim.take() {
            None => {
                let at = WORKERS.iter().position(|it| *it == who).ok_or("nobody's line")?;
                workers[at].kill()?;
                println!("  {who:<5} is killed (-9) at work on #{id}; its claim runs out in {LEASE}");
                victim = Some((who, token.clone()));
            }
            Some((dead, old)) => {
                println!("        Back from the dead, {dead} would complete #{id} with its old number:");
                wl.show(&["done", id, "--as", dead, "--token", &old])?;
                println!();
            }
        }
    }
    Ok(())
}

/// The life of a worker: take what is ready, work, complete, until nothing is open. Says a line for each step.
fn work(wl: &Wl, name: &str) -> Outcome<()> {
    loop {
        let (code, taken) = wl.ask(&["next", "--wait", "1s", "--lease", LEASE, "--as", name])?;
        if code == Some(NOTHING) {
            let (_, open) = wl.ask(&["list"])?;
            if at(&open, &["count"]).and_then(Json::as_u64) == Some(0) {
                return Ok(());
            }
            continue;
        }
        let id = text(&taken, &["task", "id"])?;
        let token = at(&taken, &["token"]).and_then(Json::as_u64).ok_or("a claim without a token")?;
        println!("takes\t{id}\t{}\t{token}", text(&taken, &["task", "subject"])?);
        thread::sleep(WORK);
        let (_, done) = wl.ask(&["done", id, "--as", name])?;
        let freed = at(&done, &["unblocked"]).and_then(Json::as_array).unwrap_or_default();
        let freed: Outcome<Vec<String>> =
            freed.iter().map(|it| Ok(format!("#{}", text(it, &["id"])?))).collect();
        let freed = freed?.join(" ");
        let freed = if freed.is_empty() { freed } else { format!("and frees {freed}") };
        println!("completes\t{id}\t{freed}\t");
    }
}

/// The program, with a list and settings of its own in a folder.
struct Wl {
    place: PathBuf,
}

impl Wl {
    fn list(&self) -> PathBuf {
        self.place.join("tasks")
    }

    fn command(&self, words: &[&str]) -> Outcome<Command> {
        let here = std::env::current_exe()?;
        let beside = here.parent().and_then(Path::parent).ok_or("an example beside nothing")?;
        let mut command = Command::new(beside.join("wl"));
        command.arg("--dir").arg(self.list()).args(words);
        command
            .env("XDG_CONFIG_HOME", self.place.join("config"))
            .env("XDG_STATE_HOME", self.place.join("state"));
        Ok(command)
    }

    /// Runs it before everyone's eyes, whatever it answers.
    fn show(&self, words: &[&str]) -> Outcome<()> {
        println!("$ wl {}", words.join(" "));
        self.command(words)?.status()?;
        Ok(())
    }

    /// Its exit code and its answer as JSON.
    fn ask(&self, words: &[&str]) -> Outcome<(Option<i32>, Json)> {
        let output = self.command(words)?.arg("--json").stderr(Stdio::inherit()).output()?;
        let answer = parse(&String::from_utf8(output.stdout)?).map_err(|fault| fault.to_string())?;
        Ok((output.status.code(), answer))
    }
}

fn at<'a>(value: &'a Json, path: &[&str]) -> Option<&'a Json> {
    path.iter().try_fold(value, |it, key| it.as_object()?.get(key))
}

fn text<'a>(value: &'a Json, path: &[&str]) -> Outcome<&'a str> {
    at(value, path).and_then(Json::as_str).ok_or_else(|| format!("no {path:?} in {value:?}").into())
}
