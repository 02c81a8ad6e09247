//! The nodes of jobs that run as a forecast begins, and since when its jobs have been seen.

use super::JobSite;
use crate::{HeldNodes, JobId, Seconds, Workload};
use packfair_slurm::NodePlaces;
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl JobSite {
    /// The nodes that the job at this place in log order holds as a forecast begins, and its processors on each (0: not
    /// told); none where nothing names them.
    pub fn held_nodes(&self, job: usize) -> Option<&[(u32, u32)]> {
        self.held.get(&u32::try_from(job).ok()?).map(Vec::as_slice)
    }
}

impl Workload {
    /// Has running jobs hold the nodes that a queue names, by the records of the log. Without a site nothing is held. Returns
    /// what is to be said where the site does not have these nodes.
    pub fn hold_nodes(&mut self, named: &[(u32, Vec<HeldNodes>)]) -> Option<String> {
        let jobs: FxHashMap<u32, JobId> = self.records().iter().copied().zip((0..).map(JobId)).collect();
        let requests: Vec<u32> = self.requests().iter().map(|request| request.processors).collect();
        let site = Arc::make_mut(self.site.as_mut()?);
        let places = NodePlaces::of(&site.site.nodes);
        let mut held: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
        let (mut strangers, mut unknown): (usize, Vec<String>) = (0, Vec::new());
        for (record, lists) in named {
            let Some(job) = jobs.get(record) else { continue };
            let of_list = |list: &HeldNodes| {
                let nodes = places.in_list(&list.list)?;
                Ok(nodes.into_iter().map(|node| (node, list.cpus.unwrap_or(0))).collect())
            };
            match lists.iter().map(of_list).collect::<Result<Vec<Vec<(u32, u32)>>, String>>() {
                Ok(nodes) => {
                    let mut nodes = nodes.concat();
                    nodes.sort_unstable();
                    nodes.dedup_by_key(|&mut (node, _)| node);
                    let told = nodes.iter().fold(0_u32, |sum, &(_, cpus)| sum.saturating_add(cpus));
                    // some versions tell here what the steps of a job use
                    if told != requests[job.index()] {
                        nodes.iter_mut().for_each(|(_, cpus)| *cpus = 0);
                    }
                    held.insert(job.0, nodes);
                }
                Err(name) => {
                    strangers += 1;
                    unknown.push(name);
                }
            }
        }
        site.held = held;
        let first = unknown.first()?;
        let others = if unknown.iter().any(|name| name != first) { " and others" } else { "" };
        let jobs = if strangers == 1 { "1 running job is".to_owned() } else { format!("{strangers} running jobs are") };
        Some(format!(
            "{jobs} on nodes that slurm.conf does not have ({first:.60}{others}), and placed where Slurm would place them"
        ))
    }

    /// Has its first jobs, which are copies of these jobs of another workload, hold what those hold.
    pub fn hold_nodes_of(&mut self, other: &Workload, copied: impl Iterator<Item = JobId>) {
        let Some((site, of)) = self.site.as_mut().zip(other.site()).filter(|(_, of)| !of.held.is_empty()) else {
            return;
        };
        let held = (0..).zip(copied).filter_map(|(place, job)| Some((place, of.held.get(&job.0)?.clone())));
        Arc::make_mut(site).held = held.collect();
    }

    /// Forgets how long its jobs were held beyond these times after their submissions, which are all that is known.
    pub fn know_holds(&mut self, most: impl Iterator<Item = Seconds>) {
        let Some(site) = self.site.as_mut().filter(|site| !site.holds.is_empty()) else { return };
        for (hold, most) in Arc::make_mut(site).holds.iter_mut().zip(most) {
            *hold = u32::try_from(Seconds::from(*hold).min(most)).unwrap_or(0);
        }
    }

    /// Has its first jobs be seen so many seconds after they were submitted, so that begin times and holds, which count
    /// from then, keep them for less long.
    pub fn see_later(&mut self, by: &[Seconds]) {
        let Some(site) = self.site.as_mut().filter(|site| !site.holds.is_empty()) else { return };
        for (hold, &by) in Arc::make_mut(site).holds.iter_mut().zip(by) {
            *hold = u32::try_from(Seconds::from(*hold) - by).unwrap_or(0);
        }
    }
}
