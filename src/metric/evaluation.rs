//! Measures one schedule.

use super::fair_start::Fair;
use super::timeline::Timeline;
use super::{Curves, Measure, Metric, Outcome};
use super::{capacity, estimates, fair_share, fair_start, fairness, outcome, packing, response};
use crate::order;
use crate::simulation::Schedule;
use crate::workload::Workload;
use std::collections::BTreeMap;

/// A schedule under measurement: which jobs count, and what follows from them.
pub struct Evaluation {
    processors: u32,
    measure: Measure,
    /// Every job that started, in log order.
    all: Vec<Outcome>,
    /// Those of them that count.
    pub(super) kept: Vec<Outcome>,
    timeline: Timeline,
    /// How often a guaranteed start was replaced by a later one; none where nothing was guaranteed.
    remade: Option<u64>,
}

impl Evaluation {
    /// Of a schedule of `workload`.
    pub fn new(workload: &Workload, schedule: &Schedule, measure: &Measure) -> Self {
        let all = outcome::outcomes(workload, schedule);
        Evaluation {
            processors: workload.machine.processors,
            measure: *measure,
            kept: outcome::kept(&all, measure.counted),
            timeline: Timeline::new(&all),
            remade: (!schedule.promises.is_empty()).then_some(schedule.remade),
            all,
        }
    }

    /// How many jobs count.
    pub fn jobs(&self) -> usize {
        self.kept.len()
    }

    /// Every metric that is defined for this schedule.
    pub fn values(&self) -> BTreeMap<Metric, f64> {
        order::map(Metric::ALL.iter().filter_map(|&metric| Some((metric, self.value(metric)?))))
    }

    /// One metric; none where it is not defined for this schedule.
    pub fn value(&self, metric: Metric) -> Option<f64> {
        let (kept, all, processors) = (&self.kept[..], &self.all[..], self.processors);
        let value = match metric {
            Metric::Bsld => response::bsld(kept, self.measure.bsld_bound),
            Metric::Af => response::average_response(kept),
            Metric::Aq => response::average_wait(kept),
            Metric::Awf => packing::area_weighted_response(kept),
            Metric::Awq => packing::area_weighted_wait(kept),
            Metric::P0sf => fairness::priority_weighted_response(kept, 0.0),
            Metric::P1sf => fairness::priority_weighted_response(kept, 1.0),
            Metric::P2sf => fairness::priority_weighted_response(kept, 2.0),
            Metric::P3sf => fairness::priority_weighted_response(kept, 3.0),
            Metric::Pasf => fairness::priority_weighted_response(kept, self.measure.alpha),
            Metric::UnfairShare => fair_share::unweighted(kept, &self.timeline),
            Metric::UnfairShareWeighted => fair_share::weighted(kept, &self.timeline),
            Metric::UnfairShareShort => fair_share::short(kept, &self.timeline),
            Metric::StrictUnfairness => fair_start::average_unfairness(kept, Fair::Strict),
            Metric::RelaxedUnfairness => fair_start::average_unfairness(kept, Fair::Relaxed),
            Metric::Late => fair_start::later_than_promised(kept),
            Metric::Remade => self.remade.map(|remade| remade as f64),
            Metric::Loc => capacity::lost(&self.timeline, processors),
            Metric::Makespan => capacity::makespan(all),
            Metric::Utilisation => capacity::utilisation(all, processors),
            Metric::UtilisationClipped => capacity::steady_utilisation(all, processors),
            Metric::MaxWait => response::longest_wait(kept),
            Metric::Lp => response::norm(kept, self.measure.norm),
            Metric::Artww => response::width_weighted_response(kept),
            Metric::Sldww => response::width_weighted_slowdown(kept, self.measure.sldww_bound),
            Metric::R2 => estimates::r_squared(kept),
            Metric::Mae => estimates::mean_absolute_error(kept),
            Metric::UnderRate => estimates::under_rate(kept),
            Metric::Corrections => estimates::corrections(kept),
        };
        value.filter(|value| value.is_finite())
    }

    /// The curves.
    pub fn curves(&self) -> Curves {
        Curves::of(&self.all, &self.kept, &self.timeline, self.processors, self.measure.bsld_bound)
    }
}
