//! A queue put beside the log of its cluster: its jobs become records that run and wait.

use super::{HeldNodes, Queue, QueuedJob};
use crate::{Log, Record, Seconds};
use packfair_slurm::Site;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// The most tasks of an array that are told apart.
const MOST_TASKS: u32 = 1_000;

/// By how much the clocks of a queue and of its log may differ, seconds.
const DIFFERENCE: Seconds = 600;

/// A log with the queue of a moment.
pub struct Joined {
    /// The log; its last records are those of the queue.
    pub log: Log,
    pub running: usize,
    pub waiting: usize,
    /// The nodes that running jobs hold, with the places of their records.
    pub on: Vec<(u32, Vec<HeldNodes>)>,
    /// What a person should know: sentences.
    pub notes: Vec<String>,
}

/// The names of a log, or of its site, sorted: for those that a column of the queue cuts.
struct WholeNames {
    users: Vec<String>,
    accounts: Vec<String>,
    jobs: Vec<String>,
    qos: Vec<String>,
    partitions: Vec<String>,
}

impl WholeNames {
    fn of(log: &Log) -> Self {
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort_unstable();
            names
        };
        let of_site = |site: &Site| site.partitions.iter().map(|partition| partition.name.clone()).collect::<Vec<_>>();
        let partitions = log.site.as_ref().map(|site| of_site(site));
        WholeNames {
            users: sorted(&log.names.users),
            accounts: sorted(&log.names.groups),
            jobs: sorted(&log.names.executables),
            qos: sorted(&log.names.queues),
            partitions: sorted(partitions.as_ref().unwrap_or(&log.names.partitions)),
        }
    }

    fn given_to(&self, job: &QueuedJob) -> QueuedJob {
        let listed = job.partition.split(',').filter(|name| !name.is_empty());
        let listed: Vec<&str> = listed.map(|name| whole_name(name, &self.partitions)).collect();
        QueuedJob {
            user: whole_name(&job.user, &self.users).to_owned(),
            account: whole_name(&job.account, &self.accounts).to_owned(),
            name: whole_name(&job.name, &self.jobs).to_owned(),
            qos: whole_name(&job.qos, &self.qos).to_owned(),
            partition: listed.join(","),
            ..job.clone()
        }
    }
}

/// The only one of these names that begins with `name`; `name` itself where it is one of them, or may be several.
fn whole_name<'a>(name: &'a str, sorted: &'a [String]) -> &'a str {
    let begin = sorted.partition_point(|other| other.as_str() < name);
    let mut like = sorted[begin..].iter().take_while(|other| !name.is_empty() && other.starts_with(name));
    match (like.next(), like.next()) {
        (Some(only), None) => only,
        _ => name,
    }
}

/// What the clock of the file shows at the log's zero, Unix seconds.
fn zero(log: &Log) -> Seconds {
    if log.own_zero > 0 { log.own_zero } else { log.header.unix_start().unwrap_or(0) }
}

impl Queue {
    /// The moment of the queue on the clock of a log; none where nothing tells it.
    pub fn moment(&self, log: &Log) -> Option<Seconds> {
        self.at.map(|at| at - zero(log))
    }

