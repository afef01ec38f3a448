//! A list in a database as a store: what is asked of it, passed on to the parts that know.

use crate::{
    address::Address,
    attempt,
    clock::ServerClock,
    code,
    commit::Written,
    link::Link,
    listen::Ear,
    schema::{self, VERSION},
    sessions::{self, Pulse, Sign},
    view::Scope,
    whole,
    wire::Value,
};
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio_postgres::{Row, types::Type};
use worklist::{
    Error, History, SessionGuard, TaskId, TaskList, Whole,
    claim::{Actor, Claim, Entry, Life},
    clock::{Clock, SystemClock},
    event::Event,
    rules::Request,
    store::{Decide, Done, Listing, Look, Store},
};

/// So long after two chose the same, everybody is thought to have company.
const COMPANY_MS: u64 = 10_000;

/// What was heard of a session is believed for so long where it is only shown.
const FRESH_MS: u64 = 1_000;

/// A list in a database.
pub struct Postgres {
    pub(crate) link: Arc<Link>,
    pub(crate) list: i64,
    pub(crate) name: String,
    ahead: i64,
    pulse: Arc<Pulse>,
    ear: Ear,
    signs: Mutex<HashMap<String, (Sign, u64)>>,
    /// Until when many are thought to choose at once.
    company: AtomicU64,
}

impl Postgres {
    /// Opens a list that is there.
    pub fn open(address: Address, name: &str) -> Result<Postgres, Error> {
        let link = Arc::new(Link::new(address));
        let (list, ahead) = greet(&link, name)?;
        let list =
            list.ok_or_else(|| Error::NoList { path: PathBuf::from(format!("{}#{name}", link.name)) })?;
        Ok(Postgres::at(link, list, name, ahead))
    }

    /// Opens a list, and makes it where there is none.
    pub fn create(address: Address, name: &str) -> Result<Postgres, Error> {
        let link = Arc::new(Link::new(address));
        if !Actor::is_name(name) {
            return Err(
                worklist::Refusal::invalid("list", "needs a name of one line, and not a long one").into()
            );
        }
        let (list, ahead) = greet(&link, name)?;
        let list = match list {
            Some(list) => list,
            None => {
                link.steadily("make a list in", &mut |line| {
                    line.rows("INSERT INTO worklist.lists (name) VALUES ($1) ON CONFLICT DO NOTHING", &[(&name, Type::TEXT)])?;
                    line.rows(
                        "INSERT INTO worklist.heads (list) SELECT list FROM worklist.lists WHERE name = $1 ON CONFLICT DO NOTHING",
                        &[(&name, Type::TEXT)],
                    )?;
                    let row = line.row("SELECT list FROM worklist.lists WHERE name = $1", &[(&name, Type::TEXT)])?;
                    Ok(row.get::<_, i64>(0))
                })?
            }
        };
        Ok(Postgres::at(link, list, name, ahead))
    }

    fn at(link: Arc<Link>, list: i64, name: &str, ahead: i64) -> Postgres {
        let ear = Ear::new(link.clone(), list);
        let name = name.to_owned();
        Postgres {
            link,
            list,
            name,
            ahead,
            pulse: Arc::default(),
            ear,
            signs: Mutex::default(),
            company: AtomicU64::new(0),
        }
    }

    /// The door to it.
    pub fn into_list(self) -> TaskList {
        let clock = self.clock();
        TaskList::of_store(Arc::new(self), clock)
    }

    /// The server's time of day.
    pub fn clock(&self) -> Arc<dyn Clock> {
        Arc::new(ServerClock { ahead: self.ahead })
    }

