//! Answers questions about schedules.

use super::answer::{LOST, UnderWay};
use super::estimated::Explaining;
use super::jobs::{Scheduled, jobs_file};
use super::waited::{FindingReasons, Reasons};
use super::{Answer, LearnedSizes, Query, ScheduleFormat, gantt, jobs, waited};
use crate::grouped::{waits_as_logged, waits_of};
use crate::script_trial::{RunningTrial, first_jobs};
use crate::what_if::RunDraw;
use crate::{Effects, Ended, GroupedWaits, Losses, Rules, Run, Running, SiteFit, export, fair_start_search, measured};
use packfair_engine::metric::{
    Accuracy, ClassCourse, Evaluation, Grouping, Measure, Metric, logged_outcomes, outcomes, time_series, wait_cells,
};
use packfair_engine::model::Schedule;
use packfair_engine::simulation::{ReservationCourse, Simulation};
use packfair_workload::{JobId, Log, Summary, Workload, anonymise, write_log, write_swf};
use std::ops::Range;
use std::rc::Rc;

/// The state of an answer.
#[allow(clippy::large_enum_variant, reason = "there is one answer at a time, and it is not copied about")]
pub enum Begun<'a> {
    Answered(Answer),
    UnderWay(UnderWay<'a>),
}

/// Answers a query in one go.
///
/// # Errors
/// As [`begin`].
pub fn answer<'a>(
    query: &Query,
    workload: &'a Workload,
    log: Option<&Log>,
    schedule: &dyn Fn(&Run) -> Option<&'a Schedule>,
) -> Result<Answer, String> {
    match begin(query, workload, log, schedule)? {
        Begun::Answered(answer) => Ok(answer),
        Begun::UnderWay(mut under_way) => under_way.advance(usize::MAX).ok_or(LOST)?,
    }
}

/// Begins to answer a query about a workload. `log` is the log that it was made of, where that is at hand; `schedule`
/// finds the schedule of a run, where there is one.
///
/// # Errors
/// A message in words: a run has no schedule here, or the search cannot be read.
pub fn begin<'a>(
    query: &Query,
    workload: &'a Workload,
    log: Option<&Log>,
    schedule: &dyn Fn(&Run) -> Option<&'a Schedule>,
) -> Result<Begun<'a>, String> {
    begin_lived(query, workload, log, schedule, &|_| None)
}

