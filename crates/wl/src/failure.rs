//! What went wrong, as a person and a script are told: code, sentence, hint, exit code. Chosen here and nowhere else.

use worklist::{
    Error, Refusal, TaskId,
    format::Unclear,
    json::{Json, Object},
};

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// What explains it, for scripts.
    pub(crate) data: Object,
    pub(crate) exit: u8,
}

/// Exit codes, as documented.
pub(crate) const FAILED: u8 = 1;
pub(crate) const USAGE: u8 = 2;
const REFUSED: u8 = 3;
const NOT_FOUND: u8 = 4;
const STALE: u8 = 5;
pub(crate) const NOTHING: u8 = 6;

/// The exit code of an error's word.
pub(crate) fn exit_of(code: &str) -> u8 {
    match code {
        "invalid" | "usage" | "other_format" | "unknown_tool" => USAGE,
        "not_found" | "no_list" | "no_event" | "no_run" => NOT_FOUND,
        "stale_token" => STALE,
        "nothing_ready" => NOTHING,
        "io" | "unsettled" | "locked" | "contended" | "unreadable" | "newer" | "older" | "server"
        | "unanswered" | "unfit" | "unclear_format" | "not_set_up" | "outdated" | "unreachable"
        | "unauthorized" | "no_model" | "rejected" | "interrupted" | "unfinished" => FAILED,
        _ => REFUSED,
    }
}

impl Failure {
    /// A value that cannot be taken.
    pub(crate) fn invalid(field: &str, reason: &str, hint: Option<&str>) -> Failure {
        let data = Object::new().with("field", field);
        let message = format!("{field} {reason}");
        Failure { code: "invalid", message, hint: hint.map(str::to_owned), data, exit: USAGE }
    }

    /// A list that is not there, although it was a moment ago.
    pub(crate) fn gone(folder: &std::path::Path) -> Failure {
        Error::NoList { path: folder.to_owned() }.into()
    }

    /// What a model is told when the list cannot be used at all.
    pub(crate) fn told(&self) -> String {
        let hint = self.hint.as_ref().map(|it| format!(" {it}.")).unwrap_or_default();
        format!("Failed: {}.{hint}", self.message)
    }

    /// A task for which nothing was run.
    pub(crate) fn no_run(id: &TaskId) -> Failure {
        let message = format!("nothing was run for task {id}");
        let hint = Some("`wl runs` shows what was".to_owned());
        Failure {
            code: "no_run",
            message,
            hint,
            data: Object::new().with("id", id.as_str()),
            exit: NOT_FOUND,
        }
    }

    /// Something of this machine that did not work.
    pub(crate) fn other(action: &str, error: &(dyn std::error::Error + 'static)) -> Failure {
        let message = format!("could not {action}: {error}");
        let hint = error.downcast_ref().and_then(lacking).map(str::to_owned);
        Failure { code: "io", message, hint, data: Object::new(), exit: FAILED }
    }
}

/// The known word that is nearest to one that is not, if any is near.
pub(crate) use worklist::nearest::nearest;

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        if let Error::Refused(refusal) = error {
            return refused(&refusal);
        }
        let hint = match &error {
            Error::NoList { .. } => {
                Some("make one with `wl init`, or name another with --dir or --list".to_owned())
            }
            Error::Format { why: Unclear::Two { .. }, .. } => {
                Some("move the files of one format to a folder of their own".to_owned())
            }
            Error::Format { why: Unclear::Unknown { .. }, .. } => {
                Some("a list needs a folder of its own, such as .tasks".to_owned())
            }
            Error::OtherFormat { .. } => Some("leave --format out".to_owned()),
            Error::Locked { .. } => Some("it will be free in a moment; try again".to_owned()),
            Error::ForeignLocked { .. } => {
                Some("try again; a lock that nobody refreshes is taken over after some seconds".to_owned())
            }
            Error::Contended { .. } => Some("try again".to_owned()),
            Error::Unreadable { file, .. } => Some(format!("look at {file}; nothing was changed")),
            Error::Newer { .. } => {
                Some("a newer `wl` wrote it: use that one; nothing was changed".to_owned())
            }
            Error::Unfit { .. } => Some("put the list on a local disk".to_owned()),
            Error::Older { found: 0, .. } => {
                Some("its owner makes room for lists with `wl store init`".to_owned())
            }
            Error::Older { .. } => Some("its owner brings it up to date with `wl store migrate`".to_owned()),
            Error::Server { .. } | Error::Silent { .. } => {
                Some("`wl store status` tries the way to it; nothing was changed".to_owned())
            }
            Error::Unanswered { .. } => {
                Some("look before you repeat it: `wl log` shows whether it was made".to_owned())
            }
            Error::NoEvent { .. } => Some("`wl log` shows the history".to_owned()),
            Error::Io { source, .. } => io_hint(source),
            Error::Unsettled(_) => {
                Some("it need not be repeated: once that is mended, the next command writes them".to_owned())
            }
            _ => None,
        };
        let exit = exit_of(error.code());
        Failure { code: error.code(), message: error.to_string(), hint, data: Object::new(), exit }
    }
}

