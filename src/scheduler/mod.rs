//! Schedulers: which of the waiting jobs start now.
//!
//! A scheduler sees requests, estimates and the cluster, never a run time. Families are one file
//! each, registered in the catalogue; presets name the settings that papers use.

mod block;
mod catalogue;
mod easy;
mod guaranteed;
mod guarantees;
mod hole;
mod list;
mod logged;
mod needs;
mod optimised;
mod order;
mod plan;
mod queue;
mod recent;
mod room;
mod scan;
mod spot;
mod walk;

pub use catalogue::{FAMILIES, Family, PRESETS, Policy, Schedulers};
pub use order::Order;

use crate::simulation::{Cluster, Release, Waiting, World};
use crate::workload::{JobId, Seconds};

/// The start that a waiting job has been given, as far as estimates tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reservation {
    /// The job.
    pub job: Waiting,
    /// When it is to start.
    pub start: f64,
}

/// Decides which waiting jobs start. It keeps the queue, in whatever form serves it.
pub trait Scheduler {
    /// A job enters the queue. Jobs of one instant come in log order.
    fn arrived(&mut self, job: Waiting, cluster: &Cluster);

    /// A job has completed; its processors are free. `release` is what was expected of it.
    fn completed(&mut self, _release: Release, _cluster: &Cluster) {}

    /// A running job has outlived its estimate, which was corrected, or was estimated anew: instead of
    /// what `release` says it is now expected to end at `end`.
    fn expected(&mut self, _release: Release, _end: f64, _cluster: &Cluster) {}

    /// A running job has outlived even its corrected estimate. Until it ends it is taken, at each instant,
    /// to do so a second later, at `end`: it always has whole seconds to go.
    fn overdue(&mut self, _release: Release, _end: f64, _cluster: &Cluster) {}

    /// Waiting jobs were estimated anew, just before a round: E of each at its index in log order.
    fn reestimated(&mut self, estimates: &[f64], cluster: &Cluster);

    /// Whether any waiting job is narrow enough to start now. Where none is, nothing is estimated anew.
    fn could_start(&self, cluster: &Cluster) -> bool;

    /// One scheduling round: starts what should start now ([`Cluster::start`]) and takes it out of
    /// the queue.
    fn round(&mut self, cluster: &mut Cluster);

    /// The next time at which a guaranteed start can be kept even if nothing else happens then. Asked
    /// for after each round.
    fn wake(&self) -> Option<Seconds> {
        None
    }

    /// The start guaranteed to a job that has arrived in the present instant; none where nothing is
    /// guaranteed. Asked for after the round.
    fn promise(&self, _job: JobId) -> Option<Seconds> {
        None
    }

    /// The reservations that the last round made or left, for a person to look at: by their definition,
    /// for where nothing can start a round need not make them. `releases` are those expected of running jobs,
    /// the soonest first.
    fn reservations(&self, _cluster: &Cluster, _releases: &[Release]) -> Vec<Reservation> {
        Vec::new()
    }

    /// Why a waiting job has not started, where a plan says so: a sentence's worth for a person. `releases` as for
    /// [`Scheduler::reservations`].
    fn explain(&self, _job: JobId, _cluster: &Cluster, _releases: &[Release]) -> Option<String> {
        None
    }

    /// How often a guaranteed start had to be replaced by a later one.
    fn remade(&self) -> u64 {
        0
    }

    /// Decides for up to `instants` further instants of a simulation.
    ///
    /// This is here to be compiled for each scheduler: all that an instant asks of it is then called directly. A call
    /// of what is known at run time alone takes long in WebAssembly, and there are some at each instant.
    fn advance(&mut self, world: &mut World, instants: usize) {
        world.advance(self, instants);
    }

    /// The same scheduler with the same queue, to simulate on from here in another way.
    fn fork(&self) -> Box<dyn Scheduler>;
}
