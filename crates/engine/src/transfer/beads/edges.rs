//! The edges between issues: which become edges and parents of tasks, and which stay in the metadata.
//! Nothing is invented: only `blocks` makes a task wait.

use super::{
    Report,
    issue::{Issue, Link},
    note,
};
use crate::{
    id::TaskId,
    json::{Json, Object},
    task::Task,
};
use std::collections::{HashMap, HashSet};

/// Edges by place: who depends on whom.
type Edges = HashSet<(usize, usize)>;

/// The tasks with their edges on both ends; what could not become an edge is in the metadata and in the report.
pub(super) fn tied(mut issues: Vec<Issue>, gone: &[Issue], report: &mut Report) -> Vec<Task> {
    let links: Vec<Vec<Link>> = issues.iter_mut().map(|it| std::mem::take(&mut it.links)).collect();
    let ids: Vec<TaskId> = issues.iter().map(|it| it.task.id.clone()).collect();
    let mut web = Web::of(&ids, gone);
    let mut left: Vec<Vec<Json>> = vec![Vec::new(); ids.len()];
    let mut leave = |place: usize, link: &Link, why: &str| {
        note(&mut report.left_out, why, &format!("{} -> {}", ids[place], link.to));
        left[place].push(link.whole.clone());
    };
    for (place, link) in numbered(&links) {
        if let Err(why) = web.take(place, link, &ids[place]) {
            leave(place, link, &why);
        }
    }
    let cut = web.cut();
    for (place, link) in numbered(&links) {
        if web.is_among(&cut, place, link) {
            leave(place, link, "edges that close a circle");
        }
    }
    report.edges = web.waits.iter().map(Vec::len).sum();
    finished(issues, &ids, &web, left)
}

fn numbered(links: &[Vec<Link>]) -> impl Iterator<Item = (usize, &Link)> {
    links.iter().enumerate().flat_map(|(place, links)| links.iter().map(move |it| (place, it)))
}

/// The edges between issues that became tasks, by place.
struct Web<'a> {
    places: HashMap<&'a TaskId, usize>,
    gone: HashSet<&'a TaskId>,
    waits: Vec<Vec<usize>>,
    /// None or one for each.
    parents: Vec<Vec<usize>>,
}

impl<'a> Web<'a> {
    fn of(ids: &'a [TaskId], gone: &'a [Issue]) -> Web<'a> {
        Web {
            places: ids.iter().enumerate().map(|(place, id)| (id, place)).collect(),
            gone: gone.iter().map(|it| &it.task.id).collect(),
            waits: vec![Vec::new(); ids.len()],
            parents: vec![Vec::new(); ids.len()],
        }
    }

    /// Takes an entry as an edge, or says why not.
    fn take(&mut self, place: usize, link: &Link, id: &TaskId) -> Result<(), String> {
        if !matches!(link.kind.as_str(), "blocks" | "parent-child") {
            return Err(format!("edges of kind `{}`", link.kind));
        }
        if link.from != *id {
            return Err("edges that stand at another issue than their own".to_owned());
        }
        let target = match self.places.get(&link.to) {
            Some(target) => *target,
            None if self.gone.contains(&link.to) => return Err("edges to deleted issues".to_owned()),
            None => return Err("edges to issues that are not in the file".to_owned()),
        };
        if link.kind == "blocks" {
            if !self.waits[place].contains(&target) {
                self.waits[place].push(target);
            }
        } else if self.parents[place].first().is_some_and(|it| *it != target) {
            return Err("second parents".to_owned());
        } else {
            self.parents[place] = vec![target];
        }
        Ok(())
    }

    /// Takes out the edges that close a circle and returns them: of "waits for", and of "is a part of".
    fn cut(&mut self) -> [Edges; 2] {
        [&mut self.waits, &mut self.parents].map(|edges| {
            let closing = closing(edges);
            for (place, targets) in edges.iter_mut().enumerate() {
                targets.retain(|it| !closing.contains(&(place, *it)));
            }
            closing
        })
    }

    fn is_among(&self, [waits, parts]: &[Edges; 2], place: usize, link: &Link) -> bool {
        let edges = match link.kind.as_str() {
            "blocks" => waits,
            "parent-child" => parts,
            _ => return false,
        };
        self.places.get(&link.to).is_some_and(|target| edges.contains(&(place, *target)))
    }
}

#[derive(Clone, Copy)]
enum Mark {
    New,
    OnTheWay,
    Left,
}

/// The edges that lead one walk back onto its own way: without them there is no circle.
fn closing(edges: &[Vec<usize>]) -> Edges {
    let mut marks = vec![Mark::New; edges.len()];
    let mut closing = HashSet::new();
    for start in 0..edges.len() {
        let mut way = if matches!(marks[start], Mark::New) { vec![(start, 0)] } else { Vec::new() };
        while let Some((place, next)) = way.last_mut() {
            marks[*place] = Mark::OnTheWay;
            let Some(target) = edges[*place].get(*next).copied() else {
                marks[*place] = Mark::Left;
                way.pop();
                continue;
            };
            *next += 1;
            match marks[target] {
                Mark::New => way.push((target, 0)),
                Mark::OnTheWay => _ = closing.insert((*place, target)),
                Mark::Left => {}
            }
        }
    }
    closing
}

fn finished(issues: Vec<Issue>, ids: &[TaskId], web: &Web<'_>, left: Vec<Vec<Json>>) -> Vec<Task> {
    let mut tasks = Vec::new();
    for ((mut issue, left), place) in issues.into_iter().zip(left).zip(0..) {
        issue.task.blocked_by = web.waits[place].iter().map(|it| ids[*it].clone()).collect();
        issue.task.parent = web.parents[place].first().map(|it| ids[*it].clone());
        if !left.is_empty() {
            issue.rest.set("dependencies", Json::Array(left));
        }
        if !issue.rest.is_empty() {
            issue.task.metadata = Object::new().with("beads", issue.rest);
        }
        tasks.push(issue.task);
    }
    for (place, waits) in web.waits.iter().enumerate() {
        for blocker in waits {
            tasks[*blocker].blocks.push(ids[place].clone());
        }
    }
    tasks
}
