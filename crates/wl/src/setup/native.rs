//! Claude Code's own task tools on a list of this project: two variables in the project's settings, and the list's folder,
//! which that program watches only if it is there when it starts. Not the hooks that guard it: they are in the plugin.

use super::{
    Part, Request, Scope, Site, What,
    entry::Entry,
    files::{Target, unreadable},
    records::Records,
};
use crate::{
    context::{Context, ListPlace},
    failure::Failure,
    own_files,
};
use std::path::{Path, PathBuf};
use worklist::{format::place::sanitized, json::Json};

const SETTINGS: &str = ".claude/settings.json";
const LIST: &str = "CLAUDE_CODE_TASK_LIST_ID";
const TOOLS: &str = "CLAUDE_CODE_ENABLE_TODO_TOOLS";

/// What must be there, and what a person should know of it.
pub(super) struct Native {
    pub(super) part: Part,
    pub(super) folder: PathBuf,
    pub(super) notes: Vec<String>,
}

pub(super) fn wanted(context: &Context, site: &Site) -> Result<Native, Failure> {
    let name = list_name(site)?;
    let folder = context.claude.join("tasks").join(sanitized(&name));
    let mut notes = vec![format!(
        "inside Claude Code, its task tools and `wl` both use the list {name} at {}; elsewhere `wl --list {name}` does",
        folder.display()
    )];
    let own = &context.folder;
    if context.place == ListPlace::Project && own.is_dir() {
        notes.push(format!(
            "the list at {own} stays as it is, and `wl` outside Claude Code still uses it; \
             `wl export --dir {own} | wl import - --list {name}` carries its tasks over",
            own = own.display()
        ));
    }
    Ok(Native { part: part(site, &name), folder, notes })
}

/// What an earlier set-up left in the settings: what is known to be ours, or what is named as such.
pub(super) fn leftover(request: &Request, site: &Site, records: &Records) -> Result<Option<Part>, Failure> {
    if request.client.name != "claude" || site.scope != Scope::Project {
        return Ok(None);
    }
    let target = Target::look(&site.project.join(SETTINGS), None)?;
    let is_ours = request.native || records.find(&target.real).is_some();
    Ok(if is_ours { Some(part(site, &list_name(site)?)) } else { None })
}

/// Makes the folder of a list, empty: its first task makes it a list.
pub(super) fn make_folder(folder: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::other(&format!("make {}", folder.display()), &error);
    own_files::make_folder(folder).map_err(failed)
}

fn part(site: &Site, name: &str) -> Part {
    let entries = vec![Entry::new(&["env", LIST], name), Entry::new(&["env", TOOLS], "1")];
    Part { path: site.project.join(SETTINGS), what: What::Entries(entries) }
}

/// The name that the settings give already, else the project's.
fn list_name(site: &Site) -> Result<String, Failure> {
    let path = site.project.join(SETTINGS);
    let text = Target::look(&path, None)?.text;
    let entry = Entry::new(&["env", LIST], "");
    let found = text.map_or(Ok(None), |it| entry.found(&it)).map_err(|it| unreadable(&path, &it.0))?;
    let given = found.as_ref().and_then(Json::as_str).map(str::trim).filter(|it| !it.is_empty());
    let own = || {
        site.project.file_name().map_or_else(|| "tasks".to_owned(), |it| it.to_string_lossy().into_owned())
    };
    Ok(given.map_or_else(own, str::to_owned))
}
