//! `wl agent`: a model with a shell, files and the tasks of a list, in a loop until it has nothing more to call. State is
//! in the list, not in the conversation. The model's troubles and the tasks know nothing of each other.

mod compact;
mod conversation;
mod interrupt;
mod model;
mod person;
mod prompt;
mod reminder;
mod talk;
mod tools;
mod voice;

pub(crate) use model::{Endpoint, Provider};

use crate::{
    context::Context,
    failure::{FAILED, Failure},
    processes::{adopt_orphans, end_orphans},
};
use conversation::{Call, Conversation, Message, Stop, Turn};
use interrupt::Interrupts;
use model::{Model, Progress};
use person::Person;
use reminder::{Changed, Reminder};
use std::path::{Path, PathBuf};
use tools::{Tasks, Toolbox, Workspace};
use voice::Voice;
use worklist::{
    json::{Json, Object},
    tools::Set,
    view::TaskView,
};

/// What is open is told to the model and to the person in so many tokens.
const OPEN_BOUND: usize = 800;

/// How an agent works.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) endpoint: Endpoint,
    pub(crate) set: Set,
    /// What to do; a conversation at a prompt if nothing is given.
    pub(crate) prompt: Option<String>,
    pub(crate) workspace: PathBuf,
    /// A system text in the place of ours.
    pub(crate) system: Option<String>,
    /// Whether commands run without being asked for.
    pub(crate) allowed: bool,
    pub(crate) max_turns: usize,
    pub(crate) reminder: usize,
    /// So many tokens the model can take in.
    pub(crate) context: usize,
}

/// Works until it is done, or until the person has had enough.
pub(crate) fn run(context: &Context, work: &Work) -> Result<(), Failure> {
    adopt_orphans();
    let interrupts = Interrupts::listen().map_err(|error| Failure::other("listen for Ctrl-C", &error))?;
    let toolbox = Toolbox {
        tasks: &Tasks::new(context, work.set),
        workspace: workspace(&work.workspace)?,
        person: &Person::new(interrupts.clone()),
        voice: &Voice::new(context.output.clone()),
        interrupts,
        model: &Model::new(&work.endpoint),
        allowed: work.allowed,
    };
    let system = system(work, &toolbox)?;
    let conversation = Conversation { system, tools: toolbox.offers(), messages: Vec::new() };
    let reminder = Reminder::new(work.reminder);
    let mut session = Session { context, work, toolbox, conversation, reminder, begun: false };
    let outcome = match &work.prompt {
        Some(prompt) => session.work(prompt),
        None => talk::talk(&mut session),
    };
    end_orphans();
    outcome
}

fn workspace(root: &Path) -> Result<Workspace, Failure> {
    Workspace::open(root).map_err(|error| {
        Failure::invalid("--workspace", &format!("{} cannot be used: {error}", root.display()), None)
    })
}

/// The system text, ours or the one that was given, with what is open.
fn system(work: &Work, toolbox: &Toolbox<'_>) -> Result<String, Failure> {
    let open = opening(toolbox.tasks, toolbox.voice)?;
    Ok(match &work.system {
        Some(text) => format!("{text}\n{}", prompt::tasks(open.as_deref())),
        None => prompt::system(toolbox.workspace.root(), work.set, open.as_deref()),
    })
}

/// Says what is open, to the person; the same for the model.
fn opening(tasks: &Tasks, voice: &Voice) -> Result<Option<String>, Failure> {
    let open = tasks.pending()?;
    if open.is_empty() {
        return Ok(None);
    }
    let listed = tasks.listed(OPEN_BOUND)?;
    voice.notes(&format!("Open in the list:\n{listed}"));
    Ok(Some(listed))
}

/// One conversation and all that it works with.
struct Session<'a> {
    context: &'a Context,
    work: &'a Work,
    toolbox: Toolbox<'a>,
    conversation: Conversation,
    reminder: Reminder,
    /// Whether the stream of events has begun.
    begun: bool,
}

