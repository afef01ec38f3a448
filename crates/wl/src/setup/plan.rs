//! What set-up would do to the files of a client: worked out whole before anything is written, so that a file that
//! cannot be taken stops all of it. How it is told is in `report.rs`.

use super::{
    Client, Fault, Part, Scope, Site, State, What,
    clients::CLIENTS,
    files::{Target, unreadable},
    native, plugin,
    records::{Made, Records},
};
use crate::{
    context::{Context, Homes, on_path, this_program},
    failure::{Failure, exit_of},
};
use std::path::{Path, PathBuf};
use worklist::json::Object;

/// What is asked for.
pub(crate) struct Request {
    pub(crate) client: &'static Client,
    pub(crate) scope: Scope,
    /// Whether the client's own task tools shall work on a list of ours.
    pub(crate) native: bool,
    /// Whether what was changed by hand may be overwritten.
    pub(crate) force: bool,
}

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    Install,
    Remove,
}

/// What would happen.
pub(crate) struct Plan {
    pub(crate) changes: Vec<Change>,
    pub(crate) warnings: Vec<String>,
    /// What a person should know besides.
    pub(crate) notes: Vec<String>,
    pub(super) aim: Aim,
    /// The folder of a list that the client shall watch.
    pub(super) list: Option<PathBuf>,
    /// Folders are taken away beneath this one only.
    root: PathBuf,
}

/// One file as it is and as it shall be.
pub(crate) struct Change {
    pub(super) target: Target,
    /// None if the file goes.
    pub(super) after: Option<String>,
    pub(crate) state: State,
    /// What is made besides, or was.
    made: Made,
}

impl Change {
    /// Whether there is anything to do.
    pub(super) fn is_due(&self) -> bool {
        self.target.text != self.after
    }
}

impl Plan {
    /// Looks at the files and works out what must be done to them.
    pub(crate) fn new(context: &Context, request: &Request, aim: Aim) -> Result<Plan, Failure> {
        let homes = Homes::of_user();
        let (program, warning) = program(request.scope);
        let site = Site {
            scope: request.scope,
            project: context.project(),
            homes: homes.as_ref(),
            claude: &context.claude,
            program: &program,
        };
        possible(request, &site)?;
        let records = Records::load(context.state.as_deref());
        let mut parts = request.client.parts(&site);
        let root = root(request, &site);
        let mut plan = Plan::empty(root, aim);
        match aim {
            Aim::Install => {
                plan.warnings.extend(warning);
                if request.native {
                    let native = native::wanted(context, &site)?;
                    plan.notes.extend(native.notes);
                    plan.list = Some(native.folder);
                    parts.push(native.part);
                }
            }
            Aim::Remove => {
                parts.extend(native::leftover(request, &site, &records)?);
                plan.keep_shared(context, request, &site, &mut parts);
            }
        }
        plan.add(&parts, request, &records)?;
        Ok(plan)
    }

    fn empty(root: PathBuf, aim: Aim) -> Plan {
        Plan { changes: Vec::new(), warnings: Vec::new(), notes: Vec::new(), aim, list: None, root }
    }

    /// Files that are ours alone, beneath a folder.
    pub(super) fn of_files(folder: &Path, files: Vec<(PathBuf, String)>) -> Result<Plan, Failure> {
        let mut plan = Plan::empty(folder.to_owned(), Aim::Install);
        for (path, text) in files {
            let what = What::Whole("", text);
            plan.changes.push(change(&Part { path, what }, None, Aim::Install, &Records::load(None))?);
        }
        Ok(plan)
    }

    /// How all of it stands: the entry itself comes first.
    pub(crate) fn state(&self) -> State {
        match self.changes.first() {
            Some(first) if first.state == State::Missing => State::Missing,
            _ => match self.changes.iter().map(|it| it.state).max() {
                Some(State::Missing) => State::Stale,
                worst => worst.unwrap_or(State::Missing),
            },
        }
    }

