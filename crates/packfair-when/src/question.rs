//! What a forecast is asked: the scheduler, and how futures are drawn.

use super::course::MachineCourse;
use super::past::{Arrivals, WEEK};
use super::telling::{JobTold, WhenTold};
use packfair_study::limits::{LONGEST_LINK, LONGEST_MESSAGE, LONGEST_NAME, PROCESSOR_RANGE};
use packfair_study::link::LinkError;
use packfair_study::{Engine, Rules, Run, Source, link, what_if};
use packfair_workload::{Seconds, Workload, printable};
use serde::{Deserialize, Serialize};

/// The usual number of futures.
pub const FUTURES: u32 = 200;

/// The usual time after which a future ends, seconds.
pub const HORIZON: Seconds = 2 * WEEK;

/// What a forecast is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// The scheduler and its estimates.
    pub run: Run,
    /// The rules of the run.
    pub rules: Rules,
    /// Who comes after the moment.
    pub arrivals: Arrivals,
    /// How many futures are drawn.
    pub futures: u32,
    /// The seed of the draws.
    pub seed: u64,
    /// How far a future goes, seconds: what has not started by then starts later.
    pub horizon: Seconds,
}

/// Why nothing can be forecast.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotForecast {
    /// The starts are given or computed beforehand.
    #[error("{0} does not decide as time passes, so that it has no futures: choose a scheduler such as easy or slurm")]
    NoScheduler(String),
    /// The scheduler trains a classifier.
    #[error("{0} trains a classifier as it goes, which a forecast does not: choose a scheduler such as easy or slurm")]
    Trains(String),
    #[error(
        "the estimator {0} knows run times before the jobs end, which no forecast can: take requested, or one that learns"
    )]
    /// The estimator knows run times.
    KnowsRuns(String),
    /// Users react to what they get.
    #[error("users who react are not forecast: let them submit when the log says (no feedback)")]
    Reacting,
    /// No moment is given, and none follows from the log.
    #[error("nothing tells of which moment the forecast is to be: say so, or give the queue of now")]
    NoMoment,
    /// The text of the moment cannot be read.
    #[error("the moment takes {0}")]
    Moment(String),
    /// The nodes that are to be drained cannot be.
    #[error("the drain {0}")]
    Drain(String),
    /// No job is submitted by the moment.
    #[error("nobody had submitted a job by then: take a moment after the log's first submission")]
    NobodyYet,
    /// Logged starts are asked for, and the log has none.
    #[error("the log does not tell when its jobs started: take simulated starts")]
    NoStarts,
    /// A run of the study would fail too.
    #[error("{0}")]
    CannotRun(String),
}

impl Question {
    /// Whether it can be asked of a workload.
    ///
    /// # Errors
    /// Says why not.
    pub fn check(&self, workload: &Workload) -> Result<(), CannotForecast> {
        let name = || self.run.scheduler.name();
        if self.run.scheduler.is_given() || self.run.scheduler.is_offline() {
            return Err(CannotForecast::NoScheduler(name()));
        }
        if self.run.scheduler.classifier(workload).is_some() {
            return Err(CannotForecast::Trains(name()));
        }
        let method = self.run.estimate.method.family();
        if method.entry.id == "actual" || self.run.estimate.method.settings().file().is_some() {
            return Err(CannotForecast::KnowsRuns(method.entry.name.to_owned()));
        }
        if workload.reactions().is_some() {
            return Err(CannotForecast::Reacting);
        }
        let cannot = |error: String| CannotForecast::CannotRun(error);
        self.run.scheduler.check_on(workload).map_err(|error| cannot(error.to_string()))?;
        self.run.scheduler.check_at(workload).map_err(cannot)
    }

    /// The question with nodes of the site of a workload that take no jobs from a time after `now` on, as a person writes it
    /// (`20@18:00`), and what that is in words; the question itself where the text is empty.
    ///
    /// # Errors
    /// There is no such site, or the text cannot be read.
    pub fn drained(
        &self,
        workload: &Workload,
        text: &str,
        now: Seconds,
    ) -> Result<(Question, Option<String>), CannotForecast> {
        let mut question = self.clone();
        if text.trim().is_empty() {
            return Ok((question, None));
        }
        let base = &self.run.scheduler;
        let Some(at) = workload.site().filter(|_| base.family().entry.id == "slurm") else {
            return Err(CannotForecast::Drain(
                "takes the nodes of a Slurm site, as its slurm.conf names them, and the scheduler slurm".to_owned(),
            ));
        };
        let (from, end) = (now + at.zero, now + at.zero + self.horizon);
        question.run.scheduler = what_if::drained(base, &at.site, text, (from, end)).map_err(CannotForecast::Drain)?;
        let words = what_if::changed_in_words(&question.run.scheduler, &at.site);
        Ok((question, words.map(|what| format!("with {what}"))))
    }

