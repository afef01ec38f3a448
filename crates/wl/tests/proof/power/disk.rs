//! A file system in a file, mounted through a loop device, that can lose its power: what was not flushed is gone, and the
//! file system's own journal is replayed at the next mount. Not what is on it.

use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

/// A way to lay out a disk.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    make: &'static [&'static str],
    options: &'static str,
}

pub(crate) const KINDS: [Kind; 3] = [
    Kind { name: "ext4", make: &["mkfs.ext4", "-q"], options: "loop" },
    // Without the help that ext4 gives to programs that forget to flush.
    Kind { name: "ext4 noauto_da_alloc", make: &["mkfs.ext4", "-q"], options: "loop,noauto_da_alloc" },
    Kind { name: "xfs", make: &["mkfs.xfs", "-q"], options: "loop" },
];

/// The smallest disk that all of them accept, with room for many tasks.
const SIZE: u64 = 512 * 1024 * 1024;

pub(crate) struct Disk {
    kind: &'static Kind,
    place: tempfile::TempDir,
}

impl Disk {
    pub(crate) fn make(kind: &'static Kind) -> Disk {
        let disk = Disk { kind, place: tempfile::tempdir().expect("a folder") };
        std::fs::create_dir(disk.path()).expect("a place to mount at");
        let image = std::fs::File::create(disk.image()).expect("a file");
        image.set_len(SIZE).expect("a size");
        let mut make = Command::new(kind.make[0]);
        done(make.args(&kind.make[1..]).arg(disk.image()));
        disk.mount();
        disk
    }

    /// Where it is mounted.
    pub(crate) fn path(&self) -> PathBuf {
        self.place.path().join("mounted")
    }

    fn image(&self) -> PathBuf {
        self.place.path().join("image")
    }

    fn mount(&self) {
        done(Command::new("mount").args(["-o", self.kind.options]).arg(self.image()).arg(self.path()));
    }

    /// After a cut: what was in memory is forgotten, and the disk comes back as it was left.
    pub(crate) fn power_up(&self) {
        done(Command::new("umount").arg(self.path()));
        self.mount();
    }

    /// Something that is ready to cut the power at a word: there is no time to start a program then.
    pub(crate) fn scissors(&self) -> Scissors {
        let mut command = Command::new("python3");
        command.args(["-c", CUT]).arg(self.path());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python3");
        let mut ready = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut ready).expect("a line");
        assert_eq!(ready, "ready\n");
        Scissors(child)
    }
}

/// The loop device goes with the mount, also if a test fails.
impl Drop for Disk {
    fn drop(&mut self) {
        let unmount = |how: &[&str]| {
            let mut command = Command::new("umount");
            command.args(how).arg(self.path()).stderr(Stdio::null()).status().is_ok_and(|it| it.success())
        };
        _ = unmount(&[]) || unmount(&["--lazy"]);
    }
}

pub(crate) struct Scissors(Child);

impl Scissors {
    pub(crate) fn cut(mut self) {
        drop(self.0.stdin.take());
        assert!(self.0.wait().expect("it ends").success(), "the power could not be cut");
    }
}

/// The shutdown request of ext4 and xfs, which share a number, with the word not to flush the file system's own log.
const CUT: &str = "
import fcntl, os, struct, sys
folder = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECTORY)
print('ready', flush=True)
sys.stdin.read()
fcntl.ioctl(folder, 0x8004587d, struct.pack('I', 2))
";

#[track_caller]
fn done(command: &mut Command) {
    let output =
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}: run `cargo xtask kit`"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
