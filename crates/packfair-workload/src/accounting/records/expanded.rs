//! Tables with a line for each value, as psql prints them after `\\x`, MySQL after `\\G` and ClickHouse as Vertical, and blocks of
//! `name = value` or `name : value` with a blank line between them, as SQLite and PowerShell print them.

use super::super::table::LogColumns;
use super::{NamedValues, RecordTable};
use crate::OtherLine;
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError};
use packfair_base::drawn::is_frame;

pub(in crate::accounting) struct Expanded {
    table: RecordTable,
    /// What stands between a name and its value.
    mark: u8,
    /// The record whose lines are being read, and its first line.
    record: NamedValues,
    from: u32,
}

/// Whether a line stands above a record: `-[ RECORD 1 ]---`, `*** 1. row ***`, `Row 1:`.
fn begins_record(line: &[u8]) -> bool {
    let text = std::str::from_utf8(line).unwrap_or_default().trim();
    text.trim_start_matches(['-', '─']).starts_with("[ RECORD ")
        || text.starts_with("***") && text.trim_end_matches('*').ends_with(". row ")
        || text
            .strip_prefix("Row ")
            .and_then(|text| text.strip_suffix(':'))
            .is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Whether a line only parts records.
fn is_between(line: &[u8]) -> bool {
    line.is_empty() || begins_record(line) || is_frame(line) || line.iter().all(|byte| *byte >= 0x80)
}

/// The name and the value of a line.
fn pair(line: &[u8], mark: u8) -> Option<(String, String)> {
    let at = line.iter().position(|&byte| byte == mark)?;
    let text = |part: &[u8]| String::from_utf8_lossy(part.trim_ascii()).into_owned();
    Some((text(&line[..at]), text(&line[at + 1..])))
}

impl Expanded {
    /// The reader of a file with these first lines, if it is such a table.
    pub(in crate::accounting) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.trim_ascii()).collect();
        let first = *lines.iter().find(|line| !is_between(line))?;
        let mark = first.iter().copied().find(|byte| b"|:=".contains(byte))?;
        let is_titled = lines.iter().find(|line| !line.is_empty()).is_some_and(|line| begins_record(line));
        let names = |block: &[&[u8]]| -> Option<Vec<String>> {
            block.iter().map(|line| pair(line, mark).map(|(name, _)| name).filter(|name| !name.is_empty())).collect()
        };
        let blocks = || lines.split(|line| is_between(line)).filter(|block| !block.is_empty());
        let are_alike = || {
            let first = blocks().next().and_then(names);
            let second = blocks().nth(1).and_then(names);
            first.is_some_and(|first| (second.as_ref() == Some(&first)) && LogColumns::of_log(&first).is_some())
        };
        let is_one = is_titled || (lines.iter().any(|line| line.is_empty()) && are_alike());
        is_one.then(|| Expanded {
            table: RecordTable::new("jobs with a line for each value", limits),
            mark,
            record: Vec::new(),
            from: 0,
        })
    }

    fn end(&mut self) -> Result<(), ReadError> {
        if self.record.is_empty() { Ok(()) } else { self.table.push(self.from, std::mem::take(&mut self.record)) }
    }
}

impl Format for Expanded {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let bytes = line.bytes.trim_ascii();
        if is_between(bytes) {
            self.table.pass(if bytes.is_empty() { OtherLine::Blank } else { OtherLine::Comment });
            return self.end();
        }
        let named = pair(bytes, self.mark).filter(|(name, _)| !name.is_empty());
        if self.record.is_empty() {
            self.from = line.number;
        } else {
            // a job is a record, whose first line counts
            self.table.pass(OtherLine::Continued);
        }
        match named {
            Some(named) => self.record.push(named),
            // the rest of a text; what it says is not needed
            None if !self.record.is_empty() => {}
            None => self.table.lose(line.number, bytes),
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

#[cfg(test)]
mod tests {
    use crate::reading::read;

    #[test]
    fn tables_with_a_line_for_each_value_are_read() {
        let names = ["job_id", "user", "submit", "start", "end", "cpus"];
        let values = |n: u32| {
            let at = |minute: u32| format!("2026-01-05 10:{minute:02}:00");
            [n.to_string(), "ann".to_owned(), at(n), at(n + 1), at(n + 11), "4".to_owned()]
        };
        let block = |n: u32, mark: &str| -> String {
            names.iter().zip(values(n)).map(|(name, value)| format!("{name:>8}{mark}{value}\n")).collect()
        };
        let all = |title: &dyn Fn(u32) -> String, mark: &str| -> String {
            (1..4).map(|n| title(n) + &block(n, mark)).collect()
        };
        let stars = "*".repeat(27);
        for text in [
            all(&|n| format!("-[ RECORD {n} ]---+-------\n"), " | "),
            all(&|n| format!("─[ RECORD {n} ]───┬───────\n"), " │ "),
            all(&|n| format!("{stars} {n}. row {stars}\n"), ": ") + "3 rows in set (0.00 sec)\n",
            all(&|n| format!("\nRow {n}:\n──────\n"), ": "),
            all(&|_| "\n".to_owned(), " = "),
            all(&|_| "\n".to_owned(), " : "),
        ] {
            let log = read("t", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
            let seen: Vec<_> = log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested)).collect();
            assert_eq!(seen, [(1, 60, 600, 4), (2, 60, 600, 4), (3, 60, 600, 4)], "{text}");
            assert!(log.account.entries().is_empty(), "{text}");
        }
    }
}
