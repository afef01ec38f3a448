//! A pooler between us and the server, which gives each transaction another connection: nothing may count on having the
//! same one twice.

use crate::{
    place::{address, fresh_list, on_loopback, open, server},
    tally::{Tally, sized},
};
use std::{
    fs,
    net::TcpStream,
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Arc, Barrier},
    thread,
    time::{Duration, Instant},
};
use worklist::{
    Actor,
    conformance::{add, ann, bob, claim, complete},
    rules::{self, NextTask},
};
use worklist_throwaway::free_port;

/// Poolers refuse to run for root, as servers do.
const NOBODY: u32 = 65534;

struct Pooler {
    port: u16,
    child: Child,
    _folder: tempfile::TempDir,
}

impl Pooler {
    fn start() -> Pooler {
        let (folder, port) = (tempfile::tempdir().expect("a folder"), free_port());
        let users = folder.path().join("users");
        fs::write(&users, "\"postgres\" \"\"\n").expect("written");
        let config = format!(
            "[databases]\n* = host=127.0.0.1 port={}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             unix_socket_dir =\nauth_type = trust\nauth_file = {}\npool_mode = transaction\n\
             default_pool_size = 4\nmax_client_conn = 200\n",
            server().port(),
            users.display(),
        );
        let file = folder.path().join("settings");
        fs::write(&file, config).expect("written");
        let open_to_all = |path: &std::path::Path, mode| {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("for the pooler, too");
        };
        open_to_all(folder.path(), 0o755);
        open_to_all(&users, 0o644);
        open_to_all(&file, 0o644);
        let mut command = Command::new(program());
        command.arg("-q").arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if rustix::process::geteuid().is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        let child = command.spawn().expect("the pooler starts");
        let until = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < until, "the pooler does not come up");
            thread::sleep(Duration::from_millis(20));
        }
        Pooler { port, child, _folder: folder }
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn program() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let more = [PathBuf::from("/usr/sbin")];
    let found =
        std::env::split_paths(&path).chain(more).map(|it| it.join("pgbouncer")).find(|it| it.exists());
    found.expect("`pgbouncer` is not installed; `cargo xtask kit` installs it")
}

#[test]
fn everything_goes_through_a_pooler() {
    let database = server().database(Some("prepared"));
    let direct = address(server(), &database);
    let pooler = Pooler::start();
    let through = on_loopback(pooler.port, &database);
    let name = fresh_list(&direct);
    let list = open(&through, &name);
    let first = add(&list, "first", &[]);
    let second = add(&list, "second", &[&first]);
    let guard = list.hold_session(&bob()).expect("an answer").expect("held");
    let taken = list.run(&bob(), &rules::Command::Next(NextTask::default())).expect("next").decision;
    assert_eq!(taken.about, std::slice::from_ref(&first));
    let done = complete(&list, &bob(), &first, taken.token).expect("done");
    assert_eq!(done.decision.freed, std::slice::from_ref(&second));
    assert!(guard.stands());
    claim(&list, &ann(), &second).expect("claimed");
    assert_eq!(list.board().expect("a board").tasks.len(), 2);
    assert_eq!(list.whole().expect("all of it").events.len(), 5);
    let mut watch = list.watch(list.seq().expect("a number"));
    let other = open(&direct, &name);
    let writer = thread::spawn(move || add(&other, "third", &[]));
    let begun = Instant::now();
    let news = std::iter::repeat_with(|| watch.next(2_000).expect("news")).find(|it| !it.is_empty());
    assert_eq!(news.expect("news").len(), 1);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    writer.join().expect("written");
}

#[test]
fn of_many_claims_through_a_pooler_one_wins() {
    const RACERS: usize = 8;
    let database = server().database(Some("prepared"));
    let direct = address(server(), &database);
    let pooler = Pooler::start();
    let through = on_loopback(pooler.port, &database);
    let name = fresh_list(&direct);
    let list = open(&direct, &name);
    let ids: Vec<_> = (0..sized(20, 200)).map(|n| add(&list, &format!("task {n}"), &[])).collect();
    let begin = Arc::new(Barrier::new(RACERS));
    let racers: Vec<_> = (0..RACERS)
        .map(|n| {
            let (list, ids, begin) = (open(&through, &name), ids.clone(), begin.clone());
            thread::spawn(move || {
                let actor = Actor::new(format!("agent-{n}"), format!("session-{n}"));
                let race = |id| {
                    begin.wait();
                    match claim(&list, &actor, id) {
                        Ok(_) => true,
                        Err(error) if error.code() == "already_claimed" => false,
                        Err(error) => panic!("{error}"),
                    }
                };
                ids.iter().map(race).collect::<Vec<bool>>()
            })
        })
        .collect();
    let won: Vec<Vec<bool>> = racers.into_iter().map(|it| it.join().expect("an end")).collect();
    let mut tally = Tally::new("claims of 8 through a pooler");
    for n in 0..ids.len() {
        let winners = won.iter().filter(|it| it[n]).count();
        tally.check(winners == 1, || format!("{winners} have task {n}"));
    }
    tally.end();
}