    /// How many waiting jobs a forecast looks at, those first in log order: schedulers that plan for every job in every
    /// round take too long with more.
    pub fn most_waiting(&self) -> usize {
        match self.run.scheduler.family().entry.id {
            "list" | "easy" => 200_000,
            // backfill looks at bf_max_job_test of them
            "slurm" => 10_000,
            _ => 1_000,
        }
    }

    /// Whether the scheduler decides by who runs and who waits alone, and remembers nothing else.
    pub(super) fn is_memoryless(&self, workload: &Workload) -> bool {
        let id = self.run.scheduler.family().entry.id;
        let counts = || self.run.scheduler.build_on(workload).is_some_and(|scheduler| scheduler.counts_usage());
        matches!(id, "list" | "easy") && !self.run.estimate.method.family().learns && !counts()
    }
}

// An answer as text in an address: the forecasts alone, without the log.

/// The most waiting jobs, points of a course, and sentences that a link carries.
const MOST_JOBS: usize = 200;
const MOST_POINTS: usize = 200;
const MOST_NOTES: usize = 20;

/// The points of a fan.
const FAN: usize = 21;

/// An answer, and what it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhenLink {
    /// The log.
    pub source: Source,
    /// What was told of the queue.
    pub told: WhenTold,
    /// How many waiting jobs there were; the link may have fewer.
    pub waiting: usize,
    /// What is told of one job, where the link is about it.
    pub of_job: Option<JobTold>,
    /// The engine that computed it.
    pub engine: Engine,
}

impl WhenLink {
    /// A link with what is told of all waiting jobs, or of one of them.
    pub fn of(source: Source, told: &WhenTold, of_job: Option<&JobTold>) -> Self {
        let mut told = told.clone();
        let waiting = told.forecasts.len();
        told.forecasts.retain(|forecast| of_job.is_none_or(|of_job| of_job.job == forecast.job));
        told.forecasts.truncate(MOST_JOBS);
        if of_job.is_some() {
            told.course = MachineCourse::default();
        }
        WhenLink { source, told, waiting, of_job: of_job.cloned(), engine: Engine::THIS }
    }

    /// The link as text that needs no escaping in an address: JSON, packed as a study's link is.
    ///
    /// # Errors
    /// Where [`WhenLink::parse`] would refuse it.
    pub fn to_text(&self) -> Result<String, LinkError> {
        let link = self.clone().checked()?;
        // plain data under keys that are text can always be written
        let text = link::pack(serde_json::to_string(&link).unwrap_or_default().as_bytes());
        if text.len() > LONGEST_LINK { Err(LinkError::TooLarge) } else { Ok(text) }
    }

    /// Reads a link from the text of an address.
    ///
    /// # Errors
    /// Where the text is no such link, or was cut short or changed.
    pub fn parse(text: &str) -> Result<Self, LinkError> {
        let link: WhenLink = serde_json::from_slice(&link::unpack(text)?).map_err(|_| LinkError::Damaged)?;
        link.checked()
    }

    fn checked(mut self) -> Result<Self, LinkError> {
        let WhenTold { asked, clock, notes, test, forecasts, course, .. } = &mut self.told;
        let is_sound = clock.is_sound()
            && asked.now.len() <= LONGEST_NAME
            && asked.drain.len() <= LONGEST_MESSAGE
            && forecasts.len() <= MOST_JOBS
            && notes.len() <= MOST_NOTES
            && is_course(course)
            && test.as_ref().is_none_or(|test| test.coverage_80.is_finite() && test.median_error_s.is_finite());
        if !is_sound {
            return Err(LinkError::Damaged);
        }
        let short = |text: &mut String| *text = printable(text).chars().take(LONGEST_MESSAGE).collect();
        notes.iter_mut().for_each(short);
        for forecast in forecasts.iter_mut() {
            let chances = [forecast.within_1h, forecast.within_4h, forecast.within_24h];
            let are_sound = forecast.p10 <= forecast.p50
                && forecast.p50 <= forecast.p90
                && chances.iter().all(|chance| (0.0..=1.0).contains(chance));
            if !are_sound {
                return Err(LinkError::Damaged);
            }
            short(&mut forecast.reason);
            forecast.user.iter_mut().for_each(short);
        }
        if let Some(of_job) = &mut self.of_job {
            let is_rising = of_job.fan.is_sorted();
            let is_few = of_job.before.len() <= MOST_NOTES && of_job.help.len() <= MOST_NOTES;
            if of_job.fan.len() != FAN || !is_rising || !is_few {
                return Err(LinkError::Damaged);
            }
            for before in &mut of_job.before {
                short(&mut before.why);
                before.user.iter_mut().for_each(short);
            }
            of_job.help.iter_mut().for_each(|help| short(&mut help.what));
        }
        Ok(self)
    }
}

fn is_course(course: &MachineCourse) -> bool {
    let points = course.times.len();
    let is_band = |bands: &[[f64; 3]]| bands.len() == points && bands.iter().flatten().all(|value| value.is_finite());
    points <= MOST_POINTS
        && course.times.is_sorted()
        && is_band(&course.queue)
        && is_band(&course.free)
        && (points == 0 || PROCESSOR_RANGE.contains(&course.processors))
}
