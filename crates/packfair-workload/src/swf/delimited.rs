//! The Standard Workload Format with other marks between its fields than blanks.

use super::{FIELDS, Records, are_other_columns, is_likely};
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError};

const MARKS: [u8; 3] = [b',', b';', b'\t'];

/// Takes lines with a mark between fields.
pub(crate) struct Delimited {
    mark: u8,
    records: Box<Records>,
}

/// The fields of a job with blanks between them; none where a line is no job of 18 fields.
fn with_blanks(line: &[u8], mark: u8) -> Option<Vec<u8>> {
    let field = |field: &[u8]| match field.trim_ascii() {
        b"" => b"-1".to_vec(),
        field => field.iter().map(|byte| if byte.is_ascii_whitespace() { b'_' } else { *byte }).collect(),
    };
    let fields: Vec<Vec<u8>> = line.split(|&byte| byte == mark).map(field).collect();
    (fields.len() == FIELDS).then(|| fields.join(&b' '))
}

fn is_comment(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start().first(), None | Some(b';' | b'#'))
}

impl Delimited {
    /// The reader of a file with these first lines, if they are jobs with such marks.
    pub(crate) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        let is = |mark: &u8| {
            let parted =
                lines.iter().map(|line| if is_comment(line) { Some(line.to_vec()) } else { with_blanks(line, *mark) });
            let parted: Option<Vec<Vec<u8>>> = parted.collect();
            parted.is_some_and(|lines| {
                let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
                is_likely(&lines) && !are_other_columns(&lines)
            })
        };
        MARKS.into_iter().find(is).map(|mark| Delimited { mark, records: Box::new(Records::within(limits)) })
    }
}

impl Format for Delimited {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let parted = if is_comment(line.bytes) { None } else { with_blanks(line.bytes, self.mark) };
        self.records.line(FileLine { bytes: parted.as_deref().unwrap_or(line.bytes), ..line })
    }

    fn jobs(&self) -> usize {
        self.records.jobs()
    }

    fn finish(self: Box<Self>) -> Result<LogContent, ReadError> {
        self.records.finish()
    }
}

#[cfg(test)]
mod tests {
    use crate::reading::read;

    #[test]
    fn marks_may_stand_between_the_fields() {
        let jobs = "1 0 60 600 4 -1 -1 4 900 -1 1 1 1 -1 1 -1 -1 -1\n2 5 60 600 4 -1 -1 4 900 -1 1 2 1 -1 1 -1 -1 -1\n";
        for mark in [",", ";", "\t", ", "] {
            for head in ["", "; Version: 2.2\n; MaxProcs: 8\n\n"] {
                // a field with nothing in it is unknown
                let text = format!("{head}{}", jobs.replace(' ', mark).replace("-1", ""));
                let log = read("log.swf", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
                let seen: Vec<_> = log
                    .records
                    .iter()
                    .map(|r| (r.number, r.wait, r.run, r.requested, r.requested_time, r.user))
                    .collect();
                assert_eq!(seen, [(1, 60, 600, 4, 900, 1), (2, 60, 600, 4, 900, 2)], "{text}");
            }
        }
        let unlike = jobs.replace(' ', ",").replace("0,60", "0,1767607200").replace("5,60", "5,1767607200");
        assert!(read("t.csv", unlike.as_bytes()).is_err());
    }
}
