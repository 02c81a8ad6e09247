//! By what jobs are grouped.

use super::{Distance, Measure, Outcome};
use packfair_workload::{Clock, Header, JobId, Request, Seconds, Workload, width_bounds, width_class};
use serde::{Deserialize, Serialize};

/// The beginnings of the classes of run times, seconds, and their names. A class reaches to the beginning of the next
/// one.
pub const RUN_TIMES: [(Seconds, &str); 7] = [
    (0, "below 1 min"),
    (60, "1 to 10 min"),
    (600, "10 to 60 min"),
    (3_600, "1 to 4 h"),
    (14_400, "4 to 12 h"),
    (43_200, "12 to 24 h"),
    (86_400, "24 h and more"),
];

/// The longest run times of the classes of DYNP §5.2, seconds, and their names; the last class has all longer run
/// times.
pub const OF_DYNP: [(Seconds, &str); 5] = [
    (300, "up to 5 min"),
    (600, "5 to 10 min"),
    (3_600, "10 to 60 min"),
    (43_200, "1 to 12 h"),
    (Seconds::MAX, "above 12 h"),
];

const WEEK: Seconds = 7 * 86_400;

/// By what jobs are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    #[default]
    Partition,
    /// The log's group; in logs of Slurm and PBS that is the account.
    Account,
    User,
    /// The width: 1, 2, 3 to 4, 5 to 8, ... processors.
    Width,
    /// The run time D, by [`RUN_TIMES`].
    RunTime,
    /// The run time D, in the classes of DYNP §5.2, by [`OF_DYNP`].
    #[serde(rename = "runtime-dynp")]
    RunTimeDynp,
    /// The hour of day of the submission, on the log's local clock.
    Hour,
    Queue,
    /// The week of the submission, counted from the beginning of the log's clock.
    Week,
}

packfair_base::named!(Grouping, "grouping", {
    Partition => "partition", "Partition", "";
    Queue => "queue", "Queue", "";
    Account => "account", "Account", "";
    User => "user", "User", "";
    Width => "width", "Width", "";
    RunTime => "runtime", "Run time", "";
    RunTimeDynp => "runtime-dynp", "Run time (DYNP)", "";
    Hour => "hour", "Hour of submission", "";
    Week => "week", "Week", "";
});

impl Grouping {
    /// What a log with this header calls the grouping: "QOS" where its jobs have a QOS and no queue.
    pub fn called(self, header: &Header) -> &str {
        match self.header_label() {
            Some(label @ ("Group" | "Queue")) => header.word(label),
            _ => self.name(),
        }
    }

    /// The grouping of this id, or that which a log with this header calls so.
    pub fn read(text: &str, header: &Header) -> Option<Self> {
        let is_called_so = |by: &Grouping| by.called(header).eq_ignore_ascii_case(text);
        text.parse().ok().or_else(|| Grouping::ALL.into_iter().find(is_called_so))
    }

