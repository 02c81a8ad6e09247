//! The number of nodes that a job asked for, while its accounting tells what it got: from sacct's SubmitLine, and from
//! ReqTRES beside NNodes.

use super::jobs::{AccountedJob, JobCollector};
use super::numbers::is_odd;
use super::options::options;
use super::time::{digits, duration, id_number};
use super::tres::{count, mebibytes};
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError};
use crate::{ComesAfter, Ending, NamedJob, OtherLine, Reason, Seconds};

/// The words of a command line, which all else here and what reads dependencies and options takes.
pub(crate) fn words(line: &[u8]) -> Vec<&[u8]> {
    // without a sign of an option there is none
    if memchr::memchr(b'-', line).is_none() {
        return Vec::new();
    }
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}

/// The values of the option named `long` or `short`, wherever it stands.
pub(super) fn option_values<'a>(
    words: &'a [&'a [u8]],
    long: &'a [u8],
    short: &'a [u8],
) -> impl Iterator<Item = &'a [u8]> {
    let mut words = words.iter();
    std::iter::from_fn(move || {
        while let Some(word) = words.find(|word| word.starts_with(b"-")) {
            if *word == long || *word == short {
                return Some(words.next().copied().unwrap_or_default());
            }
            let behind = word.strip_prefix(long).and_then(|behind| behind.strip_prefix(b"="));
            if let Some(value) = behind.or_else(|| word.strip_prefix(short)) {
                return Some(value);
            }
        }
        None
    })
}

/// The fewest nodes that a job asked for, and the most (0: any number). None where neither is known.
///
/// Slurm keeps the fewest (ReqTRES; 1 where the user gave no number) and not the most. A job that got more than the
/// fewest would have taken any number. A job that got just the fewest asked for that number, unless it is 1 and the
/// command line asks for several tasks.
pub(super) fn node_range(words: &[&[u8]], asked: Option<u32>, got: Option<u32>) -> Option<(u32, u32)> {
    if let Some(range) = option_values(words, b"--nodes", b"-N").find_map(range) {
        return Some(range);
    }
    let least = asked?;
    let has_tasks = || {
        let tasks = option_values(words, b"--ntasks", b"-n").find_map(number);
        tasks.is_some_and(|tasks| tasks > 1)
    };
    let is_open = got.is_some_and(|got| got > least) || least == 1 && has_tasks();
    Some((least, if is_open { 0 } else { least }))
}

/// The partitions that a job named, which may be several; empty where the command line names none.
pub(super) fn partition<'a>(words: &[&'a [u8]]) -> &'a [u8] {
    last_of(words, b"--partition", b"-p").unwrap_or_default()
}

/// The time limit with which a job was submitted; none where the command line names none, or none that is certain.
pub(super) fn limit(words: &[&[u8]]) -> Option<Seconds> {
    let text = last_of(words, b"--time", b"-t")?;
    // minutes alone, or a time that Slurm rounds up to minutes
    digits(text).or_else(|| duration(text).map(|limit| (limit + 59) / 60))?.checked_mul(60)
}

/// The value that an option has before the script, the last of several.
fn last_of<'a>(words: &[&'a [u8]], long: &[u8], short: &[u8]) -> Option<&'a [u8]> {
    options(words).filter(|(name, _)| *name == long || *name == short).map(|(_, value)| value).last()
}

/// Reads a number of nodes or a range of them: `4`, `2-4`.
fn range(text: &[u8]) -> Option<(u32, u32)> {
    let mut parts = text.splitn(2, |&byte| byte == b'-');
    let least = number(parts.next()?)?;
    let most = parts.next().map_or(Some(least), number)?;
    (most >= least).then_some((least, most))
}

/// A whole number of at least 1.
fn number(text: &[u8]) -> Option<u32> {
    digits(text).and_then(|number| u32::try_from(number).ok()).filter(|&number| number > 0)
}

