//! The key of a service: used in a header, and shown nowhere. Not where it comes from.

use std::fmt;

/// Shorter ones are no keys: hiding them would tear holes into every text.
const SHORTEST: usize = 6;

/// A key, if there is one.
#[derive(Clone)]
pub(crate) struct Secret(Option<String>);

impl Secret {
    pub(super) fn new(key: Option<String>) -> Secret {
        Secret(key)
    }

    /// The key itself, for a header.
    pub(super) fn reveal(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// A text without the key.
    pub(crate) fn hide(&self, text: &str) -> String {
        self.hidden().map_or_else(|| text.to_owned(), |key| text.replace(key, "[key]"))
    }

    /// How much of a text that goes on can be shown: its end may be the beginning of the key.
    pub(super) fn settled(&self, text: &str) -> usize {
        let key = self.hidden().unwrap_or_default();
        let begun = |length: &usize| key.get(..*length).is_some_and(|it| text.ends_with(it));
        text.len() - (1..key.len()).rev().find(begun).unwrap_or(0)
    }

    fn hidden(&self) -> Option<&str> {
        self.reveal().filter(|it| it.len() >= SHORTEST)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_key_is_shown_nowhere() {
        let key = Secret::new(Some("sk-123456".to_owned()));
        assert_eq!(key.hide("no sk-123456 here"), "no [key] here");
        assert_eq!(format!("{key:?}"), "Secret");
        assert_eq!((key.settled("so sk-1"), key.settled("so sk-2"), key.settled("s")), (3, 7, 0));
    }
}