    /// The header's label for the names of the groups, where a log may have names.
    pub fn header_label(self) -> Option<&'static str> {
        match self {
            Grouping::Partition => Some("Partition"),
            Grouping::Account => Some("Group"),
            Grouping::User => Some("User"),
            Grouping::Queue => Some("Queue"),
            Grouping::Width | Grouping::RunTime | Grouping::RunTimeDynp | Grouping::Hour | Grouping::Week => None,
        }
    }

    /// The value by which a group is named: its smallest width, its shortest run time, or its number.
    pub(super) fn first_of(self, group: i64) -> i64 {
        match self {
            Grouping::Width => width_bounds(group.clamp(0, 32) as u32).0.into(),
            Grouping::RunTime => RUN_TIMES.get(group as usize).map_or(0, |(from, _)| *from),
            // A class begins a second after the longest run time of the class before it.
            Grouping::RunTimeDynp => match usize::try_from(group - 1).ok().and_then(|before| OF_DYNP.get(before)) {
                Some((longest, _)) => longest.saturating_add(1),
                None => 0,
            },
            // The first week is week 1.
            Grouping::Week => group + 1,
            _ => group,
        }
    }

    /// The DYNP class of a run time in seconds.
    pub(super) fn dynp_class_of_run(run: Seconds) -> i64 {
        OF_DYNP.partition_point(|&(longest, _)| longest < run) as i64
    }

    pub(super) fn class_of_run(run: Seconds) -> i64 {
        // The first class begins at 0, so there is always a class before.
        RUN_TIMES.partition_point(|&(from, _)| from <= run) as i64 - 1
    }

    pub(super) fn of(self, workload: &Workload, clock: &Clock, job: JobId) -> i64 {
        self.of_request(workload.request(job), workload.run(job), clock)
    }

    /// The numbers of the groups of all jobs, in log order; below 0 where the log does not tell the group.
    pub fn of_all(self, workload: &Workload) -> impl Iterator<Item = i64> + '_ {
        let clock = Clock::of_workload(workload);
        workload.jobs().map(move |job| self.of(workload, &clock, job))
    }

    pub(super) fn of_request(self, request: &Request, run: Seconds, clock: &Clock) -> i64 {
        match self {
            Grouping::Partition => request.partition.into(),
            Grouping::Account => request.group.into(),
            Grouping::User => request.user.into(),
            Grouping::Width => i64::from(width_class(request.processors)),
            Grouping::RunTime => Self::class_of_run(run),
            Grouping::RunTimeDynp => Self::dynp_class_of_run(run),
            Grouping::Hour => clock.hour(request.submit) as i64,
            Grouping::Queue => request.queue.into(),
            Grouping::Week => request.submit.div_euclid(WEEK),
        }
    }
}

// Waits and slowdowns of groups of jobs.

/// How a quantity is spread over the jobs of a group. Percentiles are by nearest rank, so each is a value that occurs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub mean: f64,
    pub median: f64,
    /// The 90th percentile.
    pub p90: f64,
    /// The 95th percentile.
    pub p95: f64,
    pub max: f64,
}

/// Waits and slowdowns of a group of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupWaits {
    /// The group: the log's number of the user, account, partition or queue (-1: unknown), the hour, or the index of
    /// the week or class, from 0.
    pub group: i64,
    pub jobs: usize,
    /// The spread of their waits Q, seconds.
    pub wait: Spread,
    /// The spread of their bounded slowdowns.
    pub bsld: Spread,
    /// The distance of their waits from those that the log tells; `None` where it tells none.
    pub to_log: Option<Distance>,
    /// The slowdown of its jobs weighted by width, SLDwW (DYNP §5.1).
    #[serde(default)]
    pub sldww: f64,
}

/// The outcomes of jobs by the log's own starts, in log order, for jobs whose wait the log tells.
pub fn logged_outcomes(workload: &Workload) -> Vec<Outcome> {
    let outcome = |job: JobId| {
        let (request, run) = (workload.request(job), workload.run(job));
        let start = request.submit + workload.logged_wait(job)?;
        let (processors, submit) = (request.processors, request.submit);
        Some(Outcome { job, processors, submit, start, end: start + run, run })
    };
    workload.jobs().filter_map(outcome).collect()
}

/// Waits and slowdowns of the jobs in `kept`, by group, in the order of the groups' numbers. `measure` has the bounds
/// of the slowdowns.
pub fn waits_by_group(workload: &Workload, kept: &[Outcome], by: Grouping, measure: &Measure) -> Vec<GroupWaits> {
    let bound = measure.bsld_bound;
    let clock = Clock::of_workload(workload);
    let mut grouped: Vec<(i64, &Outcome)> =
        kept.iter().map(|outcome| (by.of(workload, &clock, outcome.job), outcome)).collect();
    // Within a group the jobs stay in log order.
    grouped.sort_by_key(|(group, _)| *group);
    let of_group = |jobs: &[(i64, &Outcome)]| {
        let outcomes: Vec<Outcome> = jobs.iter().map(|(_, outcome)| **outcome).collect();
        GroupWaits {
            group: jobs[0].0,
            jobs: jobs.len(),
            wait: Spread::of(outcomes.iter().map(|outcome| outcome.wait() as f64).collect()),
            bsld: Spread::of(outcomes.iter().map(|outcome| outcome.bounded_slowdown(bound)).collect()),
            to_log: Distance::of(workload, &outcomes),
            sldww: sldww(&outcomes, measure.sldww_bound),
        }
    };
    grouped.chunk_by(|a, b| a.0 == b.0).map(of_group).collect()
}

