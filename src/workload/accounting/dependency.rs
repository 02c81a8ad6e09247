//! What batch systems are told that a job comes after: Slurm's `--dependency` and PBS's `-W depend`.

use super::time::digits;
use crate::workload::ComesAfter;

/// Slurm's dependencies of a job, which may be a task of an array: `afterok:20:21_4,afterany:23`, `singleton`; as squeue
/// prints them too, `afterok:20_*(unfulfilled)`.
pub(super) fn of_slurm(text: &[u8], task: Option<i64>) -> Vec<ComesAfter> {
    let mut found = Vec::new();
    for item in text.split(|byte| matches!(byte, b',' | b'?')) {
        let mut parts = item.trim_ascii().split(|&byte| byte == b':');
        let kind = parts.next().unwrap_or_default();
        match kind.split(|&byte| byte == b'(').next().unwrap_or_default() {
            b"singleton" => found.push(ComesAfter::Namesakes),
            b"afterok" | b"afterany" | b"afternotok" | b"afterburstbuffer" => found.extend(parts.filter_map(slurm_job)),
            b"aftercorr" => found.extend(parts.filter_map(slurm_job).map(|after| match (after, task) {
                (ComesAfter::Job(array), Some(task)) => ComesAfter::Task(array, task),
                (after, _) => after,
            })),
            b"after" | b"expand" => found.extend(parts.filter_map(slurm_job).map(|_| ComesAfter::Other)),
            _ => {}
        }
    }
    found
}

/// `20`, `20_4`, `20_*`, whatever stands behind.
fn slurm_job(text: &[u8]) -> Option<ComesAfter> {
    let end = text.iter().position(|byte| matches!(byte, b'+' | b'(')).unwrap_or(text.len());
    let mut parts = text[..end].trim_ascii().splitn(2, |&byte| byte == b'_');
    let job = digits(parts.next()?)?;
    match parts.next().and_then(digits) {
        Some(task) => Some(ComesAfter::Task(job, task)),
        None => Some(ComesAfter::Job(job)),
    }
}

/// The same in the command line with which a job was submitted (sacct's SubmitLine).
pub(super) fn of_submit_line(line: &[u8], task: Option<i64>) -> Vec<ComesAfter> {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let value = match word {
            b"-d" | b"--dependency" => words.next().unwrap_or_default(),
            _ => word.strip_prefix(b"--dependency=").or_else(|| word.strip_prefix(b"-d")).unwrap_or_default(),
        };
        // of another program's option nothing is understood
        let found = of_slurm(value, task);
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// PBS's dependencies of a job: `afterok:20.host:21[4].host@host,afterany:23.host`. What others wait for of it (`before`)
/// stands with them.
pub(super) fn of_pbs(text: &[u8]) -> Vec<ComesAfter> {
    let mut found = Vec::new();
    for item in text.split(|&byte| byte == b',') {
        let mut parts = item.trim_ascii().split(|&byte| byte == b':');
        match parts.next().unwrap_or_default() {
            b"afterok" | b"afterany" | b"afternotok" | b"afterokarray" | b"afteranyarray" | b"afternotokarray" => {
                found.extend(parts.filter_map(pbs_job));
            }
            b"after" | b"afterstartarray" => found.extend(parts.filter_map(pbs_job).map(|_| ComesAfter::Other)),
            _ => {}
        }
    }
    found
}

/// The number of a job in an id of PBS, and which task of an array it is: `20.host`, `21[4].host`; the array as a whole is
/// `21[].host`.
pub(super) fn pbs_task(id: &[u8]) -> Option<(i64, Option<i64>)> {
    let (number, rest) = id.split_at(id.iter().take_while(|byte| byte.is_ascii_digit()).count());
    let task = rest.strip_prefix(b"[").and_then(|rest| rest.split(|&byte| byte == b']').next()).and_then(digits);
    Some((digits(number)?, task))
}

fn pbs_job(text: &[u8]) -> Option<ComesAfter> {
    Some(match pbs_task(text.trim_ascii())? {
        (array, Some(task)) => ComesAfter::Task(array, task),
        (job, None) => ComesAfter::Job(job),
    })
}

#[cfg(test)]
mod tests {
    use super::ComesAfter::{Job, Namesakes, Other, Task};
    use super::*;

    #[test]
    fn each_way_of_writing_them_is_understood() {
        let slurm = |text: &str| of_slurm(text.as_bytes(), Some(7));
        assert_eq!(slurm("afterok:20:21_4,afterany:23"), [Job(20), Task(21, 4), Job(23)]);
        assert_eq!(slurm("afterok:20_*(unfulfilled)?afternotok:5(failed)"), [Job(20), Job(5)]);
        assert_eq!(slurm("singleton"), [Namesakes]);
        assert_eq!(slurm("singleton(unfulfilled)"), [Namesakes]);
        assert_eq!(slurm("aftercorr:30"), [Task(30, 7)]);
        assert_eq!(of_slurm(b"aftercorr:30", None), [Job(30)]);
        assert_eq!(slurm("after:20+5:21,expand:9"), [Other, Other, Other]);
        for nothing in
            ["", "(null)", "afterok", "afterok:", "afterok:x", "afterok:99999999999999999999", ",,:", "beside:1"]
        {
            assert_eq!(slurm(nothing), [], "{nothing}");
        }
        let pbs = |text: &str| of_pbs(text.as_bytes());
        assert_eq!(
            pbs("afterok:20.host@host:21[4].host,afterany:22[].host@host,beforeok:9.host,on:2"),
            [Job(20), Task(21, 4), Job(22)]
        );
        assert_eq!(pbs("after:20.host,afterany:x"), [Other]);
    }

    #[test]
    fn the_command_line_says_it_too() {
        let line = |text: &str| of_submit_line(text.as_bytes(), None);
        for text in [
            "sbatch -N1 --dependency=afterok:20 job.sh",
            "sbatch --dependency afterok:20 job.sh",
            "sbatch -d afterok:20 job.sh",
            "sbatch -dafterok:20 job.sh",
        ] {
            assert_eq!(line(text), [Job(20)], "{text}");
        }
        assert_eq!(line("sbatch job.sh -d 5 --dependency=none"), [], "the job's own options");
        assert_eq!(line("sbatch -d"), []);
    }
}
