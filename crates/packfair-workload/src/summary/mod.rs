//! The summary of a workload: what it is like, at a glance.

mod distribution;

pub use distribution::{Distribution, HistogramClass, Quantiles, Steps};

use super::like::Analysis;
use super::{Clock, Counting, Habits, Header, Machine, Reason, Request, Seconds, Workload, down_times};
use crate::Account;
use distribution::{ByArea, partition_peaks};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How many of the largest users are listed.
const TOP_USERS: usize = 10;

/// How many of the most common widths are listed.
const COMMON_WIDTHS: usize = 12;

/// Summary statistics of a workload. No value in it is NaN or infinite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub name: String,
    pub jobs: usize,
    /// Those of them that metrics do not count, because the log begins or ends with them.
    pub uncounted: Uncounted,
    /// The area of all jobs, processor-seconds.
    pub area: f64,
    pub machine: Machine,
    pub counting: Counting,
    /// The first and the last submission, and the last completion.
    pub span: WorkloadPeriod,
    /// How the log's seconds become dates and hours.
    pub clock: Clock,
    /// Offered load: all job area over what the machine could do between the first and the last
    /// submission; `None` where all jobs come at once.
    pub offered_load: Option<f64>,
    /// Utilisation as logged: all job area over what the machine could do until the last logged end;
    /// `None` where the log does not say when jobs started.
    pub logged_utilisation: Option<f64>,
    pub users: usize,
    /// Number of known executables; 0 where jobs do not name them.
    pub executables: usize,
    /// The users with the largest area, largest first; at most 10.
    pub top_users: Vec<UserShare>,
    /// Fraction of jobs that requested a time.
    pub requested: f64,
    /// Jobs by width: 1, 2, 3-4, 5-8, ... processors.
    pub widths: Vec<WidthClass>,
    /// The most common widths, most common first; at most 12.
    pub common_widths: Vec<Common>,
    /// Run time D, seconds.
    pub runs: Distribution,
    /// Requested time L, seconds, of all jobs. For jobs without a request it is the run time, which stands in for it.
    pub limits: Distribution,
    /// Over-estimation L / D, of jobs that ran for at least a second.
    pub overestimation: Distribution,
    /// Submissions by hour of the day, 0 to 23.
    pub hours: Vec<u32>,
    /// Submissions by day of the week, Monday first; empty where dates are unknown.
    pub weekdays: Vec<u32>,
    /// Cumulative fraction of jobs against job area r D (METRICS Fig. 3, top).
    pub jobs_by_area: Steps,
    /// Cumulative fraction of area against job area r D (METRICS Fig. 3, top).
    pub area_by_area: Steps,
    /// Queues, most jobs first; at most 100.
    pub queues: Vec<QueueChoice>,
    /// Partitions, most jobs first; at most 100.
    pub partitions: Vec<QueueChoice>,
    /// The most processors that jobs of each of these partitions held at once, as logged; none where the log does not say
    /// when they started.
    pub partition_peaks: Vec<Option<u32>>,
    /// When the machine seems to have been down ([`down_times`]), seconds of the log.
    pub down_times: Vec<(Seconds, Seconds)>,
    /// What workloads like this one are generated from.
    pub arrivals: Analysis,
    /// The habits of its users, where they react.
    pub habits: Option<Habits>,
    /// The number of jobs that come after others, as the log states it.
    pub dependent: usize,
}

/// When a workload begins and ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkloadPeriod {
    pub first_submit: Seconds,
    pub last_submit: Seconds,
    /// Last completion, where the log says when jobs started.
    pub last_end: Option<Seconds>,
    /// Date of the first submission, where known.
    pub first_date: Option<String>,
    /// Date of the last submission, where known.
    pub last_date: Option<String>,
}

/// What a user contributes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserShare {
    pub user: i32,
    /// The name in the header, where it has one.
    pub name: Option<String>,
    pub jobs: usize,
    /// Area of these jobs, processor-seconds.
    pub area: f64,
    /// Fraction of all area, 0 where there is none.
    pub share: f64,
}

