//! Orders of jobs that follow from the workload alone, not from a schedule. They are computed when first asked for, and
//! shared by copies of the workload.

use super::{JobId, Request, Seconds};
use std::sync::{Arc, OnceLock};

/// Jobs in some order, computed when first asked for. It follows from the jobs, so comparisons of workloads ignore it.
#[derive(Clone, Debug, Default)]
struct LazyOrder(OnceLock<Arc<[JobId]>>);

impl PartialEq for LazyOrder {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct JobOrders {
    by_area: LazyOrder,
    by_logged_wait: LazyOrder,
}

impl JobOrders {
    /// All jobs by area r D, the smallest first; jobs that are equal in this are in log order.
    pub(super) fn by_area(&self, requests: &[Request], runs: &[Seconds]) -> &[JobId] {
        self.by_area.0.get_or_init(|| {
            let areas = requests.iter().zip(runs).map(|(request, &run)| area(request.processors, run));
            sorted(areas.zip((0..).map(JobId)).collect())
        })
    }

    /// The jobs whose wait the log tells, by that wait, the shortest first; jobs that are equal in this are in log
    /// order.
    pub(super) fn by_logged_wait(&self, waits: &[Seconds]) -> &[JobId] {
        self.by_logged_wait.0.get_or_init(|| {
            let told = waits.iter().copied().zip((0..).map(JobId)).filter(|&(wait, _)| wait >= 0);
            sorted(told.collect())
        })
    }
}

/// The area r D in whole processor-seconds.
///
/// It saturates at 2^63, which is 2^32 processors for 68 years.
pub(super) fn area(processors: u32, run: Seconds) -> i64 {
    i64::from(processors).saturating_mul(run)
}

fn sorted(mut jobs: Vec<(i64, JobId)>) -> Arc<[JobId]> {
    radsort::sort_by_key(&mut jobs, |&(key, _)| key);
    jobs.into_iter().map(|(_, job)| job).collect()
}
