//! `wl store`: what the owner of a database does so that a team can keep lists in it.

use crate::{
    context::Context,
    failure::Failure,
    output::{Answer, columns, counted, span, visible},
    shared::{Health, Shared},
};
use clap::{Args, Subcommand};
use worklist::json::{Json, Object};

pub(super) const EXAMPLES: &str = "\
Examples:
  wl store init --store postgres://db.example/team     # once, by the owner of the database
  wl store grant agents --store postgres://…/team      # the role `agents` may use every list
  wl store grant ann --only release --only docs        # the role `ann` may use these two
  wl store status                                      # with WORKLIST_STORE set

The password comes from PGPASSFILE, ~/.pgpass or PGPASSWORD, never from the address.";

#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) act: Act,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Act {
    /// Make room for lists in a database; what is there stays
    Init,
    /// Say how the database is: its schema, its lists, the oldest lease, parked tasks
    Status,
    /// Bring the tables up to what this program knows; there is no way back
    Migrate,
    /// Let a role of the database use lists: change tasks, and nothing else
    Grant(GrantArgs),
}

#[derive(Debug, Args)]
pub(crate) struct GrantArgs {
    /// The role, which is there already
    pub(crate) role: String,
    /// Only this list; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
}

pub(super) fn run(context: &Context, args: &StoreArgs) -> Result<Answer, Failure> {
    let hint = "name it with --store postgres://HOST/DATABASE, or set WORKLIST_STORE";
    let missing = || Failure::invalid("--store", "is missing", Some(hint));
    let shared = context.shared.as_ref().ok_or_else(missing)?;
    let place = Shared { name: None, ..shared.clone() }.shown();
    match &args.act {
        Act::Init => Ok(migrated(&place, shared.migrate(Context::variable)?)),
        Act::Migrate => {
            // Where there is nothing yet, making it is another matter.
            shared.health(Context::variable)?;
            Ok(migrated(&place, shared.migrate(Context::variable)?))
        }
        Act::Status => Ok(status(context, &shared.health(Context::variable)?)),
        Act::Grant(grant) => {
            shared.grant(&grant.role, &grant.only, Context::variable)?;
            let lists = if grant.only.is_empty() { "every list".to_owned() } else { grant.only.join(", ") };
            let text =
                format!("{} may use {} in {}\n", visible(&grant.role), visible(&lists), visible(&place));
            let json = Object::new().with("store", place).with("role", grant.role.as_str());
            Ok(Answer::new(text, json.with("lists", Json::strings(&grant.only))))
        }
    }
}

fn migrated(place: &str, (from, to): (i32, i32)) -> Answer {
    let shown = visible(place);
    let text = match from {
        0 => format!(
            "Made room for lists in {shown} (schema {to})\nNext: `wl --store … --list NAME init` makes a list.\n"
        ),
        from if from == to => format!("{shown} has schema {to} already; nothing was done.\n"),
        from => format!("Brought {shown} from schema {from} to {to}\n"),
    };
    Answer::new(
        text,
        Object::new().with("store", place).with("from", i64::from(from)).with("schema", i64::from(to)),
    )
}

fn status(context: &Context, it: &Health) -> Answer {
    let oldest = it.oldest.map_or_else(|| "none".to_owned(), |it| format!("silent for {}", span(it)));
    let (found, known) = it.schema;
    let schema =
        if found == known { found.to_string() } else { format!("{found}; this program knows {known}") };
    let row = |name: &str, value: String| vec![name.to_owned(), visible(&value)];
    let rows = [
        row("store", it.server.clone()),
        row("server", format!("PostgreSQL {}", it.version)),
        row("schema", schema),
        row("role", it.role.clone()),
        row("lists", it.lists.to_string()),
        row(
            "tasks",
            format!(
                "{}, {} claimed",
                counted(usize::try_from(it.tasks).unwrap_or(usize::MAX), "task"),
                it.claimed
            ),
        ),
        row("oldest lease", oldest),
        row("parked", it.parked.to_string()),
    ];
    let text: String = columns(&rows, context.output.width()).into_iter().map(|it| it + "\n").collect();
    let mut json = Object::new()
        .with("store", it.server.as_str())
        .with("server", it.version.as_str())
        .with("schema", i64::from(found))
        .with("known", i64::from(known))
        .with("role", it.role.as_str())
        .with("lists", it.lists)
        .with("tasks", it.tasks)
        .with("claimed", it.claimed)
        .with("parked", it.parked);
    json.set_some("oldestLeaseMs", it.oldest);
    Answer::new(text, json)
}
