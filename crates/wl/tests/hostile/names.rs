//! Five hundred names, as ids, as names of lists and as values of variables. Whatever they say, only the list, its
//! second journal and the user's own folders are touched.

use crate::{snapshot::snapshot, texts::texts, wl::Wl};
use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};
use worklist::json::{Json, Style, parse, write};

/// Names that lead elsewhere on some system.
fn names() -> Vec<String> {
    let bases = [
        ".",
        "..",
        "-",
        "--",
        "/",
        "//",
        "\\",
        "~",
        "x",
        "1",
        "#1",
        "canary",
        "canary/file",
        "etc/passwd",
        "CON",
        "nul",
        "COM1",
        "aux.json",
        "a:b",
        "a b",
        "*",
        "?",
        "$HOME",
        "%HOME%",
        "C:\\x",
        ".worklist",
        "journal",
        "1.json",
        "tasks.json",
        ".lock",
        "é",
        "漢",
        "💣",
        "\u{202e}1",
        "\n1",
        "1\n",
        "\t",
        "\r",
        "\x1b[31m",
        "\x7f",
    ];
    let long = [64, 65, 255, 256, 4_096, 20_000].map(|length| "n".repeat(length));
    let bases: Vec<String> = bases.map(String::from).into_iter().chain(long).collect();
    let ways: [fn(&str) -> String; 13] = [
        str::to_owned,
        |it| format!("../{it}"),
        |it| format!("../../{it}"),
        // Out of the folder of sessions, too.
        |it| format!("../../../../../{it}"),
        // By way of a folder in the list.
        |it| format!("sub/../../../{it}"),
        |it| format!("/{it}"),
        |it| format!("..%2f{it}"),
        |it| format!("%2e%2e%2f{it}"),
        |it| format!("..\\{it}"),
        |it| format!("./{it}/../.."),
        |it| format!("{it}/."),
        |it| format!("\u{ff0e}\u{ff0e}\u{2215}{it}"),
        |it| format!("{it}\u{0}").replace('\0', "%00"),
    ];
    let all: Vec<String> = bases.iter().flat_map(|base| ways.map(|way| way(base))).collect();
    assert!(all.len() >= 500, "{}", all.len());
    all
}

/// A task that somebody else keeps, under the very id that leads to it.
const CANARY: &str =
    r#"{"id":"../../1","subject":"CANARY","description":"","status":"pending","blocks":[],"blockedBy":[]}"#;

/// A list three folders deep, with a canary in each folder around it.
struct Ground {
    wl: Wl,
    own: Vec<PathBuf>,
}

impl Ground {
    fn new() -> Ground {
        let wl = Wl::new();
        for folder in ["", "a/", "a/b/", "home/", "home/.claude/"] {
            fs::create_dir_all(wl.path(folder).join("canary")).expect("a folder");
            for (file, text) in
                [("x", "canary"), ("1.json", CANARY), ("canary/file", "canary"), ("passwd", "canary")]
            {
                fs::write(wl.path(folder).join(file), text).expect("a file");
            }
        }
        fs::create_dir_all(wl.path("home/.claude/tasks")).expect("a folder");
        fs::create_dir_all(wl.path("home/.local/state/worklist")).expect("a folder");
        fs::create_dir_all(wl.path("a/b/work")).expect("a folder");
        let own =
            ["a/b/work", "home/.claude/tasks", "home/.local/state/worklist"].map(|it| wl.path(it)).to_vec();
        let wl = wl.in_folder("a/b/work");
        wl.run(&["add", "one"]).code(0);
        fs::create_dir(wl.path("a/b/work/.tasks/sub")).expect("a folder");
        Ground { wl, own }
    }

    /// Everything but what belongs to the lists.
    fn around(&self) -> impl PartialEq + std::fmt::Debug + use<> {
        snapshot(&self.wl.path(""), &self.own.iter().map(PathBuf::as_path).collect::<Vec<_>>())
    }
}

#[test]
fn ids_stay_ids() {
    let ground = Ground::new();
    let before = ground.around();
    let verbs: [&[&str]; 12] = [
        &["show"],
        &["claim", "--force"],
        &["done", "--force"],
        &["rm"],
        &["edit", "--subject", "x"],
        &["log"],
        &["why"],
        &["graph"],
        &["release", "--force"],
        &["heartbeat"],
        &["add", "x", "--after"],
        &["edit", "1", "--parent"],
    ];
    for (n, name) in names().iter().enumerate() {
        let some = [verbs[n % verbs.len()], verbs[(n / verbs.len() + n + 5) % verbs.len()]];
        // Where there is a task to be found, everything is tried.
        let all = verbs.iter().copied().filter(|_| name.ends_with("/1"));
        for verb in some.into_iter().chain(all) {
            let run = ground.wl.run(&[verb, &[name]].concat());
            let said = format!("{}{}", run.out, run.err);
            assert!(!said.contains("panicked") && !said.contains("CANARY"), "wl {verb:?} {name:?}: {said}");
        }
    }
    assert_eq!(before, ground.around());
    let inside = fs::read_dir(ground.wl.path("a/b/work")).expect("a folder").count();
    assert_eq!(inside, 1, "only the list is there");
}

