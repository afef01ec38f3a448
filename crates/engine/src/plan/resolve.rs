//! From the items of a text to a plan: references are followed, parts and steps become edges, what is done goes.
//! Not a reader: both readers end here.

use super::{
    Draft, Item, MAX_TASKS, Mistake, Reference, Sheet, Standing,
    names::{Names, Target, given},
};
use crate::{
    graph::Graph,
    id::TaskId,
    rules::{Plan, PlanTask},
    task::Task,
};
use std::collections::HashSet;

/// How many items a sentence names before it only counts.
const NAMED: usize = 5;

/// What each item waits for and is a part of, by place.
struct Web {
    after: Vec<Vec<Target>>,
    /// Tasks of the list that shall wait for the item.
    blocks: Vec<Vec<TaskId>>,
    parent: Vec<Option<Target>>,
}

/// The plan that a sheet describes, or everything that is wrong with it.
pub(super) fn draft(sheet: Sheet) -> Result<Draft, Vec<Mistake>> {
    let Sheet { key, mut items, mut mistakes } = sheet;
    rise(&mut items);
    let mut web = follow(&items, &mut mistakes);
    structure(&items, &mut web);
    clear(&items, &mut web);
    if mistakes.is_empty() {
        mistakes.extend(size(&items));
        mistakes.extend(waits_in_a_circle(&items, &web));
        mistakes.extend(part_of_itself(&items, &web));
    }
    if !mistakes.is_empty() {
        mistakes.sort_by_key(|it| (it.line, it.column));
        return Err(mistakes);
    }
    let notes = notes(&items);
    let lines = items.iter().filter(|it| !it.is_done()).map(|it| it.line).collect();
    Ok(Draft { plan: Plan { key, tasks: tasks(items, web) }, lines, notes })
}

impl Item {
    pub(super) fn is_done(&self) -> bool {
        self.standing == Standing::Done
    }

    fn label(&self) -> String {
        let short: String = self.task.subject.chars().take(40).collect();
        let dots = if short.len() < self.task.subject.len() { "…" } else { "" };
        format!("line {} \"{short}{dots}\"", self.line)
    }
}

/// Parts of a finished item become parts of what is unfinished above it. Whatever is above comes earlier.
fn rise(items: &mut [Item]) {
    for place in 0..items.len() {
        if let Some(above) = items[place].above.filter(|it| items[*it].is_done()) {
            items[place].above = items[above].above;
        }
    }
}

fn follow(items: &[Item], mistakes: &mut Vec<Mistake>) -> Web {
    let names = Names::of(items, mistakes);
    let count = items.len();
    let mut web =
        Web { after: vec![Vec::new(); count], blocks: vec![Vec::new(); count], parent: vec![None; count] };
    let mut find = |reference: &Reference, place: usize, what: &str| match names.find(reference) {
        Ok(target) if target != Target::Item(place) => Some(target),
        Ok(_) => {
            mistakes.push(reference.mistake(format!("an item cannot {what} itself")));
            None
        }
        Err(mistake) => {
            mistakes.push(mistake);
            None
        }
    };
    for (place, item) in items.iter().enumerate() {
        web.after[place].extend(item.after.iter().filter_map(|it| find(it, place, "wait for")));
        for target in item.before.iter().filter_map(|it| find(it, place, "wait for")) {
            match target {
                Target::Item(other) => web.after[other].push(Target::Item(place)),
                Target::Existing(id) => web.blocks[place].push(id),
            }
        }
        web.parent[place] = item.parent.as_ref().and_then(|it| find(it, place, "be a part of"));
    }
    web
}

/// Steps wait for the step before; parts for what the whole waits for; and the whole for its parts.
fn structure(items: &[Item], web: &mut Web) {
    for (place, item) in items.iter().enumerate() {
        web.after[place].extend(item.step_before.map(Target::Item));
        let Some(whole) = item.above else { continue };
        web.parent[place] = Some(Target::Item(whole));
        let own_part = |it: &Target| matches!(it, Target::Item(other) if is_part(items, *other, whole));
        let inherited: Vec<Target> = web.after[whole].iter().filter(|it| !own_part(it)).cloned().collect();
        web.after[place].extend(inherited);
    }
    for (place, item) in items.iter().enumerate().filter(|(_, it)| !it.is_done()) {
        if let Some(whole) = item.above {
            web.after[whole].push(Target::Item(place));
        }
    }
}

fn is_part(items: &[Item], mut place: usize, whole: usize) -> bool {
    while let Some(above) = items[place].above {
        if above == whole {
            return true;
        }
        place = above;
    }
    false
}

/// What is done waits for nothing, nothing waits for it, and nothing waits twice for the same.
fn clear(items: &[Item], web: &mut Web) {
    let done = |it: &Target| matches!(it, Target::Item(place) if items[*place].is_done());
    for (place, item) in items.iter().enumerate() {
        let mut seen = HashSet::new();
        web.after[place].retain(|it| !item.is_done() && !done(it) && seen.insert(it.clone()));
        web.parent[place] = web.parent[place].take().filter(|it| !item.is_done() && !done(it));
    }
}

