//! The run time that a similar job survives with small probability, by Kaplan and Meier (1958) with
//! decaying weights, as the text of METRICS §VI describes it.
//!
//! In a group of jobs with the same executable, user, requested time and width, a completed job is an
//! observation of weight (1 - decay)^(jobs of the group completed since); a job that has run for a
//! seconds and still runs is a censored observation of weight 1: it is known to outlive a. The
//! probability S(t) of surviving t is the product, over the run times t' up to t, of 1 - (weight of
//! the jobs that ran t') / (weight of all observations of at least t'). E is the first run time at
//! which S is below x, or L where there is none. For a job that has run for a seconds it is the
//! first beyond a at which S(t) / S(a) is below x.

use super::catalogue::Family;
use super::classes::Classes;
use super::sp::{DECAY, EXCEEDED};
use super::{Estimator, Revision, within};
use crate::catalogue::{Entry, Settings};
use crate::workload::{JobId, Request, Seconds};

/// The method's catalogue line.
pub const FAMILY: Family = Family {
    entry: Entry {
        id: "survival",
        name: "Survival",
        help: "Kaplan-Meier in the group of executable, user, L and width: running jobs count as known to last longer, \
               and are estimated anew as they run",
        source: "METRICS §VI (the text's method)",
        parameters: &[EXCEEDED, DECAY],
    },
    learns: true,
    build: |settings, _| Box::new(Survival::new(settings)),
};

struct Survival {
    rule: Rule,
    classes: Classes<Group>,
    /// Kept for its memory.
    steps: Vec<Step>,
}

/// A run time, and the probability of surviving it, given survival of all shorter ones.
#[derive(Clone, Copy, Debug)]
struct Step {
    run: Seconds,
    survival: f64,
}

#[derive(Clone, Copy, Debug)]
struct Rule {
    /// The survival probability below which the estimate lies.
    exceeded: f64,
    /// What is left of a weight after one more job.
    keep: f64,
    /// Older jobs weigh too little to change a sum.
    remembered: usize,
}

/// What is known of a group.
#[derive(Debug)]
struct Group {
    limit: Seconds,
    /// Run times of the completed jobs, ascending; the weight of each.
    runs: Vec<(Seconds, f64)>,
    /// The same run times as they came, latest at the back.
    order: std::collections::VecDeque<Seconds>,
    running: Vec<Running>,
    /// Of a job that has not started.
    estimate: f64,
    /// Until when all estimates stay what they are; none where they have to be made anew.
    valid_until: Option<Seconds>,
}

/// A job that runs, and how long it is expected to, all in all.
#[derive(Clone, Copy, Debug)]
struct Running {
    job: JobId,
    start: Seconds,
    estimate: f64,
}

impl Survival {
    fn new(settings: &Settings) -> Self {
        let keep = 1.0 - settings.real("decay");
        let remembered = libm::log(f64::EPSILON / 2.0) / libm::log(keep);
        let rule = Rule {
            exceeded: settings.real("x") / 100.0,
            keep,
            remembered: if keep < 1.0 { remembered.ceil() as usize } else { usize::MAX },
        };
        Survival { rule, classes: Classes::default(), steps: Vec::new() }
    }

    fn group(&mut self, job: JobId, now: Seconds) -> &Group {
        let group = self.classes.of_mut(job);
        group.bring_up_to(now, self.rule.exceeded, &mut self.steps);
        group
    }
}

impl Group {
    fn new(limit: Seconds) -> Self {
        Group {
            limit,
            runs: Vec::new(),
            order: std::collections::VecDeque::new(),
            running: Vec::new(),
            estimate: limit as f64,
            valid_until: None,
        }
    }

    /// Adds the run of a completed job.
    fn observe(&mut self, run: Seconds, rule: Rule) {
        for (_, weight) in &mut self.runs {
            *weight *= rule.keep;
        }
        let place = self.runs.partition_point(|&(other, _)| other < run);
        self.runs.insert(place, (run, 1.0));
        self.order.push_back(run);
        if self.order.len() > rule.remembered
            && let Some(oldest) = self.order.pop_front()
        {
            // of equal runs the latest comes first, for it was inserted before the others
            let end = self.runs.partition_point(|&(other, _)| other <= oldest);
            self.runs.remove(end - 1);
        }
    }

    /// Makes all estimates anew, unless they are still those of `now`.
    fn bring_up_to(&mut self, now: Seconds, exceeded: f64, steps: &mut Vec<Step>) {
        if self.valid_until.is_some_and(|end| now < end) {
            return;
        }
        self.running.sort_unstable_by_key(|job| (job.start, job.job));
        self.describe(now, steps);
        self.estimate = first_below(exceeded, steps, self.limit);
        let mut valid_until = Seconds::MAX;
        for job in &mut self.running {
            let elapsed = now - job.start;
            let left = &steps[..steps.partition_point(|step| step.run > elapsed)];
            job.estimate = first_below(exceeded, left, self.limit);
            // the estimates change when a job outlives another of the run times
            if let Some(next) = left.last() {
                valid_until = valid_until.min(job.start + next.run);
            }
        }
        self.valid_until = Some(valid_until);
    }

