//! The schedulers with which lessons are made. They are the plain ones of the catalogue, so that a page that teaches need
//! not carry the others.

use super::catalogue::Policy;
use super::implementation::Build;
use super::{dynp, easy, guaranteed, list};
use packfair_engine::simulation::Driven;

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
