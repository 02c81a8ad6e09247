//! The number of nodes that a job asked for, while its accounting tells what it got: from sacct's SubmitLine, and from
//! ReqTRES beside NNodes.

use super::jobs::{AccountedJob, JobCollector};
use super::nothing::is_odd;
use super::options::options;
use super::time::{digits, duration};
use super::tres::{count, mebibytes};
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError};
use crate::{OtherLine, Reason, Seconds};

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
