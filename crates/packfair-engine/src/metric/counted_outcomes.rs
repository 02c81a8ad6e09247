//! The outcomes of a schedule as one list, so that a job that counts is not held twice.

use super::{Measure, Outcome, outcome};
use crate::model::Schedule;
use packfair_workload::Workload;

pub(super) struct CountedOutcomes {
    /// Those that count, then the others; each in log order.
    list: Vec<Outcome>,
    counted: usize,
    /// Those that count, with the sizes that weights use where these are not their processors.
    sized: Option<Vec<Outcome>>,
}

impl CountedOutcomes {
    pub(super) fn of(workload: &Workload, schedule: &Schedule, measure: &Measure) -> Self {
        let mut list = outcome::outcomes(workload, schedule);
        let count = measure.jobs().which(workload, &list);
        let mut others = Vec::new();
        let mut counts = count.into_iter();
        list.retain(|outcome| {
            let is_counted = counts.next().unwrap_or_default();
            others.extend((!is_counted).then_some(*outcome));
            is_counted
        });
        let counted = list.len();
        list.extend(others);
        let sized = workload.cluster().map(|cluster| {
            let sized = |job: &Outcome| {
                let processors = cluster.demands.size(workload.record(job.job)).unwrap_or(job.processors);
                Outcome { processors, ..*job }
            };
            list[..counted].iter().map(sized).collect()
        });
        CountedOutcomes { list, counted, sized }
    }

    /// The jobs that count, in log order.
    pub(super) fn counted(&self) -> &[Outcome] {
        self.sized.as_deref().unwrap_or(&self.list[..self.counted])
    }

    /// All jobs, in no certain order, for what does not depend on it.
    pub(super) fn all(&self) -> &[Outcome] {
        &self.list
    }

    /// All jobs in log order.
    pub(super) fn in_log_order(&self) -> impl Iterator<Item = &Outcome> + Clone {
        let (mut counted, mut others) = self.list.split_at(self.counted);
        std::iter::from_fn(move || {
            let is_other = others.first().is_some_and(|other| counted.first().is_none_or(|next| other.job < next.job));
            let from = if is_other { &mut others } else { &mut counted };
            let (first, rest) = from.split_first()?;
            *from = rest;
            Some(first)
        })
    }
}
