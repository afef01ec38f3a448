//! Who has what: claims, tokens, leases.

use super::{Setup, add, ann, bob, claim, complete, refusal, release, task};
use crate::{
    claim::{Actor, DEFAULT_LEASE, Evidence},
    id::TaskId,
    rules::{ClaimTask, Command, Conclusion, Edit, Failing, Holder, NewTask, NextTask, Refusal},
    task::{Priority, Status},
};

const LEASE: u64 = DEFAULT_LEASE.unsigned_abs();

/// A claimed task is refused to others, with the name of who has it.
pub fn one_claim_at_a_time(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "task", &[]);
    claim(&list, &ann(), &id).unwrap();
    let it = task(&list, &id);
    assert_eq!((it.status, it.owner.as_deref()), (Status::InProgress, Some("ann")));
    match refusal(claim(&setup.list(), &bob(), &id)) {
        Refusal::AlreadyClaimed { by, mine: false, until: Some(_), .. } => {
            assert_eq!(by.as_deref(), Some("ann"));
        }
        other => panic!("{other:?}"),
    }
    let namesake = Actor::new("ann", "another session");
    assert_eq!(refusal(claim(&list, &namesake, &id)).code(), "already_claimed");
    let stale = Refusal::StaleToken { id: id.clone(), holder: Some("ann".into()) };
    assert_eq!(refusal(complete(&list, &bob(), &id, None)), stale);
    assert_eq!(refusal(release(&list, &bob(), &id)), stale);
    release(&list, &ann(), &id).unwrap();
    claim(&list, &bob(), &id).unwrap();
}

/// The session that has it is refused, too, and told that it has it; asking to go on gives the same number.
pub fn the_same_session_is_told_so(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "task", &[]);
    let token = claim(&list, &ann(), &id).unwrap().decision.token;
    assert!(matches!(refusal(claim(&list, &ann(), &id)), Refusal::AlreadyClaimed { mine: true, .. }));
    let resume = ClaimTask { resume: true, ..ClaimTask::of(id.clone()) };
    assert_eq!(list.run(&ann(), &Command::Claim(resume.clone())).unwrap().decision.token, token);
    let longer = ClaimTask { lease: Some(7_200_000), ..resume.clone() };
    let longer = list.run(&ann(), &Command::Claim(longer)).unwrap();
    assert_eq!((longer.decision.token, longer.tasks[0].claim.as_ref().unwrap().lease), (token, 7_200_000));
    assert_eq!(refusal(list.run(&bob(), &Command::Claim(resume))).code(), "already_claimed");
}

/// A take-over by force gives a new number; the old one can change nothing.
pub fn force_takes_over_and_fences(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "task", &[]);
    let old = claim(&list, &ann(), &id).unwrap().decision.token;
    let force = ClaimTask { force: true, ..ClaimTask::of(id.clone()) };
    let new = list.run(&bob(), &Command::Claim(force)).unwrap().decision.token;
    assert!(new > old);
    let stale = Refusal::StaleToken { id: id.clone(), holder: Some("bob".into()) };
    assert_eq!(refusal(complete(&setup.list(), &ann(), &id, old)), stale);
    assert_eq!(refusal(complete(&list, &ann(), &id, None)), stale);
    complete(&list, &bob(), &id, new).unwrap();
}

/// No number is given twice, whatever becomes of claims.
pub fn tokens_only_rise(setup: &Setup) {
    let list = setup.list();
    let ids = [add(&list, "a", &[]), add(&list, "b", &[])];
    let mut last = 0;
    for n in 0..6 {
        let token = claim(&list, &ann(), &ids[n % 2]).unwrap().decision.token.unwrap();
        assert!(token > last);
        last = token;
        release(&setup.list(), &ann(), &ids[n % 2]).unwrap();
    }
}

/// When nothing is heard of a claimant for longer than its lease, the task can be taken; the old one is fenced out.
pub fn a_lost_lease_comes_back(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "task", &[]);
    let old = claim(&list, &ann(), &id).unwrap().decision.token;
    setup.clock.pass(LEASE - 1);
    assert_eq!(refusal(claim(&list, &bob(), &id)).code(), "already_claimed");
    setup.clock.pass(2);
    let new = claim(&setup.list(), &bob(), &id).unwrap().decision.token;
    assert!(new > old);
    assert_eq!(refusal(complete(&list, &ann(), &id, old)).code(), "stale_token");
    complete(&list, &bob(), &id, None).unwrap();
}