    /// The run times, longest first.
    fn describe(&self, now: Seconds, steps: &mut Vec<Step>) {
        steps.clear();
        // the longest running come first
        let mut running = self.running.iter().peekable();
        let mut at_risk = 0.0;
        for alike in self.runs.chunk_by(|a, b| a.0 == b.0).rev() {
            let run = alike[0].0;
            while running.next_if(|job| now - job.start >= run).is_some() {
                at_risk += 1.0;
            }
            let weight: f64 = alike.iter().map(|(_, weight)| weight).sum();
            at_risk += weight;
            steps.push(Step { run, survival: 1.0 - weight / at_risk });
        }
    }
}

/// The first run time at which the probability of surviving is below `exceeded`, else `limit`; `steps`
/// come longest first.
fn first_below(exceeded: f64, steps: &[Step], limit: Seconds) -> f64 {
    let mut survival = 1.0;
    let found = steps.iter().rev().find(|step| {
        survival *= step.survival;
        survival < exceeded
    });
    found.map_or(limit as f64, |step| within(step.run as f64, limit))
}

impl Estimator for Survival {
    fn estimate(&mut self, job: JobId, request: &Request, now: Seconds) -> f64 {
        self.classes.enter(job, request, |class| Group::new(class.limit));
        self.group(job, now).estimate
    }

    fn revision(&self) -> Revision {
        Revision::WithTime
    }

    fn revise(&mut self, waiting: &[JobId], now: Seconds, estimates: &mut [f64]) {
        for &job in waiting {
            estimates[job.index()] = self.group(job, now).estimate;
        }
    }

    fn revise_running(&mut self, job: JobId, _: Seconds, now: Seconds) -> Option<f64> {
        self.group(job, now).running.iter().find(|other| other.job == job).map(|other| other.estimate)
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        let group = self.classes.of_mut(job);
        group.running.push(Running { job, start: now, estimate: group.estimate });
        group.valid_until = None;
    }

    fn completed(&mut self, job: JobId, _: &Request, run: Seconds, _: Seconds) {
        let group = self.classes.of_mut(job);
        group.running.retain(|other| other.job != job);
        group.observe(run, self.rule);
        group.valid_until = None;
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
        // S is 0.75, 0.5, 0.25, 0 from 10, 20, 30, 40 s on
        assert_eq!([estimate("80"), estimate("51"), estimate("30"), estimate("20")], [10.0, 20.0, 30.0, 40.0]);
    }

    #[test]
    fn newer_jobs_weigh_more() {
        let mut learner = Learner::new("survival:decay=0.5,x=30");
        learner.run(&request(), 40);
        learner.run(&request(), 10);
        // weights 0.5 (of 40 s) and 1 (of 10 s): S is 1 - 1 / 1.5 = 0.33 from 10 s on
        assert_eq!(learner.estimate(&request()), 40.0);
        learner.run(&request(), 10);
        // 0.25, 0.5 + 1: 1 - 1.5 / 1.75 = 0.14
        assert_eq!(learner.estimate(&request()), 10.0);
    }

    #[test]
    fn a_running_job_counts_as_lasting_longer() {
        let mut learner = Learner::new("survival:decay=0,x=30");
        for run in [10, 20] {
            learner.run(&request(), run);
        }
        let (first, _) = learner.submit(&request());
        learner.estimator.started(first, learner.now);
        assert_eq!(learner.estimate(&request()), 20.0, "S is 0.5, 0");
        learner.now += 15;
        // at risk at 10 s: both and the running one; at 20 s: one. S is 2/3, 0
        assert_eq!(learner.estimate(&request()), 20.0);
        learner.now += 10;
        // at risk: 3 at 10 s, 2 at 20 s. S is 2/3, 1/3, and never below 0.3
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
        learner.estimator.started(job, learner.now);
        let start = learner.now;
        let mut at = |elapsed: i64| learner.estimator.revise_running(job, elapsed, start + elapsed);
        assert_eq!(at(5), Some(30.0));
        assert_eq!(at(10), Some(30.0), "given 10 s, S is 2/3, 1/3, 0 at 20, 30, 40 s");
        assert_eq!(at(20), Some(40.0), "given 20 s, it is 1/2, 0 at 30, 40 s");
        assert_eq!(at(30), Some(40.0));
        assert_eq!(at(40), Some(1_000.0), "it has outlived them all");
    }
}
