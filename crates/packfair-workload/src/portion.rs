//! A log as its queue was: jobs that wait are known by what they asked for, whatever they were given later, and jobs that
//! left without having started stand in it until they left.

use super::{Cleaning, Log, Record, Request, Seconds, Workload};
use std::borrow::Cow;

/// What a job asked for, or what it was given, where the two differ; -1 means unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portion {
    pub record: u32,
    pub processors: i32,
    pub nodes: i32,
    pub gpus: i32,
    /// Memory on all its nodes, MiB.
    pub memory: i32,
    pub least_nodes: i32,
    pub most_nodes: i32,
    pub partition: i32,
    /// The time limit with which it was submitted; -1 where that is the one that it has.
    pub limit: Seconds,
}

/// A job that never started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeverStarted {
    pub record: u32,
    /// When it left the queue.
    pub left: Seconds,
}

/// A job that has no record, for it had not started when the log was made or was deleted before.
#[derive(Clone, Debug, PartialEq)]
pub struct UnstartedJob {
    /// What its record would be.
    pub record: Record,
    /// Its values in the columns of [`Beyond`](super::Beyond).
    pub(super) counts: [i32; 6],
    pub(super) numbers: [i64; 3],
    /// When it left the queue; none where it waited until the log was made.
    pub left: Option<Seconds>,
}

