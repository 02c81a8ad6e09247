//! What Grid Engine's `qacct -j` prints: `name value` a line, a job's lines below a line of `=`.

use super::super::table::ColumnMap;
use super::super::time::american;
use super::{BlockLine, Blocks, RecordTable};
use crate::OtherLine;
use crate::reading::Limits;

fn is_rule(line: &[u8]) -> bool {
    line.len() >= 10 && line.iter().all(|&byte| byte == b'=')
}

/// The reader of a file with these first lines, if a line of `=` is above one with a job's queue.
pub(in crate::accounting) fn recognise(lines: &[&[u8]], limits: Limits, columns: Option<&ColumnMap>) -> Option<Blocks> {
    let told: Vec<&[u8]> = lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty()).collect();
    let is_one = told.windows(2).any(|pair| is_rule(pair[0]) && pair[1].starts_with(b"qname"));
    is_one.then(|| Blocks::new(RecordTable::new("Grid Engine's qacct", limits, columns), form))
}

fn form(line: &[u8], is_begun: bool) -> BlockLine {
    if is_rule(line) {
        return BlockLine::Between(OtherLine::Comment);
    }
    // a total at the end is no job
    if line.is_empty() || !is_begun && !line.starts_with(b"qname") {
        return BlockLine::Passed(if line.is_empty() { OtherLine::Blank } else { OtherLine::Comment });
    }
    let text = &*String::from_utf8_lossy(line);
    let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let value = value.trim();
    // Univa's and Altair's write 01/31/2026 23:59:59.123
    let time = value.split_once(' ').filter(|_| name.ends_with("_time")).and_then(|(date, time)| {
        let time = time.split_once('.').map_or(time, |(time, _)| time);
        american(date.as_bytes(), time.as_bytes())
    });
    BlockLine::Named(name.to_owned(), time.map_or_else(|| value.to_owned(), |time| time.to_string()))
}

#[cfg(test)]
mod tests {
    use crate::reading::read;

    #[test]
    fn blocks_of_jobs_are_read() {
        let rule = "=".repeat(62);
        let block = |number: u32, task: &str, start: &str, end: &str| {
            format!(
                "{rule}\nqname        all.q               \nhostname     n1\ngroup        users\nowner        ann\n\
                 jobname      fit it\njobnumber    {number}\ntaskid       {task}\nqsub_time    Thu Jan  1 00:00:00 2026\n\
                 start_time   {start}\nend_time     {end}\ngranted_pe   mpi\nslots        4\nfailed       0\n\
                 category     -l h_rt=3600,h_vmem=2G -pe mpi 4\n"
            )
        };
        let (start, end) = ("Thu Jan  1 00:01:00 2026", "Thu Jan  1 00:11:00 2026");
        let text = [block(7, "undefined", start, end), block(8, "1", start, end), block(8, "2", start, end)].concat();
        let log = read("qacct", text.as_bytes()).unwrap();
        let seen: Vec<_> =
            log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested, r.requested_time)).collect();
        assert_eq!(seen, [(7, 60, 600, 4, 3_600), (8, 60, 600, 4, 3_600), (8, 60, 600, 4, 3_600)]);
        assert_eq!(log.names.executables, ["fit it"]);
        let text = block(7, "undefined", "01/31/2026 00:01:00.250", "01/31/2026 00:11:00.500")
            .replace("Thu Jan  1 00:00:00 2026", "01/31/2026 00:00:00.125");
        let record = &read("qacct", text.as_bytes()).unwrap().records[0];
        assert_eq!((record.wait, record.run), (60, 600), "Univa's dates");
    }
}