/// Jobs of similar width.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WidthClass {
    /// Fewest processors.
    pub from: u32,
    /// Most processors.
    pub to: u32,
    pub jobs: usize,
    /// Their area, processor-seconds.
    pub area: f64,
}

/// A width that many jobs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Common {
    pub width: u32,
    pub jobs: usize,
}

/// A queue or partition that a filter can select.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueChoice {
    pub id: i32,
    /// The name in the header (`Queue: 1 batch`, `Partition: 2 large nodes`), where it has one.
    pub name: Option<String>,
    pub jobs: usize,
}

impl Summary {
    /// The most queues and the most partitions that are listed.
    pub const MOST_CHOICES: usize = 100;

    /// Summarises `workload`.
    pub fn of(workload: &Workload) -> Self {
        let requests = workload.requests();
        let first_submit = requests.first().map_or(0, |request| request.submit);
        let last_submit = requests.last().map_or(0, |request| request.submit);
        let last_end = last_logged_end(workload);
        let clock = Clock::of(&workload.header, first_submit, last_end.unwrap_or(last_submit).max(last_submit));
        let area: f64 = workload.jobs().map(|job| workload.area(job)).sum();
        let load = |until: Seconds| {
            let capacity = f64::from(workload.machine.processors) * (until - first_submit) as f64;
            (capacity > 0.0).then(|| area / capacity)
        };
        let users = users(workload);
        let partitions = choices(requests.iter().map(|request| request.partition), &workload.header, "Partition");
        let by_area = ByArea::of(workload);
        let seconds = |seconds: &Seconds| *seconds as f64;
        Summary {
            name: workload.name.clone(),
            jobs: workload.len(),
            uncounted: Uncounted::of(workload),
            area,
            machine: workload.machine,
            counting: workload.counting().clone(),
            span: WorkloadPeriod {
                first_submit,
                last_submit,
                last_end,
                first_date: clock.date(first_submit),
                last_date: clock.date(last_submit),
            },
            offered_load: load(last_submit),
            logged_utilisation: last_end.and_then(load),
            users: users.len(),
            executables: distinct(requests.iter().map(|request| request.executable)),
            top_users: top_users(users, area, &workload.header),
            requested: requested(workload),
            widths: width_classes(workload),
            common_widths: most_common(requests.iter().map(|request| request.processors), COMMON_WIDTHS)
                .map(|(width, jobs)| Common { width, jobs })
                .collect(),
            runs: Distribution::of(workload.runs().iter().map(seconds).collect()),
            limits: Distribution::of(requests.iter().map(|request| seconds(&request.limit)).collect()),
            overestimation: Distribution::of(overestimations(workload)),
            hours: hours(requests, &clock),
            weekdays: weekdays(requests, &clock),
            jobs_by_area: by_area.jobs,
            area_by_area: by_area.area,
            queues: choices(requests.iter().map(|request| request.queue), &workload.header, "Queue"),
            partition_peaks: partition_peaks(workload, &partitions),
            partitions,
            down_times: down_times(workload),
            arrivals: Analysis::of(workload),
            dependent: workload.ties().map_or(0, |ties| ties.tied_jobs()),
            habits: workload.reactions().map(|reactions| Habits::of(workload, reactions)),
            clock,
        }
    }
}

fn last_logged_end(workload: &Workload) -> Option<Seconds> {
    let end = |job| Some(workload.request(job).submit + workload.logged_wait(job)? + workload.run(job));
    workload.jobs().filter_map(end).max()
}

/// Jobs and area of each known user.
fn users(workload: &Workload) -> BTreeMap<i32, (usize, f64)> {
    let mut users = BTreeMap::new();
    for job in workload.jobs().filter(|&job| workload.request(job).user >= 0) {
        let (jobs, area): &mut (usize, f64) = users.entry(workload.request(job).user).or_default();
        *jobs += 1;
        *area += workload.area(job);
    }
    users
}

