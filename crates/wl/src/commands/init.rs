//! `wl init`: makes a list, or says that there is one.

use crate::{args::InitArgs, context::Context, failure::Failure, output::Answer};
use worklist::{TaskList, json::Object};

pub(super) fn run(context: &Context, args: &InitArgs) -> Result<Answer, Failure> {
    let context = match &args.path {
        Some(path) => &context.at(path),
        None if context.is_named => context,
        None => &context.at_root(),
    };
    let made = TaskList::open(&context.folder, &context.options).is_err();
    let list = TaskList::create(&context.folder, &context.options)?;
    let format = list.format().map_or("", |it| it.shape().name);
    let place = context.folder.display().to_string();
    let said = if made { "Made a list at" } else { "There is a list already at" };
    let text = format!("{said} {place} (format {format})\n");
    let json = Object::new().with("dir", place).with("format", format).with("created", made);
    Ok(Answer { text, json, ..Answer::default() })
}
