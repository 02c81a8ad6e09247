//! The Slurm site beside copies of jobs: of users who were drawn, and of parts of a log.

use super::JobSite;
use crate::{JobId, Request, Workload};
use packfair_slurm::Association;
use std::sync::Arc;

impl JobSite {
    /// Adds the user `user` with the same association as the user of the request `of`.
    fn add_copy(&mut self, user: i32, of: &Request) {
        let Some(own) = self.association(of).filter(|_| !self.associations.contains_key(&(user, of.group))) else {
            return;
        };
        let all = &mut self.site.accounts.all;
        let copied = &all[own as usize];
        let copy = Association { user: format!("{}#{user}", copied.user), ..copied.clone() };
        all.push(copy);
        self.associations.insert((user, of.group), all.len() as u32 - 1);
    }

    /// The same site beside other jobs: each has the values of the job at the given place.
    fn in_order(&self, places: &[JobId]) -> Self {
        let of = |column: &[u32]| {
            let value = |place: &JobId| column.get(place.index()).copied().unwrap_or(0);
            if column.is_empty() { Vec::new() } else { places.iter().map(value).collect() }
        };
        let range = |place: &JobId| self.ranges.get(place.index()).copied().unwrap_or((0, 0));
        let ranges = if self.ranges.is_empty() { Vec::new() } else { places.iter().map(range).collect() };
        JobSite {
            nodes: of(&self.nodes),
            ranges,
            gpus: of(&self.gpus),
            memory: of(&self.memory),
            options: of(&self.options),
            usual_memory: of(&self.usual_memory),
            priorities: of(&self.priorities),
            holds: of(&self.holds),
            ..self.clone()
        }
    }
}

impl Workload {
    /// Takes the site and the ties of another workload, of whose jobs its own are copies: `copied` has the original of
    /// each. A user who is not in that workload gets the same shares and limits as the user whose jobs were copied.
    pub fn take_site_of(&mut self, other: &Workload, copied: &[JobId]) {
        self.take_ties_of(other, copied);
        let Some(site) = other.site() else { return };
        let mut own = site.in_order(copied);
        for (request, &of) in self.requests().iter().zip(copied) {
            let of = other.request(of);
            if request.user != of.user {
                own.add_copy(request.user, of);
            }
        }
        self.site = Some(Arc::new(own));
    }
}
