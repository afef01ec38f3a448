//! What a role that was let in can see and do: its own lists, and nothing else. Not what tasks may say.

use crate::{
    place::{address, server},
    tally::Tally,
};
use postgres::{Client, NoTls};
use std::thread;
use worklist::{
    conformance::{add, ann, claim, complete},
    rules::{Command, NextTask},
};
use worklist_postgres::{Address, Admin, Postgres};

/// A database with two lists, and two roles that may each use one of them.
struct Team {
    database: String,
    role: String,
    other: String,
}

impl Team {
    fn new(name: &str) -> Team {
        let database = server().database(Some("prepared"));
        let owner = address(server(), &database);
        let (role, other) = (format!("{name}_ann"), format!("{name}_bob"));
        server().sql(&database, &format!("CREATE ROLE {role} LOGIN; CREATE ROLE {other} LOGIN"));
        let team = Team { database, role, other };
        for (role, list) in [(&team.role, "own"), (&team.other, "foreign")] {
            let list_of = Postgres::create(owner.clone(), list).expect("a list").into_list();
            let id = add(&list_of, "a task", &[]);
            claim(&list_of, &ann(), &id).expect("claimed");
            Admin::new(owner.clone()).grant(role, &[list.to_owned()]).expect("granted");
        }
        team
    }

    fn address(&self, role: &str) -> Address {
        address(server(), &self.database).for_user(role)
    }

    fn client(&self, role: &str) -> Client {
        let url = server().url(&self.database).replace("postgres@", &format!("{role}@"));
        Client::connect(&url, NoTls).expect("a connection")
    }
}

#[test]
fn a_role_uses_its_own_list_and_finds_no_other() {
    let team = Team::new("use");
    let list = Postgres::open(team.address(&team.role), "own").expect("its own").into_list();
    let id = add(&list, "another", &[]);
    let token = list.run(&ann(), &Command::Next(NextTask::default())).expect("next").decision.token;
    complete(&list, &ann(), &id, token).expect("done");
    assert_eq!(list.board().expect("a board").tasks.len(), 2);
    let error = Postgres::open(team.address(&team.role), "foreign").err().expect("not there for it");
    assert_eq!(error.code(), "no_list");
    let error = Postgres::create(team.address(&team.role), "third").err().expect("not allowed");
    assert!(error.to_string().contains("wl store grant"), "{error}");
    let lists = Admin::new(team.address(&team.role)).lists().expect("lists");
    assert_eq!(lists.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["own"]);
}

/// Every table, also one that comes later, shows a role nothing of another's list.
#[test]
fn no_table_shows_anything_of_another_list() {
    let team = Team::new("rows");
    // Something in every table, for both.
    for list in ["own", "foreign"] {
        let list = Postgres::open(address(server(), &team.database), list).expect("a list").into_list();
        add(&list, "one more", &[]);
    }
    let mut tally = Tally::new("tables that a role looks into");
    let (mut owner, mut client) = (team.client("postgres"), team.client(&team.role));
    let tables = "SELECT c.table_name::text FROM information_schema.columns c WHERE c.table_schema = 'worklist' \
        AND c.column_name IN ('list', 'role') GROUP BY 1 ORDER BY 1";
    let foreign: i64 =
        owner.query_one("SELECT list FROM worklist.lists WHERE name = 'foreign'", &[]).expect("it").get(0);
    for row in owner.query(tables, &[]).expect("tables") {
        let table: String = row.get(0);
        let whose =
            if table == "access" { "role <> current_user".to_owned() } else { format!("list = {foreign}") };
        let count = format!("SELECT count(*) FROM worklist.{table} WHERE {whose}");
        let there: i64 = owner.query_one(&count, &[]).expect("a count").get(0);
        let seen: i64 = client.query_one(&count, &[]).expect("a count").get(0);
        tally.check(there > 0 && seen == 0, || format!("{table}: {seen} of {there} rows"));
    }
    tally.end();
}

