//! Pictures of small, large, strange and broken graphs. Not how each part does its work: that is tested beside it.

use super::*;
use std::collections::HashMap;

const NASTY: [&str; 12] = [
    "",
    "plain",
    "数据库模式设计与迁移脚本，包括回滚步骤和验证",
    "🚀 Ship the 👩‍👩‍👧‍👦 family plan 🏳️‍🌈",
    "a \"quoted\" <b>tag</b> & 'apos' `tick`; ]end[ {x} |y| \\n \\",
    "]]> <!-- --> <![CDATA[ &amp; &#0;",
    "tab\there\nline\r\u{0}\u{7}\u{1b}[31m\u{fffe}\u{ffff}",
    "Averyveryverylongwordwithoutanyspaceinitthatmustbebrokensomewherebecauseitdoesnotfitanywhereatall",
    "مرحبا بالعالم e\u{301}\u{301}\u{301} \u{301}",
    "end",
    "subgraph click style class #35; %%{init}%%",
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen",
];

/// A source of numbers that gives the same ones each time.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 20).unwrap() % most.max(1)
    }
}

fn node(id: &str, subject: &str, state: State) -> Node {
    Node { id: id.to_owned(), subject: subject.to_owned(), owner: None, state: Some(state), parked: false }
}

/// Tasks 1, 2, 3 … with these subjects, all still to be done.
pub(super) fn picture(subjects: &[&str], edges: &[(usize, usize)]) -> Picture {
    let nodes = subjects.iter().zip(1..).map(|(it, id)| node(&id.to_string(), it, State::Blocked)).collect();
    Picture { nodes, edges: edges.to_vec() }
}

fn diamond() -> Picture {
    picture(&["Schema", "Endpoints", "Docs", "Release"], &[(0, 1), (0, 2), (1, 3), (2, 3)])
}

/// A graph of chance: hostile texts, every state, edges that may close circles.
pub(super) fn random(dice: &mut Dice, nodes: usize, edges: usize) -> Picture {
    let states = [State::Ready, State::Blocked, State::InProgress, State::Completed];
    let mut made = Vec::new();
    for id in 0..nodes {
        let mut it = node(&id.to_string(), NASTY[dice.below(NASTY.len())], states[dice.below(4)]);
        it.owner = (dice.below(3) == 0).then(|| NASTY[dice.below(NASTY.len())].to_owned());
        it.state = it.state.filter(|_| dice.below(12) > 0);
        it.parked = dice.below(9) == 0;
        made.push(it);
    }
    let mut edge = || {
        let (from, to) = (dice.below(nodes), dice.below(nodes));
        if dice.below(15) == 0 { (from, to) } else { (from.min(to), from.max(to)) }
    };
    Picture { edges: (0..edges).map(|_| edge()).collect(), nodes: made }
}

/// A text without its colours.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\u{1b}[") {
        plain += before;
        rest = behind.split_once('m').map_or("", |it| it.1);
    }
    plain + rest
}

fn drawn(picture: &Picture, charset: Charset, width: usize) -> String {
    plain(&text(picture, &Drawing { charset, width }))
}

const DIAMOND: &str = "
            ┏━━━━━━━━━━━━━━━┓
            ┃ [ ] #1 Schema ┃
            ┗━━━━━━━┳━━━━━━━┛
          ┏━━━━━━━━━┹─────────┐
          ▼                   ▼
┏━━━━━━━━━━━━━━━━━━┓   ┌─────────────┐
┃ [ ] #2 Endpoints ┃   │ [ ] #3 Docs │
┗━━━━━━━━━┳━━━━━━━━┛   └──────┬──────┘
          ┗━━━━━━━━━┱─────────┘
                    ▼
           ┏━━━━━━━━━━━━━━━━┓
           ┃ [ ] #4 Release ┃
           ┗━━━━━━━━━━━━━━━━┛

[ ] to do   ┏━┓ critical path #1 #2 #4
";

const ASCII_DIAMOND: &str = "
            +===============+
            | [ ] #1 Schema |
            +=======+=======+
          +=========+---------+
          v                   v
+==================+   +-------------+
| [ ] #2 Endpoints |   | [ ] #3 Docs |
+=========+========+   +------+------+
          +=========+---------+
                    v
           +================+
           | [ ] #4 Release |
           +================+

[ ] to do   +=+ critical path #1 #2 #4
";

