//! How new ids are found: counting on, by the clock, or at random. Each format picks one.

use crate::{id::TaskId, time::Time};
use std::rc::Rc;

/// Beyond this other programs count in floating point; we do not follow them there.
pub(crate) const MAX_NUMBER: u64 = 1 << 53;

/// What may be looked at to find an id that was never used.
pub struct IdSource<'a> {
    /// Every name in the folder. Costs as much as the folder is large.
    pub names: &'a dyn Fn() -> Rc<Vec<String>>,
    /// The highest number that the journal knows of, of living and deleted tasks.
    pub highest: u64,
    /// The text of the watermark file.
    pub watermark: &'a dyn Fn() -> Option<&'a str>,
    /// Whether anything stands where an id would have its file, whatever it is.
    pub there: &'a dyn Fn(&TaskId) -> bool,
    /// Whether an id is or was in use.
    pub taken: &'a dyn Fn(&TaskId) -> bool,
    /// The time.
    pub now: Time,
    /// Chance.
    pub random: &'a dyn Fn() -> u64,
}

/// So many numbers behind the highest known one are tried before the whole folder is looked through.
const TRIED: usize = 8;

/// Numbers after the highest of: what the journal knows, the watermark, and what `number_in` finds in the names.
pub(super) fn counted(
    source: &IdSource<'_>,
    count: usize,
    number_in: fn(&str) -> Option<u64>,
) -> Vec<TaskId> {
    let sane = |it: &u64| *it < MAX_NUMBER;
    let names = (source.names)().iter().filter_map(|name| number_in(name)).filter(sane).max().unwrap_or(0);
    let highest = names.max(watermark(source)).max(source.highest);
    (highest + 1..).map(TaskId::from).filter(|id| !(source.taken)(id)).take(count).collect()
}

/// The same where whoever removes a task raises the watermark first, and nobody believes it alone: a number that is higher, and
/// neither there nor known, was never given. So the next ones are tried, and mostly nobody need look through the folder.
pub(super) fn counted_on(
    source: &IdSource<'_>,
    count: usize,
    number_in: fn(&str) -> Option<u64>,
) -> Vec<TaskId> {
    let is_free = |it: &TaskId| !(source.there)(it) && !(source.taken)(it);
    let next = || (source.highest + 1..).take(TRIED).find(|it| is_free(&TaskId::from(*it)));
    let is_worth = count == 1 && source.highest > 0;
    // The watermark after the files, as above.
    match is_worth.then(next).flatten().filter(|it| *it > watermark(source)) {
        Some(number) => vec![TaskId::from(number)],
        None => counted(source, count, number_in),
    }
}

fn watermark(source: &IdSource<'_>) -> u64 {
    (source.watermark)().and_then(leading_number).unwrap_or(0)
}

/// Ids from a maker, until enough of them are new.
pub(super) fn unused(source: &IdSource<'_>, count: usize, make: impl Fn() -> TaskId) -> Vec<TaskId> {
    let mut ids: Vec<TaskId> = Vec::new();
    while ids.len() < count {
        let id = make();
        if !ids.contains(&id) && !(source.taken)(&id) {
            ids.push(id);
        }
    }
    ids
}

/// The number at the start of a text, blanks before it allowed, whatever follows it: `parseInt`.
pub(crate) fn leading_number(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok().filter(|it| *it < MAX_NUMBER)
}

/// What is wrong with a watermark that must not be lower than `least`, and what it should say.
pub(super) fn mark_fault(old: Option<&str>, least: Option<u64>) -> Option<(String, String)> {
    let number = old.and_then(leading_number);
    let least = least.filter(|it| *it < MAX_NUMBER).unwrap_or(0).max(number.unwrap_or(0));
    let clean = |text: &str| number.is_some() && text.trim().bytes().all(|it| it.is_ascii_digit());
    if old.is_some_and(|it| !clean(it)) {
        return Some(("is not a number".to_owned(), least.to_string()));
    }
    let number = number.unwrap_or(0);
    (least > number).then(|| (format!("says {number}, but {least} was given already"), least.to_string()))
}
