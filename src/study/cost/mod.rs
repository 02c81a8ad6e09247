//! How long runs will take: an estimate before they run, learnt from runs that have ended.
//!
//! A [`Speeds`] corrects a rough model by measurements made on this machine: those on the same log with the same kind
//! of scheduler and estimator if there are any, else those on the same log, else those of the same kind, else all. The
//! model says how the time of a run grows with jobs and with the length of the queue, which follows from the load. Its
//! constants were measured on a machine of 2024. `tests/study/cost.rs` compares it with measurements.

mod model;

use super::{Run, Study, Treatment};
use crate::classifier::WEEK;
use crate::workload::Summary;
use serde::{Deserialize, Serialize};

/// Runs that take less than this together are started without asking, seconds.
pub const AT_ONCE: f64 = 10.0;

/// Studies that take longer than this should run outside of a browser's tab, seconds.
pub const TOO_LONG: f64 = 600.0;

/// Time to load code and to hand over the workload and the result, seconds a run.
const OVERHEAD: f64 = 0.01;

/// Time to measure a schedule, seconds a job.
const MEASURING: f64 = 4e-6;

/// Fair start times take this many times as long as the run itself.
const FAIR_STARTS: f64 = 8.0;

/// A run with fewer jobs (the first number) that took less time (the second, seconds) says little about speed: browsers
/// compile code better once it has run for a while.
const TELLING: (usize, f64) = (5_000, 1.0);

/// The weight of a new measurement against the earlier ones.
const NEWEST: f64 = 0.5;

/// The range of correction factors, so that one odd measurement does not spoil the estimates.
const FACTORS: std::ops::RangeInclusive<f64> = 0.02..=50.0;

/// Number of measurements that are remembered.
const REMEMBERED: usize = 200;

/// What the time of a run depends on besides the run itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// Identifies the log.
    pub log: String,
    /// Jobs to simulate.
    pub jobs: usize,
    /// Offered load: 1 where the jobs ask for as much as the machine can do.
    pub load: f64,
    /// The number of weeks in which the jobs are submitted, at most.
    pub weeks: f64,
    /// Whether the machine is described, with cells or a calendar: most schedulers run plainly there.
    pub has_cells: bool,
}

impl Size {
    /// The size of a workload that a treatment makes of a log. `log` is the log's key ([`super::Source::key`]).
    pub fn of(log: String, treatment: &Treatment, summary: &Summary) -> Self {
        // Without a load all jobs come at once.
        let submitted = summary.span.last_submit.saturating_sub(summary.span.first_submit).max(0);
        let weeks = (submitted as f64 / WEEK as f64 + 1.0).min(summary.jobs as f64);
        let load = summary.offered_load.unwrap_or(f64::INFINITY);
        Size { log, jobs: summary.jobs, load, weeks, has_cells: treatment.machine.is_some() }
    }

    /// The size for a run with a shrinking factor of its own. `of_study` is the study's shrinking factor.
    fn of_run(&self, run: &Run, of_study: f64) -> Size {
        let load = run.shrink.map_or(self.load, |shrink| self.load * of_study / shrink);
        Size { load, ..self.clone() }
    }

    /// Roughly how many jobs wait on average, where at most a share of `usable` of the machine can be kept busy.
    fn queue(&self, usable: f64) -> f64 {
        let (jobs, load) = (self.jobs as f64, self.load / usable);
        // Long queues come up at times below full load, too.
        let at_times = 15.0 + jobs / 50.0;
        if load < 1.0 {
            at_times.min(15.0 + 6.0 * load / (1.0 - load))
        } else {
            at_times + jobs * (1.0 - 1.0 / load) / 2.0
        }
    }
}

/// The time of a run by the model, seconds: to simulate and to measure.
fn by_model(run: &Run, size: &Size) -> f64 {
    OVERHEAD + size.jobs as f64 * (model::simulating(run, size) + MEASURING)
}

/// The kind of a run; the model is wrong by a similar factor for runs of one kind.
fn kind(run: &Run) -> String {
    let (scheduler, estimator) = (run.scheduler.family().entry.id, run.estimate.method.family().entry.id);
    format!("{scheduler} {} {estimator}", model::blocked(run))
}

/// How fast runs were on this machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Speeds {
    /// The measurements, the latest last.
    known: Vec<Speed>,
}

/// How much longer runs of a kind took on a log than the model says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Speed {
    log: String,
    kind: String,
    factor: f64,
}