#[test]
fn a_role_changes_nothing_but_its_lists() {
    let team = Team::new("change");
    let foreign = server().sql(&team.database, "SELECT list FROM worklist.lists WHERE name = 'foreign'");
    let mut tally = Tally::new("statements that a role may not run");
    let (role, other) = (&team.role, &team.other);
    let mut statements: Vec<String> = [
        "CREATE TABLE worklist.mine (x int)",
        "CREATE FUNCTION worklist.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE OR REPLACE FUNCTION worklist.now_ms() RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint'",
        "DROP FUNCTION worklist.now_ms()",
        "DROP SCHEMA worklist CASCADE",
        "ALTER TABLE worklist.tasks DISABLE ROW LEVEL SECURITY",
        "ALTER SCHEMA worklist RENAME TO other",
        "DROP POLICY own ON worklist.tasks",
        "TRUNCATE worklist.events",
        "ALTER SEQUENCE worklist.tokens RESTART",
        // Whoever can turn numbers back makes claims stand again that were taken away, in everybody's lists.
        "SELECT setval('worklist.tokens', 1)",
        "INSERT INTO worklist.migrations (number, name) VALUES (99, 'mine')",
        "UPDATE worklist.migrations SET number = number + 1",
        "SET ROLE postgres",
    ]
    .map(str::to_owned)
    .to_vec();
    statements.extend([
        format!("INSERT INTO worklist.access (role, list) VALUES ('{role}', '*')"),
        format!("UPDATE worklist.access SET list = 'foreign' WHERE role = '{role}'"),
        format!("DELETE FROM worklist.access WHERE role = '{role}'"),
        format!("INSERT INTO worklist.heads (list) VALUES ({foreign})"),
        format!("INSERT INTO worklist.sessions (list, session, agent, seen) VALUES ({foreign}, 's', 'a', 0)"),
        format!("INSERT INTO worklist.told (list, at) VALUES ({foreign}, 0)"),
        format!("GRANT {other} TO {role}"),
        "UPDATE worklist.lists SET name = 'foreign2' WHERE name = 'own'".to_owned(),
        "INSERT INTO worklist.lists (name) VALUES ('foreign')".to_owned(),
        // What happened is added to, and never rewritten.
        "UPDATE worklist.events SET body = '{}'".to_owned(),
        "DELETE FROM worklist.events".to_owned(),
        "UPDATE worklist.touched SET seq = seq + 1".to_owned(),
        "DELETE FROM worklist.touched".to_owned(),
        "DELETE FROM worklist.lists".to_owned(),
        "DELETE FROM worklist.heads".to_owned(),
    ]);
    let mut client = team.client(role);
    for statement in &statements {
        let ran = client.batch_execute(statement);
        let code = ran.err().and_then(|it| it.code().map(|it| it.code().to_owned()));
        tally.check(code.as_deref() == Some("42501"), || format!("{statement}: {code:?}"));
    }
    for table in ["lists", "heads", "tasks", "events", "touched", "sessions"] {
        let touch = format!("SELECT count(*) FROM worklist.{table} WHERE list = {foreign}");
        let seen: i64 = client.query_one(&touch, &[]).expect("a count").get(0);
        tally.check(seen == 0, || format!("{table}: {seen} rows"));
    }
    tally.end();
}

/// The settings of a role are not a database's own: whoever changes them may meet others who do.
#[test]
fn one_role_is_let_into_many_databases_at_once() {
    let role = "many_at_once";
    server().sql("postgres", &format!("CREATE ROLE {role} LOGIN"));
    let databases: Vec<String> = (0..4).map(|_| server().database(Some("prepared"))).collect();
    let mut tally = Tally::new("grants at once");
    for _ in 0..5 {
        let granted = thread::scope(|scope| {
            let grant = |it: &str| Admin::new(address(server(), it)).grant(role, &[]);
            let running: Vec<_> = databases.iter().map(|it| scope.spawn(move || grant(it))).collect();
            running.into_iter().map(|it| it.join().expect("an end")).collect::<Vec<_>>()
        });
        for outcome in granted {
            tally.trial(outcome);
        }
    }
    tally.end();
}

#[test]
fn a_role_is_held_to_the_limits_also_behind_a_pooler() {
    let team = Team::new("limits");
    let mut client = team.client(&team.role);
    let mut setting = |name: &str| -> String {
        client.query_one("SELECT current_setting($1)", &[&name]).expect("a setting").get(0)
    };
    assert_eq!(setting("statement_timeout"), "5s");
    assert_eq!(setting("lock_timeout"), "2s");
    assert_eq!(setting("idle_in_transaction_session_timeout"), "30s");
}
