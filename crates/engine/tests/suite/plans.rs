//! Plans as text: what becomes of them, and every mistake with its line. The examples are those of docs/plans.md.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests read the page by hand")]

use proptest::{prelude::*, test_runner::Config};
use std::{fmt::Write, fs, ops::Range, path::Path};
use worklist::{
    Actor, Command, Options, TaskId, TaskList,
    plan::{Draft, MAX_TASKS, Mistake, read},
};

/// A plan in one line per task: `line name: subject <after, … ^parent !priority #tag`.
fn told(draft: &Draft) -> String {
    let mut text = String::new();
    for (line, it) in draft.lines.iter().zip(&draft.plan.tasks) {
        let name = it.name.as_deref().map(|it| format!(" {it}")).unwrap_or_default();
        write!(text, "{line}{name}: {}", it.task.subject).unwrap();
        if !it.after.is_empty() {
            write!(text, " <{}", it.after.join(",")).unwrap();
        }
        it.parent.iter().for_each(|it| write!(text, " ^{it}").unwrap());
        it.task.priority.iter().for_each(|it| write!(text, " !{}", it.name()).unwrap());
        it.task.tags.iter().for_each(|it| write!(text, " #{it}").unwrap());
        text.push('\n');
    }
    text
}

#[track_caller]
fn good(text: &str) -> Draft {
    read(text).unwrap_or_else(|mistakes| panic!("{mistakes:#?}"))
}

#[track_caller]
fn is_read_as(text: &str, wanted: &str) {
    assert_eq!(told(&good(text)), wanted, "{text}");
}

fn shown(mistake: &Mistake) -> String {
    let column = mistake.column.map(|it| format!(":{it}")).unwrap_or_default();
    let hint = mistake.hint.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
    format!("{}{column} {}{hint}", mistake.line, mistake.reason)
}

/// All mistakes, each by its line, column and beginning.
#[track_caller]
fn is_refused(text: &str, wanted: &[&str]) {
    let found: Vec<String> = read(text).expect_err("a mistake").iter().map(shown).collect();
    let fits =
        found.len() == wanted.len() && found.iter().zip(wanted).all(|(it, wanted)| it.starts_with(wanted));
    assert!(fits, "{text}\n{found:#?}");
}

/// Many lines, each made of its number.
fn repeated(numbers: Range<usize>, line: impl Fn(usize) -> String) -> String {
    numbers.map(line).collect::<Vec<_>>().concat()
}

fn blocks_of_page(language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/plans.md");
    let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (_, example) = page.split_once("\n## Examples\n").expect("a section with the examples");
    let opening = format!("\n````{language}\n");
    let blocks = example.split(&opening).skip(1);
    blocks.map(|it| it.split_once("\n````").unwrap().0.to_owned()).collect()
}

#[test]
fn the_two_examples_of_the_page_are_the_same_plan() {
    let (json, markdown) = (blocks_of_page("json"), blocks_of_page("markdown"));
    let (json, markdown) = (good(&json[0]), good(&markdown[0]));
    let told = |draft: &Draft| {
        told(draft).lines().map(|it| it.split_once(' ').unwrap().1.to_owned() + "\n").collect::<String>()
    };
    assert_eq!(told(&markdown), told(&json));
    assert_eq!(
        told(&json),
        "schema: Design the schema !high #db\n\
         api: Write the API <schema,reads,writes\n\
         reads: Serve reads <schema ^api\n\
         writes: Serve writes <schema ^api\n\
         tag: Tag the release <api,7\n\
         announce: Announce it <tag !low\n"
    );
    assert_eq!(
        (markdown.plan.key.as_deref(), json.plan.key.as_deref()),
        (Some("release-2"), Some("release-2"))
    );
    for (one, other) in markdown.plan.tasks.iter().zip(&json.plan.tasks) {
        assert_eq!(one.task.description, other.task.description);
    }
    assert_eq!(markdown.plan.tasks[0].task.description.lines().count(), 5);
    assert_eq!(markdown.notes.len(), 1, "{:?}", markdown.notes);
}

