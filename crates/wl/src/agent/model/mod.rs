//! A model behind a service: asked with a conversation, it answers with one turn, streamed. Not what is done with the
//! turn, and nothing about tasks.

mod anthropic;
mod http;
mod openai;
mod retry;
mod secret;
mod stream;
mod trouble;

pub(super) use secret::Secret;
pub(super) use trouble::{Kind, Trouble};

use super::{
    conversation::{Call, Conversation, Turn},
    interrupt::Interrupts,
};
use http::{Heard, Request};
use retry::Retry;
use std::{
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::Duration,
};
use stream::Lines;
use worklist::{
    clock::{Clock, SystemClock},
    json::{Json, Object, Style, write},
};

/// So often it is looked whether the person wants something else.
const STEP_MS: u64 = 25;

/// How a service wants to be spoken to. Pure: bytes are sent elsewhere.
trait Wire: Sync {
    /// What comes after the base of the address.
    fn path(&self) -> &'static str;
    fn headers(&self, key: &Secret) -> Vec<(&'static str, String)>;
    fn body(&self, model: &str, conversation: &Conversation) -> Object;
    fn listener(&self) -> Box<dyn Listener>;
}

/// Puts a turn together from the events of a stream.
trait Listener {
    /// Takes the data of one event; text that is new in it.
    fn hear(&mut self, data: &str) -> Result<Option<String>, Trouble>;
    /// The turn, if the stream came to its end.
    fn turn(&mut self) -> Result<Turn, Trouble>;
}

/// The services that are spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Provider {
    /// The Messages API.
    Anthropic,
    /// Chat completions, of `OpenAI` and of all that speak like it.
    OpenAi,
}

impl Provider {
    pub(crate) const ALL: [Provider; 2] = [Provider::Anthropic, Provider::OpenAi];

    /// Its name in flags and settings.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Provider::Anthropic => "anthropic",
            Provider::OpenAi => "openai",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Provider> {
        Provider::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Where the service is, unless told otherwise.
    pub(crate) fn usual_url(self) -> &'static str {
        match self {
            Provider::Anthropic => "https://api.anthropic.com",
            Provider::OpenAi => "https://api.openai.com/v1",
        }
    }

    fn wire(self) -> &'static dyn Wire {
        match self {
            Provider::Anthropic => &anthropic::Anthropic,
            Provider::OpenAi => &openai::OpenAi,
        }
    }
}

/// A model at an address.
pub(super) struct Model {
    provider: Provider,
    name: String,
    url: String,
    key: Secret,
    client: http::Client,
    retry: Retry,
    patience_ms: u64,
}

/// Where a model is and how long it is waited for.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    pub(crate) provider: Provider,
    pub(crate) model: String,
    pub(crate) url: String,
    pub(crate) key: Option<String>,
    pub(crate) retries: u32,
    pub(crate) patience_ms: u64,
}

/// What happens while a turn is waited for.
pub(super) enum Progress<'a> {
    /// More of the text.
    Text(&'a str),
    /// It did not work; it is tried again after so many milliseconds.
    Again(&'a Trouble, u64),
}

impl Model {
    pub(super) fn new(endpoint: &Endpoint) -> Model {
        Model {
            provider: endpoint.provider,
            name: endpoint.model.clone(),
            url: endpoint.url.trim_end_matches('/').to_owned(),
            key: Secret::new(endpoint.key.clone()),
            client: http::Client::new(endpoint.patience_ms),
            retry: Retry { most: endpoint.retries },
            patience_ms: endpoint.patience_ms,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// A text without the key.
    pub(super) fn hide(&self, text: &str) -> String {
        self.key.hide(text)
    }

    /// The next turn. What passes is tried again, a bounded number of times.
    pub(super) fn turn(
        &self,
        conversation: &Conversation,
        interrupts: &Interrupts,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Turn, Trouble> {
        let mut attempt = 0;
        loop {
            let trouble = match self.once(conversation, interrupts, tell) {
                Ok(turn) => return Ok(turn),
                Err(trouble) => trouble.hiding(&self.key),
            };
            let wait = self.retry.wait(attempt, &trouble, SystemClock.random());
            let Some(wait) = wait else { return Err(trouble) };
            tell(Progress::Again(&trouble, wait));
            pause(wait, interrupts)?;
            attempt += 1;
        }
    }

    fn once(
        &self,
        conversation: &Conversation,
        interrupts: &Interrupts,
        tell: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Turn, Trouble> {
        if interrupts.came() {
            return Err(Trouble::interrupted());
        }
        let heard = self.client.send(self.request(conversation));
        let mut listener = self.provider.wire().listener();
        let mut lines = Lines::default();
        let mut unshown = String::new();
        let mut show = |text: &str| {
            if !text.is_empty() {
                tell(Progress::Text(text));
            }
        };
        while let Some(line) = self.line(&heard, interrupts)? {
            let Some(data) = lines.take(&line) else { continue };
            if let Some(text) = listener.hear(&data)? {
                unshown += &text;
                let rest = unshown.split_off(self.key.settled(&unshown));
                show(&self.key.hide(&unshown));
                unshown = rest;
            }
        }
        show(&unshown);
        if let Some(data) = lines.take("") {
            listener.hear(&data)?;
        }
        listener.turn().map(|turn| self.without_key(turn))
    }

    /// A turn in which the key is nowhere, whoever told it to the model.
    fn without_key(&self, turn: Turn) -> Turn {
        let call = |it: Call| Call { arguments: self.key.hide(&it.arguments), ..it };
        let calls = turn.calls.into_iter().map(call).collect();
        Turn { text: self.key.hide(&turn.text), calls, ..turn }
    }

    fn request(&self, conversation: &Conversation) -> Request {
        let wire = self.provider.wire();
        let body = wire.body(&self.name, conversation);
        Request {
            url: format!("{}{}", self.url, wire.path()),
            headers: wire.headers(&self.key),
            body: write(&Json::Object(body), Style::COMPACT, ""),
        }
    }

    /// The next line of the stream; none at its end.
    fn line(&self, heard: &Receiver<Heard>, interrupts: &Interrupts) -> Result<Option<String>, Trouble> {
        let began = SystemClock.ticks();
        loop {
            if interrupts.came() {
                return Err(Trouble::interrupted());
            }
            match heard.recv_timeout(Duration::from_millis(STEP_MS)) {
                Ok(Heard::Line(line)) => return Ok(Some(line)),
                Ok(Heard::End) => return Ok(None),
                Ok(Heard::Trouble(trouble)) => return Err(trouble),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::broken("the connection was lost"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if SystemClock.ticks().saturating_sub(began) >= self.patience_ms {
                return Err(Trouble::silent(self.patience_ms));
            }
        }
    }
}

/// Waits, unless the person does not want to.
fn pause(milliseconds: u64, interrupts: &Interrupts) -> Result<(), Trouble> {
    let until = SystemClock.ticks() + milliseconds;
    while SystemClock.ticks() < until {
        if interrupts.came() {
            return Err(Trouble::interrupted());
        }
        SystemClock.sleep(STEP_MS);
    }
    Ok(())
}