impl Session<'_> {
    /// Says something to the model and works until it has nothing more to call.
    fn work(&mut self, prompt: &str) -> Result<(), Failure> {
        self.conversation.messages.push(Message::Person(prompt.to_owned()));
        let done = self.rounds();
        // However it ended: the next words of the person must find every call answered.
        self.conversation.close("This was broken off.");
        done
    }

    fn rounds(&mut self) -> Result<(), Failure> {
        for round in 1..=self.work.max_turns {
            if compact::is_due(&self.conversation, self.work.context) {
                self.compact()?;
            }
            let turn = self.ask()?;
            self.toolbox.voice.text(&turn.text);
            self.conversation.messages.push(Message::Model(turn.clone()));
            if turn.calls.is_empty() {
                self.ended(&turn, round);
                return Ok(());
            }
            let results = self.toolbox.answer(&turn.calls);
            self.conversation.messages.push(Message::Results(results));
            self.remind(&turn.calls)?;
        }
        let message = format!("the work did not end within {} turns", self.work.max_turns);
        let hint = Some("the tasks are as they were left; --max-turns allows more".to_owned());
        Err(Failure { code: "unfinished", message, hint, data: Object::new(), exit: FAILED })
    }

    fn ask(&mut self) -> Result<Turn, Failure> {
        let voice = self.toolbox.voice;
        let mut in_line = false;
        let turn =
            self.toolbox.model.turn(&self.conversation, &self.toolbox.interrupts, &mut |progress| {
                match progress {
                    Progress::Text(text) => {
                        voice.piece(text);
                        in_line = !text.ends_with('\n');
                    }
                    Progress::Again(trouble, wait) => {
                        if std::mem::take(&mut in_line) {
                            voice.piece("\n");
                        }
                        voice.again(trouble, wait);
                    }
                }
            })?;
        self.begin()?;
        Ok(turn)
    }

    /// The first event for scripts, once there is an answer: before that there is only a failure.
    fn begin(&mut self) -> Result<(), Failure> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        let open = Json::Array(self.toolbox.tasks.pending()?.iter().map(told).collect());
        let session = self.toolbox.tasks.session();
        self.toolbox.voice.event("start", |mut it| {
            it.set_some("session", session);
            it.with("model", self.toolbox.model.name()).with("tools", self.work.set.name()).with("open", open)
        });
        Ok(())
    }

    fn ended(&self, turn: &Turn, rounds: usize) {
        let stop = match &turn.stop {
            Stop::Done => "done",
            Stop::Length => "length",
            Stop::Other(word) => word,
        };
        if turn.stop != Stop::Done {
            self.toolbox.voice.note(&format!("the model stopped: {stop}"));
        }
        self.toolbox
            .voice
            .event("end", |it| it.with("turns", rounds).with("stop", stop).with("text", turn.text.as_str()));
    }

    /// After some turns without a change of tasks, the model is shown what is open.
    fn remind(&mut self, calls: &[Call]) -> Result<(), Failure> {
        let changed = calls.iter().any(|it| self.toolbox.tasks.changes(&it.name));
        if !self.reminder.turn(if changed { Changed::Yes } else { Changed::No }) {
            return Ok(());
        }
        if let Some(words) = reminder::words(&self.toolbox.tasks.pending()?) {
            self.conversation.messages.push(Message::Person(words));
            self.reminder.given();
        }
        Ok(())
    }

    /// Replaces the conversation by a summary that the model writes.
    fn compact(&mut self) -> Result<(), Failure> {
        if self.conversation.messages.is_empty() {
            self.toolbox.voice.note("there is nothing to summarise");
            return Ok(());
        }
        self.conversation.messages.push(Message::Person(compact::ASKED.to_owned()));
        let voice = self.toolbox.voice;
        let asked = self.toolbox.model.turn(&self.conversation, &self.toolbox.interrupts, &mut |progress| {
            if let Progress::Again(trouble, wait) = progress {
                voice.again(trouble, wait);
            }
        });
        self.conversation.messages.pop();
        let summary = asked?.text;
        if summary.trim().is_empty() {
            let message = "the model wrote no summary; the conversation is as it was".to_owned();
            return Err(Failure { code: "rejected", message, hint: None, data: Object::new(), exit: FAILED });
        }
        let tasks = self.toolbox.tasks.listed(OPEN_BOUND)?;
        self.conversation.messages = compact::kept(&self.conversation.messages, &summary, &tasks);
        self.toolbox.voice.event("compact", |it| it.with("text", summary.as_str()));
        self.toolbox.voice.note("the conversation was summarised; the tasks are as they were");
        Ok(())
    }

    /// Forgets what was said.
    fn clear(&mut self) {
        self.conversation.messages.clear();
        self.toolbox.voice.page("clear", "The conversation is forgotten; the tasks are as they were.");
    }
}

/// A task in the first event.
fn told(view: &TaskView) -> Json {
    let task = Object::new().with("id", view.task.id.as_str()).with("subject", view.task.subject.as_str());
    Json::Object(task.with("state", view.state.name()))
}
