//! Standard input, soon: a client that leaves it open does not hold us up. Not what stands in it.

use std::{io::Read, sync::mpsc::channel, thread, time::Duration};

/// Larger inputs are not read.
const MOST_BYTES: u64 = 4 * 1024 * 1024;
/// The client writes at once; whoever leaves the pipe open does not hold us up.
const PATIENCE: Duration = Duration::from_millis(600);

/// Reads it to its end, or says why not.
pub(super) fn read() -> Result<String, String> {
    let (sender, read) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let done = std::io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes);
        _ = sender.send(done.map(|_| bytes));
    });
    let bytes = read.recv_timeout(PATIENCE).map_err(|_| "standard input does not end".to_owned())?;
    let bytes = bytes.map_err(|error| format!("standard input cannot be read: {error}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err("the input is larger than 4 MiB".to_owned());
    }
    String::from_utf8(bytes).map_err(|_| "the input is not UTF-8".to_owned())
}
