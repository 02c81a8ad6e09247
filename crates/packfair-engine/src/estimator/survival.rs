//! The run time that a similar job survives with a small probability, by Kaplan and Meier (1958) with decaying weights,
//! as the text of METRICS §VI describes it.
//!
//! Jobs form a group if they have the same executable, user, requested time and width. In a group, a completed job is
//! an observation of weight (1 - decay)^(jobs of the group completed since). A job that has run for a seconds and still
//! runs is a censored observation of weight 1: its run time is known to exceed a. The probability S(t) of surviving t
//! is the product, over the run times t' up to t, of 1 - (weight of the jobs that ran t') / (weight of all observations
//! of at least t'). E is the first run time at which S is below x, or L where there is none. For a job that has run for
//! a seconds, E is the first run time beyond a at which S(t) / S(a) is below x.

use super::sp::{DECAY, EXCEEDED};
use super::{Estimator, EstimatorImplementation, Explanation, Listing, Quantity, Revision, note_each, within};
use curve::{Curve, DecayRule};
use packfair_base::catalogue::{Entry, Settings};
use packfair_workload::{JobId, Request, Seconds, Similarity};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

mod curve;

/// The method's entry in the catalogue.
pub const FAMILY: EstimatorImplementation = EstimatorImplementation {
    entry: Entry {
        id: "survival",
        name: "Survival",
        help: "Kaplan-Meier in the group of executable, user, L and width: running jobs count as known to last longer, \
               and are estimated anew as they run",
        source: "METRICS §VI (the text's method)",
        parameters: &[EXCEEDED, DECAY],
    },
    learns: true,
    build: |settings, workload| Box::new(Survival::new(settings, workload.similarity())),
};

/// Most run times that an explanation shows.
const MOST_SHOWN: usize = 12;

#[derive(Clone)]
struct Survival<'a> {
    rule: DecayRule,
    similarity: &'a Similarity,
    groups: Vec<SurvivalGroup>,
    /// Classes with waiting or running jobs that have learned something since they were last estimated.
    unsettled: Vec<u32>,
    /// The times at which estimates of a class change without anything learned, because a running job outlives a known
    /// run time.
    due: BinaryHeap<Reverse<(Seconds, u32)>>,
    /// Classes whose running jobs have new estimates that are still to be reported.
    untold: Vec<u32>,
    /// Whether a class was estimated anew since the last re-estimation of waiting jobs.
    is_changed: bool,
    /// Memory that is used again for each estimate.
    outlived: Vec<f64>,
}

#[derive(Clone, Debug)]
struct SurvivalGroup {
    limit: Seconds,
    curve: Curve,
    running: Vec<RunningOfClass>,
    waiting: u32,
    /// The estimate of a job that has not started.
    estimate: f64,
    /// The time until which all estimates stay the same; `None` if they have to be made anew.
    valid_until: Option<Seconds>,
    /// The earliest time in `due` for this group.
    reminded: Seconds,
    is_unsettled: bool,
    is_untold: bool,
}

/// A running job with its expected whole run time.
#[derive(Clone, Copy, Debug)]
struct RunningOfClass {
    job: JobId,
    start: Seconds,
    estimate: f64,
    /// The estimate that was last reported; NaN before the first report.
    told: f64,
}

impl<'a> Survival<'a> {
    fn new(settings: &Settings, similarity: &'a Similarity) -> Self {
        let rule = DecayRule::new(settings.real("x") / 100.0, 1.0 - settings.real("decay"));
        Survival {
            rule,
            similarity,
            groups: (0..similarity.classes()).map(|class| SurvivalGroup::new(similarity.limit(class))).collect(),
            unsettled: Vec::new(),
            due: BinaryHeap::new(),
            untold: Vec::new(),
            is_changed: false,
            outlived: Vec::new(),
        }
    }

    /// Marks a class as having learned something, so that it is estimated anew.
    fn unsettle(&mut self, class: usize) {
        let group = &mut self.groups[class];
        group.valid_until = None;
        if !group.is_unsettled && (group.waiting > 0 || !group.running.is_empty()) {
            group.is_unsettled = true;
            self.unsettled.push(class as u32);
        }
    }

    /// Estimates the jobs of a class anew, unless their estimates are still valid at `now`.
    fn settle(&mut self, class: usize, now: Seconds) {
        let group = &mut self.groups[class];
        if group.valid_until.is_some_and(|end| now < end) {
            return;
        }
        let valid_until = group.estimate_anew(now, self.rule.exceeded, &mut self.outlived);
        let is_running = !group.running.is_empty();
        self.is_changed = true;
        self.remind(class, valid_until);
        if is_running {
            self.tell(class);
        }
    }

    /// Remembers that the estimates of a class are only valid until `until`, unless an earlier time is remembered.
    fn remind(&mut self, class: usize, until: Seconds) {
        let group = &mut self.groups[class];
        if until < group.reminded {
            group.reminded = until;
            self.due.push(Reverse((until, class as u32)));
        }
    }

