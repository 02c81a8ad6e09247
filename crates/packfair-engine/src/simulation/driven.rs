//! Schedulers as a simulation drives them.

use super::World;
use crate::model::Scheduler;

/// A scheduler that a simulation can drive and fork. Every [`Scheduler`] that can be cloned is one.
///
/// `advance` is compiled for each type of scheduler, so that all calls within an instant are direct. Calls through a
/// table are slow in WebAssembly, and there are several at each instant.
pub trait Driven: Scheduler {
    /// Lives through up to `instants` further instants of a simulation.
    fn advance(&mut self, world: &mut World, instants: usize);

    /// A copy of the scheduler with its queue, to simulate on from here in another way.
    fn fork(&self) -> Box<dyn Driven>;
}

impl<S: Scheduler + Clone + 'static> Driven for S {
    fn advance(&mut self, world: &mut World, instants: usize) {
        world.advance(self, instants);
    }

    fn fork(&self) -> Box<dyn Driven> {
        Box::new(self.clone())
    }
}
