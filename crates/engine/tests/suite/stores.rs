//! The conformance suite over every store and every format.

use std::sync::Arc;
use worklist::{
    conformance::Setup,
    format::named,
    store::{Store, files::Files, memory::Memory},
    vfs::{
        Disk, Portable, Vfs,
        sim::{SimClock, SimDisk},
    },
};

fn memory() -> Setup {
    let clock = SimClock::patient(1);
    let store: Arc<dyn Store> = Arc::new(Memory::new(Arc::new(clock.clone())));
    Setup { open: Box::new(move || store.clone()), clock, keep: Box::new(()) }
}

/// Each opening is a `Files` of its own, as another process would have.
fn files(format: &'static str, clock: SimClock, disk: Box<dyn Fn() -> Arc<dyn Vfs> + Send + Sync>) -> Setup {
    let its = clock.clone();
    let open = move || -> Arc<dyn Store> {
        let folder = std::path::Path::new("list");
        let files = Files::open(disk(), Arc::new(its.clone()), folder, named(format)).expect("open");
        Arc::new(files.waiting(3_600_000))
    };
    Setup { open: Box::new(open), clock, keep: Box::new(()) }
}

fn simulated(format: &'static str) -> Setup {
    let clock = SimClock::patient(2);
    let disk: Arc<dyn Vfs> = Arc::new(SimDisk::new(clock.clone()));
    files(format, clock, Box::new(move || disk.clone()))
}

fn real<V: Vfs + 'static>(
    format: &'static str,
    open: fn(&std::path::Path, bool) -> std::io::Result<V>,
) -> Setup {
    let keep = tempfile::tempdir().expect("a folder");
    let path = keep.path().join("list");
    Disk::make(&path).expect("make");
    let open = move || -> Arc<dyn Vfs> { Arc::new(open(&path, false).expect("open")) };
    Setup { keep: Box::new(keep), ..files(format, SimClock::patient(3), Box::new(open)) }
}

worklist::conformance!(in_memory, memory());

mod simulated_disk {
    use super::simulated;
    worklist::conformance!(claude, simulated("claude"));
    worklist::conformance!(s12, simulated("s12"));
    worklist::conformance!(s07, simulated("s07"));
    worklist::conformance!(java, simulated("java"));
    worklist::conformance!(v6, simulated("v6"));
    worklist::conformance!(tasks_json, simulated("tasks-json"));
}

mod real_disk {
    use super::{Disk, real};
    worklist::conformance!(claude, real("claude", Disk::open));
    worklist::conformance!(s12, real("s12", Disk::open));
    worklist::conformance!(s07, real("s07", Disk::open));
    worklist::conformance!(java, real("java", Disk::open));
    worklist::conformance!(v6, real("v6", Disk::open));
    worklist::conformance!(tasks_json, real("tasks-json", Disk::open));
}

/// One opening for all, as threads of one process have: changes that wait for each other are written together.
fn shared(setup: Setup) -> Setup {
    let store = (setup.open)();
    Setup { open: Box::new(move || store.clone()), ..setup }
}

mod shared_by_threads {
    use super::{Disk, real, shared, simulated};
    worklist::conformance!(claude, shared(real("claude", Disk::open)));
    worklist::conformance!(tasks_json, shared(real("tasks-json", Disk::open)));
    worklist::conformance!(simulated_v6, shared(simulated("v6")));
}

/// The way of systems other than Linux, as far as it can be walked here.
mod portable_disk {
    use super::{Portable, real};
    worklist::conformance!(claude, real("claude", Portable::open));
    worklist::conformance!(tasks_json, real("tasks-json", Portable::open));
}