    /// Remembers for a moment what was heard of sessions.
    pub(crate) fn note_signs(&self, signs: HashMap<String, Sign>) {
        let now = SystemClock.ticks();
        let mut known = self.signs.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, (_, at)| now.saturating_sub(*at) < FRESH_MS);
        known.extend(signs.into_iter().map(|(session, sign)| (session, (sign, now))));
    }

    /// Something was written: whoever listens is told.
    pub(crate) fn tell_others(&self, actor: &Actor, written: Option<Written>) {
        match written {
            Some(written) => self.note_signs(HashMap::from([(actor.session.clone(), written.sign)])),
            None => _ = self.signs.lock().unwrap_or_else(PoisonError::into_inner).remove(&actor.session),
        }
        if written.is_none_or(|it| it.is_due) {
            self.ear.tell();
        }
    }

    /// What a verb is about, and whether many are about the same.
    pub(crate) fn scope_of(&self, command: &str) -> Scope {
        match Scope::of(command) {
            Scope::Next if SystemClock.ticks() < self.company.load(Ordering::Relaxed) => Scope::NextApart,
            scope => scope,
        }
    }

    /// Somebody else chose the same at the same time: for a while they are kept apart.
    pub(crate) fn note_company(&self) {
        self.company.store(SystemClock.ticks() + COMPANY_MS, Ordering::Relaxed);
    }

    fn looked_at(&self, question: &str, values: &[Value<'_>]) -> Result<Vec<Arc<Entry>>, Error> {
        let rows = self.link.steadily("read", &mut |line| line.rows(question, values))?;
        let mut signs = HashMap::new();
        let entry = |row: &Row| -> Result<Arc<Entry>, Error> {
            let entry = code::entry(row.get(0), row.get(2))?;
            if let Some(claim) = &entry.standing.claim {
                signs.insert(claim.by.session.clone(), Sign::of_row(row, 3));
            }
            Ok(Arc::new(entry))
        };
        let entries = rows.iter().map(entry).collect();
        self.note_signs(signs);
        entries
    }

    fn events(&self, question: &str, values: &[Value<'_>]) -> Result<Vec<Event>, Error> {
        let rows = self.link.steadily("read", &mut |line| line.rows(question, values))?;
        rows.iter().map(|it| code::event(it.get(0), it.get(1))).collect()
    }
}

/// Sees whether this server and this program fit, whether the list is there, and how late it is.
fn greet(link: &Link, name: &str) -> Result<(Option<i64>, i64), Error> {
    let question = "SELECT current_setting('server_version_num')::int4, current_setting('synchronous_commit'), \
        (SELECT coalesce(max(number), 0) FROM worklist.migrations), \
        (SELECT list FROM worklist.lists WHERE name = $1), worklist.now_ms()";
    let server = || link.name.clone();
    let row = link.first("open", &mut |line| line.row(question, &[(&name, Type::TEXT)]))?;
    let refused = |reason: &str| Error::Server {
        action: "use",
        server: server(),
        reason: reason.to_owned(),
        away: false,
    };
    if row.get::<_, i32>(0) < 140_000 {
        return Err(refused("it is older than PostgreSQL 14"));
    }
    if row.get::<_, &str>(1) == "off" {
        return Err(refused("its synchronous_commit is off: what it answers could be lost with the power"));
    }
    match row.get::<_, i32>(2) {
        found if found < VERSION => Err(Error::Older { server: server(), found, needed: VERSION }),
        found if found > VERSION => Err(schema::newer(found)),
        _ => Ok((row.get(3), row.get::<_, i64>(4) - SystemClock.now().0)),
    }
}

impl Store for Postgres {
    fn transact(&self, request: &Request, command: &str, decide: Decide<'_>) -> Result<Done, Error> {
        attempt::transact(self, request, command, decide)
    }

    fn read(&self, id: &TaskId) -> Result<Look, Error> {
        let entry = self.some(std::slice::from_ref(id))?.pop();
        Ok(Look { entry, problems: Vec::new() })
    }

    fn some(&self, ids: &[TaskId]) -> Result<Vec<Arc<Entry>>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let wanted: Vec<&str> = ids.iter().map(TaskId::as_str).collect();
        let question = "SELECT * FROM worklist.look($1, $2, false, false)";
        let entries = self.looked_at(question, &[(&self.list, Type::INT8), (&wanted, Type::TEXT_ARRAY)])?;
        let mut found: HashMap<TaskId, Arc<Entry>> =
            entries.into_iter().map(|it| (it.task.id.clone(), it)).collect();
        Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
    }

    fn list(&self) -> Result<Listing, Error> {
        let question = "SELECT * FROM worklist.look_at_all($1)";
        let entries = self.looked_at(question, &[(&self.list, Type::INT8)])?;
        Ok(Listing { entries, problems: Vec::new() })
    }

    fn events_after(&self, seq: u64) -> Result<Vec<Event>, Error> {
        let seq = i64::try_from(seq).unwrap_or(i64::MAX);
        let question = "SELECT seq, body FROM worklist.events WHERE list = $1 AND seq > $2 ORDER BY seq";
        self.events(question, &[(&self.list, Type::INT8), (&seq, Type::INT8)])
    }

    fn seq(&self) -> Result<u64, Error> {
        let question = "SELECT seq FROM worklist.heads WHERE list = $1";
        let row = self.link.steadily("read", &mut |line| line.row(question, &[(&self.list, Type::INT8)]))?;
        Ok(row.get::<_, i64>(0).unsigned_abs())
    }

    fn history(&self, id: &TaskId, latest: usize) -> Result<History, Error> {
        let id_text = id.as_str();
        let many = i64::try_from(latest).unwrap_or(i64::MAX);
        let own = "FROM worklist.touched t JOIN worklist.events e ON e.list = t.list AND e.seq = t.seq \
            WHERE t.list = $1 AND t.id = $2";
        let values: [Value<'_>; 2] = [(&self.list, Type::INT8), (&id_text, Type::TEXT)];
        let count = "SELECT count(*), min(seq) FROM worklist.touched WHERE list = $1 AND id = $2";
        let row = self.link.steadily("read", &mut |line| line.row(count, &values))?;
        let changes = row.get::<_, i64>(0).unsigned_abs();
        let Some(first) = row.get::<_, Option<i64>>(1) else { return Ok(History::default()) };
        let question = format!("SELECT e.seq, e.body {own} ORDER BY e.seq DESC LIMIT $3");
        let mut events =
            self.events(&question, &[(&self.list, Type::INT8), (&id_text, Type::TEXT), (&many, Type::INT8)])?;
        events.reverse();
        let question = "SELECT seq, body FROM worklist.events WHERE list = $1 AND seq = $2";
        let first = self.events(question, &[(&self.list, Type::INT8), (&first, Type::INT8)])?;
        let first = first.first().map(|it| it.at);
        Ok(History { changes, first, ..History::of(events, id, latest) })
    }

    fn whole(&self) -> Result<Whole, Error> {
        whole::whole(self)
    }

    fn found(&self, whole: &Whole) -> Result<(), Error> {
        whole::found(self, whole)
    }

    fn renew(&self, actor: &Actor) -> Result<(), Error> {
        let values: [Value<'_>; 3] =
            [(&self.list, Type::INT8), (&actor.session, Type::TEXT), (&actor.agent, Type::TEXT)];
        self.link.steadily("use", &mut |line| line.rows("SELECT worklist.renew($1, $2, $3)", &values))?;
        self.signs.lock().unwrap_or_else(PoisonError::into_inner).remove(&actor.session);
        Ok(())
    }

    fn hold_session(&self, actor: &Actor) -> Result<Option<SessionGuard>, Error> {
        sessions::hold(&self.link, &self.pulse, self.list, actor)
    }

    fn life(&self, claim: &Claim) -> Life {
        let now = SystemClock.ticks();
        let known = self.signs.lock().unwrap_or_else(PoisonError::into_inner).get(&claim.by.session).copied();
        if let Some((sign, _)) = known.filter(|(_, at)| now.saturating_sub(*at) < FRESH_MS) {
            return sign.life(claim);
        }
        let session = claim.by.session.as_str();
        let sign = self.link.steadily("read", &mut |line| Sign::ask(line, self.list, session));
        // What cannot be asked does not make anybody dead.
        let sign = sign.unwrap_or(Sign::UNKNOWN);
        self.note_signs(HashMap::from([(session.to_owned(), sign)]));
        sign.life(claim)
    }

    fn wait(&self, milliseconds: u64) -> bool {
        self.ear.wait(milliseconds)
    }
}
