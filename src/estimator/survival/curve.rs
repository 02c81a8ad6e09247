//! A survival curve by Kaplan and Meier, with decaying weights.

use super::RunningOfClass;
use crate::workload::Seconds;
use std::collections::VecDeque;

/// Settings, the same for all groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct DecayRule {
    /// The survival probability below which the estimate lies.
    pub(super) exceeded: f64,
    /// What is left of a weight after one more job.
    keep: f64,
    /// Older jobs weigh too little to change a sum.
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
/// While nothing runs, the product of 1 - (weight of the jobs that ran t') / (weight of all that ran at
/// least t') over the run times t' up to t is the weight of those that ran longer than t over the weight
/// of all: numerators and denominators cancel. So sums of weights are all that is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    /// Run times of the completed jobs, ascending.
    pub(super) runs: Vec<Seconds>,
    /// Weight of each and of all after it.
    at_risk: Vec<f64>,
    /// The same run times as they came, latest at the back.
    order: VecDeque<Seconds>,
}

impl Curve {
    /// Adds the run of a completed job, of weight 1.
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
            // of equal runs the latest comes first, for it was inserted before the others
            let end = self.runs.partition_point(|&other| other <= oldest);
            self.runs.remove(end - 1);
            self.at_risk.remove(end - 1);
        }
    }

    /// Weight of the observations from the `first` on.
    pub(super) fn weight_from(&self, first: usize) -> f64 {
        self.at_risk.get(first).copied().unwrap_or(0.0)
    }

    /// The curve at `now`, with jobs that run, by start. `outlived` is written anew.
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
        // beyond what any job has run for, the curve goes on as without them
        let rest = self.weight_from(outlived.len());
        SurvivalCurve { curve: self, outlived, level: if rest > 0.0 { survival / rest } else { 0.0 } }
    }
}

/// The probability of surviving each observed run time, at some moment.
pub(super) struct SurvivalCurve<'a> {
    curve: &'a Curve,
    /// Of the run times that a running job has outlived.
    outlived: &'a [f64],
    /// Of the others by the weight of all that ran longer.
    level: f64,
}

impl SurvivalCurve<'_> {
    /// The probability of surviving this run time and all shorter ones.
    pub(super) fn after(&self, place: usize) -> f64 {
        self.outlived.get(place).copied().unwrap_or_else(|| self.level * self.curve.weight_from(place + 1))
    }

    /// The place of the first run time from `from` on at which the probability of surviving is below
    /// `exceeded`, for a job that has outlived all before `from`.
    pub(super) fn first_below(&self, exceeded: f64, from: usize) -> Option<usize> {
        // at risk all the while itself, a job makes this 1 / (1 + weight of all) at least
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
