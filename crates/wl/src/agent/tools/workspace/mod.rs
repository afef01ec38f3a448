//! The folder that the tools for files stay beneath. What is asked for in it, and what a model is told if it cannot be.
//! Not how the way out is barred: that is each system's file.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod portable;

#[cfg(target_os = "linux")]
use linux::Folder;
#[cfg(not(target_os = "linux"))]
use portable::Folder;

use std::{
    fs::File,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

/// The workspace.
pub(crate) struct Workspace {
    root: PathBuf,
    folder: Folder,
}

impl Workspace {
    pub(crate) fn open(root: &Path) -> io::Result<Workspace> {
        let root = root.canonicalize()?;
        let folder = Folder::open(&root)?;
        Ok(Workspace { root, folder })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Opens a file to read it.
    pub(super) fn to_read(&self, path: &str) -> Result<File, String> {
        a_file(path, self.folder.to_read(self.inner(path)))
    }

    /// Opens a file to write it anew; it and its folders are made if need be.
    pub(super) fn to_write(&self, path: &str) -> Result<File, String> {
        let file = a_file(path, self.folder.to_write(self.inner(path)))?;
        file.set_len(0).map_err(|error| told(path, &error))?;
        Ok(file)
    }

    /// The path as it is seen from the workspace: absolute ones within it are understood.
    fn inner<'a>(&self, path: &'a str) -> &'a Path {
        Path::new(path).strip_prefix(&self.root).unwrap_or(Path::new(path))
    }
}

fn a_file(path: &str, opened: io::Result<File>) -> Result<File, String> {
    let file = opened.map_err(|error| told(path, &error))?;
    let is_file = file.metadata().is_ok_and(|it| it.is_file());
    if is_file { Ok(file) } else { Err(format!("{path} is not a file.")) }
}

fn told(path: &str, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::CrossesDevices => {
            format!("{path} is outside the workspace; files are reached only within it.")
        }
        ErrorKind::NotFound => format!("{path} does not exist."),
        ErrorKind::IsADirectory => format!("{path} is a folder."),
        _ => format!("{path}: {error}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    /// A workspace with a way out by a link, and a file outside.
    fn place() -> (tempfile::TempDir, Workspace) {
        let place = tempfile::tempdir().expect("a folder");
        let inside = place.path().join("inside");
        rustix::fs::mkdir(&inside, 0o700.into()).expect("a folder");
        rustix::fs::symlink("..", inside.join("out")).expect("a link");
        rustix::fs::symlink("../secret", inside.join("secret")).expect("a link");
        rustix::fs::symlink(place.path().join("secret"), inside.join("absolute")).expect("a link");
        rustix::fs::symlink("../made", inside.join("dangling")).expect("a link");
        rustix::fs::symlink("a", inside.join("within")).expect("a link");
        let mut secret = File::create_new(place.path().join("secret")).expect("a file");
        secret.write_all(b"secret").expect("written");
        let workspace = Workspace::open(&inside).expect("a workspace");
        (place, workspace)
    }

    #[test]
    fn no_way_leads_out() {
        let (place, workspace) = place();
        let absolute = place.path().join("secret").display().to_string();
        let ways = ["../secret", "out/secret", "secret", "absolute", "a/../../secret", &absolute];
        for way in ways {
            assert!(workspace.to_read(way).is_err(), "{way}");
            assert!(workspace.to_write(way).is_err(), "{way}");
        }
        // Of the rest of the machine only reading is tried: a test must do no harm when what it tests is broken.
        assert!(workspace.to_read("/etc/hostname").is_err());
        for way in ["dangling", "out/made", "../made", "out/new/made"] {
            assert!(workspace.to_write(way).is_err_and(|it| it.contains("outside")), "{way}");
        }
        let names = place.path().read_dir().expect("a folder").count();
        assert_eq!(names, 2, "nothing was made outside");
        let mut text = String::new();
        File::options()
            .read(true)
            .open(place.path().join("secret"))
            .expect("it")
            .read_to_string(&mut text)
            .expect("text");
        assert_eq!(text, "secret");
    }

    #[test]
    fn ways_within_are_open() {
        let (_place, workspace) = place();
        let absolute = workspace.root().join("x/y/z").display().to_string();
        for way in ["a", "within", "b/c/d", "b/../e", "./b/c/f", &absolute] {
            workspace.to_write(way).expect(way).write_all(way.as_bytes()).expect("written");
            let mut text = String::new();
            workspace.to_read(way).expect(way).read_to_string(&mut text).expect("text");
            assert_eq!(text, way);
        }
        assert!(
            workspace.to_read("b").is_err()
                && workspace.to_read("none").is_err_and(|it| it.contains("exist"))
        );
    }
}