/// Begins to answer a query, as [`begin`] does, where users may have reacted. `lived` finds the lived workload of a
/// run, to which its schedule belongs ([`Schedule::workload`]). Questions and answers name jobs by their places in the
/// log.
///
/// # Errors
/// As [`begin`].
pub fn begin_lived<'a>(
    query: &Query,
    workload: &'a Workload,
    log: Option<&Log>,
    schedule: &dyn Fn(&Run) -> Option<&'a Schedule>,
    lived: &dyn Fn(&Run) -> Option<&'a Workload>,
) -> Result<Begun<'a>, String> {
    let find = |run: &Run| {
        let (workload, schedule) = (lived(run).unwrap_or(workload), schedule(run)?);
        // A schedule of another treatment of the log has other jobs.
        let is_of = schedule.starts.len() == workload.len() && schedule.submits.is_some() == workload.life().is_some();
        is_of.then_some(Scheduled { workload, schedule })
    };
    let scheduled = |run: &Run| {
        let missing = || {
            let (name, estimate) = (run.scheduler.name(), &run.estimate);
            format!("{name} with {estimate} has not been simulated here; run it first.")
        };
        find(run).ok_or_else(missing)
    };
    // The workload of the query's run, where the query has one.
    let workload = match query {
        Query::Jobs(_) => workload,
        _ => query.runs().next().and_then(lived).unwrap_or(workload),
    };
    let of = |run: &Run| Ok::<_, String>(scheduled(run)?.schedule);
    let is_of = |place: JobId| workload.job_of_place(place).ok_or_else(|| LOST.to_owned());
    Ok(Begun::Answered(match query {
        Query::Jobs(query) => {
            let schedules: Vec<Option<Scheduled<'_>>> = query.runs.iter().map(find).collect();
            jobs::jobs(query, workload, &schedules)?
        }
        Query::Gantt { run, from, until, boxes } => gantt::gantt(workload, of(run)?, (*from, *until), *boxes),
        Query::Window { run, from, until, bins } => {
            Answer::Window(time_series(workload, of(run)?, *from, *until, *bins))
        }
        Query::Log { key } => {
            let log = log.ok_or("The log is not here. Drop its file on the page again.")?;
            let anonymous = key.as_ref().map(|key| anonymise(log, key.as_bytes()));
            let mut file = Vec::new();
            // Writing to memory does not fail.
            write_log(&mut file, anonymous.as_ref().unwrap_or(log)).unwrap();
            Answer::File(file)
        }
        Query::Export { run, format } => Answer::File(match format {
            ScheduleFormat::Swf => {
                let log = log.ok_or("The log is not here, and its schedule is saved with all that the log says.")?;
                let mut file = Vec::new();
                // Writing to memory does not fail.
                write_swf(&mut file, log, workload, Some(&of(run)?.starts)).unwrap();
                file
            }
            ScheduleFormat::BatsimJobs => export::batsim_jobs(workload, of(run)?),
            ScheduleFormat::Starts => export::starts(workload, of(run)?),
            ScheduleFormat::Jobs => jobs_file(workload, of(run)?),
            ScheduleFormat::Killed => {
                export::killed(workload, of(run)?).ok_or("No job was killed under this scheduler.")?
            }
        }),
        Query::Estimated { run, rules, job } => {
            let job = is_of(*job)?;
            let corrections = of(run)?.corrections.get(job.index()).copied().unwrap_or(0);
            let explaining = Explaining::begin(run, *rules, job, workload, corrections)?;
            return Ok(Begun::UnderWay(UnderWay::estimated(explaining)));
        }
        Query::Accuracy { run, counted } => Answer::Accuracy(Accuracy::of(workload, of(run)?, *counted)),
        Query::Classes { run, counted, bound } => {
            Answer::Classes(ClassCourse::of(workload, of(run)?, *counted, *bound))
        }
        Query::WaitMap { run, counted } => {
            let all = match run {
                Some(run) => outcomes(workload, of(run)?),
                None => logged_outcomes(workload),
            };
            Answer::WaitMap(wait_cells(workload, &counted.of(workload, &all)))
        }
        Query::Waits { run: Some(run), by, measure } => Answer::Waits(waits_of(run, workload, of(run)?, *by, measure)),
        Query::Waits { run: None, by, measure } => Answer::Waits(waits_as_logged(workload, *by, measure)),
        Query::SiteFit { run, measure } => Answer::encoded(&SiteFit::of(run, workload, of(run)?, measure)),
        Query::UserWaits { run } => Answer::encoded(&GroupedWaits::of(workload, of(run)?, Grouping::User)),
        Query::Measured { runs, rules, measure, metrics, losses, part } => {
            let part = Rc::new(part.of(workload));
            let aspects = (metrics.clone(), losses.clone());
            let measuring = Measuring::begin(part, runs.clone(), *rules, measure.clone(), aspects);
            return Ok(Begun::UnderWay(UnderWay::measuring(measuring)));
        }
        Query::Drawn { run, draws: (first, end), rules, measure, metrics } => {
            let measured = (measure.clone(), metrics.clone());
            let workload = Rc::new(workload.clone());
            let mut drawing = Drawing::begin(workload, run.clone(), *first..*end, *rules, measured);
            std::iter::repeat_with(|| drawing.advance()).flatten().next().ok_or(LOST)?
        }
        Query::Effects { both, rules, measure } => {
            Answer::encoded(&Effects::of(both.each_ref(), workload, *rules, measure).ok())
        }
        Query::Tried { run, rules, measure, jobs } => {
            let first = first_jobs(workload, *jobs);
            let mut trying = RunningTrial::begin(run, &first, workload.len(), *rules, measure.clone());
            let trial = std::iter::repeat_with(|| trying.advance(usize::MAX)).flatten().next();
            Answer::Tried(Box::new(trial.ok_or(LOST)?))
        }
        Query::Described => Answer::Described(Box::new(Summary::of(workload)), workload.account.clone()),
        Query::Sizes => Answer::Sizes(LearnedSizes::of(workload)),
        Query::Waited { run, job } => Answer::Waited(waited::waited(workload, of(run)?, is_of(*job)?)),
        Query::Reasons { run, rules, job } => {
            let (_, job) = (of(run)?, is_of(*job)?);
            match run.simulation(workload, *rules).and_then(|simulation| FindingReasons::begin(simulation, job)) {
                Some(finding) => return Ok(Begun::UnderWay(UnderWay::reasons(finding))),
                None => Answer::Reasons(Reasons::default()),
            }
        }
        Query::FairStart { run, rules, job } => {
            let (schedule, job) = (of(run)?, is_of(*job)?);
            match schedule.fair.as_ref().and_then(|fair| fair.of(job)) {
                Some((strict, relaxed)) => Answer::FairStart(strict, relaxed),
                None => {
                    let search = fair_start_search(run, workload, *rules, schedule).map_err(|why| why.to_string())?;
                    return Ok(Begun::UnderWay(UnderWay::fair_start(search, job)));
                }
            }
        }
        Query::Reservation { run, rules, job } => {
            let course = ReservationCourse::new(simulation(run, workload, *rules)?, is_of(*job)?);
            return Ok(Begun::UnderWay(UnderWay::reservation(course)));
        }
        Query::Outlook { run, rules, at, from, boxes } => {
            let (simulation, schedule) = (simulation(run, workload, *rules)?, of(run)?);
            return Ok(Begun::UnderWay(UnderWay::outlook(simulation, workload, schedule, (*from, *at), *boxes)));
        }
    }))
}

