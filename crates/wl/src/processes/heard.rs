//! What a process says, of any length: the beginning and the end are kept. Read in the background, so that nobody hangs
//! because nobody reads. Not what it means.

use std::{
    io::Read,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, channel},
    },
    thread,
    time::Duration,
};

/// The end of something of any length.
#[derive(Debug, Default)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    most: usize,
    pub(super) left_out: u64,
}

impl Tail {
    pub(super) fn of(most: usize) -> Tail {
        Tail { most, ..Tail::default() }
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        // Not at every piece: moving costs as much as what is kept.
        if self.bytes.len() > 2 * self.most {
            self.cut();
        }
    }

    /// What is kept.
    pub(super) fn bytes(&mut self) -> &[u8] {
        self.cut();
        &self.bytes
    }

    fn cut(&mut self) {
        let over = self.bytes.len().saturating_sub(self.most);
        self.bytes.drain(..over);
        self.left_out += over as u64;
    }
}

/// Both ends of what was heard.
struct Ends {
    head: Vec<u8>,
    most: usize,
    tail: Tail,
}

impl Ends {
    fn add(&mut self, bytes: &[u8]) {
        let room = (self.most - self.head.len()).min(bytes.len());
        let (first, rest) = bytes.split_at(room);
        self.head.extend_from_slice(first);
        self.tail.add(rest);
    }

    fn text(&mut self) -> String {
        let tail = self.tail.bytes().to_vec();
        let gap = match self.tail.left_out {
            0 => String::new(),
            count => format!("\n[{count} bytes left out]\n"),
        };
        // One text: a letter may begin in the head and end in the tail.
        String::from_utf8_lossy(&[&self.head, gap.as_bytes(), &tail].concat()).trim_end().to_owned()
    }
}

/// A pipe that is read in the background: what was started may end and leave it open to something that goes on.
pub(crate) struct Heard {
    ends: Arc<Mutex<Ends>>,
    done: Receiver<()>,
}

impl Heard {
    /// Listens; of the beginning and of the end so many bytes are kept.
    pub(crate) fn of(mut pipe: impl Read + Send + 'static, head: usize, tail: usize) -> Heard {
        let ends = Ends { head: Vec::new(), most: head, tail: Tail::of(tail) };
        let ends = Arc::new(Mutex::new(ends));
        let (sender, done) = channel();
        let ours = ends.clone();
        thread::spawn(move || {
            let mut piece = [0; 8192];
            while let Ok(length @ 1..) = pipe.read(&mut piece) {
                ours.lock().unwrap_or_else(PoisonError::into_inner).add(&piece[..length]);
            }
            _ = sender.send(());
        });
        Heard { ends, done }
    }

    /// All of it, or as much as came within a moment after the end.
    pub(crate) fn text(&self) -> String {
        _ = self.done.recv_timeout(Duration::from_millis(300));
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: usize = 1000;
    const TAIL: usize = 3000;

    fn heard(bytes: Vec<u8>) -> String {
        Heard::of(std::io::Cursor::new(bytes), HEAD, TAIL).text()
    }

    #[test]
    fn long_output_keeps_both_ends() {
        let text = heard((0..100_000).flat_map(|n| format!("{n}\n").into_bytes()).collect());
        assert!(
            text.starts_with("0\n1\n") && text.ends_with("99998\n99999") && text.contains("bytes left out")
        );
        assert!(text.len() < HEAD + TAIL + 100);
    }

    #[test]
    fn letters_survive_the_seam() {
        let mut bytes = vec![b'a'; HEAD - 1];
        bytes.extend_from_slice("é".as_bytes());
        assert!(heard(bytes).ends_with("aé"));
    }
}
