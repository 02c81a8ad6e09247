//! What a file of a family of schedulers says of it, for the catalogue.

use super::order::Order;
use crate::catalogue::{Entry, Kind, Settings};
use crate::classifier::Classifier;
use crate::machine::Machine;
use crate::model::Usual;
use crate::simulation::Driven;
use crate::workload::Workload;

/// The values of a parameter that is a queue order.
pub(super) const ORDER: Kind = Kind::Formula { options: Order::OPTIONS, formulas: Order::FORMULAS, default: "fcfs" };

/// The same of a family that knows how much of the machine each user has had.
pub(super) const ORDER_WITH_SHARE: Kind =
    Kind::Formula { options: Order::OPTIONS, formulas: Order::FORMULAS_WITH_SHARE, default: "fcfs" };

/// What a family does, with these settings, if a study says nothing; whether the estimator learns may matter.
pub type UsualOf = fn(&Settings, learns: bool) -> Usual;

/// Says whether schedulers of a family can do a machine that is more than one number of processors.
pub type Applies = fn(&Machine) -> bool;

/// Makes a scheduler with an empty queue.
pub type Build = fn(&Settings) -> Box<dyn Driven>;

/// Makes a classifier of the jobs of a workload.
pub type BuildClassifier = for<'a> fn(&Settings, &'a Workload) -> Box<dyn Classifier + 'a>;

/// A family and its algorithm.
#[derive(Debug)]
pub struct SchedulerImplementation {
    /// What a person is told of it.
    pub entry: Entry,
    /// What it does if a study says nothing.
    pub usual: UsualOf,
    /// Makes a scheduler with an empty queue; none if there is nothing to decide, for the log's own starts are taken, or
    /// such as were computed beforehand.
    pub build: Option<Build>,
    /// The same for cells of several resources, where `build` does not know these: then the family can do any machine fast.
    pub on_cells: Option<Build>,
    /// Makes the classifier that says which jobs are small, for schedulers that ask for it.
    pub classifier: Option<BuildClassifier>,
    /// Makes the plain scheduler of the same settings, as the paper states it: what the fast one is compared with.
    /// None if there is none.
    pub plain: Option<Build>,
    /// Which machines `build` can do beyond one number of processors: [`NO_CELLS`], [`ONE_CELL`] or [`ANY_CELLS`]. On
    /// others the plain scheduler runs in its place.
    pub applies: Applies,
    /// Which of them `plain` can do. On others the family is refused.
    pub plain_applies: Applies,
}

impl SchedulerImplementation {
    /// Whether it knows a machine without its plain scheduler.
    pub fn is_fast_on(&self, machine: &Machine) -> bool {
        self.on_cells.is_some() || (self.applies)(machine)
    }

    /// What makes a scheduler for a machine; none is one of a number of processors.
    pub fn maker(&self, machine: Option<&Machine>) -> Option<Build> {
        match machine {
            Some(machine) if !(self.applies)(machine) => self.on_cells.or(self.plain).or(self.build),
            _ => self.build,
        }
    }
}

/// A machine is one number of processors.
pub const NO_CELLS: Applies = |_| false;

/// A machine may be a number of processors that changes by a calendar.
pub const ONE_CELL: Applies = Machine::is_one_cell_of_processors;

/// A machine may have cells, resources, partitions and a calendar.
pub const ANY_CELLS: Applies = |_| true;
