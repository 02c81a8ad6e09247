//! Recognises the format of a file by its first lines.

use super::error::{Format, LogContent};
use super::source::{FileLine, LineSink};
use super::{Limits, ReadError, named};
use crate::{ColumnMap, TablePreview, accounting, swf};
use packfair_base::drawn::{is_drawn, undrawn};
use std::sync::Arc;

/// How many non-blank lines are looked at.
const LINES: usize = 50;

/// What may separate the fields of a line, and below how often it must occur at least.
const DELIMITERS: [u8; 6] = [b'|', b',', b';', b'\t', b':', b'='];
const FIELDS: usize = 3;

/// How many bytes of lines are looked at.
const BYTES: usize = 256 * 1024;

/// Holds the first lines back until they tell the format, then hands all lines on to it.
pub(super) struct Recognising {
    limits: Limits,
    /// What the columns of a table hold, where the user has stated it.
    columns: Option<Arc<ColumnMap>>,
    state: RecogniserState,
}

enum RecogniserState {
    /// The format is not known yet.
    Looking(LogHead),
    Reading(Box<dyn Format>),
}

#[derive(Default)]
struct LogHead {
    /// The number, the bytes, and whether they were cut, of each line.
    lines: Vec<(u32, Vec<u8>, bool)>,
    told: usize,
    bytes: usize,
}

impl LogHead {
    /// Takes a line, and returns whether there are enough.
    fn take(&mut self, line: &FileLine<'_>) -> bool {
        self.told += usize::from(!line.bytes.trim_ascii().is_empty());
        self.bytes += line.bytes.len();
        self.lines.push((line.number, line.bytes.to_vec(), line.cut));
        line.cut || self.told >= LINES || self.bytes >= BYTES || self.lines.len() >= 10 * LINES
    }

    fn read(mut self, limits: Limits, columns: Option<&ColumnMap>) -> Result<Box<dyn Format>, ReadError> {
        if is_drawn(&self.lines.iter().map(|(_, bytes, _)| bytes.as_slice()).collect::<Vec<_>>()) {
            for (_, bytes, _) in &mut self.lines {
                *bytes = undrawn(bytes).into_owned();
            }
            return Ok(Box::new(Undrawn(self.read(limits, columns)?)));
        }
        let lines: Vec<&[u8]> = self.lines.iter().map(|(_, bytes, _)| bytes.as_slice()).collect();
        let mut format = match columns {
            Some(map) => accounting::mapped(&lines, limits, map)?,
            None => recognise(&lines, limits).map_err(|error| error.guessing(|| guess(&lines)))?,
        };
        for (number, bytes, cut) in &self.lines {
            format.line(FileLine { number: *number, bytes, cut: *cut })?;
        }
        Ok(format)
    }
}

/// Takes the lines of a table that is drawn.
struct Undrawn(Box<dyn Format>);

impl Format for Undrawn {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        self.0.line(FileLine { bytes: &undrawn(line.bytes), ..line })
    }

    fn is_table(&self) -> bool {
        self.0.is_table()
    }

    fn jobs(&self) -> usize {
        self.0.jobs()
    }

    fn finish(self: Box<Self>) -> Result<LogContent, ReadError> {
        self.0.finish()
    }
}

impl Recognising {
    pub(super) fn new(limits: Limits, columns: Option<Arc<ColumnMap>>) -> Self {
        Recognising { limits, columns, state: RecogniserState::Looking(LogHead::default()) }
    }

    /// Jobs read so far.
    pub(super) fn jobs(&self) -> usize {
        match &self.state {
            RecogniserState::Looking(_) => 0,
            RecogniserState::Reading(format) => format.jobs(),
        }
    }

    /// Decides by the lines so far, because no more will come.
    pub(super) fn settle(&mut self) {
        if let RecogniserState::Looking(head) = &mut self.state
            && let Ok(format) = std::mem::take(head).read(self.limits, self.columns.as_deref())
        {
            self.state = RecogniserState::Reading(format);
        }
    }