/// Any command of a session keeps its claims; setting the clock does not end them.
pub fn signs_of_life_keep_a_claim(setup: &Setup) {
    let list = setup.list();
    let (id, other) = (add(&list, "task", &[]), add(&list, "other", &[]));
    claim(&list, &ann(), &id).unwrap();
    for _ in 0..3 {
        setup.clock.pass(LEASE - 1);
        list.renew(&ann()).unwrap();
        setup.clock.pass(LEASE - 1);
        list.run(&ann(), &Command::Edit(Edit { description: Some("x".into()), ..Edit::of(other.clone()) }))
            .unwrap();
    }
    setup.clock.jump(3_600_000);
    assert_eq!(refusal(claim(&list, &bob(), &id)).code(), "already_claimed");
    setup.clock.jump(-7_200_000);
    assert_eq!(refusal(claim(&list, &bob(), &id)).code(), "already_claimed");
}

/// After three lost leases a task waits for a person, who can take it or give it back.
pub fn three_losses_park(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "poison", &[]);
    for n in 0..3 {
        let worker = Actor::new("worker", format!("session-{n}"));
        claim(&list, &worker, &id).unwrap();
        setup.clock.pass(LEASE + 1);
        if n == 1 {
            list.run(&bob(), &Command::Reap).unwrap();
        }
    }
    let parked = Refusal::Parked { id: id.clone(), lost: 3, failed: 0 };
    assert_eq!(refusal(claim(&list, &bob(), &id)), parked);
    let next = list.run(&bob(), &Command::Next(NextTask::default())).unwrap();
    assert!(next.tasks.is_empty());
    assert!(setup.list().show(&id).unwrap().unwrap().parked);
    assert_eq!(refusal(claim(&list, &bob(), &id)), parked);
    release(&list, &bob(), &id).unwrap();
    claim(&list, &bob(), &id).unwrap();
}

/// The report on an attempt counts for the claim that stands. What failed often enough waits for a person; what was done
/// has its evidence, which outlives the process and goes when the task is opened again.
pub fn attempts_are_concluded(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "task", &[]);
    let evidence = Evidence { command: "make it".into(), exit: Some(0), milliseconds: 5, commit: None };
    let conclude = |token: u64, failing: Option<&str>| {
        let failure = failing.map(|reason| Failing { reason: reason.to_owned(), most: 2 });
        let (id, evidence) = (id.clone(), evidence.clone());
        list.run(&ann(), &Command::Conclude(Conclusion { id, token, evidence, failure }))
    };
    let mut last = 0;
    for failed in 1..=2 {
        last = claim(&list, &ann(), &id).unwrap().decision.token.unwrap();
        let told = conclude(last, Some("no")).unwrap();
        assert_eq!((told.tasks[0].failed, told.tasks[0].parked), (failed, failed == 2));
        assert_eq!(told.event.unwrap().reason.as_deref(), Some("no"));
    }
    assert_eq!(refusal(claim(&list, &bob(), &id)), Refusal::Parked { id: id.clone(), lost: 0, failed: 2 });
    assert_eq!(refusal(conclude(last, None)).code(), "stale_token");
    release(&list, &bob(), &id).unwrap();
    let token = claim(&list, &ann(), &id).unwrap().decision.token.unwrap();
    assert_eq!(refusal(conclude(last, None)).code(), "stale_token");
    conclude(token, None).unwrap();
    let view = setup.list().show(&id).unwrap().unwrap();
    assert_eq!((view.failed, view.parked, view.evidence.as_deref()), (0, false, Some(&evidence)));
    setup.list().board().unwrap();
    assert_eq!(
        setup.list().show(&id).unwrap().unwrap().evidence,
        Some(Box::new(evidence.clone())),
        "nobody else touched it"
    );
    list.run(&ann(), &Command::Reopen { id: id.clone(), force: false }).unwrap();
    assert_eq!(setup.list().show(&id).unwrap().unwrap().evidence, None);
}

