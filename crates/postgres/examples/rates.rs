//! How many claims and completions a server does in a second, beside what bare statements do on the same server, in one run.
//! Ratios carry over to other machines; rates do not. `cargo xtask bench team` runs this and works them out.
//!
//!     cargo run --release -p worklist-postgres --example rates [SECONDS [ROUNDS]]
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for the terminal that measures time"
)]

use postgres::{Client, NoTls};
use std::{
    sync::{
        Barrier, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use worklist::{
    Actor, Command, TaskList,
    clock::{Clock, SystemClock},
    rules::{CompleteTask, NextTask},
};
use worklist_postgres::{Address, Admin, Postgres};
use worklist_throwaway::Server;

/// Tasks laid down by the server itself: many, and quickly.
const LAY: &str = "
    WITH made AS (
        INSERT INTO worklist.lists (name, highest) SELECT 'l' || n, $2 FROM generate_series(1, $1) n RETURNING list
    ), headed AS (INSERT INTO worklist.heads (list) SELECT list FROM made)
    INSERT INTO worklist.tasks
        (list, id, rev, entry, blocks, blocked_by, startable, urgency, waits, made, place)
    SELECT list, n::text, n, '{\"task\":{\"id\":\"' || n || '\",\"subject\":\"Task ' || n
        || '\",\"description\":\"' || repeat('some words of a task ', 9)
        || '\",\"status\":\"pending\",\"blocks\":[],\"blockedBy\":[]},\"standing\":{\"fence\":0}}',
        '{}', '{}', true, 1, 0, -1, n
    FROM made, generate_series(1, $2) n";

/// The same work by hand: the same rows locked and written, and nothing else.
const BARE: &str = "
    CREATE TABLE bare_heads (list bigint PRIMARY KEY, seq bigint NOT NULL);
    CREATE TABLE bare_tasks (list bigint, id bigint, status text NOT NULL, fence bigint NOT NULL, body text NOT NULL,
        PRIMARY KEY (list, id)) WITH (fillfactor = 80);
    CREATE INDEX bare_ready ON bare_tasks (list, id) WHERE status = 'pending';
    CREATE TABLE bare_events (list bigint, seq bigint, body text NOT NULL, PRIMARY KEY (list, seq));
    CREATE TABLE bare_touched (list bigint, id bigint, seq bigint, PRIMARY KEY (list, id, seq));
    CREATE TABLE bare_sessions (list bigint, session text, seen timestamptz NOT NULL, PRIMARY KEY (list, session))
        WITH (fillfactor = 70);
    CREATE SEQUENCE bare_tokens;
    INSERT INTO bare_heads VALUES (1, 0);
    INSERT INTO bare_tasks SELECT 1, n, 'pending', 0, repeat('some words of a task ', 18)
        FROM generate_series(1, 60000) n";

fn main() {
    let number =
        |n: usize, usual: u64| std::env::args().nth(n).and_then(|it| it.parse().ok()).unwrap_or(usual);
    let run = Run { time: Duration::from_secs(number(1, 5)), rounds: number(2, 1) };
    let server =
        Server::start(&["shared_buffers = '512MB'", "max_wal_size = '8GB'", "max_connections = 300"]);
    let (one, small) = (prepared(&server, "one", 1, 60_000), prepared(&server, "small", 64, 4_000));
    server.sql("one", BARE);
    server.sql("one", "VACUUM ANALYZE");
    let bare = |workers| run.rate(workers, |n, start| bare_worker(&server, n, start));
    let ours = |place: &Place, workers: usize, lists: usize| {
        run.rate(workers, |n, start| worker(place, n, n % lists + 1, start))
    };
    for workers in [1, 8, 32] {
        run.in_turn(&mut [
            (&format!("bare statements, {workers} at once"), &mut || bare(workers)),
            (&format!("one list, {workers} at once"), &mut || ours(&one, workers, 1)),
        ]);
    }
    run.in_turn(&mut [
        ("64 lists, 64 at once", &mut || ours(&small, 64, 64)),
        ("one list, 64 at once", &mut || ours(&one, 64, 1)),
    ]);
    told(&server, &small, &run);
    let large = prepared(&server, "large", 1_000, 1_000);
    let mut round = 0;
    run.in_turn(&mut [
        ("10,000 tasks in 10 lists, 32 at once", &mut || {
            // A few are soon all done: each time they are laid down anew.
            round += 1;
            ours(&prepared(&server, &format!("few{round}"), 10, 1_000), 32, 10)
        }),
        ("1,000,000 tasks in 1,000 lists, 32 at once", &mut || ours(&large, 32, 1_000)),
    ]);
}

/// A notice beside the transactions, in every one of them, and none.
fn told(server: &Server, place: &Place, run: &Run) {
    server.sql(
        &place.database,
        "ALTER FUNCTION worklist.tell RENAME TO tell_really;
        CREATE FUNCTION worklist.tell(of_list bigint) RETURNS void LANGUAGE sql AS '';
        CREATE FUNCTION public.say() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_notify('worklist_' || new.list, ''); RETURN new; END $$;",
    );
    let after = |statements: &str| {
        server.sql(&place.database, statements);
        run.rate(64, |n, start| worker(place, n, n + 1, start))
    };
    run.in_turn(&mut [
        ("64 lists, 64 at once, no notices", &mut || after("DROP TRIGGER IF EXISTS say ON worklist.events")),
        ("64 lists, 64 at once, notices beside", &mut || {
            let own = "CREATE OR REPLACE FUNCTION worklist.tell(of_list bigint) RETURNS void LANGUAGE sql AS ";
            let rate = after(&format!("{own} 'SELECT worklist.tell_really(of_list)'"));
            server.sql(&place.database, &format!("{own} ''"));
            rate
        }),
        ("64 lists, 64 at once, a notice in every transaction", &mut || {
            after(
                "CREATE TRIGGER say AFTER INSERT ON worklist.events FOR EACH ROW EXECUTE FUNCTION public.say()",
            )
        }),
    ]);
}

/// How long each thing is done, and how often.
struct Run {
    time: Duration,
    rounds: u64,
}

/// Something that is measured: a name, and how to find out its rate.
type Measured<'a> = (&'a str, &'a mut dyn FnMut() -> f64);

impl Run {
    /// Measures things in turn, and says the median of each.
    fn in_turn(&self, things: &mut [Measured<'_>]) {
        let mut rates: Vec<Vec<f64>> = vec![Vec::new(); things.len()];
        for _ in 0..self.rounds {
            for (thing, rates) in things.iter_mut().zip(&mut rates) {
                rates.push((thing.1)());
            }
        }
        for ((name, _), mut rates) in things.iter().zip(rates) {
            rates.sort_unstable_by(f64::total_cmp);
            println!("{:.1} pairs a second: {name}", rates[rates.len() / 2]);
        }
    }

    /// How many pairs a second so many workers make.
    fn rate(&self, workers: usize, work: impl Fn(usize, &Start) -> u64 + Sync) -> f64 {
        let pairs = AtomicU64::new(0);
        let start = Start { all: Barrier::new(workers), began: OnceLock::new(), time: self.time };
        thread::scope(|scope| {
            for n in 0..workers {
                let (pairs, work, start) = (&pairs, &work, &start);
                scope.spawn(move || pairs.fetch_add(work(n, start), Ordering::Relaxed));
            }
        });
        #[expect(clippy::cast_precision_loss, reason = "a rate is not exact")]
        let pairs = pairs.into_inner() as f64;
        pairs / start.began.get().expect("all began").elapsed().as_secs_f64()
    }
}

/// When all workers begin: once each has connected and made a pair, so that connecting and planning is not part of a rate.
struct Start {
    all: Barrier,
    began: OnceLock<Instant>,
    time: Duration,
}

impl Start {
    /// Makes one pair, waits for the others to have made theirs, and then makes pairs for as long as is measured: how many.
    fn counted(&self, mut pair: impl FnMut()) -> u64 {
        pair();
        self.all.wait();
        let until = *self.began.get_or_init(Instant::now) + self.time;
        let mut pairs = 0;
        while Instant::now() < until {
            pair();
            pairs += 1;
        }
        pairs
    }
}

/// A database with lists in it.
struct Place {
    url: String,
    database: String,
}

fn prepared(server: &Server, name: &str, lists: i32, tasks: i32) -> Place {
    server.sql("postgres", &format!("CREATE DATABASE {name}"));
    let url = server.url(name);
    Admin::new(Address::parse(&url, &|_| None).expect("an address")).migrate().expect("tables");
    let lay = LAY.replace("$1", &lists.to_string()).replace("$2", &tasks.to_string());
    server.sql(name, &lay);
    server.sql(name, "SELECT setval('worklist.tokens', 1000000000)");
    server.sql(name, "VACUUM ANALYZE");
    Place { url, database: name.to_owned() }
}

fn worker(place: &Place, n: usize, list: usize, start: &Start) -> u64 {
    let address = Address::parse(&place.url, &|_| None).expect("an address");
    let list: TaskList = Postgres::open(address, &format!("l{list}")).expect("the list").into_list();
    let actor = Actor::new(format!("w{n}"), format!("w{n}-{:016x}", SystemClock.random()));
    let pair = || {
        let next = list.run(&actor, &Command::Next(NextTask::default())).expect("next");
        let Some(id) = next.decision.about.first().cloned() else { panic!("there are too few tasks") };
        let done = CompleteTask { id, token: next.decision.token, force: false };
        list.run(&actor, &Command::Complete(done)).expect("done");
    };
    start.counted(pair)
}

fn bare_worker(server: &Server, n: usize, start: &Start) -> u64 {
    let mut client = Client::connect(&server.url("one"), NoTls).expect("a connection");
    let list = 1_i64;
    let take = client
        .prepare("SELECT id FROM bare_tasks WHERE list = $1 AND status = 'pending' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED")
        .expect("a statement");
    let look = client
        .prepare("SELECT status, fence FROM bare_tasks WHERE list = $1 AND id = $2 FOR UPDATE")
        .expect("a statement");
    let write = client
        .prepare("UPDATE bare_tasks SET status = $3, fence = $4, body = body WHERE list = $1 AND id = $2")
        .expect("a statement");
    let head = client
        .prepare("UPDATE bare_heads SET seq = seq + 1 WHERE list = $1 RETURNING seq")
        .expect("a statement");
    let event = client.prepare("INSERT INTO bare_events VALUES ($1, $2, $3)").expect("a statement");
    let touched = client.prepare("INSERT INTO bare_touched VALUES ($1, $2, $3)").expect("a statement");
    let alive = client
        .prepare("INSERT INTO bare_sessions VALUES ($1, $2, now()) ON CONFLICT (list, session) DO UPDATE SET seen = now()")
        .expect("a statement");
    let (body, session) = ("what happened ".repeat(60), format!("w{n}"));
    let pair = || {
        let mut both = client.transaction().expect("begin");
        let Some(row) = both.query_opt(&take, &[&list]).expect("a task") else {
            panic!("there are too few tasks")
        };
        let id: i64 = row.get(0);
        let fence: i64 = both.query_one("SELECT nextval('bare_tokens')", &[]).expect("a number").get(0);
        both.execute(&write, &[&list, &id, &"in_progress", &fence]).expect("written");
        both.execute(&alive, &[&list, &session]).expect("a sign of life");
        let seq: i64 = both.query_one(&head, &[&list]).expect("a number").get(0);
        both.execute(&event, &[&list, &seq, &body]).expect("told");
        both.execute(&touched, &[&list, &id, &seq]).expect("noted");
        both.commit().expect("commit");
        let mut both = client.transaction().expect("begin");
        both.query_one(&look, &[&list, &id]).expect("the task");
        both.execute(&write, &[&list, &id, &"completed", &fence]).expect("written");
        both.execute(&alive, &[&list, &session]).expect("a sign of life");
        let seq: i64 = both.query_one(&head, &[&list]).expect("a number").get(0);
        both.execute(&event, &[&list, &seq, &body]).expect("told");
        both.execute(&touched, &[&list, &id, &seq]).expect("noted");
        both.commit().expect("commit");
    };
    start.counted(pair)
}
