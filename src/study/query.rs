//! Questions about the schedules of a study, answered where the schedules are: in a worker, or natively.

mod estimated;
mod gantt;
mod jobs;
mod row;
mod search;
mod waited;

pub use self::estimated::{Estimated, EstimatedTable, Explaining};
pub use self::waited::{Other, Waited};
use super::{Rules, Run, export, fair_starts_of};
pub use crate::metric::TimeSeries;
use crate::metric::{Accuracy, Counted, time_series};
use crate::simulation::{Reserved, Schedule, Simulation, check, outlook, reservation_course};
use crate::workload::{JobId, Log, Request, Seconds, Workload, write_swf};
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
        /// At most so many boxes; beyond that the answer says how many there are.
        most: usize,
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
    /// Whether a schedule is valid: the check that is independent of the engine.
    Check {
        /// Whose schedule.
        run: Run,
    },
    /// What a job waited for.
    Waited {
        /// Whose schedule.
        run: Run,
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
        /// At most so many boxes; beyond that the answer says how many there are.
        most: usize,
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
    /// How good the estimates were.
    Accuracy {
        /// Whose schedule.
        run: Run,
        /// Which jobs count.
        counted: Counted,
    },
}

impl Query {
    /// The runs whose schedules it is about.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        let (many, one): (&[Run], Option<&Run>) = match self {
            Query::Jobs(query) => (&query.runs, None),
            Query::Gantt { run, .. }
            | Query::Window { run, .. }
            | Query::Export { run, .. }
            | Query::Check { run }
            | Query::Waited { run, .. }
            | Query::FairStart { run, .. }
            | Query::Reservation { run, .. }
            | Query::Outlook { run, .. }
            | Query::Estimated { run, .. }
            | Query::Accuracy { run, .. } => (&[], Some(run)),
        };
        many.iter().chain(one)
    }
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

/// A column of the table of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JobColumn {
    /// Job number in the log.
    Number,
    /// Submit time.
    Submit,
    /// Processors.
    Processors,
    /// Requested time.
    Limit,
    /// Actual run time.
    Run,
    /// User.
    User,
    /// Wait under the run of that index.
    Wait(usize),
    /// Difference of the two waits, second minus first.
    Difference,
    /// Start less promised start under the run of that index.
    Delay(usize),
    /// Strict unfairness under the run of that index.
    StrictUnfairness(usize),
    /// Relaxed unfairness under the run of that index.
    RelaxedUnfairness(usize),
}

impl JobColumn {
    /// How many runs' schedules it needs.
    pub fn runs(self) -> usize {
        match self {
            JobColumn::Wait(run)
            | JobColumn::Delay(run)
            | JobColumn::StrictUnfairness(run)
            | JobColumn::RelaxedUnfairness(run) => run + 1,
            JobColumn::Difference => 2,
            _ => 0,
        }
    }
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
}

/// The answer to a [`Query`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "there is one answer at a time, and it is not copied about")]
pub enum Answer {
    /// To [`Query::Jobs`].
    Jobs {
        /// How many jobs match the search.
        matching: usize,
        /// The page's rows.
        rows: Vec<JobRow>,
    },
    /// To [`Query::Gantt`].
    Gantt {
        /// Boxes in the window; empty where there are more than asked for at most.
        boxes: Vec<GanttBox>,
        /// How many there are.
        total: usize,
    },
    /// To [`Query::Window`].
    Window(TimeSeries),
    /// To [`Query::Export`]: the file's bytes.
    File(Vec<u8>),
    /// To [`Query::Check`]: what is wrong, empty where nothing is.
    Faults(Vec<String>),
    /// To [`Query::Waited`].
    Waited(Waited),
    /// To [`Query::FairStart`]: strict and relaxed.
    FairStart(Seconds, Seconds),
    /// To [`Query::Reservation`]: one for each round that changed it.
    Reservation(Vec<Reserved>),
    /// To [`Query::Estimated`].
    Estimated(Estimated),
    /// To [`Query::Accuracy`].
    Accuracy(Accuracy),
}

/// A job and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobRow {
    /// Which job.
    pub job: JobId,
    /// What was asked for it.
    pub request: Request,
    /// Actual run time D.
    pub run: Seconds,
    /// What became of it under each run asked about.
    pub outcomes: Vec<Option<JobOutcome>>,
}

/// What became of a job under a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobOutcome {
    /// Start b.
    pub start: Seconds,
    /// The estimate E made at submission, seconds.
    pub estimate: f64,
    /// The start that it was guaranteed at its submission; none where nothing is guaranteed.
    pub promise: Option<Seconds>,
    /// Strict and relaxed fair start; none where they were not computed.
    pub fair: Option<(Seconds, Seconds)>,
}

impl JobOutcome {
    /// Of a job of a schedule.
    fn of(schedule: &Schedule, job: JobId) -> Self {
        JobOutcome {
            start: schedule.start(job),
            estimate: schedule.estimate(job),
            promise: schedule.promises.get(job.index()).copied(),
            fair: schedule.fair.as_ref().and_then(|fair| fair.of(job)),
        }
    }

    /// How much later than promised it starts, seconds; below 0 where it is earlier.
    pub fn delay(&self) -> Option<Seconds> {
        Some(self.start - self.promise?)
    }

