//! A way to a server that can be cut at the worst moment: right around the message that commits. Not what is sent over it.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// What becomes of the first message that commits, and of its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The server commits and answers; the way is cut before the answer arrives.
    AnswerLost,
    /// The way is cut in the moment in which the message is passed on.
    CutAtOnce,
    /// The message never arrives.
    MessageLost,
    /// The server commits and answers, and nothing is ever heard again; nobody cuts anything.
    AnswerSwallowed,
    /// The message is swallowed, and so is everything after it; nobody cuts anything.
    MessageSwallowed,
}

/// What a server says when it is done and no transaction is open.
const IDLE: &[u8] = b"Z\0\0\0\x05I";
/// What is in every message that commits.
const COMMITS: &[u8] = b"worklist.commit(";

/// A way that goes bad once.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    fate: Arc<Mutex<Option<Fate>>>,
    met: Arc<AtomicUsize>,
}

impl Proxy {
    /// A way to a port on loopback.
    pub(crate) fn to(port: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let own = listener.local_addr().expect("a port").port();
        let (fate, met) = (Arc::<Mutex<Option<Fate>>>::default(), Arc::<AtomicUsize>::default());
        let (its, their) = (fate.clone(), met.clone());
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (fate, met) = (its.clone(), their.clone());
                let server = TcpStream::connect(("127.0.0.1", port)).expect("a server");
                thread::spawn(move || carry(client, server, &fate, &met));
            }
        });
        Proxy { port: own, fate, met }
    }

    /// The next message that commits meets this.
    pub(crate) fn expect(&self, fate: Fate) {
        *self.fate.lock().expect("nobody panicked") = Some(fate);
    }

    /// How many messages met what they were to meet.
    pub(crate) fn met(&self) -> usize {
        self.met.load(Ordering::SeqCst)
    }
}

/// Carries one connection, until its fate.
fn carry(mut client: TcpStream, server: TcpStream, fate: &Mutex<Option<Fate>>, met: &AtomicUsize) {
    let doom: Arc<Mutex<Option<Fate>>> = Arc::default();
    let mut to_server = server.try_clone().expect("a way");
    let back = (server, client.try_clone().expect("a way"), doom.clone());
    thread::spawn(move || answer(back.0, back.1, &back.2));
    while let Some(message) = chunk(&mut client) {
        if has(&message, COMMITS) && doom.lock().expect("nobody panicked").is_none() {
            let its = fate.lock().expect("nobody panicked").take();
            met.fetch_add(usize::from(its.is_some()), Ordering::SeqCst);
            *doom.lock().expect("nobody panicked") = its;
        }
        let its = *doom.lock().expect("nobody panicked");
        match its {
            Some(Fate::MessageSwallowed) => continue,
            Some(Fate::MessageLost) => break,
            _ => {}
        }
        if to_server.write_all(&message).is_err() || its == Some(Fate::CutAtOnce) {
            break;
        }
    }
    for way in [&client, &to_server] {
        // The other side may have done that already.
        _ = way.shutdown(Shutdown::Both);
    }
}

/// Carries the answers of a connection back.
fn answer(mut server: TcpStream, mut client: TcpStream, doom: &Mutex<Option<Fate>>) {
    let mut heard = Vec::new();
    while let Some(message) = chunk(&mut server) {
        let its = *doom.lock().expect("nobody panicked");
        match its {
            Some(Fate::AnswerSwallowed | Fate::MessageSwallowed) => continue,
            Some(Fate::AnswerLost | Fate::CutAtOnce) => {
                heard.extend_from_slice(&message);
                if its == Some(Fate::AnswerLost) && !has(&heard, IDLE) {
                    continue;
                }
                break;
            }
            _ => {}
        }
        if client.write_all(&message).is_err() {
            break;
        }
    }
    let swallows = matches!(
        *doom.lock().expect("nobody panicked"),
        Some(Fate::AnswerSwallowed | Fate::MessageSwallowed)
    );
    if !swallows {
        // The other side may have done that already.
        _ = client.shutdown(Shutdown::Both);
    }
}

fn chunk(from: &mut TcpStream) -> Option<Vec<u8>> {
    let mut buffer = vec![0; 1 << 20];
    let length = from.read(&mut buffer).ok().filter(|it| *it > 0)?;
    buffer.truncate(length);
    Some(buffer)
}

fn has(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|it| it == part)
}
