//! How near Slurm as configured comes to the log, by user, partition and QOS, and how its priorities compare with those
//! that the log tells.

use super::format::{SPACE, correlation, number, span, whole};
use super::grouped::{waits_as_logged, waits_of};
use super::table::{Grid, GridLine};
use super::{Run, RunReport, Study};
use packfair_engine::estimator::{Estimate, Method};
use packfair_engine::metric::{Grouping, Measure, logged_outcomes, rank_correlation};
use packfair_engine::model::Schedule;
use packfair_slurmctld::priorities_as_logged;
use packfair_workload::{JobId, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// The groupings shown. A log of Slurm has the QOS as its queue.
const GROUPINGS: [Grouping; 3] = [Grouping::User, Grouping::Partition, Grouping::Queue];

/// Groups of fewer jobs are left out, because chance decides their numbers.
const FEWEST_JOBS: usize = 20;

/// Priorities within this share of the log's count as the same: the log does not tell when jobs were weighed.
const SAME: f64 = 0.01;

/// A group of jobs, its logged waits and its simulated ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteFitRow {
    pub by: Grouping,
    pub name: String,
    /// How many jobs count.
    pub jobs: usize,
    /// The mean logged wait of its jobs, seconds.
    pub logged: f64,
    /// The mean simulated wait of its jobs, seconds.
    pub simulated: f64,
    /// The share of its jobs that start within five minutes of their logged start.
    pub near: f64,
    /// The median difference between the simulated wait and the logged one, seconds.
    pub gap: f64,
}

/// How computed priorities at submission compare with the log's, for jobs that ran as logged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriorityFit {
    pub jobs: usize,
    /// The rank correlation with the log's priorities; `None` where all are equal.
    pub rank: Option<f64>,
    /// The share of jobs whose priority is within 1 % of the log's.
    pub same: f64,
}

/// How near a schedule of Slurm as configured comes to the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteFit {
    /// Groups of jobs: users, then partitions, then QOS.
    pub rows: Vec<SiteFitRow>,
    /// How the priorities compare; `None` where the log tells none, or jobs have none (priority/basic).
    pub priorities: Option<PriorityFit>,
}

/// The results of the rows that claim to be the cluster's own: Slurm as configured, where the study has the files of a
/// site. Only of these a fit tells how far a forecast can be believed.
pub fn claiming<'a>(study: &Study, results: impl IntoIterator<Item = &'a RunReport>) -> Vec<&'a RunReport> {
    let has_site = !study.treatment.site.is_empty();
    results.into_iter().filter(|report| has_site && is_configured(&report.run)).collect()
}

/// The results among which the nearest to the log is looked for: those of [`claiming`], or all where no row claims to be
/// the cluster's own.
pub fn models<'a>(study: &Study, results: impl IntoIterator<Item = &'a RunReport>) -> Vec<&'a RunReport> {
    let all: Vec<&RunReport> = results.into_iter().collect();
    let own = claiming(study, all.iter().copied());
    if own.is_empty() { all } else { own }
}

/// The run whose fit is told: Slurm as configured on the log as it is; with requested times where there is such a run,
/// because Slurm goes by these, else the first.
pub fn fitted<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Option<&'a Run> {
    let is_plain = |run: &&Run| **run == Run::new(run.scheduler.clone(), run.estimate.clone());
    let all: Vec<&Run> = runs.into_iter().filter(|run| is_configured(run)).filter(is_plain).collect();
    let requested = Estimate::of(Method::requested());
    all.iter().copied().find(|run| run.estimate == requested).or(all.first().copied())
}

/// Whether a run is Slurm as the site's files configure it, without changes.
pub(super) fn is_configured(run: &Run) -> bool {
    run.scheduler.goes_by_site() && run.scheduler.as_configured().is_none()
}

impl SiteFit {
    /// The fit of a run of Slurm as configured on a workload with a site. `None` for another run or workload, and where
    /// there is nothing to compare.
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

    /// The fit of the priorities, in words; `None` where the log tells none.
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

fn name_of(by: Grouping) -> &'static str {
    if by == Grouping::Queue { "QOS" } else { by.name() }
}

impl PriorityFit {
    /// Computes the priorities of a workload with a site, and compares them with the log's; `None` where the log tells
    /// none.
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
