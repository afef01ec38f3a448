//! Whether a session works with tasks or with the older checklist. Not where the variable comes from: no environment is
//! read here.

/// Whether tasks are on, given the variable that switches them and whether a person sits at the session.
pub fn enabled(variable: Option<&str>, interactive: bool) -> bool {
    let word = variable.unwrap_or_default().trim().to_ascii_lowercase();
    match word.as_str() {
        "" => interactive,
        "0" | "false" | "no" | "off" => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_counts_and_silence_asks_for_a_person() {
        for interactive in [true, false] {
            for off in ["0", "false", "no", "off", " OFF "] {
                assert!(!enabled(Some(off), interactive), "{off}");
            }
            for on in ["1", "true", "yes", "on"] {
                assert!(enabled(Some(on), interactive), "{on}");
            }
            for silent in [None, Some(""), Some(" ")] {
                assert_eq!(enabled(silent, interactive), interactive);
            }
        }
    }
}
