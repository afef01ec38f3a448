//! File systems of our own that are too small, and can be made read-only. Needs root; whoever is not is told so.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

/// A mounted file system; gone when dropped.
pub(crate) struct Mount {
    /// Where it is; in a folder that goes with it.
    pub(crate) path: PathBuf,
    _folder: Option<tempfile::TempDir>,
}

impl Mount {
    /// A file system in memory with these options; none if we may not mount.
    pub(crate) fn in_memory(options: &str) -> Option<Mount> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().to_owned();
        mount(&["-t", "tmpfs", "-o", options, "none"], &path).then_some(Mount { path, _folder: Some(folder) })
    }

    /// A file system in memory over a folder that is there.
    pub(crate) fn over(path: PathBuf, options: &str) -> Option<Mount> {
        mount(&["-t", "tmpfs", "-o", options, "none"], &path).then_some(Mount { path, _folder: None })
    }

    /// An ext4 of so many KiB and inodes, in a file.
    pub(crate) fn ext4(kib: usize, inodes: usize) -> Option<Mount> {
        let folder = tempfile::tempdir().expect("a folder");
        let (image, path) = (folder.path().join("image"), folder.path().join("disk"));
        File::create(&image).and_then(|it| it.set_len(kib as u64 * 1024)).expect("an image");
        fs::create_dir(&path).expect("a folder");
        let mut make = Command::new("mkfs.ext4");
        make.args(["-q", "-F", "-b", "1024", "-m", "0", "-N", &inodes.to_string()]).arg(&image);
        let made = make.output().expect("mkfs.ext4: run `cargo xtask kit`").status.success();
        let image = image.display().to_string();
        (made && mount(&["-o", "loop", &image], &path)).then_some(Mount { path, _folder: Some(folder) })
    }

    pub(crate) fn set_read_only(&self) {
        assert!(mount(&["-o", "remount,ro"], &self.path), "it can be made read-only");
    }

    pub(crate) fn set_writable(&self) {
        assert!(mount(&["-o", "remount,rw"], &self.path), "it can be made writable");
    }

    /// Takes every byte there is, but so many.
    pub(crate) fn fill_but(&self, room: u64) {
        let mut file = File::create(self.path.join("filling")).expect("a file");
        for size in [4096, 512, 64, 1] {
            while file.write_all(&vec![b'x'; size]).is_ok() {}
        }
        _ = file.sync_all();
        let length = file.metadata().expect("a file").len();
        file.set_len(length.saturating_sub(room)).expect("a shorter one");
        _ = file.sync_all();
    }

    /// Takes every inode there is.
    pub(crate) fn crowd(&self) {
        fs::create_dir(self.path.join("crowd")).expect("a folder");
        let mut many = 0;
        while File::create(self.path.join(format!("crowd/{many}"))).is_ok() {
            many += 1;
        }
    }

    /// Gives back all that was taken. A process that another test has just begun may hold what we had open until it is
    /// another program: so the file is emptied before it goes.
    pub(crate) fn free(&self) {
        let filling = self.path.join("filling");
        if let Ok(file) = File::options().write(true).open(&filling) {
            file.set_len(0).expect("an empty file");
            // On ext4 blocks are free once that is written.
            file.sync_all().expect("written");
            fs::remove_file(filling).expect("removed");
        }
        _ = fs::remove_dir_all(self.path.join("crowd"));
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        _ = Command::new("umount").arg("-l").arg(&self.path).output();
    }
}

fn mount(options: &[&str], path: &Path) -> bool {
    let done = Command::new("mount").args(options).arg(path).output();
    done.is_ok_and(|it| it.status.success())
}
