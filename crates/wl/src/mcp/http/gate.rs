//! Who may come in over HTTP: whoever knows the server's own name, is not a page of another place, and has a token. A
//! session belongs to the token that opened it. Not what is done inside.

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, Response, StatusCode, header},
    middleware::Next,
};
use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

/// So many sessions are remembered; beyond that all are forgotten, and have to begin anew.
const MOST_SESSIONS: usize = 10_000;
/// The number of a session in the older protocol.
const SESSION: &str = "mcp-session-id";

/// One client's token.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    /// How the client is called, if somebody said so.
    pub(crate) name: Option<String>,
    pub(crate) secret: String,
}

impl Token {
    /// Whether somebody has this token. Takes as long for a wrong one, however wrong.
    fn is(&self, offered: &str) -> bool {
        let (own, offered) = (self.secret.as_bytes(), offered.as_bytes());
        let differences = own.iter().zip(offered.iter().chain(std::iter::repeat(&0)));
        let differ = differences.fold(0, |all, (a, b)| all | (a ^ b));
        differ == 0 && own.len() == offered.len()
    }
}

/// Who a request over HTTP comes from.
#[derive(Debug, Clone)]
pub(crate) struct Guest {
    /// What tells its token from others.
    pub(crate) key: String,
    /// How the owner of the token is called, if it was said.
    pub(crate) name: Option<String>,
    /// The session that it opened, in the older protocol.
    pub(crate) session: Option<String>,
}

impl Guest {
    /// The session that it acts in: its own, or the one that it names, which is never another token's.
    pub(crate) fn session_or(&self, told: Option<&str>) -> String {
        let own = self.session.as_deref().or(told).unwrap_or_default();
        format!("{}-{own}", self.key).trim_end_matches('-').to_owned()
    }
}

/// The names under which this very server is known.
pub(super) fn names(own: SocketAddr) -> [String; 2] {
    [own.to_string(), format!("localhost:{}", own.port())]
}

/// What stands before every request.
pub(super) struct Gate {
    tokens: Vec<Token>,
    own: SocketAddr,
    /// Session → the place of the token that opened it.
    sessions: Mutex<HashMap<String, usize>>,
}

pub(super) async fn enter(State(gate): State<Arc<Gate>>, mut request: Request, next: Next) -> Response<Body> {
    let place = match gate.place(request.headers()) {
        Ok(place) => place,
        Err((status, reason)) => return refused(status, reason),
    };
    let session = text(request.headers(), SESSION).map(str::to_owned);
    if session.as_ref().is_some_and(|it| !gate.is_of(it, place)) {
        return refused(StatusCode::NOT_FOUND, "there is no such session");
    }
    let guest = Guest { key: format!("http{place}"), name: gate.tokens[place].name.clone(), session };
    request.extensions_mut().insert(guest);
    let response = next.run(request).await;
    if let Some(opened) = text(response.headers(), SESSION) {
        gate.remember(opened, place);
    }
    response
}

impl Gate {
    pub(super) fn new(tokens: Vec<Token>, own: SocketAddr) -> Gate {
        Gate { tokens, own, sessions: Mutex::default() }
    }

    /// Which token a request has; why it may not come in.
    fn place(&self, headers: &HeaderMap) -> Result<usize, (StatusCode, &'static str)> {
        let names = names(self.own);
        if !text(headers, header::HOST.as_str()).is_some_and(|it| names.iter().any(|name| name == it)) {
            return Err((StatusCode::FORBIDDEN, "this server is not known under that name"));
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let is_own = |origin: &str| names.iter().any(|name| origin == format!("http://{name}"));
        if !origins.all(|it| it.to_str().is_ok_and(is_own)) {
            return Err((StatusCode::FORBIDDEN, "pages of other places may not call this server"));
        }
        let offered = text(headers, header::AUTHORIZATION.as_str()).and_then(|it| it.strip_prefix("Bearer "));
        let place = offered.and_then(|it| self.tokens.iter().position(|token| token.is(it)));
        place.ok_or((StatusCode::UNAUTHORIZED, "a token is needed: Authorization: Bearer TOKEN"))
    }

    fn is_of(&self, session: &str, place: usize) -> bool {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).get(session) == Some(&place)
    }

    fn remember(&self, session: &str, place: usize) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.len() >= MOST_SESSIONS {
            sessions.clear();
        }
        sessions.entry(session.to_owned()).or_insert(place);
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn refused(status: StatusCode, reason: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(reason));
    *response.status_mut() = status;
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_very_token_is_it() {
        let token = Token { name: None, secret: "abc".to_owned() };
        assert!(token.is("abc"));
        for other in ["", "ab", "abd", "abcd", "abc\0", "ABC"] {
            assert!(!token.is(other), "{other:?}");
        }
    }
}