/// The number of different numbers; -1 does not count.
fn distinct(numbers: impl Iterator<Item = i32>) -> usize {
    numbers.filter(|&number| number >= 0).collect::<BTreeSet<i32>>().len()
}

fn top_users(users: BTreeMap<i32, (usize, f64)>, total: f64, header: &Header) -> Vec<UserShare> {
    let share = |area: f64| if total > 0.0 { area / total } else { 0.0 };
    let mut shares: Vec<UserShare> = users
        .into_iter()
        .map(|(user, (jobs, area))| UserShare { user, name: None, jobs, area, share: share(area) })
        .collect();
    shares.sort_by(|a, b| b.area.total_cmp(&a.area));
    shares.truncate(TOP_USERS);
    for share in &mut shares {
        share.name = header.name_of("User", share.user.into()).map(str::to_owned);
    }
    shares
}

fn requested(workload: &Workload) -> f64 {
    let without = workload.account.count(Reason::NoRequestedTime) as f64;
    if workload.is_empty() { 0.0 } else { 1.0 - without / workload.len() as f64 }
}

fn width_classes(workload: &Workload) -> Vec<WidthClass> {
    let mut classes: BTreeMap<u32, (usize, f64)> = BTreeMap::new();
    for job in workload.jobs() {
        let (jobs, area) = classes.entry(width_class(workload.request(job).processors)).or_default();
        *jobs += 1;
        *area += workload.area(job);
    }
    let widest = classes.last_key_value().map_or(0, |(&class, _)| class + 1);
    let class = |class: u32| {
        let (from, to) = width_bounds(class);
        let (jobs, area) = classes.get(&class).copied().unwrap_or_default();
        WidthClass { from, to, jobs, area }
    };
    (0..widest).map(class).collect()
}

/// The class of a width of at least 1: 0 is 1 processor, k is 2^(k-1) + 1 to 2^k.
pub fn width_class(width: u32) -> u32 {
    u32::BITS - (width - 1).leading_zeros()
}

/// The smallest and the largest width of a class.
pub fn width_bounds(class: u32) -> (u32, u32) {
    let to = |class: u32| 1_u32.checked_shl(class).unwrap_or(u32::MAX);
    if class == 0 { (1, 1) } else { (to(class - 1) + 1, to(class)) }
}

fn overestimations(workload: &Workload) -> Vec<f64> {
    let ran = workload.jobs().filter(|&job| workload.run(job) > 0);
    ran.map(|job| workload.request(job).limit as f64 / workload.run(job) as f64).collect()
}

fn hours(requests: &[Request], clock: &Clock) -> Vec<u32> {
    let mut hours = vec![0; 24];
    requests.iter().for_each(|request| hours[clock.hour(request.submit)] += 1);
    hours
}

fn weekdays(requests: &[Request], clock: &Clock) -> Vec<u32> {
    let mut weekdays = Vec::new();
    for weekday in requests.iter().filter_map(|request| clock.weekday(request.submit)) {
        weekdays.resize(7, 0);
        weekdays[weekday] += 1;
    }
    weekdays
}

/// The known queues or partitions with their names, which are in the header's comments with this label.
fn choices(ids: impl Iterator<Item = i32>, header: &Header, label: &str) -> Vec<QueueChoice> {
    let name = |id: i32| header.name_of(label, id.into()).map(str::to_owned);
    let common = most_common(ids.filter(|&id| id >= 0), Summary::MOST_CHOICES);
    common.map(|(id, jobs)| QueueChoice { id, name: name(id), jobs }).collect()
}

/// The most common values with their counts, most common first. Of equally common values the smaller comes first.
fn most_common<T: Ord>(values: impl Iterator<Item = T>, most: usize) -> impl Iterator<Item = (T, usize)> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    let mut counts: Vec<(T, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|count| std::cmp::Reverse(count.1));
    counts.into_iter().take(most)
}