    pub(super) fn finish(self) -> Result<LogContent, ReadError> {
        let format = match self.state {
            RecogniserState::Looking(head) => head.read(self.limits, self.columns.as_deref())?,
            RecogniserState::Reading(format) => format,
        };
        let is_table = format.is_table();
        Ok(LogContent { is_table, ..format.finish()? })
    }
}

impl LineSink for Recognising {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        match &mut self.state {
            RecogniserState::Reading(format) => format.line(line),
            RecogniserState::Looking(head) => {
                if head.take(&line) {
                    self.state =
                        RecogniserState::Reading(std::mem::take(head).read(self.limits, self.columns.as_deref())?);
                }
                Ok(())
            }
        }
    }

    fn takes_long_lines(&self) -> bool {
        matches!(&self.state, RecogniserState::Reading(format) if format.takes_long_lines())
    }
}

/// The format of a file with these first lines: a known accounting log, else SWF, whose reader says what is wrong with
/// other files.
fn recognise(lines: &[&[u8]], limits: Limits) -> Result<Box<dyn Format>, ReadError> {
    if let Some(format) = swf::Delimited::recognise(lines, limits) {
        return Ok(Box::new(format));
    }
    let is_swf = swf::is_likely(lines);
    if !is_swf {
        named::refuse(lines)?;
        if let Some(format) = accounting::recognise(lines, limits)? {
            return Ok(format);
        }
        named::refuse_template(lines)?;
    }
    if swf::are_other_columns(lines) || (!is_swf && are_unnamed(lines)) {
        return Err(ReadError::Unnamed { guess: None });
    }
    let is_some = is_swf || swf::has_some(lines);
    Ok(Box::new(if is_some { swf::Records::within(limits) } else { swf::Records::of_other_text(limits) }))
}

/// Whether half of these lines or more are so, apart from blank ones and comments: the first of a file may be cut, or be a
/// greeting.
pub(crate) fn are_mostly(lines: &[&[u8]], is: impl Fn(&[u8]) -> bool) -> bool {
    let told = || lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    let fitting = told().filter(|line| is(line)).count();
    fitting > 0 && 2 * fitting >= told().count()
}

/// What the columns of a table with these first lines seem to hold.
fn guess(lines: &[&[u8]]) -> Option<Box<str>> {
    TablePreview::of(&lines.join(&b'\n'), true)?.in_words().map(String::into_boxed_str)
}

/// Whether these lines are a table without names: values between delimiters, of which many begin with a digit.
fn are_unnamed(lines: &[&[u8]]) -> bool {
    let told = || lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty());
    // which has comments of SWF is SWF
    if told().next().is_some_and(|line| line.starts_with(b";")) {
        return false;
    }
    // a date, or a Unix time from 2001 to 2100
    let is_date = |value: &[u8]| {
        (value.contains(&b'-') || value.len() == 10 && matches!(value[0], b'1'..=b'3'))
            && accounting::time::moment(value).is_some()
    };
    let has_dates = |line: &&[u8]| {
        let mut values = line.split(u8::is_ascii_whitespace).filter(|value| !value.is_empty()).peekable();
        values.peek().is_some_and(|first| first[0].is_ascii_digit())
            && values.filter(|value| is_date(value)).count() >= 2
    };
    // of sacct -n with its usual width
    let are_dates_in_blanks = 2 * told().filter(has_dates).count() > told().count();
    are_dates_in_blanks
        || [b'|', b',', b';', b'\t'].into_iter().any(|delimiter| {
            let is_row = |line: &&[u8]| {
                let values = || line.split(|&byte| byte == delimiter);
                let numbers =
                    values().filter(|value| value.trim_ascii().first().is_some_and(u8::is_ascii_digit)).count();
                numbers >= FIELDS && 2 * numbers >= values().count()
            };
            2 * told().filter(is_row).count() > told().count()
        })
}

