//! The one door to a list: open it, look, run commands, follow what happens. Every surface comes in here.

mod wait;

pub use wait::{GoesOn, Watch};

use crate::{
    claim::{Actor, Entry},
    clock::{Clock, SystemClock},
    event::Event,
    format::{Format, named},
    hooks::{Hooks, Moment, Notice, moments},
    id::TaskId,
    rules::{self, Around, Command, Decision, Refusal, Request},
    store::{
        Done, Error, History, Problem, SessionGuard, Store, Whole,
        files::{
            Files,
            doctor::{Examination, Finding, Mended, Progress, Unmended},
        },
        memory::Memory,
    },
    time::Time,
    vfs::{Disk, missing},
    view::{Board, Ready, TaskView},
};
use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
};

/// A list of tasks, wherever it is kept.
pub struct TaskList {
    store: Arc<dyn Store>,
    files: Option<Arc<Files>>,
    clock: Arc<dyn Clock>,
    lenient: bool,
    hooks: Option<Arc<dyn Hooks>>,
}

/// How to open a list that is kept in files.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The format to expect, or to use for a folder without tasks.
    pub format: Option<String>,
    /// Whether a symbolic link in the folder's place may be followed if it is the user's own.
    pub follow_link: bool,
    /// How long to wait for locks, in milliseconds.
    pub wait_ms: Option<u64>,
    /// Where to keep a second name of the journal.
    pub mirror: Option<PathBuf>,
    /// Whether blocked tasks may be started and completed.
    pub lenient: bool,
}

/// What came of a command.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The tasks that it was about, as they are now.
    pub tasks: Vec<TaskView>,
    /// What was decided.
    pub decision: Decision,
    /// The event, if anything changed.
    pub event: Option<Event>,
    /// The tasks that it freed.
    pub freed: Vec<TaskView>,
    /// What could not be read on the way.
    pub problems: Vec<Problem>,
}

impl TaskList {
    /// Opens a list in a folder that exists.
    pub fn open(folder: &Path, options: &Options) -> Result<TaskList, Error> {
        let format = options.format.as_deref().map(format_named).transpose()?;
        let disk = missing(Disk::open(folder, options.follow_link));
        let disk = disk.map_err(Error::io("open", &folder.display().to_string()))?;
        let disk = disk.ok_or_else(|| Error::NoList { path: folder.to_owned() })?;
        let clock = Arc::new(SystemClock);
        let mut files = Files::open(Arc::new(disk), clock.clone(), folder, format)?;
        if let Some(wait) = options.wait_ms {
            files = files.waiting(wait);
        }
        if let Some(mirror) = &options.mirror {
            files = files.mirrored(mirror.clone());
        }
        Ok(TaskList { lenient: options.lenient, ..TaskList::of_files(files, clock) })
    }

    /// Makes the folder if need be, opens it, and fixes its format.
    pub fn create(folder: &Path, options: &Options) -> Result<TaskList, Error> {
        Disk::make(folder).map_err(Error::io("make", &folder.display().to_string()))?;
        let list = TaskList::open(folder, options)?;
        if let Some(files) = &list.files {
            files.start()?;
        }
        Ok(list)
    }

    /// A list that lives as long as this process.
    pub fn in_memory() -> TaskList {
        let clock = Arc::new(SystemClock);
        TaskList::of_store(Arc::new(Memory::new(clock.clone())), clock)
    }

    /// A list in any store.
    pub fn of_store(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> TaskList {
        TaskList { store, files: None, clock, lenient: false, hooks: None }
    }

    /// A list in files on any disk.
    pub fn of_files(files: Files, clock: Arc<dyn Clock>) -> TaskList {
        let files = Arc::new(files);
        TaskList { store: files.clone(), files: Some(files), clock, lenient: false, hooks: None }
    }

    /// The same, with or without leave to start and complete blocked tasks.
    #[must_use]
    pub fn leniently(self, lenient: bool) -> TaskList {
        TaskList { lenient, ..self }
    }

    /// The same, with somebody who wants to know what happens.
    #[must_use]
    pub fn hooked(self, hooks: Arc<dyn Hooks>) -> TaskList {
        TaskList { hooks: Some(hooks), ..self }
    }

    /// The time that the list goes by.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// The format, if the list is kept in files.
    pub fn format(&self) -> Option<&'static dyn Format> {
        self.files.as_ref().map(|it| it.format())
    }

    /// Runs one command for somebody: decided and written in one step, or refused.
    pub fn run(&self, actor: &Actor, command: &Command) -> Result<Outcome, Error> {
        self.ask_hooks(actor, command)?;
        let request = self.request(actor);
        let done = self
            .store
            .transact(&request, command.name(), &mut |tasks| rules::decide(tasks, command, &request))?;
        let outcome = self.outcome(done);
        self.tell_hooks(actor, &outcome);
        Ok(outcome)
    }

