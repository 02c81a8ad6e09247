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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::{Counted, outcomes};
    use packfair_workload::test_jobs;

    #[test]
    fn those_that_count_and_the_others_are_all_jobs_in_log_order() {
        let jobs: Vec<_> = (0..200).map(|at| (at * 3, 1, 1 + at * 37 % 100, 100)).collect();
        let workload = test_jobs::workload(8, &jobs);
        let schedule = Schedule::of_starts(&workload, (0..200).map(|at| at * 3 + at % 7 * 50).collect());
        let plain = outcomes(&workload, &schedule);
        for counted in Counted::ALL {
            let measure = Measure { counted, ..Measure::default() };
            let one = CountedOutcomes::of(&workload, &schedule, &measure);
            assert_eq!(one.counted(), measure.jobs().of(&workload, &plain));
            assert_eq!(one.in_log_order().copied().collect::<Vec<_>>(), plain);
            assert_eq!(one.all().len(), plain.len());
            assert_eq!(one.counted().len() < plain.len(), counted != Counted::All, "{counted}");
        }
    }
}
