//! Whether the first lines of a file look like the Standard Workload Format.

use super::{FIELDS, UNIX};

/// Whether these lines are comments and jobs of the Standard Workload Format, with at least one job. A job is a line
/// whose first two fields are numbers (job number and submit time), and which has at least half as many numbers as the
/// format has fields.
pub(in crate::workload) fn is_likely(lines: &[&[u8]]) -> bool {
    let lines = lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty());
    let mut jobs = 0;
    for line in lines.filter(|line| !line.starts_with(b";")) {
        let fields = || line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).take(FIELDS);
        let numbers = fields().filter(|field| is_number(field)).count();
        if numbers < FIELDS / 2 || !fields().take(2).all(is_number) {
            return false;
        }
        jobs += 1;
    }
    jobs > 0
}

/// Whether these lines, which are likely, are columns of other numbers: without SWF's comments, with fewer fields than it
/// has, and with Unix times where it has spans (wait, run time, requested time).
pub(in crate::workload) fn has_times_for_spans(lines: &[&[u8]]) -> bool {
    let lines = || lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty());
    let mut jobs = 0;
    let mut odd = 0;
    for line in lines() {
        if line.starts_with(b";") {
            return false;
        }
        let fields: Vec<f64> = line
            .split(u8::is_ascii_whitespace)
            .filter(|field| !field.is_empty())
            .map(|field| std::str::from_utf8(field).ok().and_then(|field| field.parse().ok()).unwrap_or(-1.0))
            .collect();
        if fields.len() >= FIELDS {
            return false;
        }
        jobs += 1;
        odd += usize::from([2, 3, 8].iter().any(|&at| fields.get(at).is_some_and(|&value| value >= UNIX as f64)));
    }
    2 * odd > jobs
}

fn is_number(field: &[u8]) -> bool {
    std::str::from_utf8(field).is_ok_and(|field| field.parse::<f64>().is_ok_and(f64::is_finite))
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_of_times_are_no_swf() {
        let is_other = |text: &str| super::has_times_for_spans(&text.lines().map(str::as_bytes).collect::<Vec<_>>());
        let other = "7 1700000000 1700000100 1700000400 4 1 2 3 60 5\n";
        assert!(is_other(other) && is_other(&format!("\n{other}{other}")));
        assert!(!is_other(&format!("; MaxProcs: 8\n{other}")));
        assert!(!is_other("1 1700000000 -1 10 4 -1 -1 4 60 -1 1\n"));
        let read = crate::workload::reading::read("log", other.as_bytes());
        assert_eq!(read, Err(crate::workload::ReadError::Unnamed));
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
        assert!(!is_likely(&format!("{job}\nand then words\n")));
        assert!(!is_likely("\"JOB_FINISH\" \"9.11\" 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"), "another log of numbers");
    }
}