    /// How much later than its strict fair start it starts, seconds.
    pub fn strict_unfairness(&self) -> Option<Seconds> {
        Some((self.start - self.fair?.0).max(0))
    }

    /// How much later than its relaxed fair start it starts, seconds.
    pub fn relaxed_unfairness(&self) -> Option<Seconds> {
        Some((self.start - self.fair?.1).max(0))
    }
}

/// A job's box in a Gantt chart; a job on processors that do not lie together has several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GanttBox {
    /// Which job.
    pub job: JobId,
    /// Its number in the log.
    pub number: i64,
    /// Its user.
    pub user: i32,
    /// Start and completion.
    pub span: (Seconds, Seconds),
    /// First processor, from 0.
    pub first: u32,
    /// How many processors.
    pub count: u32,
    /// How long the job waited; so far, where it has not started.
    pub wait: Seconds,
    /// What the box stands for.
    pub part: Part,
}

/// What a box of a Gantt chart stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// A job that runs, or ran.
    Ran,
    /// What a running job is expected to run on.
    Expected,
    /// A waiting job's reservation.
    Reserved,
}

/// Answers a query about a workload and the `log` that it was made of, where that is at hand;
/// `schedule` finds the schedule of a run, where there is one.
///
/// # Errors
/// In words: a run that has no schedule here, or a search that is not understood.
pub fn answer<'a>(
    query: &Query,
    workload: &Workload,
    log: Option<&Log>,
    schedule: &dyn Fn(&Run) -> Option<&'a Schedule>,
) -> Result<Answer, String> {
    // a schedule of another treatment of the log has other jobs
    let find = |run: &Run| schedule(run).filter(|schedule| schedule.starts.len() == workload.len());
    let of = |run: &Run| {
        let missing =
            || format!("{} with {} has not been simulated here; run it first.", run.scheduler.name(), run.estimate);
        find(run).ok_or_else(missing)
    };
    Ok(match query {
        Query::Jobs(query) => {
            let schedules: Vec<Option<&Schedule>> = query.runs.iter().map(find).collect();
            jobs::jobs(query, workload, &schedules)?
        }
        Query::Gantt { run, from, until, most } => gantt::gantt(workload, &of(run)?.starts, (*from, *until), *most),
        Query::Window { run, from, until, bins } => {
            Answer::Window(time_series(workload, of(run)?, *from, *until, *bins))
        }
        Query::Export { run, format } => Answer::File(match format {
            ScheduleFormat::Swf => {
                let log = log.ok_or("The log is not here, and its schedule is saved with all that the log says.")?;
                let mut file = Vec::new();
                // writing to memory does not fail
                write_swf(&mut file, log, workload, Some(&of(run)?.starts)).unwrap();
                file
            }
            ScheduleFormat::BatsimJobs => export::batsim_jobs(workload, of(run)?),
            ScheduleFormat::Starts => export::starts(workload, of(run)?),
        }),
        Query::Estimated { run, rules, job } => {
            let corrections = of(run)?.corrections.get(job.index()).copied().unwrap_or(0);
            let mut explaining = Explaining::begin(run, *rules, *job, workload, corrections)?;
            let estimated = explaining.advance(usize::MAX).ok_or("The job is not submitted in this run.")?;
            Answer::Estimated(estimated)
        }
        Query::Accuracy { run, counted } => Answer::Accuracy(Accuracy::of(workload, of(run)?, *counted)),
        Query::Check { run } => {
            Answer::Faults(check(workload, &of(run)?.starts).iter().map(ToString::to_string).collect())
        }
        Query::Waited { run, job } => Answer::Waited(waited::waited(workload, of(run)?, is_of(*job, workload)?)),
        Query::FairStart { run, rules, job } => {
            let (schedule, job) = (of(run)?, is_of(*job, workload)?);
            let (strict, relaxed) = match schedule.fair.as_ref().and_then(|fair| fair.of(job)) {
                Some(fair) => fair,
                None => {
                    let range = job.index()..job.index() + 1;
                    let fair = fair_starts_of(run, workload, *rules, schedule, range).map_err(|why| why.to_string())?;
                    fair.of(JobId(0)).ok_or(LOST)?
                }
            };
            Answer::FairStart(strict, relaxed)
        }
        Query::Reservation { run, rules, job } => {
            Answer::Reservation(reservation_course(simulation(run, workload, *rules)?, is_of(*job, workload)?))
        }
        Query::Outlook { run, rules, at, from, most } => {
            let expected = outlook(simulation(run, workload, *rules)?, *at);
            gantt::outlook(workload, &of(run)?.starts, &expected, (*from, *at), *most)
        }
    })
}

const LOST: &str = "The job is not in this log any more. Pick it again.";

fn is_of(job: JobId, workload: &Workload) -> Result<JobId, String> {
    if job.index() < workload.len() { Ok(job) } else { Err(LOST.to_owned()) }
}

/// The simulation of a run, which has not begun.
fn simulation<'a>(run: &Run, workload: &'a Workload, rules: Rules) -> Result<Simulation<'a>, String> {
    let no_scheduler = "The log's own schedule tells of no reservations: take a scheduler.";
    let scheduler = run.scheduler.build().ok_or(no_scheduler)?;
    Ok(Simulation::new(workload, scheduler, run.estimate.build(workload), rules.options(run)))
}