fn size(items: &[Item]) -> Option<Mistake> {
    let open = items.iter().filter(|it| !it.is_done());
    let Some(last) = open.clone().nth(MAX_TASKS) else {
        return open.count().eq(&0).then(|| match items.first() {
            Some(item) => Mistake::at(item.line, "every item is done: nothing is left to plan"),
            None => Mistake::at(1, "there is no task in this text")
                .hint("write one as `- [ ] subject`, or as JSON: {\"tasks\": [{\"subject\": \"…\"}]}"),
        });
    };
    Some(
        Mistake::at(last.line, format!("a plan holds at most {MAX_TASKS} tasks"))
            .hint("split it into several plans"),
    )
}

fn waits_in_a_circle(items: &[Item], web: &Web) -> Option<Mistake> {
    let id = |place: usize| TaskId::found(&place.to_string());
    let task = |place: usize| {
        let mut task = Task::new(id(place), "");
        task.blocked_by = items_of(&web.after[place]).map(id).collect();
        task
    };
    let tasks: Vec<Task> = (0..items.len()).filter(|it| !items[*it].is_done()).map(task).collect();
    let path = Graph::new(&tasks).cycle()?;
    let path: Vec<usize> = path.into_iter().filter_map(|it| it.as_str().parse().ok()).collect();
    let mistake = around(items, &path, "these items wait for each other");
    let nested = path.iter().any(|it| items[*it].above.is_some());
    let hint = "an item waits for its parts, and a part for what the whole waits for";
    Some(if nested { mistake.hint(hint) } else { mistake })
}

/// Only items that name what they are a part of can go round: what stands beneath another does not.
fn part_of_itself(items: &[Item], web: &Web) -> Option<Mistake> {
    let above =
        |place: usize| web.parent[place].iter().flat_map(|it| items_of(std::slice::from_ref(it))).next();
    let mut sound = vec![false; items.len()];
    for start in 0..items.len() {
        let mut way: Vec<usize> = Vec::new();
        let mut on_way = HashSet::new();
        let mut at = Some(start);
        while let Some(place) = at.filter(|it| !sound[*it]) {
            way.push(place);
            if !on_way.insert(place) {
                let first = way.iter().position(|it| *it == place).unwrap_or(0);
                return Some(around(items, &way[first..], "these items would be parts of each other"));
            }
            at = above(place);
        }
        for place in way {
            sound[place] = true;
        }
    }
    None
}

fn items_of(targets: &[Target]) -> impl Iterator<Item = usize> {
    targets.iter().filter_map(|it| match it {
        Target::Item(place) => Some(*place),
        Target::Existing(_) => None,
    })
}

/// A mistake that goes round, told from its first line on.
fn around(items: &[Item], path: &[usize], reason: &str) -> Mistake {
    let round = &path[..path.len().saturating_sub(1)];
    let first = (0..round.len()).min_by_key(|it| round[*it]).unwrap_or(0);
    let turned: Vec<usize> = round[first..].iter().chain(&round[..first]).copied().collect();
    let line = turned.first().map_or(1, |it| items[*it].line);
    let mut steps: Vec<String> = turned.iter().take(NAMED).map(|it| items[*it].label()).collect();
    if turned.len() > NAMED {
        steps.push(format!("{} more", turned.len() - NAMED));
    }
    Mistake::at(line, format!("{reason}: {} -> line {line}", steps.join(" -> ")))
}

fn notes(items: &[Item]) -> Vec<String> {
    let listed = |standing: Standing| -> Option<String> {
        let found: Vec<String> = items.iter().filter(|it| it.standing == standing).map(Item::label).collect();
        let more = found.len().saturating_sub(NAMED);
        let named = found.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!found.is_empty()).then(|| format!("{named}{more}"))
    };
    let done = listed(Standing::Done)
        .map(|it| format!("Left out because they are done, so that nothing waits for them: {it}"));
    let begun = listed(Standing::Begun).map(|it| format!("Begun there, pending here until claimed: {it}"));
    done.into_iter().chain(begun).collect()
}

fn tasks(items: Vec<Item>, web: Web) -> Vec<PlanTask> {
    let wanted: HashSet<&Target> = web.after.iter().flatten().chain(web.parent.iter().flatten()).collect();
    let names = given(&items, &wanted);
    let spelled = |target: &Target| match target {
        Target::Item(place) => names[*place].clone().unwrap_or_default(),
        Target::Existing(id) => id.to_string(),
    };
    let mut tasks = Vec::new();
    for ((place, item), blocks) in items.into_iter().enumerate().zip(web.blocks) {
        if !item.is_done() {
            let mut task = item.task;
            task.blocks = blocks;
            let after = web.after[place].iter().map(spelled).collect();
            let parent = web.parent[place].as_ref().map(spelled);
            tasks.push(PlanTask { name: names[place].clone(), after, parent, task });
        }
    }
    tasks
}
