//! The Slurm site beside copies of jobs: of users who were drawn, and of parts of a log.

use super::JobSite;
use crate::{JobId, Request, Seconds, Workload};
use packfair_slurm::Association;
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl JobSite {
    /// Adds the user `user` with the same associations as the user of the request `of`.
    fn add_copy(&mut self, user: i32, of: &Request) {
        let Some(&own) = self.associations.get(&(of.user, of.group)) else { return };
        if self.associations.contains_key(&(user, of.group)) {
            return;
        }
        let all = &mut self.site.accounts.all;
        let mut copy = |own: u32| {
            let copied = &all[own as usize];
            let copy = Association { user: format!("{}#{user}", copied.user), used: 0.0, ..copied.clone() };
            all.push(copy);
            all.len() as u32 - 1
        };
        self.associations.insert((user, of.group), copy(own));
        let mut theirs: Vec<(u32, u32)> = self
            .associations_of_partitions
            .iter()
            .filter(|((user, group, _), _)| (*user, *group) == (of.user, of.group))
            .map(|(&(_, _, partition), &own)| (partition, own))
            .collect();
        theirs.sort_unstable();
        let copies = theirs.into_iter().map(|(partition, own)| ((user, of.group, partition), copy(own)));
        self.associations_of_partitions.extend(copies);
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
            // a copy holds nothing yet
            held: FxHashMap::default(),
            ..self.clone()
        }
    }
}

impl Workload {
    /// Says what each association of the site has used before its first job comes, with all below it: billed
    /// processor-seconds, decayed. Without a site nothing is said.
    pub fn set_usage(&mut self, used: &[f64]) {
        if let Some(site) = self.site.as_mut().filter(|_| !used.is_empty()) {
            let associations = Arc::make_mut(site).site.accounts.all.iter_mut();
            associations.zip(used).for_each(|(association, &used)| association.used = used);
        }
    }

    /// Says that a forecast begins at this moment: on a Slurm site backfill may look less often the later it is.
    pub fn set_forecast_from(&mut self, now: Seconds) {
        if let Some(site) = &mut self.site {
            Arc::make_mut(site).forecast_from = Some(now);
        }
    }

    /// What its associations had used when sshare was asked, where a file of the site tells it: as [`Workload::set_usage`]
    /// takes it.
    pub fn told_usage(&self) -> Option<Vec<f64>> {
        let site = &self.site.as_ref()?.site;
        let told = site.usage.iter();
        let by_name: FxHashMap<[&str; 3], f64> =
            told.map(|used| ([&*used.account, &*used.user, &*used.partition], used.seconds)).collect();
        let of = |own: &Association| by_name.get(&[&*own.account, &*own.user, &*own.partition]).copied().unwrap_or(0.0);
        (!by_name.is_empty()).then(|| site.accounts.all.iter().map(of).collect())
    }

    /// Has the nodes of its site that are listed as down or drained be so from a moment on, or since they went.
    pub fn keep_nodes_away(&mut self, now: Seconds) {
        if let Some(site) = self.site.as_mut().filter(|site| !site.site.away.is_empty()) {
            let site = Arc::make_mut(site);
            site.site.keep_away(now + site.zero);
        }
    }

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