    /// What came of it. It is done by now: what cannot be looked at any more does not make it a failure.
    fn outcome(&self, done: Done) -> Outcome {
        let Done { mut decision, event, about, mut problems } = done;
        let Around { freed, mut waits } = std::mem::take(&mut decision.around);
        let unseen = about.iter().filter(|it| !waits.contains_key(&it.task.id)).map(|it| &**it).collect();
        match self.waits(unseen) {
            Ok(more) => waits.extend(more),
            Err(error) => {
                let reason =
                    format!("the change is made, but what follows from it could not be read: {error}");
                problems.push(Problem { file: "the list".to_owned(), reason, served: false });
            }
        }
        let view = |entry: Arc<Entry>| match waits.get(&entry.task.id) {
            Some(open) => TaskView::of(&*self.store, entry, open.clone()),
            // Nothing is known to be done, so everything counts as awaited.
            None => TaskView::unsure(&*self.store, entry),
        };
        let tasks = about.into_iter().map(view).collect();
        let freed = freed.into_iter().map(|it| TaskView::of(&*self.store, it, Vec::new()));
        Outcome { tasks, decision, event, freed: freed.collect(), problems }
    }

    /// What a command would do now. Nothing is written.
    pub fn rehearse(&self, actor: &Actor, command: &Command) -> Result<Decision, Error> {
        let request = self.request(actor);
        let mut decided = Decision::default();
        self.store.transact(&request, command.name(), &mut |tasks| {
            decided = rules::decide(tasks, command, &request)?;
            // What others wrote is noticed all the same; whose it is must not be lost by it.
            Ok(Decision { adopted: decided.adopted.clone(), ..Decision::default() })
        })?;
        Ok(decided)
    }

    fn request(&self, actor: &Actor) -> Request {
        Request { actor: actor.clone(), now: self.clock.now(), lenient: self.lenient }
    }

    /// Lets hooks have their say on what a command would make or complete. It is decided again under the lock.
    fn ask_hooks(&self, actor: &Actor, command: &Command) -> Result<(), Error> {
        let Some(hooks) = self.hooks.as_ref().filter(|it| it.asks_before()) else { return Ok(()) };
        let decided = self.rehearse(actor, command)?;
        for (moment, id, task) in moments(&decided.changes) {
            if !matches!(moment, Moment::Created | Moment::Completed) {
                continue;
            }
            let notice = Notice { moment, task: task.clone(), actor: actor.clone(), seq: None };
            let denied = |reason| Refusal::Denied { id: id.clone(), moment: moment.name(), reason };
            hooks.before(&notice).map_err(denied)?;
        }
        Ok(())
    }

    fn tell_hooks(&self, actor: &Actor, outcome: &Outcome) {
        let (Some(hooks), Some(event)) = (&self.hooks, &outcome.event) else { return };
        let freed = outcome.freed.iter().map(|it| (Moment::Unblocked, &*it.task));
        let changed = moments(&event.changes).into_iter().map(|(moment, _, task)| (moment, task));
        for (moment, task) in changed.chain(freed) {
            let (task, actor) = (task.clone(), actor.clone());
            hooks.after(&Notice { moment, task, actor, seq: Some(event.seq) });
        }
    }

    /// All tasks.
    pub fn board(&self) -> Result<Board, Error> {
        Ok(Board::of(&*self.store, self.store.list()?))
    }

    /// What can be started now, in the order in which it would be taken: what [`Board::ready`] says, without the rest.
    pub fn ready(&self) -> Result<Ready, Error> {
        Ok(Ready::of(&*self.store, self.store.offers()?))
    }

    /// One task.
    pub fn show(&self, id: &TaskId) -> Result<Option<TaskView>, Error> {
        let look = self.store.read(id)?;
        let Some(entry) = look.entry else { return Ok(None) };
        let open = self.waits(vec![&entry])?.remove(id).unwrap_or_default();
        let view = TaskView::of(&*self.store, entry, open);
        Ok(Some(TaskView { problems: look.problems, ..view }))
    }

    /// What each of some tasks still waits for.
    fn waits(&self, entries: Vec<&Entry>) -> Result<HashMap<TaskId, Vec<TaskId>>, Error> {
        let known: HashMap<&TaskId, bool> =
            entries.iter().map(|it| (&it.task.id, it.task.is_open())).collect();
        let blockers = entries.iter().flat_map(|it| &it.task.blocked_by);
        let mut done = self.done(blockers.clone().filter(|it| !known.contains_key(it)).collect())?;
        done.extend(blockers.filter(|it| known.get(it) == Some(&false)).cloned());
        let open = |it: &Entry| it.task.blocked_by.iter().filter(|it| !done.contains(*it)).cloned().collect();
        Ok(entries.into_iter().map(|it| (it.task.id.clone(), open(it))).collect())
    }