fn io_hint(error: &std::io::Error) -> Option<String> {
    use std::io::ErrorKind as Kind;
    let hint = match error.kind() {
        Kind::PermissionDenied => "the folder or its files are not yours to write; `wl doctor` says which",
        Kind::ReadOnlyFilesystem => "the file system is read-only; looking works, changing does not",
        Kind::StorageFull | Kind::QuotaExceeded => "make room; nothing was changed",
        Kind::NotADirectory => "a list is a folder; name another with --dir",
        _ if error.to_string().contains("symbolic link") => {
            "a link in the place of a list is followed only if it is named with --dir and yours"
        }
        _ => return lacking(error).map(str::to_owned),
    };
    Some(hint.to_owned())
}

/// What to try where the system lacks something that only it has a name for.
#[cfg(unix)]
fn lacking(error: &std::io::Error) -> Option<&'static str> {
    use rustix::io::Errno;
    match Errno::from_io_error(error)? {
        Errno::MFILE | Errno::NFILE => {
            Some("too many files are open; close some, or allow more with `ulimit -n`")
        }
        Errno::NOLCK | Errno::OPNOTSUPP => {
            Some("this file system cannot keep processes apart; put the list on a local disk")
        }
        _ => None,
    }
}

#[cfg(not(unix))]
fn lacking(_error: &std::io::Error) -> Option<&'static str> {
    None
}

fn refused(refusal: &Refusal) -> Failure {
    let ids = |ids: &[TaskId]| Json::strings(ids);
    let mut data = Object::new();
    let hint = match refusal {
        Refusal::NotFound { id } => {
            data.set("id", id.as_str());
            Some("`wl list --all` shows every task".to_owned())
        }
        Refusal::Blocked { id, by, missing } => {
            data.set("id", id.as_str());
            data.set("by", ids(by));
            data.set("missing", ids(missing));
            let hint = match (missing.first(), by.first()) {
                (Some(gone), _) => {
                    format!(
                        "task {gone} does not exist; `wl edit {id} --not-after {gone}` takes the edge out"
                    )
                }
                (None, Some(first)) => format!("complete {first} first; `wl why {id}` says more"),
                (None, None) => "complete them first".to_owned(),
            };
            Some(hint)
        }
        Refusal::AlreadyClaimed { id, by, until, mine } => {
            data.set("id", id.as_str());
            data.set_some("by", by.as_deref());
            data.set_some("until", until.map(|it| it.to_string()));
            data.set("mine", *mine);
            let resume = format!(
                "if that was you, `wl claim {id} --resume` gives its number again; if not, use a --session of your own"
            );
            let other = "take another one: `wl next` gives you one that is ready";
            Some(if *mine { resume } else { other.to_owned() })
        }
        Refusal::AgentBusy { agent, with } => {
            data.set("agent", agent.as_str());
            data.set("with", ids(with));
            Some("complete that first".to_owned())
        }
        Refusal::Cycle { path } => {
            data.set("path", ids(path));
            Some("leave one of these edges out".to_owned())
        }
        Refusal::StaleToken { id, holder } => {
            data.set("id", id.as_str());
            data.set_some("holder", holder.as_deref());
            let hint = match holder {
                Some(holder) => format!("{holder} has it now; what you do on it will not count"),
                None => "claim it first".to_owned(),
            };
            Some(hint)
        }
        Refusal::Invalid { field, .. } => {
            data.set("field", field.as_str());
            None
        }
        Refusal::Parked { id, lost, failed } => {
            data.set("id", id.as_str());
            data.set("lost", u64::from(*lost));
            data.set("failed", u64::from(*failed));
            Some(format!("look at why (`wl log {id}`); then `wl claim {id} --force` takes it"))
        }
        Refusal::Denied { id, moment, reason } => {
            data.set("id", id.as_str());
            data.set("moment", *moment);
            data.set("reason", reason.as_str());
            None
        }
        Refusal::AlreadyResolved { id } | Refusal::SelfEdge { id } | Refusal::Exists { id } => {
            data.set("id", id.as_str());
            None
        }
        Refusal::ChangedSince { id, fields } => {
            data.set("id", id.as_str());
            data.set("fields", Json::strings(fields));
            Some(format!("undo the later changes first; `wl log {id}` shows them"))
        }
    };
    let exit = exit_of(refusal.code());
    Failure { code: refusal.code(), message: refusal.to_string(), hint, data, exit }
}
