//! Subagents of one client over one server: with our hook each is a claimant of its own, without saying a name, and what
//! it leaves behind is free when it stops. Not two clients.

use crate::{
    claude::Claude,
    model::{Asked, Model, Script, Turn},
    wl::{Read, Wl},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    sync::mpsc::{Receiver, Sender, channel},
    time::Duration,
};

/// How long a subagent waits for the other: the client runs both at the same time.
const LIMIT: Duration = Duration::from_secs(30);

fn call(tool: &str, input: Value) -> Turn {
    Turn::calls(&format!("mcp__worklist__{tool}"), input)
}

fn complete(id: &str) -> Turn {
    call("TaskUpdate", json!({"taskId": id, "status": "completed"}))
}

/// The task that was claimed, from what the model reads.
#[track_caller]
fn claimed(asked: &Asked) -> String {
    let text = asked.results().remove(0).text;
    let id = text.strip_prefix("Claimed #").and_then(|it| it.split(' ').next());
    id.unwrap_or_else(|| panic!("nothing was claimed: {text}")).to_owned()
}

/// A subagent's line to another, on which both tell once which task they have.
struct Line {
    mine: Sender<String>,
    theirs: Receiver<String>,
}

impl Line {
    fn pair() -> [Line; 2] {
        let ((one, of_one), (two, of_two)) = (channel(), channel());
        [Line { mine: one, theirs: of_two }, Line { mine: two, theirs: of_one }]
    }

    /// Tells what it has, and hears what the other has, once both are here.
    fn swap(&self, id: &str) -> String {
        self.mine.send(id.to_owned()).expect("the other listens");
        self.theirs.recv_timeout(LIMIT).expect("both work at the same time")
    }
}

/// Takes a task, tries to complete the other's, and then does with its own what `last` says.
fn helper(mark: &str, next: Value, [have, tried]: [Line; 2], last: fn(&str) -> Turn) -> Script {
    let (keep, kept) = channel();
    Script::of(mark)
        .turn(call("TaskNext", next))
        .then(move |asked| {
            let mine = claimed(asked);
            let theirs = have.swap(&mine);
            assert_ne!(mine, theirs, "both have the same task");
            keep.send(mine).expect("the next step is there");
            complete(&theirs)
        })
        .then(move |asked| {
            let refused = asked.results().remove(0);
            assert!(refused.is_error && refused.text.contains("is not yours"), "{refused:?}");
            let mine = kept.recv().expect("the step before was taken");
            tried.swap(&mine);
            last(&mine)
        })
        .turn(Turn::says("that is all"))
}

/// Both subagents, in the background or not.
fn agents(background: bool) -> Turn {
    let agent = |name: &str| {
        json!({
            "description": name, "prompt": format!("you are {name}"), "subagent_type": "general-purpose",
            "run_in_background": background,
        })
    };
    Turn::calls("Agent", agent("the diligent one")).and("Agent", agent("the lazy one"))
}

/// Two subagents, of which one completes its task and the other, which asks for one in its own way, just stops.
fn shared(background: bool, lazy: Value) -> (Wl, Model) {
    let wl = Wl::with_tasks(&["one", "two"]);
    let ([have, has], [tried, tries]) = (Line::pair(), Line::pair());
    let model = Model::playing([
        Script::of("share it").turn(agents(background)).turn(Turn::says("shared")),
        helper("you are the diligent one", json!({}), [have, tried], complete),
        helper("you are the lazy one", lazy, [has, tries], |_| Turn::says("I leave it")),
    ]);
    Claude::new(&wl, &model)
        .with("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1")
        .server("worklist", env!("CARGO_BIN_EXE_wl"), &["mcp"])
        .hook("PreToolUse", "mcp__worklist__.*", "wl hook PreToolUse")
        .hook("SubagentStop", "", "wl hook SubagentStop")
        .run("share it");
    let list = wl.json(&["list", "--all"]);
    let mut states: Vec<&str> = list.items("tasks").iter().map(|it| it.word("state")).collect();
    states.sort_unstable();
    assert_eq!(states, ["completed", "ready"], "{list}");
    // By the hook, while the server and its locks were still there.
    let log = wl.json(&["log"]);
    let released: Vec<&Value> =
        log.items("events").iter().filter(|it| it["command"] == "release_all").collect();
    assert_eq!(released.len(), 1, "{log}");
    (wl, model)
}

#[test]
fn two_in_the_foreground_are_two_claimants() {
    let (wl, _) = shared(false, json!({}));
    let log = wl.json(&["log"]);
    let claims = log.items("events").iter().filter(|it| it["command"] == "next");
    let agents: BTreeSet<&str> = claims.map(|it| it.word("agent")).collect();
    assert_eq!(agents.len(), 2, "{log}");
    assert!(agents.iter().all(|it| it.starts_with("general-purpose-a")), "names for people: {agents:?}");
}

#[test]
fn two_in_the_background_are_two_claimants() {
    // One that says a name, as our rules tell it to where there is no hook, is within itself.
    let (_wl, model) = shared(true, json!({"agent": "bob"}));
    let asked = model.asked("you are the lazy one");
    let tools = asked[0].tools();
    assert!(tools.contains(&"mcp__worklist__TaskNext") && !tools.contains(&"TaskUpdate"), "{tools:?}");
}
