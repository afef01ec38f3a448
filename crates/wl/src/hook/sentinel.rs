//! Keeps the client from emptying its list once everything in it is done, where the user wants that. One that is there is
//! left alone, whatever it looks like.

use super::{Call, Place};
use crate::{context::Context, failure::Failure};
use worklist::{Actor, Command, Task, TaskList, format::Format, rules::NewTask};

/// Makes the sentinel in the client's list, and the list if need be, unless it is there or not wanted.
pub(super) fn keep(call: &Call<'_>, client: &Context) -> Result<(), Failure> {
    if !client.settings.is_on("claude.sentinel") && !call.project()?.settings.is_on("claude.sentinel") {
        return Ok(());
    }
    let Some(Place { list, actor, .. }) = call.open(client.clone())? else {
        return plant(&client.make()?, &call.actor(client));
    };
    plant(&list, &actor)
}

fn plant(list: &TaskList, actor: &Actor) -> Result<(), Failure> {
    let Some(keeper) = list.format().and_then(Format::keeper) else { return Ok(()) };
    let tasks = list.board()?.tasks;
    let keeps = |it: &Task| it.id == keeper.id || it.is_internal() && it.is_open();
    if !tasks.iter().any(|it| keeps(&it.task)) {
        list.run(actor, &Command::Create(NewTask::from(keeper)))?;
    }
    Ok(())
}