#[test]
fn what_is_read_can_be_planned() {
    let folder = tempfile::tempdir().unwrap();
    let list = TaskList::create(folder.path(), &Options::default()).unwrap();
    let ann = Actor::new("ann", "session-1");
    let plan = |text: &str| list.run(&ann, &Command::Plan(good(text).plan));
    plan("- [ ] Build\n  - [ ] Compile\n  - [ ] Link (after: Compile)\n").unwrap();
    plan("1. [ ] Test (after: #1)\n2. [ ] Ship\n").unwrap();
    let tasks = list.board().unwrap().tasks;
    let ids = |of: usize| tasks[of].task.blocked_by.iter().map(TaskId::as_str).collect::<Vec<_>>();
    assert_eq!([ids(0), ids(1), ids(2)], [vec!["2", "3"], vec![], vec!["2"]]);
    assert_eq!([ids(3), ids(4)], [vec!["1"], vec!["4"]]);
    assert_eq!(tasks[1].task.parent, Some(tasks[0].task.id.clone()));
    assert!(plan("- [ ] Lost (after: #99)\n").is_err());
}

#[test]
fn bullets_boxes_and_margins_of_every_kind() {
    is_read_as("- [ ] a\n* [ ] b\n+ [ ] c\n", "1: a\n2: b\n3: c\n");
    is_read_as("\u{feff}# Title\r\n\r\n- [ ] a\r\n\t- [ ] b\r\n", "3 1: a <2\n4 2: b ^1\n");
    is_read_as("  - [ ] a\n    - [ ] b\n  - [ ] c\n", "1 1: a <2\n2 2: b ^1\n3: c\n");
    is_read_as("-   [ ] a\n    - [ ] b\n  - [ ] c\n", "1 1: a <2,3\n2 2: b ^1\n3 3: c ^1\n");
    is_read_as("- [ ]\ta\n- [ ]   b  \n", "1: a\n2: b\n");
}

#[test]
fn bullets_without_boxes_count_only_where_no_box_is() {
    is_read_as("- a\n  - b\n* c\n\n1. d\n2. e\n", "1 1: a <2\n2 2: b ^1\n3: c\n5 4: d\n6: e <4\n");
    let draft = good("- note\n- [ ] a\n  - remark\n    more\n- group\n  - [ ] b\n  words\n");
    assert_eq!(told(&draft), "2: a\n6: b\n");
    assert_eq!(draft.plan.tasks[0].task.description, "- remark\n  more");
    assert_eq!(draft.plan.tasks[1].task.description, "words");
}

#[test]
fn a_numbered_list_is_a_sequence() {
    is_read_as("1. [ ] a\n2. [ ] b\n3) [ ] c\n", "1 1: a\n2 2: b <1\n3: c <2\n");
    is_read_as("1. [ ] a\n1. [ ] b\n\n## Then\n1. [ ] c\n1. [ ] d\n", "1 1: a\n2: b <1\n5 3: c\n6: d <3\n");
    is_read_as("1. [ ] a\n- [ ] b\n2. [ ] c\n", "1: a\n2: b\n3: c\n");
    is_read_as("1. [ ] a\n2. [x] b\n3. [ ] c\n", "1 1: a\n3: c <1\n");
    is_read_as("- [ ] a\n  1. [ ] b\n  2. [ ] c\n", "1 1: a <2,3\n2 2: b ^1\n3 3: c <2 ^1\n");
}

#[test]
fn what_the_whole_waits_for_its_parts_wait_for() {
    is_read_as(
        "1. [ ] a\n   - [ ] a1\n2. [ ] b\n   - [ ] b1\n     - [ ] b2\n",
        "1 1: a <2\n2 2: a1 ^1\n3 3: b <1,4\n4 4: b1 <1,5 ^3\n5 5: b2 <1 ^4\n",
    );
    // A whole that names its own part says nothing new.
    is_read_as("- [ ] a (after: b)\n  - [ ] b\n  - [ ] c\n", "1 1: a <2,3\n2 2: b ^1\n3 3: c ^1\n");
}

#[test]
fn what_is_checked_is_left_out() {
    let text = "- [x] old {#old}\n- [ ] new (after: old, Older)\n- [X] Older\n  - [ ] left\n    - [x] gone\n";
    let draft = good(text);
    assert_eq!(told(&draft), "2: new\n4: left\n");
    assert_eq!(draft.notes.len(), 1);
    assert!(
        draft.notes[0].contains("line 1 \"old\", line 3 \"Older\", line 5 \"gone\""),
        "{:?}",
        draft.notes
    );
    is_read_as("- [ ] a\n  - [x] b\n    - [ ] c\n", "1 1: a <2\n3 2: c ^1\n");
    is_refused("\n- [x] a\n", &["2 every item is done"]);
}

