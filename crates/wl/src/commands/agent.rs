//! `wl agent`: a model works through tasks, at a prompt or on one goal. What was typed, set and found in the environment
//! becomes a way to work; not the work itself.

use super::{
    call::{set, sets},
    typed,
};
use crate::{
    agent::{Endpoint, Provider, Work, run as work},
    context::{Context, ModelVariables, model_name, model_variables},
    failure::Failure,
    output::{Answer, Document},
};
use clap::{Args, builder::PossibleValuesParser};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  wl agent                     # a conversation; /help shows its commands, Ctrl-C breaks off
  wl agent -p 'Plan the release, then do what is ready' --yes
  wl agent -p - --json < goal.md        # one JSON object for each event
  wl agent --provider openai --base-url http://localhost:11434/v1 --model qwen3
  wl agent --tools s12 --format s12     # the tools and files of a lesson

The key comes from ANTHROPIC_API_KEY or OPENAI_API_KEY, or from the user's settings:
  [model]
  provider = \"anthropic\"
  name = \"claude-sonnet-4-5\"
  key = \"…\"";

/// The model that is asked where nobody named one.
const USUAL_MODEL: &str = "claude-sonnet-4-5";

#[derive(Debug, Args)]
pub(crate) struct AgentArgs {
    /// Do this and end; `-` reads it from standard input
    #[arg(short = 'p', long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// The model
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Whose service it is
    #[arg(long, value_name = "NAME", value_parser = providers())]
    pub(crate) provider: Option<String>,
    /// Where the service is
    #[arg(long, value_name = "URL", value_parser = address)]
    pub(crate) base_url: Option<String>,
    /// The vocabulary of the tools for tasks; `ours` unless `CLAUDE_CODE_ENABLE_TASKS` switches tasks off, then `todo`
    #[arg(long, value_name = "SET", value_parser = sets())]
    pub(crate) tools: Option<String>,
    /// Run commands of the shell without asking
    #[arg(long)]
    pub(crate) yes: bool,
    /// Stop a piece of work after so many turns of the model
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: u32,
    /// The folder that the agent works in; files outside it are out of reach of its tools for files
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = clap::ValueHint::DirPath)]
    pub(crate) workspace: PathBuf,
    /// Remind the model of open tasks after so many turns without a change of tasks; 0 never
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) reminder: usize,
    /// A system text in the place of ours
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) system: Option<PathBuf>,
    /// So many tokens the model can take in; shortly before, the conversation is summarised
    #[arg(long, value_name = "N", default_value_t = 150_000)]
    pub(crate) context: usize,
    /// Ask again so often when the service is busy, out of reach or breaks off
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) retries: u32,
    /// Break off and ask again when nothing was heard for so long
    #[arg(long, value_name = "D", default_value = "2m", value_parser = typed::duration)]
    pub(crate) patience: i64,
}

fn providers() -> PossibleValuesParser {
    PossibleValuesParser::new(Provider::ALL.map(Provider::name))
}

/// An address as it was typed.
fn address(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_one =
        rest.is_some_and(|it| !it.is_empty() && !it.contains(char::is_whitespace) && !it.contains('@'));
    if is_one {
        Ok(text.to_owned())
    } else {
        Err("write https://HOST/PATH, without a name or a password".to_owned())
    }
}

pub(super) fn run(context: &Context, args: &AgentArgs) -> Result<Answer, Failure> {
    let how = Work {
        endpoint: endpoint(context, args)?,
        set: set(args.tools.as_deref()),
        prompt: args.prompt.as_deref().map(prompt).transpose()?,
        workspace: context.here.join(&args.workspace),
        system: args.system.as_deref().map(typed::text_of).transpose()?,
        allowed: args.yes,
        max_turns: usize::try_from(args.max_turns).unwrap_or(usize::MAX),
        reminder: args.reminder,
        context: args.context,
    };
    work(context, &how)?;
    Ok(Answer { json: Document::Streamed, ..Answer::default() })
}

fn prompt(typed: &str) -> Result<String, Failure> {
    let text = typed::text(typed, "the prompt")?;
    if text.trim().is_empty() { Err(Failure::invalid("PROMPT", "may not be empty", None)) } else { Ok(text) }
}

