//! An answer as text in an address: the forecasts alone, without the log.

use super::course::MachineCourse;
use super::telling::{JobTold, WhenTold};
use packfair_study::limits::{LONGEST_LINK, LONGEST_MESSAGE, LONGEST_NAME, PROCESSOR_RANGE};
use packfair_study::link::LinkError;
use packfair_study::{Engine, Source, link};
use packfair_workload::printable;
use serde::{Deserialize, Serialize};

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
