//! Where an answer or a file of ours is not the recorded one, and what decides that: the numbers are those of the
//! requirements. Every row is needed: the replay fails on one that is not.
//!
//! | number | what it says |
//! |---|---|
//! | C-2, C-21 | an id is never given twice: neither after a deletion by hand nor by a watermark that is too low |
//! | C-5 | an edge to a finished task does not block |
//! | C-6 | an edge to a missing task is refused in vocabulary C, and deletion cleans references |
//! | C-7 | three statuses; `deleted` removes, in vocabulary B as an extension |
//! | C-11 | what is blocked cannot be started |
//! | C-12 | circles are refused when an edge is added |
//! | C-13 | an edge stands on both ends |
//! | C-22 | numbers are sorted as numbers, ids of one second by their suffix |
//! | C-23, S003-8 | vocabulary C answers as its page prints it |
//! | C-27 | "Unblocked" names only what this completion freed |
//! | C-31 | null takes a metadata key out |
//! | C-32 | unknown keys are kept and harm nobody, nor do files that cannot be read |
//! | F000-7 | a missing id is an answer, not a crash |
//! | F000-16 | a subject may not be empty |
//! | F001-7 | ids keep the order in which they were added |
//! | F002-6 | a file of another name is harmless |
//! | F003-1 | empty metadata is left out: the page's own reader dies on it |
//! | S000-19 | who starts a task is its owner |
//! | S000-29 | what is given back is nobody's |
//! | S002-2 | blocked is what waits for unfinished work, also for work that was opened again |
//! | S003-5 | `active_form` is empty unless given |

use super::object;
use worklist::json::{Json, Object, Style, write};