// Workloads of the Slurm simulator of the University at Buffalo (`.events`): one submission for each line, with the
// options of sbatch and how long the job runs: `-dt 10.50 -e submit_batch_job | -sim-walltime 252.00 --uid=ann -N 1 -n
// 6 ... job`

pub(super) struct SubmissionList {
    jobs: JobCollector,
}

impl SubmissionList {
    /// The reader of a file with these first lines, if it is such a workload.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        let says = |line: &&[u8]| !line.is_empty() && !line.starts_with(b"#");
        let first = lines.iter().map(|line| line.trim_ascii()).find(says)?;
        first
            .starts_with(b"-dt ")
            .then(|| SubmissionList { jobs: JobCollector::calling(["Account", "Executable", "QOS"], limits) })
    }
}

struct SubmitOptions<'a> {
    words: Vec<&'a [u8]>,
}

impl<'a> SubmitOptions<'a> {
    /// The value of an option under any of its names, as `--name=value`, `--name value` or `-n value`.
    fn value(&self, names: &[&[u8]]) -> &'a [u8] {
        for (at, word) in self.words.iter().enumerate() {
            for name in names {
                if word == name {
                    return self.words.get(at + 1).copied().unwrap_or_default();
                }
                if let Some(value) = word.strip_prefix(*name).and_then(|rest| rest.strip_prefix(b"=")) {
                    return value;
                }
            }
        }
        b""
    }

    fn has(&self, name: &[u8]) -> bool {
        self.words.iter().any(|word| word == &name || word.starts_with(name) && word.get(name.len()) == Some(&b'='))
    }
}

/// Whole seconds of `10.50`.
fn seconds(text: &[u8]) -> Option<Seconds> {
    let whole = text.iter().position(|&byte| byte == b'.').unwrap_or(text.len());
    digits(&text[..whole])
}

impl Format for SubmissionList {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let text = line.bytes.trim_ascii();
        if text.is_empty() || text.starts_with(b"#") {
            self.jobs.account.pass(if text.is_empty() { OtherLine::Blank } else { OtherLine::Comment });
            return Ok(());
        }
        let words: Vec<&[u8]> = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let options = SubmitOptions { words };
        if options.value(&[b"-e"]) != b"submit_batch_job" {
            self.jobs.account.note_text(Reason::NotAJob, line.number, text);
            return Ok(());
        }
        let submit = seconds(options.value(&[b"-dt"])).unwrap_or(-1);
        let limit = options.value(&[b"-t", b"--time"]);
        // a number alone is minutes
        let told = digits(limit).map(|minutes: Seconds| minutes * 60).or_else(|| duration(limit));
        let is_odd = is_odd(limit, told);
        let nodes = count(options.value(&[b"-N", b"--nodes"])).filter(|&nodes| nodes > 0);
        let tasks = count(options.value(&[b"-n", b"--ntasks"])).filter(|&tasks| tasks > 0);
        let each = count(options.value(&[b"-c", b"--cpus-per-task"])).unwrap_or(1).max(1);
        let width = tasks.or(nodes).unwrap_or(1).saturating_mul(each);
        let gpus = options.value(&[b"--gres"]).rsplit(|&byte| byte == b':').next().and_then(count);
        let gpus = gpus.filter(|_| options.value(&[b"--gres"]).starts_with(b"gpu"));
        let of_node = mebibytes(options.value(&[b"--mem"])).filter(|_| options.has(b"--mem"));
        let job = AccountedJob {
            id: options.value(&[b"-J", b"--job-name"]),
            number: -1,
            submit,
            run: seconds(options.value(&[b"-sim-walltime"])),
            limit: told.filter(|&limit| limit > 0),
            is_odd,
            allocated: Some(width),
            requested: Some(width),
            nodes,
            gpus: Some(gpus.unwrap_or(0).saturating_mul(nodes.unwrap_or(1))),
            memory: of_node.map(|memory| memory.saturating_mul(nodes.unwrap_or(1)).min(i32::MAX as u32)),
            status: 1,
            user: options.value(&[b"--uid"]),
            group: options.value(&[b"-A", b"--account"]),
            executable: options.words.last().copied().unwrap_or_default(),
            queue: options.value(&[b"-q", b"--qos"]),
            partition: options.value(&[b"-p", b"--partition"]),
            text,
            ..AccountedJob::default()
        };
        self.jobs.push(line.number, &job)
    }

    fn jobs(&self) -> usize {
        self.jobs.len()
    }

    fn finish(self: Box<Self>) -> Result<LogContent, ReadError> {
        let mut content = self.jobs.finish(None)?;
        // times count from the start of the simulator, whose date is unknown
        content.header.labels.retain(|(label, _)| label != "UnixStartTime");
        Ok(content)
    }
}

