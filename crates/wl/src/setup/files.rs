//! Files of other programs: read as they are, replaced whole, links looked through first. Not what is in them.
#![expect(clippy::disallowed_methods, reason = "these are files outside every list")]

use crate::failure::Failure;
use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

/// A file as it was found.
pub(super) struct Target {
    /// As it is called.
    pub(super) named: PathBuf,
    /// Where it is, links looked through.
    pub(super) real: PathBuf,
    pub(super) text: Option<String>,
}

impl Target {
    /// Looks at a file that may not be there. `within` is what a link may not lead out of.
    pub(super) fn look(named: &Path, within: Option<&Path>) -> Result<Target, Failure> {
        let failed = |error| Failure::other(&format!("read {}", named.display()), &error);
        let real = resolved(named).map_err(failed)?;
        if let Some(root) = within {
            let root = fs::canonicalize(root).map_err(failed)?;
            if !real.starts_with(&root) {
                return Err(leads_out(named, &real));
            }
        }
        let text = match fs::read(&real) {
            Ok(bytes) => {
                Some(String::from_utf8(bytes).map_err(|_| unreadable(named, "it is not text in UTF-8"))?)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        Ok(Target { named: named.to_owned(), real, text })
    }

    /// Whether a link stands between a folder and the file in it.
    pub(super) fn is_linked(&self, root: &Path) -> bool {
        self.named.ancestors().take_while(|it| *it != root).any(Path::is_symlink)
    }

    /// Replaces the file whole, or makes it; how many folders had to be made.
    pub(super) fn replace(&self, text: &str) -> Result<usize, Failure> {
        let failed = |error| Failure::other(&format!("write {}", self.named.display()), &error);
        let Some((folder, name)) = self.real.parent().zip(self.real.file_name()) else {
            return Err(unreadable(&self.named, "it has no folder"));
        };
        let made = folder.ancestors().take_while(|it| !it.exists()).count();
        fs::create_dir_all(folder).map_err(failed)?;
        let draft = folder.join(format!(".{}.worklist", name.to_string_lossy()));
        self.draft(&draft, text).map_err(failed)?;
        let replaced = self.is_unchanged().and_then(|()| fs::rename(&draft, &self.real).map_err(failed));
        if replaced.is_err() {
            _ = fs::remove_file(&draft);
        }
        replaced.map(|()| made)
    }

    /// The new text beside the old, with the same mode, on the disk before it takes its place.
    fn draft(&self, draft: &Path, text: &str) -> io::Result<()> {
        _ = fs::remove_file(draft);
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(draft)?;
        if let Ok(was) = fs::metadata(&self.real) {
            file.set_permissions(was.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    /// Somebody may have written it since we looked.
    fn is_unchanged(&self) -> Result<(), Failure> {
        let now = fs::read(&self.real).ok();
        if now.as_deref() == self.text.as_ref().map(String::as_bytes) {
            return Ok(());
        }
        let mut failure = unreadable(&self.named, "it was changed at this very moment");
        failure.hint = Some("nothing was written there; try again".to_owned());
        Err(failure)
    }

    /// Takes the file away, and the folders that it leaves empty: so many, and none that is, or is above, `stay`.
    pub(super) fn remove(&self, folders: usize, stay: &Path) -> Result<(), Failure> {
        let failed = |error| Failure::other(&format!("remove {}", self.named.display()), &error);
        self.is_unchanged()?;
        fs::remove_file(&self.real).map_err(failed)?;
        let stay = fs::canonicalize(stay).unwrap_or_else(|_| stay.to_owned());
        let around = self.real.ancestors().skip(1).take(folders);
        for folder in around.take_while(|it| !stay.starts_with(it)) {
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// Where a path leads, also if its end is not there yet.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut missing = Vec::new();
    for known in path.ancestors() {
        match fs::canonicalize(known) {
            Ok(real) => return Ok(missing.into_iter().rev().fold(real, |path, name| path.join(name))),
            Err(error) if error.kind() == ErrorKind::NotFound && fs::symlink_metadata(known).is_err() => {
                missing.extend(known.file_name());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(path.to_owned())
}

fn leads_out(named: &Path, real: &Path) -> Failure {
    let hint = "set it up there, or replace the link with a file; nothing was changed";
    let reason = format!("it leads out of the project, to {}", real.display());
    Failure { hint: Some(hint.to_owned()), ..unreadable(named, &reason) }
}

/// A file that cannot be taken as it is.
pub(super) fn unreadable(named: &Path, reason: &str) -> Failure {
    let message = format!("{}: {reason}", named.display());
    let hint = Some("mend the file; nothing was changed".to_owned());
    let data = worklist::json::Object::new().with("file", named.display().to_string());
    Failure { code: "unreadable", message, hint, data, exit: crate::failure::FAILED }
}
