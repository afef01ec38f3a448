//! The machine that was measured, in the words that a reader needs to judge the figures. Not its name or its owner.

use std::{fs, path::Path, thread, time::SystemTime};
use worklist::{
    json::{Json, Object},
    time::Time,
};

/// What a figure depends on beside the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Machine {
    pub(super) processor: String,
    pub(super) cores: String,
    pub(super) kernel: String,
    pub(super) file_system: String,
    /// How many processes wanted to run when the measuring began.
    pub(super) load: String,
    pub(super) date: String,
    /// How the program was built.
    pub(super) profile: String,
}

impl Machine {
    pub(super) fn of(folder: &Path, profile: &str) -> Machine {
        let word = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let load = word("/proc/loadavg");
        Machine {
            processor: processor(&word("/proc/cpuinfo")),
            cores: thread::available_parallelism().map_or_else(|_| "?".to_owned(), |it| it.to_string()),
            kernel: format!("Linux {}", numbers(word("/proc/sys/kernel/osrelease").trim())),
            file_system: file_system(&word("/proc/mounts"), folder, &has_journal),
            load: load.split(' ').next().unwrap_or_default().to_owned(),
            date: today(),
            profile: profile.to_owned(),
        }
    }

    fn fields(&mut self) -> [(&'static str, &mut String); 7] {
        [
            ("processor", &mut self.processor),
            ("cores", &mut self.cores),
            ("kernel", &mut self.kernel),
            ("fileSystem", &mut self.file_system),
            ("load", &mut self.load),
            ("date", &mut self.date),
            ("profile", &mut self.profile),
        ]
    }

    pub(super) fn to_json(&self) -> Json {
        let mut object = Object::new();
        for (key, value) in self.clone().fields() {
            object.set(key, value.as_str());
        }
        object.into()
    }

    pub(super) fn of_json(value: &Json) -> Option<Machine> {
        let object = value.as_object()?;
        let mut machine = Machine::default();
        for (key, field) in machine.fields() {
            object.get(key)?.as_str()?.clone_into(field);
        }
        Some(machine)
    }
}

fn processor(information: &str) -> String {
    let line = information.lines().find_map(|it| it.strip_prefix("model name"));
    line.map_or("unknown", |it| it.trim_start_matches([' ', '\t', ':'])).to_owned()
}

/// The kind of the file system that a folder lies in: that of the longest path above it. Whether one that usually keeps a journal
/// has none makes a great difference to what a flush takes.
fn file_system(mounts: &str, folder: &Path, has_journal: &dyn Fn(&str) -> bool) -> String {
    let mounts = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some((words.next()?, words.next()?, words.next()?))
    });
    let above = mounts.filter(|(_, path, _)| folder.starts_with(path));
    match above.max_by_key(|(_, path, _)| path.len()) {
        Some((device, _, "ext4")) if !has_journal(device) => "ext4 without a journal".to_owned(),
        Some((_, _, kind)) => kind.to_owned(),
        None => "unknown".to_owned(),
    }
}

/// What Linux says of the journal of an ext4 file system; one of which it says nothing has one.
fn has_journal(device: &str) -> bool {
    let name = device.rsplit('/').next().unwrap_or_default();
    let task = fs::read_to_string(format!("/sys/fs/ext4/{name}/journal_task"));
    task.map_or(true, |it| it.trim() != "<none>")
}

fn today() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let moment = Time(i64::try_from(since.as_millis()).unwrap_or(0)).to_string();
    moment.split('T').next().unwrap_or_default().to_owned()
}

/// The first two numbers of a version: the rest is whoever built it.
fn numbers(version: &str) -> String {
    version.split('.').take(2).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_mount_counts() {
        let mounts = "/dev/a / ext4 rw 0 0\ntmpfs /tmp tmpfs rw 0 0\n/dev/b /tmp/b xfs rw 0 0\n";
        let found = |folder, journal| file_system(mounts, Path::new(folder), &|it| it == "/dev/a" && journal);
        assert_eq!(["/home", "/tmp/c", "/tmp/b/c"].map(|it| found(it, true)), ["ext4", "tmpfs", "xfs"]);
        assert_eq!(found("/home", false), "ext4 without a journal");
    }

    #[test]
    fn a_machine_comes_back() {
        let machine = Machine { cores: "2".to_owned(), ..Machine::default() };
        assert_eq!(Machine::of_json(&machine.to_json()), Some(machine));
    }
}
