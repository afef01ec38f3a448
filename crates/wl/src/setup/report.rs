//! What set-up did or would do, in words and as a document. Decides nothing.

use super::{
    Aim, Client, Plan, Scope,
    plan::Change,
    standing::{Look, Standing},
};
use crate::output::{Answer, BOLD, FAINT, GOOD, WAITS, columns, difference, paint, visible};
use worklist::json::{Json, Object};

/// What became of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was carried out.
    Done,
    /// It was only shown.
    Shown,
    /// It was written for others to install.
    Exported,
}

impl Plan {
    /// What happened, or would.
    pub(crate) fn answer(&self, client: &Client, scope: Scope, outcome: Outcome) -> Answer {
        let due: Vec<&Change> = self.changes.iter().filter(|it| it.is_due()).collect();
        let mut text: String = due.iter().map(|it| shown(it)).collect();
        for note in &self.notes {
            text += &format!("{} {}\n", paint(FAINT, "note:"), visible(note));
        }
        text += &verdict(client, scope, outcome, (!due.is_empty()).then_some(self.aim));
        let files = self.changes.iter().map(|it| Json::Object(file(it))).collect();
        let mut json = Object::new()
            .with("client", client.name)
            .with("scope", scope.name())
            .with("state", self.state().name())
            .with("written", outcome != Outcome::Shown && !due.is_empty())
            .with("files", Json::Array(files))
            .with("notes", Json::strings(&self.notes));
        json.set_some("list", self.list.as_ref().map(|it| it.display().to_string()));
        Answer { warnings: self.warnings.clone(), ..Answer::new(text, json) }
    }
}

fn verdict(client: &Client, scope: Scope, outcome: Outcome, done: Option<Aim>) -> String {
    let whom = match scope {
        Scope::Project => "this project",
        Scope::User => "all your projects",
    };
    match (done, outcome) {
        (None, _) => format!("{}: nothing to do for {whom}.\n", client.title),
        (_, Outcome::Shown) => "Nothing was written.\n".to_owned(),
        (_, Outcome::Exported) => format!("{}: what it can install is written.\n", client.title),
        (Some(Aim::Remove), _) => format!("{}: Worklist is taken out of {whom}.\n", client.title),
        (Some(Aim::Install), _) => {
            let then = if scope == Scope::Project { client.then } else { "Start it anew." };
            format!("{} {then}\n", paint(GOOD, &format!("{} is set up for {whom}.", client.title)))
        }
    }
}

/// The file, and the lines that change in it.
fn shown(change: &Change) -> String {
    let named = visible(&change.target.named.display().to_string());
    let mut text = format!("{} {}\n", paint(BOLD, &named), paint(FAINT, &format!("({})", kind(change))));
    for (sign, line) in lines(change) {
        let style = if sign == '+' { GOOD } else { WAITS };
        text += &format!("  {}\n", paint(style, &format!("{sign} {}", visible(&line))));
    }
    text + "\n"
}

fn lines(change: &Change) -> Vec<(char, String)> {
    difference(change.target.text.as_deref().unwrap_or(""), change.after.as_deref().unwrap_or(""))
}

fn kind(change: &Change) -> &'static str {
    match (&change.target.text, &change.after) {
        _ if !change.is_due() => "none",
        (None, _) => "created",
        (_, None) => "removed",
        _ => "changed",
    }
}

fn file(change: &Change) -> Object {
    let lines = lines(change).into_iter().map(|(sign, line)| format!("{sign}{line}"));
    Object::new()
        .with("path", change.target.named.display().to_string())
        .with("state", change.state.name())
        .with("change", kind(change))
        .with("lines", Json::strings(lines))
}

/// The clients, which of them are there, and how they stand.
pub(crate) fn overview(standings: &[Standing], width: usize) -> Answer {
    let cell = |it: Option<&'static str>| it.unwrap_or("-").to_owned();
    let mut rows = vec![["CLIENT", "FOUND", "PROJECT", "USER", ""].map(str::to_owned).to_vec()];
    rows.extend(standings.iter().map(|it| {
        let found = if it.detected { "yes" } else { "no" };
        let user = cell(it.user.as_ref().map(Look::name));
        vec![
            it.client.name.to_owned(),
            found.to_owned(),
            it.project.name().to_owned(),
            user,
            it.client.title.to_owned(),
        ]
    }));
    let mut text: String = columns(&rows, width).into_iter().map(|it| it + "\n").collect();
    text += "\n`wl setup CLIENT` sets one up for this project, `--user` for all of yours; `--print` only shows it.\n";
    let clients = standings.iter().map(|it| {
        let object = Object::new().with("client", it.client.name).with("title", it.client.title);
        let object = object.with("detected", it.detected).with("project", it.project.name());
        let user = it.user.as_ref().map_or(Json::Null, |it| it.name().into());
        Json::Object(object.with("user", user))
    });
    let looks = standings.iter().flat_map(|it| [Some(&it.project), it.user.as_ref()]).flatten();
    let warnings = looks.filter_map(|it| match it {
        Look::Unreadable(why) => Some(why.clone()),
        Look::Is(_) => None,
    });
    let json = Object::new().with("clients", Json::Array(clients.collect()));
    Answer { warnings: warnings.collect(), ..Answer::new(text, json) }
}
