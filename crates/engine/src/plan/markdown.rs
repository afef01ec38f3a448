//! Reading a Markdown checklist: which item stands beneath which, which text belongs to which.
//! Not what the nesting means for the order of work: that is said where the items become a plan.

use super::{
    Item, Mistake, Reference, Sheet, Standing,
    lines::{Bullet, Kind, Line, Tick, lines, without_margin},
    marks,
};

/// From here on beyond where text would begin, Markdown sees code.
const CODE: usize = 4;

pub(super) fn read(text: &str) -> Sheet {
    let mut reader = Reader { levels: vec![Level::default()], ..Reader::default() };
    let lines = lines(text, &mut reader.sheet.mistakes);
    reader.has_boxes = lines.iter().any(|it| matches!(&it.kind, Kind::Item(item) if item.tick != Tick::None));
    for line in &lines {
        reader.line(line);
    }
    reader.finish()
}

#[derive(Default)]
struct Reader<'a> {
    sheet: Sheet,
    /// Whether only items with a box are tasks.
    has_boxes: bool,
    /// The margin, then each item that the next line can stand beneath.
    levels: Vec<Level>,
    /// The description of each item.
    texts: Vec<Vec<Piece<'a>>>,
    /// To which item the fence or comment belongs that is open.
    block: Option<usize>,
    /// How many blank lines came last.
    blanks: usize,
    /// To which item the text just above belongs: a line without a margin goes on with it.
    flowing: Option<usize>,
}

/// One step of nesting.
#[derive(Default)]
struct Level {
    indent: usize,
    least: usize,
    content: usize,
    /// The task, if the item is one.
    item: Option<usize>,
    /// The last unfinished step of the numbered list beneath.
    step: Option<usize>,
}

