//! `wl` alone: where you are, how things stand, what to type next.

use crate::{
    context::Context,
    failure::Failure,
    output::{
        Answer, BOLD, BUSY, FAINT, GOOD, PLAIN, Row, WAITS, counted, left, paint, tasks_json, visible, width,
    },
};
use worklist::{Board, State, TaskList, TaskView, json::Object, time::Time};

/// So many tasks of a kind are shown.
const MOST: usize = 8;

pub(super) fn run(context: &Context) -> Result<Answer, Failure> {
    match context.look() {
        Err(failure) if failure.code == "no_list" => Ok(welcome(context)),
        list => board(context, &list?),
    }
}

fn welcome(context: &Context) -> Answer {
    let place = context.shown();
    let text = format!(
        "There is no list here yet ({}).\n\n  \
         wl add \"Write the parser\"      creates a task, and the list\n  \
         wl plan FILE                   a whole graph from a Markdown checklist\n  \
         wl lists                       finds lists elsewhere\n  \
         wl help                        all commands\n",
        visible(&place)
    );
    let json = Object::new().with("dir", place).with("exists", false);
    Answer::new(text, json)
}

/// How things stand in a list.
pub(super) fn board(context: &Context, list: &TaskList) -> Result<Answer, Failure> {
    let board = list.board()?;
    let of = |state: State| board.seen().filter(|it| it.state == state).collect::<Vec<&TaskView>>();
    let (ready, busy) = (board.ready(), of(State::InProgress));
    let parked: Vec<&TaskView> =
        board.tasks.iter().filter(|it| it.parked && it.state != State::Completed).collect();
    let format = list.format().map_or("postgres", |it| it.shape().name);
    let place = context.shown();
    let mut text = format!("{} {}\n", paint(BOLD, &visible(&place)), paint(FAINT, &format!("({format})")));
    text += &counts(&board, parked.len());
    text += &section(context, "In progress", &busy, Some(list.now()));
    text += &section(context, "Ready", &ready, None);
    text += &section(context, "Parked", &parked, None);
    text += &format!("\n{}\n", paint(FAINT, &advice(context, &board, &ready, &busy)));
    let counts = Object::new()
        .with("total", board.seen().count())
        .with("ready", ready.len())
        .with("blocked", board.count(State::Blocked))
        .with("inProgress", busy.len())
        .with("completed", board.count(State::Completed))
        .with("parked", parked.len());
    let json = Object::new()
        .with("dir", place)
        .with("exists", true)
        .with("format", format)
        .with("agent", context.actor.agent.as_str())
        .with("session", context.actor.session.as_str())
        .with("counts", counts)
        .with("inProgress", tasks_json(busy))
        .with("ready", tasks_json(ready.iter().copied().take(MOST)));
    Ok(Answer::new(text, json).warned(&board.problems))
}

fn counts(board: &Board, parked: usize) -> String {
    let of = |state| board.count(state);
    let mut parts = vec![
        paint(GOOD, &format!("{} ready", board.ready().len())),
        paint(BUSY, &format!("{} in progress", of(State::InProgress))),
        paint(PLAIN, &format!("{} blocked", of(State::Blocked))),
        paint(FAINT, &format!("{} completed", of(State::Completed))),
    ];
    if parked > 0 {
        parts.push(paint(WAITS, &format!("{parked} parked")));
    }
    format!("{}: {}\n", counted(board.seen().count(), "task"), parts.join(", "))
}

fn section(context: &Context, title: &str, views: &[&TaskView], now: Option<Time>) -> String {
    if views.is_empty() {
        return String::new();
    }
    let rows: Vec<Row> = views
        .iter()
        .take(MOST)
        .map(|it| match now {
            Some(now) => Row::of(it).with(&format!("({})", left(it, now)), FAINT),
            None => Row::of(it),
        })
        .collect();
    let ids = rows.iter().map(|it| width(&it.id)).max().unwrap_or(0);
    let left = context.output.width().saturating_sub(2);
    let mut text = format!("\n{}\n", paint(BOLD, title));
    text.extend(rows.iter().map(|it| format!("  {}\n", it.line(ids, left))));
    if views.len() > MOST {
        text += &format!("  {}\n", paint(FAINT, &format!("… and {} more", views.len() - MOST)));
    }
    text
}

fn advice(context: &Context, board: &Board, ready: &[&TaskView], busy: &[&TaskView]) -> String {
    let mine =
        busy.iter().find(|it| it.claim.as_ref().is_some_and(|it| it.by.session == context.actor.session));
    match (mine, ready.first()) {
        (Some(mine), _) => {
            let id = visible(mine.task.id.as_str());
            format!("Next: `wl done {id}` when it is finished, `wl release {id}` to give it back.")
        }
        (None, Some(_)) => {
            "Next: `wl next` takes the best ready task; `wl list` shows all open ones.".to_owned()
        }
        (None, None) if board.tasks.is_empty() => "Next: `wl add SUBJECT`, or `wl plan FILE`.".to_owned(),
        (None, None) if board.seen().all(|it| it.state == State::Completed) => {
            "Everything is done. `wl log` shows how.".to_owned()
        }
        (None, None) => "Nothing is ready: `wl why` says what everything waits for.".to_owned(),
    }
}
