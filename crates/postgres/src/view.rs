//! The list as a decision sees it: rows that are fetched when they are asked for, and remembered, because what was asked
//! for is checked again when the decision is written. Not the writing.

use crate::{code, link::Line, sessions::Sign, trouble::Trouble, wire::Value};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};
use tokio_postgres::{Row, types::Type};
use worklist::{
    TaskId,
    claim::{Claim, Entry, Life},
    json::{Json, parse},
    portable::plan_from_json,
    rules::{self, PlanNote, Tasks},
};

/// How much of a list a decision is about, and so what it keeps others from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Some tasks, by their ids. Nobody is kept from anything until it is written.
    Tasks,
    /// The best task that may be started. Nobody is kept from anything either: two may choose the same.
    Next,
    /// The same where many choose at once: nobody else is offered it meanwhile.
    NextApart,
    /// What waits for what, or which ids are given: one at a time.
    List,
}

impl Scope {
    /// What a verb is about. One that is not known is about everything.
    pub(crate) fn of(command: &str) -> Scope {
        match command {
            "claim" | "complete" | "heartbeat" | "release" | "conclude" => Scope::Tasks,
            "next" => Scope::Next,
            _ => Scope::List,
        }
    }

    fn chooses(self) -> bool {
        matches!(self, Scope::Next | Scope::NextApart)
    }

    /// Whether a verb changes the graph in ways that are known here. Others may go on with tasks meanwhile.
    pub(crate) fn is_known(command: &str) -> bool {
        let graph = ["create", "plan", "edit", "release_all", "reopen", "delete", "reap", "import", "undo"];
        Scope::of(command) != Scope::List || graph.contains(&command)
    }
}

/// One row as it was found.
#[derive(Clone)]
struct Found {
    rev: i64,
    entry: Arc<Entry>,
}

/// What is known of the list while something is decided.
pub(crate) struct View<'a, 'b> {
    line: RefCell<&'a mut Line<'b>>,
    list: i64,
    scope: Scope,
    command: &'a str,
    highest: u64,
    rows: RefCell<BTreeMap<TaskId, Option<Found>>>,
    /// What was asked for, and so what the decision was made on.
    asked: RefCell<BTreeSet<TaskId>>,
    all: RefCell<Option<Vec<TaskId>>>,
    silent: RefCell<Vec<TaskId>>,
    signs: RefCell<HashMap<String, Sign>>,
    token: Cell<Option<u64>>,
    trouble: RefCell<Option<Trouble>>,
    beyond: Cell<bool>,
    recount: Cell<bool>,
}

impl<'a, 'b> View<'a, 'b> {
    pub(crate) fn new(
        line: &'a mut Line<'b>,
        list: i64,
        scope: Scope,
        command: &'a str,
        highest: u64,
    ) -> Self {
        View {
            line: RefCell::new(line),
            list,
            scope,
            command,
            highest,
            rows: RefCell::default(),
            asked: RefCell::default(),
            all: RefCell::default(),
            silent: RefCell::default(),
            signs: RefCell::default(),
            token: Cell::default(),
            trouble: RefCell::default(),
            beyond: Cell::default(),
            recount: Cell::default(),
        }
    }

