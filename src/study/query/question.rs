//! What can be asked.

use super::JobColumn;
use crate::metric::{CountedGroup, CountedJobs, Grouping, Measure, Metric};
use crate::study::{LogPart, Rules, Run};
use crate::workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Query {
    /// A page of the table of jobs.
    Jobs(JobsQuery),
    /// The boxes of a Gantt chart.
    Gantt {
        /// Whose schedule.
        run: Run,
        /// Window, in seconds of the log's clock.
        from: Seconds,
        /// End of the window, excluded.
        until: Seconds,
        /// Which boxes.
        boxes: BoxesAsked,
    },
    /// Queue and utilisation in a window of time.
    Window {
        /// Whose schedule.
        run: Run,
        /// Window, in seconds of the log's clock.
        from: f64,
        /// End of the window.
        until: f64,
        /// Into how many bins it is reduced.
        bins: usize,
    },
    /// A schedule as a file.
    Export {
        /// Whose schedule.
        run: Run,
        /// As what.
        format: ScheduleFormat,
    },
    /// Waits by width and requested time.
    WaitMap {
        /// Whose schedule; none: what the log itself tells.
        run: Option<Run>,
        /// Which jobs count.
        counted: CountedJobs,
    },
    /// The log as SWF, as it was read.
    Log {
        /// Under which key names become numbers; none: they stay names.
        key: Option<String>,
    },
    /// Whether a schedule is valid and keeps what its scheduler guarantees: checks that are independent of the engine.
    Check {
        /// Whose schedule.
        run: Run,
        /// The rules it was made by.
        rules: Rules,
    },
    /// Whether the plain scheduler comes to the same starts. It takes longer than the run.
    Plain {
        /// Whose schedule.
        run: Run,
        /// The rules it was made by.
        rules: Rules,
    },
    /// What a job waited for.
    Waited {
        /// Whose schedule.
        run: Run,
        /// Which job.
        job: JobId,
    },
    /// Why a job waited, in the words of scheduler and classifier, where they say so.
    Reasons {
        /// Whose schedule.
        run: Run,
        /// The rules it was made by.
        rules: Rules,
        /// Which job.
        job: JobId,
    },
    /// The fair start times of a job, computed where the schedule does not hold them.
    FairStart {
        /// Whose schedule.
        run: Run,
        /// The rules it was made by.
        rules: Rules,
        /// Which job.
        job: JobId,
    },
    /// A job's reservation from its submission to its start.
    Reservation {
        /// Whose schedule.
        run: Run,
        /// The rules it was made by.
        rules: Rules,
        /// Which job.
        job: JobId,
    },
    /// Who runs at an instant, and who waits with which reservation, as boxes of a Gantt chart.
    Outlook {
        /// Whose schedule.
        run: Run,
        /// The rules it was made by.
        rules: Rules,
        /// When.
        at: Seconds,
        /// From when on jobs are shown that ran before.
        from: Seconds,
        /// Which boxes.
        boxes: BoxesAsked,
    },
    /// Why a job was estimated as it was.
    Estimated {
        /// Whose schedule.
        run: Run,
        /// The rules it was made by.
        rules: Rules,
        /// Which job.
        job: JobId,
    },
    /// What a schedule did to small and large jobs.
    Classes {
        /// Whose schedule.
        run: Run,
        /// Which jobs count.
        counted: CountedJobs,
        /// Bound k of the bounded slowdown, seconds.
        bound: f64,
    },
    /// Waits and slowdowns by group.
    Waits {
        /// Whose schedule; none: what the log itself tells.
        run: Option<Run>,
        /// By what jobs are grouped.
        by: Grouping,
        /// Which jobs count, and the bound of the bounded slowdown.
        measure: Measure,
    },
    /// How near Slurm as configured comes to the log, by user, partition and QOS.
    SiteFit {
        /// Whose schedule.
        run: Run,
        /// Which jobs count, and the bound of the bounded slowdown.
        measure: Measure,
    },
    /// How long each user's jobs waited.
    UserWaits {
        /// Whose schedule.
        run: Run,
    },
    /// How small and large jobs of the workload differ, and what run times say of later ones.
    Sizes,
    /// How good the estimates were.
    Accuracy {
        /// Whose schedule.
        run: Run,
        /// Which jobs count.
        counted: CountedJobs,
    },
    /// What the workload is like, and what was done to the log for it.
    Described,
    /// Some metrics of runs that are no rows of the table, on a part of the workload.
    Measured {
        /// Which runs.
        runs: Vec<Run>,
        /// The rules they follow.
        rules: Rules,
        /// Which jobs count, and the metrics' parameters.
        measure: Measure,
        /// Which metrics.
        metrics: Vec<Metric>,
        /// Which part.
        part: LogPart,
    },
    /// What a script that is being written comes to on the first jobs.
    Tried {
        /// The script and its estimates.
        run: Run,
        /// The rules it follows.
        rules: Rules,
        /// Which jobs count, and the metrics' parameters.
        measure: Measure,
        /// On how many jobs.
        jobs: usize,
    },
}