#[test]
fn marks_and_references() {
    is_read_as(
        "- [ ] Design it {#d} !high #db\n- [ ] Write it (after: d)\n- [ ] Test it (after: WRITE IT, #7, 8, bd-a1)\n",
        "1 d: Design it !high #db\n2 2: Write it <d\n3: Test it <2,7,8,bd-a1\n",
    );
    // A number is an item's if an item is named so, else a task's of the list; numbers we give keep out of the way.
    is_read_as("- [ ] a\n- [ ] b (after: a, #1)\n", "1 1.: a\n2: b <1.,1\n");
    is_read_as("- [ ] a {#7}\n- [ ] b (after: #7)\n", "1 7: a\n2: b <7\n");
    is_read_as(
        "- [ ] a {#1}\n- [ ] b\n- [ ] c {#2}\n- [ ] d (after: b)\n",
        "1 1: a\n2 2.: b\n3 2: c\n4: d <2.\n",
    );
    is_read_as("- [ ] a\n- [ ] b (after: a, A, #9, 9)\n", "1 1: a\n2: b <1,9\n");
}

#[test]
fn descriptions_are_kept_as_they_stand() {
    let text = "\
- [ ] a
  First *line*  \n    deeper

  ```sh
  # not a heading
- [ ] not an item
  ```
  - [ ] part
    of the part
  back to a
lazy end

- [ ] b
\ttabs
\t\tdeeper

Prose that nobody owns.
  - [ ] c
";
    let draft = good(text);
    assert_eq!(told(&draft), "1 1: a <2\n9 2: part ^1\n14: b\n19: c\n");
    let description = |n: usize| draft.plan.tasks[n].task.description.as_str();
    let first =
        "First *line*  \n  deeper\n\n```sh\n# not a heading\n- [ ] not an item\n```\n\nback to a\nlazy end";
    assert_eq!(description(0), first);
    assert_eq!(description(1), "of the part");
    assert_eq!(description(2), "tabs\n\tdeeper");
    assert_eq!(description(3), "");
}

#[test]
fn what_is_not_a_task_is_passed_over() {
    let text = "\
Intro
=====
<!-- key: release-2 -->
<!-- - [ ] not this -->
<!--
- [ ] nor this
-->
~~~~
- [ ] nor that
~~~
~~~~
* * *
- [ ] only this ```code``` `x`
";
    let draft = good(text);
    assert_eq!(told(&draft), "13: only this ```code``` `x`\n");
    assert_eq!(draft.plan.key.as_deref(), Some("release-2"));
}

#[test]
fn mistakes_in_markdown() {
    is_refused("", &["1 there is no task"]);
    is_refused("# Title\n\nProse.\n", &["1 there is no task"]);
    is_refused("- [ ]\n- [ ] #tag\n", &["1 the item has no subject", "2 the item has no subject"]);
    is_refused("- [ ] a\n  ```\n  x\n", &["2 the fence is not closed (close it with a line that says ````"]);
    is_refused("<!-- key: a\n- [ ] a\n", &["1 the comment is not closed"]);
    is_refused(
        "<!-- key: a -->\n<!-- key: b -->\n<!-- key: -->\n- [ ] a\n",
        &["2 the plan has two", "3 the key"],
    );
    is_refused("- [ ] a (after: b\n", &["1:9 `(after:` is not closed"]);
    is_refused("- [ ] é {#x}\n- [ ] b {#x}\n", &["2 the name `x` is given twice, first on line 1"]);
    is_refused(
        "- [ ] a {#schema}\n- [ ] é (after: shcema)\n",
        &["2:17 no item of the plan is called `shcema` (did you mean `schema`?)"],
    );
    is_refused(
        "- [ ] Write it\n- [ ] b (after: write at)\n",
        &["2:17 no item of the plan is called `write at` (did you mean `Write it`?)"],
    );
    is_refused("- [ ] b (after: nobody)\n", &["1:17 no item of the plan is called `nobody` (name the item"]);
    is_refused(
        "- [ ] a\n- [ ] A\n- [ ] b (after: a)\n",
        &["3:17 `a` is the subject of more than one item (lines 1 and 2)"],
    );
    is_refused("- [ ] a (after: a)\n", &["1:17 an item cannot wait for itself"]);
    is_refused("- [-] a\n- [] b\n", &["1 the box is neither", "2 the box is neither"]);
    is_refused(
        "- [ ] a (after: x, y)\n- [ ] b !hgih\n- [ ]\n",
        &["1:17 no item", "1:20 no item", "2:9 `!hgih` is no priority", "3 the item has no subject"],
    );
}

