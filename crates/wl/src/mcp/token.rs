//! The tokens by which clients over HTTP are known. Each is one client: a session that was opened with one is closed to
//! the others. Not how they are sent.
#![expect(clippy::disallowed_methods, reason = "tokens are kept in a file that only the user can read")]

use super::http::Token;
use crate::{failure::Failure, own_files};
use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
};

/// A token that somebody else made must be at least so long.
const SHORTEST: usize = 32;

/// Where tokens come from.
pub(super) enum Tokens {
    /// From a file of the user's.
    Given(Vec<Token>, PathBuf),
    /// Made for this start, to be written into this folder.
    Made(Token, PathBuf),
}

impl Tokens {
    /// Writes down what was made; where the tokens are, for the user, and the tokens.
    pub(super) fn announced(self, address: SocketAddr) -> Result<(String, Vec<Token>), Failure> {
        let at = format!("serving MCP at http://{address}/mcp");
        match self {
            Tokens::Given(tokens, path) => {
                Ok((format!("{at}, with the tokens of {}", path.display()), tokens))
            }
            Tokens::Made(token, folder) => {
                let path = folder.join(format!("mcp-{}.token", address.port()));
                let failed = |error| Failure::other(&format!("write {}", path.display()), &error);
                own_files::make_folder(&folder).map_err(failed)?;
                own_files::write(&path, &format!("{}\n", token.secret)).map_err(failed)?;
                Ok((format!("{at}; the token is in {}", path.display()), vec![token]))
            }
        }
    }
}

pub(super) fn tokens(
    file: Option<&Path>,
    state: Option<&Path>,
    address: SocketAddr,
) -> Result<Tokens, Failure> {
    if !address.ip().is_loopback() {
        let hint = "use 127.0.0.1 or [::1]; for other machines put a proxy with TLS in front";
        return Err(Failure::invalid("--http", "must be an address of this machine alone", Some(hint)));
    }
    if let Some(file) = file {
        let failed = |error| Failure::other(&format!("read {}", file.display()), &error);
        let tokens = parsed(&fs::read_to_string(file).map_err(failed)?)?;
        return Ok(Tokens::Given(tokens, file.to_owned()));
    }
    let mut bytes = [0_u8; 32];
    let failed = |error: getrandom::Error| Failure::other("make a token", &error);
    getrandom::fill(&mut bytes).map_err(failed)?;
    let secret = bytes.iter().fold(String::new(), |text, it| text + &format!("{it:02x}"));
    let folder = state.map_or_else(|| PathBuf::from(".worklist-state"), Path::to_owned);
    Ok(Tokens::Made(Token { name: None, secret }, folder))
}

/// One token on each line, or a name and a token.
fn parsed(text: &str) -> Result<Vec<Token>, Failure> {
    let lines = text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#'));
    let tokens: Vec<Token> = lines
        .map(|line| match line.rsplit_once(char::is_whitespace) {
            Some((name, secret)) => Token { name: Some(name.trim().to_owned()), secret: secret.to_owned() },
            None => Token { name: None, secret: line.to_owned() },
        })
        .collect();
    if tokens.is_empty() || tokens.iter().any(|it| it.secret.len() < SHORTEST) {
        let reason = format!("must hold tokens of at least {SHORTEST} characters, one on each line");
        return Err(Failure::invalid("--token-file", &reason, None));
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_name_clients_or_not() {
        let secret = "x".repeat(32);
        let tokens = parsed(&format!("# all\n\nann {secret}\n{secret}\n")).expect("tokens");
        assert_eq!(tokens.iter().map(|it| it.name.as_deref()).collect::<Vec<_>>(), [Some("ann"), None]);
        assert!(parsed("short").is_err() && parsed("").is_err());
    }
}