/// The slowdown of jobs weighted by their widths (DYNP §5.1): Σ r max(F, τ) / max(D, τ) / Σ r, τ the bound, seconds.
fn sldww(outcomes: &[Outcome], bound: f64) -> f64 {
    let (slowdowns, widths) = outcomes.iter().fold((0.0, 0.0), |(slowdowns, widths), job| {
        let width = f64::from(job.processors);
        (slowdowns + width * job.slowdown_of_at_least(bound), widths + width)
    });
    slowdowns / widths
}

/// Waits of jobs of similar width and requested time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitCell {
    /// The requested times are from 2^k s to 2^(k+1) s; this is k.
    pub limit: u32,
    /// The widths are from 2^k to 2^(k+1) processors; this is k.
    pub width: u32,
    pub jobs: usize,
    /// The median wait of these jobs, seconds, by nearest rank.
    pub median: f64,
}

impl WaitCell {
    /// The lower and the upper bound of a class.
    pub fn bounds(class: u32) -> (f64, f64) {
        let low = f64::from(2_u32.saturating_pow(class));
        (low, 2.0 * low)
    }
}

/// Waits of the jobs in `kept` by requested time and width, in the order of these.
pub fn wait_cells(workload: &Workload, kept: &[Outcome]) -> Vec<WaitCell> {
    let class = |outcome: &Outcome| {
        let request = workload.request(outcome.job);
        // Both are at least 1; a request beyond 2^31 s is as good as none.
        (request.limit.ilog2().min(31), request.processors.ilog2())
    };
    let mut waits: Vec<((u32, u32), Seconds)> = kept.iter().map(|outcome| (class(outcome), outcome.wait())).collect();
    waits.sort_unstable();
    let cell = |jobs: &[((u32, u32), Seconds)]| {
        let (limit, width) = jobs[0].0;
        WaitCell { limit, width, jobs: jobs.len(), median: jobs[(jobs.len() - 1) / 2].1 as f64 }
    };
    waits.chunk_by(|a, b| a.0 == b.0).map(cell).collect()
}

