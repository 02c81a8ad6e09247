//! What the file of a scheduler family tells the catalogue.

use super::catalogue::Policy;
use super::order::Order;
use super::{dynp, easy, guaranteed, list};
use packfair_base::catalogue::{Entry, Kind, Settings};
use packfair_base::machine::Machine;
use packfair_engine::classifier::Classifier;
use packfair_engine::model::Usual;
use packfair_engine::simulation::Driven;
use packfair_workload::Workload;

/// The kind of a parameter that is a queue order.
pub(super) const ORDER: Kind = Kind::Formula { options: Order::OPTIONS, presets: Order::PRESETS, default: "fcfs" };

/// What a family does with these settings when a study says nothing; `learns` says whether the estimator learns.
pub type UsualOf = fn(&Settings, learns: bool) -> Usual;

/// Says whether schedulers of a family can run on a machine that is more than one number of processors.
pub type Applies = fn(&Machine) -> bool;

/// Makes a scheduler with an empty queue.
pub type Build = fn(&Settings) -> Box<dyn Driven>;

/// Makes the classifier for the jobs of a workload.
pub type BuildClassifier = for<'a> fn(&Settings, &'a Workload) -> Box<dyn Classifier + 'a>;

/// A family and its algorithm.
#[derive(Debug)]
pub struct SchedulerImplementation {
    pub entry: Entry,
    /// What the family does when a study says nothing.
    pub usual: UsualOf,
    /// Makes a scheduler with an empty queue; none where no scheduler decides, because the starts are the log's own or
    /// computed beforehand.
    pub build: Option<Build>,
    /// Makes a scheduler for cells of several resources, where `build` does not know them. The family is then fast on
    /// any machine.
    pub on_cells: Option<Build>,
    /// Makes the classifier that says which jobs are small, for schedulers that ask for one.
    pub classifier: Option<BuildClassifier>,
    /// Makes the plain scheduler of the same settings, as the paper states it, with which the fast one is compared.
    /// None if there is no other.
    pub plain: Option<Build>,
    /// Which machines `build` can run on beyond one number of processors: [`NO_CELLS`], [`ONE_CELL`] or [`ANY_CELLS`].
    /// On other machines the plain scheduler runs in its place.
    pub applies: Applies,
    /// Which machines `plain` can run on. On other machines the family is refused.
    pub plain_applies: Applies,
}

impl SchedulerImplementation {
    /// Whether the family can run on a machine without its plain scheduler.
    pub fn is_fast_on(&self, machine: &Machine) -> bool {
        !machine.switches_off() && (self.on_cells.is_some() || (self.applies)(machine))
    }

    /// What makes a scheduler for a machine. No machine means one number of processors.
    pub fn maker(&self, machine: Option<&Machine>) -> Option<Build> {
        match machine {
            // the plain ones count the boot of nodes
            Some(machine) if machine.switches_off() => self.plain.or(self.build),
            Some(machine) if !(self.applies)(machine) => self.on_cells.or(self.plain).or(self.build),
            _ => self.build,
        }
    }
}

/// The family only knows a machine that is one number of processors.
pub const NO_CELLS: Applies = |_| false;

/// The family also knows a number of processors that changes by a calendar.
pub const ONE_CELL: Applies = Machine::is_one_cell_of_processors;

/// The family knows machines with cells, resources, partitions and a calendar.
pub const ANY_CELLS: Applies = |_| true;

// The schedulers with which lessons are made. They are the plain ones of the catalogue, so that a page that teaches need
// not carry the others.

/// The families, each by its id, with its plain scheduler.
const TAUGHT: [(&str, Option<Build>); 4] = [
    (list::FAMILY.entry.id, list::FAMILY.plain),
    (easy::FAMILY.entry.id, easy::FAMILY.plain),
    (guaranteed::CONSERVATIVE.entry.id, guaranteed::CONSERVATIVE.plain),
    (dynp::FAMILY.entry.id, dynp::FAMILY.plain),
];

impl Policy {
    /// The plain scheduler of a policy that lessons show; none for the others.
    pub fn build_taught(&self) -> Option<Box<dyn Driven>> {
        let (_, build) = TAUGHT.iter().find(|(id, _)| *id == self.family().entry.id)?;
        build.map(|build| build(self.settings()))
    }
}
