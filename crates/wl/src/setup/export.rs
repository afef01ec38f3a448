//! What is published for clients that install from a repository: the plugin with its catalogue, and the extension.
//! Not what a project is set up with, though most of it is the same text.

use super::{Client, Plan, clients, plugin};
use crate::failure::Failure;
use std::path::{Path, PathBuf};

/// The folder of the plugin beneath the repository's root.
const PLUGIN: &str = "plugins/worklist";
/// The folder of the extension.
const EXTENSION: &str = "extensions/gemini";

/// The files for a client beneath a repository's root.
pub(crate) fn export(client: &Client, root: &Path) -> Result<Plan, Failure> {
    let beneath = |folder: &str, files: Vec<(&'static str, String)>| {
        let folder = root.join(folder);
        files.into_iter().map(|(path, text)| (folder.join(path), text)).collect::<Vec<(PathBuf, String)>>()
    };
    let files = match client.name {
        "claude" => {
            let mut files = beneath("", vec![(".claude-plugin/marketplace.json", clients::marketplace())]);
            files.extend(beneath(PLUGIN, plugin::files("wl")));
            files
        }
        "gemini" => beneath(EXTENSION, clients::extension()),
        _ => {
            let reason =
                format!("is for claude and gemini; {} installs nothing from a repository", client.title);
            return Err(Failure::invalid("--export", &reason, None));
        }
    };
    Plan::of_files(root, files)
}
