//! Who comes after a moment: nobody, who really came, or who came in weeks before at the same hour and weekday.

use super::past::{Known, Past};
use super::stage::Coming;
use packfair_base::random::Random;
use packfair_workload::{JobId, Seconds};

pub(super) const WEEK: Seconds = 7 * 86_400;

/// The most weeks before a moment from which arrivals are drawn: habits change.
const MOST_WEEKS: Seconds = 8;

/// Who arrives after the moment of a forecast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrivals {
    /// A stretch of the log at the same hour and weekday.
    #[default]
    Drawn,
    /// Nobody.
    None,
    /// Who really came, for trying forecasts.
    Again,
}

packfair_base::named!(Arrivals, "way of arrivals", {
    Drawn => "drawn", "Drawn", "Weeks before the moment are drawn, each job at its own hour and weekday";
    None => "none", "Nobody", "Nobody is submitted after the moment";
    Again => "again", "As they came", "Who really came after the moment, for trying forecasts on a log";
});

/// The jobs of the log that were submitted in `(from, until]`.
fn submitted(past: &Past, from: Seconds, until: Seconds) -> impl Iterator<Item = (JobId, Seconds)> {
    let jobs = past.submitted(from) as u32..past.submitted(until) as u32;
    jobs.map(JobId).map(|job| (job, past.workload().request(job).submit))
}

impl Arrivals {
    /// The jobs that come within `horizon` seconds after `now`, in order.
    pub(super) fn coming(self, past: &Past, now: Seconds, horizon: Seconds, random: &mut Random) -> Coming {
        match self {
            Arrivals::None => Coming::new(),
            Arrivals::Again => submitted(past, now, now + horizon).collect(),
            Arrivals::Drawn => drawn(past, now, horizon, random),
        }
    }
}

/// Draws one of the weeks before for each week to come. Of a log that is shorter, days are drawn.
fn drawn(past: &Past, now: Seconds, horizon: Seconds, random: &mut Random) -> Coming {
    let Some(first) = past.workload().requests().first() else { return Coming::new() };
    let known = now - first.submit;
    let step = if known >= WEEK { WEEK } else { WEEK / 7 };
    let count = (known / step).min(MOST_WEEKS);
    let mut coming = Coming::new();
    let mut ahead = 0;
    while ahead < horizon && count > 0 {
        let back = step * (1 + random.below_fine(count as usize) as Seconds);
        let end = step.min(horizon - ahead);
        let by = ahead + back;
        // who came then and has left without a start takes nothing
        let came =
            submitted(past, now - back, now - back + end).filter(|&(job, _)| past.known(job, now) != Known::Left);
        coming.extend(came.map(|(job, submit)| (job, submit + by)));
        ahead += step;
    }
    coming
}
