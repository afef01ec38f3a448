//! The way to a server on another machine: encrypted, and only to whom it claims to be. And passwords, which nobody sees.

use crate::{
    place::{address, prepared},
    tally::Tally,
};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, chown},
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};
use worklist::{Error, conformance::add};
use worklist_postgres::{Address, Admin, Postgres};
use worklist_throwaway::Server;

/// Whom servers run as where tests run as root.
const NOBODY: u32 = 65534;
const PASSWORD: &str = "pa:ss\\w'ord-of-ann";

fn openssl(folder: &Path, words: &str) {
    let ran =
        Command::new("openssl").args(words.split(' ')).current_dir(folder).output().expect("openssl runs");
    assert!(ran.status.success(), "openssl {words}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// Two authorities, and a certificate of the first one for `localhost`.
fn certificates() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    for name in ["right", "wrong"] {
        openssl(
            path,
            &format!("req -x509 {key} -keyout {name}.key -out {name}.pem -days 2 -subj /CN={name}"),
        );
    }
    fs::write(path.join("names"), "subjectAltName=DNS:localhost\n").expect("written");
    openssl(path, &format!("req {key} -keyout server.key -out server.csr -subj /CN=localhost"));
    let sign =
        "x509 -req -in server.csr -CA right.pem -CAkey right.key -CAcreateserial -days 2 -extfile names";
    openssl(path, &format!("{sign} -out server.pem"));
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("for the server, too");
    for name in ["server.key", "server.pem"] {
        let file = path.join(name);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("its own");
        // Where tests run as somebody, the server runs as the same.
        _ = chown(&file, Some(NOBODY), Some(NOBODY));
    }
    folder
}

fn open(url: &str) -> Result<Postgres, Error> {
    Postgres::open(Address::parse(url, &|_| None)?, "list")
}

fn url(server: &Server, host: &str, root: &Path) -> String {
    let root = root.display().to_string().replace('/', "%2F");
    format!("postgres://postgres@{host}:{}/prepared?sslmode=verify-full&sslrootcert={root}", server.port())
}

#[test]
fn only_the_right_server_is_talked_to() {
    let certificates = certificates();
    let file = |name: &str| -> PathBuf { certificates.path().join(name) };
    let settings = [
        "ssl = on".to_owned(),
        format!("ssl_cert_file = '{}'", file("server.pem").display()),
        format!("ssl_key_file = '{}'", file("server.key").display()),
    ];
    let server = prepared(&settings.each_ref().map(String::as_str));
    Postgres::create(address(&server, "prepared"), "list").expect("a list");
    let list = open(&url(&server, "localhost", &file("right.pem"))).expect("the right one").into_list();
    add(&list, "sent in secret", &[]);
    let count = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
        WHERE ssl AND application_name = 'worklist'";
    assert_eq!(server.sql("prepared", count), "1", "the way is encrypted");
    let plain = prepared(&[]);
    let cases = [
        ("a wrong authority", url(&server, "localhost", &file("wrong.pem")), "certificate"),
        ("another name", url(&server, "127.0.0.1", &file("right.pem")), "certificate"),
        ("no encryption", url(&plain, "localhost", &file("right.pem")), "TLS"),
        ("no certificate", url(&server, "localhost", &file("names")), "certificate"),
    ];
    let mut tally = Tally::new("servers that are not talked to");
    for (what, url, said) in cases {
        let begun = Instant::now();
        let error = open(&url).err().map(|it| it.to_string()).unwrap_or_default();
        tally.check(error.contains(said), || format!("{what}: {error:?}"));
        tally.check(begun.elapsed() < Duration::from_secs(5), || format!("{what}: {:?}", begun.elapsed()));
    }
    tally.end();
}

/// A server that wants a password, and a file that has it.
fn guarded() -> (Server, tempfile::TempDir) {
    let server = prepared(&["log_connections = on", "log_line_prefix = '%m %u %d %a '"]);
    Postgres::create(address(&server, "prepared"), "list").expect("a list");
    let quoted = PASSWORD.replace('\'', "''");
    server.sql("prepared", &format!("CREATE ROLE ann LOGIN PASSWORD '{quoted}'"));
    Admin::new(address(&server, "prepared")).grant("ann", &[]).expect("granted");
    let rules = "local all postgres trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
    fs::write(server.data().join("pg_hba.conf"), rules).expect("written");
    // From now on everything that the server is told is in its log.
    server.sql("prepared", "ALTER SYSTEM SET log_statement = 'all'");
    server.sql("prepared", "SELECT pg_reload_conf()");
    let folder = tempfile::tempdir().expect("a folder");
    let escaped = PASSWORD.replace('\\', "\\\\").replace(':', "\\:");
    let lines = format!("# passwords\nelsewhere:*:*:*:no\n127.0.0.1:{}:*:ann:{escaped}\n", server.port());
    fs::write(folder.path().join("passwords"), lines).expect("written");
    (server, folder)
}

#[test]
fn passwords_come_from_a_file_or_a_variable_and_are_never_shown() {
    let (server, folder) = guarded();
    let file = folder.path().join("passwords");
    let url = format!("postgres://ann@127.0.0.1:{}/prepared", server.port());
    let by = |name: &'static str, value: String| {
        Address::parse(&url, &move |it| (it == name).then(|| value.clone()))
    };
    let path = file.display().to_string();
    let mut said = Vec::new();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("for everybody");
    let open_file = by("PGPASSFILE", path.clone()).expect_err("a file that others can read");
    assert!(open_file.to_string().contains("chmod 600"), "{open_file}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("for its owner");
    for address in [by("PGPASSFILE", path), by("PGPASSWORD", PASSWORD.to_owned())] {
        let address = address.expect("an address");
        said.extend([
            format!("{address}"),
            format!("{address:?}"),
            format!("{:#?}", address.for_user("bob")),
        ]);
        let list = Postgres::open(address, "list").expect("let in").into_list();
        add(&list, "by ann", &[]);
    }
    let wrong = by("PGPASSWORD", format!("{PASSWORD}-not")).expect("an address");
    let error = Postgres::open(wrong, "list").err().expect("not let in");
    assert!(error.to_string().contains("28P01"), "{error}");
    let none = by("HOME", "/nowhere".to_owned()).expect("an address");
    let begun = Instant::now();
    let missing = Postgres::open(none, "list").err().expect("not let in");
    assert!(missing.to_string().contains("password"), "{missing}");
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "nobody waits for a password to come: {:?}",
        begun.elapsed()
    );
    for error in [&open_file, &error, &missing] {
        said.extend([format!("{error}"), format!("{error:?}")]);
    }
    said.push(server.log());
    assert!(server.log().contains("worklist.commit"), "the log tells what was asked");
    let mut tally = Tally::new("places where a password could be seen");
    for text in said {
        let seen = text.contains(PASSWORD) || text.contains("ord-of-ann");
        tally.check(!seen, || text.lines().filter(|it| it.contains("ord-of-ann")).collect());
    }
    tally.end();
}
