//! A survival curve by Kaplan and Meier, with decaying weights.

use super::RunningOfClass;
use packfair_workload::Seconds;
use std::collections::VecDeque;

/// The settings, which are the same for all groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct DecayRule {
    /// The survival probability below which the estimate lies.
    pub(super) exceeded: f64,
    /// The factor by which a weight decays with each further job.
    keep: f64,
    /// The number of jobs that are kept; older ones weigh too little to change a sum.
    remembered: usize,
}

impl DecayRule {
    pub(super) fn new(exceeded: f64, keep: f64) -> Self {
        let remembered = libm::log(f64::EPSILON / 2.0) / libm::log(keep);
        DecayRule { exceeded, keep, remembered: if keep < 1.0 { remembered.ceil() as usize } else { usize::MAX } }
    }
}

/// The observed run times of a group.
///
/// While no job runs, the product of 1 - (weight of the jobs that ran t') / (weight of all that ran at least t') over
/// the run times t' up to t equals the weight of those that ran longer than t over the weight of all, because
/// numerators and denominators cancel. So only sums of weights are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    /// Run times of the completed jobs, ascending.
    pub(super) runs: Vec<Seconds>,
    /// For each run time, the weight of it and of all after it.
    at_risk: Vec<f64>,
    /// The same run times in the order of completion, the latest at the back.
    order: VecDeque<Seconds>,
}

impl Curve {
    /// Adds the run time of a completed job, with weight 1.
    pub(super) fn observe(&mut self, run: Seconds, rule: DecayRule) {
        for weight in &mut self.at_risk {
            *weight *= rule.keep;
        }
        let place = self.runs.partition_point(|&other| other < run);
        let after = self.at_risk.get(place).copied().unwrap_or(0.0);
        for weight in &mut self.at_risk[..place] {
            *weight += 1.0;
        }
        self.runs.insert(place, run);
        self.at_risk.insert(place, after + 1.0);
        self.order.push_back(run);
        if self.order.len() > rule.remembered
            && let Some(oldest) = self.order.pop_front()
        {
            // Among equal run times the latest comes first, because it was inserted before the others.
            let end = self.runs.partition_point(|&other| other <= oldest);
            self.runs.remove(end - 1);
            self.at_risk.remove(end - 1);
        }
    }

    /// The weight of the observations from the index `first` on.
    pub(super) fn weight_from(&self, first: usize) -> f64 {
        self.at_risk.get(first).copied().unwrap_or(0.0)
    }

    /// The curve at `now`, given the running jobs in the order of their starts. `outlived` is overwritten.
    pub(super) fn with<'a>(
        &'a self,
        running: &[RunningOfClass],
        now: Seconds,
        outlived: &'a mut Vec<f64>,
    ) -> SurvivalCurve<'a> {
        outlived.clear();
        let longest = running.first().map_or(Seconds::MIN, |job| now - job.start);
        let mut censored = running.len();
        let mut survival = 1.0;
        for (i, &run) in self.runs.iter().enumerate().take_while(|&(_, &run)| run <= longest) {
            while now - running[censored - 1].start < run {
                censored -= 1; // the first has run for longer, so there is always one
            }
            let censored = censored as f64;
            survival *= (self.weight_from(i + 1) + censored) / (self.at_risk[i] + censored);
            outlived.push(survival);
        }
        // Beyond the time that any job has run, the curve goes on as without running jobs.
        let rest = self.weight_from(outlived.len());
        SurvivalCurve { curve: self, outlived, level: if rest > 0.0 { survival / rest } else { 0.0 } }
    }
}

/// The probability of surviving each observed run time, at a certain moment.
pub(super) struct SurvivalCurve<'a> {
    curve: &'a Curve,
    /// The probabilities for the run times that some running job has outlived.
    outlived: &'a [f64],
    /// The factor from the weight of all that ran longer to the probability, for the other run times.
    level: f64,
}

impl SurvivalCurve<'_> {
    /// The probability of surviving the run time with this index and all shorter ones.
    pub(super) fn after(&self, place: usize) -> f64 {
        self.outlived.get(place).copied().unwrap_or_else(|| self.level * self.curve.weight_from(place + 1))
    }

    /// The index of the first run time from `from` on at which the probability of surviving is below `exceeded`, for a
    /// job that has outlived all run times before `from`.
    pub(super) fn first_below(&self, exceeded: f64, from: usize) -> Option<usize> {
        // The job is itself at risk all the while, so this is at least 1 / (1 + weight of all).
        let given = from.checked_sub(1).map_or(1.0, |last| self.after(last));
        let (mut low, mut high) = (from, self.curve.runs.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.after(middle) < exceeded * given {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        (low < self.curve.runs.len()).then_some(low)
    }
}