    /// Marks the running jobs of a class as having estimates to report.
    fn tell(&mut self, class: usize) {
        let group = &mut self.groups[class];
        if !group.is_untold {
            group.is_untold = true;
            self.untold.push(class as u32);
        }
    }

    /// Estimates every class with waiting or running jobs anew, where necessary.
    fn settle_all(&mut self, now: Seconds) {
        while let Some(class) = self.unsettled.pop() {
            self.groups[class as usize].is_unsettled = false;
            self.settle(class as usize, now);
        }
        while let Some(&Reverse((due, class))) = self.due.peek() {
            if due > now {
                break;
            }
            self.due.pop();
            let class = class as usize;
            if self.groups[class].reminded == due {
                self.groups[class].reminded = Seconds::MAX;
            }
            match self.groups[class].valid_until {
                // The class was settled meanwhile.
                Some(end) if end > now => self.remind(class, end),
                Some(_) => self.settle(class, now),
                None => {}
            }
        }
    }
}

impl SurvivalGroup {
    fn new(limit: Seconds) -> Self {
        SurvivalGroup {
            limit,
            curve: Curve::default(),
            running: Vec::new(),
            waiting: 0,
            estimate: limit as f64,
            valid_until: None,
            reminded: Seconds::MAX,
            is_unsettled: false,
            is_untold: false,
        }
    }

    /// Makes all estimates anew; gives the time until which they stay the same.
    fn estimate_anew(&mut self, now: Seconds, exceeded: f64, outlived: &mut Vec<f64>) -> Seconds {
        let SurvivalGroup { limit, curve, running, .. } = self;
        let survival = curve.with(running, now, outlived);
        let end = |place: Option<usize>| place.map_or(*limit as f64, |place| within(curve.runs[place] as f64, *limit));
        self.estimate = end(survival.first_below(exceeded, 0));
        let mut valid_until = Seconds::MAX;
        for job in running {
            let elapsed = now - job.start;
            let next = curve.runs.partition_point(|&run| run <= elapsed);
            job.estimate = end(survival.first_below(exceeded, next));
            // The estimates change when a job outlives another run time.
            if let Some(next) = curve.runs.get(next) {
                valid_until = valid_until.min(job.start + next);
            }
        }
        self.valid_until = Some(valid_until);
        valid_until
    }

    /// The run times up to and just beyond the estimate, shortest first, with the probability of surviving each.
    fn listing(&self, now: Seconds, exceeded: f64) -> Listing {
        let mut outlived = Vec::new();
        let survival = self.curve.with(&self.running, now, &mut outlived);
        let runs = &self.curve.runs;
        // Among equal ones, the last has the probability of surviving them all.
        let different: Vec<usize> = (0..runs.len()).filter(|&i| runs.get(i + 1) != Some(&runs[i])).collect();
        let used = different.iter().position(|&i| survival.after(i) < exceeded);
        let end = used.map_or(different.len(), |used| (used + 3).min(different.len()));
        let first = end.saturating_sub(MOST_SHOWN);
        let row = |&i: &usize| vec![Quantity::seconds(runs[i]), Quantity::Share(survival.after(i))];
        Listing {
            title: format!("Run times seen ({} different ones; those up to the estimate)", different.len()),
            headings: ["Run time", "Probability of running longer"].map(str::to_owned).to_vec(),
            rows: different[first..end].iter().map(row).collect(),
            used: used.map(|used| used - first),
        }
    }
}

