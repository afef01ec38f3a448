//! All of a list at one moment, and a list laid down at once. Not how single changes are written.

use crate::{attempt::lock_all, code, link::Line, store::Postgres, trouble::Trouble, view::told_plans};
use tokio_postgres::types::Type;
use worklist::{
    Error, Refusal, Whole,
    claim::Entry,
    event::Event,
    graph::Graph,
    json::{Json, Style, parse, write},
    portable::{cut_from_json, cut_to_json, plan_to_json},
};

/// So many rows travel together.
const AT_ONCE: usize = 1_000;

/// Everything that the list knows.
pub(crate) fn whole(store: &Postgres) -> Result<Whole, Error> {
    store.link.steadily("read", &mut |line| {
        line.together(&mut |line| {
            line.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")?;
            read(line, store.list)
        })
    })
}

fn read(line: &mut Line<'_>, list: i64) -> Result<Whole, Trouble> {
    let question = "SELECT told_from, highest, told_plans, told_cut FROM worklist.lists WHERE list = $1";
    let head = line.row(question, &[(&list, Type::INT8)])?;
    let cut = head.get::<_, Option<&str>>(3).and_then(|it| parse(it).ok());
    let rows = line.rows("SELECT id, rev, entry FROM worklist.look_at_all($1)", &[(&list, Type::INT8)])?;
    let entries = rows.iter().map(|it| code::entry(it.get(0), it.get(2))).collect::<Result<_, _>>()?;
    let question = "SELECT seq, body FROM worklist.events WHERE list = $1 ORDER BY seq";
    let rows = line.rows(question, &[(&list, Type::INT8)])?;
    let events = rows.iter().map(|it| code::event(it.get(0), it.get(1))).collect::<Result<_, _>>()?;
    Ok(Whole {
        from: head.get::<_, i64>(0).unsigned_abs(),
        highest: head.get::<_, i64>(1).unsigned_abs(),
        plans: told_plans(head.get(2)),
        cut: cut.as_ref().and_then(cut_from_json),
        entries,
        events,
    })
}

/// Lays a list down where there is neither a task nor a past.
pub(crate) fn found(store: &Postgres, whole: &Whole) -> Result<(), Error> {
    store.link.steadily("write to", &mut |line| line.together(&mut |line| lay(line, store.list, whole)))
}

fn lay(line: &mut Line<'_>, list: i64, whole: &Whole) -> Result<(), Trouble> {
    line.take_time()?;
    lock_all(line, list)?;
    let question = "SELECT h.seq > 0 OR EXISTS (SELECT FROM worklist.tasks t WHERE t.list = $1) \
        FROM worklist.heads h WHERE h.list = $1 FOR UPDATE";
    if line.row(question, &[(&list, Type::INT8)])?.get(0) {
        let refusal = Refusal::invalid("list", "is not empty: it has tasks or a history");
        return Err(Trouble::Failed(refusal.into()));
    }
    lay_tasks(line, list, &whole.entries)?;
    for events in whole.events.chunks(AT_ONCE) {
        lay_events(line, list, events)?;
    }
    let plans = whole.plans.iter().map(|it| Json::Object(plan_to_json(it))).collect();
    let plans = write(&Json::Array(plans), Style::COMPACT, "");
    let cut = whole.cut.as_ref().map(|it| write(&Json::Object(cut_to_json(it)), Style::COMPACT, ""));
    let number = |it: u64| i64::try_from(it).unwrap_or(i64::MAX);
    let (from, highest, seq) = (number(whole.from), number(whole.highest), number(whole.seq()));
    line.rows(
        "UPDATE worklist.lists SET told_from = $2, highest = $3, told_plans = $4, told_cut = $5, recount = true \
         WHERE list = $1",
        &[
            (&list, Type::INT8),
            (&from, Type::INT8),
            (&highest, Type::INT8),
            (&plans, Type::TEXT),
            (&cut, Type::TEXT),
        ],
    )?;
    line.rows(
        "UPDATE worklist.heads SET seq = $2 WHERE list = $1",
        &[(&list, Type::INT8), (&seq, Type::INT8)],
    )?;
    // Claims count on from the highest number that the list ever had.
    let fence = number(whole.highest_fence());
    line.rows("SELECT worklist.raise_tokens($1)", &[(&fence, Type::INT8)])?;
    Ok(())
}

fn lay_tasks(line: &mut Line<'_>, list: i64, entries: &[Entry]) -> Result<(), Trouble> {
    let graph = Graph::new(entries.iter().map(|it| &it.task));
    for part in entries.chunks(AT_ONCE) {
        let rows = part.iter().map(|it| code::columns(it, graph.is_blocked(&it.task.id))).collect();
        let rows = write(&Json::Array(rows), Style::COMPACT, "");
        line.rows("SELECT worklist.lay_tasks($1, $2::jsonb)", &[(&list, Type::INT8), (&rows, Type::TEXT)])?;
    }
    Ok(())
}

fn lay_events(line: &mut Line<'_>, list: i64, events: &[Event]) -> Result<(), Trouble> {
    let seqs: Vec<i64> = events.iter().map(|it| i64::try_from(it.seq).unwrap_or(i64::MAX)).collect();
    let bodies: Vec<String> = events.iter().map(code::event_text).collect();
    let plans: Vec<Option<&str>> =
        events.iter().map(|it| it.plan.as_ref().and_then(|it| it.key.as_deref())).collect();
    line.rows(
        "INSERT INTO worklist.events (list, seq, plan_key, body) \
         SELECT $1, n.* FROM unnest($2::bigint[], $3::text[], $4::text[]) AS n",
        &[
            (&list, Type::INT8),
            (&seqs, Type::INT8_ARRAY),
            (&plans, Type::TEXT_ARRAY),
            (&bodies, Type::TEXT_ARRAY),
        ],
    )?;
    let touched = events
        .iter()
        .zip(&seqs)
        .flat_map(|(event, seq)| event.changes.iter().map(|it| (it.id.as_str(), *seq)));
    let (ids, seqs): (Vec<&str>, Vec<i64>) = touched.unzip();
    line.rows(
        "INSERT INTO worklist.touched (list, id, seq) \
         SELECT $1, n.* FROM unnest($2::text[], $3::bigint[]) AS n ON CONFLICT DO NOTHING",
        &[(&list, Type::INT8), (&ids, Type::TEXT_ARRAY), (&seqs, Type::INT8_ARRAY)],
    )?;
    Ok(())
}
