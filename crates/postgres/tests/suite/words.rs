//! Texts that mean something to SQL, in every place that takes a text: kept to the letter or refused whole, never by half.

use crate::{
    place::{address, database, fresh_list, open, server},
    tally::Tally,
};
use worklist::{
    Actor, Command, NewTask, TaskId,
    conformance::{add, complete},
    json::{Json, Object},
    rules::{ClaimTask, Plan, PlanTask, ReleaseTask},
};
use worklist_postgres::{Admin, Postgres};

const WORDS: [&str; 18] = [
    "'; DROP SCHEMA worklist CASCADE; --",
    "\"; DROP TABLE worklist.tasks; --",
    "$1",
    "$$; $1 $2 $$",
    ";--",
    "/* */",
    "\\",
    "\\'",
    "E'\\x00'",
    "%s %I %1$I",
    "{\"a\": [1, \"}\", '{}']}",
    "{1,2,NULL}",
    "NULL",
    "zwölf 日本 😀 \u{202e}",
    "a\nb\tc",
    "\\u0000",
    "a\u{0}b",
    "\u{7f}\u{1b}[31m",
];

/// What stands in every field is what was given, or the command was refused and nothing is there.
#[test]
fn every_field_keeps_what_it_was_given() {
    let address = database();
    let name = fresh_list(&address);
    let list = open(&address, &name);
    let mut tally = Tally::new("words in fields");
    for word in WORDS {
        let before = list.seq().expect("a number");
        let new = NewTask {
            subject: format!("s{word}"),
            description: word.to_owned(),
            active_form: Some(format!("f{word}")),
            metadata: Object::new().with("key", word).with(word, Json::Array(vec![Json::from(word)])),
            tags: vec![format!("t{word}")],
            ..NewTask::default()
        };
        let made = list.run(&Actor::new("ann", "session"), &Command::Create(new.clone()));
        let Ok(made) = made else {
            let after = list.seq().expect("a number");
            tally.check(before == after, || format!("{word:?}: refused, and yet there is an event"));
            continue;
        };
        let task = list.show(&made.decision.about[0]).expect("a look").expect("there").task;
        let same = task.description == new.description && task.metadata == new.metadata;
        let event = list.events_after(before).expect("history").pop().expect("an event");
        let told = event.changes[0].after.as_ref().map(|it| it.task.description.as_str()) == Some(word);
        tally.check(same && told && task.subject.contains(word.trim()), || format!("{word:?}: {task:?}"));
    }
    tally.end();
}

#[test]
fn names_of_agents_and_sessions_are_only_names() {
    let address = database();
    let list = open(&address, &fresh_list(&address));
    let mut tally = Tally::new("words in names of agents, sessions and in reasons");
    for word in WORDS {
        let id = add(&list, "task", &[]);
        let actor = Actor::new(format!("a{word}"), format!("s{word}"));
        let before = list.seq().expect("a number");
        let claimed = list.run(&actor, &Command::Claim(ClaimTask::of(id.clone())));
        let Ok(claimed) = claimed else {
            let untouched = list.show(&id).expect("a look").expect("there").claim.is_none();
            let after = list.seq().expect("a number");
            tally.check(untouched && before == after, || format!("{word:?}: refused by half"));
            continue;
        };
        let shown = list.show(&id).expect("a look").expect("there").claim.expect("a claim");
        tally.check(shown.by == actor, || format!("{word:?}: {shown:?}"));
        list.renew(&actor).expect("a sign of life");
        let guard = list.hold_session(&actor).expect("an answer");
        tally.check(guard.is_some(), || format!("{word:?}: not held"));
        let token = claimed.decision.token;
        let release = ReleaseTask { id: id.clone(), token, reason: Some(word.to_owned()), force: false };
        let released = list.run(&actor, &Command::Release(release)).expect("released");
        let seq = released.event.expect("an event").seq;
        let event = list.events_after(seq - 1).expect("history").remove(0);
        tally.check(event.reason.as_deref() == Some(word) && event.actor == actor, || format!("{event:?}"));
    }
    tally.end();
}

/// Ids come from outside, too: those of edges may be of tasks that are not there.
#[test]
fn ids_and_keys_are_only_texts() {
    let address = database();
    let list = open(&address, &fresh_list(&address));
    let mut tally = Tally::new("words in ids, edges and keys of plans");
    let ann = Actor::new("ann", "session");
    for word in WORDS {
        let before = list.seq().expect("a number");
        let id = TaskId::found(word);
        let looked = list.show(&id);
        tally.check(!matches!(looked, Ok(Some(_))), || format!("{word:?} was found"));
        let done = complete(&list, &ann, &id, None);
        tally.check(done.is_err(), || format!("{word:?} was completed"));
        let waits = NewTask {
            subject: "waits".to_owned(),
            blocked_by: vec![id.clone()],
            allow_missing: true,
            ..NewTask::default()
        };
        let made = list.run(&ann, &Command::Create(waits)).map(|it| it.decision.about[0].clone());
        let kept = match &made {
            Ok(made) => list.show(made).expect("a look").expect("there").task.blocked_by == [id],
            Err(_) => list.seq().expect("a number") == before,
        };
        tally.check(kept, || format!("{word:?}: {made:?}"));
        let plan = || {
            let task = NewTask { subject: "planned".to_owned(), ..NewTask::default() };
            let tasks = vec![PlanTask { task, ..PlanTask::default() }];
            list.run(&ann, &Command::Plan(Plan { key: Some(word.to_owned()), tasks }))
                .map(|it| it.decision.about)
        };
        let same = match (plan(), plan()) {
            (Ok(first), Ok(second)) => first == second,
            (first, second) => first.is_err() && second.is_err(),
        };
        tally.check(same, || format!("{word:?}: two plans of one key"));
    }
    tally.end();
}

#[test]
fn names_of_lists_and_roles_are_only_names() {
    let database = server().database(Some("prepared"));
    let address = address(server(), &database);
    let mut tally = Tally::new("words in names of lists and roles");
    for (n, word) in WORDS.iter().enumerate() {
        let made = Postgres::create(address.clone(), word);
        let opened = Postgres::open(address.clone(), word);
        tally.check(made.is_ok() == opened.is_ok(), || format!("{word:?}: made {}", made.is_ok()));
        let missing = format!("nobody{n}{word}");
        let granted = Admin::new(address.clone()).grant(&missing, &[]);
        tally.check(granted.is_err(), || format!("{missing:?} was let in"));
    }
    let names: Vec<String> =
        Admin::new(address.clone()).lists().expect("lists").into_iter().map(|it| it.name).collect();
    tally.check(names.iter().all(|it| WORDS.contains(&it.as_str())) && names.len() > 9, || {
        format!("{names:?}")
    });
    let role = "o'dd \"role\"; --";
    server().sql(&database, "CREATE ROLE \"o'dd \"\"role\"\"; --\" LOGIN");
    Postgres::create(address.clone(), "its").expect("a list");
    Admin::new(address.clone()).grant(role, &["its".to_owned()]).expect("granted");
    let list = Postgres::open(address.for_user(role), "its").expect("its own").into_list();
    add(&list, "by an odd one", &[]);
    tally.check(list.seq().expect("a number") == 1, || "the odd role".to_owned());
    tally.end();
}
