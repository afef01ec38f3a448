//! A PostgreSQL server that lives as long as a test: a real one, in a folder of its own, reached by a socket in it, and on
//! loopback if a test wants that. Not for anything that is to be kept.
#![expect(
    clippy::missing_panics_doc,
    clippy::disallowed_methods,
    reason = "what a test needs and does not get fails the test"
)]

use std::{
    fs,
    hash::{BuildHasher, RandomState},
    io::Write,
    os::unix::fs::{PermissionsExt, chown},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Servers refuse to run for root: this one is nobody's.
const NOBODY: u32 = 65534;

/// A server.
pub struct Server {
    folder: TempDir,
    /// Where it listens on loopback, if it does.
    port: u16,
    child: Mutex<Option<Child>>,
    databases: AtomicUsize,
}

impl Server {
    /// Starts one, with these settings beside its own, each as in its configuration file.
    pub fn start(settings: &[&str]) -> Server {
        let folder = tempfile::Builder::new().prefix("wlpg").tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
            .expect("a folder for others, too");
        let data = folder.path().join("data");
        fs::create_dir(&data).expect("a folder for its data");
        if is_root() {
            for folder in [folder.path(), &data] {
                chown(folder, Some(NOBODY), Some(NOBODY)).expect("a folder that is nobody's");
            }
        }
        let port = free_port();
        let server = Server { folder, port, child: Mutex::default(), databases: AtomicUsize::new(0) };
        let made = server
            .own("initdb")
            .args([
                "--auth=trust",
                "--username=postgres",
                "--no-instructions",
                "--encoding=UTF8",
                "--locale=C",
                "-D",
            ])
            .arg(&data)
            .output()
            .expect("initdb runs");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        let mut config = format!(
            "listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = '{}'\nmax_connections = 200\n",
            data.display()
        );
        for line in settings {
            config += line;
            config.push('\n');
        }
        let mut file =
            fs::OpenOptions::new().append(true).open(data.join("postgresql.conf")).expect("its settings");
        file.write_all(config.as_bytes()).expect("its settings");
        server.up();
        server
    }

    /// The folder of its data, in which its socket is.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Where it listens on loopback.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of a database, by its socket.
    pub fn url(&self, database: &str) -> String {
        let socket = self.data().display().to_string().replace('/', "%2F");
        format!("postgres://postgres@{socket}:{}/{database}", self.port)
    }

    /// A database that nobody else uses: a copy of another, or an empty one.
    pub fn database(&self, like: Option<&str>) -> String {
        let name = format!("t{}_{}", std::process::id(), self.databases.fetch_add(1, Ordering::Relaxed));
        let template = like.unwrap_or("template1");
        self.sql("postgres", &format!("CREATE DATABASE {name} TEMPLATE {template}"));
        name
    }

    /// Runs statements as the owner of everything.
    pub fn sql(&self, database: &str, statements: &str) -> String {
        let ran = self
            .own("psql")
            .args(["-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-h"])
            .arg(self.data())
            .args(["-p", &self.port.to_string(), "-d", database, "-c", statements])
            .output()
            .expect("psql runs");
        assert!(ran.status.success(), "{statements}: {}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8_lossy(&ran.stdout).trim().to_owned()
    }

    /// Starts it again after a crash, and waits until it answers.
    pub fn up(&self) {
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.path().join("log"))
            .expect("a log");
        // The server goes when its starter's input ends: when this process does, however it does; and its folder with it.
        // What a shell runs beside itself has no input of its own, so it is handed over.
        let script = "exec 3<&0; \"$0\" -D \"$1\" 3<&- & server=$!
            (cat <&3 >/dev/null; : >\"$1/over\"; kill -QUIT $server 2>/dev/null) & watch=$!
            wait $server; kill $watch 2>/dev/null
            if [ -e \"$1/over\" ]; then rm -rf \"${1%/data}\"; fi";
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).arg(program("postgres")).arg(self.data());
        as_nobody(&mut command);
        let child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(log)
            .process_group(0)
            .spawn()
            .expect("the server starts");
        *self.child.lock().expect("nobody panicked") = Some(child);
        let until = Instant::now() + Duration::from_mins(1);
        while !self.is_up() {
            assert!(Instant::now() < until, "the server does not come up:\n{}", self.log());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether it answers.
    pub fn is_up(&self) -> bool {
        let ready = self
            .own("pg_isready")
            .arg("-q")
            .arg("-h")
            .arg(self.data())
            .args(["-p", &self.port.to_string()])
            .status();
        ready.is_ok_and(|it| it.success())
    }

    /// Lets it crash: it does not write down anything that it has not written yet.
    pub fn crash(&self) {
        let pid = fs::read_to_string(self.data().join("postmaster.pid")).unwrap_or_default();
        let pid =
            pid.lines().next().and_then(|it| it.trim().parse().ok()).and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = pid {
            rustix::process::kill_process(pid, rustix::process::Signal::QUIT).ok();
        }
        if let Some(mut child) = self.child.lock().expect("nobody panicked").take() {
            // Its input ends only afterwards: this server may come up again.
            let input = child.stdin.take().filter(|_| pid.is_some());
            child.wait().expect("it ends");
            drop(input);
        }
    }

    /// What it wrote to its log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    fn own(&self, name: &str) -> Command {
        let mut command = Command::new(program(name));
        command.current_dir(self.folder.path());
        as_nobody(&mut command);
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.crash();
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn as_nobody(command: &mut Command) {
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
}

/// A program of the server: Debian keeps them out of the way.
pub fn program(name: &str) -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        versions.map(|it| it.path().join("bin").join(name)).filter(|it| it.exists()).collect();
    found.sort();
    let on_path = || {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).map(|it| it.join(name)).find(|it| Path::exists(it))
    };
    let found = found.pop().or_else(on_path);
    found.unwrap_or_else(|| panic!("`{name}` of PostgreSQL is not installed; `cargo xtask kit` installs it"))
}

/// A port on loopback that nobody listens on, and none of those that connections are given by themselves: one of them could
/// be gone before anybody listens.
pub fn free_port() -> u16 {
    let any = || RandomState::new().hash_one("a port") % 20_000;
    let ports = std::iter::repeat_with(any).filter_map(|it| u16::try_from(10_000 + it).ok());
    let mut free = ports.filter(|port| std::net::TcpListener::bind(("127.0.0.1", *port)).is_ok());
    free.next().expect("a port")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Read};

    /// The part of a child process: starts a server, says where, and waits for its end.
    #[test]
    fn child() {
        if std::env::var_os("WORKLIST_CHILD").is_some() {
            println!("\n@{}", Server::start(&[]).folder.path().display());
            std::io::stdin().read_to_end(&mut Vec::new()).expect("an end");
        }
    }

    #[test]
    fn a_server_and_its_folder_go_with_their_starter_however_it_ends() {
        let mut starter = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "tests::child", "--nocapture"])
            .env("WORKLIST_CHILD", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child");
        let mut lines = BufReader::new(starter.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        let folder = lines.find_map(|it| it.strip_prefix('@').map(PathBuf::from)).expect("a folder");
        starter.kill().expect("a kill");
        starter.wait().expect("an end");
        let until = Instant::now() + Duration::from_secs(20);
        while folder.exists() {
            assert!(Instant::now() < until, "{} is still there", folder.display());
            thread::sleep(Duration::from_millis(20));
        }
    }
}