impl Log {
    /// The log as its queue was: with what jobs asked for in place of what they were given
    /// ([`Beyond::given`](super::Beyond::given) tells that), and with those that never started as jobs that wait until they
    /// left ([`Beyond::never_started`](super::Beyond::never_started)).
    pub fn as_queued(&self, cleaning: Cleaning) -> Cow<'_, Log> {
        let mut asked = self.beyond.asked.clone();
        if cleaning.takes_used() {
            let differs =
                |record: &Record| record.allocated > 0 && record.requested > 0 && record.allocated != record.requested;
            let own = (0..).zip(&self.records).filter(|(_, record)| differs(record));
            let is_new = |place: u32| self.beyond.asked.binary_search_by_key(&place, |portion| portion.record).is_err();
            asked.extend(
                own.filter(|(place, _)| is_new(*place))
                    .map(|(place, record)| Portion { processors: record.requested, ..self.portion(place, true) }),
            );
            asked.sort_unstable_by_key(|portion| portion.record);
        }
        let never_started = self.never_started(cleaning);
        // a job that is not eligible, where the log tells that, stands in no queue
        let tells_eligible = !self.beyond.eligible.is_empty();
        let is_eligible = |job: &&UnstartedJob| !tells_eligible || job.numbers[0] >= 0;
        let unstarted =
            || self.beyond.unstarted.iter().filter_map(|unstarted| unstarted.job.as_deref()).filter(is_eligible);
        if asked.is_empty() && never_started.is_empty() && unstarted().next().is_none() {
            return Cow::Borrowed(self);
        }
        let mut log = self.clone();
        log.ask(asked, cleaning.takes_used());
        let end = self.end().unwrap_or(0);
        log.beyond.never_started = never_started;
        for UnstartedJob { record, counts, numbers, left } in unstarted() {
            // places fit into 32 bits
            let place = log.records.len() as u32;
            log.beyond.never_started.push(NeverStarted { record: place, left: left.unwrap_or(end + 1) });
            log.beyond.push(log.records.len(), counts, numbers);
            log.records.push(record.clone());
        }
        for at in 0..log.beyond.never_started.len() {
            let place = log.beyond.never_started[at].record as usize;
            log.wait_for_ever(place);
        }
        Cow::Owned(log)
    }

    /// Takes out of a log that is as its queue was what became of a job that waits: it has the limit with which it was
    /// submitted, and in place of its run time stands one that nobody reads.
    pub fn wait_for_ever(&mut self, place: usize) {
        let given = &self.beyond.given;
        if let Ok(at) = given.binary_search_by_key(&place, |portion| portion.record as usize) {
            // nobody knows what it will be given
            let (limit, same) = (given[at].limit, self.portion(given[at].record, false));
            self.beyond.given[at] = same;
            if limit > 0 {
                self.records[place].requested_time = limit;
            }
        }
        let record = &mut self.records[place];
        (record.wait, record.run, record.status) = (-1, record.requested_time.max(1), -1);
    }

    /// Has the jobs that have a record here and none in the log that it was made of ([`Log::as_queued`]) leave by `now`.
    pub fn leave_beyond(&mut self, whole: &Log, now: Seconds) {
        let records = whole.records.len();
        for place in records..self.records.len() {
            // places fit into 32 bits
            let record = place as u32;
            match self.beyond.never_started.binary_search_by_key(&record, |never| never.record) {
                Ok(at) => self.beyond.never_started[at].left = self.beyond.never_started[at].left.min(now),
                Err(at) => self.beyond.never_started.insert(at, NeverStarted { record, left: now }),
            }
        }
    }

    /// The records of jobs that never started and of which is known when they left the queue: those that a reader has found,
    /// and those that waited and ran for no time.
    fn never_started(&self, cleaning: Cleaning) -> Vec<NeverStarted> {
        let told = &self.beyond.never_started;
        // a job that never became eligible stood in no queue
        let is_eligible = |place: u32| self.beyond.eligible.get(place as usize).is_none_or(|&time| time >= 0);
        let waited = |(place, record): &(u32, &Record)| {
            record.run <= 0
                && record.wait > 0
                && cleaning.drops(record)
                && !self.is_running(*place as usize)
                && told.binary_search_by_key(place, |never| never.record).is_err()
        };
        let ran_not = (0..).zip(&self.records).filter(waited);
        let ran_not = ran_not.map(|(record, job)| NeverStarted { record, left: job.submit + job.wait });
        let mut all: Vec<NeverStarted> = told.iter().copied().chain(ran_not).collect();
        all.retain(|never| is_eligible(never.record));
        all.sort_unstable_by_key(|never| never.record);
        all
    }

    /// What a record says of a job's part of the machine.
    fn portion(&self, record: u32, takes_used: bool) -> Portion {
        let (place, beyond) = (record as usize, &self.beyond);
        let own = &self.records[place];
        let value = |column: &[i32]| column.get(place).copied().unwrap_or(-1);
        let (first, other) = if takes_used { (own.allocated, own.requested) } else { (own.requested, own.allocated) };
        Portion {
            record,
            processors: if first > 0 { first } else { other },
            nodes: value(&beyond.nodes),
            gpus: value(&beyond.gpus),
            memory: value(&beyond.memory),
            least_nodes: value(&beyond.least_nodes),
            most_nodes: value(&beyond.most_nodes),
            partition: own.partition,
            limit: -1,
        }
    }

    /// Has jobs ask for these portions, and keeps what they were given.
    fn ask(&mut self, asked: Vec<Portion>, takes_used: bool) {
        self.beyond.asked.clear();
        let mut given: Vec<Portion> = asked.iter().map(|own| self.portion(own.record, takes_used)).collect();
        for (given, own) in given.iter_mut().zip(asked) {
            let place = own.record as usize;
            let record = &mut self.records[place];
            (record.requested, record.allocated) = (own.processors, own.processors);
            // only a site knows lists of partitions
            if self.site.is_some() {
                record.partition = own.partition;
            }
            given.limit = own.limit;
            let beyond = &mut self.beyond;
            for (column, value) in [
                (&mut beyond.nodes, own.nodes),
                (&mut beyond.gpus, own.gpus),
                (&mut beyond.memory, own.memory),
                (&mut beyond.least_nodes, own.least_nodes),
                (&mut beyond.most_nodes, own.most_nodes),
            ] {
                column.get_mut(place).into_iter().for_each(|known| *known = value);
            }
        }
        self.beyond.given = given;
    }

    /// What the job of a record was given, where it asked for something else ([`Log::as_queued`]).
    pub(super) fn given(&self, record: usize) -> Option<&Portion> {
        let given = &self.beyond.given;
        Some(&given[given.binary_search_by_key(&record, |portion| portion.record as usize).ok()?])
    }

    /// When the job of a record left the queue without having started ([`Log::as_queued`]).
    pub fn left(&self, record: usize) -> Option<Seconds> {
        left(&self.beyond.never_started, record)
    }
}

