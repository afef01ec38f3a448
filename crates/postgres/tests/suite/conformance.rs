//! The cases that every store passes, with a clock that the cases set: the server is told what time it is. Whoever asks is a
//! role that was let in, and not the owner of everything.

use crate::place::{address, server};
use std::sync::{Arc, Mutex, Once};
use worklist::{
    Error, History, SessionGuard, TaskId, Whole,
    claim::{Actor, Claim, Entry, Life},
    clock::Clock,
    conformance::Setup,
    event::Event,
    rules::Request,
    store::{Decide, Done, Listing, Look, Store},
    vfs::sim::SimClock,
};
use worklist_postgres::{Admin, Postgres};

/// What tells the server the time.
const TOLD: &str = "
    CREATE TABLE public.clock (now bigint);
    INSERT INTO public.clock VALUES (0);
    CREATE OR REPLACE FUNCTION worklist.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT now FROM public.clock';
    CREATE OR REPLACE FUNCTION worklist.started_ms() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT 0::bigint'";

/// The role that asks.
fn role() -> &'static str {
    static MADE: Once = Once::new();
    MADE.call_once(|| _ = server().sql("postgres", "CREATE ROLE conformant LOGIN"));
    "conformant"
}

fn setup() -> Setup {
    let name = server().database(Some("prepared"));
    server().sql(&name, TOLD);
    let clock = SimClock::patient(4);
    let asks = address(server(), &name).for_user(role());
    Admin::new(address(server(), &name)).grant(role(), &["list".to_owned()]).expect("let in");
    server().sql(&name, &format!("GRANT SELECT ON public.clock TO {}", role()));
    Postgres::create(asks.clone(), "list").expect("a list");
    let teller = postgres::Client::connect(&server().url(&name), postgres::NoTls).expect("a connection");
    let teller = Arc::new(Mutex::new(teller));
    let its = clock.clone();
    let open = move || -> Arc<dyn Store> {
        let store = Postgres::open(asks.clone(), "list").expect("the list");
        Arc::new(Timed { store, clock: its.clone(), teller: teller.clone() })
    };
    Setup { open: Box::new(open), clock, keep: Box::new(()) }
}

worklist::conformance!(in_postgres, setup());

/// A store whose server goes by the clock of the case.
struct Timed {
    store: Postgres,
    clock: SimClock,
    teller: Arc<Mutex<postgres::Client>>,
}

impl Timed {
    /// Time passes for the server as for everybody; setting a client's clock does not set the server's.
    fn told(&self) -> &Postgres {
        let now = 1_770_000_000_000 + i64::try_from(self.clock.ticks()).expect("a time");
        let mut teller = self.teller.lock().expect("nobody panicked");
        teller.execute("UPDATE public.clock SET now = $1", &[&now]).expect("told");
        &self.store
    }
}

impl Store for Timed {
    fn transact(&self, request: &Request, command: &str, decide: Decide<'_>) -> Result<Done, Error> {
        self.told().transact(request, command, decide)
    }
    fn read(&self, id: &TaskId) -> Result<Look, Error> {
        self.told().read(id)
    }
    fn some(&self, ids: &[TaskId]) -> Result<Vec<Arc<Entry>>, Error> {
        self.told().some(ids)
    }
    fn list(&self) -> Result<Listing, Error> {
        self.told().list()
    }
    fn events_after(&self, seq: u64) -> Result<Vec<Event>, Error> {
        self.told().events_after(seq)
    }
    fn seq(&self) -> Result<u64, Error> {
        self.told().seq()
    }
    fn history(&self, id: &TaskId, latest: usize) -> Result<History, Error> {
        self.told().history(id, latest)
    }
    fn whole(&self) -> Result<Whole, Error> {
        self.told().whole()
    }
    fn found(&self, whole: &Whole) -> Result<(), Error> {
        self.told().found(whole)
    }
    fn renew(&self, actor: &Actor) -> Result<(), Error> {
        self.told().renew(actor)
    }
    fn hold_session(&self, actor: &Actor) -> Result<Option<SessionGuard>, Error> {
        self.told().hold_session(actor)
    }
    fn life(&self, claim: &Claim) -> Life {
        self.told().life(claim)
    }
    fn wait(&self, milliseconds: u64) -> bool {
        self.told().wait(milliseconds)
    }
}