impl Query {
    /// The runs whose schedules it is about.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        let (many, one): (&[Run], Option<&Run>) = match self {
            Query::Jobs(query) => (&query.runs, None),
            // its runs have no schedules that are kept
            Query::Sizes | Query::Described | Query::Log { .. } | Query::Measured { .. } | Query::Tried { .. } => {
                (&[], None)
            }
            Query::Waits { run, .. } | Query::WaitMap { run, .. } => (&[], run.as_ref()),
            Query::Gantt { run, .. }
            | Query::Window { run, .. }
            | Query::Export { run, .. }
            | Query::Check { run, .. }
            | Query::Plain { run, .. }
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

    /// The job that a run has to be lived through again for; none where that is not needed.
    fn simulated_job(&self) -> Option<JobId> {
        match *self {
            Query::FairStart { job, .. }
            | Query::Reasons { job, .. }
            | Query::Reservation { job, .. }
            | Query::Estimated { job, .. } => Some(job),
            _ => None,
        }
    }

    /// Whether the answer may take as long as a run, for which the run is lived through again.
    pub fn takes_a_run(&self) -> bool {
        self.simulated_job().is_some()
            || matches!(
                self,
                Query::Outlook { .. } | Query::Plain { .. } | Query::Measured { .. } | Query::Tried { .. }
            )
    }

    /// Whether the answer to `earlier` is of no use to who asks this: it is the same question about
    /// something else, one about a job that is not looked at any more, or of what a Gantt chart showed. Whatever
    /// is asked goes before a run with a plain scheduler, which may take minutes.
    pub fn supersedes(&self, earlier: &Query) -> bool {
        let is_of_another_job = match (self.simulated_job(), earlier.simulated_job()) {
            (Some(job), Some(before)) => job != before,
            _ => false,
        };
        let is_same = std::mem::discriminant(self) == std::mem::discriminant(earlier)
            && self.takes_a_run()
            && !matches!(self, Query::Measured { .. });
        let is_of_one_chart = matches!((self, earlier), (Query::Gantt { .. }, Query::Outlook { .. }));
        is_of_another_job || is_same || is_of_one_chart || matches!(earlier, Query::Plain { .. })
    }
}

/// Which boxes of a Gantt chart are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxesAsked {
    /// At most so many; beyond that the answer says how many there are.
    pub most: usize,
    /// The group that alone counts.
    pub only: Option<CountedGroup>,
}

/// A page of the table of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobsQuery {
    /// Words that must all match: a bare number is a job number; `user:5`, `procs>=64`, `wait>3600`,
    /// `run<60`, `queue:2`, ...; empty for all.
    pub search: String,
    /// By what to sort.
    pub sort: JobColumn,
    /// Largest first.
    pub descending: bool,
    /// First row of the page.
    pub first: usize,
    /// Rows of the page.
    pub count: usize,
    /// The runs whose starts are shown (one or two), by which waits are sorted and searched.
    pub runs: Vec<Run>,
}

/// A file made from a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScheduleFormat {
    /// SWF with the simulated waits.
    Swf,
    /// Batsim's `jobs.csv`, as evalys reads it.
    BatsimJobs,
    /// job,start,estimate.
    Starts,
    /// Every field of every job, those of which something is known.
    Jobs,
    /// job,start,end,why of executions that were killed.
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
        let check = Query::Check { run: run.clone(), rules };
        assert!(!check.supersedes(&check) && !check.takes_a_run());
        let plain = Query::Plain { run: run.clone(), rules };
        assert!(check.supersedes(&plain) && !plain.supersedes(&check) && plain.takes_a_run());
    }
}
