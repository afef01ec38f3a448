//! Any bytes in the place of the journal, beside a task: the list opens or says why not, never panics, and a task that is
//! there in whole is not lost by looking.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::{path::Path, sync::Arc};
use worklist::{
    Actor, Command, NewTask, TaskList,
    format::named,
    store::files::Files,
    vfs::sim::{SimClock, SimDisk},
};

const TASK: &[u8] =
    br#"{"id":"1","subject":"s","description":"","status":"pending","blocks":[],"blockedBy":[]}"#;

fuzz_target!(|journal: &[u8]| {
    let clock = SimClock::new(1);
    let disk = SimDisk::new(clock.clone());
    disk.foreign_write("1.json", Some(TASK));
    disk.foreign_write(".worklist/journal", Some(journal));
    let opened = || {
        let clock = Arc::new(clock.clone());
        let files = Files::open(Arc::new(disk.clone()), clock.clone(), Path::new("list"), named("claude"))?;
        Ok::<TaskList, worklist::Error>(TaskList::of_files(files, clock))
    };
    let Ok(list) = opened() else { return };
    _ = list.board();
    let new = NewTask { subject: "new".to_owned(), ..NewTask::default() };
    if list.run(&Actor::new("ann", "s"), &Command::Create(new)).is_ok() {
        let board = opened().and_then(|it| it.board()).expect("what was written can be read");
        assert!(board.tasks.iter().any(|it| it.task.subject == "new"));
    }
});
