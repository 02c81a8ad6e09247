//! Tables with a line for each value, as psql prints them after `\\x`, MySQL after `\\G` and ClickHouse as Vertical, and blocks of
//! `name = value` or `name : value` with a blank line between them, as SQLite and PowerShell print them.

use super::super::table::{ColumnMap, LogColumns};
use super::RecordTable;
use super::blocks::{BlockLine, Blocks};
use crate::OtherLine;
use crate::reading::Limits;
use packfair_base::drawn::is_frame;

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
    Some((text(&line[..at]), text(&line[at + 1..]))).filter(|(name, _)| !name.is_empty())
}

/// The reader of a file with these first lines, if it is such a table.
pub(in crate::accounting) fn recognise(lines: &[&[u8]], limits: Limits, columns: Option<&ColumnMap>) -> Option<Blocks> {
    let lines: Vec<&[u8]> = lines.iter().map(|line| line.trim_ascii()).collect();
    let first = *lines.iter().find(|line| !is_between(line))?;
    let mark = first.iter().copied().find(|byte| b"|:=".contains(byte))?;
    let is_titled = lines.iter().find(|line| !line.is_empty()).is_some_and(|line| begins_record(line));
    let names = |block: &[&[u8]]| -> Option<Vec<String>> {
        block.iter().map(|line| pair(line, mark).map(|(name, _)| name)).collect()
    };
    let mut blocks = lines.split(|line| is_between(line)).filter(|block| !block.is_empty()).map(names);
    let mut are_alike = || {
        let (first, second) = (blocks.next()??, blocks.next()??);
        (first == second && LogColumns::make_log(&first, columns)).then_some(())
    };
    let is_one = is_titled || (lines.iter().any(|line| line.is_empty()) && are_alike().is_some());
    is_one.then(|| {
        Blocks::new(RecordTable::new("jobs with a line for each value", limits, columns), move |line, _| {
            match pair(line, mark) {
                _ if is_between(line) => {
                    BlockLine::Between(if line.is_empty() { OtherLine::Blank } else { OtherLine::Comment })
                }
                Some((name, value)) => BlockLine::Named(name, value),
                None => BlockLine::Rest,
            }
        })
    })
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