/// A heartbeat needs the claim that stands and can ask for a longer lease.
pub fn a_heartbeat_needs_the_claim(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "task", &[]);
    let beat = |by: &Actor, token, lease| list.run(by, &Command::Heartbeat { id: id.clone(), token, lease });
    assert_eq!(refusal(beat(&ann(), None, None)).code(), "stale_token");
    let token = claim(&list, &ann(), &id).unwrap().decision.token;
    assert_eq!(beat(&ann(), token, None).unwrap().decision.token, token);
    assert_eq!(refusal(beat(&bob(), None, None)).code(), "stale_token");
    assert_eq!(refusal(beat(&ann(), Some(u64::MAX), None)).code(), "stale_token");
    assert_eq!(refusal(beat(&ann(), token, Some(0))).code(), "invalid");
    beat(&ann(), token, Some(DEFAULT_LEASE * 8)).unwrap();
    setup.clock.pass(LEASE * 7);
    assert_eq!(refusal(claim(&setup.list(), &bob(), &id)).code(), "already_claimed");
}

/// Saying "done" again with the same number is fine; anyone else is told that it is done.
pub fn completing_twice_is_once(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "task", &[]);
    let token = claim(&list, &ann(), &id).unwrap().decision.token;
    complete(&list, &ann(), &id, token).unwrap();
    let again = complete(&setup.list(), &ann(), &id, token).unwrap();
    assert!(again.event.is_none());
    let resolved = Refusal::AlreadyResolved { id: id.clone() };
    assert_eq!(refusal(complete(&list, &bob(), &id, None)), resolved);
    assert_eq!(refusal(claim(&list, &bob(), &id)), resolved);
    assert_eq!(refusal(release(&list, &ann(), &id)), resolved);
}

/// Priority first, then how much waits for it, then age.
pub fn next_takes_the_best(setup: &Setup) {
    let list = setup.list();
    let make = |subject: &str, priority, after: &[&TaskId]| {
        setup.clock.pass(1_000);
        let blocked_by = after.iter().map(|it| (*it).clone()).collect();
        let new = NewTask { subject: subject.into(), priority, blocked_by, ..NewTask::default() };
        list.run(&ann(), &Command::Create(new)).unwrap().decision.about[0].clone()
    };
    let old = make("old", None, &[]);
    let low = make("low", Some(Priority::Low), &[]);
    let wide = make("wide", None, &[]);
    let behind = make("behind", Some(Priority::High), &[&wide]);
    let young = make("young", None, &[]);
    let high = make("high", Some(Priority::High), &[]);
    let mut order = Vec::new();
    loop {
        let outcome = setup.list().run(&bob(), &Command::Next(NextTask::default())).unwrap();
        let Some(task) = outcome.tasks.first() else { break };
        assert_eq!((task.task.owner.as_deref(), task.task.status), (Some("bob"), Status::InProgress));
        complete(&list, &bob(), &task.task.id, outcome.decision.token).unwrap();
        order.push(task.task.id.clone());
    }
    assert_eq!(order, [high, wide, behind, old, young, low]);
}

/// `next` takes what a dead worker held.
pub fn next_takes_back_lost_ones(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "task", &[]);
    claim(&list, &ann(), &id).unwrap();
    let next = || setup.list().run(&bob(), &Command::Next(NextTask::default())).unwrap();
    assert!(next().tasks.is_empty());
    setup.clock.pass(LEASE + 1);
    assert_eq!(next().decision.about, [id]);
}

/// Where one task an agent is asked for, a second is refused with the first named.
pub fn one_task_an_agent(setup: &Setup) {
    let list = setup.list();
    let (a, b) = (add(&list, "a", &[]), add(&list, "b", &[]));
    claim(&list, &ann(), &a).unwrap();
    let careful =
        |id: &TaskId| Command::Claim(ClaimTask { one_at_a_time: true, ..ClaimTask::of(id.clone()) });
    let busy = Refusal::AgentBusy { agent: "ann".into(), with: vec![a.clone()] };
    assert_eq!(refusal(list.run(&ann(), &careful(&b))), busy);
    let next = NextTask { one_at_a_time: true, ..NextTask::default() };
    assert_eq!(refusal(list.run(&ann(), &Command::Next(next))), busy);
    complete(&list, &ann(), &a, None).unwrap();
    list.run(&ann(), &careful(&b)).unwrap();
}

