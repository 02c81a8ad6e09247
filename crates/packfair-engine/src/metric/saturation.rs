//! Whether the queue grew to the end of the log.
//!
//! Where jobs ask for more than a scheduler can serve, waits grow with the length of the log. Averages then show that
//! length, not what the scheduler does, and mean nothing. DYNP's curves end where that begins.

use super::Outcome;
use super::sums::Totals;
use crate::model::Notes;
use crate::model::note::stranded::{BEHIND, IDLE, OTHERS, RESOURCES, STRANDED};
use packfair_workload::Seconds;
use serde::{Deserialize, Serialize};

/// The least work that is left, as a share of what the whole machine does over the span of the submissions. In a log of
/// a year that is 18 days of work, which no stable queue of the archive's logs comes near. Where the load exceeds what
/// can be served by 5 %, this much is left.
const LEAST_LEFT: f64 = 0.05;

/// Work for a week of the whole machine, seconds. It is much, however long the log is: in CP Fig. 5 27 days are left
/// after two years, less than 4 %. A short log has no room for it.
const MUCH_LEFT: f64 = 7.0 * 86_400.0;

/// The least ratio of the average backlog of the second half to that of the first. In a queue that grows evenly the
/// ratio is three; in one that goes up and down it is as often below one as above.
const GROWTH: f64 = 1.5;

/// The least ratio of the average backlog of the last quarter to that of the quarter before. In a queue that grows
/// evenly the ratio is 1.4. It is less where submissions decline at the end, as in KTH-SP2, and lower still where the
/// queue is worked off.
const TREND: f64 = 0.75;

/// The least share of the jobs left that have waited longer than the median wait of the started jobs. In a crowd that
/// has just come, few jobs have. Where waits grow evenly and no job overtakes, the share is a half.
const OLD: f64 = 1.0 / 3.0;

/// The shortest span of submissions by which it can be told, seconds. Of generated steady workloads of four weeks none is
/// taken for saturated, of a week every third (docs/load.md).
const LEAST_SPAN: f64 = 28.0 * 86_400.0;

/// The fewest jobs by which it can be told.
const FEWEST_JOBS: usize = 200;

/// A queue that grew to the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saturation {
    /// The time that the whole machine needs for the work that waits at the last submission, seconds.
    pub left_s: f64,
    /// That time as a share of the span of the submissions.
    pub share: f64,
}

impl Saturation {
    /// Whether a log of so many jobs, submitted over `span` seconds, is long enough to tell a growing queue from one that
    /// has filled an empty machine, or that goes up and down with days and weeks.
    pub fn can_be_told(jobs: usize, span: f64) -> bool {
        jobs >= FEWEST_JOBS && span >= LEAST_SPAN
    }

