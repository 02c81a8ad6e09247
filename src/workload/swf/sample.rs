//! Whether a text looks like a log, before anybody reads all of it.

use super::FIELDS;

/// How many lines are looked at.
const LINES: usize = 50;

/// Whether the first lines of `text` are comments and jobs of the Standard Workload Format, at least one of these: some
/// numbers, as many as a job has or nearly so.
pub fn looks_like_a_log(text: &str) -> bool {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(LINES);
    let mut jobs = 0;
    for line in lines.filter(|line| !line.starts_with(';')) {
        let fields = line.split_ascii_whitespace().take(FIELDS);
        let numbers = fields.filter(|field| field.parse::<f64>().is_ok_and(f64::is_finite)).count();
        if numbers < FIELDS / 2 {
            return false;
        }
        jobs += 1;
    }
    jobs > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_told_from_what_else_is_pasted() {
        let job = "1 0 -1 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1";
        for log in
            [job.to_owned(), format!("; MaxProcs: 8\n\n  {job}\r\n2 5.5{}\n", &job[3..]), format!("{job}\n{job} 7")]
        {
            assert!(looks_like_a_log(&log), "{log}");
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
            assert!(!looks_like_a_log(other), "{other}");
        }
        assert!(!looks_like_a_log(&format!("{job}\nand then words\n")));
    }
}
