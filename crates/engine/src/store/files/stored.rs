//! A list in files as a store: what is asked of it, passed on to the parts that know. Not how any of it is done.

use super::{
    Files, Reason, change::Wish, found, late, log, look, past, pin, recover, session, sheet::Sheet,
    view::View,
};
use crate::{
    claim::{Actor, Claim, Entry, Life},
    event::Event,
    id::TaskId,
    rules::{Request, Tasks},
    store::{Decide, Done, Error, History, Listing, Look, Offers, Problem, SessionGuard, Store, Whole},
};
use std::sync::Arc;

impl Store for Files {
    fn transact(&self, request: &Request, command: &str, decide: Decide<'_>) -> Result<Done, Error> {
        self.change(&mut Wish::new(request, command, decide))
    }

    fn read(&self, id: &TaskId) -> Result<Look, Error> {
        self.again()?;
        let log = self.open_log()?;
        let view = View::new(self, log.as_ref(), self.clock.now());
        let entry = view.get(id);
        view.failed()?;
        Ok(Look { entry, problems: view.problems() })
    }

    /// By one look: each by itself would open the list anew.
    fn some(&self, ids: &[TaskId]) -> Result<Vec<Arc<Entry>>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.again()?;
        let log = self.open_log()?;
        let view = View::new(self, log.as_ref(), self.clock.now());
        let entries = ids.iter().filter_map(|id| view.get(id)).collect();
        view.failed()?;
        Ok(entries)
    }

    fn list(&self) -> Result<Listing, Error> {
        let (entries, problems) = self.looked(|sheet| sheet.entries().to_vec())?;
        Ok(Listing { entries, problems })
    }

    fn offers(&self) -> Result<Offers, Error> {
        let ((offers, total), problems) = self.looked(|sheet| (sheet.offers(), sheet.rows.len()))?;
        Ok(Offers { offers, total, problems })
    }

    fn events_after(&self, seq: u64) -> Result<Vec<Event>, Error> {
        self.again()?;
        let events = self.open_log()?.map(|it| it.events_after(seq)).transpose()?.unwrap_or_default();
        Ok(events.into_iter().filter(|it| !it.changes.is_empty()).collect())
    }

    fn seq(&self) -> Result<u64, Error> {
        self.again()?;
        Ok(self.open_log()?.map_or(0, |it| it.mark.seq))
    }

    fn history(&self, id: &TaskId, latest: usize) -> Result<History, Error> {
        self.again()?;
        self.open_log()?.map_or_else(|| Ok(History::default()), |it| past::history(&it, id, latest))
    }

    fn whole(&self) -> Result<Whole, Error> {
        // Looking is allowed where writing is not: then nobody of ours can come between either.
        _ = self.list()?;
        let _lock = if self.fit().is_ok() { self.lock().ok() } else { None };
        found::whole(self)
    }

    fn found(&self, whole: &Whole) -> Result<(), Error> {
        self.fit()?;
        let _lock = self.lock()?;
        found::found(self, whole)
    }

    fn renew(&self, actor: &Actor) -> Result<(), Error> {
        session::stamp(&*self.vfs, &*self.clock, actor, session::Make::Never).map(|_| ())
    }

    fn hold_session(&self, actor: &Actor) -> Result<Option<SessionGuard>, Error> {
        session::hold(&*self.vfs, &*self.clock, &actor.session)
    }

    fn life(&self, claim: &Claim) -> Life {
        // What cannot be read does not make anybody dead.
        session::life(&*self.vfs, &*self.clock, claim).unwrap_or(Life::Running)
    }

    fn wait(&self, milliseconds: u64) -> bool {
        self.watch.wait(&self.path, &*self.clock, milliseconds)
    }
}

impl Files {
    /// Looks at everything, tells the journal what others did, and takes what is wanted of it; with it what could not be read.
    fn looked<T>(&self, take: impl Fn(&Sheet) -> T) -> Result<(T, Vec<Problem>), Error> {
        self.again()?;
        let look = || -> Result<(T, Vec<Problem>, Option<Reason>), Error> {
            let mut log = self.open_log()?;
            // Before they are read: waiting for each of them to become whole would be in vain.
            if log.as_ref().is_some_and(|it| it.rebooted) && recover::at_once(self).is_ok() {
                log = self.open_log()?;
            }
            let (view, taken) = look::taken(self, log.as_ref(), &take);
            view.failed()?;
            let mut problems = view.problems();
            if log.as_ref().is_some_and(|it| it.damaged) {
                let reason = "some of its lines are damaged; the rest counts".to_owned();
                problems.push(Problem { file: log::JOURNAL.to_owned(), reason, served: true });
            }
            let repairs = view.looked_at().iter().any(|it| it.repair.is_some());
            let news = view.looked_at().iter().any(|it| it.is_news());
            let unsettled = log.as_ref().is_some_and(|it| !it.unsettled.is_empty() || it.rebooted);
            let pending = log.is_some() && (unsettled || late::any(self));
            let told = pending || log.is_some() && news;
            if let Some(seen) = view.seen().filter(|_| !pending) {
                seen.remember(self);
            }
            let told = told || self.has_mirror_only() || pin::has_orphans(&*self.vfs);
            let reason = if repairs { Some(Reason::Repair) } else { told.then_some(Reason::News) };
            Ok((taken, problems, reason))
        };
        let (taken, problems, reason) = look()?;
        // Looking is allowed where writing is not: then nobody is told.
        match reason.filter(|_| self.fit().is_ok()) {
            Some(reason) if self.reconcile(reason).is_ok() => {
                let (taken, problems, _) = look()?;
                Ok((taken, problems))
            }
            _ => Ok((taken, problems)),
        }
    }
}
