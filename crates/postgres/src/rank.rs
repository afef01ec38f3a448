//! How many wait for each task, counted anew after the graph changed: by that the best of what may be started is found
//! without looking at the rest. Counted by the engine; the database only keeps it.

use crate::{attempt::lock_list, code, link::Line, store::Postgres, trouble::Trouble};
use tokio_postgres::types::Type;
use worklist::{Error, Task, graph::Graph};

/// Counts, unless somebody else just did.
pub(crate) fn recount(store: &Postgres) -> Result<(), Error> {
    store.link.steadily("use", &mut |line| line.together(&mut |line| counted(line, store.list)))
}

fn counted(line: &mut Line<'_>, list: i64) -> Result<(), Trouble> {
    lock_list(line, list)?;
    let question = "SELECT recount FROM worklist.lists WHERE list = $1";
    if !line.row(question, &[(&list, Type::INT8)])?.get::<_, bool>(0) {
        return Ok(());
    }
    let rows = line.rows("SELECT id, rev, entry FROM worklist.look_at_all($1)", &[(&list, Type::INT8)])?;
    let tasks: Vec<Task> = rows
        .iter()
        .map(|it| code::entry(it.get(0), it.get(2)).map(|it| it.task))
        .collect::<Result<_, _>>()?;
    let graph = Graph::new(&tasks);
    let open: Vec<&Task> = tasks.iter().filter(|it| it.is_open()).collect();
    let counts = graph.urgencies(&open);
    let ids: Vec<&str> = counts.iter().map(|(.., id)| id.as_str()).collect();
    let waits: Vec<i64> =
        counts.iter().map(|(_, waits, ..)| i64::try_from(waits.0).unwrap_or(i64::MAX)).collect();
    // In the order in which everybody takes rows.
    let change = "WITH other AS MATERIALIZED (
            SELECT t.id, n.waits FROM unnest($2::text[], $3::bigint[]) AS n (id, waits)
            JOIN worklist.tasks t ON t.list = $1 AND t.id = n.id
            WHERE t.waits <> n.waits ORDER BY t.place, t.id FOR UPDATE OF t)
        UPDATE worklist.tasks t SET waits = other.waits FROM other WHERE t.list = $1 AND t.id = other.id";
    line.rows(change, &[(&list, Type::INT8), (&ids, Type::TEXT_ARRAY), (&waits, Type::INT8_ARRAY)])?;
    line.rows("UPDATE worklist.lists SET recount = false WHERE list = $1", &[(&list, Type::INT8)])?;
    Ok(())
}