    fn add(&mut self, parts: &[Part], request: &Request, records: &Records) -> Result<(), Failure> {
        let within = (request.scope == Scope::Project && !request.force).then(|| self.root.clone());
        for part in parts {
            let change = change(part, within.as_deref(), self.aim, records)?;
            if change.target.is_linked(&self.root) {
                let (named, real) = (change.target.named.display(), change.target.real.display());
                self.notes.push(format!("{named} is a link; the file is {real}"));
            }
            self.changes.push(change);
        }
        self.mark_edited(parts);
        Ok(())
    }

    /// Files of our own folder differ from what we wrote, whenever that was: somebody else wrote them.
    fn mark_edited(&mut self, parts: &[Part]) {
        let is_ours = |it: &&Part| matches!(it.what, What::Whole(..));
        let names = parts.iter().filter(is_ours).map(|it| match &it.what {
            What::Whole(path, _) => *path,
            _ => "",
        });
        let texts = self.changes.iter().map(|it| it.target.text.clone());
        let found: Vec<_> = names.zip(texts).filter_map(|(path, text)| Some((path, text?))).collect();
        if found.is_empty() || plugin::is_untouched(&found) {
            return;
        }
        for change in self.changes.iter_mut().take(parts.iter().filter(is_ours).count()) {
            if change.state == State::Stale {
                change.state = State::Edited;
            }
        }
    }

    /// A text that another client of this project reads as well stays when one of them goes.
    fn keep_shared(&mut self, context: &Context, request: &Request, site: &Site, parts: &mut Vec<Part>) {
        let Some(file) = request.client.text_file(site).filter(|_| site.scope == Scope::Project) else {
            return;
        };
        let others = CLIENTS.iter().filter(|it| it.name != request.client.name);
        let user = others.filter(|it| it.text_file(site).as_ref() == Some(&file)).find(|it| {
            let request = Request { client: it, scope: Scope::Project, native: false, force: false };
            Plan::new(context, &request, Aim::Install).is_ok_and(|it| it.state() != State::Missing)
        });
        if let Some(user) = user {
            parts.retain(|it| it.path != file);
            self.notes.push(format!("{} stays as it is: {} reads it as well", file.display(), user.title));
        }
    }

    /// Does it, unless it would go over what somebody changed by hand.
    pub(crate) fn carry_out(&self, context: &Context, request: &Request) -> Result<(), Failure> {
        let edited = self.changes.iter().find(|it| it.state == State::Edited && it.is_due());
        if let Some(change) = edited.filter(|_| !request.force) {
            return Err(edited_by_hand(&change.target.named));
        }
        let mut records = Records::load(context.state.as_deref());
        let mut due: Vec<&Change> = self.changes.iter().filter(|it| it.is_due()).collect();
        if self.aim == Aim::Remove {
            // Whatever was made first goes last, with the folders that were made for it.
            due.reverse();
        }
        for change in due {
            self.carry_out_one(change, &mut records)?;
        }
        if let Some(list) = &self.list {
            native::make_folder(list)?;
        }
        records.save().map_err(|error| Failure::other("note what was made", &error))
    }

    fn carry_out_one(&self, change: &Change, records: &mut Records) -> Result<(), Failure> {
        let Target { real, .. } = &change.target;
        match (&change.after, self.aim) {
            (Some(text), Aim::Install) => {
                let folders = change.target.replace(text)?;
                if change.state == State::Missing || !change.made.keys.is_empty() {
                    records.add(real, &Made { folders, ..change.made.clone() });
                }
            }
            (Some(text), Aim::Remove) => {
                change.target.replace(text)?;
                records.forget(real);
            }
            (None, _) => {
                change.target.remove(change.made.folders, &self.root)?;
                records.forget(real);
            }
        }
        Ok(())
    }
}

