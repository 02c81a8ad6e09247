//! The questions that can be asked about schedules and workloads.

use super::JobColumn;
use crate::{LogPart, Losses, Rules, Run};
use packfair_engine::metric::{CountedGroup, CountedJobs, Grouping, Measure, Metric};
use packfair_workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Query {
    Jobs(JobsQuery),
    Gantt {
        run: Run,
        /// Begin of the window, seconds of the log's clock.
        from: Seconds,
        /// End of the window, excluded.
        until: Seconds,
        boxes: BoxesAsked,
    },
    /// Queue and utilisation in a window of time.
    Window {
        run: Run,
        /// Begin of the window, seconds of the log's clock.
        from: f64,
        until: f64,
        /// Number of bins into which the window is reduced.
        bins: usize,
    },
    /// A schedule as a file.
    Export {
        run: Run,
        format: ScheduleFormat,
    },
    /// Waits by width and requested time.
    WaitMap {
        /// The run of the schedule; `None` for what the log itself tells.
        run: Option<Run>,
        counted: CountedJobs,
    },
    /// The log in SWF, as it was read.
    Log {
        /// The key by which names become numbers; `None` to keep the names.
        key: Option<String>,
    },
    Waited {
        run: Run,
        job: JobId,
    },
    /// Why a job waited, in the words of the scheduler, where it gives any.
    Reasons {
        run: Run,
        rules: Rules,
        job: JobId,
    },
    /// The fair start times of a job, computed where the schedule does not hold them.
    FairStart {
        run: Run,
        rules: Rules,
        job: JobId,
    },
    /// A job's reservation from its submission to its start.
    Reservation {
        run: Run,
        rules: Rules,
        job: JobId,
    },
    /// The jobs that run at an instant, and those that wait with their reservations, as boxes of a Gantt chart.
    Outlook {
        run: Run,
        rules: Rules,
        at: Seconds,
        /// The time from which earlier jobs are shown too.
        from: Seconds,
        boxes: BoxesAsked,
    },
    Estimated {
        run: Run,
        rules: Rules,
        job: JobId,
    },
    /// What a schedule did to small and to large jobs.
    Classes {
        run: Run,
        counted: CountedJobs,
        /// Bound k of the bounded slowdown, seconds.
        bound: f64,
    },
    /// Waits and slowdowns by group.
    Waits {
        /// The run of the schedule; `None` for what the log itself tells.
        run: Option<Run>,
        by: Grouping,
        /// Which jobs count, and the bound of the bounded slowdown.
        measure: Measure,
    },
    /// How near Slurm as configured comes to the log, by user, partition and QOS.
    SiteFit {
        run: Run,
        /// Which jobs count, and the bound of the bounded slowdown.
        measure: Measure,
    },
    UserWaits {
        run: Run,
    },
    /// How small and large jobs of the workload differ, and how well run times predict later ones.
    Sizes,
    /// How good the estimates were.
    Accuracy {
        run: Run,
        counted: CountedJobs,
    },
    /// A summary of the workload, and what was done to the log to make it.
    Described,
    /// Some metrics of runs that are no rows of the table, on a part of the workload.
    Measured {
        runs: Vec<Run>,
        rules: Rules,
        /// Which jobs count, and the metrics' parameters.
        measure: Measure,
        metrics: Vec<Metric>,
        /// Losses of groups besides, whose values come behind those of the metrics.
        losses: Option<Box<Losses>>,
        part: LogPart,
    },
    /// Draws of a run that is no row of the table, for a card ([`crate::what_if::ChangeCard`]).
    Drawn {
        run: Run,
        /// The first draw, and the one after the last ([`packfair_schedulers::Policy::drawn`]).
        draws: (u32, u32),
        rules: Rules,
        measure: Measure,
        metrics: Vec<Metric>,
    },
    /// What changes for the jobs of the workload from one run to another; they need not be rows of the table.
    Effects {
        /// The run before, and the run after.
        both: Box<[Run; 2]>,
        rules: Rules,
        measure: Measure,
    },
    /// A trial of a script on the first jobs, while a person writes it.
    Tried {
        /// The script and its estimates.
        run: Run,
        rules: Rules,
        /// Which jobs count, and the metrics' parameters.
        measure: Measure,
        jobs: usize,
    },
}

