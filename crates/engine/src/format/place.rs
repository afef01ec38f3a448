//! Where the list of a name lies, by the rules of each format. Pure: the surroundings come in as values.

use std::path::{Path, PathBuf};

/// What the environment says; empty texts count as unset.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The list asked for by name.
    pub list: Option<String>,
    /// `CLAUDE_CODE_TASK_LIST_ID`
    pub task_list_id: Option<String>,
    /// `CLAUDE_TEAM_NAME`
    pub team_name: Option<String>,
    /// `CLAUDE_CODE_SESSION_ID`
    pub session_id: Option<String>,
    /// Whether agent teams are on and the folder `session-<8 hex>` is there.
    pub team_of_session: bool,
    /// The folder that holds `package.json` or `.git`, by name.
    pub project: Option<String>,
    /// The current folder.
    pub here: PathBuf,
    /// `CLAUDE_CONFIG_DIR`, else `~/.claude`
    pub claude: PathBuf,
}

/// The folder of the list that a format would use here.
pub fn place(format: &str, around: &Surroundings) -> PathBuf {
    let first = |texts: &[&Option<String>]| -> Option<String> {
        texts
            .iter()
            .find_map(|it| it.as_deref().map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned))
    };
    let chosen = first(&[&around.list, &around.task_list_id]);
    let tasks = around.claude.join("tasks");
    match format {
        "claude" => {
            let session = first(&[&around.session_id]);
            let team = session.as_ref().filter(|_| around.team_of_session).map(|it| session_team(it));
            let id = chosen.or(team).or(session).unwrap_or_else(|| "default".to_owned());
            tasks.join(sanitized(&id))
        }
        "tasks-json" => {
            let here = around.here.file_name().map(|it| it.to_string_lossy().into_owned());
            let id =
                chosen.or_else(|| first(&[&around.project, &here])).unwrap_or_else(|| "default".to_owned());
            tasks.join(sanitized(&id))
        }
        "v6" => {
            let base = around.here.join(".tasks");
            match chosen.or_else(|| first(&[&around.team_name])) {
                Some(id) if id != "default" => base.join(sanitized(&id)),
                _ => base,
            }
        }
        _ => around.here.join(".tasks"),
    }
}

/// The name of the team of a session.
pub fn session_team(session: &str) -> String {
    let hex: String = session.chars().filter(char::is_ascii_hexdigit).take(8).collect();
    format!("session-{hex}")
}

/// A list's or task's name as a folder or file name: every UTF-16 unit outside `[A-Za-z0-9_-]` becomes `-`.
pub fn sanitized(name: &str) -> String {
    let plain =
        |unit: u16| u8::try_from(unit).ok().filter(|it| it.is_ascii_alphanumeric() || b"_-".contains(it));
    name.encode_utf16().map(|unit| plain(unit).map_or('-', char::from)).collect()
}

/// Whether a folder lies where Claude Code keeps its lists.
pub fn is_claudes(folder: &Path, claude: &Path) -> bool {
    folder.parent() == Some(&claude.join("tasks"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_folders_as_the_real_client_makes_them() {
        for (name, folder) in [
            ("A b/c.d", "A-b-c-d"),
            ("../x", "---x"),
            ("ünï漢", "-n--"),
            ("🎉x", "--x"),
            (".", "-"),
            ("MiXed", "MiXed"),
            ("my-list_1", "my-list_1"),
        ] {
            assert_eq!(sanitized(name), folder);
        }
    }

    #[test]
    fn each_format_has_its_order() {
        let some = |text: &str| Some(text.to_owned());
        let mut around =
            Surroundings { here: "/w/proj".into(), claude: "/h/.claude".into(), ..Surroundings::default() };
        assert_eq!(place("claude", &around), Path::new("/h/.claude/tasks/default"));
        assert_eq!(place("tasks-json", &around), Path::new("/h/.claude/tasks/proj"));
        assert_eq!(place("v6", &around), Path::new("/w/proj/.tasks"));
        assert_eq!(place("s07", &around), Path::new("/w/proj/.tasks"));
        around.session_id = some("b0aa1d6c-0000-4000-8000-000000000000");
        around.project = some("webapp");
        around.team_name = some("red");
        assert_eq!(place("tasks-json", &around), Path::new("/h/.claude/tasks/webapp"));
        assert_eq!(place("v6", &around), Path::new("/w/proj/.tasks/red"));
        assert!(place("claude", &around).ends_with("b0aa1d6c-0000-4000-8000-000000000000"));
        around.team_of_session = true;
        assert!(place("claude", &around).ends_with("session-b0aa1d6c"));
        around.task_list_id = some(" ../x ");
        for format in ["claude", "tasks-json"] {
            assert_eq!(place(format, &around), Path::new("/h/.claude/tasks/---x"));
        }
        around.task_list_id = some("");
        assert!(place("claude", &around).ends_with("session-b0aa1d6c"));
    }
}
