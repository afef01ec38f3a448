//! The room behind the journal's last line: what is written into it, half of it, and what others leave there.

use crate::world::{Ids, World};
use worklist::{
    Command,
    conformance::{add, ann, claim},
    rules::Edit,
};

const JOURNAL: &str = ".worklist/journal";

fn world() -> (World, Ids) {
    let world = World::new("claude", 1);
    let ids = world.populate();
    (world, ids)
}

fn edit(world: &World, ids: &Ids, subject: &str) {
    let change = Command::Edit(Edit { subject: Some(subject.into()), ..Edit::of(ids.ready.clone()) });
    world.list().run(&ann(), &change).expect("an edit");
}

fn journal(world: &World) -> Vec<u8> {
    world.disk.peek(JOURNAL).expect("there")
}

fn end(journal: &[u8]) -> usize {
    journal.iter().rposition(|it| *it == b'\n').expect("lines") + 1
}

fn events(world: &World) -> usize {
    world.list().events_after(0).expect("history").len()
}

/// A file that becomes longer costs most disks a second flush.
#[test]
fn the_journal_seldom_becomes_longer() {
    let (world, ids) = world();
    let mut lengths = Vec::new();
    for n in 0..100 {
        edit(&world, &ids, &format!("subject {n}"));
        let journal = journal(&world);
        assert!(journal[end(&journal)..].iter().all(|it| *it == b' '));
        lengths.push(journal.len());
    }
    lengths.dedup();
    let grown = end(&journal(&world));
    assert!(grown > 40_000 && lengths.len() <= grown / 4096 + 1, "{} for {grown}", lengths.len());
}

/// A process can die in the middle of a write, and one that looks can come in the middle.
#[test]
fn half_a_flush_is_none() {
    let (world, ids) = world();
    edit(&world, &ids, "before");
    let (before, events_before) = (journal(&world), events(&world));
    let index = world.disk.peek(".worklist/index").expect("there");
    let file = world.disk.peek(&world.format.file_of(&ids.ready)).expect("there");
    claim(&world.list(), &ann(), &ids.ready).expect("a claim");
    let after = journal(&world);
    assert_eq!(before.len(), after.len());
    for cut in end(&before)..end(&after) {
        let half = [&after[..cut], &before[cut..]].concat();
        world.disk.foreign_write(JOURNAL, Some(&half));
        world.disk.foreign_write(".worklist/index", Some(&index));
        world.disk.foreign_write(&world.format.file_of(&ids.ready), Some(&file));
        assert_eq!(events(&world), events_before, "{cut}");
        if cut % 16 == 0 {
            edit(&world, &ids, "after");
            assert_eq!(events(&world), events_before + 1, "{cut}");
            world.check_order();
        }
    }
}

/// A version that knows of no room takes it for what is left of an append, and cuts it off.
#[test]
fn room_may_be_cut_off_or_filled_by_others() {
    let (world, ids) = world();
    let mut filled = 0;
    for n in 0..40 {
        let mut journal = journal(&world);
        let end = end(&journal);
        match n % 4 {
            0 => journal.truncate(end),
            1 => journal[end..].fill(0),
            2 if journal.len() > end + 700 => {
                journal[end + 600..].fill(b'x');
                filled += 1;
            }
            _ => {}
        }
        world.disk.foreign_write(JOURNAL, Some(&journal));
        if n % 8 == 5 {
            world.clock.reboot();
        }
        let before = events(&world);
        edit(&world, &ids, &format!("subject {n}"));
        assert_eq!(events(&world), before + 1, "{n}");
        assert_eq!(
            world.list().show(&ids.ready).expect("a look").expect("there").task.subject,
            format!("subject {n}")
        );
    }
    world.check_order();
    assert!(filled > 5, "there was hardly ever room: {filled}");
    assert!(world.list().board().expect("a look").problems.is_empty());
}

/// Somebody puts back a copy of the journal, in place: by its length alone it could be the one that the index knows.
#[test]
fn an_older_journal_with_as_much_room_is_not_taken_for_this_one() {
    let (world, ids) = world();
    edit(&world, &ids, "before");
    let older = journal(&world);
    let past = || world.list().history(&ids.ready, 9).expect("a past").changes;
    let (kept, changes) = (events(&world), past());
    let token = claim(&world.list(), &ann(), &ids.ready).expect("a claim").decision.token;
    assert_eq!(journal(&world).len(), older.len());
    world.disk.foreign_write(JOURNAL, Some(&older));
    world.clock.pass(1);
    assert_eq!((events(&world), past()), (kept, changes));
    let new = add(&world.list(), "new", &[]);
    assert_eq!(world.list().board().expect("a look").tasks.len(), 5);
    let later = claim(&world.list(), &ann(), &new).expect("a claim").decision.token;
    assert!(token.is_some() && later > token, "{later:?} after {token:?}");
    world.check_order();
}
