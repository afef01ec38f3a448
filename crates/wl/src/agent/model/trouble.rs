//! What can go wrong with a model's service, and what the person is told. Nothing about tasks: the two layers know nothing
//! of each other.

use super::Secret;
use crate::failure::{FAILED, Failure};
use worklist::json::{Json, Object, parse};

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub(crate) kind: Kind,
    pub(crate) message: String,
    /// How long the service asked to be left alone, in milliseconds.
    pub(crate) wait_ms: Option<u64>,
}

/// Which kind of trouble it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nobody answered at all.
    Unreachable,
    /// The key is not accepted.
    Unauthorized,
    /// No such model, or no such service at the address.
    NotFound,
    /// The service cannot answer now.
    Busy,
    /// The stream was cut, or says what makes no sense.
    Broken,
    /// Nothing was heard for too long.
    Silent,
    /// The service does not want this request.
    Rejected,
    /// The person broke it off.
    Interrupted,
}

impl Trouble {
    pub(super) fn new(kind: Kind, message: impl Into<String>) -> Trouble {
        Trouble { kind, message: message.into(), wait_ms: None }
    }

    pub(super) fn broken(what: &str) -> Trouble {
        Trouble::new(Kind::Broken, what)
    }

    pub(super) fn interrupted() -> Trouble {
        Trouble::new(Kind::Interrupted, "it was broken off")
    }

    pub(super) fn silent(milliseconds: u64) -> Trouble {
        Trouble::new(Kind::Silent, format!("nothing was heard for {} s", milliseconds.div_ceil(1000)))
    }

    /// What an answer that is not a success means.
    pub(super) fn of_status(status: u16, body: &str, wait_ms: Option<u64>) -> Trouble {
        let kind = match status {
            401 | 403 => Kind::Unauthorized,
            404 => Kind::NotFound,
            408 | 409 | 425 | 429 | 500.. => Kind::Busy,
            _ => Kind::Rejected,
        };
        let said = parse(body).ok().and_then(|it| said(&it)).map(|it| format!(": {it}")).unwrap_or_default();
        Trouble { kind, message: format!("the service answered {status}{said}"), wait_ms }
    }

    /// What an error within a stream means.
    pub(super) fn of_event(event: &Json) -> Trouble {
        let error = event.as_object().and_then(|it| it.get("error")).and_then(Json::as_object);
        let word = error.and_then(|it| it.get("type")).and_then(Json::as_str).unwrap_or_default();
        let kind = match word {
            "authentication_error" | "permission_error" => Kind::Unauthorized,
            "not_found_error" => Kind::NotFound,
            "invalid_request_error" | "request_too_large" => Kind::Rejected,
            _ => Kind::Busy,
        };
        let said = said(event).unwrap_or_else(|| "an error without words".to_owned());
        Trouble::new(kind, format!("the service broke off: {said}"))
    }

    /// Whether it may be gone the next time.
    pub(super) fn passes(&self) -> bool {
        matches!(self.kind, Kind::Unreachable | Kind::Busy | Kind::Broken | Kind::Silent)
    }

    /// The same without the key, whoever repeated it.
    pub(super) fn hiding(self, key: &Secret) -> Trouble {
        Trouble { message: key.hide(&self.message), ..self }
    }
}

/// The words of an error, in the shapes that services have for it.
fn said(value: &Json) -> Option<String> {
    let object = value.as_object()?;
    let inner = object.get("error").or_else(|| object.get("message"))?;
    let text = match inner {
        Json::String(text) => text,
        other => other.as_object()?.get("message")?.as_str()?,
    };
    Some(text.chars().take(500).collect())
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        let (code, hint) = match trouble.kind {
            Kind::Unreachable => ("unreachable", Some("look at the network and at --base-url")),
            Kind::Unauthorized => {
                ("unauthorized", Some("look at the key: ANTHROPIC_API_KEY, OPENAI_API_KEY or `model.key`"))
            }
            Kind::NotFound => ("no_model", Some("look at --model and --base-url")),
            Kind::Busy | Kind::Broken | Kind::Silent => {
                ("unreachable", Some("try again later; the tasks are as they were left"))
            }
            Kind::Rejected => ("rejected", None),
            Kind::Interrupted => ("interrupted", None),
        };
        let message = format!("the model did not answer: {}", trouble.message);
        Failure { code, message, hint: hint.map(str::to_owned), data: Object::new(), exit: FAILED }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_whether_to_try_again() {
        let passes = |status| Trouble::of_status(status, "", None).passes();
        assert!([429, 500, 502, 503, 529].into_iter().all(passes));
        assert!(![400, 401, 403, 404, 413].into_iter().any(passes));
    }

    #[test]
    fn the_services_words_are_passed_on() {
        let told = |body| Trouble::of_status(400, body, None).message;
        assert_eq!(
            told(r#"{"type":"error","error":{"type":"x","message":"too long"}}"#),
            "the service answered 400: too long"
        );
        assert_eq!(told(r#"{"error":"model missing"}"#), "the service answered 400: model missing");
        assert_eq!(told("<html>"), "the service answered 400");
    }
}