impl Spread {
    /// The spread of at least one value.
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let rank = |percent: usize| values[(values.len() * percent).div_ceil(100).max(1) - 1];
        Spread { mean, median: rank(50), p90: rank(90), p95: rank(95), max: rank(100) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::grouping::OF_DYNP;
    use super::*;
    use crate::metric::job_counts::outcomes;
    use crate::model::Schedule;
    use packfair_workload::{Cleaning, Filter, clean, reading};

    /// Each line: number, submit, wait, run, processors, user, partition.
    fn workload() -> Workload {
        let jobs = [
            (1, 0, 10, 50, 1, 7, 1),
            (2, 3_600, 20, 600, 4, 7, 2),
            (3, 3_700, -1, 90_000, 3, 8, 2),
            (4, 90_000, 0, 59, 5, -1, 2),
        ];
        let line = |(number, submit, wait, run, processors, user, partition)| {
            format!(
                "{number} {submit} {wait} {run} {processors} -1 -1 {processors} 100000 -1 1 {user} 1 1 1 {partition} -1 -1\n"
            )
        };
        let log = reading::read("log", jobs.map(line).concat().as_bytes()).unwrap();
        clean(&log, &Filter::default(), Cleaning::Metrics, Some(8)).unwrap()
    }

    fn groups(by: Grouping) -> Vec<(i64, usize, f64)> {
        let workload = workload();
        let schedule = Schedule::of_starts(&workload, vec![0, 3_700, 3_700, 90_000]);
        let all = outcomes(&workload, &schedule);
        waits_by_group(&workload, &all, by, &Measure::default()).iter().map(|g| (g.group, g.jobs, g.wait.max)).collect()
    }

    #[test]
    fn every_job_is_in_one_group_of_each_kind() {
        assert_eq!(groups(Grouping::Partition), [(1, 1, 0.0), (2, 3, 100.0)]);
        assert_eq!(groups(Grouping::Account), [(1, 4, 100.0)]);
        assert_eq!(groups(Grouping::User), [(-1, 1, 0.0), (7, 2, 100.0), (8, 1, 0.0)]);
        assert_eq!(groups(Grouping::Width), [(0, 1, 0.0), (2, 2, 100.0), (3, 1, 0.0)], "3 and 4 are of one class");
        assert_eq!(groups(Grouping::RunTime), [(0, 2, 0.0), (2, 1, 100.0), (6, 1, 0.0)]);
        // The jobs run for 50, 600, 90,000 and 59 s.
        assert_eq!(
            groups(Grouping::RunTimeDynp),
            [(0, 2, 0.0), (1, 1, 100.0), (4, 1, 0.0)],
            "up to 10 min is up to 600 s"
        );
        assert_eq!(groups(Grouping::Hour), [(0, 1, 0.0), (1, 3, 100.0)]);
    }

    #[test]
    fn a_group_s_waits_slowdowns_and_distance_are_those_of_its_jobs() {
        let workload = workload();
        let schedule = Schedule::of_starts(&workload, vec![500, 3_700, 3_700, 90_000]);
        let all = outcomes(&workload, &schedule);
        let partitions = waits_by_group(&workload, &all, Grouping::Partition, &Measure::default());
        let first = partitions[0];
        assert_eq!(first.wait, Spread { mean: 500.0, median: 500.0, p90: 500.0, p95: 500.0, max: 500.0 });
        assert_eq!(first.bsld.max, 11.0);
        assert_eq!(first.to_log.unwrap().nearer, 0.0, "490 s later than logged");
        assert_eq!(first.sldww, 550.0 / 60.0, "by the bound of 60 s");
        let second = partitions[1];
        // Widths 4, 3 and 5: 700 s of 600 s, 90,000 of as many, and 59 s of 59 s, both of which count as 60 s.
        assert!((second.sldww - (4.0 * 700.0 / 600.0 + 3.0 + 5.0) / 12.0).abs() < 1e-12);
        assert_eq!((second.wait.median, second.wait.p90), (0.0, 100.0));
        assert_eq!(second.to_log.unwrap().p90_gap, 80.0, "of the two jobs whose waits are known");
        let logged = logged_outcomes(&workload);
        assert_eq!(
            logged.iter().map(|outcome| (outcome.wait(), outcome.end)).collect::<Vec<_>>(),
            [(10, 60), (20, 4_220), (0, 90_059)]
        );
    }

    #[test]
    fn cells_hold_jobs_of_similar_width_and_request() {
        let workload = workload();
        let schedule = Schedule::of_starts(&workload, vec![7, 3_700, 3_700, 90_000]);
        let cells = wait_cells(&workload, &outcomes(&workload, &schedule));
        let told: Vec<_> = cells.iter().map(|c| (c.limit, c.width, c.jobs, c.median)).collect();
        assert_eq!(told, [(16, 0, 1, 7.0), (16, 1, 1, 0.0), (16, 2, 2, 0.0)]);
        assert_eq!(WaitCell::bounds(2), (4.0, 8.0));
    }

    #[test]
    fn spreads_are_nearest_ranks() {
        let spread = Spread::of((1..=20).rev().map(f64::from).collect());
        assert_eq!(spread, Spread { mean: 10.5, median: 10.0, p90: 18.0, p95: 19.0, max: 20.0 });
    }

    #[test]
    fn classes_of_dynp_begin_behind_the_longest_run_of_the_one_before() {
        let runs = [0, 300, 301, 600, 601, 3_600, 3_601, 43_200, 43_201];
        assert_eq!(runs.map(Grouping::dynp_class_of_run), [0, 0, 1, 1, 2, 2, 3, 3, 4]);
        for class in 0..OF_DYNP.len() as i64 {
            let first = Grouping::RunTimeDynp.first_of(class);
            assert_eq!(Grouping::dynp_class_of_run(first), class, "{first} s");
        }
    }

    #[test]
    fn ids_are_read_back() {
        assert!(Grouping::ALL.into_iter().all(|by| by.id().parse() == Ok(by)));
        assert!("colour".parse::<Grouping>().is_err());
    }
}