/// One line of a description.
struct Piece<'a> {
    number: usize,
    raw: &'a str,
    /// How many blank lines came before it.
    blanks: usize,
    /// Its margin, if it counts for the margin of the whole.
    indent: Option<usize>,
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: &Line<'a>) {
        match &line.kind {
            Kind::Blank => {
                self.blanks += 1;
                self.flowing = None;
                return;
            }
            Kind::Inside => self.text(self.block, line, None),
            Kind::Item(bullet) => self.bullet(bullet, line),
            Kind::Text if self.flowing.is_some() && self.owner(line.indent).is_none() => {
                let line = Line { raw: line.raw.trim_start(), kind: Kind::Text, ..*line };
                self.text(self.flowing, &line, None);
            }
            _ => self.outside(line),
        }
        self.blanks = 0;
    }

    /// The level that a line with this margin stands beneath.
    fn level(&self, indent: usize) -> usize {
        (1..self.levels.len()).rfind(|it| self.levels[*it].indent < indent).unwrap_or(0)
    }

    /// The task that text with this margin describes.
    fn owner(&self, indent: usize) -> Option<usize> {
        self.levels[self.level(indent)].item
    }

    /// A heading, a paragraph, the beginning of a block: in the description of an item, or the end of the list.
    fn outside(&mut self, line: &Line<'a>) {
        let level = self.level(line.indent);
        let owner = self.owner(line.indent);
        let is_comment = matches!(line.kind, Kind::Comment(_));
        if let (Kind::Comment(comment), None) = (&line.kind, owner) {
            self.comment(comment, line.number);
        }
        self.block = owner;
        if level > 0 {
            self.levels.truncate(level + 1);
        } else if !is_comment {
            self.levels = vec![Level::default()];
        }
        self.text(owner, line, Some(line.indent));
        self.flowing = owner.filter(|_| matches!(line.kind, Kind::Text));
    }

    fn comment(&mut self, comment: &str, line: usize) {
        let Some(key) = comment.strip_prefix("key:").map(str::trim) else { return };
        if key.is_empty() {
            self.sheet.mistakes.push(Mistake::at(line, "the key of the plan is empty"));
        } else if self.sheet.key.replace(key.to_owned()).is_some() {
            self.sheet.mistakes.push(Mistake::at(line, "the plan has two keys"));
        }
    }

    fn text(&mut self, owner: Option<usize>, line: &Line<'a>, indent: Option<usize>) {
        if let Some(owner) = owner {
            let piece = Piece { number: line.number, raw: line.raw, blanks: self.blanks, indent };
            self.texts[owner].push(piece);
        }
    }

    fn bullet(&mut self, bullet: &Bullet<'_>, line: &Line<'a>) {
        let level = self.level(line.indent);
        let is_task = bullet.tick != Tick::None || !self.has_boxes;
        if !is_task && self.levels[level].item.is_some() {
            self.outside(line);
            return;
        }
        self.levels.truncate(level + 1);
        let item = is_task.then(|| self.task(bullet, line));
        let (least, content) = (bullet.least, bullet.content);
        self.levels.push(Level { indent: line.indent, least, content, item, step: None });
        self.flowing = item;
    }

    /// Notes a task beneath the last level and returns its place.
    fn task(&mut self, bullet: &Bullet<'_>, line: &Line<'a>) -> usize {
        let place = self.sheet.items.len();
        self.check_nesting(line);
        let mut item = self.item(bullet, line);
        item.above = self.levels.iter().rev().find_map(|it| it.item);
        if let Some(level) = self.levels.last_mut() {
            if !bullet.ordered {
                level.step = None;
            } else if item.standing == Standing::Open {
                item.step_before = level.step.replace(place);
            }
        }
        self.sheet.items.push(item);
        self.texts.push(Vec::new());
        place
    }

    fn check_nesting(&mut self, line: &Line<'_>) {
        let Some(level) = self.levels.last() else { return };
        let (least, indent) = (level.least, line.indent);
        let reason = format!("the item is indented by {indent}");
        let mistake = if indent < least {
            let hint =
                format!("indent it by {least} to make it a part of the item above, or by {}", level.indent);
            Mistake::at(line.number, reason + ": neither beside nor beneath the item above").hint(hint)
        } else if indent >= level.content + CODE {
            let hint = format!("indent it by {least}; if it is an example, put it in a fence");
            Mistake::at(line.number, reason + ": too far to belong to anything").hint(hint)
        } else {
            return;
        };
        self.sheet.mistakes.push(mistake);
    }

    fn item(&mut self, bullet: &Bullet<'_>, line: &Line<'_>) -> Item {
        // The text of an item is the end of its line, without blanks.
        let start = line.raw.trim_end().len() - bullet.text.len();
        let column = |at: usize| line.raw[..start + at].chars().count() + 1;
        let marks = marks::read(bullet.text);
        let mut mistakes: Vec<Mistake> = Vec::new();
        for fault in marks.faults {
            let mistake = Mistake::at(line.number, fault.reason).column(column(fault.at));
            mistakes.push(Mistake { hint: fault.hint, ..mistake });
        }
        if bullet.tick == Tick::Odd {
            mistakes.push(
                Mistake::at(line.number, "the box is neither empty nor checked").hint("write `[ ]` or `[x]`"),
            );
        }
        if marks.subject.is_empty() {
            mistakes.push(Mistake::at(line.number, "the item has no subject"));
        }
        self.sheet.mistakes.append(&mut mistakes);
        let after = marks.after.into_iter();
        let reference = |(at, text)| Reference { text, line: line.number, column: Some(column(at)) };
        let mut item = Item { line: line.number, name: marks.name, ..Item::default() };
        item.after = after.map(reference).collect();
        item.task.subject = marks.subject;
        item.task.priority = marks.priority;
        item.task.tags = marks.tags;
        item.standing = if bullet.tick == Tick::Done { Standing::Done } else { Standing::Open };
        item
    }

    fn finish(mut self) -> Sheet {
        for (item, pieces) in self.sheet.items.iter_mut().zip(&self.texts) {
            item.task.description = described(pieces);
        }
        self.sheet
    }
}

/// The lines of a description without their common margin.
fn described(pieces: &[Piece<'_>]) -> String {
    let margin = pieces.iter().filter_map(|it| it.indent).min().unwrap_or(0);
    let mut text = String::new();
    let mut before: Option<usize> = None;
    for piece in pieces {
        if let Some(before) = before {
            // Where a part stood in between, a paragraph ends.
            let apart = piece.number > before + 1;
            text += &"\n".repeat(1 + piece.blanks.max(usize::from(apart)));
        }
        text += &without_margin(piece.raw, margin);
        before = Some(piece.number);
    }
    text.trim_end().to_owned()
}
