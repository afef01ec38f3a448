//! A folder with everything in it, to be compared with itself later. Not what may change in it.

use std::{collections::BTreeMap, fs, os::unix::fs::MetadataExt, path::Path};

/// Everything below a folder: name, kind and rights, time of the last change, content. What `skip` names is left out.
pub(crate) fn snapshot(folder: &Path, skip: &[&Path]) -> BTreeMap<String, (u32, i64, i64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let about = fs::symlink_metadata(&path).expect("it is there");
        let content = if about.is_symlink() {
            fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes()
        } else if about.is_file() {
            fs::read(&path).expect("a file")
        } else {
            Vec::new()
        };
        if about.is_dir() {
            let inside = fs::read_dir(&path).expect("a folder").map(|it| it.expect("an entry").path());
            waiting.extend(inside.filter(|it| !skip.contains(&it.as_path())));
        }
        let name = path.strip_prefix(folder).expect("below").display().to_string();
        found.insert(name, (about.mode(), about.mtime(), about.mtime_nsec(), content));
    }
    found
}
