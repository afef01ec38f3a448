//! Changes through the library, with the list kept open: one writer, then eight at once. Not through processes: what is left
//! is what a change itself costs.

use super::{
    Bench, Measured,
    figures::{Figure, Unit},
    limits::Limit,
    lists::List,
};
use std::{
    io, thread,
    time::{Duration, Instant},
};
use worklist::{
    Actor, Command, Options, TaskId, TaskList,
    rules::{ClaimTask, CompleteTask},
};

const SIZE: usize = 1_000;
const WRITERS: usize = 8;

/// Measures the three in turn: a flush, a claim and a completion; then the same changes by many.
pub(super) fn run(bench: &mut Bench) -> io::Result<Vec<Measured>> {
    let changes = bench.repeats(48, 16);
    let list = List::make(&bench.place.join("library"), SIZE)?;
    let (own, others) = list.free.split_at(list.free.len() / 2);
    let open = TaskList::open(&list.folder, &Options::default()).map_err(io::Error::other)?;
    let (mut flushes, mut claims, mut completions) = (Vec::new(), Vec::new(), Vec::new());
    for id in own.iter().take(changes) {
        flushes.push(bench.limit(Limit::Append, SIZE)?.as_secs_f64());
        let [claim, completion] = life(&open, id, 0)?;
        claims.push(claim.as_secs_f64());
        completions.push(completion.as_secs_f64());
    }
    let alone = Figure::median(
        claims.iter().zip(&completions).map(|(a, b)| f64::midpoint(*a, *b)).collect(),
        Unit::Seconds,
    );
    let together = at_once(&open, &others[..changes])?;
    let row = |name, figure| Measured::new(name, SIZE, figure);
    Ok(vec![
        row("append and fdatasync", Figure::median(flushes, Unit::Seconds)),
        row("claim", Figure::median(claims, Unit::Seconds)),
        row("complete", Figure::median(completions, Unit::Seconds)),
        row("a change, one writer", alone),
        row("a change, eight writers", together),
    ])
}

/// Claims and completes a task.
fn life(list: &TaskList, id: &TaskId, writer: usize) -> io::Result<[Duration; 2]> {
    let name = format!("writer-{writer}");
    let actor = Actor::new(&name, &name);
    let started = Instant::now();
    let claimed = list.run(&actor, &Command::Claim(ClaimTask::of(id.clone()))).map_err(io::Error::other)?;
    let claim = started.elapsed();
    let done = CompleteTask { id: id.clone(), token: claimed.decision.token, force: false };
    list.run(&actor, &Command::Complete(done)).map_err(io::Error::other)?;
    Ok([claim, started.elapsed().saturating_sub(claim)])
}

/// The time of one change where many writers share the list.
fn at_once(list: &TaskList, ids: &[TaskId]) -> io::Result<Figure> {
    let started = Instant::now();
    let share = ids.len().div_ceil(WRITERS);
    let lives: io::Result<Vec<()>> = thread::scope(|scope| {
        let writers = ids.chunks(share).enumerate().map(|(writer, own)| {
            scope.spawn(move || own.iter().try_for_each(|id| life(list, id, writer).map(drop)))
        });
        let writers: Vec<_> = writers.collect();
        writers
            .into_iter()
            .map(|it| it.join().unwrap_or_else(|_| Err(io::Error::other("a writer died"))))
            .collect()
    });
    lives?;
    let each = started.elapsed().as_secs_f64() / super::to_f64(2 * ids.len());
    Ok(Figure { value: each, unit: Unit::Seconds, samples: 2 * ids.len() })
}
