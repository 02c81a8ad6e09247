//! The jobs of an accounting log of any format. Names become numbers, dates become seconds since the first submission,
//! and lines that belong together become one job.

use super::numbers::name;
use crate::interned::Interned;
use crate::log::CALLED;
use crate::reading::{Limits, LogContent, ReadError, room_for_one};
use crate::summary::works;
use crate::unit::COUNTED_IN;
use crate::{
    Account, Beyond, ComesAfter, DataSet, Header, JobOptions, JobPart, LATEST, Names, NeverStarted, Portion, Reason,
    Record, Seconds, StillRunning, Unit, Unstarted, UnstartedJob, data_sets,
};
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

/// A job as an accounting log has it. Times are Unix seconds; what is not known is `None` or empty.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AccountedJob<'a> {
    /// The id that tells the job from all others; empty where it has none.
    pub id: &'a [u8],
    /// Its number, -1 where it has none.
    pub number: i64,
    /// The heterogeneous job that it is a part of, and which part.
    pub part_of: Option<(i64, i64)>,
    pub submit: Seconds,
    pub eligible: Option<Seconds>,
    pub start: Option<Seconds>,
    pub run: Option<Seconds>,
    /// When it ended, where the log says so beside the run time.
    pub end: Option<Seconds>,
    /// For how long it was suspended between its start and its end, which its run time does not count.
    pub suspended: Seconds,
    pub limit: Option<Seconds>,
    /// Processors that it was given, and those that it is simulated with.
    pub allocated: Option<u32>,
    pub requested: Option<u32>,
    /// Processors that it asked for, where the log tells them beside those that it was given.
    pub asked: Option<u32>,
    pub nodes: Option<u32>,
    pub gpus: Option<u32>,
    /// Memory on all its nodes together, MiB.
    pub memory: Option<u32>,
    /// The fewest nodes that it asked for, and the most; 0: any number.
    pub node_range: Option<(u32, u32)>,
    /// What else it asked for that it was given otherwise.
    pub waited: Waited<'a>,
    /// When it left the queue, where it never started.
    pub left: Option<Seconds>,
    /// What it asked for beyond these.
    pub options: Option<&'a JobOptions>,
    pub priority: Option<u32>,
    /// What it drew on the average of its run, milliwatts.
    pub milliwatts: Option<i64>,
    /// The status as SWF numbers it: 0 failed, 1 completed, 5 cancelled, -1 unknown.
    pub status: i32,
    pub user: &'a [u8],
    pub group: &'a [u8],
    pub executable: &'a [u8],
    pub queue: &'a [u8],
    pub partition: &'a [u8],
    pub task: Option<(i64, i64)>,
    /// How many times it had been put back into the queue before.
    pub restarts: Option<u32>,
    /// What it was told to come after.
    pub after: &'a [ComesAfter],
    /// Whether one of the jobs in `after` is enough.
    pub is_after_any: bool,
    /// Whether it still ran when the log was made: `run` is then how long it had run by then.
    pub still_runs: bool,
    /// The record as it stands in the log, to be shown where it is not understood.
    pub text: &'a [u8],
    /// Whether a value of it that counts is there and was not understood.
    pub is_odd: bool,
}

/// What a job asked for, where a log tells it beside what it was given; `None` or empty where it does not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waited<'a> {
    pub nodes: Option<u32>,
    pub gpus: Option<u32>,
    /// Memory on all its nodes together, MiB.
    pub memory: Option<u32>,
    /// The fewest nodes, and the most; 0: any number.
    pub node_range: Option<(u32, u32)>,
    pub partition: &'a [u8],
    pub limit: Option<Seconds>,
}

impl AccountedJob<'_> {
    /// Its work, processor-seconds; 0 where it is not known.
    fn work(&self) -> u64 {
        let width = self.allocated.or(self.requested).unwrap_or(0);
        u64::from(width).saturating_mul(self.run.unwrap_or(0).max(0).unsigned_abs())
    }
}

/// How the processors that jobs were given differ from those that they asked for.
#[derive(Default)]
struct Widths {
    known: usize,
    different: Vec<u32>,
    works: (u64, u64),
}

/// A heterogeneous job whose parts have records of their own in the log.
struct PartsOfJob {
    /// The place of its only record here.
    place: usize,
    /// Each part's number, and what it asks for.
    parts: Vec<(i64, JobPart)>,
}