#[test]
fn the_diamond_is_drawn_as_one() {
    assert_eq!(drawn(&diamond(), Charset::Unicode, 80), DIAMOND[1..]);
    assert_eq!(drawn(&diamond(), Charset::Ascii, 80), ASCII_DIAMOND[1..]);
}

#[test]
fn marks_say_where_tasks_stand() {
    let mut it = picture(&["数据库 🚀", "b", "c", "d"], &[(0, 1), (1, 2)]);
    it.nodes[0].state = Some(State::Completed);
    it.nodes[1].state = Some(State::InProgress);
    it.nodes[1].owner = Some("ann".to_owned());
    it.nodes[2].parked = true;
    it.nodes[3].state = None;
    let found = drawn(&it, Charset::Unicode, 80);
    let rows: Vec<&str> = found.lines().collect();
    assert_eq!(rows[1], "│ [x] #1 数据库 🚀 │");
    for row in [0, 2] {
        assert_eq!(words::columns(rows[row]), words::columns(rows[1]));
    }
    for mark in ["[>] #2 b", "[!] #3 c", "without dependencies", "[?] #4 d", "[!] parked", "[?] missing"] {
        assert!(found.contains(mark), "{mark} in\n{found}");
    }
}

#[test]
fn a_wide_layer_is_broken_and_a_hopeless_one_listed() {
    let fan = |count: usize| {
        let subjects = vec!["some longer subject"; count];
        picture(&subjects, &(1..count).map(|it| (0, it)).collect::<Vec<_>>())
    };
    assert!(drawn(&fan(4), Charset::Unicode, 100).contains('▼'));
    let listed = drawn(&fan(40), Charset::Unicode, 60);
    assert!(listed.contains("layer 2\n* [ ] #2 some longer subject  after #1\n"), "{listed}");
    let dense: Vec<_> = (0..30).flat_map(|it| (it + 1..30).map(move |other| (it, other))).collect();
    let dense = picture(&["x"; 30], &dense);
    assert!(drawn(&dense, Charset::Ascii, 80).starts_with("layer 1\n* [ ] #1 x\nlayer 2\n"));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let mut dice = Dice(7);
    for round in 0..80 {
        let (nodes, edges) = (1 + dice.below(30), dice.below(40));
        let it = random(&mut dice, nodes, edges);
        let charset = if round % 2 == 0 { Charset::Unicode } else { Charset::Ascii };
        let widths: Vec<usize> = if round == 0 { (40..200).collect() } else { vec![40 + dice.below(160)] };
        for width in widths.into_iter().chain([0, 1, 7, 20]) {
            for line in drawn(&it, charset, width).lines() {
                assert!(words::columns(line) <= width, "{width} columns, {round}: {line}");
            }
        }
    }
}

#[test]
fn circles_and_strangers_are_named() {
    let mut it = picture(&["a", "b", "c"], &[(0, 1), (1, 2), (2, 0), (1, 1), (0, 9), (9, 0), (0, 1)]);
    assert_eq!(it.critical(), [0; 0]);
    let found = drawn(&it, Charset::Unicode, 80);
    assert!(found.contains("#1 also waits for #3, which closes a circle\n#2 waits for itself\n"), "{found}");
    it.edges = vec![(0, 1), (1, 2)];
    assert_eq!(it.critical(), [0, 1, 2]);
    it.nodes[0].state = Some(State::Completed);
    it.nodes[2].state = None;
    assert_eq!(it.critical(), [1]);
}