#[test]
fn odd_nesting_is_a_mistake() {
    is_refused("- [ ] a\n - [ ] b\n", &["2 the item is indented by 1: neither beside nor beneath"]);
    is_refused("1. [ ] a\n  - [ ] b\n", &["2 the item is indented by 2: neither"]);
    is_refused("- [ ] a\n        - [ ] b\n", &["2 the item is indented by 8: too far"]);
    is_refused("Prose\n\n    - [ ] sample\n- [ ] a\n", &["3 the item is indented by 4: too far"]);
    is_refused("- [ ] a\n  - [ ] b\n   - [ ] c\n", &["3 the item is indented by 3: neither"]);
}

#[test]
fn circles_are_shown_by_their_lines() {
    is_refused(
        "- [ ] z\n- [ ] a (after: c)\n- [ ] b (after: a)\n- [ ] c (after: b)\n",
        &["2 these items wait for each other: line 2 \"a\" -> line 4 \"c\" -> line 3 \"b\" -> line 2"],
    );
    is_refused(
        "- [ ] a\n  - [ ] b (after: a)\n",
        &[
            "1 these items wait for each other: line 1 \"a\" -> line 2 \"b\" -> line 1 (an item waits for its parts",
        ],
    );
    let long = repeated(0..100, |n| format!("- [ ] {n} {{#n{n}}} (after: n{})\n", (n + 1) % 100));
    is_refused(
        &long,
        &[
            "1 these items wait for each other: line 1 \"0\" -> line 2 \"1\" -> line 3 \"2\" -> line 4 \"3\" -> line 5 \"4\" -> 95 more -> line 1",
        ],
    );
    is_refused(
        r#"[{"name":"a","subject":"a","parent":"b"},{"name":"b","subject":"b","parent":"a"}]"#,
        &["1 these items would be parts of each other: line 1 \"a\" -> line 1 \"b\" -> line 1"],
    );
}