fn left(never_started: &[NeverStarted], record: usize) -> Option<Seconds> {
    let place = never_started.binary_search_by_key(&record, |never| never.record as usize).ok()?;
    Some(never_started[place].left)
}

impl Workload {
    /// Takes from the log of which it was made what jobs were given that asked for something else, and who never started.
    /// Such jobs have the limits with which they were submitted.
    pub(super) fn take_queued(&mut self, log: &Log) {
        // in a log as it was read these are no jobs
        let waits = |never: &&NeverStarted| log.records[never.record as usize].run > 0;
        self.never_started = log.beyond.never_started.iter().filter(waits).copied().collect();
        self.given.clone_from(&log.beyond.given);
        if self.given.is_empty() {
            return;
        }
        for job in self.jobs() {
            let request = &mut self.requests[job.index()];
            let record = self.records[job.index()];
            let Ok(place) = self.given.binary_search_by_key(&record, |portion| portion.record) else { continue };
            let given = &mut self.given[place];
            if given.limit > 0 {
                std::mem::swap(&mut given.limit, &mut request.limit);
            }
        }
    }

    /// What a job was given, where it asked for something else and its log is [`Log::as_queued`].
    pub fn given(&self, job: crate::JobId) -> Option<&Portion> {
        let record = self.records[job.index()];
        Some(&self.given[self.given.binary_search_by_key(&record, |portion| portion.record).ok()?])
    }

    /// When a job left the queue without having started.
    pub fn left(&self, job: crate::JobId) -> Option<Seconds> {
        left(&self.never_started, self.record(job))
    }

    /// Has jobs hold what they were given: each of these jobs is a copy of one of another workload.
    pub fn take_given_of(&mut self, other: &Workload, copies: impl Iterator<Item = (crate::JobId, crate::JobId)>) {
        if other.given.is_empty() {
            return;
        }
        self.forget_derived();
        for (own, of) in copies {
            let Some(given) = other.given(of) else { continue };
            let request = &mut self.requests[own.index()];
            *request = Request {
                // at least 1, and no wider than the machine
                processors: given.processors.max(1).unsigned_abs().min(self.machine.processors),
                partition: given.partition,
                limit: if given.limit > 0 { given.limit } else { request.limit },
                ..request.clone()
            };
            if let Some(site) = &mut self.site {
                std::sync::Arc::make_mut(site).take_given(own.index(), given);
            }
        }
    }