    /// Puts the queue beside a log as it was seen at `now`. `whole` is all of that log.
    pub fn beside(&self, mut log: Log, whole: &Log, now: Seconds) -> Joined {
        let zero = zero(whole);
        let mut notes = Vec::new();
        let last = whole.records.iter().map(|record| record.submit + record.wait.max(0) + record.run.max(0)).max();
        notes.extend(last.and_then(|last| clocks(now, last)));
        let tasks = tasks_of(whole, self);
        let is_there = |(_, record): &(usize, &Record)| record.submit <= now;
        let known: FxHashMap<(i64, Seconds), usize> = (whole.records.iter().enumerate().filter(is_there))
            .map(|(place, record)| ((record.number, record.submit), place))
            .collect();
        // a task that was put back into the queue has several records
        let is_now = |place: usize| whole.records[place].submit <= now;
        let mut on: Vec<(u32, Vec<HeldNodes>)> = Vec::new();
        let users = log.names.users.len();
        let numbered: FxHashSet<i32> = log.records.iter().map(|record| record.user).collect();
        let (mut running, mut waiting, mut held, mut twice, mut new) = (0, 0, 0, 0, 0);
        let whole_names = self.has_cut_names.then(|| WholeNames::of(&log));
        for job in &self.jobs {
            let named = whole_names.as_ref().map_or(Cow::Borrowed(job), |names| Cow::Owned(names.given_to(job)));
            let record = record(&mut log, &named, now, zero);
            let known = known.get(&(record.number, record.submit)).filter(|_| job.number > 0);
            let number = job.array.unwrap_or(job.number);
            let of_task = || job.task.and_then(|task| tasks.get(&(number, task))).filter(|&&place| is_now(place));
            if let Some(&place) = known.or_else(of_task) {
                twice += 1;
                if job.runs {
                    // the log may have been made before the queue, when it ran already
                    if whole.is_running(place) {
                        log.run_on(place, now - whole.records[place].submit - whole.records[place].wait.max(0));
                    }
                    on.push((place as u32, job.on.clone()));
                }
                continue;
            }
            if job.is_held() {
                held += 1;
                continue;
            }
            new += usize::from(
                record.user as usize > users && users > 0 || users == 0 && !numbered.contains(&record.user),
            );
            let tasks = job.tasks.clamp(1, MOST_TASKS) as usize;
            *(if job.runs { &mut running } else { &mut waiting }) += tasks;
            if job.runs && tasks == 1 {
                on.push((log.records.len() as u32, job.on.clone()));
            }
            for task in (0..).take(tasks) {
                if let Some(array) = job.array.filter(|_| log.site.is_some()) {
                    let place = log.records.len() as u32;
                    log.beyond.tasks.push((place, array, job.task.unwrap_or(task)));
                }
                push(&mut log, &record, job);
            }
            if let Some(limit) = job.array.zip(job.at_once) {
                log.beyond.task_limits.push(limit);
            }
        }
        let mut note = |count: usize, what: &str| {
            if count > 0 {
                notes.push(format!("{what}: {count}"));
            }
        };
        let of_no_width = self.jobs.iter().filter(|job| job.processors.or(job.nodes).is_none()).count();
        note(of_no_width, "jobs of the queue of which no number of processors or nodes is told and understood");
        note(
            held,
            "jobs of the queue that are held, wait for a time or for other jobs, or may not run as they are, and have no forecast",
        );
        let of_nodes_alone = self.jobs.iter().filter(|job| job.processors.is_none() && job.nodes.is_some()).count();
        if has_many_on_nodes(whole) {
            note(
                of_nodes_alone,
                "jobs of the queue of which nodes are told and no processors, so that each counts as a processor for each node \
                 (squeue -o '%all' and squeue --json tell them)",
            );
        }
        let is_known = |name: &str| {
            log.site.as_ref().is_some_and(|site| site.reservations.iter().any(|reservation| reservation.name == name))
        };
        let is_unknown = |job: &&QueuedJob| !job.runs && !job.reservation.split(',').any(is_known);
        let reserved = self.jobs.iter().filter(|job| !job.reservation.is_empty()).filter(is_unknown).count();
        note(
            reserved,
            "jobs of the queue that wait in a reservation, and are forecast as if they were in none, for scontrol show \
             reservations does not tell of it",
        );
        note(twice, "jobs of the queue that are in the log too, and count as the log tells them");
        note(
            new,
            "jobs of the queue of users of whom the log knows none, taken to run as those of others with the same requested time",
        );
        on.retain(|(_, nodes)| !nodes.is_empty());
        Joined { log, running, waiting, on, notes }
    }
}

/// The records of tasks of arrays, by the numbers of the array and the task, if the queue names any so.
fn tasks_of(log: &Log, queue: &Queue) -> FxHashMap<(i64, i64), usize> {
    let is_named = queue.jobs.iter().any(|job| job.task.is_some());
    let told = log.beyond.tasks.iter().take(if is_named { log.beyond.tasks.len() } else { 0 });
    told.map(|&(place, array, task)| ((array, task), place as usize)).collect()
}