// What a person is told of a workload beside its numbers: jobs that do not count, and the two utilisations of a log in
// which jobs were given another number of processors than they asked for.

/// Jobs that hold processors, or wait for them, and that metrics do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncounted {
    /// Jobs that ran or waited when the log begins.
    pub initial: usize,
    pub still_running: usize,
    pub still_held: u64,
    pub all: usize,
}

impl Uncounted {
    fn of(workload: &Workload) -> Self {
        let initial = workload.initial();
        let mut uncounted = Uncounted { initial, all: initial, ..Uncounted::default() };
        for job in workload.still_running() {
            uncounted.still_running += 1;
            uncounted.still_held += u64::from(workload.request(job).processors);
            uncounted.all += usize::from(job.index() >= initial);
        }
        uncounted
    }
}

/// The utilisation of a log by what jobs were given, and by what they asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BothUtilisations {
    /// By the processors that jobs were given.
    pub used: f64,
    pub requested: f64,
    pub simulates_used: bool,
}

impl BothUtilisations {
    /// In words: `59.6 % on the processors that jobs were given, which are simulated; 39.0 % on those that they asked for`.
    pub fn in_words(&self) -> String {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let (used, requested) =
            if self.simulates_used { (", which are simulated", "") } else { ("", ", which are simulated") };
        format!(
            "{} on the processors that jobs were given{used}; {} on those that they asked for{requested}",
            percent(self.used),
            percent(self.requested)
        )
    }
}

impl Summary {
    /// Both utilisations as logged, where widths differ in more than 1 % of the jobs.
    pub fn both_utilisations(&self, account: &Account) -> Option<BothUtilisations> {
        let (utilisation, (used, asked)) = (self.logged_utilisation?, account.works()?);
        let (used, asked) = (used as f64, asked as f64);
        let simulated = self.area;
        let simulates_used = (simulated - used).abs() <= (simulated - asked).abs();
        let of = if simulates_used { used } else { asked };
        (of > 0.0).then(|| BothUtilisations {
            used: utilisation * used / of,
            requested: utilisation * asked / of,
            simulates_used,
        })
    }

    /// How many of its jobs count in metrics, before it is known how they are scheduled.
    pub fn counted(&self) -> usize {
        self.jobs - self.uncounted.all
    }

    /// The jobs that do not count because the log begins or ends with them, in words; none where there are none.
    pub fn uncounted_in_words(&self) -> Option<String> {
        let Uncounted { initial, still_running, still_held, all } = self.uncounted;
        let jobs = |count: usize| if count == 1 { "1 job".to_owned() } else { format!("{count} jobs") };
        let unit = self.counting.unit.plural();
        let mut said = Vec::new();
        if initial > 0 {
            said.push(format!("{} ran or waited when the log begins", jobs(initial)));
        }
        if still_running > 0 {
            said.push(format!(
                "{} still ran when it was made, on {still_held} {unit}, which stay held until then",
                jobs(still_running)
            ));
        }
        let remedy = if initial > 0 { "; --initial=ordinary counts the first" } else { "" };
        let is_none = self.counted() == 0 && all > 0;
        let begin = if is_none { "no job is left to count, so there are no values: " } else { "" };
        (!said.is_empty()).then(|| format!("{begin}{}{}", said.join(", "), if is_none { remedy } else { "" }))
    }

    /// Why no job counts; none where one does.
    pub fn why_none_counts(&self) -> Option<String> {
        self.uncounted_in_words().filter(|_| self.counted() == 0)
    }
}

/// The work of all jobs by two widths, processor-seconds.
pub(crate) fn works(jobs: impl Iterator<Item = (u32, u32, Seconds)>) -> (u64, u64) {
    jobs.fold((0, 0), |(used, asked), (given, requested, run)| {
        let run = run.max(0).unsigned_abs();
        let work = |width: u32| u64::from(width).saturating_mul(run);
        (used.saturating_add(work(given)), asked.saturating_add(work(requested)))
    })
}

#[cfg(test)]
mod tests;
