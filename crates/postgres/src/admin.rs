//! What the owner of a database does: make room for lists, look after it, let others in. Not what agents do.

use crate::{
    address::Address,
    link::Link,
    schema::{self, VERSION},
    wire::Value,
};
use tokio_postgres::types::Type;
use worklist::{Actor, Error, Refusal, time::Time};

/// A database, seen by its owner.
pub struct Admin {
    link: Link,
}

/// How a database is.
#[derive(Debug, Clone)]
pub struct Status {
    /// Where it is.
    pub server: String,
    /// What it runs.
    pub version: String,
    /// Its schema, and the one that this program knows.
    pub schema: (i32, i32),
    /// Who asks.
    pub role: String,
    /// How many lists the role can see.
    pub lists: u64,
    /// How many tasks are in them.
    pub tasks: u64,
    /// How many of them are claimed.
    pub claimed: u64,
    /// How many milliseconds ago the one of them last gave a sign of life that was silent for longest.
    pub oldest: Option<i64>,
    /// How many tasks wait for a person.
    pub parked: u64,
}

/// A list that is kept in a database.
#[derive(Debug, Clone)]
pub struct Kept {
    /// Its name.
    pub name: String,
    /// How many of its tasks are not done.
    pub open: u64,
    /// How many there are.
    pub total: u64,
    /// When it was last changed, or made.
    pub changed: Time,
}

impl Admin {
    /// The way in.
    pub fn new(address: Address) -> Admin {
        Admin { link: Link::new(address) }
    }

    /// Makes the tables, or brings them up to what this program knows: from which schema to which.
    pub fn migrate(&self) -> Result<(i32, i32), Error> {
        let migrated = self.link.with(&mut schema::migrate);
        let (found, now) = migrated.map_err(|it| it.into_error("prepare", &self.link.name))?;
        if found > VERSION {
            return Err(schema::newer(found));
        }
        Ok((found, now))
    }

    /// How it is.
    pub fn status(&self) -> Result<Status, Error> {
        let question = "SELECT current_setting('server_version'), current_user::text, \
            (SELECT count(*) FROM worklist.lists), \
            count(t.id), count(t.session), \
            max(worklist.now_ms() - coalesce(nullif(s.seen, 0), t.since)), \
            count(*) FILTER (WHERE t.entry LIKE '%\"parked\":true%') \
            FROM worklist.tasks t LEFT JOIN worklist.sessions s ON s.list = t.list AND s.session = t.session";
        self.link.steadily("look at", &mut |line| {
            let found = schema::version(line)?;
            let row = line.row(question, &[])?;
            let count = |n: usize| row.get::<_, i64>(n).unsigned_abs();
            Ok(Status {
                server: self.link.name.clone(),
                version: row.get(0),
                schema: (found, VERSION),
                role: row.get(1),
                lists: count(2),
                tasks: count(3),
                claimed: count(4),
                oldest: row.get(5),
                parked: count(6),
            })
        })
    }

    /// The lists that are in it.
    pub fn lists(&self) -> Result<Vec<Kept>, Error> {
        let question = "SELECT l.name, count(t.id), \
            count(t.id) FILTER (WHERE t.entry NOT LIKE '%\"status\":\"completed\"%'), \
            (extract(epoch FROM l.made) * 1000)::bigint, \
            (SELECT e.body FROM worklist.events e WHERE e.list = l.list ORDER BY e.seq DESC LIMIT 1) \
            FROM worklist.lists l LEFT JOIN worklist.tasks t ON t.list = l.list GROUP BY l.list ORDER BY l.name";
        let rows = self.link.steadily("look at", &mut |line| line.rows(question, &[]))?;
        let kept = |row: &tokio_postgres::Row| {
            let last = row.get::<_, Option<&str>>(4).and_then(|it| crate::code::event(0, it).ok());
            Kept {
                name: row.get(0),
                total: row.get::<_, i64>(1).unsigned_abs(),
                open: row.get::<_, i64>(2).unsigned_abs(),
                changed: last.map_or_else(|| Time(row.get(3)), |it| it.at),
            }
        };
        Ok(rows.iter().map(kept).collect())
    }

    /// Lets a role use lists: these, or every one if none is named. It can do nothing else.
    pub fn grant(&self, role: &str, lists: &[String]) -> Result<(), Error> {
        if !Actor::is_name(role) || lists.iter().any(|it| !Actor::is_name(it)) {
            return Err(Refusal::invalid("role", "needs a name of one line, and not a long one").into());
        }
        let every = ["*".to_owned()];
        let lists = if lists.is_empty() { &every[..] } else { lists };
        let granted = self.link.steadily("change", &mut |line| {
            line.together(&mut |line| {
                // Names cannot be values here; the server itself quotes them.
                let question = "SELECT format('GRANT USAGE ON SCHEMA worklist TO %1$I; \
                    GRANT SELECT ON worklist.migrations, worklist.access, worklist.up TO %1$I; \
                    GRANT SELECT, INSERT ON worklist.lists, worklist.heads, worklist.tasks, worklist.events, \
                        worklist.touched, worklist.sessions, worklist.told TO %1$I; \
                    GRANT UPDATE (highest, recount, told_from, told_plans, told_cut) ON worklist.lists TO %1$I; \
                    GRANT UPDATE ON worklist.heads, worklist.tasks, worklist.sessions, worklist.told TO %1$I; \
                    GRANT DELETE ON worklist.tasks TO %1$I; \
                    GRANT USAGE ON SEQUENCE worklist.tokens TO %1$I; \
                    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA worklist TO %1$I; \
                    ALTER ROLE %1$I SET statement_timeout = ''5s''; \
                    ALTER ROLE %1$I SET lock_timeout = ''2s''; \
                    ALTER ROLE %1$I SET idle_in_transaction_session_timeout = ''30s''; \
                    ALTER ROLE %1$I SET plan_cache_mode = ''force_generic_plan''; \
                    ALTER ROLE %1$I SET enable_seqscan = ''off''; \
                    ALTER ROLE %1$I SET jit = ''off''', $1)";
                let statements: String = line.row(question, &[(&role, Type::TEXT)])?.get(0);
                line.run(&statements)?;
                let values: [Value<'_>; 2] = [(&role, Type::TEXT), (&lists, Type::TEXT_ARRAY)];
                line.rows(
                    "INSERT INTO worklist.access (role, list) \
                     SELECT $1::text::name, one FROM unnest($2::text[]) AS one ON CONFLICT DO NOTHING",
                    &values,
                )
            })
        });
        granted.map(|_| ())
    }
}