/// A shutdown gives everything back that was not finished.
pub fn everything_of_an_agent_is_released(setup: &Setup) {
    let list = setup.list();
    let ids: Vec<TaskId> = (0..4).map(|n| add(&list, &format!("{n}"), &[])).collect();
    let second = Actor::new("ann", "second");
    claim(&list, &ann(), &ids[0]).unwrap();
    claim(&list, &ann(), &ids[1]).unwrap();
    complete(&list, &ann(), &ids[1], None).unwrap();
    claim(&list, &second, &ids[2]).unwrap();
    claim(&list, &bob(), &ids[3]).unwrap();
    let outcome = list.run(&bob(), &Command::ReleaseAll(Holder::Session("second".into()))).unwrap();
    assert_eq!(outcome.decision.about, [ids[2].clone()]);
    claim(&list, &second.within("ann"), &ids[2]).unwrap();
    list.run(&bob(), &Command::ReleaseAll(Holder::Session("secon".into()))).unwrap();
    assert_eq!(task(&list, &ids[2]).status, Status::InProgress, "another session of a similar name");
    list.run(&bob(), &Command::ReleaseAll(Holder::Session("second".into()))).unwrap();
    assert_eq!(task(&list, &ids[2]).status, Status::Pending, "one within the session");
    claim(&list, &second, &ids[2]).unwrap();
    list.run(&bob(), &Command::ReleaseAll(Holder::Agent("ann".into()))).unwrap();
    let list = setup.list();
    for id in [&ids[0], &ids[2]] {
        let it = task(&list, id);
        assert_eq!((it.status, it.owner), (Status::Pending, None));
    }
    assert_eq!(task(&list, &ids[1]).owner.as_deref(), Some("ann"));
    assert_eq!(task(&list, &ids[3]).owner.as_deref(), Some("bob"));
}

/// What others hold is theirs: status and owner need the claim, a wrong number is refused for any change.
pub fn an_edit_needs_the_claim(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "task", &[]);
    let token = claim(&list, &ann(), &id).unwrap().decision.token;
    let edit = |by: &Actor, edit: Edit| list.run(by, &Command::Edit(edit));
    let status = Edit { status: Some(Status::Completed), ..Edit::of(id.clone()) };
    // Completing by an edit is completing: it takes the claim that stands.
    assert_eq!(refusal(edit(&bob(), status.clone())).code(), "stale_token");
    let pending = Edit { status: Some(Status::Pending), ..Edit::of(id.clone()) };
    assert_eq!(refusal(edit(&bob(), pending)).code(), "already_claimed");
    let owner = Edit { owner: Some(Some("bob".into())), ..Edit::of(id.clone()) };
    assert_eq!(refusal(edit(&bob(), owner)).code(), "already_claimed");
    let text = Edit { description: Some("a hint".into()), ..Edit::of(id.clone()) };
    edit(&bob(), text.clone()).unwrap();
    assert_eq!(refusal(edit(&ann(), Edit { token: Some(u64::MAX), ..text })).code(), "stale_token");
    edit(&ann(), Edit { token, ..status }).unwrap();
    assert_eq!(task(&setup.list(), &id).status, Status::Completed);
}

/// Setting a task to in progress is claiming it, also where it still says so of a claimant that is gone.
pub fn a_start_by_an_edit_is_a_claim(setup: &Setup) {
    let list = setup.list();
    let id = add(&list, "task", &[]);
    let start = Command::Edit(Edit { status: Some(Status::InProgress), ..Edit::of(id.clone()) });
    let old = list.run(&ann(), &start).unwrap().decision.token;
    assert!(list.run(&ann(), &start).unwrap().event.is_none(), "it is hers already");
    assert_eq!(refusal(list.run(&bob(), &start)).code(), "already_claimed");
    setup.clock.pass(LEASE + 1);
    let new = list.run(&bob(), &start).unwrap().decision.token;
    assert!(new > old, "{new:?} after {old:?}");
    assert_eq!(refusal(complete(&list, &ann(), &id, None)).code(), "stale_token");
    complete(&list, &bob(), &id, None).unwrap();
}
