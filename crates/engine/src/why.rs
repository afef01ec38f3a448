//! Why a task cannot be started now: the tasks it waits for, down to those that somebody could take up or has.
//! Derived from a board; nothing is asked of the store.

use crate::{
    id::TaskId,
    view::{Board, State, TaskView},
};
use std::collections::{HashMap, HashSet};

/// One line of an explanation: a task, how far below the question it stands, and what is the matter with it.
#[derive(Debug, Clone)]
pub struct Step<'a> {
    /// How many waits lie between the question and this task.
    pub depth: usize,
    /// The task.
    pub id: TaskId,
    /// What is known of it; nothing if there is no such task.
    pub view: Option<&'a TaskView>,
    /// What is the matter with it.
    pub matter: Matter,
    /// Whether it was explained above already.
    pub again: bool,
}

/// What keeps a task from being started, or that nothing does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matter {
    /// Nothing: it can be claimed.
    Ready,
    /// It waits for the steps below it.
    Waits,
    /// Somebody has it.
    Claimed,
    /// Its claimants were lost too often: a person must look.
    Parked,
    /// It is done.
    Completed,
    /// It is waited for, but does not exist.
    Missing,
}

impl Matter {
    /// The word for it in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Matter::Ready => "ready",
            Matter::Waits => "blocked",
            Matter::Claimed => "claimed",
            Matter::Parked => "parked",
            Matter::Completed => "completed",
            Matter::Missing => "missing",
        }
    }

    /// What is the matter with a task.
    pub fn of(view: Option<&TaskView>) -> Matter {
        let Some(view) = view else { return Matter::Missing };
        match view.state {
            State::Completed => Matter::Completed,
            State::InProgress => Matter::Claimed,
            State::Blocked => Matter::Waits,
            State::Ready if view.parked => Matter::Parked,
            State::Ready => Matter::Ready,
        }
    }
}

/// Explains one task: itself first, then what it waits for, each blocker followed by its own. Every task is taken
/// apart once.
pub fn why<'a>(board: &'a Board, id: &TaskId) -> Vec<Step<'a>> {
    let views: HashMap<&TaskId, &TaskView> = board.tasks.iter().map(|it| (&it.task.id, it)).collect();
    let mut steps = Vec::new();
    let mut explained: HashSet<TaskId> = HashSet::new();
    let mut waiting = vec![(0, id.clone())];
    while let Some((depth, id)) = waiting.pop() {
        let view = views.get(&id).copied();
        let matter = Matter::of(view);
        let again = matter == Matter::Waits && !explained.insert(id.clone());
        if let Some(view) = view.filter(|_| matter == Matter::Waits && !again) {
            waiting.extend(view.open_blockers.iter().rev().map(|it| (depth + 1, it.clone())));
        }
        steps.push(Step { depth, id, view, matter, again });
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Actor, Command, NewTask, TaskList, rules::ClaimTask};

    #[test]
    fn down_to_what_can_be_done() {
        let list = TaskList::in_memory();
        let ann = Actor::new("ann", "s");
        let add = |subject: &str, after: &[&str]| {
            let blocked_by = after.iter().map(|it| TaskId::found(it)).collect();
            let new =
                NewTask { subject: subject.into(), blocked_by, allow_missing: true, ..NewTask::default() };
            list.run(&ann, &Command::Create(new)).unwrap();
        };
        add("1 schema", &[]);
        add("2 api", &["1"]);
        add("3 docs", &["1", "77"]);
        add("4 tests", &["2", "3"]);
        let said = |id: &str| -> Vec<String> {
            let board = list.board().unwrap();
            let say = |it: &Step<'_>| {
                format!(
                    "{}{}{} {}",
                    " ".repeat(it.depth),
                    it.id,
                    if it.again { "!" } else { "" },
                    it.matter.name()
                )
            };
            why(&board, &TaskId::found(id)).iter().map(say).collect()
        };
        assert_eq!(
            said("4"),
            ["4 blocked", " 2 blocked", "  1 ready", " 3 blocked", "  1 ready", "  77 missing"]
        );
        list.run(&ann, &Command::Claim(ClaimTask::of(TaskId::found("1")))).unwrap();
        assert_eq!(said("2"), ["2 blocked", " 1 claimed"]);
        assert_eq!(said("9"), ["9 missing"]);
    }
}
