//! A file's bytes as they stood at one moment, though others write it in place, or some of them. Not where it is, nor who may.

use super::{super::too_large, beneath::stat_of, not_a_file};
use crate::vfs::{Handle, Kind, Stat};
use rustix::{
    buffer::spare_capacity,
    fs,
    io::{Errno, pread},
};
use std::{
    fs::File,
    io::{self, Read},
};

/// So often it is begun again because somebody wrote meanwhile. Whoever writes for longer than that is not waited for.
const TRIES: usize = 64;

/// Reads a file from front to back in one call. Two calls could get the beginning of one text and the end of the next, if
/// others empty the file and write it anew in between: where one is not enough, it is begun again.
pub(super) fn read(mut file: File, limit: u64) -> io::Result<(Stat, Vec<u8>)> {
    for _ in 0..TRIES {
        let stat = stat_of(&fs::fstat(&file)?);
        if stat.kind != Kind::File {
            return Err(not_a_file());
        }
        if stat.length > limit {
            return Err(too_large(limit));
        }
        // The byte more than there should be shows the end.
        let mut bytes = Vec::with_capacity(usize::try_from(stat.length).unwrap_or(0) + 1);
        match pread(&file, spare_capacity(&mut bytes), 0) {
            Ok(count) if count as u64 == stat.length => return Ok((stat, bytes)),
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let (stat, mut bytes) = (stat_of(&fs::fstat(&file)?), Vec::new());
    file.by_ref().take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok((stat, bytes)) }
}

/// Some bytes of a file, fewer at its end.
pub(super) fn read_part(file: &File, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length);
    while bytes.len() < length {
        let from = offset + bytes.len() as u64;
        match pread(file, spare_capacity(&mut bytes), from) {
            Ok(0) => break,
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    // There may have been room for more.
    bytes.truncate(length);
    Ok(bytes)
}

impl Handle for File {
    fn part(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        read_part(self, offset, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::Write,
        sync::atomic::{AtomicBool, Ordering},
        thread,
    };

    /// Emptied and written in two pieces of always the same length, while it is read.
    #[test]
    fn one_text_is_never_continued_by_another() {
        let folder = tempfile::tempdir().unwrap();
        let (path, over) = (folder.path().join("file"), AtomicBool::new(false));
        let open =
            |make: bool| File::options().read(true).write(true).create(make).truncate(false).open(&path);
        drop(open(true).unwrap());
        let mut halves = 0;
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut file = open(false).unwrap();
                for letter in (b'a'..=b'z').cycle().take_while(|_| !over.load(Ordering::Relaxed)) {
                    file.set_len(0).unwrap();
                    io::Seek::rewind(&mut file).unwrap();
                    file.write_all(&[letter; 400]).unwrap();
                    file.write_all(&[letter; 400]).unwrap();
                }
            });
            for _ in 0..200_000 {
                let (_, bytes) = read(open(false).unwrap(), 1_000).unwrap();
                halves += u32::from(bytes.len() == 400);
                let same = bytes.iter().all(|it| *it == bytes[0]);
                if !same {
                    over.store(true, Ordering::Relaxed);
                }
                assert!(same, "{}", String::from_utf8_lossy(&bytes));
            }
            over.store(true, Ordering::Relaxed);
        });
        assert!(halves > 0, "it was never read between the pieces");
    }
}