    /// Which of some tasks are there and done. Many are asked for all at once: each by itself costs more than a look
    /// at everything.
    fn done(&self, ids: HashSet<&TaskId>) -> Result<HashSet<TaskId>, Error> {
        let mut done = HashSet::new();
        if ids.len() > FEW {
            let all = self.store.list()?.entries;
            done.extend(all.iter().map(|it| &it.task).filter(|it| !it.is_open()).map(|it| it.id.clone()));
            return Ok(done);
        }
        let ids: Vec<TaskId> = ids.into_iter().cloned().collect();
        let some = self.store.some(&ids)?;
        done.extend(some.iter().filter(|it| !it.task.is_open()).map(|it| it.task.id.clone()));
        Ok(done)
    }

    /// The events after a number, in their order.
    pub fn events_after(&self, seq: u64) -> Result<Vec<Event>, Error> {
        self.store.events_after(seq)
    }

    /// The number of the last event.
    pub fn seq(&self) -> Result<u64, Error> {
        self.store.seq()
    }

    /// How a task came to be what it is, with so many of its latest changes.
    pub fn history(&self, id: &TaskId, latest: usize) -> Result<History, Error> {
        self.store.history(id, latest)
    }

    /// Takes back an event, by whomever it was made.
    pub fn undo(&self, actor: &Actor, seq: u64) -> Result<Outcome, Error> {
        let events = self.store.events_after(seq.saturating_sub(1))?;
        let event = events.into_iter().find(|it| it.seq == seq).ok_or(Error::NoEvent { seq })?;
        self.run(actor, &Command::Undo(Box::new(event)))
    }

    /// Everything that the list knows.
    pub fn whole(&self) -> Result<Whole, Error> {
        self.store.whole()
    }

    /// Lays a list down, history included, where there is neither a task nor a past yet.
    pub fn found(&self, whole: &Whole) -> Result<(), Error> {
        self.store.found(whole)
    }

    /// Does something with everything that the list knows, while nobody of ours can change it. Only for lists in files.
    pub fn exclusively<T>(&self, act: &mut dyn FnMut(&Whole) -> Result<T, Error>) -> Result<T, Error> {
        match &self.files {
            Some(files) => files.exclusively(act),
            None => act(&self.store.whole()?),
        }
    }

    /// A sign of life: every command of a session renews its leases, also one that only looks.
    pub fn renew(&self, actor: &Actor) -> Result<(), Error> {
        self.store.renew(actor)
    }

    /// Makes this process the session: its claims are free soon after it dies, in files at once. None if another
    /// process is it.
    pub fn hold_session(&self, actor: &Actor) -> Result<Option<SessionGuard>, Error> {
        self.store.hold_session(actor)
    }

    /// Makes this process the session of an actor, and if another living process is it, one of its own beside it: two
    /// that share a name must not complete each other's tasks. Who acts from now on, for as long as the guard lives.
    pub fn be(&self, actor: &Actor) -> Result<(Actor, Option<SessionGuard>), Error> {
        if let Some(guard) = self.hold_session(actor)? {
            return Ok((actor.clone(), Some(guard)));
        }
        let beside = format!("{}~{}", actor.session, std::process::id());
        let own = Actor::new(actor.agent.clone(), beside);
        let guard = self.hold_session(&own)?;
        Ok((own, guard))
    }

    /// Looks a folder over, also one whose list cannot be opened because its format is not clear. Writes nothing.
    pub fn examine_folder(
        folder: &Path,
        options: &Options,
        progress: Progress<'_>,
    ) -> Result<Examination, Error> {
        match TaskList::open(folder, options) {
            Ok(list) => list.examine(progress),
            Err(error) => Examination::unclear(&error).ok_or(error),
        }
    }

    /// Looks the list over and writes nothing. A list that is not kept in files has nothing to be found.
    pub fn examine(&self, progress: Progress<'_>) -> Result<Examination, Error> {
        match &self.files {
            Some(files) => files.examine(progress),
            None => Ok(Examination { tasks: self.store.list()?.entries.len(), ..Examination::default() }),
        }
    }

    /// Mends findings of an earlier look, as far as they still are what was shown.
    pub fn mend(&self, actor: &Actor, wanted: &[Finding]) -> Result<Mended, Error> {
        let request = self.request(actor);
        self.files.as_ref().map_or_else(|| Ok(Mended::default()), |it| it.mend(&request, wanted))
    }

    /// Takes back a mend, the last one if no number is given: the very bytes that it replaced, where nobody has
    /// written since. None if there is none.
    pub fn unmend(&self, actor: &Actor, number: Option<u64>) -> Result<Option<Unmended>, Error> {
        let request = self.request(actor);
        self.files.as_ref().map_or(Ok(None), |it| it.unmend(&request, number))
    }
}

/// So many tasks are read one by one.
const FEW: usize = 32;

fn format_named(name: &str) -> Result<&'static dyn Format, Error> {
    named(name).ok_or_else(|| {
        let known: Vec<_> = crate::format::FORMATS.iter().map(|it| it.shape().name).collect();
        let reason = format!("must be one of {}", known.join(", "));
        Refusal::Invalid { field: "format".to_owned(), reason }.into()
    })
}