    /// Examines all jobs of a schedule on `processors` processors; `None` where it is not saturated, or where the log is too
    /// short to tell ([`Saturation::can_be_told`]).
    pub(super) fn of<'a>(
        jobs: impl Iterator<Item = &'a Outcome> + Clone,
        totals: Totals,
        processors: u32,
    ) -> Option<Saturation> {
        let span = (totals.last_submit - totals.first_submit) as f64;
        if Saturation::can_be_told(jobs.clone().count(), span) {
            Saturation::grew(jobs, totals, processors)
        } else {
            None
        }
    }

    /// Whether the log is too short to tell ([`Saturation::can_be_told`]), while so much is left at its end that the queue
    /// may have grown.
    pub(super) fn is_open<'a>(
        jobs: impl Iterator<Item = &'a Outcome> + Clone,
        totals: Totals,
        processors: u32,
    ) -> bool {
        let span = (totals.last_submit - totals.first_submit) as f64;
        !Saturation::can_be_told(jobs.clone().count(), span)
            && Saturation::left(left_over(jobs, totals.last_submit), span, processors).is_much()
    }

    fn left<'a>(jobs: impl Iterator<Item = &'a Outcome>, span: f64, processors: u32) -> Saturation {
        let left_s = jobs.map(Outcome::area).sum::<f64>() / f64::from(processors);
        Saturation { left_s, share: left_s / span }
    }

    fn is_much(self) -> bool {
        self.share >= LEAST_LEFT || (self.left_s >= MUCH_LEFT && !self.share.is_nan())
    }

    /// Whether the queue grew to the end, however long the log is.
    ///
    /// The backlog is what waits, measured in work (processors times run time) and in jobs. At the last submission much
    /// work must be left ([`LEAST_LEFT`] or [`MUCH_LEFT`]), by jobs that have waited for long ([`OLD`]). The backlog
    /// must be larger in the second half of the submissions' span than in the first ([`GROWTH`]). It must not be worked
    /// off in the last quarter ([`TREND`]), neither in work nor in jobs: if the smallest jobs go first, a few large
    /// ones pile up, and if the largest go first, many small ones.
    fn grew<'a>(
        jobs: impl Iterator<Item = &'a Outcome> + Clone,
        totals: Totals,
        processors: u32,
    ) -> Option<Saturation> {
        let (first, last) = (totals.first_submit, totals.last_submit);
        let span = (last - first) as f64;
        let left: Vec<&Outcome> = left_over(jobs.clone(), last).collect();
        let saturation = Saturation::left(left.iter().copied(), span, processors);
        if !saturation.is_much() {
            return None;
        }
        let usual = median_wait(jobs.clone().filter(|job| job.start <= last));
        let old = left.iter().filter(|job| last - job.submit > usual).count();
        let at = |quarters: Seconds| first + (last - first) / 4 * quarters;
        let (early, third, fourth) = (
            MeanBacklog::of(jobs.clone(), first, at(2)),
            MeanBacklog::of(jobs.clone(), at(2), at(3)),
            MeanBacklog::of(jobs, at(3), last),
        );
        let grows = third.work + fourth.work >= GROWTH * early.work
            && fourth.work >= TREND * third.work
            && fourth.jobs >= TREND * third.jobs
            && old as f64 >= OLD * left.len() as f64;
        grows.then_some(saturation)
    }
}

/// The jobs that wait at the last submission. Those submitted then start then or later; they are not left over from
/// before.
fn left_over<'a>(jobs: impl Iterator<Item = &'a Outcome>, last: Seconds) -> impl Iterator<Item = &'a Outcome> {
    jobs.filter(move |job| job.submit < last && job.start > last)
}

/// The backlog over a span of time, integrated over seconds.
struct MeanBacklog {
    /// Processor-seconds.
    work: f64,
    jobs: f64,
}

impl MeanBacklog {
    fn of<'a>(jobs: impl Iterator<Item = &'a Outcome>, from: Seconds, until: Seconds) -> MeanBacklog {
        let mut backlog = MeanBacklog { work: 0.0, jobs: 0.0 };
        for job in jobs {
            let waits = (job.start.min(until) - job.submit.max(from)).max(0) as f64;
            backlog.work += job.area() * waits;
            backlog.jobs += waits;
        }
        backlog
    }
}

/// The lower median of the waits; 0 without jobs.
fn median_wait<'a>(jobs: impl Iterator<Item = &'a Outcome>) -> Seconds {
    let mut waits: Vec<Seconds> = jobs.map(Outcome::wait).collect();
    let Some(middle) = waits.len().checked_sub(1).map(|last| last / 2) else { return 0 };
    *waits.select_nth_unstable(middle).1
}

impl std::fmt::Display for Saturation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Saturated: at the last submission work for {:.1} days of the whole machine waits, {:.0} % \
             of the time that the log spans. Averages of this run tell how long the log is and mean nothing",
            self.left_s / 86_400.0,
            100.0 * self.share
        )
    }
}

// Who is stuck behind what: nodes on which something idles that no waiting job can use, by what is taken there.

