//! Ids of jobs in a table that may be Slurm's: steps, tasks of arrays, parts of heterogeneous jobs.

use super::super::time::id_number;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlurmId<'a> {
    pub text: &'a [u8],
    pub number: &'a [u8],
    /// Whether it is that of a step for certain: `12.batch`, `12_3.extern`, `12+0.0`.
    pub is_step: bool,
    /// Whether it is that of a step where the job itself is there, too: `12.0`. Elsewhere it is a number with decimals.
    pub may_be_step: bool,
    /// Whether it is the part of an array that has not started: `12_[4-9%2]`.
    pub is_pending_array: bool,
    /// The heterogeneous job that it is a part of, and which part: 12 and 1 of `12+1`.
    pub part_of: Option<(i64, i64)>,
    /// The array and the task: 12 and 4 of `12_4`.
    pub task: Option<(i64, i64)>,
}

impl<'a> SlurmId<'a> {
    /// An id that is not Slurm's.
    pub(super) fn named(text: &'a [u8]) -> Self {
        let number = text.split(|byte| !byte.is_ascii_digit()).find(|part| !part.is_empty()).unwrap_or_default();
        SlurmId { text, number, is_step: false, may_be_step: false, is_pending_array: false, part_of: None, task: None }
    }

    pub(super) fn of(text: &'a [u8]) -> Self {
        let mut id = SlurmId::named(text);
        let leading = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if leading == 0 {
            return id;
        }
        let rest = &text[leading..];
        let whole = id_number(&text[..leading]);
        id.is_pending_array = rest.starts_with(b"_[");
        let dot = rest.iter().position(|&byte| byte == b'.');
        let (of_job, step) = dot.map_or((rest, &b""[..]), |at| (&rest[..at], &rest[at + 1..]));
        let is_of_slurm = of_job.is_empty() || matches!(of_job.first(), Some(b'_' | b'+'));
        let is_count = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        if dot.is_some() && is_of_slurm {
            let is_word = matches!(step, b"batch" | b"extern" | b"interactive");
            // a number of a task or of a part has no decimals
            id.is_step = is_word || (!of_job.is_empty() && step.first().is_some_and(u8::is_ascii_digit));
            id.may_be_step = of_job.is_empty() && is_count(step);
            return id;
        }
        match of_job.split_first() {
            Some((b'+', part)) if is_count(part) => id.part_of = whole.zip(id_number(part)),
            Some((b'_', task)) if is_count(task) => id.task = whole.zip(id_number(task)),
            _ => {}
        }
        id
    }

    pub(super) fn is_known(&self) -> bool {
        !self.text.is_empty()
    }

    /// The job that a step is of: `12` of `12.0`.
    pub(super) fn whole_text(&self) -> &'a [u8] {
        self.text.split(|&byte| byte == b'.').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_apart() {
        let of = |text: &'static str| SlurmId::of(text.as_bytes());
        for step in ["12.batch", "12_3.extern", "12+0.0", "12_3.1", "12.interactive"] {
            assert!(of(step).is_step, "{step}");
        }
        assert!(of("12.0").may_be_step && !of("12.0").is_step && of("12.0").whole_text() == b"12");
        assert!(!of("12.host.org").is_step && !of("12.host").may_be_step && !of("a.0").may_be_step);
        assert!(of("12_[4-9%2]").is_pending_array);
        assert_eq!((of("12+1").part_of, of("12_4").task, of("12").task), (Some((12, 1)), Some((12, 4)), None));
        assert_eq!(of("openb-pod-0007").number, b"0007");
    }
}
