//! A history of HTCondor as `condor_history -long` prints it and as the schedd keeps it: `Name = Value` a line, a job's lines
//! up to a blank one or one that begins with `***`.

use super::{NamedValues, RecordTable};
use crate::OtherLine;
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError, are_mostly};

pub(in crate::accounting) struct ClassAds {
    table: RecordTable,
    /// The job whose lines are being read, and its first line.
    ad: NamedValues,
    from: u32,
}

impl ClassAds {
    /// The reader of a file with these first lines, if it is such a history.
    pub(in crate::accounting) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        let is_cluster =
            |line: &&[u8]| matches!(attribute(line), Some((name, _)) if name.eq_ignore_ascii_case("ClusterId"));
        let are_ads = are_mostly(lines, |line| attribute(line).is_some() || is_end(line));
        let is_history = are_ads && lines.iter().any(is_cluster);
        is_history.then(|| ClassAds { table: RecordTable::new("HTCondor's history", limits), ad: Vec::new(), from: 0 })
    }

    fn end(&mut self) -> Result<(), ReadError> {
        if self.ad.is_empty() {
            return Ok(());
        }
        self.table.push(self.from, std::mem::take(&mut self.ad))
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

impl Format for ClassAds {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let bytes = line.bytes.trim_ascii();
        if bytes.is_empty() || is_end(bytes) {
            self.table.pass(if bytes.is_empty() { OtherLine::Blank } else { OtherLine::Comment });
            return self.end();
        }
        if self.ad.is_empty() {
            self.from = line.number;
        } else {
            // a job is a record, whose first line counts
            self.table.pass(OtherLine::Continued);
        }
        match attribute(bytes) {
            Some(attribute) => self.ad.push(attribute),
            // the rest of a text; what it says is not needed
            None if !self.ad.is_empty() => {}
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
