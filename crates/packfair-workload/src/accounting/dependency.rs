//! What a job comes after, as users tell batch systems: Slurm's `--dependency` and PBS's `-W depend`.

use super::submit_line::option_values;
use super::time::{digits, id_number};
use crate::{ComesAfter, Ending, NamedJob, Seconds};

/// What a job was told to come after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StatedDependency {
    pub after: Vec<ComesAfter>,
    pub is_any: bool,
}

/// Reads Slurm's dependencies of a job: `afterok:20:21_4,afterany:23`, `singleton`, and as squeue prints them,
/// `afterok:20_*(unfulfilled)`. Where `?` separates them, one is enough. `task` is the job's number in its array, which
/// `aftercorr` needs.
pub(super) fn of_slurm(text: &[u8], task: Option<i64>) -> StatedDependency {
    let mut told = StatedDependency { after: Vec::new(), is_any: text.contains(&b'?') };
    for item in text.split(|byte| matches!(byte, b',' | b'?')) {
        let mut parts = item.trim_ascii().split(|&byte| byte == b':');
        let kind = parts.next().unwrap_or_default();
        let corresponding = |named| match (named, task) {
            (NamedJob::Number(array), Some(task)) => NamedJob::Task(array, task),
            (named, _) => named,
        };
        let named = parts.filter_map(slurm_job);
        let ends = |ending| move |(named, _)| ComesAfter::End(named, ending);
        match kind.split(|&byte| byte == b'(').next().unwrap_or_default() {
            b"singleton" => told.after.push(ComesAfter::Namesakes),
            b"afterok" => told.after.extend(named.map(ends(Ending::Well))),
            b"afterany" | b"afterburstbuffer" => told.after.extend(named.map(ends(Ending::Any))),
            b"afternotok" => told.after.extend(named.map(ends(Ending::Badly))),
            b"aftercorr" => {
                told.after.extend(named.map(|(named, _)| ComesAfter::End(corresponding(named), Ending::Well)));
            }
            b"after" => told.after.extend(named.map(|(named, delay)| ComesAfter::Start(named, delay))),
            b"expand" => told.after.extend(named.map(|_| ComesAfter::Other)),
            _ => {}
        }
    }
    told
}

/// Reads the job that a dependency names, `20`, `20_4` or `20_*`, and its delay in seconds (`20+5`: 5 minutes).
fn slurm_job(text: &[u8]) -> Option<(NamedJob, Seconds)> {
    let text = text.split(|&byte| byte == b'(').next()?;
    let mut parts = text.splitn(2, |&byte| byte == b'+');
    let mut name = parts.next()?.trim_ascii().splitn(2, |&byte| byte == b'_');
    let number = id_number(name.next()?)?;
    let named = match name.next().and_then(digits) {
        Some(task) => NamedJob::Task(number, task),
        None => NamedJob::Number(number),
    };
    // a longer delay is cut to the longest that Slurm can store
    let minutes = parts.next().and_then(|minutes| digits(minutes.trim_ascii())).unwrap_or(0).min(MOST_MINUTES);
    Some((named, minutes * 60))
}

/// The longest delay after a start, minutes: Slurm keeps it in 32 bits of seconds.
const MOST_MINUTES: i64 = 71_582_788;

/// Reads Slurm's dependencies from the command line with which a job was submitted.
pub(super) fn of_submit_line(words: &[&[u8]], task: Option<i64>) -> StatedDependency {
    // an option of the user's own program is no dependency and gives none
    let mut told = option_values(words, b"--dependency", b"-d").map(|value| of_slurm(value, task));
    told.find(|told| !told.after.is_empty()).unwrap_or_default()
}

/// The number of an array and how many of its tasks may run at once, from the id of its waiting tasks (`123_[5-9%2]`).
pub(super) fn task_limit_of_id(id: &[u8]) -> Option<(i64, u32)> {
    let (array, tasks) = id.split_at(id.iter().position(|&byte| byte == b'_')?);
    Some((id_number(array)?, task_limit(tasks.strip_prefix(b"_[")?.split(|&byte| byte == b']').next()?)?))
}

/// How many tasks of an array may run at once, from the command line with which it was submitted (`--array=0-99%10`).
pub(super) fn task_limit_of_submit_line(words: &[&[u8]]) -> Option<u32> {
    option_values(words, b"--array", b"-a").find_map(task_limit)
}

/// Reads the limit in a list of tasks: 10 in `0-99%10`.
fn task_limit(tasks: &[u8]) -> Option<u32> {
    let at = tasks.iter().position(|&byte| byte == b'%')?;
    if !tasks[0..at].iter().all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b',' | b':' | b'x' | b'.')) {
        return None;
    }
    digits(&tasks[at + 1..]).and_then(|most| u32::try_from(most).ok()).filter(|&most| most > 0)
}