    /// What went wrong on the way: then nothing that was decided counts.
    pub(crate) fn failed(&self) -> Result<(), Trouble> {
        self.trouble.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// Whether more was asked for than this scope can answer.
    pub(crate) fn is_beyond(&self) -> bool {
        self.beyond.get()
    }

    /// Whether the order of what may be started must be worked out first.
    pub(crate) fn must_recount(&self) -> bool {
        self.recount.get()
    }

    /// The signs of life that were seen.
    pub(crate) fn signs(&self) -> HashMap<String, Sign> {
        self.signs.borrow().clone()
    }

    /// What was asked for: ids with their revisions, in the order of the ids; none where there was nothing.
    pub(crate) fn asked(&self) -> Vec<(TaskId, Option<i64>)> {
        let rows = self.rows.borrow();
        let rev = |id: &TaskId| rows.get(id).and_then(|it| it.as_ref()).map(|it| it.rev);
        self.asked.borrow().iter().map(|id| (id.clone(), rev(id))).collect()
    }

    fn try_or<T>(&self, otherwise: T, ask: impl FnOnce() -> Result<T, Trouble>) -> T {
        if self.trouble.borrow().is_some() {
            return otherwise;
        }
        ask().unwrap_or_else(|trouble| {
            *self.trouble.borrow_mut() = Some(trouble);
            otherwise
        })
    }

    /// Takes in rows of any of the questions that look at tasks: id, revision, text, and signs of life behind them.
    fn take(&self, rows: &[Row], first: usize) -> Result<Vec<TaskId>, Trouble> {
        let mut ids = Vec::new();
        for row in rows {
            let (id, text): (&str, &str) = (row.get(first), row.get(first + 2));
            let found = Found { rev: row.get(first + 1), entry: Arc::new(code::entry(id, text)?) };
            if let Some(claim) = &found.entry.standing.claim {
                self.signs.borrow_mut().insert(claim.by.session.clone(), Sign::of_row(row, first + 3));
            }
            let id = TaskId::found(id);
            ids.push(id.clone());
            // What was read twice counts as it was read first: by that something may have been decided already.
            self.rows.borrow_mut().entry(id).or_insert(Some(found));
        }
        Ok(ids)
    }

    fn fetch(&self, id: &TaskId) -> Result<(), Trouble> {
        let (near, far) =
            (self.scope != Scope::List, self.command == "complete" || self.command == "conclude");
        let ids = vec![id.as_str()];
        let values: [Value<'_>; 4] =
            [(&self.list, Type::INT8), (&ids, Type::TEXT_ARRAY), (&near, Type::BOOL), (&far, Type::BOOL)];
        let rows = if self.command == "claim" && self.token.get().is_none() {
            let question = "SELECT *, (SELECT nextval('worklist.tokens')) FROM worklist.look($1, $2, $3, $4)";
            let rows = self.line.borrow_mut().rows(question, &values)?;
            self.token.set(rows.first().map(|it| it.get::<_, i64>(7).unsigned_abs()));
            rows
        } else {
            self.line.borrow_mut().rows("SELECT * FROM worklist.look($1, $2, $3, $4)", &values)?
        };
        self.take(&rows, 0)?;
        let mut known = self.rows.borrow_mut();
        known.entry(id.clone()).or_insert(None);
        // What these wait for, and is not there, need not be asked for one by one.
        let edges = |it: &Found| it.entry.task.blocked_by.clone();
        let missing: Vec<TaskId> =
            if near { known.get(id).into_iter().flatten().flat_map(edges).collect() } else { vec![] };
        for id in missing {
            known.entry(id).or_insert(None);
        }
        Ok(())
    }

    fn fetch_all(&self) -> Result<Vec<TaskId>, Trouble> {
        let question = "SELECT * FROM worklist.look_at_all($1)";
        let rows = self.line.borrow_mut().rows(question, &[(&self.list, Type::INT8)])?;
        self.take(&rows, 0)
    }

    fn entries(&self, ids: &[TaskId]) -> Vec<Arc<Entry>> {
        let rows = self.rows.borrow();
        ids.iter().filter_map(|id| rows.get(id)?.as_ref().map(|it| it.entry.clone())).collect()
    }

    /// A page of what may be started, and with the first one what else choosing needs.
    fn offers(&self, many: i64, past: i64) -> Result<Vec<TaskId>, Trouble> {
        let question = "SELECT * FROM worklist.look_for_next($1, $2, $3, $4)";
        let apart = self.scope == Scope::NextApart;
        let values: [Value<'_>; 4] =
            [(&self.list, Type::INT8), (&many, Type::INT8), (&past, Type::INT8), (&apart, Type::BOOL)];
        let rows = self.line.borrow_mut().rows(question, &values)?;
        let mut offered = Vec::new();
        for row in rows {
            match row.get::<_, &str>(0) {
                "offered" => offered.extend(self.take(&[row], 1)?),
                "silent" => self.silent.borrow_mut().extend(self.take(&[row], 1)?),
                "near" => _ = self.take(&[row], 1)?,
                kind => {
                    self.token.set(Some(row.get::<_, i64>(2).unsigned_abs()));
                    self.recount.set(kind == "recount");
                }
            }
        }
        Ok(offered)
    }

    /// The first offer that suits, page by page.
    fn chosen(&self, suits: &dyn Fn(&Entry) -> bool) -> Result<Option<TaskId>, Trouble> {
        let mut past = 0;
        let mut many = 1;
        loop {
            let offered = if past == 0 { self.first_offers()? } else { self.offers(many, past)? };
            let is_done = |id: &TaskId| self.get(id).is_some_and(|it| !it.task.is_open());
            // What was offered may wait again by now.
            let fits = |it: &Arc<Entry>| suits(it) && it.task.blocked_by.iter().all(is_done);
            if let Some(it) = self.entries(&offered).into_iter().find(fits) {
                return Ok(Some(it.task.id.clone()));
            }
            let count = i64::try_from(offered.len()).unwrap_or(i64::MAX);
            if count < many {
                break;
            }
            (past, many) = (past + count, 32);
        }
        if self.scope == Scope::Next && past == 0 {
            return Ok(None);
        }
        // Some were passed over because others are busy with them, or moved between two pages: whether there is really
        // nothing must be seen by one at a time.
        let question = "SELECT EXISTS (SELECT FROM worklist.tasks WHERE list = $1 AND startable)";
        let left: bool = self.line.borrow_mut().row(question, &[(&self.list, Type::INT8)])?.get(0);
        self.beyond.set(self.beyond.get() || left);
        Ok(None)
    }

    fn first_offers(&self) -> Result<Vec<TaskId>, Trouble> {
        let mut all = self.all.borrow_mut();
        match &*all {
            Some(offered) => Ok(offered.clone()),
            None => Ok(all.insert(self.offers(1, 0)?).clone()),
        }
    }
}

impl Tasks for View<'_, '_> {
    fn get(&self, id: &TaskId) -> Option<Arc<Entry>> {
        self.asked.borrow_mut().insert(id.clone());
        if !self.rows.borrow().contains_key(id) {
            self.try_or((), || self.fetch(id));
        }
        self.rows.borrow().get(id)?.as_ref().map(|it| it.entry.clone())
    }

    fn all(&self) -> Vec<Arc<Entry>> {
        if self.scope != Scope::List {
            self.beyond.set(true);
            return Vec::new();
        }
        let known = self.all.borrow().clone();
        let ids = known.unwrap_or_else(|| self.try_or(Vec::new(), || self.fetch_all()));
        let entries = self.entries(&ids);
        *self.all.borrow_mut() = Some(ids);
        entries
    }

    fn dependents(&self, id: &TaskId) -> Vec<TaskId> {
        self.get(id).map(|it| it.task.blocks.clone()).unwrap_or_default()
    }

    fn is_seen_done(&self, id: &TaskId) -> Option<bool> {
        let rows = self.rows.borrow();
        Some(rows.get(id)?.as_ref().is_some_and(|it| !it.entry.task.is_open()))
    }

    fn life(&self, claim: &Claim) -> Life {
        let known = self.signs.borrow().get(&claim.by.session).copied();
        let ask = || Sign::ask(&mut self.line.borrow_mut(), self.list, &claim.by.session);
        let sign = known.unwrap_or_else(|| self.try_or(Sign::UNKNOWN, ask));
        self.signs.borrow_mut().insert(claim.by.session.clone(), sign);
        sign.life(claim)
    }

    fn fresh_ids(&self, count: usize) -> Vec<TaskId> {
        self.beyond.set(self.beyond.get() || self.scope != Scope::List);
        (1..=count as u64).map(|n| TaskId::from(self.highest + n)).collect()
    }

    fn fits(&self, id: &TaskId) -> bool {
        id.is_plain()
    }

    fn next_token(&self) -> u64 {
        let ask = || -> Result<u64, Trouble> {
            let row = self.line.borrow_mut().row("SELECT nextval('worklist.tokens')", &[])?;
            Ok(row.get::<_, i64>(0).unsigned_abs())
        };
        self.token.take().unwrap_or_else(|| self.try_or(0, ask))
    }

    fn planned(&self, key: &str) -> Option<PlanNote> {
        let ask = || -> Result<Option<PlanNote>, Trouble> {
            let question = "SELECT seq, body FROM worklist.events WHERE list = $1 AND plan_key = $2 ORDER BY seq DESC LIMIT 1";
            let values: [Value<'_>; 2] = [(&self.list, Type::INT8), (&key, Type::TEXT)];
            let rows = self.line.borrow_mut().rows(question, &values)?;
            if let Some(row) = rows.first() {
                return Ok(code::event(row.get(0), row.get(1))?.plan);
            }
            let question = "SELECT told_plans FROM worklist.lists WHERE list = $1";
            let row = self.line.borrow_mut().row(question, &[(&self.list, Type::INT8)])?;
            Ok(told_plans(row.get(0)).into_iter().rfind(|it| it.key.as_deref() == Some(key)))
        };
        self.try_or(None, ask)
    }

    fn lapsed(&self) -> Vec<Arc<Entry>> {
        if !self.scope.chooses() {
            return self.all().into_iter().filter(|it| it.standing.claim.is_some()).collect();
        }
        self.try_or(Vec::new(), || self.first_offers());
        let silent = self.silent.borrow().clone();
        self.asked.borrow_mut().extend(silent.iter().cloned());
        self.entries(&silent)
    }

    fn best(&self, suits: &dyn Fn(&Entry) -> bool) -> Option<TaskId> {
        if !self.scope.chooses() {
            return rules::best(&self.all(), suits);
        }
        self.try_or(None, || self.chosen(suits))
    }
}

/// The plans that a list was told of when it came from elsewhere.
pub(crate) fn told_plans(text: &str) -> Vec<PlanNote> {
    let value = parse(text).ok();
    let plans = value.as_ref().and_then(Json::as_array).unwrap_or_default();
    plans.iter().filter_map(plan_from_json).collect()
}