/// Whether a text looks like a log: like SWF, or like lines of fields. The test is simple, because it is part of a page
/// that has no reader.
pub(super) fn looks_like_a_log(text: &str) -> bool {
    let lines: Vec<&[u8]> =
        text.lines().map(|line| line.trim().as_bytes()).filter(|line| !line.is_empty()).take(LINES).collect();
    let has_fields = |line: &[u8]| DELIMITERS.iter().any(|d| line.iter().filter(|byte| *byte == d).count() >= FIELDS);
    swf::is_likely(&lines) || (lines.len() > 1 && lines.iter().take(2).all(|line| has_fields(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_names_is_refused_by_name() {
        let row = "101|ann|2026-01-01T00:00:00|2026-01-01T00:10:00|2026-01-01T01:10:00|4\n";
        for text in [row.to_owned(), row.replace('|', ","), "7\t8\t9\n".repeat(3)] {
            let said = crate::reading::read("t", text.as_bytes());
            assert!(matches!(said, Err(ReadError::Unnamed { .. })), "{text}: {said:?}");
        }
        let fixed =
            "12  ann 2026-01-01T00:00:00 2026-01-01T00:01:00 2026-01-01T00:11:00 00:10:00 4 COMPLETED\n".repeat(3);
        assert!(matches!(crate::reading::read("t", fixed.as_bytes()), Err(ReadError::Unnamed { .. })));
        let of_condor = "12 ann 1767607300 1767607360 1767607960 4\n".repeat(3);
        assert!(matches!(crate::reading::read("t", of_condor.as_bytes()), Err(ReadError::Unnamed { .. })));
        assert!(!are_unnamed(&[b"Dear all, 3 of us, 4 of them, and me", b"1 2 3"]));
    }

    #[test]
    fn prompts_and_commands_that_were_pasted_are_no_lines_of_a_log() {
        let pbs = |n: u32| {
            format!(
                "01/05/2026 12:00:00;E;{n}.h;user=ann ctime=1767607200 start=1767607260 end=1767607860 Resource_List.ncpus=4\n"
            )
        };
        let sacct = "JobID|User|Submit|Start|End|NCPUS|State\n12|ann|2026-01-05T10:00:00|2026-01-05T10:01:00|2026-01-05T10:11:00|4|COMPLETED\n";
        let logs = [
            sacct.to_owned(),
            sacct.replace('|', ","),
            pbs(12),
            "[{\"id\":12,\"submit\":1767607200,\"start\":1767607260,\"end\":1767607860,\"cores\":4}]\n".to_owned(),
            "12 0 60 600 4 -1 -1 4 900 -1 1 1 1 -1 1 -1 -1 -1\n".to_owned(),
        ];
        for log in &logs {
            for (before, behind) in [
                ("", "[ann@login ~]$ "),
                ("ann@login:~$ sacct -a \\\n> -P\n", "ann@login:~$"),
                ("sacct -a -P\n", "(base) [ann@login1 x]$ exit\n"),
                ("$ cat log\n", "$ \n"),
            ] {
                let text = format!("{before}{log}{behind}");
                let read = crate::reading::read("log", text.as_bytes()).unwrap();
                let first = &read.records[0];
                assert_eq!((read.jobs(), first.number, first.wait, first.run), (1, 12, 60, 600), "{text}");
                assert!(read.account.entries().is_empty(), "{text}: {:?}", read.account.entries());
            }
        }
        for (text, name) in [
            ("bjobs\nJOBID   USER    STAT  QUEUE\n1 ann RUN q\n", "bjobs"),
            ("[ann@l ~]$ qstat\nJob id            Name\n----------------  ----\n", "qstat"),
        ] {
            let said = crate::reading::read("log", text.as_bytes()).unwrap_err().to_string();
            assert!(said.contains(name), "{said}");
        }
    }

    #[test]
    fn a_log_is_told_from_what_else_is_pasted() {
        for log in [
            "1 0 -1 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1",
            "JobID|User|Submit|Start|RecogniserState\n1|ann|2026-01-01T00:00:00|Unknown|COMPLETED\n",
            "id,submit,run,processors\n1,2,3,4",
            "01/05/2026 12:00:00;E;1.host;user=ann ctime=1\n01/05/2026 12:00:00;E;1.host;user=ann ctime=1",
        ] {
            assert!(looks_like_a_log(log), "{log}");
        }
        for other in
            ["", "Dear all,\nthe log, as you know, is here, or there\n", "a,b,c,d", "http://x.org/#v1.a,b,c,d,e"]
        {
            assert!(!looks_like_a_log(other), "{other}");
        }
    }
}