/// Reads PBS's dependencies of a job: `afterok:20.host:21[4].host@host,afterany:23.host`. Items such as `beforeok` are
/// passed over: the other job has the matching `afterok`.
pub(super) fn of_pbs(text: &[u8]) -> StatedDependency {
    let mut after = Vec::new();
    for item in text.split(|&byte| byte == b',') {
        let mut parts = item.trim_ascii().split(|&byte| byte == b':');
        let kind = parts.next().unwrap_or_default();
        let named = parts.filter_map(pbs_job);
        let ends = |ending| move |named| ComesAfter::End(named, ending);
        match kind {
            b"afterok" | b"afterokarray" => after.extend(named.map(ends(Ending::Well))),
            b"afterany" | b"afteranyarray" => after.extend(named.map(ends(Ending::Any))),
            b"afternotok" | b"afternotokarray" => after.extend(named.map(ends(Ending::Badly))),
            b"after" | b"afterstartarray" => after.extend(named.map(|named| ComesAfter::Start(named, 0))),
            _ => {}
        }
    }
    StatedDependency { after, is_any: false }
}

/// The number of a job in an id of PBS, and which task of an array it is: `20.host`, `21[4].host`; the array as a whole is
/// `21[].host`.
pub(super) fn pbs_task(id: &[u8]) -> Option<(i64, Option<i64>)> {
    let (number, rest) = id.split_at(id.iter().take_while(|byte| byte.is_ascii_digit()).count());
    let task = rest.strip_prefix(b"[").and_then(|rest| rest.split(|&byte| byte == b']').next()).and_then(digits);
    Some((id_number(number)?, task))
}

fn pbs_job(text: &[u8]) -> Option<NamedJob> {
    Some(match pbs_task(text.trim_ascii())? {
        (array, Some(task)) => NamedJob::Task(array, task),
        (job, None) => NamedJob::Number(job),
    })
}

#[cfg(test)]
mod tests {
    use super::super::submit_line::words;
    use super::ComesAfter::{End, Namesakes, Other, Start};
    use super::Ending::{Any, Badly, Well};
    use super::NamedJob::{Number, Task};
    use super::*;

    #[test]
    fn each_way_of_writing_them_is_understood() {
        let slurm = |text: &str| of_slurm(text.as_bytes(), Some(7)).after;
        assert_eq!(
            slurm("afterok:20:21_4,afterany:23"),
            [End(Number(20), Well), End(Task(21, 4), Well), End(Number(23), Any)]
        );
        assert_eq!(
            slurm("afterok:20_*(unfulfilled)?afternotok:5(failed)"),
            [End(Number(20), Well), End(Number(5), Badly)]
        );
        assert!(of_slurm(b"afterok:20?afternotok:5", None).is_any && !of_slurm(b"afterok:20:5", None).is_any);
        assert_eq!(slurm("singleton"), [Namesakes]);
        assert_eq!(slurm("singleton(unfulfilled)"), [Namesakes]);
        assert_eq!(slurm("aftercorr:30"), [End(Task(30, 7), Well)]);
        assert_eq!(of_slurm(b"aftercorr:30", None).after, [End(Number(30), Well)]);
        assert_eq!(slurm("after:20+5:21,expand:9"), [Start(Number(20), 300), Start(Number(21), 0), Other]);
        for nothing in
            ["", "(null)", "afterok", "afterok:", "afterok:x", "afterok:99999999999999999999", ",,:", "beside:1"]
        {
            assert_eq!(slurm(nothing), [], "{nothing}");
        }
        let pbs = |text: &str| of_pbs(text.as_bytes()).after;
        assert_eq!(
            pbs("afterok:20.host@host:21[4].host,afterany:22[].host@host,beforeok:9.host,on:2"),
            [End(Number(20), Well), End(Task(21, 4), Well), End(Number(22), Any)]
        );
        assert_eq!(pbs("after:20.host,afterany:x"), [Start(Number(20), 0)]);
    }

    #[test]
    fn the_command_line_says_it_too() {
        let line = |text: &str| of_submit_line(&words(text.as_bytes()), None).after;
        for text in [
            "sbatch -N1 --dependency=afterok:20 job.sh",
            "sbatch --dependency afterok:20 job.sh",
            "sbatch -d afterok:20 job.sh",
            "sbatch -dafterok:20 job.sh",
        ] {
            assert_eq!(line(text), [End(Number(20), Well)], "{text}");
        }
        assert_eq!(line("sbatch job.sh -d 5 --dependency=none"), [], "the job's own options");
        assert_eq!(line("sbatch -d"), []);
    }

    #[test]
    fn limits_of_running_tasks_stand_in_ids_and_command_lines() {
        assert_eq!(task_limit_of_id(b"123_[5-9%2]"), Some((123, 2)));
        for none in ["123_[5-9]", "123_4", "123", "123_[5%0]", "x_[5%2]", "123_[5%99999999999]"] {
            assert_eq!(task_limit_of_id(none.as_bytes()), None, "{none}");
        }
        let line = |text: &str| task_limit_of_submit_line(&words(text.as_bytes()));
        for text in ["sbatch --array=0-99:3%10 x", "sbatch -a 1,5%10 x", "sbatch -a0-9%10", "sbatch --array 1%10"] {
            assert_eq!(line(text), Some(10), "{text}");
        }
        for none in ["sbatch -a 1-4 x", "sbatch x -a b%3", "sbatch -a"] {
            assert_eq!(line(none), None, "{none}");
        }
    }
}
