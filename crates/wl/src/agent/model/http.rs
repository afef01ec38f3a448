//! Requests over the network, each in a thread of its own: whoever waits for the answer can also stop waiting. The only
//! file that knows the HTTP library. Not what is sent, nor what the answer means.

use super::{Kind, Trouble};
use std::{
    io::{BufRead, BufReader, Read},
    sync::{
        Arc, OnceLock,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};
use ureq::{
    Agent, Body,
    http::Response,
    tls::{Certificate, RootCerts, TlsConfig},
};

/// So long a connection may take.
const CONNECT: Duration = Duration::from_secs(20);
/// No answer takes so long; a thread that nobody waits for any more ends by it.
const LONGEST: Duration = Duration::from_mins(30);
/// A longer line is none of ours.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// So much of an error is read.
const ERROR_BYTES: u64 = 64 * 1024;

/// What is sent.
pub(super) struct Request {
    pub(super) url: String,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
}

/// What comes back: lines of a stream and its end, or what went wrong.
pub(super) enum Heard {
    Line(String),
    End,
    Trouble(Trouble),
}

/// Connections to a service.
pub(super) struct Client {
    agent: OnceLock<Agent>,
    patience: Duration,
}

impl Client {
    pub(super) fn new(patience_ms: u64) -> Client {
        Client { agent: OnceLock::new(), patience: Duration::from_millis(patience_ms) }
    }

    /// Sends a request; what comes back can be waited for.
    pub(super) fn send(&self, request: Request) -> Receiver<Heard> {
        let agent = self.agent.get_or_init(|| agent(&request.url, self.patience)).clone();
        let (sender, heard) = channel();
        thread::spawn(move || {
            let last = match exchange(&agent, &request, &sender) {
                Ok(()) => Heard::End,
                Err(trouble) => Heard::Trouble(trouble),
            };
            // Whoever stopped listening knows why.
            _ = sender.send(last);
        });
        heard
    }
}

/// Redirects are not followed: the key is for this address alone.
fn agent(url: &str, patience: Duration) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_connect(Some(CONNECT))
        .timeout_per_read(Some(patience))
        .timeout_global(Some(LONGEST))
        .user_agent(concat!("worklist/", env!("CARGO_PKG_VERSION")));
    if url.starts_with("https:") { config.tls_config(tls()).build() } else { config.build() }.into()
}

/// The certificates that this machine trusts.
fn tls() -> TlsConfig {
    let found = rustls_native_certs::load_native_certs().certs;
    let roots: Vec<Certificate<'static>> =
        found.iter().map(|it| Certificate::from_der(it.as_ref()).to_owned()).collect();
    TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&roots))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build()
}

fn exchange(agent: &Agent, request: &Request, sender: &Sender<Heard>) -> Result<(), Trouble> {
    let mut post = agent.post(&request.url).header("content-type", "application/json");
    for (name, value) in &request.headers {
        post = post.header(*name, value);
    }
    let answer = post.send(request.body.as_bytes()).map_err(|error| unreachable(&error))?;
    if !answer.status().is_success() {
        return Err(refused(answer));
    }
    let mut reader = BufReader::new(answer.into_body().into_reader());
    while let Some(line) = line(&mut reader)? {
        if sender.send(Heard::Line(line)).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// The next line; none at the end.
fn line(reader: &mut impl BufRead) -> Result<Option<String>, Trouble> {
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(MOST_BYTES).read_until(b'\n', &mut bytes);
    read.map_err(|error| Trouble::broken(&format!("the connection was lost: {error}")))?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.pop_if(|it| *it == b'\n').is_none() && bytes.len() as u64 >= MOST_BYTES {
        return Err(Trouble::broken("a line of the stream is too long"));
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn refused(answer: Response<Body>) -> Trouble {
    let status = answer.status().as_u16();
    let wait = answer.headers().get("retry-after").and_then(|it| it.to_str().ok()).and_then(milliseconds);
    let mut body = Vec::new();
    // An error is told with as many words as came through.
    _ = answer.into_body().into_reader().take(ERROR_BYTES).read_to_end(&mut body);
    Trouble::of_status(status, &String::from_utf8_lossy(&body), wait)
}

/// Seconds, with a fraction or without; dates are not understood.
fn milliseconds(seconds: &str) -> Option<u64> {
    Duration::try_from_secs_f64(seconds.trim().parse().ok()?).ok()?.as_millis().try_into().ok()
}

/// Before there was an answer. That a connection was lost says nothing about what it was for.
fn unreachable(error: &ureq::Error) -> Trouble {
    let kind = match error {
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => Kind::Rejected,
        ureq::Error::Timeout(_) => Kind::Silent,
        _ => Kind::Unreachable,
    };
    Trouble::new(kind, error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_may_ask_for_time() {
        assert_eq!(milliseconds("2"), Some(2_000));
        assert_eq!(milliseconds(" 0.25 "), Some(250));
        assert_eq!(milliseconds("-1"), None);
        assert_eq!(milliseconds("Sun, 06 Nov 1994 08:49:37 GMT"), None);
    }

    #[test]
    fn lines_end_with_the_stream() {
        let mut text = "a\n\nb".as_bytes();
        let mut lines = Vec::new();
        while let Some(it) = line(&mut text).expect("a line") {
            lines.push(it);
        }
        assert_eq!(lines, ["a", "", "b"]);
    }
}
