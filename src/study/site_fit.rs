//! How near Slurm as configured comes to the log, by user, partition and QOS, and how its priorities stand beside those that
//! the log tells.

use super::format::{SPACE, correlation, number, span, whole};
use super::grouped::{waits_as_logged, waits_of};
use super::table::{Grid, GridLine};
use super::{Run, RunReport, Study};
use crate::metric::{Grouping, Measure, logged_outcomes, rank_correlation};
use crate::model::Schedule;
use crate::scheduler::priorities_as_logged;
use crate::workload::{JobId, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// By what jobs are grouped: a log of Slurm has the QOS as its queue.
const GROUPINGS: [Grouping; 3] = [Grouping::User, Grouping::Partition, Grouping::Queue];

/// Groups of fewer jobs are left out: chance decides of them.
const FEWEST_JOBS: usize = 20;

/// Priorities that are as near as this to the log's are the same, as a part of it: the moment at which jobs are weighed is
/// not told.
const SAME: f64 = 0.01;

/// A group of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteFitRow {
    /// By what it is grouped.
    pub by: Grouping,
    /// What it is called.
    pub name: String,
    /// How many jobs count.
    pub jobs: usize,
    /// The mean of their waits by the log, seconds.
    pub logged: f64,
    /// The mean of their simulated waits, seconds.
    pub simulated: f64,
    /// The share of them that start within five minutes of their logged start.
    pub near: f64,
    /// The median of how much longer or shorter one waits than the log tells, seconds.
    pub gap: f64,
}

/// Priorities at submission beside the log's, of jobs as the log says that they ran.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriorityFit {
    /// How many jobs have one in the log.
    pub jobs: usize,
    /// Rank correlation with the log's; none where all are equal.
    pub rank: Option<f64>,
    /// The share of jobs with the log's priority, to a hundredth.
    pub same: f64,
}

/// How near a schedule of Slurm as configured comes to the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteFit {
    /// Groups of jobs: users, then partitions, then QOS.
    pub rows: Vec<SiteFitRow>,
    /// Priorities; none where the log tells none, or jobs have none (priority/basic).
    pub priorities: Option<PriorityFit>,
}

/// The results that are models of the machine: where the files of its site are there, those of Slurm as configured, if any;
/// else all.
pub fn models<'a>(study: &Study, results: impl IntoIterator<Item = &'a RunReport>) -> Vec<&'a RunReport> {
    let all: Vec<&RunReport> = results.into_iter().collect();
    let of_site: Vec<&RunReport> = all.iter().copied().filter(|report| is_configured(&report.run)).collect();
    if study.treatment.site.is_empty() || of_site.is_empty() { all } else { of_site }
}

/// Whether a run is of Slurm as the site's files say, nothing set otherwise.
pub fn is_configured(run: &Run) -> bool {
    run.scheduler.goes_by_site() && run.scheduler.as_configured().is_none()
}

impl SiteFit {
    /// Of a run on a workload whose site is known; none of another, or where the log does not tell when jobs started.
    pub fn of(run: &Run, workload: &Workload, schedule: &Schedule, measure: &Measure) -> Option<Self> {
        workload.site().filter(|_| is_configured(run))?;
        let mut rows = Vec::new();
        for by in GROUPINGS {
            let logged = waits_as_logged(workload, by, measure);
            let simulated = waits_of(run, workload, schedule, by, measure);
            let mut own = simulated.iter().filter_map(|row| {
                let told = logged.iter().find(|other| other.waits.group == row.waits.group)?;
                let to_log = row.waits.to_log.filter(|_| row.waits.jobs >= FEWEST_JOBS)?;
                Some(SiteFitRow {
                    by,
                    name: row.name.clone(),
                    jobs: row.waits.jobs,
                    logged: told.waits.wait.mean,
                    simulated: row.waits.wait.mean,
                    near: to_log.nearer,
                    gap: to_log.median_gap,
                })
            });
            rows.extend(&mut own);
        }
        let priorities = PriorityFit::of(workload);
        (!rows.is_empty() || priorities.is_some()).then_some(SiteFit { rows, priorities })
    }

    /// The groups as a table.
    pub fn grid(&self) -> Grid {
        let line = |row: &SiteFitRow| GridLine {
            labels: vec![name_of(row.by).to_owned(), row.name.clone()],
            values: vec![
                whole(row.jobs as i64),
                span(row.logged),
                span(row.simulated),
                format!("{}{SPACE}%", number(100.0 * row.near)),
                span(row.gap),
            ],
            best: vec![false; 5],
        };
        Grid {
            labels: ["By", "Group"].map(str::to_owned).to_vec(),
            headings: ["Jobs", "Wait, log", "Wait, simulated", "Within 5 min", "Off the log"]
                .map(str::to_owned)
                .to_vec(),
            lines: self.rows.iter().map(line).collect(),
        }
    }

    /// What is said of priorities; nothing where the log tells none.
    pub fn of_priorities(&self) -> Option<String> {
        let PriorityFit { jobs, rank, same } = self.priorities?;
        let ranks =
            rank.map_or_else(|| "do not correlate".to_owned(), |rank| format!("correlate by {}", correlation(rank)));
        Some(format!(
            "Priorities at submission, with the jobs as the log says that they ran: of {} jobs, {}{SPACE}% have the log's, and \
             the ranks {ranks}.",
            whole(jobs as i64),
            number(100.0 * same)
        ))
    }
}

/// What a grouping is called at a Slurm site.
fn name_of(by: Grouping) -> &'static str {
    if by == Grouping::Queue { "QOS" } else { by.name() }
}

impl PriorityFit {
    /// Of a workload whose site is known.
    fn of(workload: &Workload) -> Option<Self> {
        let site = workload.site()?;
        let outcomes = logged_outcomes(workload);
        let ran: Vec<(JobId, Seconds, Seconds)> = outcomes.iter().map(|job| (job.job, job.start, job.end)).collect();
        let told = ran.iter().filter(|(job, ..)| site.priority(job.index()).is_some()).count();
        if told == 0 {
            return None;
        }
        let ours = priorities_as_logged(workload, &ran);
        let known: Vec<(i64, i64)> = ran
            .iter()
            .zip(&ours)
            .filter_map(|((job, ..), own)| Some((i64::from(site.priority(job.index())?), *own as i64)))
            .collect();
        if known.is_empty() {
            return None;
        }
        let is_same = |&&(told, own): &&(i64, i64)| (told - own).abs() as f64 <= SAME * told as f64;
        Some(PriorityFit {
            jobs: known.len(),
            rank: rank_correlation(&known),
            same: known.iter().filter(is_same).count() as f64 / known.len() as f64,
        })
    }
}
