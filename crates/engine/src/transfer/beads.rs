//! The issues of beads, from its `issues.jsonl`: one issue a line. Whatever has no place in a task is kept in its
//! metadata under `beads`. Not a mirror: what is deleted there is left out, and a report says what else was.

mod edges;
mod issue;

use super::Mistake;
use crate::{id::TaskId, json::parse, task::Task};
use issue::Issue;
use std::collections::HashMap;

/// How many examples a finding names.
const EXAMPLES: usize = 5;

/// What a file of issues holds.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The tasks in the order of the file, with the ids that beads gave them and every edge on both ends. Some of these
    /// ids (`bd-a1b2.3`) hold a dot and cannot become ids of a list.
    pub tasks: Vec<Task>,
    /// What became of the rest.
    pub report: Report,
}

/// What was taken, what was changed on the way, and what was left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// How many issues the file has.
    pub issues: usize,
    /// How many of them became tasks.
    pub taken: usize,
    /// How many times a task waits for another.
    pub edges: usize,
    /// What a task says otherwise than its issue did.
    pub changed: Vec<Finding>,
    /// What is not in the tasks. Edges are still in the metadata of the task they began at.
    pub left_out: Vec<Finding>,
}

/// One kind of thing that was changed or left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is, as a fragment.
    pub what: String,
    /// How often.
    pub count: usize,
    /// The first few: an id, or two with an arrow between them.
    pub examples: Vec<String>,
}

/// Reads a file of issues. One bad line, and nothing is taken.
pub fn read(text: &str) -> Result<Imported, Mistake> {
    let mut report = Report::default();
    let issues = issues(text, &mut report)?;
    let (gone, live): (Vec<Issue>, Vec<Issue>) = issues.into_iter().partition(|it| it.is_deleted);
    for issue in &gone {
        note(&mut report.left_out, "deleted issues", issue.task.id.as_str());
    }
    for issue in &live {
        for what in &issue.changes {
            note(&mut report.changed, what, issue.task.id.as_str());
        }
    }
    report.taken = live.len();
    let tasks = edges::tied(live, &gone, &mut report);
    Ok(Imported { tasks, report })
}

/// The issues of a text, each once: of lines with the same id, the last one counts.
fn issues(text: &str, report: &mut Report) -> Result<Vec<Issue>, Mistake> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut issues: Vec<Issue> = Vec::new();
    let mut places: HashMap<TaskId, usize> = HashMap::new();
    for (n, line) in text.lines().enumerate().filter(|(_, it)| !it.trim().is_empty()) {
        let issue = issue_of(line).map_err(|reason| Mistake { line: n + 1, reason })?;
        report.issues += 1;
        match places.get(&issue.task.id) {
            Some(place) => {
                let what = "earlier lines of an issue that comes again";
                note(&mut report.left_out, what, issue.task.id.as_str());
                issues[*place] = issue;
            }
            None => {
                places.insert(issue.task.id.clone(), issues.len());
                issues.push(issue);
            }
        }
    }
    Ok(issues)
}

fn issue_of(line: &str) -> Result<Issue, String> {
    if ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|it| line.starts_with(it)) {
        return Err("two versions of the file were merged here and the conflict stands".to_owned());
    }
    let value = parse(line).map_err(|fault| format!("{} in column {}", fault.reason, fault.column))?;
    issue::read(value.as_object().ok_or("not a JSON object")?)
}

/// Counts one more of a kind.
fn note(findings: &mut Vec<Finding>, what: &str, example: &str) {
    let at = findings.iter().position(|it| it.what == what).unwrap_or_else(|| {
        findings.push(Finding { what: what.to_owned(), count: 0, examples: Vec::new() });
        findings.len() - 1
    });
    let finding = &mut findings[at];
    finding.count += 1;
    if finding.examples.len() < EXAMPLES {
        finding.examples.push(example.to_owned());
    }
}
