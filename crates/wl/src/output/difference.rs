//! What differs between two texts, line by line. For people to look at, not to be applied.

/// Beyond so many lines the middle is shown as replaced whole.
const MOST: usize = 2_000;

/// The lines that go (`-`) and those that come (`+`), in order; lines that stay are left out.
pub(crate) fn difference(before: &str, after: &str) -> Vec<(char, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let first = old.iter().zip(&new).take_while(|(left, right)| left == right).count();
    let rest = old.len().min(new.len()) - first;
    let last =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(left, right)| left == right).count();
    let (old, new) = (&old[first..old.len() - last], &new[first..new.len() - last]);
    if old.len() * new.len() > MOST * MOST {
        let gone = old.iter().map(|it| ('-', (*it).to_owned()));
        return gone.chain(new.iter().map(|it| ('+', (*it).to_owned()))).collect();
    }
    walk(old, new, &common(old, new))
}

/// For each pair of places the length of the longest common rest.
fn common(old: &[&str], new: &[&str]) -> Vec<Vec<usize>> {
    let mut table = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            table[i][j] =
                if old[i] == new[j] { table[i + 1][j + 1] + 1 } else { table[i + 1][j].max(table[i][j + 1]) };
        }
    }
    table
}

fn walk(old: &[&str], new: &[&str], table: &[Vec<usize>]) -> Vec<(char, String)> {
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && table[i + 1][j] >= table[i][j + 1] {
            lines.push(('-', old[i].to_owned()));
            i += 1;
        } else {
            lines.push(('+', new[j].to_owned()));
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs() {
        let said = |before, after| {
            difference(before, after).into_iter().map(|(sign, it)| format!("{sign}{it}")).collect::<Vec<_>>()
        };
        assert_eq!(said("a\nb\nc", "a\nx\nc"), ["-b", "+x"]);
        assert_eq!(said("", "a\nb"), ["+a", "+b"]);
        assert_eq!(said("a\nb\nc\nd", "b\nd\ne"), ["-a", "-c", "+e"]);
        assert_eq!(said("same", "same"), [""; 0]);
    }
}