// What a job comes after, as users tell batch systems: Slurm's `--dependency` and PBS's `-W depend`.

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
    use super::*;

    #[test]
    fn a_range_of_nodes_is_told_or_follows_from_what_a_job_got() {
        let of = |line: &str, asked, got| node_range(&words(line.as_bytes()), asked, got);
        assert_eq!(of("sbatch -N 2 -n 8 x", Some(2), Some(2)), Some((2, 2)));
        assert_eq!(of("sbatch -N2-4 x", None, None), Some((2, 4)));
        assert_eq!(of("sbatch --nodes=3 x", Some(3), Some(3)), Some((3, 3)));
        assert_eq!(of("", Some(1), Some(3)), Some((1, 0)), "it got more than it asked for");
        assert_eq!(of("", Some(2), Some(2)), Some((2, 2)));
        assert_eq!(of("sbatch -n 4 x", Some(1), Some(1)), Some((1, 0)), "tasks alone");
        assert_eq!(of("sbatch --ntasks=1 -c 4 x", Some(1), Some(1)), Some((1, 1)), "one task has one node");
        assert_eq!(of("sbatch x", Some(1), Some(1)), Some((1, 1)));
        assert_eq!(of("sbatch -N x -n 4", None, Some(2)), None);
        assert_eq!(of("sbatch -N 4-2", None, Some(2)), None);
    }
}

#[cfg(test)]
mod submissions_tests {
    use super::*;
    use crate::reading::read;

    #[test]
    fn submissions_are_read_option_by_option() {
        let text = "# a workload\n-dt   10.50 -e submit_batch_job | -sim-walltime 252.00 --uid=user1 -J jobid_1 -N    1 -n      6 \
            -t 03:00:00 -q general -p batch --mem=32000M pseudo.job\n\
            -dt 38.00 -e submit_batch_job | -sim-walltime 12.00 --uid=user5 -J jobid_2 -N 2 -n 80 -t 3-00:00:00 -q general \
            -p batch --gres=gpu:2 --gres=gpu:2 --mem=180G pseudo.job\n\
            -dt 40 -e cancel_job | jobid_2\n\
            -dt 41 -e submit_batch_job | -sim-walltime -1 --uid=user1 -J jobid_3 -n 4 -c 2 -t 30 -A lab pseudo.job\n";
        let log = read("workload.events", text.as_bytes()).unwrap();
        let seen: Vec<_> =
            log.records.iter().map(|r| (r.submit, r.wait, r.run, r.requested, r.requested_time)).collect();
        assert_eq!(seen, [(0, -1, 252, 6, 10_800), (28, -1, 12, 80, 259_200), (31, -1, -1, 8, 1_800)]);
        assert_eq!(log.beyond.nodes, [1, 2, -1]);
        assert_eq!(
            (log.beyond.gpus.as_slice(), log.beyond.memory.as_slice()),
            (&[0, 4, 0][..], &[32_000, 368_640, -1][..])
        );
        assert_eq!((log.names.users.join(","), log.names.queues.join(",")), ("user1,user5".into(), "general".into()));
        assert_eq!((log.account.count(Reason::NotAJob), log.header.unix_start()), (1, None));
    }
}

#[cfg(test)]
mod dependency_tests {
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