impl Speeds {
    /// Remembers that a run took `seconds` to simulate and measure.
    pub fn remember(&mut self, run: &Run, size: &Size, seconds: f64) {
        let factor = seconds / by_model(run, size);
        let (jobs, least) = TELLING;
        if size.jobs < jobs && seconds < least || !factor.is_finite() {
            return;
        }
        let factor = factor.clamp(*FACTORS.start(), *FACTORS.end());
        let (log, kind) = (size.log.clone(), kind(run));
        let is_same = |speed: &Speed| speed.log == log && speed.kind == kind;
        let before = self.known.iter().position(is_same).map(|place| self.known.remove(place).factor);
        let factor = before.map_or(factor, |before| before.powf(1.0 - NEWEST) * factor.powf(NEWEST));
        self.known.push(Speed { log, kind, factor });
        if self.known.len() > REMEMBERED {
            self.known.remove(0);
        }
    }

    /// How long a run will take to simulate and measure, seconds.
    pub fn seconds(&self, run: &Run, size: &Size) -> f64 {
        self.factor(run, size) * by_model(run, size)
    }

    /// What measuring the schedule of a run will take, seconds: the last part of [`Speeds::seconds`].
    pub fn measuring(&self, run: &Run, size: &Size) -> f64 {
        self.factor(run, size) * size.jobs as f64 * MEASURING
    }

    /// How long these runs of a study will take together, seconds, with `at_a_time` of them at once.
    pub fn together(&self, study: &Study, runs: &[Run], size: &Size, at_a_time: usize) -> f64 {
        let fair = if study.asks_for_fair_starts() { 1.0 + FAIR_STARTS } else { 1.0 };
        let of_run = |run: &Run| {
            let size = size.of_run(run, study.treatment.shrink);
            let anew = if study.reestimation.is_some() { model::asked_anew(run, &size) } else { 0.0 };
            let seconds = self.seconds(run, &size) + self.factor(run, &size) * size.jobs as f64 * anew;
            if run.check_fair_starts().is_ok() { fair * seconds } else { seconds }
        };
        let (mut sum, mut longest) = (0.0, 0.0_f64);
        for seconds in runs.iter().map(of_run) {
            sum += seconds;
            longest = longest.max(seconds);
        }
        longest.max(sum / at_a_time.max(1) as f64)
    }

    /// The factor by which the model is corrected for a run.
    fn factor(&self, run: &Run, size: &Size) -> f64 {
        let kind = kind(run);
        let is_log = |speed: &&Speed| speed.log == size.log;
        let is_kind = |speed: &&Speed| speed.kind == kind;
        self.typical(|speed| is_log(&speed) && is_kind(&speed))
            .or_else(|| self.typical(|speed| is_log(&speed)))
            .or_else(|| self.typical(|speed| is_kind(&speed)))
            .or_else(|| self.typical(|_| true))
            .unwrap_or(1.0)
    }

    /// The geometric mean of the matching measurements; `None` where none matches.
    fn typical(&self, counts: impl Fn(&Speed) -> bool) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0.0);
        for speed in self.known.iter().filter(|speed| counts(speed)) {
            sum += libm::log(speed.factor);
            count += 1.0;
        }
        (count > 0.0).then(|| libm::exp(sum / count))
    }
}

