//! Slurm's job completion log as text (`JobCompType=jobcomp/filetxt`): `JobId=1 UserId=ann(1000) ... ProcCnt=4` a line.

use super::jobs::{AccountedJob, JobCollector, OF_SLURM};
use super::numbers::is_odd;
use super::time::{digits, duration, id_number, moment};
use super::tres::{Resources, count};
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError, are_mostly};
use crate::{OtherLine, Reason, Seconds};

/// Keys of a line, in the order of the newest versions. A value ends where the next key begins, so that a name may
/// have blanks in it.
const KEYS: [&[u8]; 24] = [
    b"JobId=",
    b"UserId=",
    b"GroupId=",
    b"Name=",
    b"JobState=",
    b"Partition=",
    b"TimeLimit=",
    b"StartTime=",
    b"EndTime=",
    b"NodeList=",
    b"NodeCnt=",
    b"ProcCnt=",
    b"WorkDir=",
    b"ReservationName=",
    b"Tres=",
    b"Account=",
    b"QOS=",
    b"WcKey=",
    b"Cluster=",
    b"SubmitTime=",
    b"EligibleTime=",
    b"ArrayJobId=",
    b"DerivedExitCode=",
    b"ExitCode=",
];

pub(super) struct JobcompReader {
    jobs: JobCollector,
}

impl JobcompReader {
    /// The reader of a file with these first lines, if it is such a log.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        let is_one = |line: &[u8]| line.starts_with(b"JobId=") && memchr::memmem::find(line, b" UserId=").is_some();
        are_mostly(lines, is_one).then(|| JobcompReader { jobs: JobCollector::calling(OF_SLURM, limits) })
    }
}

fn value<'a>(line: &'a [u8], key: &[u8]) -> &'a [u8] {
    let at = |key: &[u8], from: usize| {
        let found = memchr::memmem::find_iter(&line[from..], key).map(|at| from + at);
        found.into_iter().find(|&at| at == 0 || line[at - 1] == b' ')
    };
    let Some(begin) = at(key, 0).map(|at| at + key.len()) else { return b"" };
    let end = KEYS.iter().filter_map(|key| at(key, begin)).min().unwrap_or(line.len());
    line[begin..end].trim_ascii()
}

/// The name in `ann(1000)`: `ann`.
fn name(text: &[u8]) -> &[u8] {
    &text[..text.iter().position(|&byte| byte == b'(').unwrap_or(text.len())]
}

impl Format for JobcompReader {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let text = line.bytes.trim_ascii();
        if text.is_empty() {
            self.jobs.account.pass(OtherLine::Blank);
            return Ok(());
        }
        let get = |key: &[u8]| value(text, key);
        let id = get(b"JobId=");
        let digits_of_id = &id[..id.iter().take_while(|byte| byte.is_ascii_digit()).count()];
        let Some(number) = id_number(digits_of_id) else {
            self.jobs.account.note_text(Reason::NotAJob, line.number, text);
            return Ok(());
        };
        let time = |key: &[u8]| moment(get(key));
        let (start, end, eligible) = (time(b"StartTime="), time(b"EndTime="), time(b"EligibleTime="));
        let submit = time(b"SubmitTime=").or(eligible).unwrap_or(-1);
        let minutes = |text: &[u8]| digits(text).map(|minutes: Seconds| minutes * 60).or_else(|| duration(text));
        let limit = minutes(get(b"TimeLimit="));
        let resources = Resources::of(get(b"Tres="));
        let width = count(get(b"ProcCnt=")).or(resources.processors).filter(|&width| width > 0);
        let is_odd = is_odd(get(b"TimeLimit="), limit)
            || is_odd(get(b"StartTime="), start)
            || is_odd(get(b"EndTime="), end)
            || [&b"ProcCnt="[..], b"NodeCnt="].into_iter().any(|key| is_odd(get(key), count(get(key))))
            || resources.is_odd;
        let job = AccountedJob {
            id,
            number,
            submit,
            eligible,
            start,
            run: start.zip(end).map(|(start, end)| (end - start).max(0)),
            end,
            limit: limit.filter(|&limit| limit > 0),
            allocated: width,
            requested: width,
            nodes: count(get(b"NodeCnt=")).or(resources.nodes),
            gpus: Some(resources.gpus.unwrap_or(0)),
            memory: resources.memory.filter(|&memory| memory > 0),
            status: match get(b"JobState=") {
                b"COMPLETED" => 1,
                b"CANCELLED" => 5,
                b"" => -1,
                _ => 0,
            },
            user: name(get(b"UserId=")),
            group: Some(get(b"Account=")).filter(|account| !account.is_empty()).unwrap_or(name(get(b"GroupId="))),
            executable: get(b"Name="),
            queue: get(b"QOS="),
            partition: get(b"Partition="),
            is_odd,
            text,
            ..AccountedJob::default()
        };
        self.jobs.push(line.number, &job)
    }

    fn jobs(&self) -> usize {
        self.jobs.len()
    }

    fn finish(self: Box<Self>) -> Result<LogContent, ReadError> {
        self.jobs.finish(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::read;

    #[test]
    fn jobs_are_read_with_blanks_in_their_names() {
        let job = |id: &str, name: &str, limit: &str| {
            format!(
                "JobId={id} UserId=ann(1000) GroupId=grp(100) Name={name} JobState=COMPLETED Partition=short \
                 TimeLimit={limit} StartTime=2026-01-05T10:01:00 EndTime=2026-01-05T10:02:00 NodeList=n[1-2] NodeCnt=2 \
                 ProcCnt=8 WorkDir=/home/ann ReservationName= Tres=cpu=8,node=2,gres/gpu=1 Account=lab QOS=normal \
                 WcKey= Cluster=c SubmitTime=2026-01-05T10:00:00 EligibleTime=2026-01-05T10:00:00 DerivedExitCode=0:0 \
                 ExitCode=0:0 \n"
            )
        };
        let text = [job("1", "fit", "60"), job("2_7", "two words", "UNLIMITED"), "no job\n".to_owned()].concat();
        let log = read("jobcomp.log", text.as_bytes()).unwrap();
        let seen: Vec<_> =
            log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested, r.requested_time)).collect();
        assert_eq!(seen, [(1, 60, 60, 8, 3_600), (2, 60, 60, 8, -1)]);
        assert_eq!((log.names.users.join(","), log.names.groups.join(",")), ("ann".to_owned(), "lab".to_owned()));
        assert_eq!((log.beyond.nodes.as_slice(), log.beyond.gpus.as_slice()), (&[2, 2][..], &[1, 1][..]));
        assert_eq!(log.account.count(Reason::NotAJob), 1);
    }
}