#[test]
fn dot_and_mermaid_take_every_text() {
    let mut it = picture(&["say \"hi\" \\ & ]", "end\n"], &[(0, 1)]);
    it.nodes[0].id = "end".to_owned();
    it.nodes[0].owner = Some("x;y".to_owned());
    let found = dot(&it);
    assert!(found.contains(r##"n0 [label="#end  @x;y\nsay \"hi\" \\ &amp; ]", fillcolor"##), "{found}");
    assert!(found.contains("n0 -> n1 [color=\"#e11d48\", penwidth=2.5];\n}\n"), "{found}");
    let found = mermaid(&it);
    let label = "n0[\"#35;end #64;x#59;y<br/>say #34;hi#34; #92; #38; #93;\"]:::blocked\n";
    assert!(found.contains(label), "{found}");
    assert!(found.contains("n0 --> n1\n") && found.contains("linkStyle 0 stroke"), "{found}");
}

/// The numbers of an attribute such as `translate(1,2)`.
fn numbers(text: &str) -> Vec<i64> {
    text.split(|it: char| !it.is_ascii_digit() && it != '-').filter_map(|it| it.parse().ok()).collect()
}

/// Reads an SVG as strictly as any reader, and looks whether its cards are on the page and apart.
#[track_caller]
fn check_svg(svg: &str, cards: usize) {
    let document = roxmltree::Document::parse(svg).unwrap();
    let root = document.root_element();
    let page = numbers(root.attribute("viewBox").unwrap());
    assert!(page[2] > 0 && page[3] > 0 && !svg.contains("NaN") && !svg.contains("inf"));
    let is_card = |it: &roxmltree::Node| it.attribute("class").is_some_and(|it| it.starts_with("card"));
    let of = |it: roxmltree::Node| numbers(it.parent().unwrap().attribute("transform").unwrap());
    let places: Vec<Vec<i64>> = document.descendants().filter(is_card).map(of).collect();
    assert_eq!(places.len(), cards);
    let mut grid: HashMap<(i64, i64), Vec<(i64, i64)>> = HashMap::new();
    for place in places {
        let (x, y) = (place[0], place[1]);
        assert!(x >= 0 && y >= 0 && x + 236 < page[2] && y + 72 < page[3], "{place:?} of {page:?}");
        for near in (-1..=1).flat_map(|it| (-1..=1).map(move |other| (x / 236 + it, y / 72 + other))) {
            for (a, b) in grid.get(&near).into_iter().flatten() {
                assert!((x - a).abs() >= 236 || (y - b).abs() >= 72, "cards at {x},{y} and {a},{b}");
            }
        }
        grid.entry((x / 236, y / 72)).or_default().push((x, y));
    }
}

#[test]
fn svg_is_well_formed_and_cards_are_apart() {
    let mut dice = Dice(11);
    check_svg(&svg(&Picture::default(), NASTY[6]), 0);
    check_svg(&svg(&diamond(), "Diamond"), 4);
    for round in 0..60 {
        let (nodes, edges) = (1 + dice.below(120), dice.below(240));
        let it = random(&mut dice, nodes, edges);
        check_svg(&svg(&it, NASTY[round % NASTY.len()]), it.nodes.len());
    }
}

#[test]
fn svg_shows_what_matters() {
    let mut it = diamond();
    it.nodes[0].owner = Some("ann".to_owned());
    it.nodes[0].state = Some(State::Completed);
    let found = svg(&it, "Release & more");
    for part in [
        "<title>Release &amp; more</title>",
        ">@ann<",
        "1 completed",
        "critical path, 2 tasks",
        "#1 → #2",
        "dark",
    ] {
        assert!(found.contains(part), "{part}");
    }
    assert!(!found.contains("<script") && !found.contains("url("));
}

#[test]
fn the_same_picture_looks_the_same() {
    let it = random(&mut Dice(5), 80, 160);
    let again = it.clone();
    assert_eq!(svg(&it, "x"), svg(&again, "x"));
    let drawing = Drawing { charset: Charset::Unicode, width: 120 };
    assert_eq!(text(&it, &drawing), text(&again, &drawing));
}

#[test]
fn thousands_of_tasks_are_drawn() {
    let it = random(&mut Dice(9), 3_000, 6_000);
    check_svg(&svg(&it, "large"), 3_000);
    assert!(drawn(&it, Charset::Unicode, 100).starts_with("layer 1\n"));
    let chain: Vec<_> = (1..3_000).map(|it| (it - 1, it)).collect();
    let chain = picture(&vec!["link"; 3_000], &chain);
    assert_eq!(chain.critical().len(), 3_000);
    check_svg(&svg(&chain, "chain"), 3_000);
    let fan: Vec<_> = (1..3_000).flat_map(|it| [(0, it), (it, 2_999)]).filter(|it| it.0 != it.1).collect();
    check_svg(&svg(&picture(&vec!["leaf"; 3_000], &fan), "fan"), 3_000);
    let thicket: Vec<_> = (0..160).flat_map(|it| (it + 1..160).map(move |other| (it, other))).collect();
    check_svg(&svg(&picture(&["twig"; 160], &thicket), "thicket"), 160);
}
