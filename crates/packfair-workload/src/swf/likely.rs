//! Whether the first lines of a file look like the Standard Workload Format.

use super::{FIELDS, Records, UNIX};
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError};

/// The fields, from 0, that are spans of time.
const SPANS: [usize; 3] = [2, 3, 8];

/// Whether these lines are comments and jobs of the Standard Workload Format, with at least one job. A job is a line
/// whose first two fields are numbers (job number and submit time), and which has at least half as many numbers as the
/// format has fields.
pub(crate) fn is_likely(lines: &[&[u8]]) -> bool {
    // OAR's own format has comments as SWF has, and other fields
    if lines.iter().any(|line| line.starts_with(b";") && memchr::memmem::find(line, b"OWF Format:").is_some()) {
        return false;
    }
    let lines = lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty());
    let mut jobs = 0;
    // the grid archive's form of the format has # for comments
    for (at, line) in lines.filter(|line| !line.starts_with(b";") && !line.starts_with(b"#")).enumerate() {
        if at == 0 && names_fields(line) {
            continue;
        }
        if !is_job(line) {
            return false;
        }
        jobs += 1;
    }
    jobs > 0
}

/// Whether some of these lines are of the Standard Workload Format, whatever the others are.
pub(crate) fn has_some(lines: &[&[u8]]) -> bool {
    let lines = lines.iter().map(|line| line.trim_ascii());
    lines.into_iter().any(|line| line.starts_with(b";") || is_header(line) || names_fields(line) || is_job(line))
}

fn is_job(line: &[u8]) -> bool {
    let fields = || line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).take(FIELDS);
    let numbers = fields().filter(|field| is_number(field)).count();
    numbers >= FIELDS / 2 && fields().take(2).all(is_number)
}

/// Whether a line names the format's fields: as many words, of which the second is of the submission and the last of the
/// think time. What names them otherwise is a table.
pub(super) fn names_fields(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_name = |word: &[u8]| word.first().is_some_and(u8::is_ascii_alphabetic);
    let second = words.clone().nth(1).unwrap_or_default().to_ascii_lowercase();
    let last = words.clone().next_back().unwrap_or_default().to_ascii_lowercase();
    let are_swfs = second.starts_with(b"submit") && last.starts_with(b"think");
    are_swfs && words.clone().count() == FIELDS && words.all(is_name)
}

/// Whether a comment names the fields of the grid archive's form, of which the first are those of the format.
fn names_grids_fields(line: &[u8]) -> bool {
    let mut words = line[1..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let firsts: [&[u8]; 4] = [b"jobid", b"submittime", b"waittime", b"runtime"];
    firsts.iter().all(|first| words.next().is_some_and(|word| word.eq_ignore_ascii_case(first)))
}

/// Words of the format's own header comments, in small letters.
const WORDS: [&str; 24] = [
    "version",
    "computer",
    "installation",
    "acknowledge",
    "information",
    "conversion",
    "maxjobs",
    "maxrecords",
    "preemption",
    "unixstarttime",
    "timezone",
    "timezonestring",
    "starttime",
    "endtime",
    "maxnodes",
    "maxprocs",
    "maxruntime",
    "maxmemory",
    "allowoveruse",
    "maxqueues",
    "queues",
    "queue",
    "maxpartitions",
    "partition",
];

/// The fields, from 0, that may have decimals in any log of the format: means of CPU time and of memory.
const MEANS: [usize; 3] = [5, 6, 9];

/// Whether a comment is one of the format's header: `; MaxProcs: 8`.
fn is_header(line: &[u8]) -> bool {
    let text =
        line.iter().position(|byte| !matches!(byte, b';' | b'#' | b' ' | b'\t')).map_or(&b""[..], |at| &line[at..]);
    let colon = text.iter().position(|&byte| byte == b':');
    colon.is_some_and(|at| WORDS.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(text[..at].trim_ascii())))
}

/// Whether these lines are columns of other numbers: without the header or the names of SWF most of them are not its 18 whole
/// numbers, or have Unix times where it has spans (wait, run time, requested time).
pub(crate) fn are_other_columns(lines: &[&[u8]]) -> bool {
    let (mut jobs, mut odd) = (0, 0);
    for line in lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty()) {
        if matches!(line[0], b';' | b'#') {
            if is_header(line) || names_grids_fields(line) {
                return false;
            }
            continue;
        }
        if jobs == 0 && names_fields(line) {
            return false;
        }
        let fields: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect();
        if fields.len() < 3 || !fields[..2].iter().all(|field| is_number(field)) {
            continue;
        }
        let is_time =
            |at: &usize| fields.get(*at).and_then(|field| number(field)).is_some_and(|time| time >= UNIX as f64);
        let has_decimals = |(at, field): (usize, &&[u8])| {
            !MEANS.contains(&at) && number(field).is_some_and(|number| number.fract() != 0.0 || field.contains(&b'.'))
        };
        jobs += 1;
        let is_other =
            fields.len() != FIELDS || fields.iter().enumerate().any(has_decimals) || SPANS.iter().any(is_time);
        odd += usize::from(is_other);
    }
    2 * odd > jobs
}