/// Nodes on which a resource idled and no waiting job could use it, because of what others held there; in the mean over
/// the time in which jobs waited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StuckBehind {
    /// What idled: processors, gpus or memory.
    pub resource: String,
    /// What was in the way: one of these, or that others were on the node at all.
    pub obstacle: String,
    /// The share of what idled of the resource that was stranded, whatever was in the way.
    pub share: f64,
    pub nodes: f64,
    /// The processors that jobs held on each of these nodes, and those that it has.
    pub held: f64,
    pub processors: f64,
}

impl StuckBehind {
    /// Whether a node has to be free of others, and no resource is short.
    pub fn is_behind_others(&self) -> bool {
        self.obstacle == OTHERS
    }

    /// What a scheduler reported of it, by resource and what was in the way; empty where it knows no nodes.
    pub fn reported(notes: &Notes) -> Vec<Self> {
        let mut found = Vec::new();
        for (resource, (idle, stranded)) in RESOURCES.iter().zip(IDLE.iter().zip(&STRANDED)) {
            let share = notes.count(*stranded).zip(notes.count(*idle)).map(|(stranded, idle)| stranded / idle);
            let Some(share) = share.filter(|share| share.is_finite()) else { continue };
            for obstacle in RESOURCES.iter().chain([&OTHERS]) {
                let part = |what: &str| {
                    let name = format!("{resource}.{obstacle}.{what}");
                    notes.parts(BEHIND).find(|(part, _)| *part == name).map(|(_, value)| value)
                };
                let Some(nodes) = part("nodes").filter(|&nodes| nodes > 0.0) else { continue };
                let each = |what| part(what).unwrap_or(0.0) / nodes;
                found.push(StuckBehind {
                    resource: (*resource).to_owned(),
                    obstacle: (*obstacle).to_owned(),
                    share,
                    nodes,
                    held: each("held"),
                    processors: each("processors"),
                });
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::JobId;

    /// The saturation of jobs of one processor on a machine of one, first come, first served: (submit, run time).
    fn of(jobs: impl Iterator<Item = (Seconds, Seconds)>) -> Option<Saturation> {
        let mut free = 0;
        let outcome = |(i, (submit, run)): (usize, (Seconds, Seconds))| {
            let start = free.max(submit);
            free = start + run;
            Outcome { job: JobId(i as u32), processors: 1, submit, start, end: start + run, run }
        };
        let jobs: Vec<_> = jobs.enumerate().map(outcome).collect();
        Saturation::grew(jobs.iter(), Totals::of(&jobs)?, 1)
    }

    #[test]
    fn a_queue_that_grows_evenly_is_found_with_what_is_left() {
        let found = of((0..1_000).map(|i| (10 * i, 12))).expect("a fifth more than the machine can do");
        assert!((found.share - 0.2).abs() < 0.01, "{found:?}");
        assert!((found.left_s - 2_000.0).abs() < 50.0, "{found:?}");
        assert!(found.to_string().contains("20 % of the time"), "{found}");
        assert!(of((0..1_000).map(|i| (10 * i, 11))).is_some(), "a tenth more");
    }

    #[test]
    fn a_queue_that_grows_after_a_while_is_found_too() {
        let quiet = (0..300).map(|i| (10 * i, 8));
        assert!(of(quiet.chain((0..700).map(|i| (3_000 + 10 * i, 13)))).is_some());
    }

    #[test]
    fn stable_queues_are_not() {
        assert_eq!(of((0..1_000).map(|i| (10 * i, 10))), None, "full, and nobody waits");
        assert_eq!(of((0..1_000).map(|i| (10 * i, 10 + (i * 7_919 % 11) - 6))), None, "up and down");
        // A crowd in the middle, which has been served by the end.
        let crowd = |i: i64| if (400..600).contains(&i) { 15 } else { 7 };
        assert_eq!(of((0..1_000).map(|i| (10 * i, crowd(i)))), None);
        // A long job shortly before the end: much work waits, but not for long.
        assert_eq!(of((0..1_000).map(|i| (10 * i, if i == 990 { 300 } else { 9 }))), None);
        // A crowd at the beginning, never quite served: the queue gets shorter.
        assert_eq!(of((0..1_000).map(|i| (10 * i, if i < 200 { 30 } else { 8 }))), None);
    }

    /// The saturation of jobs of one processor with these submit times, waits and run times.
    fn waiting(jobs: impl Iterator<Item = (Seconds, Seconds, Seconds)>) -> Option<Saturation> {
        let outcome = |(i, (submit, wait, run)): (usize, (Seconds, Seconds, Seconds))| {
            let start = submit + wait;
            Outcome { job: JobId(i as u32), processors: 1, submit, start, end: start + run, run }
        };
        let jobs: Vec<_> = jobs.enumerate().map(outcome).collect();
        Saturation::grew(jobs.iter(), Totals::of(&jobs)?, 10)
    }

    #[test]
    fn a_few_large_jobs_that_pile_up_are_found_in_a_long_log() {
        // The course of CP Fig. 5: two years, in which the machine lags behind by 3 days after one year, and by 27 at
        // the end. Small jobs start at once. Of the large ones, which take one processor for a day, more and more are
        // never reached.
        const DAY: Seconds = 86_400;
        let small = (0..731 * 48).map(|i| (i * DAY / 48, 0, 600));
        let large = |until: i64| {
            let of_day = move |day: i64| {
                // Processor-days left over on 10 processors: 30 jobs by day 366, 270 by day 731.
                let behind = |day: i64| if day < 366 { 30 * day / 366 } else { 30 + 240 * (day - 366) / 365 };
                (0..6).map(move |i| {
                    (day * DAY + i, if i < behind(day + 1) - behind(day) { 800 * DAY } else { 3_600 }, DAY)
                })
            };
            (0..until).flat_map(of_day)
        };
        let found = waiting(small.clone().chain(large(731))).expect("27 days of the machine, and rising");
        assert!((found.left_s / 86_400.0 - 27.0).abs() < 1.0 && found.share < LEAST_LEFT, "{found:?}");
        assert_eq!(waiting(small.chain(large(366))), None, "three days after a year are a queue like others");
    }

    #[test]
    fn what_is_left_of_a_crowd_that_has_just_come_is_no_growth() {
        let steady = (0..1_000).map(|i| (100 * i, 2_000, 90));
        let crowd = (0..100).map(|i| (99_000 + i, 50_000, 900));
        assert_eq!(waiting(steady.clone().chain(crowd)), None, "nobody of them has waited for as long as others do");
        let old = (0..100).map(|i| (700 * i, 500_000, 900));
        assert!(waiting(steady.chain(old)).is_some(), "these have");
    }

    #[test]
    fn a_short_log_cannot_tell() {
        let day = 86_400;
        let of_days = |days: Seconds| {
            let outcome = |i: Seconds| Outcome {
                job: JobId(i as u32),
                processors: 1,
                submit: i * day / 20,
                start: i * day / 15,
                end: i * day / 15 + day / 15,
                run: day / 15,
            };
            let jobs: Vec<_> = (0..20 * days).map(outcome).collect();
            let totals = Totals::of(&jobs).unwrap();
            (Saturation::of(jobs.iter(), totals, 1), Saturation::is_open(jobs.iter(), totals, 1))
        };
        assert_eq!(of_days(27), (None, true), "too short");
        assert!(matches!(of_days(30), (Some(_), false)));
        // Nothing is left at the end: that can be told of the shortest log.
        let alone = Outcome { job: JobId(0), processors: 1, submit: 0, start: 0, end: 100, run: 100 };
        let second = Outcome { submit: 3_600, start: 3_600, end: 3_700, ..alone };
        assert!(!Saturation::is_open([alone, second].iter(), Totals::of(&[alone, second]).unwrap(), 1));
        assert!(!Saturation::can_be_told(199, 100.0 * 86_400.0), "too few jobs");
    }

    #[test]
    fn what_has_no_span_has_no_growth() {
        assert_eq!(of(std::iter::empty()), None);
        assert_eq!(of((0..50).map(|_| (5, 100))), None, "all come at once");
        assert_eq!(of([(0, 10)].into_iter()), None);
    }
}