/// Which calls are meant.
#[derive(Debug)]
pub(super) enum Calls {
    One(u64),
    /// Every call of a tool.
    Of(&'static str),
}

/// Ours in place of a recorded text.
pub(super) enum Ours {
    Is(&'static str),
    /// The recorded text with one thing replaced.
    With(&'static str, &'static str),
    /// The recorded record with one key set.
    Key(&'static str, &'static str),
    By(fn(&str) -> String),
    /// The same lines, sorted by our own ids.
    InOurOrder,
}

/// Ours in place of a recorded file.
pub(super) enum Files {
    Absent,
    Is(&'static str),
    Like(Ours),
}

/// Recordings, by how their paths begin, or snapshots.
type Names = &'static [&'static str];

use Calls::{Of, One};
use Files::{Absent, Like};
use Ours::{By, InOurOrder, Is, Key, With};

const BASIC: Names = &["d1-s07/basic", "d2-java/basic"];
const DIAMOND: Names = &["d1-s07/diamond", "d2-java/diamond"];
const EDGE: Names = &["d1-s07/edge", "d2-java/edge"];
const LATE: Names = &["d1-s07/late-and-reopen"];
const S07_EDGE: Names = &["d1-s07/edge"];
const JAVA_EDGE: Names = &["d2-java/edge"];
const S12_EDGE: Names = &["d0-s12/edge"];
const V6: Names = &["d3-v6"];
const V6_BASIC: Names = &["d3-v6/basic"];
const V6_EDGE: Names = &["d3-v6/edge"];

macro_rules! s12_edge_list {
    () => {
        "  ✓ task_1770000000_7775: Unicode: 数据库 — naïve \"quotes\" \\ backslash [completed] [agent]
  ○ task_1770000001_4407: depends on missing [pending] (blockedBy: task_404)
  ○ task_1770000002_8669: depends on done and missing and pending [pending] (blockedBy: task_1770000000_7775, task_404, task_1770000001_4407)
  ○ task_1770000004_2336: self cycle [pending] (blockedBy: task_1770000004_2336)"
    };
}

/// Recordings, calls, what decides, our answer. Rows of one call are applied in their order.
pub(super) const ANSWERS: &[(Names, Calls, &str, Ours)] = &[
    (&["d0-s12/basic"], One(16), "C-27", With(", write docs", "")),
    (&["d0-s12/basic"], One(18), "C-27", With("\nUnblocked: write tests", "")),
    (&["d0-s12/unblocked-repeat"], One(7), "C-27", With("\nUnblocked: B (needs A)", "")),
    (&["d0-s12/same-second"], One(7), "C-22", InOurOrder),
    (S12_EDGE, One(8), "F000-7", Is("Error: Task task_nope not found")),
    (S12_EDGE, One(9), "F000-7", Is("Error: Task task_nope not found")),
    (S12_EDGE, One(10), "F000-16", Is("Error: Task subject cannot be empty")),
    (S12_EDGE, One(15), "F000-16", With("\n  ○ task_1770000003_5730:  [pending]", "")),
    (S12_EDGE, One(16), "C-32", Is(s12_edge_list!())),
    (S12_EDGE, One(17), "C-32", Is(concat!(s12_edge_list!(), "\n  ○ task_bad: x [pending]"))),
    (BASIC, One(8), "C-13", Key("blocks", "[3]")),
    (BASIC, One(9), "C-13", Key("blocks", "[2]")),
    (BASIC, One(9), "S000-19", Key("owner", "\"agent\"")),
    (BASIC, One(11), "C-13", Key("blocks", "[2]")),
    (BASIC, One(11), "S000-19", Key("owner", "\"agent\"")),
    (BASIC, One(13), "C-13", Key("blocks", "[3]")),
    (DIAMOND, One(10), "C-13", Key("blocks", "[4]")),
    (&["d1-s07/diamond"], One(12), "C-13", Key("blocks", "[4]")),
    (&["d2-java/diamond"], One(11), "C-13", Key("blocks", "[4]")),
    (EDGE, One(5), "C-7", Is("Task 1 deleted")),
    (S07_EDGE, One(8), "F001-7", Key("blockedBy", "[7, 42]")),
    (S07_EDGE, One(9), "F001-7", Key("blockedBy", "[7, 42]")),
    (EDGE, One(10), "C-12", Is("Error: Task cannot depend on itself")),
    (S07_EDGE, One(11), "C-12, F001-7", With("[1, 42, 7]", "[7, 42]")),
    (JAVA_EDGE, One(11), "C-12", With("[7, 42, 1]", "[7, 42]")),
    (S07_EDGE, One(23), "C-12, F001-7", With("[1, 42, 7]", "[7, 42]")),
    (JAVA_EDGE, One(23), "C-12", With("[7, 42, 1]", "[7, 42]")),
    (EDGE, One(23), "C-22", By(by_number)),
    (S07_EDGE, One(24), "F001-7", Key("blockedBy", "[10, 9, 11, 2, 30, 17, 8]")),
    (EDGE, One(25), "C-13", Key("blocks", "[12]")),
    (S07_EDGE, One(26), "F001-7", Key("blockedBy", "[9, 11, 2, 30, 17, 8]")),
    (S07_EDGE, One(27), "C-2", Key("id", "13")),
    (S07_EDGE, One(28), "C-2", Key("id", "14")),
    (S07_EDGE, One(29), "C-2", Key("id", "15")),
    (S07_EDGE, One(30), "C-12, F001-7", With("[1, 42, 7]", "[7, 42]")),
    (
        S07_EDGE,
        One(30),
        "C-2",
        With(
            "[ ] #12: after restart\n[ ] #13: from B",
            "[ ] #13: after restart\n[ ] #14: from A\n[ ] #15: from B",
        ),
    ),
    (S07_EDGE, One(30), "C-22", By(by_number)),
    (S07_EDGE, One(31), "F002-6", Is("ok")),
    (JAVA_EDGE, One(27), "C-5", Key("blockedBy", "[]")),
    (JAVA_EDGE, One(27), "C-13", Key("blocks", "[12]")),
    (JAVA_EDGE, One(28), "C-12", With("[7, 42, 1]", "[7, 42]")),
    (JAVA_EDGE, One(28), "C-5", With(" (blocked by: [10])", "")),
    (JAVA_EDGE, One(28), "C-22", By(by_number)),
    (JAVA_EDGE, One(29), "C-12", With("[7, 42, 1]", "[7, 42]")),
    (JAVA_EDGE, One(29), "C-5", With(" (blocked by: [10])", "")),
    (JAVA_EDGE, One(29), "C-22", By(by_number)),
    (LATE, One(5), "C-13", Key("blocks", "[2]")),
    (LATE, One(7), "C-5", Key("blockedBy", "[]")),
    (LATE, One(8), "C-5", With(" (blocked by: [1])", "")),
    (LATE, One(9), "C-13", Key("blocks", "[2, 3]")),
    (LATE, One(9), "S000-19", Key("owner", "\"agent\"")),
    (LATE, One(10), "S002-2", With("#2: B", "#2: B (blocked by: [1])")),
    (LATE, One(11), "C-13", Key("blocks", "[2, 3]")),
    (LATE, One(11), "S000-19", Key("owner", "\"agent\"")),
    (LATE, One(13), "S000-19", Key("owner", "\"agent\"")),
    (LATE, One(14), "C-11", Is("Error: Task 3 is blocked by: [2]")),
    (LATE, One(15), "C-11", With("[>] #3: C (blocked by: [2])", "[ ] #3: C")),
    (LATE, One(16), "S000-19", Key("owner", "\"agent\"")),
    (LATE, One(17), "C-11", With("[>] #3: C (blocked by: [2])", "[ ] #3: C")),
    (V6_BASIC, One(16), "S000-29", With(" @alice", "")),
    (V6_BASIC, One(19), "S000-29", With(" @alice", "")),
    (V6_EDGE, One(5), "C-7", Is("Error: Invalid status: blocked")),
    (V6_EDGE, One(8), "C-6", Is("Error: Task 42 not found")),
    (V6_EDGE, One(9), "C-12", Is("Error: Task cannot depend on itself")),
    (V6_EDGE, One(10), "C-6, C-12", With("[\"42\", \"1\"]", "[]")),
    (V6_EDGE, One(11), "C-6, C-12", Key("blocked_by", "[]")),
    (V6_EDGE, One(23), "C-6, C-12", With(" (blocked by: 42, 1)", "")),
    (V6_EDGE, One(27), "C-6", Key("blocked_by", "[\"10\"]")),
    (V6_EDGE, One(28), "C-6", Key("blocked_by", "[]")),
    (V6_EDGE, One(32), "C-5, C-6", With("[\"12\", \"10\"]", "[]")),
    (V6_EDGE, One(33), "C-6, C-12", With(" (blocked by: 42, 1)", "")),
    (V6_EDGE, One(33), "C-6", With(" (blocked by: 12)", "")),
    (V6_EDGE, One(33), "C-5, C-6", With(" (blocked by: 12, 10)", "")),
    (V6_EDGE, One(36), "C-6, C-12", With(" (blocked by: 42, 1)", "")),
    (V6_EDGE, One(36), "C-6", With(" (blocked by: 12)", "")),
    (V6_EDGE, One(36), "C-5, C-6", With(" (blocked by: 12, 10)", "")),
    (V6_EDGE, One(38), "C-21", With("\"id\": \"4\"", "\"id\": \"16\"")),
    (
        V6_EDGE,
        One(39),
        "C-32",
        Is("#1. [ ] 数据库 — naïve \"q\"
#2. [ ] no description
#3. [ ] task number 3
#4. [ ] task number 4
#5. [ ] task number 5
#6. [ ] task number 6
#7. [ ] task number 7
#8. [ ] task number 8
#9. [ ] task number 9
#10. [x] task number 10
#11. [ ] task number 11
#13. [ ] after delete
#14. [ ] after restart
#15. [ ] after junk hwm
#16. [ ] hwm lower than files (overwrites 4)
#77. [ ] foreign"),
    ),
    (
        V6_EDGE,
        One(40),
        "C-32",
        Is("{
  \"id\": \"77\",
  \"subject\": \"foreign\",
  \"description\": \"\",
  \"status\": \"pending\",
  \"blocks\": [],
  \"blockedBy\": []
}"),
    ),
    (V6, Of("TaskCreate"), "S003-8", With(", \"status\": \"pending\"", "")),
    (V6, Of("TaskGet"), "S003-8", By(page_record)),
    (V6, Of("TaskList"), "C-22", By(by_number)),
    (V6, Of("TaskList"), "C-23", By(page_list)),
];

/// Recordings, snapshots (all if none is named), file, what decides, our file.
pub(super) const FILES: &[(Names, Names, &str, &str, Files)] = &[
    (S12_EDGE, &[], "task_1770000003_5730.json", "F000-16", Absent),
    (BASIC, &["02-wired", "03-one-completed", "04-end"], "task_1.json", "C-13", Like(Key("blocks", "[2]"))),
    (BASIC, &["02-wired", "03-one-completed", "04-end"], "task_2.json", "C-13", Like(Key("blocks", "[3]"))),
    (BASIC, &["03-one-completed", "04-end"], "task_1.json", "S000-19", Like(Key("owner", "\"agent\""))),
    (DIAMOND, &[], "task_2.json", "C-13", Like(Key("blocks", "[4]"))),
    (DIAMOND, &[], "task_3.json", "C-13", Like(Key("blocks", "[4]"))),
    (
        EDGE,
        &["01-dangling", "02-twelve", "02-late-dependency", "03-end"],
        "task_1.json",
        "C-12, F001-7",
        Like(Key("blockedBy", "[7, 42]")),
    ),
    (EDGE, END, "task_2.json", "C-13", Like(Key("blocks", "[12]"))),
    (EDGE, END, "task_8.json", "C-13", Like(Key("blocks", "[12]"))),
    (EDGE, END, "task_9.json", "C-13", Like(Key("blocks", "[12]"))),
    (S07_EDGE, END, "task_10.json", "C-13", Like(Key("blocks", "[12]"))),
    (JAVA_EDGE, END, "task_10.json", "C-13", Like(Key("blocks", "[12, 11]"))),
    (EDGE, END, "task_11.json", "C-13", Like(Key("blocks", "[12]"))),
    (JAVA_EDGE, END, "task_11.json", "C-5", Like(Key("blockedBy", "[]"))),
    (S07_EDGE, END, "task_12.json", "C-2", Absent),
    (S07_EDGE, END, "task_13.json", "C-2", Like(Key("subject", "\"after restart\""))),
    (S07_EDGE, END, "task_14.json", "C-2", Files::Is(FROM_A)),
    (S07_EDGE, END, "task_15.json", "C-2", Files::Is(FROM_B)),
    (LATE, &[], "task_1.json", "C-13", Like(Key("blocks", "[2, 3]"))),
    (LATE, &[], "task_1.json", "S000-19", Like(Key("owner", "\"agent\""))),
    (LATE, &[], "task_2.json", "S000-19", Like(Key("owner", "\"agent\""))),
    (LATE, &[], "task_3.json", "C-11", Like(Key("status", "\"pending\""))),
    (LATE, &[], "task_3.json", "C-5", Like(Key("blockedBy", "[]"))),
    (V6_BASIC, &["04-all-completed"], "2.json", "S000-29", Like(Key("owner", "\"\""))),
    (V6_EDGE, LATER, "1.json", "C-6, C-12", Like(Key("blocked_by", "[]"))),
    (
        V6_EDGE,
        LATER,
        "1.json",
        "C-31",
        Like(Key("metadata", r#"{"priority":"high","nested":{"a":[1,2]},"x":true}"#)),
    ),
    (V6_EDGE, &["02-deleted-12"], "11.json", "C-6", Like(Key("blocked_by", "[\"10\"]"))),
    (V6_EDGE, &["03-late-dependency", "04-hwm-too-low"], "11.json", "C-6", Like(Key("blocked_by", "[]"))),
    (
        V6_EDGE,
        &["02-deleted-12", "03-late-dependency", "04-hwm-too-low"],
        "9.json",
        "C-5, C-6",
        Like(Key("blocked_by", "[]")),
    ),
    (V6_EDGE, &["04-hwm-too-low"], "4.json", "C-21", Like(Key("subject", "\"task number 4\""))),
    (V6_EDGE, &["04-hwm-too-low"], ".highwatermark", "C-21", Files::Is("16")),
    (V6_EDGE, &["04-hwm-too-low"], "16.json", "C-21", Files::Is(SIXTEEN)),
    (V6, &[], "*", "S003-5", Like(By(without_default_form))),
    (V6, &[], "*", "F003-1", Like(With(",\n  \"metadata\": {}", ""))),
];

const END: Names = &["03-end", "02-late-dependency"];
const LATER: Names = &["01-twelve", "02-deleted-12", "03-late-dependency", "04-hwm-too-low"];

const FROM_A: &str = r#"{
  "id": 14,
  "subject": "from A",
  "description": "",
  "status": "pending",
  "blockedBy": [],
  "blocks": [],
  "owner": ""
}"#;

const FROM_B: &str = r#"{
  "id": 15,
  "subject": "from B",
  "description": "",
  "status": "pending",
  "blockedBy": [],
  "blocks": [],
  "owner": ""
}"#;

const SIXTEEN: &str = r#"{
  "id": "16",
  "subject": "hwm lower than files (overwrites 4)",
  "description": "",
  "status": "pending",
  "active_form": "",
  "owner": "",
  "blocks": [],
  "blocked_by": []
}"#;

/// Lines sorted by the number after `#`.
fn by_number(text: &str) -> String {
    let number = |line: &&str| {
        let digits = line.split_once('#').map(|it| it.1.chars().take_while(char::is_ascii_digit).collect());
        digits.and_then(|it: String| it.parse::<u64>().ok())
    };
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_by_key(number);
    lines.join("\n")
}

/// The program's list in the format that its page prints: `(blocked by: 1) @a` becomes `  @a  blocked by: #1`, lined up.
fn page_list(text: &str) -> String {
    let split = |line: &str| {
        let (line, owner) =
            line.rsplit_once(" @").map_or((line, String::new()), |it| (it.0, format!("  @{}", it.1)));
        let (line, waits) = line.split_once(" (blocked by: ").unwrap_or((line, ""));
        let waits: Vec<String> = waits
            .trim_end_matches(')')
            .split(", ")
            .filter(|it| !it.is_empty())
            .map(|it| format!("#{it}"))
            .collect();
        let waits =
            if waits.is_empty() { String::new() } else { format!("  blocked by: {}", waits.join(", ")) };
        let (mark, subject) = line.split_once("] ").unwrap_or((line, ""));
        (format!("{mark}] "), subject.to_owned(), owner + &waits)
    };
    if !text.starts_with('#') {
        return text.to_owned();
    }
    let rows: Vec<_> = text.lines().map(split).collect();
    let width = rows.iter().filter(|it| !it.2.is_empty()).map(|it| it.1.chars().count()).max().unwrap_or(0);
    let line = |(mark, subject, notes): &(String, String, String)| {
        format!("{mark}{subject:width$}{notes}").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The program's record with the six keys of the page.
fn page_record(text: &str) -> String {
    if !text.contains("\"blocked_by\"") {
        return text.to_owned();
    }
    let record = object(text);
    let of = |key: &str| record.get(key).unwrap().clone();
    let kept = ["id", "subject", "description", "status", "blocks"].map(|key| (key.to_owned(), of(key)));
    let six: Object = kept.into_iter().chain([("blockedBy".to_owned(), of("blocked_by"))]).collect();
    write(&Json::Object(six), Style::PYTHON, "")
}

/// A file without the active form that its program makes up.
fn without_default_form(text: &str) -> String {
    let line = |line: &str| {
        let made_up = line.starts_with("  \"active_form\": \"Working on: ");
        if made_up { "  \"active_form\": \"\",".to_owned() } else { line.to_owned() }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