    /// The workload whose jobs all ask for what they were given; none where they do so anyway.
    pub fn as_given(&self) -> Option<Workload> {
        if self.given.is_empty() {
            return None;
        }
        let mut made = self.clone();
        made.take_given_of(self, self.jobs().map(|job| (job, job)));
        Some(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, Since, Unit, clean, merge, reading::read};

    fn site() -> std::sync::Arc<packfair_slurm::Site> {
        std::sync::Arc::new(packfair_slurm::Site::plain(64, packfair_slurm::Version::default()))
    }

    /// Of each job of a log its number, and the processors, the nodes, the partition and the end of its wait without a start
    /// as its queue was.
    fn queued(name: &str, text: &str) -> Vec<(i64, i32, i32, String, Option<Seconds>)> {
        let mut log = read(name, text.as_bytes()).unwrap();
        log.site = Some(site());
        seen(&log)
    }

    fn seen(log: &Log) -> Vec<(i64, i32, i32, String, Option<Seconds>)> {
        let log = log.as_queued(Cleaning::Metrics);
        let partition = |number: i32| {
            usize::try_from(number - 1).ok().and_then(|at| log.names.partitions.get(at)).cloned().unwrap_or_default()
        };
        let job = |(place, record): (usize, &Record)| {
            let nodes = log.beyond.nodes.get(place).copied().unwrap_or(-1);
            (record.number, record.requested, nodes, partition(record.partition), log.left(place))
        };
        log.records.iter().enumerate().map(job).collect()
    }

    const SACCT: &str = "JobIDRaw|User|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|ReqCPUS|NNodes|ReqNodes|\
        State|Partition|SubmitLine\n\
        1|ann|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:10:00|2026-01-01T00:20:00|600|240|48|4|2|1|COMPLETED|a|\
        sbatch -p a,b -t 2:00:00 run.sh -p c\n\
        2|ann|2026-01-01T00:01:00|2026-01-01T00:01:00|Unknown|2026-01-01T00:30:00|0|60|0|8|1|1|CANCELLED by 7|a|\n\
        3|ann|2026-01-01T00:02:00|Unknown|Unknown|2026-01-01T00:30:00|0|60|0|8|1|1|CANCELLED by 7|a|\n\
        4|ann|2026-01-01T00:03:00|2026-01-01T00:03:00|Unknown|Unknown|0|60|0|16|1|1|PENDING|a|\n\
        6|ann|2026-01-01T00:03:30|Unknown|Unknown|Unknown|0|60|0|16|1|1|PENDING|a|\n\
        5|ann|2026-01-01T00:04:00|2026-01-01T00:04:00|2026-01-01T00:40:00|2026-01-01T00:50:00|600|60|4|4|1|1|COMPLETED|a|\n";

    #[test]
    fn jobs_of_sacct_ask_for_what_they_asked_for_and_the_cancelled_wait() {
        let expected = [
            (1, 4, 1, "a,b".to_owned(), None),
            (2, 8, 1, "a".to_owned(), Some(1_800)),
            // never eligible: it stood in no queue, and is dropped as everywhere
            (3, 8, 1, "a".to_owned(), None),
            (5, 4, 1, "a".to_owned(), None),
            // waits until the log ends
            (4, 16, 1, "a".to_owned(), Some(3_001)),
        ];
        assert_eq!(queued("sacct", SACCT), expected);
        let log = read("sacct", SACCT.as_bytes()).unwrap();
        assert_eq!(log.records[0].requested, 48, "what is simulated stays what it was given");
        let queued = log.as_queued(Cleaning::Metrics);
        let workload = clean(&queued, &Filter::default(), Cleaning::Metrics, None).unwrap();
        let jobs: Vec<_> = workload.jobs().map(|job| (workload.request(job).number, workload.left(job))).collect();
        assert_eq!(jobs, [(1, None), (2, Some(1_800)), (4, Some(3_001)), (5, None)]);
        assert_eq!(workload.machine.processors, 48, "the machine is as large as what jobs were given");
        let first = crate::JobId(0);
        assert_eq!(
            (workload.request(first).processors, workload.request(first).limit, workload.run(first)),
            (4, 7_200, 600)
        );
        let given = workload.as_given().unwrap();
        assert_eq!((given.request(first).processors, given.request(first).limit), (48, 14_400));
        assert!(
            log.as_queued(Cleaning::Raw).beyond.given.len() == 1
                && log.as_queued(Cleaning::Raw).beyond.asked.is_empty()
        );
    }

    #[test]
    fn who_is_cancelled_before_a_start_makes_no_machine_larger() {
        let text = SACCT.replace("0|8|1|1|CANCELLED", "0|96|1|1|CANCELLED");
        let log = read("sacct", text.as_bytes()).unwrap();
        let processors =
            |log: &Log, cleaning| clean(log, &Filter::default(), cleaning, None).unwrap().machine.processors;
        assert_eq!(processors(&log.as_queued(Cleaning::Metrics), Cleaning::Metrics), 48);
        assert_eq!(processors(&log, Cleaning::Metrics), 48);
        assert_eq!(processors(&log, Cleaning::Raw), 96, "there it is a job as all others");
    }

    #[test]
    fn counted_in_nodes_a_job_asks_for_those_that_its_processors_fill() {
        let row = |job: u32, cpus: u32, nodes: u32, asked: u32| {
            format!("{job}|2026-01-01T00:00:0{job}|2026-01-01T00:10:00|600|60|{cpus}|{asked}|{nodes}|1|COMPLETED\n")
        };
        let head = "JobIDRaw|Submit|Start|ElapsedRaw|TimelimitRaw|AllocCPUS|ReqCPUS|NNodes|ReqNodes|State\n".to_owned();
        let rows = [row(1, 8, 1, 8), row(2, 8, 1, 2), row(3, 24, 3, 17), row(4, 8, 1, 8)].concat();
        let log = read("sacct", (head + rows.as_str()).as_bytes()).unwrap();
        let queued = log.as_queued(Cleaning::Metrics);
        let counted = queued.counted(Unit::Nodes, Since::Submit);
        assert_eq!(counted.records.iter().map(|record| record.requested).collect::<Vec<_>>(), [1, 1, 3, 1]);
        let queued = log.as_queued(Cleaning::Metrics);
        assert_eq!(queued.records.iter().map(|record| record.requested).collect::<Vec<_>>(), [8, 2, 17, 8]);
    }

    #[test]
    fn jobs_of_every_format_ask_for_what_they_asked_for() {
        let json = |id: u32, state: &str, end: u32, start: u32, elapsed: u32, cpus: u32| {
            format!(
                r#"{{"job_id": {id}, "time": {{"submission": 1700000000, "eligible": 1700000000, "start": {start}, "end": {end},
                "elapsed": {elapsed}, "limit": 60}}, "state": {{"current": ["{state}"]}}, "partition": "a", "tres": {{
                "allocated": [{{"type": "cpu", "name": "", "count": {cpus}}}, {{"type": "node", "name": "", "count": 1}}],
                "requested": [{{"type": "cpu", "name": "", "count": 2}}, {{"type": "node", "name": "", "count": 1}}]}}}}"#
            )
        };
        let jobs = [
            json(1, "COMPLETED", 1_700_000_700, 1_700_000_100, 600, 8),
            json(2, "CANCELLED", 1_700_000_300, 0, 0, 0),
            json(3, "PENDING", 0, 0, 0, 0),
        ];
        let a = || "a".to_owned();
        let expected = [(1, 2, 1, a(), None), (2, 2, 1, a(), Some(300)), (3, 2, 1, a(), Some(701))];
        assert_eq!(queued("sacct.json", &format!("{{\"jobs\": [{}]}}", jobs.join(","))), expected);

        let pbs = |minute: u32, kind: char, id: u32, more: &str| {
            format!(
                "01/05/2026 12:{minute:02}:00;{kind};{id}.host;user=ann queue=q ctime=1767610800 \
                 Resource_List.select=2:ncpus=2 Resource_List.walltime=01:00:00 {more}\n"
            )
        };
        let places = "start=1767610860 end=1767611460 exec_vnode=(n1:ncpus=8)+(n2:ncpus=8)";
        let lines = [
            pbs(0, 'Q', 1, ""),
            pbs(11, 'E', 1, places),
            pbs(0, 'Q', 2, ""),
            pbs(5, 'D', 2, "requestor=ann@host"),
            pbs(0, 'Q', 3, ""),
            "01/05/2026 12:01:00;Q;4.host;queue=q\n".to_owned(),
        ];
        let no = String::new;
        let expected = [(1, 4, -1, no(), None), (2, 4, -1, no(), Some(300)), (3, 4, -1, no(), Some(661))];
        assert_eq!(queued("20260105", &lines.concat()), expected, "of the last nothing is told");

        let lsf = "\"JOB_NEW\" \"10.1\" 1700000000 1 1000 33554434 4 1700000000 0 0 -65535 0 0 \"ann\" \"x\"\n\
            \"JOB_NEW\" \"10.1\" 1700000000 2 1000 33554434 4 1700000000 0 0 -65535 0 0 \"ann\" \"x\"\n\
            \"JOB_NEW\" \"10.1\" 1700000000 3 1000 33554434 4 1700000000 0 0 -65535 0 0 \"ann\" \"x\"\n\
            \"JOB_START\" \"10.1\" 1700000060 1 4 9 9 60.0 2 \"n1\" \"n2\" \"\" \"\" 0 \"\" 0 \"\"\n\
            \"JOB_STATUS\" \"10.1\" 1700000999 2 32 0 0 1.5 0 0 0 256 0 0\n";
        let expected = [(1, 4, 2, no(), None), (2, 4, -1, no(), Some(999)), (3, 4, -1, no(), Some(61))];
        assert_eq!(queued("lsb.events", lsf), expected);

        let table = "id,submit,start,end,cpus,req_cpus,state\n1,1700000000,1700000100,1700000700,16,4,COMPLETED\n\
            2,1700000000,,1700000300,4,4,CANCELLED\n3,1700000000,,,8,8,PENDING\n";
        let expected = [(1, 4, -1, no(), None), (2, 4, -1, no(), Some(300)), (3, 8, -1, no(), Some(701))];
        assert_eq!(queued("table.csv", table), expected);
    }

    #[test]
    fn jobs_of_swf_wait_with_what_they_requested() {
        let text = "; Version: 2.2\n1 0 10 100 8 -1 -1 4 200 -1 1\n2 0 50 0 -1 -1 -1 4 200 -1 5\n3 0 50 0 8 -1 -1 4 200 -1 0\n\
            4 0 -1 0 8 -1 -1 4 200 -1 5\n";
        let log = read("log.swf", text.as_bytes()).unwrap();
        let of = |cleaning: Cleaning| {
            let queued = log.as_queued(cleaning);
            let workload = clean(&queued, &Filter::default(), cleaning, None).unwrap();
            let given = |job| workload.given(job).map(|given| given.processors);
            let job =
                |job| (workload.request(job).number, workload.request(job).processors, given(job), workload.left(job));
            workload.jobs().map(job).collect::<Vec<_>>()
        };
        assert_eq!(of(Cleaning::Metrics), [(1, 4, None, None), (2, 4, None, Some(50)), (3, 4, None, Some(50))]);
        assert_eq!(of(Cleaning::FairnessUsed)[0], (1, 4, Some(8), None));
    }

    #[test]
    fn months_that_are_merged_keep_what_jobs_asked_for() {
        let month = |rows: &str, name: &str| {
            let head = SACCT.lines().next().unwrap().to_owned() + "\n";
            let mut log = read(name, (head + rows).as_bytes()).unwrap();
            log.site = Some(site());
            log
        };
        let row = |id: u32, day: u32, [end, state, asked, partition]: [&str; 4]| {
            let (start, run) =
                if matches!(state, "PENDING" | "CANCELLED") { ("Unknown", 0) } else { ("2026-01-09T00:10:00", 600) };
            let given = if run > 0 { "8" } else { "0" };
            format!(
                "{id}|ann|2026-01-{day:02}T00:00:00|2026-01-{day:02}T00:00:00|{start}|{end}|{run}|60|{given}|{asked}|1|1|{state}|\
                 {partition}|sbatch -p {partition},z\n"
            )
        };
        let first = [
            row(1, 1, ["2026-01-09T00:20:00", "COMPLETED", "8", "x"]),
            row(2, 2, ["Unknown", "RUNNING", "4", "x"]),
            row(3, 3, ["Unknown", "PENDING", "4", "x"]),
            row(4, 3, ["Unknown", "PENDING", "4", "x"]),
        ];
        let second = [
            row(2, 2, ["2026-01-09T00:20:00", "COMPLETED", "4", "x"]),
            row(3, 3, ["2026-01-04T00:00:00", "CANCELLED", "4", "x"]),
            row(5, 5, ["2026-01-06T00:00:00", "CANCELLED", "2", "y"]),
        ];
        let mut merged = merge(vec![month(&first.concat(), "a"), month(&second.concat(), "b")]).unwrap();
        merged.site = Some(site());
        let told: Vec<_> =
            seen(&merged).into_iter().map(|(id, width, _, partition, left)| (id, width, partition, left)).collect();
        let (day, end) = (86_400, 8 * 86_400 + 1_200);
        let expected = [
            (1, 8, "x,z".to_owned(), None),
            (2, 4, "x,z".to_owned(), None),
            (3, 4, "x,z".to_owned(), Some(3 * day)),
            (5, 2, "y,z".to_owned(), Some(5 * day)),
            (4, 4, "x".to_owned(), Some(end + 1)),
        ];
        assert_eq!(told, expected);
    }
}