/// Works out one change.
fn change(part: &Part, within: Option<&Path>, aim: Aim, records: &Records) -> Result<Change, Failure> {
    let target = Target::look(&part.path, within)?;
    let failed = |Fault(reason): Fault| unreadable(&part.path, &reason);
    let text = target.text.as_deref();
    let state = text.map_or(Ok(State::Missing), |it| part.what.state(it)).map_err(failed)?;
    let keeps = |target: Target, made| Change { after: target.text.clone(), target, state, made };
    match (aim, state, text) {
        (Aim::Install, State::Current, _) | (Aim::Remove, State::Missing, _) | (Aim::Remove, _, None) => {
            Ok(keeps(target, Made::default()))
        }
        (Aim::Install, _, text) => {
            let keys = part.what.missing_keys(text);
            let (after, objects) = part.what.put(text).map_err(failed)?;
            let made = Made { folders: 0, file: text.is_none(), objects, keys };
            Ok(Change { after: Some(after), target, state, made })
        }
        (Aim::Remove, _, Some(text)) => {
            let made = records.find(&target.real).cloned().unwrap_or(Made::UNKNOWN);
            let rest = part.what.take(text, &made).map_err(failed)?;
            let is_gone = made.file && part.what.is_nothing(&rest);
            let made = if is_gone { made } else { Made::default() };
            Ok(Change { after: (!is_gone).then_some(rest), target, state, made })
        }
    }
}

/// What the client shall start: by its name if that leads to this very program. What a project keeps must suit every
/// machine, so it never holds a path.
fn program(scope: Scope) -> (String, Option<String>) {
    let this = this_program();
    let found = on_path("wl").map(|it| it.canonicalize().unwrap_or(it));
    if found.is_some() && found == this {
        return ("wl".to_owned(), None);
    }
    let this = this.map_or_else(|| "wl".to_owned(), |it| it.display().to_string());
    match (scope, found) {
        (Scope::User, _) => (this, None),
        (Scope::Project, None) => {
            let warning =
                format!("`wl` is not on the PATH, where the client will look for it; put {this} there");
            ("wl".to_owned(), Some(warning))
        }
        (Scope::Project, Some(other)) => {
            let warning = format!(
                "the `wl` on the PATH, which the client will start, is another one: {}",
                other.display()
            );
            ("wl".to_owned(), Some(warning))
        }
    }
}

/// Whether what is asked for exists.
fn possible(request: &Request, site: &Site) -> Result<(), Failure> {
    let Client { title, name, .. } = request.client;
    if request.native && *name != "claude" {
        let hint = "leave --native out";
        return Err(Failure::invalid(
            "--native",
            &format!("is for Claude Code; {title} has no task tools"),
            Some(hint),
        ));
    }
    if request.native && request.scope == Scope::User {
        let hint = "leave --user out, in the project's folder";
        return Err(Failure::invalid("--native", "is for one project: its list has its name", Some(hint)));
    }
    if request.scope == Scope::Project {
        return Ok(());
    }
    if request.client.user.is_none() {
        let reason =
            format!("is not for {title}: it keeps the servers of a user in a file of each of its profiles");
        let hint = format!(
            "set up each project, or run `MCP: Open User Configuration` in {title} and put in what \
             `wl setup {name} --print` shows"
        );
        return Err(Failure::invalid("--user", &reason, Some(&hint)));
    }
    match site.homes {
        Some(_) => Ok(()),
        None => Err(Failure::invalid("HOME", "is not set: the user's files are not known", None)),
    }
}

/// What is never taken away, however empty it gets.
fn root(request: &Request, site: &Site) -> PathBuf {
    match (request.scope, site.homes) {
        (Scope::User, Some(homes)) => homes.home.clone(),
        _ => site.project.to_owned(),
    }
}

fn edited_by_hand(file: &Path) -> Failure {
    let data = Object::new().with("file", file.display().to_string());
    let message = format!("{} was changed by hand since `wl setup` wrote it", file.display());
    let hint = "`--print --force` shows what would be written over it; --force does it".to_owned();
    Failure { code: "edited", message, hint: Some(hint), data, exit: exit_of("edited") }
}
