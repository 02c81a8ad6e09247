//! Whether the first lines of a file look like the Standard Workload Format.

use super::FIELDS;

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

fn is_number(field: &[u8]) -> bool {
    std::str::from_utf8(field).is_ok_and(|field| field.parse::<f64>().is_ok_and(f64::is_finite))
}

#[cfg(test)]
mod tests {
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
