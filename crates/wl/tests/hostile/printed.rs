//! Whatever a task says, what reaches the terminal does nothing there, keeps its columns, and stays within them; what
//! reaches a script is the very text.

use crate::{
    folder,
    screen::{columns, harm, obeyed, without_colours},
    texts::texts,
    wl::{Run, Wl},
};
use std::fs;
use worklist::json::{Json, Style, parse, write};

/// Looks at a whole list.
const LOOKS: &[&str] = &[
    "",
    "list",
    "list --all",
    "list --all --tree",
    "list --status in_progress",
    "ready",
    "why",
    "log",
    "log --limit 3",
    "changes --since 0",
    "watch --since 0 --events 1",
    "graph",
    "graph --open",
    "graph --to dot",
    "graph --to mermaid",
    "graph --to svg",
    "lists --all",
    "doctor",
    "doctor --fix --dry-run",
    "convert s12 --dry-run",
    "config",
    "trust",
    "-v list",
    "help",
    "tools",
];

/// Of these every line is measured: they are made for the columns of the reader.
const MEASURED: &[&str] = &["list", "ready", "why", "log", "changes", "graph", "lists", "config"];

/// What is wrong with what a run printed for people.
fn wrongs(run: &Run, what: &str, colours: bool, limit: Option<usize>) -> Vec<String> {
    let plain = |text: &str| if colours { without_colours(text) } else { text.to_owned() };
    let (out, err) = (plain(&run.out), plain(&run.err));
    let mut wrong = harm(&out);
    wrong.extend(harm(&err));
    wrong.extend(err.contains("panicked").then(|| err.clone()));
    let verb = what.split(' ').find(|it| !it.starts_with('-')).unwrap_or("");
    if let Some(limit) = limit.filter(|_| MEASURED.contains(&verb) && !what.contains("--to")) {
        let wide = out.lines().filter(|it| columns(it) > limit);
        wrong.extend(wide.map(|it| format!("{} columns of {limit}: {it:?}", columns(it))));
    }
    wrong.truncate(5);
    wrong.into_iter().map(|it| format!("wl {what}: {it}")).collect()
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').filter(|it| !it.is_empty()).collect()
}

