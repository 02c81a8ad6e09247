//! Records of several lines, each with a name and a value.

use super::{NamedValues, RecordTable};
use crate::OtherLine;
use crate::reading::{FileLine, Format, LogContent, ReadError};

/// What a line of such a text is.
pub(super) enum BlockLine {
    Named(String, String),
    /// The rest of a value; what it says is not needed.
    Rest,
    /// No part of a record.
    Passed(OtherLine),
    /// The same, and what was before it is a whole record.
    Between(OtherLine),
}

/// Tells what a line is, without blanks around it, and whether a record has begun before it.
type BlockForm = dyn Fn(&[u8], bool) -> BlockLine;

/// Takes lines, and makes a record of those between others.
pub(in crate::accounting) struct Blocks {
    table: RecordTable,
    form: Box<BlockForm>,
    /// The record whose lines are being read, and its first line.
    block: NamedValues,
    from: u32,
}

impl Blocks {
    pub(super) fn new(table: RecordTable, form: impl Fn(&[u8], bool) -> BlockLine + 'static) -> Self {
        Blocks { table, form: Box::new(form), block: Vec::new(), from: 0 }
    }

    fn end(&mut self) -> Result<(), ReadError> {
        if self.block.is_empty() { Ok(()) } else { self.table.push(self.from, std::mem::take(&mut self.block)) }
    }
}

impl Format for Blocks {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let bytes = line.bytes.trim_ascii();
        let is_begun = !self.block.is_empty();
        let found = (self.form)(bytes, is_begun);
        match found {
            BlockLine::Passed(kind) => self.table.pass(kind),
            BlockLine::Between(kind) => {
                self.table.pass(kind);
                self.end()?;
            }
            BlockLine::Rest if !is_begun => self.table.lose(line.number, bytes),
            BlockLine::Named(..) | BlockLine::Rest => {
                if is_begun {
                    // a job is a record, whose first line counts
                    self.table.pass(OtherLine::Continued);
                } else {
                    self.from = line.number;
                }
                if let BlockLine::Named(name, value) = found {
                    self.block.push((name, value));
                }
            }
        }
        Ok(())
    }

    fn jobs(&self) -> usize {
        self.table.jobs()
    }

    fn finish(mut self: Box<Self>) -> Result<LogContent, ReadError> {
        self.end()?;
        self.table.finish()
    }
}