impl Estimator for Survival<'_> {
    fn estimate(&mut self, job: JobId, _: &Request, now: Seconds) -> f64 {
        let class = self.similarity.class(job);
        self.groups[class].waiting += 1;
        self.settle(class, now);
        self.groups[class].estimate
    }

    fn revision(&self) -> Revision {
        Revision::WithTime
    }

    fn revise(&mut self, waiting: &[JobId], now: Seconds, estimates: &mut [f64]) -> bool {
        self.settle_all(now);
        if !std::mem::take(&mut self.is_changed) {
            return false;
        }
        note_each(waiting, estimates, |job| self.groups[self.similarity.class(job)].estimate)
    }

    fn revise_running(&mut self, now: Seconds, revised: &mut Vec<(JobId, f64)>) {
        self.settle_all(now);
        while let Some(class) = self.untold.pop() {
            let group = &mut self.groups[class as usize];
            group.is_untold = false;
            for job in group.running.iter_mut().filter(|job| job.estimate != job.told) {
                job.told = job.estimate;
                revised.push((job.job, job.estimate));
            }
        }
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        let class = self.similarity.class(job);
        let group = &mut self.groups[class];
        group.waiting -= 1;
        // Jobs that start together are in log order.
        let place = group.running.partition_point(|other| (other.start, other.job) < (now, job));
        group.running.insert(place, RunningOfClass { job, start: now, estimate: group.estimate, told: f64::NAN });
        match (group.valid_until, group.curve.runs.first().copied()) {
            // Until it has run for some time, it tells nothing, and has the estimate of the waiting jobs.
            (Some(end), Some(run)) if run > 0 => {
                let until = end.min(now + run);
                group.valid_until = Some(until);
                self.remind(class, until);
                self.tell(class);
            }
            (Some(_), None) => self.tell(class),
            _ => self.unsettle(class),
        }
    }

    fn completed(&mut self, job: JobId, _: &Request, run: Seconds, _: Seconds) {
        let class = self.similarity.class(job);
        let group = &mut self.groups[class];
        group.running.retain(|other| other.job != job);
        group.curve.observe(run, self.rule);
        self.unsettle(class);
    }

    fn killed(&mut self, job: JobId, _: &Request, _: Seconds) {
        let class = self.similarity.class(job);
        let group = &mut self.groups[class];
        group.running.retain(|other| other.job != job);
        group.waiting += 1;
        self.unsettle(class);
    }

    fn explain(&self, job: JobId, _: &Request, now: Seconds) -> Explanation {
        let group = &self.groups[self.similarity.class(job)];
        if group.curve.runs.is_empty() {
            return Explanation::in_words(
                "No job of the same executable, user, requested time and width has completed: the requested time is \
                 taken.",
            );
        }
        let listing = group.listing(now, self.rule.exceeded);
        let x = 100.0 * self.rule.exceeded;
        let how = match listing.used {
            Some(_) => format!(
                "The shortest run time that a job of the same executable, user, requested time and width outlives with \
                 a probability below {x} %, by Kaplan and Meier; running jobs count as lasting longer than they have run."
            ),
            None => format!(
                "There is no run time that a job of the same executable, user, requested time and width outlives with a \
                 probability below {x} %: the requested time is taken."
            ),
        };
        Explanation { how, facts: Vec::new(), listing: Some(listing) }
            .with("Completed jobs that are remembered", Quantity::Count(group.curve.runs.len() as f64))
            .with("Their weight after decay", Quantity::Number(group.curve.weight_from(0)))
            .with("Running jobs (censored)", Quantity::Count(group.running.len() as f64))
    }

    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b,
    {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Learner, request};

    #[test]
    fn survival_is_a_product_over_the_run_times() {
        let estimate = |x: &str| {
            let mut learner = Learner::new(&format!("survival:decay=0,x={x}"));
            for run in [10, 20, 30, 40] {
                learner.run(&request(), run);
            }
            learner.estimate(&request())
        };
        // S is 0.75, 0.5, 0.25 and 0 from 10, 20, 30 and 40 s on.
        assert_eq!([estimate("80"), estimate("51"), estimate("30"), estimate("20")], [10.0, 20.0, 30.0, 40.0]);
    }

    #[test]
    fn newer_jobs_weigh_more() {
        let mut learner = Learner::new("survival:decay=0.5,x=30");
        learner.run(&request(), 40);
        learner.run(&request(), 10);
        // The weights are 0.5 (of 40 s) and 1 (of 10 s): S is 1 - 1 / 1.5 = 0.33 from 10 s on.
        assert_eq!(learner.estimate(&request()), 40.0);
        learner.run(&request(), 10);
        // The weights are 0.25 and 0.5 + 1: S is 1 - 1.5 / 1.75 = 0.14.
        assert_eq!(learner.estimate(&request()), 10.0);
    }

    #[test]
    fn a_running_job_counts_as_lasting_longer() {
        let mut learner = Learner::new("survival:decay=0,x=30");
        for run in [10, 20] {
            learner.run(&request(), run);
        }
        let (first, _) = learner.submit(&request());
        learner.start(first);
        assert_eq!(learner.estimate(&request()), 20.0, "S is 0.5, 0");
        learner.now += 15;
        // At risk at 10 s: both and the running one; at 20 s: one. S is 2/3 and 0.
        assert_eq!(learner.estimate(&request()), 20.0);
        learner.now += 10;
        // At risk: 3 at 10 s, 2 at 20 s. S is 2/3 and 1/3, and never below 0.3.
        assert_eq!(learner.estimate(&request()), 1_000.0);
    }

    #[test]
    fn a_running_job_is_estimated_given_the_time_it_has_run() {
        let mut learner = Learner::new("survival:decay=0,x=40");
        for run in [10, 20, 30, 40] {
            learner.run(&request(), run);
        }
        let (job, estimate) = learner.submit(&request());
        assert_eq!(estimate, 30.0, "S is 0.75, 0.5, 0.25, 0");
        learner.start(job);
        let start = learner.now;
        let mut at = |elapsed: i64| {
            let mut revised = Vec::new();
            learner.estimator.revise_running(start + elapsed, &mut revised);
            revised
        };
        assert_eq!(at(5), [(job, 30.0)], "it has not been told yet");
        assert_eq!(at(10), [], "given 10 s, S is 2/3, 1/3, 0 at 20, 30, 40 s: 30 s still");
        assert_eq!(at(20), [(job, 40.0)], "given 20 s, it is 1/2, 0 at 30, 40 s");
        assert_eq!(at(30), []);
        assert_eq!(at(40), [(job, 1_000.0)], "it has outlived them all");
    }
}