#[test]
fn names_of_lists_stay_in_their_folder() {
    let ground = Ground::new();
    let before = ground.around();
    for (n, name) in names().iter().enumerate() {
        let (wl, by_name) = (&ground.wl, ["--list", name]);
        match n % 3 {
            0 => drop(wl.run(&[&by_name[..], &["add", "x"]].concat())),
            1 => drop(wl.with("CLAUDE_CODE_TASK_LIST_ID", name).run(&["add", "x"])),
            _ => drop(wl.with("CLAUDE_CODE_SESSION_ID", name).run(&["--format", "claude", "add", "x"])),
        }
    }
    assert_eq!(before, ground.around());
    for entry in fs::read_dir(ground.wl.path("home/.claude/tasks")).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("text");
        assert!(name.bytes().all(|it| it.is_ascii_alphanumeric() || b"_-".contains(&it)), "{name}");
    }
}

#[test]
fn variables_lead_nowhere() {
    let ground = Ground::new();
    let before = ground.around();
    let acting = [
        "WORKLIST_AGENT",
        "WORKLIST_SESSION",
        "CLAUDE_AGENT_NAME",
        "PAGER",
        "COLUMNS",
        "LANG",
        "TZ",
        "CLAUDE_TEAM_NAME",
    ];
    let places =
        ["HOME", "CLAUDE_CONFIG_DIR", "WORKLIST_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"];
    for (n, name) in names().iter().enumerate() {
        let all = acting.iter().filter(|_| name.ends_with("/x"));
        for variable in all.chain([&acting[n % acting.len()]]) {
            let acts = ground.wl.with(variable, name).run(&["edit", "1", "--meta", &format!("n={n}")]);
            assert!(!acts.err.contains("panicked"), "{variable} {name:?}: {}", acts.err);
        }
        // Where they name a folder, somebody may want it: looking makes nothing there.
        for verb in [["list"], ["lists"]] {
            let looks = ground.wl.with(places[n % places.len()], name).run(&verb);
            assert!(!looks.err.contains("panicked"), "{name:?}: {}", looks.err);
        }
    }
    assert_eq!(before, ground.around());
    let inside = fs::read_dir(ground.wl.path("a/b/work")).expect("a folder").count();
    assert_eq!(inside, 1, "only the list is there");
}

/// Ids that nobody could type stand in files of other programs; they are carried to every format, and stay inside.
#[test]
fn ids_from_elsewhere_become_no_paths() {
    let ids: Vec<String> = names().into_iter().filter(|it| it.len() < 300).chain(texts()).collect();
    let quoted = |text: &str| write(&Json::from(text), Style::COMPACT, "");
    let export = |ids: &[String]| {
        let head = format!(
            "{{\"worklist\":\"export\",\"version\":1,\"format\":\"claude\",\"tasks\":{},\"events\":0,\"from\":0,\"highest\":0,\"plans\":[]}}\n",
            ids.len()
        );
        ids.iter().fold(head, |text, id| {
            text + &format!(
                "{{\"task\":{{\"id\":{},\"subject\":\"s\",\"description\":\"\",\"status\":\"pending\",\"blocks\":[],\"blockedBy\":[]}},\"standing\":{{\"fence\":0}}}}\n",
                quoted(id)
            )
        })
    };
    let ground = Ground::new();
    let before = ground.around();
    for (n, format) in ["claude", "s12", "s07", "java", "v6", "tasks-json"].iter().enumerate() {
        let folder = format!("list{n}");
        let named = ["--dir", &folder];
        ground.wl.run(&["--format", format, "init", &folder]).code(0);
        let taken = ground.wl.input(&export(&ids)).run(&[&named[..], &["import", "-"]].concat());
        assert!(!taken.err.contains("panicked"), "{format}: {}", taken.err);
        let document = ground.wl.run(&[&named[..], &["list", "--all", "--json"]].concat()).json();
        let count = document["count"].as_u64();
        assert!(count.is_some_and(|it| it > 0), "{format}: {}{}", taken.out, taken.err);
        let to = if *format == "claude" { "tasks-json" } else { "claude" };
        ground.wl.run(&[&named[..], &["convert", to, &format!("copy{n}")]].concat()).code(0);
        ground.wl.run(&[&named[..], &["convert", to]].concat()).code(0);
    }
    assert_eq!(before, ground.around());
    parse(&ground.wl.run(&["lists", "--json"]).code(0).out).expect("one document");
}

/// Whatever the umask, nobody else can read a list, or trust in our name.
#[test]
fn others_on_the_machine_get_nothing() {
    let wl = Wl::new();
    let program = env!("CARGO_BIN_EXE_wl");
    for line in ["add x", "--list named add x", "trust --revoke", "claim 1", "done 1"] {
        wl.shell(&format!("umask 000; {program} {line}")).code(0);
    }
    let mut seen = 0;
    for place in [".tasks", "home/.claude/tasks/named", "home/.local/state/worklist"] {
        for (name, (mode, ..)) in snapshot(&wl.path(place), &[]) {
            assert_eq!(mode & 0o077, 0, "{place}: {name} {mode:o}");
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen}");
    let state = fs::metadata(wl.path("home/.local/state/worklist")).expect("a folder").permissions().mode();
    assert_eq!(state & 0o777, 0o700);
}