#[test]
fn a_plan_has_bounds_and_no_depth_is_too_much() {
    let items = |count: usize| "- [ ] a\n".repeat(count);
    assert_eq!(good(&items(MAX_TASKS)).plan.tasks.len(), MAX_TASKS);
    is_refused(&items(MAX_TASKS + 1), &["10001 a plan holds at most 10000 tasks"]);
    let checked = "- [x] b\n".to_owned() + &items(MAX_TASKS);
    assert_eq!(good(&checked).plan.tasks.len(), MAX_TASKS);
    let steps = repeated(1..MAX_TASKS + 1, |n| format!("{n}. [ ] a\n"));
    assert_eq!(good(&steps).plan.tasks[MAX_TASKS - 1].after, ["9999"]);
    let nested = repeated(0..2000, |n| format!("{}- [ ] a\n", "  ".repeat(n)));
    assert_eq!(good(&nested).plan.tasks[1999].parent.as_deref(), Some("1999"));
    let chain: Vec<String> = (0..MAX_TASKS)
        .map(|n| format!(r#"{{"id":{n},"subject":"é","parent":{},"after":[{}]}}"#, n + 1, n + 1))
        .collect();
    let draft = good(&format!("[{}]", chain.join(",")));
    assert_eq!(draft.plan.tasks[0].parent.as_deref(), Some("1"));
}

#[test]
fn json_in_every_spelling() {
    let plain = "1 a: A\n1 b: B <a\n";
    is_read_as(r#"{"tasks":[{"name":"a","subject":"A"},{"name":"b","subject":"B","after":["a"]}]}"#, plain);
    is_read_as(r##"[{"id":"a","title":"A"},{"id":"#b","content":"B","blockedBy":"a"}]"##, plain);
    is_read_as(r##"[{"name":"a","subject":"A"},{"name":"b","subject":"B","depends_on":["#a"]}]"##, plain);
    is_read_as(
        r#" [{"name":"a","subject":"A","blocks":["b"]},{"name":"b","subject":"B","dependsOn":["A"]}]"#,
        plain,
    );
    is_read_as(
        "\u{feff}[{\"id\":1,\"subject\":\"A\"},\n{\"id\":2,\"subject\":\"B\",\"blocked_by\":[1,\"#1\",\"#7\",12]}]",
        "1 1: A\n2 2: B <1,7,12\n",
    );
    is_read_as(
        r#"[{"subject":" A ","parent":"b","tags":["x"],"priority":"High"},{"name":"b","subject":"B","tags":"y"},
            {"subject":"C","parent":3,"description":null,"after":null,"owner":null}]"#,
        "1: A ^b !high #x\n1 b: B #y\n2: C ^3\n",
    );
    let draft = good(
        r##"{"key":"k","tasks":[{"subject":"A","active_form":"Doing A","owner":"ann","description":"\n d","metadata":{"a":1.0},"blocks":["#4"]},
        {"content":"B","status":"in_progress","activeForm":"Doing B"},{"content":"C","status":"completed"},{"subject":"D","status":"pending","after":["C"]}]}"##,
    );
    assert_eq!(told(&draft), "1: A\n2: B\n2: D\n");
    let task = &draft.plan.tasks[0].task;
    assert_eq!((task.active_form.as_deref(), task.owner.as_deref()), (Some("Doing A"), Some("ann")));
    assert_eq!((task.description.as_str(), task.metadata.len(), task.blocks.len()), ("\n d", 1, 1));
    assert_eq!((draft.plan.key.as_deref(), draft.notes.len()), (Some("k"), 2), "{:?}", draft.notes);
}

#[test]
fn mistakes_in_json() {
    is_refused("{\n  \"tasks\": [,]\n}", &["2:13 not a JSON value"]);
    is_refused("{}", &["1:1 the plan has no `tasks`"]);
    is_refused("[]", &["1 there is no task"]);
    is_refused(
        r#"{"task":[]}"#,
        &["1:1 the plan has no `tasks`", "1:2 a plan has no `task` (did you mean `tasks`?)"],
    );
    is_refused("{\"tasks\":{}}", &["1:10 `tasks` is not an array"]);
    is_refused("[\n \"a\"]", &["2:2 a task is not an object"]);
    is_refused("[{\"name\": \"a\"}]", &["1:2 the task has no `subject`"]);
    is_refused("[{\"subject\": \" \"}]", &["1:14 `subject` is empty"]);
    is_refused(
        "[\n  {\"é\": 1, \"subject\": \"a\",\n   \"descripton\": 1}\n]",
        &[
            "2:4 a task has no `é` (known are name, subject,",
            "3:4 a task has no `descripton` (did you mean `description`?)",
        ],
    );
    is_refused(r#"[{"subject":"a","title":"b"}]"#, &["1:17 `title` says what `subject` says already"]);
    is_refused(
        r#"[{"subject":1,"description":[],"priority":"urgent","tags":[1],"metadata":[],"status":"open","parent":[]}]"#,
        &[
            "1:13 `subject`",
            "1:29 `description`",
            "1:43 the priority",
            "1:60 `tags`",
            "1:74 `metadata`",
            "1:86 the status",
            "1:102 `parent`",
        ],
    );
    is_refused(r#"[{"subject":"a","metadata":{"worklist":1}}]"#, &["1:28 `worklist` cannot be a key"]);
    is_refused(
        "[{\"subject\":\"a\",\n\"after\":[\"é\", \"nobody\", \"\", {}]}]",
        &["2:10 no item", "2:15 no item", "2:25 `after` is empty", "2:29 `after` is not a text"],
    );
    is_refused(
        r#"[{"name":"a","subject":"A","after":["a"]},{"name":"a","subject":"B","parent":"a"}]"#,
        &["1 the name `a` is given twice", "1:37 an item cannot wait for itself"],
    );
    is_refused(
        r##"[{"name":"#","subject":"A","parent":"A"}]"##,
        &["1:10 `name` is empty", "1:37 an item cannot be a part of itself"],
    );
}

/// What plans are made of, to be thrown together.
const PIECES: [&str; 32] = [
    "- ",
    "[ ] ",
    "[x] ",
    "1. ",
    "\n",
    "\n  ",
    "\n    ",
    "\t",
    "\r\n",
    "a",
    "é",
    "12",
    " ",
    "(after: ",
    ")",
    "{#",
    "}",
    "#tag",
    "!high",
    "\\",
    "`",
    "```",
    "<!--",
    "-->",
    ",",
    "* * *",
    "[",
    "{",
    "\"",
    ":",
    "\"subject\"",
    "\u{2003}",
];

proptest! {
    #![proptest_config(Config { cases: 2000, failure_persistence: None, ..Config::default() })]

    #[test]
    fn any_text_is_a_plan_or_has_mistakes_in_order(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 1..25)) {
        match read(&pieces.concat()) {
            Ok(draft) => {
                prop_assert_eq!(draft.lines.len(), draft.plan.tasks.len());
                prop_assert!(draft.plan.tasks.iter().all(|it| !it.task.subject.trim().is_empty()));
            }
            Err(mistakes) => {
                prop_assert!(!mistakes.is_empty() && mistakes.is_sorted_by_key(|it| (it.line, it.column)));
            }
        }
    }
}
