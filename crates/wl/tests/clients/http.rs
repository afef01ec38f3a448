//! As much of HTTP as the scripted model needs: one request, one answer, end. Not a server for anybody else.

use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read, Result, Write},
    net::TcpStream,
};

pub(crate) struct Message {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: String,
    pub(crate) body: Vec<u8>,
}

/// The next request, unless the other side hung up.
pub(crate) fn read(stream: &mut TcpStream) -> Option<Message> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let (mut headers, mut length) = (String::new(), 0);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        match header.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok()?;
            }
            Some(_) => {}
            None => break,
        }
        headers += &header;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Message { method, path, headers, body })
}

pub(crate) fn json(stream: &mut TcpStream, status: u16, body: &Value) -> Result<()> {
    send(stream, status, "application/json", &body.to_string())
}

/// Server-sent events, each named as its type if it has one.
pub(crate) fn events(stream: &mut TcpStream, events: &[Value]) -> Result<()> {
    let name = |it: &Value| it["type"].as_str().map(|it| format!("event: {it}\n")).unwrap_or_default();
    let lines: Vec<String> = events.iter().map(|it| format!("{}data: {it}\n\n", name(it))).collect();
    send(stream, 200, "text/event-stream", &lines.concat())
}

fn send(stream: &mut TcpStream, status: u16, kind: &str, body: &str) -> Result<()> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} .\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(&[head.as_bytes(), body.as_bytes()].concat())
}