/// An estimate for a person, with no more digits than are sure: `about 40 s`, `about 3 min`, `about 2 h`.
pub fn about(seconds: f64) -> String {
    let step = match seconds {
        s if s < 10.0 => 1.0,
        s if s < 60.0 => 5.0,
        s if s < 600.0 => 60.0,
        s if s < 7_200.0 => 600.0,
        _ => 3_600.0,
    };
    format!("about {}", super::format::duration((seconds / step).round().max(1.0) * step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Metric;

    fn run(scheduler: &str, estimate: &str) -> Run {
        Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap())
    }

    fn size(log: &str, jobs: usize, load: f64) -> Size {
        Size { log: log.to_owned(), jobs, load, weeks: 40.0, has_cells: false }
    }

    /// The estimate for the study that the page opens with, on two runners, before any measurement.
    fn first_estimate(size: &Size) -> f64 {
        let study = Study::first_visit();
        Speeds::default().together(&study, &study.runs(), size, 2)
    }

    #[test]
    fn usual_logs_run_at_once_and_very_large_ones_do_not() {
        assert!(first_estimate(&size("KTH-SP2", 28_481, 0.70)) < 2.0);
        assert!(first_estimate(&size("SDSC-BLUE", 223_669, 0.77)) < AT_ONCE);
        // 300,000 jobs on a machine of 93,000 processors.
        assert!(first_estimate(&size("wide", 300_000, 0.62)) < AT_ONCE);
        assert!(first_estimate(&size("months", 4_400_000, 0.8)) > AT_ONCE);
        // Overloaded: the queue grows to the end.
        assert!(first_estimate(&size("wide", 300_000, 1.4)) > AT_ONCE);
        assert!(first_estimate(&size("instant", 300_000, f64::INFINITY)) > AT_ONCE);
    }

    #[test]
    fn a_link_to_very_much_does_not_start_by_itself() {
        let mut study = Study::first_visit();
        study.distortions = (0..250).map(|i| 0.5 + f64::from(i) / 200.0).collect();
        let runs = study.runs();
        assert_eq!(runs.len(), 2_000);
        assert!(Speeds::default().together(&study, &runs, &size("made", 1_000_000, 0.7), 64) > 6.0 * AT_ONCE);
    }

    #[test]
    fn it_is_longer_for_more_jobs_more_load_and_what_searches_more() {
        let of = |scheduler: &str, estimate: &str, jobs, load| {
            Speeds::default().seconds(&run(scheduler, estimate), &size("log", jobs, load))
        };
        assert!(of("easy", "actual", 20_000, 0.7) < of("easy", "actual", 40_000, 0.7));
        assert!(of("justbf", "actual", 20_000, 0.7) < of("justbf", "actual", 20_000, 1.2));
        assert!(of("easy", "requested", 20_000, 0.9) < of("justbf", "requested", 20_000, 0.9));
        assert!(of("easy", "requested", 20_000, 0.9) < of("easy", "cvh", 20_000, 0.9));
        assert!(of("conservative", "requested", 20_000, 0.9) < of("pc", "requested", 20_000, 0.9));
        assert!(of("offline:iterations=10", "actual", 20_000, 0.9) < of("offline", "actual", 20_000, 0.9));
        assert!(of("as-logged", "requested", 20_000, 0.9) < of("saf-aggressive", "requested", 20_000, 0.9));
    }

    #[test]
    fn the_dearest_settings_are_never_taken_for_cheap() {
        // What a short link may ask for, on a log of a few thousand jobs and on a usual one.
        let dear = [
            ("optimised:budget=1000000,depth=1000000,window=1000", "requested"),
            ("optimised:budget=1000000", "requested"),
            ("classes:by=best,trees=500,depth=60", "requested"),
            ("classes:trees=500,depth=60", "requested"),
            ("offline:iterations=1000000", "actual"),
        ];
        for (scheduler, estimate) in dear {
            let seconds = Speeds::default().seconds(&run(scheduler, estimate), &size("log", 20_000, 0.7));
            assert!(seconds > AT_ONCE, "{scheduler}: {seconds}");
            let link = Speeds::default().seconds(&run(scheduler, estimate), &size("log", 2_000, 0.7)) * 400.0;
            assert!(link > TOO_LONG, "400 runs of {scheduler}: {link}");
        }
    }

    #[test]
    fn each_parameter_that_costs_time_is_known_to_the_model() {
        let of = |scheduler: &str| Speeds::default().seconds(&run(scheduler, "requested"), &size("log", 20_000, 1.1));
        for (less, more) in [
            ("optimised:budget=0", "optimised"),
            ("optimised:depth=8,budget=0", "optimised:depth=1000000,budget=0"),
            ("dynp:policies=fcfs+sjf", "dynp"),
            ("classes:trees=5", "classes"),
            ("classes:depth=5", "classes"),
            ("classes:by=all", "classes"),
        ] {
            assert!(of(less) < of(more), "{less}: {}, {more}: {}", of(less), of(more));
        }
        // 2,000 jobs of one instant, for which 2.5 to 16 s were measured; and a usual log, on which PC is no slower
        // than others.
        let instant = |jobs| Speeds::default().seconds(&run("pc", "requested"), &size("instant", jobs, f64::INFINITY));
        assert!((16.0 / 5.0..=2.5 * 5.0).contains(&instant(2_000)), "{}", instant(2_000));
        assert!(instant(10_000) > TOO_LONG, "a cube: {}", instant(10_000));
        let usual = Speeds::default().seconds(&run("pc", "requested"), &size("KTH-SP2", 28_481, 0.70));
        assert!(usual < 1.0, "{usual}");
        // By docs/optimised.md and docs/dynp.md: 0.5 to 1 s on KTH-SP2, and 11 s on CTC-SP2 at a factor of 0.8.
        let planned = Speeds::default().seconds(&run("optimised", "requested"), &size("KTH-SP2", 28_481, 0.70));
        assert!((0.2..=5.0).contains(&planned), "{planned}");
        let tuned = Speeds::default().seconds(&run("dynp", "requested"), &size("CTC-SP2", 77_222, 1.06));
        assert!((2.2..=55.0).contains(&tuned), "{tuned}");
    }

    #[test]
    fn what_was_measured_corrects_it() {
        let mut speeds = Speeds::default();
        let (easy, justbf) = (run("easy", "requested"), run("justbf", "requested"));
        let (here, there) = (size("here", 200_000, 0.7), size("there", 200_000, 0.7));
        let before = speeds.seconds(&justbf, &there);
        // This browser is ten times as fast as the model.
        let tenth = speeds.seconds(&easy, &here) / 10.0;
        speeds.remember(&easy, &here, tenth);
        assert!((speeds.seconds(&easy, &here) - tenth).abs() < 1e-9);
        assert!((speeds.seconds(&justbf, &there) - before / 10.0).abs() < 1e-9, "whatever the run and the log");
        // On this log JustBF takes as long as the model says.
        let slow = 10.0 * speeds.seconds(&justbf, &there);
        speeds.remember(&justbf, &there, slow);
        assert!((speeds.seconds(&justbf, &there) - slow).abs() < 1e-9);
        assert!((speeds.seconds(&easy, &here) - tenth).abs() < 1e-9, "and elsewhere nothing changes");
        // The latest measurement counts, but not alone.
        speeds.remember(&easy, &here, 4.0 * tenth);
        assert!((speeds.seconds(&easy, &here) - 2.0 * tenth).abs() < 1e-9);
    }

    #[test]
    fn what_tells_little_is_not_remembered_and_what_is_odd_not_believed() {
        let mut speeds = Speeds::default();
        let (easy, log) = (run("easy", "requested"), size("log", 2_000, 0.7));
        speeds.remember(&easy, &log, 0.4);
        speeds.remember(&easy, &log, f64::NAN);
        assert_eq!(speeds, Speeds::default());
        let model = speeds.seconds(&easy, &log);
        speeds.remember(&easy, &log, 1e9);
        assert!(speeds.seconds(&easy, &log) < 51.0 * model);
        for n in 0..1_000 {
            speeds.remember(&easy, &size(&n.to_string(), 100_000, 0.7), 1.0);
        }
        assert_eq!(speeds.known.len(), REMEMBERED);
    }

    #[test]
    fn runs_go_side_by_side_and_fair_starts_take_longer() {
        let mut study = Study::first_visit();
        let (speeds, log, runs) = (Speeds::default(), size("log", 50_000, 0.7), study.runs());
        let of = |study: &Study, at_a_time| speeds.together(study, &runs, &log, at_a_time);
        assert!((of(&study, 1) - 2.0 * of(&study, 2)).abs() < 1e-9);
        let longest = runs.iter().map(|run| speeds.seconds(run, &log)).fold(0.0, f64::max);
        assert_eq!(of(&study, 64), longest, "one run takes as long as it takes");
        let plain = of(&study, 1);
        study.columns.push(Metric::StrictUnfairness);
        assert!(of(&study, 1) > 3.0 * plain);
        assert_eq!(speeds.together(&study, &[], &log, 2), 0.0);
        assert!(speeds.measuring(&runs[0], &log) < speeds.seconds(&runs[0], &log));
    }

    #[test]
    fn estimates_are_told_without_digits_they_are_not_worth() {
        let cases = [
            (0.2, "about 1\u{a0}s"),
            (4.4, "about 4\u{a0}s"),
            (43.0, "about 45\u{a0}s"),
            (170.0, "about 3\u{a0}min"),
            (1_000.0, "about 20\u{a0}min"),
            (9_000.0, "about 3\u{a0}h"),
        ];
        for (seconds, text) in cases {
            assert_eq!(about(seconds), text);
        }
    }
}
