//! The tables and functions, step by step. Steps are only ever added; nobody goes back.

use crate::{link::Line, trouble::Trouble};
use tokio_postgres::types::Type;
use worklist::Error;

/// Each step, with its name.
const STEPS: &[(&str, &str)] = &[
    ("lists", include_str!("../migrations/0001_lists.sql")),
    ("reading", include_str!("../migrations/0002_reading.sql")),
    ("writing", include_str!("../migrations/0003_writing.sql")),
    ("roles", include_str!("../migrations/0004_roles.sql")),
    ("plans", include_str!("../migrations/0005_plans.sql")),
    ("statements", include_str!("../migrations/0006_statements.sql")),
];

/// The schema that this program knows.
#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "there are few steps")]
pub const VERSION: i32 = STEPS.len() as i32;

/// Only one at a time takes steps, whatever process it is in.
const ONE_AT_A_TIME: &str = "SELECT pg_advisory_xact_lock(hashtext('worklist.migrations'))";

/// Takes the steps that were not taken yet; how many there were, and how many there are.
pub(crate) fn migrate(line: &mut Line<'_>) -> Result<(i32, i32), Trouble> {
    line.together(&mut |line| {
        line.take_time()?;
        line.run(ONE_AT_A_TIME)?;
        line.run(
            "CREATE SCHEMA IF NOT EXISTS worklist;
             CREATE TABLE IF NOT EXISTS worklist.migrations
                 (number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())",
        )?;
        let found = version(line)?;
        for (number, (name, text)) in (1..).zip(STEPS).skip(usize::try_from(found).unwrap_or(0)) {
            line.run(text)?;
            line.rows(
                "INSERT INTO worklist.migrations (number, name) VALUES ($1, $2)",
                &[(&number, Type::INT4), (name, Type::TEXT)],
            )?;
        }
        Ok((found, found.max(VERSION)))
    })
}

/// A schema that came after us.
pub(crate) fn newer(found: i32) -> Error {
    let known = u64::from(VERSION.unsigned_abs());
    Error::Newer { what: "the store's schema", version: found.to_string(), known }
}

/// The schema that is there.
pub(crate) fn version(line: &mut Line<'_>) -> Result<i32, Trouble> {
    let row = line.row("SELECT coalesce(max(number), 0) FROM worklist.migrations", &[])?;
    Ok(row.get(0))
}
