//! In which format a file is written, told by its first lines.

use super::format::{Content, Format};
use super::lines::{Line, LineSink};
use super::{Limits, ReadError};
use crate::workload::{accounting, swf};

/// How many lines that are not blank are looked at.
const LINES: usize = 50;

/// How many bytes of lines are looked at.
const BYTES: usize = 256 * 1024;

/// Holds the first lines back until they tell the format, then hands all lines on to it.
pub(super) struct Recognising {
    limits: Limits,
    state: State,
}

enum State {
    /// Not told yet.
    Looking(Head),
    /// Told.
    Reading(Box<dyn Format>),
}

/// The first lines of a file.
#[derive(Default)]
struct Head {
    /// Number, bytes, and whether they were cut.
    lines: Vec<(u32, Vec<u8>, bool)>,
    told: usize,
    bytes: usize,
}

impl Head {
    /// Takes a line, and says whether there are enough.
    fn take(&mut self, line: &Line<'_>) -> bool {
        self.told += usize::from(!line.bytes.trim_ascii().is_empty());
        self.bytes += line.bytes.len();
        self.lines.push((line.number, line.bytes.to_vec(), line.cut));
        line.cut || self.told >= LINES || self.bytes >= BYTES || self.lines.len() >= 10 * LINES
    }

    /// The format, which has taken these lines.
    fn read(self, limits: Limits) -> Result<Box<dyn Format>, ReadError> {
        let lines: Vec<&[u8]> = self.lines.iter().map(|(_, bytes, _)| bytes.as_slice()).collect();
        let mut format = recognise(&lines, limits)?;
        for (number, bytes, cut) in &self.lines {
            format.line(Line { number: *number, bytes, cut: *cut })?;
        }
        Ok(format)
    }
}

impl Recognising {
    pub(super) fn new(limits: Limits) -> Self {
        Recognising { limits, state: State::Looking(Head::default()) }
    }

    /// Jobs read so far.
    pub(super) fn jobs(&self) -> usize {
        match &self.state {
            State::Looking(_) => 0,
            State::Reading(format) => format.jobs(),
        }
    }

    /// Decides by the lines that there are, as no more will come.
    pub(super) fn settle(&mut self) {
        if let State::Looking(head) = &mut self.state
            && let Ok(format) = std::mem::take(head).read(self.limits)
        {
            self.state = State::Reading(format);
        }
    }

    /// What all lines were.
    pub(super) fn finish(self) -> Result<Content, ReadError> {
        match self.state {
            State::Looking(head) => head.read(self.limits)?.finish(),
            State::Reading(format) => format.finish(),
        }
    }
}

impl LineSink for Recognising {
    fn line(&mut self, line: Line<'_>) -> Result<(), ReadError> {
        match &mut self.state {
            State::Reading(format) => format.line(line),
            State::Looking(head) => {
                if head.take(&line) {
                    self.state = State::Reading(std::mem::take(head).read(self.limits)?);
                }
                Ok(())
            }
        }
    }

    fn takes_long_lines(&self) -> bool {
        matches!(&self.state, State::Reading(format) if format.takes_long_lines())
    }
}

/// The format of a file with these first lines: an accounting log that is known, else SWF, which says what is wrong
/// with what it cannot read.
fn recognise(lines: &[&[u8]], limits: Limits) -> Result<Box<dyn Format>, ReadError> {
    if !swf::is_likely(lines)
        && let Some(format) = accounting::recognise(lines, limits)?
    {
        return Ok(format);
    }
    Ok(Box::new(swf::Records::within(limits)))
}

/// Whether a text looks like a log, before anybody reads all of it.
pub(super) fn looks_like_a_log(text: &str) -> bool {
    let lines: Vec<&[u8]> =
        text.lines().map(|line| line.trim().as_bytes()).filter(|line| !line.is_empty()).take(LINES).collect();
    let known = || accounting::recognise(&lines, Limits::default());
    swf::is_likely(&lines) || known().is_ok_and(|format| format.is_some())
}