fn number(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse().ok().filter(|number: &f64| number.is_finite())
}

fn is_number(field: &[u8]) -> bool {
    number(field).is_some()
}

// The Standard Workload Format with other marks between its fields than blanks.

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
    #[test]
    fn other_columns_of_numbers_are_no_swf() {
        let is_other = |text: &str| super::are_other_columns(&text.lines().map(str::as_bytes).collect::<Vec<_>>());
        let short = "1 1700000000 -1 10 4 -1 -1 4 60 -1\n";
        let whole = "1 0 -1 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1\n";
        for other in [short, "1 2 3\n4 5 6\n", &format!("\n# numbers\n{short}{short}{whole}")] {
            assert!(is_other(other), "{other}");
            let read = crate::reading::read("log", other.as_bytes());
            assert!(matches!(read, Err(crate::ReadError::Unnamed { .. })), "{other}: {read:?}");
        }
        let read = crate::reading::read(
            "log",
            format!("; id submit start end cpus\n{}", "1 1700000000 1700000060 1700000660 4\n".repeat(9)).as_bytes(),
        );
        assert!(matches!(read, Err(crate::ReadError::Unnamed { .. })), "{read:?}");
        assert!(is_other(&whole.replace(" 10 4", " 1700000010 4")), "a time where a span should be");
        for other in [
            format!("; id submit wait run\n{short}"),
            whole.replace(" 10 4", " 10.5 4"),
            whole.replace("-1\n", "-1 7\n"),
            whole.replace(" -1\n", "\n"),
        ] {
            assert!(is_other(&other), "{other}");
        }
        let named = "JobID SubmitTime Wait Run Procs Cpu Mem ReqProcs ReqTime ReqMem Status User Group Exe Queue Part Prev Think\n";
        for swf in [
            whole,
            &format!("{whole}{whole}{short}"),
            &format!("; MaxProcs: 8\n{short}"),
            &format!("# Version: 2.2\n{}", whole.replace("-1\n", "-1 7\n")),
            &format!("#JobID SubmitTime WaitTime RunTime NProcs\n{}", whole.replace("-1\n", "-1 S0 UNITARY -1\n")),
            &format!("{named}{short}"),
            &whole.replace("4 -1 -1 4", "4 0.5 12.25 4"),
            "Dear all,\nhere it is",
        ] {
            assert!(!is_other(swf), "{swf}");
        }
    }

    #[test]
    fn a_log_is_told_from_what_else_is_pasted() {
        let is_likely = |text: &str| super::is_likely(&text.lines().map(str::as_bytes).collect::<Vec<_>>());
        let job = "1 0 -1 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1";
        for log in
            [job.to_owned(), format!("; MaxProcs: 8\n\n  {job}\r\n2 5.5{}\n", &job[3..]), format!("{job}\n{job} 7")]
        {
            assert!(is_likely(&log), "{log}");
        }
        for other in [
            "",
            "\n",
            "; a comment alone",
            "Dear all,",
            "1234",
            "user:5 procs>=64",
            "1 2 3\n4 5 6",
            "http://x.org/#v1.abc",
        ] {
            assert!(!is_likely(other), "{other}");
        }
        for text in [
            "Chapter 5 of the book\nis 3 pages long\n",
            "Allocate 1 of 2 on the 5th\n",
            "X-Number: 0001\n",
            "a.host 0 4 ann lab 7200 Completed 1767607200 1767607800 1767607800 1767611400 1 2 3 4 5 6 7 8\n",
        ] {
            let said = crate::reading::read("text", text.as_bytes()).unwrap_err();
            assert!(matches!(said, crate::ReadError::NoJob { .. }), "{text}: {said}");
        }
        let tabs = job.replace(' ', "\t");
        let read = |text: String| crate::reading::read("log", text.as_bytes()).unwrap().jobs();
        assert_eq!([read(tabs), read(format!("Dear all,\nhere it is\n{job}\n"))], [1, 1]);
        assert!(!is_likely(&format!("{job}\nand then words\n")));
        assert!(!is_likely("\"JOB_FINISH\" \"9.11\" 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"), "another log of numbers");
    }
}

#[cfg(test)]
mod delimited_tests {
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