impl Query {
    /// The runs whose schedules the question needs.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        let (many, one): (&[Run], Option<&Run>) = match self {
            Query::Jobs(query) => (&query.runs, None),
            // These questions need no kept schedule.
            Query::Sizes
            | Query::Described
            | Query::Log { .. }
            | Query::Measured { .. }
            | Query::Drawn { .. }
            | Query::Effects { .. }
            | Query::Tried { .. } => (&[], None),
            Query::Waits { run, .. } | Query::WaitMap { run, .. } => (&[], run.as_ref()),
            Query::Gantt { run, .. }
            | Query::Window { run, .. }
            | Query::Export { run, .. }
            | Query::Waited { run, .. }
            | Query::Reasons { run, .. }
            | Query::FairStart { run, .. }
            | Query::Reservation { run, .. }
            | Query::Outlook { run, .. }
            | Query::Estimated { run, .. }
            | Query::Classes { run, .. }
            | Query::SiteFit { run, .. }
            | Query::UserWaits { run }
            | Query::Accuracy { run, .. } => (&[], Some(run)),
        };
        many.iter().chain(one)
    }

    /// The job for which a run has to be simulated again; `None` where no job is the reason.
    fn simulated_job(&self) -> Option<JobId> {
        match *self {
            Query::FairStart { job, .. }
            | Query::Reasons { job, .. }
            | Query::Reservation { job, .. }
            | Query::Estimated { job, .. } => Some(job),
            _ => None,
        }
    }

    /// Whether the answer may take as long as a run, because a run is simulated for it.
    pub fn takes_a_run(&self) -> bool {
        self.simulated_job().is_some()
            || matches!(
                self,
                Query::Outlook { .. }
                    | Query::Measured { .. }
                    | Query::Drawn { .. }
                    | Query::Effects { .. }
                    | Query::Tried { .. }
            )
    }

    /// Whether runners answer it, beside what else they compute, so that any number of such questions is answered.
    pub fn is_for_runners(&self) -> bool {
        matches!(self, Query::Measured { .. } | Query::Drawn { .. })
    }

    /// Whether the answer to `earlier` is no longer wanted once this question is asked. That is so where `earlier` asks
    /// the same about something else, or is about a job or a chart that has been left.
    pub fn supersedes(&self, earlier: &Query) -> bool {
        let is_of_another_job = match (self.simulated_job(), earlier.simulated_job()) {
            (Some(job), Some(before)) => job != before,
            _ => false,
        };
        let is_same = std::mem::discriminant(self) == std::mem::discriminant(earlier)
            && self.takes_a_run()
            && !self.is_for_runners();
        let is_of_one_chart = matches!((self, earlier), (Query::Gantt { .. }, Query::Outlook { .. }));
        is_of_another_job || is_same || is_of_one_chart
    }
}

/// Which boxes of a Gantt chart are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxesAsked {
    /// Most boxes; where there are more, the answer only gives their number.
    pub most: usize,
    /// The group of jobs that alone counts, if any.
    pub only: Option<CountedGroup>,
}

/// A page of the table of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobsQuery {
    /// Words that must all match: a bare number is a job number; others are like `user:5`, `procs>=64`, `wait>3600`,
    /// `run<60`, `queue:2`. Empty for all jobs.
    pub search: String,
    /// The column by which rows are sorted.
    pub sort: JobColumn,
    pub descending: bool,
    pub first: usize,
    pub count: usize,
    /// The runs whose starts are shown (one or two); waits are searched and sorted by them.
    pub runs: Vec<Run>,
}

/// A file made from a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScheduleFormat {
    /// SWF with the simulated waits.
    Swf,
    /// Batsim's `jobs.csv`, as evalys reads it.
    BatsimJobs,
    /// The columns job,start,estimate.
    Starts,
    /// Every known field of every job.
    Jobs,
    /// The columns job,start,end,why for killed executions.
    Killed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_of_another_job_takes_the_place_of_what_was_asked_before() {
        let run = Run::new("easy".parse().unwrap(), "last2".parse().unwrap());
        let rules = Rules::default();
        let fair = |job| Query::FairStart { run: run.clone(), rules, job: JobId(job) };
        let reservation = |job| Query::Reservation { run: run.clone(), rules, job: JobId(job) };
        let boxes = BoxesAsked { most: 9, only: None };
        let outlook = |at| Query::Outlook { run: run.clone(), rules, at, from: 0, boxes };
        assert!(!fair(1).supersedes(&reservation(1)), "both are shown");
        assert!(fair(2).supersedes(&reservation(1)));
        assert!(fair(1).supersedes(&fair(1)), "the run may be another");
        assert!(outlook(2).supersedes(&outlook(1)));
        assert!(Query::Gantt { run: run.clone(), from: 0, until: 9, boxes }.supersedes(&outlook(1)));
        assert!(!outlook(2).supersedes(&fair(1)) && !fair(1).supersedes(&outlook(2)));
        let waits = Query::UserWaits { run: run.clone() };
        assert!(!waits.supersedes(&waits) && !waits.takes_a_run());
    }
}
