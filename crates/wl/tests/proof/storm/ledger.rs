//! What the storm's writers were told, and whether it can all be true. Not what they do.

use serde_json::Value;
use std::{
    collections::{HashMap, HashSet, VecDeque},
    time::{Duration, Instant},
};

/// One acknowledgement.
#[derive(Debug, Clone)]
pub(crate) enum Told {
    Created { id: String, subject: String },
    Edited { id: String, text: String },
    Claimed(Claimed),
    Done { id: String },
}

/// Whoever claimed, and when the command for it began and had answered.
#[derive(Debug, Clone)]
pub(crate) struct Claimed {
    pub(crate) id: String,
    pub(crate) session: String,
    pub(crate) began: Instant,
    pub(crate) at: Instant,
    pub(crate) lease: Lease,
}

/// How long a claim outlives the last sign of its session.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lease {
    /// As long as the process of the session.
    Process,
    For(Duration),
}

#[derive(Default)]
pub(crate) struct Ledger {
    pub(crate) told: Vec<Told>,
    /// Each command of a session that was answered: when it began, no later than its sign of life, and when it ended.
    heard: HashMap<String, Vec<(Instant, Instant)>>,
    /// Sessions whose process was killed, and when that was about to happen.
    dead: HashMap<String, Instant>,
    pub(crate) taken_over: u64,
    pub(crate) wrong: Vec<String>,
}

impl Ledger {
    pub(crate) fn note(&mut self, told: Told) {
        self.told.push(told);
    }

    pub(crate) fn hear(&mut self, session: &str, began: Instant) {
        self.heard.entry(session.to_owned()).or_default().push((began, Instant::now()));
    }

    pub(crate) fn bury(&mut self, session: &str) {
        self.dead.entry(session.to_owned()).or_insert_with(Instant::now);
    }

    /// Whether a claimant surely lived when somebody else was given its task.
    fn lived(&self, old: &Claimed, new: &Claimed) -> bool {
        match old.lease {
            Lease::Process => self.dead.get(&old.session).is_none_or(|it| *it > new.at),
            Lease::For(lease) => {
                let heard = self.heard.get(&old.session).map(Vec::as_slice).unwrap_or_default();
                let last = heard.iter().rfind(|(_, ended)| *ended <= new.began);
                last.is_some_and(|(began, _)| new.at.duration_since(*began) < lease)
            }
        }
    }

    /// Claims of one task that follow each other, in the order of the history: the earlier claimant must have been gone.
    fn check_claims(&mut self, history: &History<'_>) {
        let mut acknowledged: HashMap<(&str, &str), VecDeque<&Claimed>> = HashMap::new();
        for told in &self.told {
            if let Told::Claimed(it) = told {
                acknowledged.entry((&it.id, &it.session)).or_default().push_back(it);
            }
        }
        let (mut wrong, mut taken_over) = (Vec::new(), 0);
        for (id, sessions) in &history.claims {
            let mut claims = sessions.iter().map(|it| acknowledged.get_mut(&(*id, *it))?.pop_front());
            let mut holder = claims.next().flatten();
            for new in claims {
                taken_over += 1;
                if let (Some(old), Some(new)) = (holder, new)
                    && self.lived(old, new)
                {
                    // All that is known of it: it cannot be had again.
                    let heard =
                        self.heard.get(&old.session).map(|it| it.iter().rev().take(3).collect::<Vec<_>>());
                    let dead = self.dead.get(&old.session);
                    let told = &history.told[*id];
                    wrong.push(format!(
                        "{id} was claimed by {} while {} lived: {old:?}, {new:?}, heard {heard:?}, dead {dead:?}, {told:?}",
                        new.session, old.session
                    ));
                }
                holder = new;
            }
        }
        let forgotten = acknowledged.into_values().flatten();
        wrong.extend(forgotten.map(|it| format!("not in the history: {it:?}")));
        self.taken_over = taken_over;
        self.wrong.extend(wrong);
    }

    /// Holds everything against the list and its history.
    pub(crate) fn check(&mut self, tasks: &Value, events: &Value) {
        let history = History::read(events);
        let there: HashMap<&str, &Value> =
            tasks["tasks"].as_array().expect("tasks").iter().map(|it| (word(it, "id"), it)).collect();
        let mut last: HashMap<&str, &str> = HashMap::new();
        let mut ids: HashSet<&str> = HashSet::new();
        let mut wrong = Vec::new();
        for told in &self.told {
            let kept = match told {
                Told::Created { id, subject } => {
                    ids.insert(id) && there.get(id.as_str()).is_some_and(|it| word(it, "subject") == subject)
                }
                Told::Edited { id, text } => {
                    last.insert(id, text);
                    history.texts.contains(&(id.as_str(), text.as_str()))
                }
                Told::Claimed(_) => true,
                Told::Done { id } => {
                    history.done.get(id.as_str()) == Some(&1)
                        && there.get(id.as_str()).is_some_and(|it| word(it, "status") == "completed")
                }
            };
            if !kept {
                wrong.push(format!("not kept: {told:?}"));
            }
        }
        for (id, text) in last {
            let (old, now) = (number(text), there.get(id).and_then(|it| number(word(it, "description"))));
            if now < old {
                wrong.push(format!("{id} fell back from {text} to {now:?}"));
            }
        }
        self.check_claims(&history);
        self.wrong.extend(wrong);
        self.wrong.extend(history.done.iter().filter(|it| *it.1 > 1).map(|it| format!("done twice: {it:?}")));
    }
}

/// The number at the end of a text.
fn number(text: &str) -> Option<u64> {
    text.rsplit(' ').next()?.parse().ok()
}

fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// What the history says, made easy to ask.
#[derive(Default)]
struct History<'v> {
    texts: HashSet<(&'v str, &'v str)>,
    /// Who claimed a task, one after the other; nobody's name where it became free.
    claims: HashMap<&'v str, Vec<&'v str>>,
    done: HashMap<&'v str, usize>,
    /// What happened to each task, event by event.
    told: HashMap<&'v str, Vec<String>>,
}

impl<'v> History<'v> {
    fn read(events: &'v Value) -> History<'v> {
        let mut history = History::default();
        for event in events["events"].as_array().expect("events") {
            for change in event["changes"].as_array().expect("changes") {
                let id = word(change, "id");
                let fields = &change["fields"];
                let (seq, at, verb) = (&event["seq"], &event["at"], word(event, "command"));
                let line = format!("{seq} {at} {verb} by {} {fields}", word(event, "session"));
                history.told.entry(id).or_default().push(line);
                if let Some(text) = fields["description"][1].as_str() {
                    history.texts.insert((id, text));
                }
                // Whoever takes the next one also frees what the dead held: then nobody has it.
                if fields["status"][1] == "pending" {
                    history.claims.entry(id).or_default().push("");
                } else if matches!(verb, "claim" | "next") {
                    history.claims.entry(id).or_default().push(word(event, "session"));
                }
                if fields["status"][1] == "completed" && event["origin"] == "ours" {
                    *history.done.entry(id).or_default() += 1;
                }
            }
        }
        history
    }
}
