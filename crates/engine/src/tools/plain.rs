//! Text for a model without what no reader would see: orders can be hidden in signs that have no shape. Not for the
//! vocabularies whose answers are laid down to the letter.

/// The same text with hidden signs spelled out. Line breaks and tabs stay; so does what joins letters and emoji.
pub(super) fn plain(text: String) -> String {
    if !text.chars().any(is_hidden) {
        return text;
    }
    text.chars().fold(String::with_capacity(text.len()), |mut plain, it| {
        if is_hidden(it) {
            plain += &format!("\\u{{{:x}}}", u32::from(it));
        } else {
            plain.push(it);
        }
        plain
    })
}

/// A text of others on one line of ours, with nothing hidden in it.
pub fn plain_line(text: &str) -> String {
    plain(super::ours::one_line(text))
}

fn is_hidden(sign: char) -> bool {
    // Zero-width and line signs, directions, invisible operators, the tags that spell ASCII without a shape.
    let shapeless = matches!(
        sign,
        '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}' | '\u{FEFF}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E007F}'
    );
    shapeless || (sign.is_control() && !matches!(sign, '\n' | '\t'))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_is_hidden_is_spelled_out_and_the_rest_stays() {
        for text in ["", "a\n\tb", "é 漢 🎉 👩\u{200D}🔬 क\u{200C}ष ❤\u{FE0F}"] {
            assert_eq!(plain(text.to_owned()), text);
        }
        let tags: String =
            "rm".chars().map(|it| char::from_u32(u32::from(it) + 0xE0000).expect("a tag")).collect();
        assert_eq!(plain(tags), "\\u{e0072}\\u{e006d}");
        assert_eq!(plain("a\u{1b}[31m\u{202e}b\r\u{0}".to_owned()), "a\\u{1b}[31m\\u{202e}b\\u{d}\\u{0}");
    }
}
