//! A history of HTCondor as `condor_history -long` prints it and as the schedd keeps it: `Name = Value` a line, a job's lines
//! up to a blank one or one that begins with `***`.

use super::super::table::ColumnMap;
use super::{BlockLine, Blocks, RecordTable};
use crate::OtherLine;
use crate::reading::{Limits, are_mostly};

/// The reader of a file with these first lines, if it is such a history.
pub(in crate::accounting) fn recognise(lines: &[&[u8]], limits: Limits, columns: Option<&ColumnMap>) -> Option<Blocks> {
    let is_cluster =
        |line: &&[u8]| matches!(attribute(line), Some((name, _)) if name.eq_ignore_ascii_case("ClusterId"));
    let are_ads = are_mostly(lines, |line| attribute(line).is_some() || is_end(line));
    let is_history = are_ads && lines.iter().any(is_cluster);
    is_history.then(|| Blocks::new(RecordTable::new("HTCondor's history", limits, columns), |line, _| form(line)))
}

fn form(line: &[u8]) -> BlockLine {
    match attribute(line) {
        _ if line.is_empty() => BlockLine::Between(OtherLine::Blank),
        _ if is_end(line) => BlockLine::Between(OtherLine::Comment),
        Some((name, value)) => BlockLine::Named(name, value),
        None => BlockLine::Rest,
    }
}

/// Whether a line ends the lines of a job: `*** Offset = 0 ClusterId = 12 ...`.
fn is_end(line: &[u8]) -> bool {
    line.starts_with(b"***")
}

/// The name and the value of a line, without the quotes of a text.
fn attribute(line: &[u8]) -> Option<(String, String)> {
    let text = std::str::from_utf8(line).ok()?;
    let (name, value) = text.split_once(" = ")?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let value = value.trim();
    let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
    (!name.is_empty() && name.trim().chars().all(is_name)).then(|| (name.trim().to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use crate::Reason;
    use crate::reading::read;

    fn ad(proc_id: u32, status: u32, end: i64) -> String {
        format!(
            "ExitStatus = 0\nExitCode = 2\nJobStatus = {status}\nClusterId = 12\nProcId = {proc_id}\nOwner = \"ann\"\nQDate = 1700000000\n\
             JobStartDate = 1700000060\nCompletionDate = {end}\nRemoteWallClockTime = 600.0\nRequestCpus = 4\n\
             Requirements = (TARGET.Arch == \"X86_64\") && (TARGET.Memory >= 1)\n"
        )
    }

    #[test]
    fn a_history_is_read_job_by_job() {
        // completed, removed, held, one that runs; the first two are equal but for their numbers
        let ads = [ad(0, 4, 1_700_000_660), ad(1, 4, 1_700_000_660), ad(2, 3, 0), ad(3, 5, 0), ad(4, 2, 0)];
        for between in ["*** Offset = 0 ClusterId = 12 ProcId = 0 Owner = \"ann\" CompletionDate = 1\n", "\n"] {
            let log = read("history", ads.join(between).as_bytes()).unwrap();
            let seen: Vec<_> = log.records.iter().map(|r| (r.wait, r.run, r.requested, r.status)).collect();
            assert_eq!(seen, [(60, 600, 4, 1), (60, 600, 4, 1), (60, 600, 4, 5), (60, -1, 4, -1)], "{between}");
            assert_eq!([Reason::NotStarted, Reason::StillRunning].map(|reason| log.account.count(reason)), [1, 1]);
            assert_eq!(log.names.users, ["ann"]);
        }
    }
}
