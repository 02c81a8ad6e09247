//! The schedulers as the papers state them: to be read, copied and compared with.
//!
//! Each fits on a page or two and is written for a reader, not for speed. A round begins with a [`Profile`] of the
//! running jobs, sorts the queue and goes through it; nothing is kept from one round to the next unless the algorithm
//! itself keeps it. Property tests hold every fast scheduler against the plain one of the same settings
//! (`tests/engine/plain.rs`), and the page and the command line can check any run against it.
//!
//! | plain | fast | papers |
//! | --- | --- | --- |
//! | [`list`] | `list.rs` | METRICS §V Alg. 1, CP §2.2 Alg. 1 |
//! | [`easy`] | `easy/` | METRICS §V Alg. 2; CLASSIFY §5.1 |
//! | [`classes`] | `classes.rs` | CLASSIFY §5 |
//! | [`guaranteed`] | `guaranteed.rs` | FAIRNESS §2 |
//! | `dynp/plain.rs` | `dynp/` | DYNP §3 |

pub(super) mod classes;
pub(super) mod easy;
pub(super) mod guaranteed;
pub(super) mod list;
mod profile;

pub(super) use self::profile::{FreeAmounts, Profile};
use super::order::Order;
use packfair_engine::model::{Reservation, View, Waiting};

/// The reservation of a job if it is the only job to get one; none if it never fits, as far as is known.
pub(super) fn reservation(job: &Waiting, view: &View) -> Option<Reservation> {
    let start = Profile::of_running(view).earliest(job, job.estimate, view.now() as f64);
    start.is_finite().then_some(Reservation { job: *job, start })
}

/// Sorts jobs by an order. Its second key decides between equal first keys, then the given sequence, which is log
/// order.
fn sorted(order: Order, jobs: impl Iterator<Item = Waiting>, view: &View) -> Vec<Waiting> {
    let mut jobs: Vec<Waiting> = jobs.collect();
    // keys are never NaN, because estimates are above 0; the sort is stable
    jobs.sort_by(|a, b| order.key_in(view, a).partial_cmp(&order.key_in(view, b)).unwrap());
    jobs
}