pub(super) struct JobCollector {
    most: usize,
    /// Whether ids are only what a column says, so that jobs may share them, rather than the batch system's own.
    pub ids_may_be_shared: bool,
    records: Vec<Record>,
    beyond: Beyond,
    /// Heterogeneous jobs, by the whole's number and submit time.
    parts: FxHashMap<(i64, Seconds), PartsOfJob>,
    widths: Widths,
    /// The places of records that may be steps, and the digests of the ids of their jobs.
    perhaps_steps: Vec<(u32, u64)>,
    /// The places of records of jobs that had been put back into the queue, and how many times.
    restarts: Vec<(u32, u32)>,
    /// The places of options among [`Beyond::option_kinds`].
    options: FxHashMap<JobOptions, u32>,
    users: Interned,
    groups: Interned,
    executables: Interned,
    queues: Interned,
    partitions: Interned,
    pub account: Account,
    /// Labels and values, as an SWF file has them in its header comments.
    pub labels: Vec<(String, String)>,
}

/// What a format calls SWF's group, executable and queue.
pub(super) type FieldWords = [&'static str; 3];

pub(super) const OF_SLURM: FieldWords = ["Account", "Job name", "QOS"];

impl JobCollector {
    /// An empty collection that takes at most as many jobs as the limits say.
    pub(super) fn within(limits: Limits) -> Self {
        JobCollector {
            most: limits.jobs,
            ids_may_be_shared: false,
            records: Vec::new(),
            beyond: Beyond::default(),
            parts: FxHashMap::default(),
            widths: Widths::default(),
            perhaps_steps: Vec::new(),
            restarts: Vec::new(),
            options: FxHashMap::default(),
            users: Interned::default(),
            groups: Interned::default(),
            executables: Interned::default(),
            queues: Interned::default(),
            partitions: Interned::default(),
            account: Account::default(),
            labels: Vec::new(),
        }
    }

    /// Says what the format calls SWF's group, executable and queue.
    pub(super) fn call(&mut self, words: FieldWords) {
        let fields = ["Group", "Executable", "Queue"];
        let called = fields.into_iter().zip(words).filter(|(field, word)| field != word);
        self.labels.extend(called.map(|(field, word)| (CALLED.to_owned(), format!("{field} {word}"))));
    }

    /// Says that the jobs are of a public data set.
    pub(super) fn label_data_set(&mut self, set: &DataSet) {
        self.labels.push((data_sets::LABEL.to_owned(), set.id.to_owned()));
        self.labels.push(("Computer".to_owned(), set.name.to_owned()));
        self.labels.push(("Information".to_owned(), set.from.to_owned()));
        self.labels.push(("Acknowledge".to_owned(), set.cite.to_owned()));
        self.labels.extend(set.unit.map(|unit| (COUNTED_IN.to_owned(), unit.id().to_owned())));
        for unit in Unit::ALL {
            let label = unit.size_label().unwrap_or("MaxProcs").to_owned();
            self.labels.extend(set.size(unit).map(|size| (label, size.to_string())));
        }
    }

    /// An empty collection of jobs of a format with words of its own ([`Jobs::call`]).
    pub(super) fn calling(words: FieldWords, limits: Limits) -> Self {
        let mut jobs = JobCollector::within(limits);
        jobs.call(words);
        jobs
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// The ids among these that no job has.
    pub(super) fn without<'a>(&self, ids: impl Iterator<Item = &'a [u8]>) -> Vec<&'a [u8]> {
        let known: FxHashSet<u64> = self.beyond.ids.iter().copied().collect();
        ids.filter(|id| !known.contains(&xxh3_64(id))).collect()
    }

    /// Takes the processors that the job of this line was given and those that it asked for, and how long it ran.
    fn compare_widths(&mut self, line: u32, job: &AccountedJob<'_>) {
        // what a task asks for says nothing of a part of a job
        let (Some(given), Some(asked), None) = (job.allocated, job.asked, job.part_of) else { return };
        self.widths.known += 1;
        let (used, wanted) = works(std::iter::once((given, asked, job.run.unwrap_or(0))));
        let (all_used, all_wanted) = self.widths.works;
        self.widths.works = (all_used.saturating_add(used), all_wanted.saturating_add(wanted));
        if given != asked {
            self.widths.different.push(line);
        }
    }

    /// Says that the last record may be a step of the job `whole`: it is one if that has a record of its own.
    pub(super) fn may_be_step(&mut self, whole: &[u8]) {
        // the limit of jobs is far below 2^32
        self.perhaps_steps.push((self.records.len().saturating_sub(1) as u32, digest(whole)));
    }

    /// Leaves out the records that are steps of jobs that have records of their own.
    fn drop_steps(&mut self) {
        if self.perhaps_steps.is_empty() {
            return;
        }
        let known: FxHashSet<u64> = self.beyond.ids.iter().copied().collect();
        let told = std::mem::take(&mut self.perhaps_steps);
        let steps = told.into_iter().filter(|(_, whole)| known.contains(whole));
        let steps: Vec<(u32, u32)> = steps.map(|(place, _)| (place, self.records[place as usize].line)).collect();
        steps.iter().for_each(|&(_, line)| self.account.note(Reason::JobStep, line));
        self.remove(&steps);
    }

    /// Notes that at most `most` tasks of an array may run at once.
    pub(super) fn limit_tasks(&mut self, array: i64, most: u32) {
        let limits = &mut self.beyond.task_limits;
        // the lines of an array follow each other
        if limits.last() != Some(&(array, most)) {
            limits.push((array, most));
        }
    }

    /// Adds the job of this line.
    ///
    /// # Errors
    /// If there are more jobs than the limit, or no memory for another.
    pub(super) fn push(&mut self, line: u32, job: &AccountedJob<'_>) -> Result<(), ReadError> {
        if !is_meant(job.submit) {
            self.lose(Reason::NoSubmitTime, line, job);
            return Ok(());
        }
        if job.still_runs && job.start.is_none() {
            self.never_started(Reason::NotStarted, line, job);
            return Ok(());
        }
        if job.is_odd {
            self.lose(Reason::ValueNotUnderstood, line, job);
        }
        let job = &self.meant(line, job);
        self.doubt(line, job);
        self.compare_widths(line, job);
        if let Some(part) = job.part_of
            && self.join(part, line, job)
        {
            return Ok(());
        }
        if self.records.len() >= self.most {
            return Err(ReadError::TooManyJobs { most: self.most });
        }
        self.make_room()?;
        // the limit of jobs is far below 2^32
        let place = self.records.len() as u32;
        if job.still_runs {
            self.beyond.still_running.push(StillRunning { record: place, ran: job.run.unwrap_or(-1) });
        }
        self.restarts.extend(job.restarts.filter(|&restarts| restarts > 0).map(|restarts| (place, restarts)));
        self.beyond.tasks.extend(job.task.map(|(array, task)| (place, array, task)));
        self.beyond.dependencies.extend(job.after.iter().map(|&after| (place, after)));
        self.beyond.alternatives.extend(Some(place).filter(|_| job.is_after_any));
        self.beyond.ids.push(digest(job.id));
        let (record, counts, numbers) = self.record(line, job);
        let asked = self.asked(place, job, &record, &counts);
        self.beyond.asked.extend(asked);
        self.beyond.never_started.extend(job.left.map(|left| NeverStarted { record: place, left }));
        self.beyond.counts().into_iter().zip(counts).for_each(|(column, count)| column.push(count));
        self.beyond.numbers().into_iter().zip(numbers).for_each(|(column, number)| column.push(number));
        self.records.push(record);
        Ok(())
    }

    /// The record of a job, and its values in the columns beyond it.
    fn record(&mut self, line: u32, job: &AccountedJob<'_>) -> (Record, [i32; 6], [i64; 3]) {
        let (least, most) = (job.node_range.map(|range| range.0), job.node_range.map(|range| range.1));
        let options = job.options.map(|options| self.option_kind(options));
        let counts = [job.nodes, job.gpus, job.memory, least, most, options].map(known);
        let numbers = [job.eligible, job.priority.map(i64::from), job.milliwatts].map(|number| number.unwrap_or(-1));
        let record = Record {
            line,
            number: job.part_of.map_or(job.number, |(whole, _)| whole),
            submit: job.submit,
            wait: job.start.map_or(-1, |start| (start - job.submit).max(0)),
            run: job.run.filter(|_| !job.still_runs).unwrap_or(-1),
            allocated: known(job.allocated),
            cpu_time: -1.0,
            memory: -1.0,
            requested: known(job.requested),
            requested_time: job.limit.unwrap_or(-1),
            requested_memory: -1.0,
            status: job.status,
            user: self.users.number(name(job.user)),
            group: self.groups.number(name(job.group)),
            executable: self.executables.number(name(job.executable)),
            queue: self.queues.number(name(job.queue)),
            partition: self.partitions.number(name(job.partition)),
            preceding: -1,
            think: -1,
        };
        (record, counts, numbers)
    }

    /// What a job asked for, where it was given something else.
    fn asked(&mut self, place: u32, job: &AccountedJob<'_>, record: &Record, counts: &[i32; 6]) -> Option<Portion> {
        // what a task asks for says nothing of a part of a job
        if job.part_of.is_some() {
            return None;
        }
        let Waited { nodes, gpus, memory, node_range, partition, limit } = job.waited;
        let or = |asked: Option<u32>, given: i32| asked.map_or(given, |asked| known(Some(asked)));
        let [own_nodes, own_gpus, own_memory, least, most, _] = *counts;
        let given = Portion {
            record: place,
            processors: record.requested,
            nodes: own_nodes,
            gpus: own_gpus,
            memory: own_memory,
            least_nodes: least,
            most_nodes: most,
            partition: record.partition,
            limit: -1,
        };
        let asked = Portion {
            processors: or(job.asked, given.processors),
            nodes: or(nodes, own_nodes),
            gpus: or(gpus, own_gpus),
            memory: or(memory, own_memory),
            least_nodes: or(node_range.map(|range| range.0), least),
            most_nodes: or(node_range.map(|range| range.1), most),
            partition: if partition.is_empty() { given.partition } else { self.partitions.number(name(partition)) },
            limit: limit.filter(|&limit| limit > 0 && limit != record.requested_time).unwrap_or(-1),
            ..given.clone()
        };
        (asked != given).then_some(asked)
    }

    /// The place of options among those that jobs have.
    fn option_kind(&mut self, options: &JobOptions) -> u32 {
        if let Some(&place) = self.options.get(options) {
            return place;
        }
        let place = self.options.len() as u32;
        self.options.insert(options.clone(), place);
        self.beyond.option_kinds.push(options.clone());
        place
    }

    /// Notes a record of which all or a value was not understood.
    pub(super) fn lose(&mut self, reason: Reason, line: u32, job: &AccountedJob<'_>) {
        self.account.note_text(reason, line, job.text);
        self.account.add_work(reason, job.work());
    }

    /// Notes a job that has not started, as far as this file tells: another may know better.
    pub(super) fn is_unstarted(&mut self, reason: Reason, line: u32, id: &[u8]) {
        self.account.note(reason, line);
        self.beyond.unstarted.push(Unstarted { id: digest(id), line, reason, job: None });
    }

    /// Notes a job that has not started and of which the file tells what it asks for.
    pub(super) fn never_started(&mut self, reason: Reason, line: u32, job: &AccountedJob<'_>) {
        self.is_unstarted(reason, line, job.id);
        let is_known = job.requested.is_some_and(|width| width > 0) && is_meant(job.submit) && job.part_of.is_none();
        if !is_known || job.left.is_some_and(|left| left <= job.submit) {
            return;
        }
        let (mut record, counts, numbers) = self.record(line, job);
        record.requested_time = job.waited.limit.unwrap_or(record.requested_time);
        let job = UnstartedJob { record, counts, numbers, left: job.left };
        if let Some(last) = self.beyond.unstarted.last_mut() {
            last.job = Some(Box::new(job));
        }
    }

    fn make_room(&mut self) -> Result<(), ReadError> {
        let (beyond, jobs) = (&mut self.beyond, self.records.len());
        room_for_one(&mut self.records, jobs)?;
        room_for_one(&mut beyond.ids, jobs)?;
        beyond.counts().into_iter().try_for_each(|column| room_for_one(column, jobs))?;
        beyond.numbers().into_iter().try_for_each(|column| room_for_one(column, jobs))
    }

    /// The job without times beyond [`LATEST`], which become unknown.
    fn meant<'a>(&mut self, line: u32, job: &AccountedJob<'a>) -> AccountedJob<'a> {
        let mut meant = *job;
        if meant.suspended > LATEST {
            meant.suspended = 0;
            self.account.note(Reason::OutOfRange, line);
        }
        for time in [&mut meant.start, &mut meant.eligible, &mut meant.run, &mut meant.limit] {
            if time.is_some_and(|time| time > LATEST) {
                *time = None;
                self.account.note(Reason::OutOfRange, line);
            }
        }
        meant
    }

    /// Notes times of a job that contradict each other.
    fn doubt(&mut self, line: u32, job: &AccountedJob<'_>) {
        let Some(start) = job.start else { return };
        if start < job.submit {
            self.account.note(Reason::StartsBeforeSubmit, line);
        }
        if job.suspended > 0 {
            self.account.note(Reason::Suspended, line);
        }
        let Some(lasted) = job.end.map(|end| end - start) else { return };
        if lasted < 0 {
            self.account.note(Reason::EndsBeforeStart, line);
        } else if job.run.is_some_and(|run| (lasted - job.suspended - run).abs() > 1) {
            self.account.note(Reason::ElapsedDiffers, line);
        }
    }

    /// Adds a part of a heterogeneous job to the part that came first. Returns whether there was one.
    fn join(&mut self, (whole, part): (i64, i64), line: u32, job: &AccountedJob<'_>) -> bool {
        let place = self.records.len();
        let known = self.parts.entry((whole, job.submit)).or_insert_with(|| PartsOfJob { place, parts: Vec::new() });
        let place = known.place;
        let is_repeated = known.parts.iter().any(|(other, _)| *other == part);
        if !is_repeated {
            known.parts.push((part, part_of(job)));
        }
        if place == self.records.len() {
            return false;
        }
        let record = &mut self.records[place];
        record.run = record.run.max(job.run.filter(|_| !job.still_runs).unwrap_or(-1));
        if is_repeated {
            // the part ran across the border of two dumps
            if !job.still_runs {
                self.beyond.still_running.retain(|running| running.record as usize != place);
            }
            self.account.note(Reason::Repeated, line);
            return true;
        }
        record.allocated = sum(record.allocated, job.allocated);
        record.requested = sum(record.requested, job.requested);
        record.requested_time = record.requested_time.max(job.limit.unwrap_or(-1));
        let [nodes, gpus, memory, least, most, _] = self.beyond.counts().map(|column| &mut column[place]);
        (*nodes, *gpus) = (sum(*nodes, job.nodes), sum(*gpus, job.gpus));
        *memory = sum(*memory, job.memory);
        // each part has a range of its own, so the whole has none
        (*least, *most) = (-1, -1);
        if let Some(more) = job.milliwatts {
            let drawn = &mut self.beyond.milliwatts[place];
            *drawn = (*drawn).max(0).saturating_add(more);
        }
        self.account.note(Reason::PartOfJob, line);
        true
    }

    /// Gives heterogeneous jobs their parts as options.
    fn tell_parts(&mut self) {
        let mut told: Vec<PartsOfJob> = std::mem::take(&mut self.parts).into_values().collect();
        told.retain(|job| job.parts.len() > 1);
        told.sort_unstable_by_key(|job| job.place);
        for PartsOfJob { place, parts } in told {
            let parts = parts.into_iter().map(|(_, part)| part).collect();
            let kind = self.option_kind(&JobOptions { parts, ..JobOptions::default() });
            self.beyond.options[place] = known(Some(kind));
        }
    }

    /// Makes the log of these jobs.
    ///
    /// # Errors
    /// If there is no job.
    pub(super) fn finish(mut self, sample: Option<(u32, String)>) -> Result<LogContent, ReadError> {
        if 100 * self.widths.different.len() > self.widths.known {
            self.widths.different.iter().for_each(|&line| self.account.note(Reason::HeldOtherWidth, line));
            let (used, asked) = self.widths.works;
            self.account.set_works(used, asked);
        }
        self.tell_parts();
        self.drop_steps();
        self.drop_repeated();
        for running in &self.beyond.still_running {
            let record = &self.records[running.record as usize];
            self.account.note_work(Reason::StillRunning, record.line, record.work_of(running.ran));
        }
        let Some(first) = self.records.iter().map(|record| record.submit).min() else {
            return Err(ReadError::NoJob { account: Box::new(self.account), sample });
        };
        if self.records.iter().all(|record| record.number < 0) {
            // jobs without numbers get some, so that results can name them
            (1..).zip(&mut self.records).for_each(|(number, record)| record.number = number);
        }
        for (record, eligible) in self.records.iter_mut().zip(&mut self.beyond.eligible) {
            record.submit -= first;
            if *eligible >= 0 {
                // a job is not eligible before it is submitted
                *eligible = (*eligible - first).max(record.submit);
            }
        }
        let mut beyond = self.beyond;
        beyond.never_started.iter_mut().for_each(|never| never.left -= first);
        for job in beyond.unstarted.iter_mut().filter_map(|unstarted| unstarted.job.as_deref_mut()) {
            // who has waited since before the log's first job waits from the beginning
            job.record.submit = (job.record.submit - first).max(0);
            job.left = job.left.map(|left| left - first);
            let eligible = &mut job.numbers[0];
            *eligible = if *eligible < 0 { -1 } else { (*eligible - first).max(job.record.submit) };
        }
        beyond.clear_unknown();
        let mut labels = vec![("UnixStartTime".to_owned(), first.to_string())];
        labels.extend(self.labels);
        let names = Names {
            users: self.users.names,
            groups: self.groups.names,
            queues: self.queues.names,
            partitions: self.partitions.names,
            executables: self.executables.names,
        };
        Ok(LogContent {
            header: Header { labels },
            records: self.records,
            account: self.account,
            names,
            beyond,
            own_zero: first,
            is_table: false,
            knows_limits: false,
        })
    }

    /// Leaves out jobs that come again, such as those that ran across the border of two dumps: of the lines with one id and
    /// submit time those that are equal in all that was read, and those of a job that still ran where a later line tells more of
    /// it. Of equal lines the last stays.
    fn drop_repeated(&mut self) {
        let key = |i: u32| (self.beyond.ids[i as usize], self.records[i as usize].submit);
        let mut order = perhaps_repeated(&self.beyond.ids);
        order.sort_by_key(|&i| key(i));
        let groups = || order.chunk_by(|&a, &b| key(a) == key(b)).filter(|group| group.len() > 1);
        let has_run = |i: u32| self.records[i as usize].run >= 0;
        let is_told_by = |one: u32, other: u32| {
            self.are_equal(one, other) || self.records[one as usize].is_outdated_by(&self.records[other as usize])
        };
        let mut shared: Vec<u32> = Vec::new();
        let mut gone: Vec<(u32, u32)> = Vec::new();
        // executions that differ are not the same job
        let differ = |group: &[u32]| {
            let differs = |one: u32, other: u32| !is_told_by(one, other) && !is_told_by(other, one);
            group.windows(2).any(|pair| differs(pair[0], pair[1]))
        };
        let are_shared = self.ids_may_be_shared && groups().any(differ);
        for group in groups() {
            if are_shared {
                shared.extend(&group[1..]);
                continue;
            }
            let mut kept: Vec<u32> = Vec::new();
            // ended ones first, then the last lines first
            for &i in group.iter().rev().filter(|&&i| has_run(i)).chain(group.iter().rev().filter(|&&i| !has_run(i))) {
                if !kept.iter().any(|&other| is_told_by(i, other)) {
                    kept.push(i);
                }
            }
            kept.sort_unstable();
            shared.extend(&kept[1..]);
            gone.extend(group.iter().filter(|i| !kept.contains(i)).map(|&i| (i, self.records[i as usize].line)));
        }
        shared.sort_unstable();
        gone.sort_unstable();
        shared.iter().for_each(|&i| self.account.note(Reason::SharedId, self.records[i as usize].line));
        gone.iter().for_each(|&(_, line)| self.account.note(Reason::Repeated, line));
        self.remove(&gone);
    }

    /// Whether two records are equal in all that was read.
    fn are_equal(&self, one: u32, other: u32) -> bool {
        let (a, b) = (one as usize, other as usize);
        let Beyond {
            eligible,
            nodes,
            gpus,
            memory,
            least_nodes,
            most_nodes,
            options,
            priorities,
            milliwatts,
            dependencies,
            alternatives,
            tasks,
            ..
        } = &self.beyond;
        let after = |place: u32| {
            let begin = dependencies.partition_point(|(of, _)| *of < place);
            dependencies[begin..].iter().take_while(move |(of, _)| *of == place).map(|(_, after)| after)
        };
        let task =
            |place: u32| tasks.binary_search_by_key(&place, |&(of, ..)| of).ok().map(|at| (tasks[at].1, tasks[at].2));
        let restarts =
            |place: u32| self.restarts.binary_search_by_key(&place, |&(of, _)| of).ok().map(|at| self.restarts[at].1);
        let is_any = |place: u32| alternatives.binary_search(&place).is_ok();
        self.records[a].says_as(&self.records[b])
            && [nodes, gpus, memory, least_nodes, most_nodes, options].into_iter().all(|column| column[a] == column[b])
            && [eligible, priorities, milliwatts].into_iter().all(|column| column[a] == column[b])
            && task(one) == task(other)
            && restarts(one) == restarts(other)
            && is_any(one) == is_any(other)
            && after(one).eq(after(other))
    }

    fn remove(&mut self, gone: &[(u32, u32)]) {
        if gone.is_empty() {
            return;
        }
        let is_gone = |at: usize| gone.binary_search_by_key(&(at as u32), |&(i, _)| i).is_ok();
        retain(&mut self.records, is_gone);
        retain(&mut self.beyond.ids, is_gone);
        self.beyond.counts().into_iter().for_each(|column| retain(column, is_gone));
        self.beyond.numbers().into_iter().for_each(|column| retain(column, is_gone));
        let gone_before = |place: u32| gone.partition_point(|&(i, _)| i < place) as u32;
        self.beyond.still_running.retain(|running| !is_gone(running.record as usize));
        self.beyond.still_running.iter_mut().for_each(|running| running.record -= gone_before(running.record));
        self.beyond.tasks.retain(|&(place, ..)| !is_gone(place as usize));
        self.beyond.tasks.iter_mut().for_each(|(place, ..)| *place -= gone_before(*place));
        self.beyond.dependencies.retain(|&(place, _)| !is_gone(place as usize));
        self.beyond.dependencies.iter_mut().for_each(|(place, _)| *place -= gone_before(*place));
        self.beyond.asked.retain(|asked| !is_gone(asked.record as usize));
        self.beyond.asked.iter_mut().for_each(|asked| asked.record -= gone_before(asked.record));
        self.beyond.never_started.retain(|never| !is_gone(never.record as usize));
        self.beyond.never_started.iter_mut().for_each(|never| never.record -= gone_before(never.record));
        self.restarts.retain(|&(place, _)| !is_gone(place as usize));
        self.restarts.iter_mut().for_each(|(place, _)| *place -= gone_before(*place));
        self.beyond.alternatives.retain(|&place| !is_gone(place as usize));
        self.beyond.alternatives.iter_mut().for_each(|place| *place -= gone_before(*place));
    }
}

