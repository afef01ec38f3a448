//! The names of a plan and what they stand for: what an item calls itself, its subject, or a task of the list.
//! Not the check whether such a task exists: only the list knows.

use super::{Item, Mistake, Reference};
use crate::id::TaskId;
use crate::nearest::nearest;
use std::collections::{HashMap, HashSet};

/// What a reference leads to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Target {
    /// An item of the plan, by place.
    Item(usize),
    /// A task that should be in the list already.
    Existing(TaskId),
}

pub(super) struct Names<'a> {
    items: &'a [Item],
    named: HashMap<&'a str, usize>,
    /// Subjects in small letters, and every item that has them.
    subjects: HashMap<String, Vec<usize>>,
}

impl<'a> Names<'a> {
    /// Collects the names of all items; one given twice is a mistake.
    pub(super) fn of(items: &'a [Item], mistakes: &mut Vec<Mistake>) -> Names<'a> {
        let mut names = Names { items, named: HashMap::new(), subjects: HashMap::new() };
        for (place, item) in items.iter().enumerate() {
            if let Some(name) = &item.name {
                let first = *names.named.entry(name).or_insert(place);
                if first != place {
                    let reason =
                        format!("the name `{name}` is given twice, first on line {}", items[first].line);
                    mistakes.push(Mistake::at(item.line, reason));
                }
            }
            names.subjects.entry(item.task.subject.to_lowercase()).or_default().push(place);
        }
        names
    }

    /// What a reference leads to: a name, else a subject, else a task of the list.
    pub(super) fn find(&self, reference: &Reference) -> Result<Target, Mistake> {
        let text = reference.text.trim();
        let bare = text.strip_prefix('#').unwrap_or(text);
        if let Some(place) = self.named.get(text).or_else(|| self.named.get(bare)) {
            return Ok(Target::Item(*place));
        }
        match self.subjects.get(&text.to_lowercase()).map(Vec::as_slice) {
            Some([place]) => return Ok(Target::Item(*place)),
            Some([one, other, ..]) => {
                let (one, other) = (self.items[*one].line, self.items[*other].line);
                let reason =
                    format!("`{text}` is the subject of more than one item (lines {one} and {other})");
                return Err(reference.mistake(reason).hint("give the item that is meant a name"));
            }
            _ => {}
        }
        // Every word could be an id; one without a digit is far more often a name with a slip in it.
        let is_id = text.starts_with('#') || text.contains(|it: char| it.is_ascii_digit());
        match TaskId::typed(text).filter(|_| is_id) {
            Some(id) => Ok(Target::Existing(id)),
            None => Err(self.unknown(reference, text)),
        }
    }

    fn unknown(&self, reference: &Reference, text: &str) -> Mistake {
        let subjects = self.items.iter().map(|it| it.task.subject.as_str());
        let hint = match nearest(text, self.named.keys().copied().chain(subjects)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name the item that is meant; a task of the list is written `#12`".to_owned(),
        };
        reference.mistake(format!("no item of the plan is called `{text}`")).hint(hint)
    }
}

/// Names for all items that others refer to. An item without one is called by its number in the plan, unless
/// that is taken by another's name or by the id of an older task.
pub(super) fn given(items: &[Item], wanted: &HashSet<&Target>) -> Vec<Option<String>> {
    let mut taken: HashSet<String> = items.iter().filter_map(|it| it.name.clone()).collect();
    taken.extend(wanted.iter().filter_map(|it| match it {
        Target::Existing(id) => Some(id.to_string()),
        Target::Item(_) => None,
    }));
    let mut number = 0;
    let name = |(place, item): (usize, &Item)| {
        number += usize::from(!item.is_done());
        if item.name.is_some() || !wanted.contains(&Target::Item(place)) {
            return item.name.clone();
        }
        let mut name = number.to_string();
        while taken.contains(&name) {
            name.push('.');
        }
        Some(name)
    };
    items.iter().enumerate().map(name).collect()
}
