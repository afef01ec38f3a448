//! What is to be run for each task: a command line with places for the task's words. Not a shell: a word of a task stays
//! one argument, and is never put into a text that a shell would read.

use crate::{failure::Failure, worktrees::Worktrees};
use std::path::PathBuf;
use worklist::{Actor, Task, rules::NextTask};

/// Programs that read a text as commands.
const SHELLS: [&str; 8] = ["sh", "bash", "dash", "zsh", "fish", "ksh", "cmd", "powershell"];
/// Words of a task that others wrote.
const WORDS: [&str; 3] = ["{subject}", "{description}", "{prompt}"];

/// One job for all workers.
pub(crate) struct Job {
    pub(crate) command: Vec<String>,
    /// What the command is told on its standard input, with places for the task's words; the description if nothing.
    pub(crate) input: Option<String>,
    /// Variables for the command, beside those of every command.
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) workers: usize,
    pub(crate) wanted: NextTask,
    /// Whether to wait for more when nothing is left.
    pub(crate) waits: bool,
    /// How long one attempt may take, in milliseconds.
    pub(crate) timeout: Option<u64>,
    /// After so many failed attempts a task waits for a person.
    pub(crate) attempts: u32,
    /// Who works: the workers are agents within.
    pub(crate) by: Actor,
    /// Where commands run, unless each task has a worktree.
    pub(crate) here: PathBuf,
    pub(crate) worktrees: Option<Worktrees>,
    /// Where the list is, for the commands' own `wl`.
    pub(crate) folder: PathBuf,
    /// What leads the commands' own `wl` to the list.
    pub(crate) home: crate::own_hooks::Variables,
}

impl Job {
    /// Refuses what would let the words of a task be read as commands.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.command.is_empty() {
            return Err(Failure::invalid("COMMAND", "is missing", Some("wl work -- COMMAND ARGUMENTS")));
        }
        // Also one that another program starts: `env bash -c`, `timeout 5 sh -c`.
        let shell = self.command.iter().position(|it| is_shell(it));
        let unsafe_text = |it: &String| WORDS.iter().any(|word| it.contains(word));
        if shell.is_some_and(|it| self.command[it + 1..].iter().any(unsafe_text)) {
            let hint = "use \"$WORKLIST_TASK_SUBJECT\" there, or read the description from standard input";
            let reason = "would let a shell read the words of a task as commands";
            return Err(Failure::invalid("COMMAND", reason, Some(hint)));
        }
        Ok(())
    }

    /// The worker of a number.
    pub(super) fn actor(&self, number: usize) -> Actor {
        let worker = self.by.within(&format!("w{number}"));
        Actor::new(format!("{}-{number}", self.by.agent), worker.session)
    }

    /// The command line for a task.
    pub(super) fn line(&self, task: &Task) -> Vec<String> {
        self.command.iter().map(|it| filled(it, task).replace('\0', "")).collect()
    }

    /// What it is told on its standard input.
    pub(super) fn input(&self, task: &Task) -> String {
        self.input.as_ref().map_or_else(|| task.description.clone(), |it| filled(it, task))
    }
}

/// A text with the words of a task in their places. One pass: a word that looks like a place is none.
fn filled(text: &str, task: &Task) -> String {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('{') {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        let place =
            ["{id}", "{subject}", "{description}", "{prompt}"].into_iter().find(|it| rest.starts_with(it));
        match place {
            Some("{id}") => filled.push_str(task.id.as_str()),
            Some("{subject}") => filled.push_str(&task.subject),
            Some("{description}") => filled.push_str(&task.description),
            Some(_) => filled.push_str(&prompt(task)),
            None => filled.push('{'),
        }
        rest = &rest[place.map_or(1, str::len)..];
    }
    filled + rest
}

fn is_shell(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word).trim_end_matches(".exe");
    SHELLS.contains(&name)
}

/// A task as a text to be handed on.
fn prompt(task: &Task) -> String {
    if task.description.trim().is_empty() {
        return task.subject.clone();
    }
    format!("{}\n\n{}", task.subject, task.description)
}

/// A command line as people write it.
pub(super) fn shown(line: &[String]) -> String {
    let plain = |it: &String| {
        let is_plain = |it: char| it.is_alphanumeric() || "-_./:=@%+,".contains(it);
        if !it.is_empty() && it.chars().all(is_plain) {
            it.clone()
        } else {
            format!("'{}'", it.replace('\'', "'\\''"))
        }
    };
    line.iter().map(plain).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use worklist::TaskId;

    fn job(command: &[&str]) -> Job {
        Job {
            command: command.iter().map(|it| (*it).to_owned()).collect(),
            workers: 1,
            wanted: NextTask::default(),
            waits: false,
            timeout: None,
            attempts: 3,
            by: Actor::new("ann", "s"),
            folder: PathBuf::new(),
            home: Vec::new(),
            here: PathBuf::new(),
            worktrees: None,
            input: None,
            variables: Vec::new(),
        }
    }

    #[test]
    fn words_of_a_task_stay_one_argument() {
        let mut task = Task::new(TaskId::found("7"), "rm -rf /; $(x)");
        task.description = "all of it".to_owned();
        let line = job(&["echo", "{id}:{subject}", "{prompt}"]).line(&task);
        assert_eq!(line, ["echo", "7:rm -rf /; $(x)", "rm -rf /; $(x)\n\nall of it"]);
        task.subject = "{description} {id}".to_owned();
        assert_eq!(filled("{subject}{", &task), "{description} {id}{");
        task.subject = "rm -rf /; $(x)".to_owned();
        assert_eq!(shown(&line[..2]), "echo '7:rm -rf /; $(x)'");
    }

    #[test]
    fn no_shell_reads_the_words_of_a_task() {
        for bad in [
            &["sh", "-c", "echo {subject}"][..],
            &["/bin/bash", "-c", "x {prompt}"],
            &["env", "A=1", "bash", "-c", "x {subject}"],
            &["timeout", "5", "/usr/bin/sh", "-c", "x", "{subject}"],
            &[],
        ] {
            assert!(job(bad).check().is_err(), "{bad:?}");
        }
        for good in [&["sh", "-c", "echo {id} \"$WORKLIST_TASK_SUBJECT\""][..], &["echo", "{subject}", "sh"]]
        {
            assert!(job(good).check().is_ok(), "{good:?}");
        }
    }
}