/// What a part of a heterogeneous job asks for.
fn part_of(job: &AccountedJob<'_>) -> JobPart {
    JobPart {
        processors: job.requested.or(job.allocated).unwrap_or(0),
        partition: String::from_utf8_lossy(name(job.partition)).into_owned(),
        nodes: job.nodes.unwrap_or(0),
        gpus: job.gpus.unwrap_or(0),
        memory: job.memory.unwrap_or(0),
        node_range: job.node_range,
        options: job.options.cloned().unwrap_or_default(),
    }
}

/// The digest of an id; 0 where there is none.
fn digest(id: &[u8]) -> u64 {
    if id.is_empty() { 0 } else { xxh3_64(id) }
}

/// Whether a Unix time is one that a log can have: from 1970 to [`LATEST`].
fn is_meant(time: Seconds) -> bool {
    (0..=LATEST).contains(&time)
}

/// The places of these digests but 0 that may be there more than once: all that are, and few others.
fn perhaps_repeated(ids: &[u64]) -> Vec<u32> {
    let bits = (16 * ids.len()).next_power_of_two().max(64);
    let place = |id: u64| (id as usize % bits / 64, 1_u64 << (id % 64));
    let (mut seen, mut again) = (vec![0_u64; bits / 64], vec![0_u64; bits / 64]);
    for (word, bit) in ids.iter().map(|&id| place(id)) {
        again[word] |= seen[word] & bit;
        seen[word] |= bit;
    }
    let is_again = |id: u64| place(id).1 & again[place(id).0] != 0;
    (0..).zip(ids).filter(|&(_, &id)| id != 0 && is_again(id)).map(|(place, _)| place).collect()
}

fn retain<T>(column: &mut Vec<T>, is_gone: impl Fn(usize) -> bool) {
    let mut at = 0;
    column.retain(|_| {
        at += 1;
        !is_gone(at - 1)
    });
}

/// A count as SWF has it: -1 where it is unknown.
fn known(count: Option<u32>) -> i32 {
    count.map_or(-1, |count| i32::try_from(count).unwrap_or(i32::MAX))
}

/// The sum of two counts of which either may be unknown.
fn sum(count: i32, more: Option<u32>) -> i32 {
    let more = known(more);
    if count < 0 || more < 0 { count.max(more) } else { count.saturating_add(more) }
}
