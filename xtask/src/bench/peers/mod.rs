//! The same commands of other programs that keep tasks, in turn with ours, each in a list of its own. Not a judgement of
//! them: several do more than this.

mod lists;
mod table;

pub(super) use table::{ABSENT, PEERS, Peer};

use super::{
    Bench, Measured,
    figures::{Figure, Unit},
    options::Pace,
    program::{self, Program},
    text::Author,
};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// Lists of these sizes: larger ones take several of them minutes.
pub(super) const SIZES: [usize; 2] = [100, 1_000];
/// Less often where it is only for a look.
const QUICK: usize = 2;

/// A peer with a list, ready to be measured.
struct Contestant {
    peer: &'static Peer,
    program: PathBuf,
    folder: PathBuf,
    size: usize,
}

/// Measures everybody who is there, and names who is not.
pub(super) fn run(bench: &mut Bench) -> io::Result<Vec<Measured>> {
    let mut contestants = Vec::new();
    for (name, why) in ABSENT {
        bench.say(&format!("peers: {name} is left out: {why}"));
    }
    for peer in PEERS {
        match peer.source.find(bench) {
            Ok(program) => contestants.extend(prepare(bench, peer, &program)?),
            Err(why) => bench.say(&format!("peers: {} is left out: {why}", peer.name)),
        }
    }
    let mut samples: BTreeMap<(String, usize), Vec<f64>> = BTreeMap::new();
    for round in 0..PEERS.iter().map(|it| it.rounds).max().unwrap_or(0) {
        contestants
            .retain(|it| round >= rounds(it.peer, bench.pace) || it.measure(bench, round, &mut samples));
    }
    let row = |((name, size), all): ((String, usize), _)| {
        Measured::new(&name, size, Figure::median(all, Unit::Seconds))
    };
    Ok(samples.into_iter().map(row).collect())
}

fn rounds(peer: &Peer, pace: Pace) -> usize {
    if pace == Pace::Quick { peer.rounds.min(QUICK) } else { peer.rounds }
}

fn prepare(bench: &Bench, peer: &'static Peer, program: &Path) -> io::Result<Vec<Contestant>> {
    let mut prepared = Vec::new();
    for size in SIZES {
        let folder = bench.place.join(format!("peer-{}-{size}", peer.program));
        fs::create_dir_all(&folder)?;
        let it = Contestant { peer, program: program.to_owned(), folder, size };
        match (peer.make)(&it, bench) {
            Ok(()) => prepared.push(it),
            Err(error) => bench.say(&format!("peers: {} has no list of {size}: {error}", peer.name)),
        }
    }
    Ok(prepared)
}

impl Contestant {
    /// Measures each of its commands once. Whoever fails takes no further part.
    fn measure(
        &self,
        bench: &Bench,
        round: usize,
        samples: &mut BTreeMap<(String, usize), Vec<f64>>,
    ) -> bool {
        for (verb, words) in self.peer.verbs {
            match program::time(&mut self.command(bench, words, round)) {
                Ok(took) => {
                    let row = (format!("{}: {verb}", self.peer.name), self.size);
                    samples.entry(row).or_default().push(took.as_secs_f64());
                }
                Err(error) => {
                    bench.say(&format!("peers: {} is left out from here on: {error}", self.peer.name));
                    return false;
                }
            }
        }
        true
    }

    /// A process of it, in its folder.
    fn command(&self, bench: &Bench, words: &[&str], round: usize) -> Command {
        let id = (self.peer.id)(round);
        let text = Author::new(u64::try_from(round).unwrap_or(0)).subject();
        let folder = self.folder.display().to_string();
        let filled = |it: &str| it.replace("{id}", &id).replace("{text}", &text).replace("{folder}", &folder);
        let words: Vec<String> = words.iter().map(|it| filled(it)).collect();
        let mut command = Program::new(&self.program, &bench.home).command(&words);
        command.current_dir(&self.folder).env("PATH", bench.path());
        command.envs(self.peer.variables.iter().map(|(name, value)| (name, filled(value))));
        command
    }
}