/// The simulation of a run, before its first job arrives.
fn simulation<'a>(run: &Run, workload: &'a Workload, rules: Rules) -> Result<Simulation<'a>, String> {
    let no_scheduler = "Nobody reserves anything in this schedule: take that of a scheduler.";
    run.simulation(workload, rules).ok_or_else(|| no_scheduler.to_owned())
}

// Runs for which only some metrics are wanted, one after the other.

/// Such runs under way on a part of a workload.
pub struct Measuring {
    part: Rc<Workload>,
    runs: Vec<Run>,
    rules: Rules,
    measure: Measure,
    metrics: Vec<Metric>,
    losses: Option<Box<Losses>>,
    /// The waits of groups that losses are measured against, once the run that they are of has ended; `None` if it
    /// cannot be made.
    before: Option<Option<Vec<GroupedWaits>>>,
    /// The values of the runs that have ended; `None` for a run that cannot be made.
    values: Vec<Option<Vec<Option<f64>>>>,
}

impl Measuring {
    /// Prepares the runs; none has begun. Of each, these metrics and losses are measured.
    pub fn begin(
        part: Rc<Workload>,
        runs: Vec<Run>,
        rules: Rules,
        measure: Measure,
        (metrics, losses): (Vec<Metric>, Option<Box<Losses>>),
    ) -> Self {
        Measuring { part, runs, rules, measure, metrics, losses, before: None, values: Vec::new() }
    }

    /// Makes one more run; gives the answer once all runs have ended.
    pub fn advance(&mut self) -> Option<Answer> {
        if let Some(run) = self.runs.get(self.values.len()) {
            let losses = || self.losses.as_ref().map_or(Ok(Vec::new()), |losses| losses.before(&self.part, self.rules));
            let before = self.before.get_or_insert_with(|| losses().ok());
            let values = before
                .as_ref()
                .and_then(|before| measured(run, &self.part, self.rules, &self.measure, &self.metrics, before).ok());
            self.values.push(values);
        }
        (self.values.len() >= self.runs.len())
            .then(|| Answer::Measured { jobs: self.part.len(), values: std::mem::take(&mut self.values) })
    }
}

// Draws of a run, one after the other: what differs from run to run of a real scheduler is drawn anew.

/// Such draws under way on a workload.
pub struct Drawing {
    workload: Rc<Workload>,
    run: Run,
    draws: Range<u32>,
    rules: Rules,
    measure: Measure,
    metrics: Vec<Metric>,
    done: Vec<Result<RunDraw, String>>,
}

impl Drawing {
    /// Prepares the draws of a run; none has begun. Of each, these metrics and the waits of users are measured.
    pub fn begin(
        workload: Rc<Workload>,
        run: Run,
        draws: Range<u32>,
        rules: Rules,
        (measure, metrics): (Measure, Vec<Metric>),
    ) -> Self {
        Drawing { workload, run, draws, rules, measure, metrics, done: Vec::new() }
    }

    /// Makes one more draw; gives the answer once all have ended.
    pub fn advance(&mut self) -> Option<Answer> {
        if let Some(draw) = self.draws.next() {
            self.done.push(self.drawn(draw));
        }
        self.draws.is_empty().then(|| Answer::encoded(&std::mem::take(&mut self.done)))
    }

    fn drawn(&self, draw: u32) -> Result<RunDraw, String> {
        let run = Run { scheduler: self.run.scheduler.drawn(draw), ..self.run.clone() };
        let running = Running::begin(&run, &self.workload, self.rules).map_err(|why| why.to_string())?;
        let Ended { workload, schedule } = running.ended().map_err(|why| why.to_string())?;
        let evaluation = Evaluation::new(&workload, &schedule, &self.measure);
        Ok(RunDraw {
            jobs: workload.len(),
            values: self.metrics.iter().map(|&metric| evaluation.value(metric)).collect(),
            waits: GroupedWaits::of(&workload, &schedule, Grouping::User),
        })
    }
}