/// Every look, at several widths, with colours and without.
fn look(wl: &Wl) {
    // Something to tell of: what was found is no change.
    wl.run(&["add", "first"]).code(0);
    let mut wrong = Vec::new();
    for (width, colours) in [(None, false), (Some("40"), false), (Some("80"), true)] {
        let wl = width.map_or_else(|| wl.clone(), |it| wl.with("COLUMNS", it));
        for line in LOOKS {
            let mut arguments = words(line);
            if colours {
                arguments.splice(0..0, ["--color", "always"]);
            }
            let limit = width.map(|it| it.parse().expect("a number"));
            wrong.extend(wrongs(&wl.run(&arguments), line, colours, limit));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The texts that can be typed, a score at a time: what one of them does shows, whatever stands around it.
fn typed() -> Vec<String> {
    let texts: Vec<String> =
        texts().into_iter().filter(|it| !it.contains('\0') && it.len() < 1_000).collect();
    texts.chunks(20).map(|it| it.join(" ")).collect()
}

#[test]
fn looks_at_tasks() {
    let wl = Wl::new();
    folder::tasks(&wl, &texts());
    look(&wl);
}

#[test]
fn looks_at_wrecks() {
    let wl = Wl::new();
    folder::tasks(&wl, &texts()[..8]);
    folder::wrecks(&wl, &texts());
    look(&wl);
}

/// Agents, sessions and reasons that the program itself would not take come with a history from elsewhere.
#[test]
fn looks_at_a_history_from_elsewhere() {
    let first = Wl::new();
    let own = ["--as", "AGENT", "--session", "SESSION"];
    for (n, _) in texts().iter().enumerate() {
        let id = (n + 1).to_string();
        first.run(&[&own[..], &["add", "SUBJECT"]].concat()).code(0);
        first.run(&[&own[..], &["claim", &id]].concat()).code(0);
        if n % 2 == 0 {
            first.run(&[&own[..], &["release", &id, "--reason", "REASON"]].concat()).code(0);
        }
    }
    let mut next = texts().into_iter().cycle();
    let mut export = first.run(&["export"]).code(0).out;
    for word in ["AGENT", "SESSION", "SUBJECT", "REASON"] {
        let parts: Vec<&str> = export.split(&format!("\"{word}\"")).collect();
        let quoted = |text: String| write(&Json::from(text.as_str()), Style::COMPACT, "");
        export = parts.iter().fold(String::new(), |whole, it| {
            if whole.is_empty() {
                (*it).to_owned()
            } else {
                whole + &quoted(next.next().expect("endless")) + it
            }
        });
    }
    let wl = Wl::new();
    wl.run(&["init"]).code(0);
    let taken = wl.input(&export).run(&["import", "-"]).code(0);
    assert_eq!(wrongs(&taken, "import", false, None), [""; 0]);
    look(&wl);
}

#[test]
fn each_task_by_itself() {
    let wl = Wl::new();
    folder::tasks(&wl, &texts());
    let narrow = wl.with("COLUMNS", "40");
    let mut wrong = Vec::new();
    for n in 1..=texts().len() {
        let id = n.to_string();
        for verb in ["show", ["why", "log", "graph"][n % 3]] {
            wrong.extend(wrongs(&narrow.run(&[verb, &id]), verb, false, Some(40)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_life_with_each_text() {
    let wl = Wl::new();
    let mut wrong = Vec::new();
    for (n, text) in typed().iter().enumerate() {
        let (pair, id) = (format!("{text}={text}"), (n + 1).to_string());
        let lives: [&[&str]; 14] = [
            &["add", text, "-d", text, "--tag", text, "--active-form", text, "--meta", &pair],
            &["add", text, "--before", &id],
            &["edit", &id, "--subject", text, "--owner", text, "--meta", &pair],
            &["claim", &id, "--force", "--as", text],
            &["claim", &id, "--force", "--session", text],
            &["claim", &id, "--force"],
            &["heartbeat", &id],
            &["release", &id, "--reason", text],
            &["next", "--tag", text],
            &["done", &id, "--force"],
            &["rm", &id, "--force"],
            &["undo"],
            &["list", "--owner", text, "--tag", text],
            &["-v", "list", "--as", text],
        ];
        for arguments in lives {
            wrong.extend(wrongs(&wl.run(arguments), &arguments.join(" ")[..4], false, None));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mistakes_with_each_text() {
    let wl = Wl::new();
    wl.run(&["add", "first"]).code(0);
    let mut wrong = Vec::new();
    for text in &typed() {
        let flag = format!("--{text}");
        let lines: [&[&str]; 27] = [
            &[text],
            &[&flag],
            &["list", &flag],
            &["list", text],
            &["show", text],
            &["claim", "1", "--lease", text],
            &["add", "x", "--after", text],
            &["add", "x", "--meta", text],
            &["add", "x", "--priority", text],
            &["edit", "1", "--parent", text],
            &["list", "--status", text],
            &["list", "--limit", text],
            &["--format", text, "list"],
            &["--list", text, "list"],
            &["--dir", text, "list"],
            &["--color", text, "list"],
            &["--as", text, "list"],
            &["help", text],
            &["man", text],
            &["plan", text],
            &["import", text],
            &["convert", text],
            &["completions", text],
            &["graph", "--to", text],
            &["undo", text],
            &["changes", "--since", text],
            &["tools", text],
        ];
        for arguments in lines {
            wrong.extend(wrongs(&wl.run(arguments), arguments[0], false, None));
            let run = wl.run(&[arguments, &["--json"]].concat());
            wrong.extend(parse(&run.out).is_err().then(|| format!("wl {arguments:?}: {:?}", run.out)));
            wrong.extend(obeyed(&run.out));
        }
        let broken =
            format!("- [ ] {text} (after: {text}) {{#{text}}}\n- [ ] b {{#b}} (after: b)\n- [ ] c {{#b}}\n");
        for plan in [broken, format!("{{\"tasks\": [{text:?}, {text}]}}"), format!("{{\"{text}\": 1}}")] {
            wrong.extend(wrongs(&wl.input(&plan).run(&["plan", "-"]), "plan", false, None));
            wrong.extend(wrongs(&wl.input(&plan).run(&["plan", "-", "--dry-run"]), "plan", false, None));
            wrong.extend(wrongs(&wl.input(&plan).run(&["import", "-"]), "import", false, None));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn settings_with_each_text() {
    let wl = Wl::new();
    wl.run(&["add", "first"]).code(0);
    let mut wrong = Vec::new();
    for (n, text) in texts().iter().enumerate() {
        let quoted = write(&Json::from(text.as_str()), Style::COMPACT, "");
        let settings = [
            format!("{quoted} = {quoted}"),
            format!("lease = {quoted}"),
            format!("[hooks]\ncompleted = {quoted}"),
            format!("[hooks]\n{quoted} = \"x\""),
            text.clone(),
        ];
        for place in [n % 5, (n + 1) % 5] {
            fs::write(wl.path(".tasks/worklist.toml"), &settings[place]).expect("a file");
            let verb = ["list", "trust", "config"][n % 3];
            wrong.extend(wrongs(&wl.run(&[verb]), "settings", false, None));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a hook of the user's says comes from wherever the hook has it.
#[test]
fn hooks_that_say_each_text() {
    let wl = Wl::new();
    fs::create_dir_all(wl.path("home/.config/worklist")).expect("a folder");
    fs::write(wl.path("said"), texts().join(" ")).expect("a file");
    let said = wl.path("said").display().to_string();
    let hooks =
        format!("[hooks]\ncreated = 'cat {said}; exit 1'\nbefore-completed = 'cat {said} >&2; exit 2'\n");
    fs::write(wl.path("home/.config/worklist/config.toml"), hooks).expect("a file");
    let wl = wl.with("PATH", "/usr/bin:/bin");
    assert_eq!(wrongs(&wl.run(&["add", "x"]).code(0), "add", false, None), [""; 0]);
    assert_eq!(wrongs(&wl.run(&["done", "1"]).code(3), "done", false, None), [""; 0]);
    parse(&wl.run(&["done", "1", "--json"]).code(3).out).expect("one document");
}

#[test]
fn what_a_shell_is_offered() {
    let wl = Wl::new();
    folder::tasks(&wl, &texts());
    folder::wrecks(&wl, &texts());
    for text in texts().iter().filter(|it| !it.contains(['/', '\0']) && it.len() < 250) {
        fs::create_dir_all(wl.path("home/.claude/tasks").join(text)).expect("a folder");
    }
    let asks = wl.with("WORKLIST_COMPLETE", "fish");
    for asked in [["show", ""], ["--list", ""], ["help", ""]] {
        let run = asks.run(&[&["--", "wl"][..], &asked].concat());
        let offered = harm(&run.out.replace('\t', " "));
        assert!(offered.is_empty(), "{asked:?}: {offered:?}");
    }
}

/// The very texts, for scripts: one document that can be read, with nothing in it that a terminal would obey.
#[test]
fn scripts_get_the_very_texts() {
    let wl = Wl::new();
    folder::tasks(&wl, &texts());
    let listed = wl.run(&["list", "--all", "--json"]).code(0);
    let json = listed.json();
    let tasks = json["tasks"].as_array().expect("tasks");
    assert_eq!(tasks.len(), texts().len());
    for (task, text) in tasks.iter().zip(texts()) {
        for key in ["subject", "owner", "activeForm", "parent"] {
            assert_eq!(task[key], text.as_str(), "{key}");
        }
        assert_eq!(task["tags"][0], text.as_str());
        assert_eq!(task["metadata"][&text], text.as_str());
    }
    wl.run(&["add", "first"]).code(0);
    for line in LOOKS.iter().filter(|it| **it != "help") {
        let run = wl.run(&[&words(line)[..], &["--json"]].concat());
        parse(run.out.trim_end()).unwrap_or_else(|fault| panic!("wl {line} --json: {fault}"));
        assert_eq!(obeyed(&run.out), [""; 0], "wl {line} --json");
    }
    let export = wl.run(&["export"]).code(0).out;
    assert_eq!(obeyed(&export), [""; 0], "wl export");
    for line in export.lines() {
        parse(line).expect("lines of JSON");
    }
}

/// Whatever stands in the columns, they stay in line: marks, ids and subjects of lists, numbers and names of histories.
#[test]
fn columns_stay_in_line() {
    let wl = Wl::new();
    folder::tasks(&wl, &texts());
    let listed = wl.run(&["list", "--all"]).code(0);
    let starts = |line: &str| {
        let id = line.find('#').unwrap_or_else(|| panic!("no id in {line:?}"));
        let end = line[id..].find(' ').map_or(line.len(), |it| id + it);
        columns(&line[..end])
    };
    let ends: std::collections::BTreeSet<usize> = listed.out.lines().map(starts).collect();
    assert_eq!(ends.len(), 1, "ids end in one column: {ends:?}");
    for text in texts().iter().filter(|it| it.len() < 200).step_by(4) {
        // A name may not hold what acts; who cannot have it has no history either.
        let agent: String = text.chars().filter(|it| !it.is_control()).take(20).collect();
        wl.run(&["add", "x", "--as", &format!("a{agent}")]);
    }
    let log = wl.run(&["log", "--limit", "50"]).code(0);
    let verbs = |line: &str| line.find("  created #").map(|it| columns(&line[..it]));
    let begins: std::collections::BTreeSet<usize> = log.out.lines().filter_map(verbs).collect();
    assert_eq!(begins.len(), 1, "what happened begins in one column: {begins:?}\n{}", log.out);
}