/// A sentence where the clocks of queue and log do not seem to be the same.
fn clocks(now: Seconds, last: Seconds) -> Option<String> {
    let hours = |seconds: Seconds| format!("{:.1} h", seconds as f64 / 3_600.0);
    if last - now > DIFFERENCE {
        let by = hours(last - now);
        return Some(format!(
            "the log goes on for {by} after the moment of the queue: either it is newer, or the clocks of the two files \
             differ (is one of them in UTC?). What the log knows later is not used; --now says another moment"
        ));
    }
    (now - last > 14 * 86_400).then(|| {
        format!(
            "the log ends {} days before the queue: what has changed since is not known to the forecast",
            (now - last) / 86_400
        )
    })
}

/// Whether jobs of a log have more processors than nodes.
fn has_many_on_nodes(log: &Log) -> bool {
    log.records.iter().zip(&log.beyond.nodes).any(|(record, &nodes)| nodes > 0 && record.allocated > nodes)
}

/// The number that a name has in a list, to which it is added where it is new.
fn number(names: &mut Vec<String>, name: &str) -> i32 {
    if name.is_empty() {
        return -1;
    }
    if names.is_empty()
        && let Ok(number) = name.parse()
    {
        return number;
    }
    let place = names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    });
    place as i32 + 1
}

fn record(log: &mut Log, job: &QueuedJob, now: Seconds, zero: Seconds) -> Record {
    // only a site knows lists of partitions
    let first = job.partition.split(',').next().unwrap_or_default();
    let partition = if log.site.is_some() { job.partition.as_str() } else { first };
    let names = &mut log.names;
    let start = job.start.map(|start| start - zero).or(job.elapsed.map(|elapsed| now - elapsed)).filter(|_| job.runs);
    // one that runs since no time that can be true has just begun
    let start = start.or(job.runs.then_some(now)).map(|start| start.min(now));
    let submit = job.submit.map_or(start.unwrap_or(now), |submit| submit - zero).min(start.unwrap_or(now));
    let width = |count: Option<u32>| count.and_then(|count| i32::try_from(count).ok()).unwrap_or(-1);
    let processors = if job.processors.is_some() { width(job.processors) } else { width(job.nodes) };
    // what stands for the run time is longer than it has run, and nobody reads it
    let elapsed = start.map_or(0, |start| now - start);
    let limit = job.limit.map_or(-1, |limit| limit.max(elapsed + 1));
    Record {
        line: 0,
        number: job.number,
        submit,
        wait: start.map_or(-1, |start| start - submit),
        run: limit.max(elapsed + 1),
        allocated: processors,
        cpu_time: -1.0,
        memory: -1.0,
        requested: processors,
        requested_time: limit,
        requested_memory: -1.0,
        status: -1,
        user: number(&mut names.users, &job.user),
        group: number(&mut names.groups, &job.account),
        executable: number(&mut names.executables, &job.name),
        queue: number(&mut names.queues, &job.qos),
        partition: number(&mut names.partitions, partition),
        preceding: -1,
        think: -1,
    }
}

/// Adds a record, with a value in each column that the log has.
fn push(log: &mut Log, record: &Record, job: &QueuedJob) {
    let records = log.records.len();
    let beyond = &mut log.beyond;
    let has_options = beyond.options.len() == records && records > 0;
    let options = job.options.as_ref().filter(|_| has_options).map(|options| {
        let kinds = &mut beyond.option_kinds;
        let known = kinds.iter().position(|known| known == options);
        known.unwrap_or_else(|| {
            kinds.push(options.clone());
            kinds.len() - 1
        }) as u32
    });
    let known = |count: Option<u32>| count.and_then(|count| i32::try_from(count).ok()).unwrap_or(-1);
    let counts = [job.nodes, job.gpus, job.memory, None, None, options].map(known);
    beyond.push(records, &counts, &[record.submit, job.priority.unwrap_or(-1), -1]);
    log.records.push(record.clone());
}
