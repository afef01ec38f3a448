//! Whose tool is called. Not what the call may do.

use super::Input;

/// A tool that is of concern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool<'a> {
    /// One of our server's, under whatever name the client knows that.
    Ours,
    /// One by which the client writes its own list.
    Clients(&'a str),
}

/// The tool of a call, if it is one of these.
pub(crate) fn tool(input: &Input) -> Option<Tool<'_>> {
    let name = input.text("tool_name")?;
    let server = name.strip_prefix("mcp__").and_then(|it| it.rsplit_once("__"));
    if server.is_some_and(|(server, _)| server == "wl" || server.contains("worklist")) {
        return Some(Tool::Ours);
    }
    matches!(name, "TaskCreate" | "TaskUpdate").then_some(Tool::Clients(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use worklist::json::Object;

    #[test]
    fn our_tools_by_any_name_of_the_server() {
        let input = |name: &str| Input(Object::new().with("tool_name", name));
        for name in [
            "mcp__wl__TaskNext",
            "mcp__worklist__TaskUpdate",
            "mcp__plugin_worklist_wl__TaskPlan",
            "mcp__plugin_worklist_worklist__TaskGet",
        ] {
            assert_eq!(tool(&input(name)), Some(Tool::Ours), "{name}");
        }
        for name in
            ["mcp__wlx__TaskNext", "mcp__github__worklist", "worklist__TaskNext", "mcp__wl", "TaskGet"]
        {
            assert_eq!(tool(&input(name)), None, "{name}");
        }
        for name in ["TaskCreate", "TaskUpdate"] {
            assert_eq!(tool(&input(name)), Some(Tool::Clients(name)));
        }
    }
}
