//! Lists of the peers, with the same texts and edges as ours, laid down as each keeps them. Made by hand where the program
//! itself would need minutes. Not checked by them: whoever cannot read its list fails when it is measured.

use super::Contestant;
use crate::bench::{
    Bench,
    lists::{List, plan},
    program,
};
use std::{
    fmt::Write as _,
    fs::{self, File},
    io,
    process::Stdio,
};
use worklist::{
    NewTask,
    json::{self, Json, Object, Style},
    rules::PlanTask,
};

pub(super) fn ours(it: &Contestant, _: &Bench) -> io::Result<()> {
    List::make(&it.folder.join("list"), it.size).map(drop)
}

/// One file of Markdown for each task.
pub(super) fn ticket(it: &Contestant, _: &Bench) -> io::Result<()> {
    let folder = it.folder.join(".tickets");
    fs::create_dir_all(&folder)?;
    for (n, task) in plan(it.size).tasks.iter().enumerate() {
        let (id, deps) = (ticket_id(n), blockers(task).map(ticket_id).collect::<Vec<_>>().join(", "));
        let head = format!(
            "---\nid: {id}\nstatus: open\ndeps: [{deps}]\nlinks: []\ncreated: 2026-01-01T00:00:00Z\ntype: task\npriority: 2\n---\n"
        );
        let text = format!("{head}# {}\n\n{}\n", task.task.subject, task.task.description);
        fs::write(folder.join(format!("{id}.md")), text)?;
    }
    Ok(())
}

pub(super) fn ticket_id(n: usize) -> String {
    format!("bench-{n:06}")
}

/// Read in by the program itself.
pub(super) fn taskwarrior(it: &Contestant, bench: &Bench) -> io::Result<()> {
    let settings = "confirmation=off\nverbose=nothing\nrecurrence=off\nhooks=off\n";
    fs::write(it.folder.join("taskrc"), settings)?;
    let tasks = plan(it.size).tasks;
    let tasks = tasks.iter().enumerate().map(|(n, task)| {
        let object = Object::new().with("uuid", taskwarrior_id(n)).with("status", "pending");
        let object = object.with("entry", MOMENT).with("description", task.task.subject.as_str());
        let mut object = object.with("depends", Json::strings(blockers(task).map(taskwarrior_id)));
        if !task.task.description.is_empty() {
            // It has no field for more text than a line.
            let line = task.task.description.replace('\n', " ");
            let note = Object::new().with("entry", MOMENT).with("description", line);
            object.set("annotations", Json::Array(vec![note.into()]));
        }
        Json::from(object)
    });
    let file = it.folder.join("bench.json");
    fs::write(&file, json::write(&Json::Array(tasks.collect()), Style::COMPACT, ""))?;
    let mut command = it.command(bench, &["import", "-"], 0);
    program::time(command.stdin(Stdio::from(File::open(file)?))).map(drop)
}

/// The way in which it writes times.
const MOMENT: &str = "20260101T000000Z";

pub(super) fn taskwarrior_id(n: usize) -> String {
    format!("00000000-0000-4000-8000-{n:012}")
}

/// One file of Markdown for each task, in a repository of git.
pub(super) fn backlog(it: &Contestant, bench: &Bench) -> io::Result<()> {
    let mut git = bench.other("git".as_ref()).command(&["init", "--quiet"]);
    program::time(git.current_dir(&it.folder).env("PATH", bench.path()))?;
    program::time(&mut it.command(bench, &["init", "bench", "--defaults"], 0))?;
    for (n, task) in plan(it.size).tasks.iter().enumerate() {
        let mut text = format!(
            "---\nid: TASK-{}\ntitle: {}\nstatus: To Do\nassignee: []\ncreated_date: '2026-01-01 00:00'\nlabels: []\n",
            n + 1,
            task.task.subject
        );
        text += if task.after.is_empty() { "dependencies: []\n" } else { "dependencies:\n" };
        for blocker in blockers(task) {
            _ = writeln!(text, "  - TASK-{}", blocker + 1);
        }
        text += "---\n\n## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\n";
        _ = writeln!(text, "{}\n<!-- SECTION:DESCRIPTION:END -->", task.task.description);
        fs::write(it.folder.join(format!("backlog/tasks/task-{} - {n}.md", n + 1)), text)?;
    }
    Ok(())
}

/// One file for all tasks.
pub(super) fn task_master(it: &Contestant, _: &Bench) -> io::Result<()> {
    let tasks = plan(it.size).tasks;
    let tasks = tasks.iter().enumerate().map(|(n, task)| {
        let object = Object::new().with("id", n + 1).with("title", task.task.subject.as_str());
        // It does not take a task without a description.
        let NewTask { subject, description, .. } = &task.task;
        let description = if description.is_empty() { subject } else { description };
        let object = object.with("description", description.as_str()).with("details", "");
        let edges = blockers(task).map(|it| Json::from(it + 1)).collect();
        let object = object.with("testStrategy", "").with("status", "pending");
        let object = object.with("dependencies", Json::Array(edges)).with("priority", "medium");
        Json::from(object.with("subtasks", Json::Array(Vec::new())))
    });
    let moment = "2026-01-01T00:00:00.000Z";
    let about = Object::new().with("created", moment).with("updated", moment).with("description", "bench");
    let list = Object::new().with("tasks", Json::Array(tasks.collect())).with("metadata", about);
    let folder = it.folder.join(".taskmaster/tasks");
    fs::create_dir_all(&folder)?;
    let text = json::write(&Object::new().with("master", list).into(), Style::JAVASCRIPT, "");
    fs::write(folder.join("tasks.json"), text)
}

/// The places of the tasks that one waits for.
fn blockers(task: &PlanTask) -> impl Iterator<Item = usize> {
    task.after.iter().filter_map(|it| it.trim_start_matches('t').parse().ok())
}
