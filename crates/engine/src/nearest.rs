//! The known word that a wrong one was probably meant to be. Not a search: with nothing near, nothing is suggested.

/// The nearest of some words, if one is near. Case does not count.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let limit = (word.chars().count() / 3).max(1);
    let near = known.into_iter().filter_map(|it| {
        let other = it.to_lowercase();
        let begins = word.chars().count() >= 3 && other.starts_with(&word);
        let distance = if begins { 1 } else { distance(&word, &other, limit)? };
        (distance <= limit).then_some((distance, it))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, it)| it)
}

/// How many letters must be put in, taken out, changed or swapped with their neighbour; none if surely beyond a limit.
fn distance(one: &str, other: &str, limit: usize) -> Option<usize> {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > limit {
        return None;
    }
    let mut before_last = vec![0; other.len() + 1];
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let changed = last[j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut best = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_found_and_what_is_not_is_not() {
        let known = ["subject", "description", "after", "priority", "tags"];
        for (word, wanted) in [
            ("subjcet", Some("subject")),
            ("Subjekt", Some("subject")),
            ("desc", Some("description")),
            ("prio", Some("priority")),
            ("tag", Some("tags")),
            ("aftr", Some("after")),
            ("colour", None),
            ("", None),
            ("t", None),
        ] {
            assert_eq!(nearest(word, known), wanted, "{word}");
        }
    }
}
