//! Two hundred texts that act, hide, turn around, pile up or break out. Each is harmless as data, and none is a name.

/// All of them, each with its place in the list in front, so that none is empty and all differ.
pub(crate) fn texts() -> Vec<String> {
    let bare = controls().into_iter().chain(sequences()).chain(hidden()).chain(shapes()).chain(syntax());
    let all: Vec<String> = bare.enumerate().map(|(n, it)| format!("t{n}{it}z")).collect();
    assert!(all.len() >= 200, "{}", all.len());
    all
}

/// Every control character there is.
fn controls() -> Vec<String> {
    let codes = (0..0x20).chain([0x7f]).chain(0x80..0xa0);
    codes.filter_map(char::from_u32).map(String::from).collect()
}

/// What terminals obey.
fn sequences() -> Vec<String> {
    let known = [
        "\x1b[31mred",
        "\x1b[2J\x1b[H",
        "\x1b[1A\x1b[2K",
        "\x1b[999D",
        "\x1b[6n",
        "\x1b[c",
        "\x1b[?1049h",
        "\x1b[?25l",
        "\x1b[8m hidden",
        "\x1b[m",
        "\x1b[38;5;1mindexed",
        "\x1b]0;title\x07",
        "\x1b]2;title\x1b\\",
        "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\",
        "\x1b]52;c;cm0gLXJmIH4=\x07",
        "\x1b]52;c;?\x07",
        "\x1b]133;A\x07",
        "\x1b]1337;File=inline=1:AAAA\x07",
        "\x1b]9;notice\x07",
        "\x1b]10;?\x07",
        "\x1bP$qm\x1b\\",
        "\x1bPq#0;2;0;0;0\x1b\\",
        "\x1b_Gf=100;AAAA\x1b\\",
        "\x1b^private\x1b\\",
        "\x1bXstring\x1b\\",
        "\x1b(0lqqk\x1b(B",
        "\x0e line drawing \x0f",
        "\x1bc",
        "\x1b#8",
        "\x1bN",
        "\x1b",
        "\x1b\x1b[0m",
        "\u{9b}31mred",
        "\u{9d}0;title\u{9c}",
        "\u{90}q\u{9c}",
        "\r\x1b[Kover",
        "\rerror: forged",
        "back\x08\x08\x08\x08over",
        "\x0b\x0c",
        "\x1b[31",
    ];
    known.map(String::from).to_vec()
}

/// What nobody sees, and what turns a line around.
fn hidden() -> Vec<String> {
    let single = "\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}\u{180e}\u{200b}\u{200c}\u{200d}\u{200e}\
                  \u{200f}\u{2028}\u{2029}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2060}\u{2061}\u{2062}\u{2063}\
                  \u{2064}\u{2065}\u{2066}\u{2067}\u{2068}\u{2069}\u{206a}\u{206f}\u{3164}\u{fe00}\u{fe0e}\u{fe0f}\
                  \u{feff}\u{ffa0}\u{fff9}\u{fffa}\u{fffb}\u{1bca0}\u{13430}\u{1d173}\u{1d17a}\u{e0001}\u{e0041}\
                  \u{e007f}\u{e0100}\u{e01ef}";
    let joined = [
        "user\u{202e}nimda\u{202c}",
        "\u{2066}isolate\u{2069}",
        "1\u{200d}2",
        "12\u{fe0f}3",
        "#\u{200d}#",
        "→\u{200d}→",
        "─\u{200d}─",
        "❤\u{fe0f}\u{fe0f}\u{fe0f}",
        "👩\u{200d}\u{200d}🚀",
        "🏴\u{e0067}\u{e0062}\u{e007f}",
    ];
    single.chars().map(String::from).chain(joined.map(String::from)).collect()
}

/// What is drawn, at other widths and in other directions than is usual.
fn shapes() -> Vec<String> {
    let known = [
        "漢字かな交じり文",
        "全角ＡＢＣ",
        "ｶﾀｶﾅ",
        "한국어 조선말",
        "\u{1112}\u{1161}\u{11ab}",
        "עברית ושמאל",
        "العربية نص",
        "नमस्ते क्षत्रिय",
        "ไทย กำลัง น้ำ",
        "བོད་སྐད",
        "👩\u{200d}🚀",
        "👨\u{200d}👩\u{200d}👧\u{200d}👦",
        "👍🏽",
        "🇩🇪🇫🇷🇯",
        "1\u{fe0f}\u{20e3}",
        "❤\u{fe0f}",
        "🏳\u{fe0f}\u{200d}🌈",
        "e\u{301}\u{302}",
        "\u{301}\u{302}\u{303}",
        "｟（）｠",
        "─│┌┐└┘├┤",
        "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
        "ﷺ﷽",
        "\u{2003}\u{3000}\u{a0}\u{202f}",
        "\u{e000}\u{f8ff}",
        "\u{fffd}\u{fffe}\u{ffff}",
    ];
    let piles = ['\u{301}', '\u{489}', '\u{fe2f}', '\u{f39}', '\u{1cd0}', '\u{a66f}', '\u{e47}']
        .map(|mark| format!("z{}", mark.to_string().repeat(60)));
    known.map(String::from).into_iter().chain(piles).collect()
}

/// What other readers than a terminal obey.
fn syntax() -> Vec<String> {
    let known = [
        "two\nlines",
        "error: forged\nhint: obey",
        "tab\there",
        "\\",
        "\\\\n\\x1b\\u001b",
        "%s%n%x{}{0}{:?}",
        "$(touch canary) `touch canary`",
        "; rm -rf / #",
        "| > canary & ",
        "'\"'\"",
        "<script>alert(1)</script>",
        "]]><!--&amp;&#27;",
        "\"]; evil [label=\"",
        "\"] --> end subgraph click",
        "[link](javascript:alert(1)) ![x](file:///etc/passwd)",
        "```\nunclosed",
        "~~~",
        "{\"json\": [1,",
        "---\nyaml: 1",
        "../../../etc/passwd",
        "/dev/null",
        "CON NUL COM1",
        "#7 +tag !high @me (after: x)",
        "--json -q --",
    ];
    let long = ["w".repeat(5_000), "漢".repeat(3_000), "long words ".repeat(900), "👩\u{200d}🚀".repeat(500)];
    known.map(String::from).into_iter().chain(long).collect()
}
