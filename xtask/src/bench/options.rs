//! What can be typed behind `cargo xtask bench`. Not which groups there are.

use std::path::PathBuf;

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    /// Every size, often enough for figures that are kept.
    Full,
    /// Without the largest lists, and less often; nothing is kept.
    Quick,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Times,
    /// Nothing: pictures and tables are made anew from the figures that are kept.
    Kept,
    /// Instructions, compared with those that were accepted.
    Instructions,
    /// Instructions, which are accepted from now on.
    Accepted,
    /// Nothing: which functions the usual commands run through is written down.
    Layout,
}

/// What happens when a target is missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missed {
    Told,
    Failure,
}

#[derive(Debug)]
pub(super) struct Options {
    /// The groups that are measured; none stands for all.
    pub(super) groups: Vec<String>,
    pub(super) pace: Pace,
    pub(super) kind: Kind,
    pub(super) missed: Missed,
    /// How the program is built.
    pub(super) profile: String,
    /// The folder, and so the disk, in which the lists are made, if not the one that cargo builds in; nothing is kept then.
    pub(super) on: Option<PathBuf>,
}

impl Options {
    pub(super) fn of(words: &[&str]) -> Result<Options, String> {
        let mut options = Options {
            groups: Vec::new(),
            pace: Pace::Full,
            kind: Kind::Times,
            missed: Missed::Told,
            profile: "release".to_owned(),
            on: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--quick" => options.pace = Pace::Quick,
                "--strict" => options.missed = Missed::Failure,
                "--instructions" if options.kind == Kind::Times => options.kind = Kind::Instructions,
                "--instructions" => {}
                "--kept" => options.kind = Kind::Kept,
                "--accept" => options.kind = Kind::Accepted,
                "--layout" => options.kind = Kind::Layout,
                "--on" => options.on = Some(words.next().ok_or("--on needs a folder")?.into()),
                "--profile" => {
                    (*words.next().ok_or("--profile needs a name")?).clone_into(&mut options.profile);
                }
                flag if flag.starts_with('-') => return Err(format!("there is no {flag} here")),
                name => options.groups.push(name.to_owned()),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_may_stand_anywhere() {
        let options = Options::of(&["looks", "--quick", "--profile", "proof", "space"]).unwrap();
        assert_eq!((options.pace, options.profile.as_str()), (Pace::Quick, "proof"));
        assert_eq!(options.groups, ["looks", "space"]);
        assert_eq!(Options::of(&["--accept", "--instructions"]).unwrap().kind, Kind::Accepted);
        assert_eq!(Options::of(&["--on", "x", "looks"]).unwrap().on, Some(PathBuf::from("x")));
        assert!(Options::of(&["--on"]).is_err());
        assert!(Options::of(&["--profile"]).is_err() && Options::of(&["--fast"]).is_err());
    }
}