/// Which model, where, with which key. What a file says about one service is nothing for another.
fn endpoint(context: &Context, args: &AgentArgs) -> Result<Endpoint, Failure> {
    let setting = |key: &str| context.settings.text(key);
    let set = setting("model.provider").as_deref().and_then(Provider::named);
    let chosen = args.provider.as_deref().and_then(Provider::named).or(set);
    let provider = chosen.unwrap_or_else(|| known_by_key(setting("model.key").is_some()));
    let is_set = set.unwrap_or(Provider::Anthropic) == provider;
    let of_file = |key: &str| setting(key).filter(|_| is_set);
    let ModelVariables { key, url } = variables(provider);
    let usual = (provider == Provider::Anthropic).then(|| USUAL_MODEL.to_owned());
    let model = args.model.clone().or_else(model_name).or_else(|| of_file("model.name")).or(usual);
    let model = model.ok_or_else(|| Failure::invalid("--model", "must be given for this provider", None))?;
    let url = args.base_url.clone().or(url).or_else(|| of_file("model.url"));
    let key = key.or_else(|| of_file("model.key"));
    let endpoint = Endpoint {
        provider,
        model,
        url: url.unwrap_or_else(|| provider.usual_url().to_owned()),
        key,
        retries: args.retries,
        patience_ms: u64::try_from(args.patience).unwrap_or(0),
    };
    checked(endpoint)
}

/// Without a word on the provider: whose key there is.
fn known_by_key(in_file: bool) -> Provider {
    let has_key = |it: &Provider| variables(*it).key.is_some();
    let other = Provider::ALL.into_iter().find(has_key).filter(|_| !in_file);
    other.unwrap_or(Provider::Anthropic)
}

fn prefix(provider: Provider) -> &'static str {
    match provider {
        Provider::Anthropic => "ANTHROPIC",
        Provider::OpenAi => "OPENAI",
    }
}

fn variables(provider: Provider) -> ModelVariables {
    model_variables(prefix(provider))
}

fn checked(endpoint: Endpoint) -> Result<Endpoint, Failure> {
    let Endpoint { provider, url, key, .. } = &endpoint;
    if let Err(reason) = address(url) {
        return Err(Failure::invalid("--base-url", &format!("is no address: {reason}"), None));
    }
    if key.is_none() && url == provider.usual_url() {
        let name = format!("{}_API_KEY", prefix(*provider));
        let hint = "set it, or `model.key` in the user's settings; `wl agent --help` shows how";
        return Err(Failure::invalid(&name, "is not set: the service wants a key", Some(hint)));
    }
    if key.is_some() && !is_private(url) {
        let hint = "use https, or an address of this machine";
        return Err(Failure::invalid(
            "--base-url",
            "would send the key where others can read it",
            Some(hint),
        ));
    }
    Ok(endpoint)
}

/// Whether a key can be sent there: encrypted, or not leaving this machine.
fn is_private(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("http://") else { return true };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|it| it.is_ascii_digit()))
        .map_or(host, |it| it.0);
    let local = host.trim_start_matches('[').trim_end_matches(']');
    local == "localhost" || local.parse::<std::net::IpAddr>().is_ok_and(|it| it.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_goes_only_where_nobody_reads_along() {
        let private =
            ["https://a.example/v1", "http://localhost:1/v1", "http://127.0.0.1:8080", "http://[::1]:9/x"];
        assert!(private.into_iter().all(is_private));
        let open = [
            "http://a.example",
            "http://192.168.0.2:80/v1",
            "http://localhost.a.example",
            "http://127.0.0.1.a",
        ];
        assert!(!open.into_iter().any(is_private));
    }

    #[test]
    fn addresses_are_checked() {
        assert!(address("https://a.example/v1").is_ok() && address("http://127.0.0.1:1").is_ok());
        for odd in ["", "a.example", "ftp://a", "https://", "https://me:secret@a.example", "http://a b"] {
            assert!(address(odd).is_err(), "{odd}");
        }
    }
}
