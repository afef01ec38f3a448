//! What was measured: a number for each thing and size, and the file that keeps them. Not whether they are good enough.

use super::machine::Machine;
use std::{collections::BTreeMap, fs, io, path::Path};
use worklist::json::{self, Json, Object, Style};

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Seconds,
    Bytes,
    /// Things, such as mistakes.
    Count,
}

/// One number, in the middle of some.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Figure {
    pub(super) value: f64,
    pub(super) unit: Unit,
    /// How many there were.
    pub(super) samples: usize,
}

/// Group, name and size of a figure; the size is nought where there is no list.
pub(super) type Key = (String, String, usize);

/// Everything that was measured, and where.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Figures {
    /// The machine of each group: they need not be measured on the same day.
    pub(super) machines: BTreeMap<String, Machine>,
    numbers: BTreeMap<Key, Figure>,
}

impl Unit {
    const ALL: [(Unit, &str); 3] = [(Unit::Seconds, "s"), (Unit::Bytes, "bytes"), (Unit::Count, "count")];

    fn name(self) -> &'static str {
        Unit::ALL.iter().find(|it| it.0 == self).map_or("", |it| it.1)
    }
}

impl Figure {
    /// The median of some samples.
    pub(super) fn median(mut samples: Vec<f64>, unit: Unit) -> Figure {
        samples.sort_unstable_by(f64::total_cmp);
        let value = samples.get(samples.len() / 2).copied().unwrap_or(0.0);
        Figure { value, unit, samples: samples.len() }
    }

    /// What was counted once.
    pub(super) fn once(value: f64, unit: Unit) -> Figure {
        Figure { value, unit, samples: 1 }
    }

    /// As people read it.
    pub(super) fn shown(&self) -> String {
        match self.unit {
            Unit::Seconds => seconds(self.value),
            Unit::Bytes if self.value >= 1_048_576.0 => format!("{:.1} MiB", self.value / 1_048_576.0),
            Unit::Bytes => format!("{:.0} bytes", self.value),
            Unit::Count => format!("{:.0}", self.value),
        }
    }
}

/// A time with three digits that matter.
pub(super) fn seconds(value: f64) -> String {
    let (number, unit) = match value {
        it if it < 1e-3 => (it * 1e6, "µs"),
        it if it < 1.0 => (it * 1e3, "ms"),
        it => (it, "s"),
    };
    let digits = if number < 9.995 { 2 } else { usize::from(number < 99.95) };
    format!("{number:.digits$} {unit}")
}

impl Figures {
    pub(super) fn find(&self, group: &str, name: &str, size: usize) -> Option<Figure> {
        self.numbers.get(&(group.to_owned(), name.to_owned(), size)).copied()
    }

    pub(super) fn put(&mut self, group: &str, name: &str, size: usize, figure: Figure) {
        self.numbers.insert((group.to_owned(), name.to_owned(), size), figure);
    }

    /// The figures of a group, by name and size.
    pub(super) fn of<'a>(&'a self, group: &'a str) -> impl Iterator<Item = (&'a str, usize, Figure)> + 'a {
        let own = self.numbers.iter().filter(move |it| it.0.0 == group);
        own.map(|((_, name, size), figure)| (name.as_str(), *size, *figure))
    }

    /// Takes over the groups that were measured anew; the others stay as they were.
    pub(super) fn renew(&mut self, newer: Figures) {
        for (group, machine) in newer.machines {
            self.numbers.retain(|key, _| key.0 != group);
            self.machines.insert(group, machine);
        }
        self.numbers.extend(newer.numbers);
    }

    /// What is kept in a file, or nothing if there is none.
    pub(super) fn read(path: &Path) -> io::Result<Figures> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Figures::default()),
            text => text?,
        };
        let wrong = || io::Error::other(format!("{}: not a file of figures", path.display()));
        let parsed = json::parse(&text).map_err(|_| wrong())?;
        Figures::of_json(&parsed).ok_or_else(wrong)
    }

    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        fs::write(path, json::write(&self.to_json(), Style::JAVASCRIPT, "") + "\n")
    }

    fn to_json(&self) -> Json {
        let mut groups = Object::new();
        for (group, machine) in &self.machines {
            let rows: Vec<Json> = self.of(group).map(|(name, size, it)| row(name, size, it)).collect();
            groups.set(
                group,
                Object::new().with("machine", machine.to_json()).with("figures", Json::Array(rows)),
            );
        }
        groups.into()
    }

    fn of_json(value: &Json) -> Option<Figures> {
        let mut figures = Figures::default();
        for (group, value) in value.as_object()?.iter() {
            let value = value.as_object()?;
            figures.machines.insert(group.to_owned(), Machine::of_json(value.get("machine")?)?);
            for row in value.get("figures")?.as_array()? {
                let row = row.as_object()?;
                let unit =
                    Unit::ALL.iter().find(|it| Some(it.1) == row.get("unit").and_then(Json::as_str))?.0;
                let figure =
                    Figure { value: number(row.get("median")?)?, unit, samples: size(row, "samples")? };
                figures.put(group, row.get("name")?.as_str()?, size(row, "tasks")?, figure);
            }
        }
        Some(figures)
    }
}

fn row(name: &str, tasks: usize, figure: Figure) -> Json {
    let value = Json::Number(format!("{}", rounded(figure.value)));
    let row = Object::new().with("name", name).with("tasks", tasks).with("median", value);
    row.with("unit", figure.unit.name()).with("samples", figure.samples).into()
}

/// Four digits that matter: more are noise.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

fn number(value: &Json) -> Option<f64> {
    match value {
        Json::Number(text) => text.parse().ok(),
        _ => None,
    }
}

fn size(row: &Object, key: &str) -> Option<usize> {
    row.get(key)?.as_u64().and_then(|it| usize::try_from(it).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(group: &str, value: f64) -> Figures {
        let mut figures = Figures::default();
        figures.machines.insert(group.to_owned(), Machine::default());
        figures.put(group, "show", 100, Figure { value, unit: Unit::Seconds, samples: 9 });
        figures
    }

    #[test]
    fn figures_come_back_from_their_file() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("figures.json");
        assert_eq!(Figures::read(&path).unwrap(), Figures::default());
        let figures = measured("commands", 0.001_25);
        figures.write(&path).unwrap();
        assert_eq!(Figures::read(&path).unwrap(), figures);
        fs::write(&path, "{\"commands\": 1}").unwrap();
        assert!(Figures::read(&path).is_err());
    }

    #[test]
    fn a_group_measured_anew_leaves_the_others() {
        let mut figures = measured("commands", 1.0);
        figures.put("commands", "gone", 100, Figure::once(1.0, Unit::Count));
        figures.renew(measured("looks", 2.0));
        figures.renew(measured("commands", 3.0));
        assert_eq!(figures.find("commands", "show", 100).map(|it| it.value), Some(3.0));
        assert_eq!(figures.find("looks", "show", 100).map(|it| it.value), Some(2.0));
        assert_eq!(figures.find("commands", "gone", 100), None);
    }

    #[test]
    fn people_read_three_digits() {
        let shown: Vec<String> = [0.000_093_4, 0.001_234, 0.0123, 0.999_6, 12.3].map(seconds).into();
        assert_eq!(shown, ["93.4 µs", "1.23 ms", "12.3 ms", "1000 ms", "12.3 s"]);
    }

    #[test]
    fn the_median_stands_in_the_middle() {
        assert_eq!(Figure::median(vec![9.0, 1.0, 2.0], Unit::Count).shown(), "2");
    }
}
