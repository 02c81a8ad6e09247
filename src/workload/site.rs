//! A Slurm site beside the jobs of a workload: what their users, accounts, QOS and partitions are in its files.

use super::{JobId, Log, Request, Seconds, Workload};
use crate::slurm::{Accounts, Association, Partition, Site, Version};
use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::Arc;

/// A site, and where each job of a workload belongs in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobSite {
    /// The site. Users that its files lack are added, each with one share.
    pub site: Site,
    /// The log's zero on the site's clock, seconds since 1970.
    pub zero: Seconds,
    /// The number of nodes of each job in log order, 0 where the log does not tell.
    nodes: Vec<u32>,
    /// The fewest nodes that each job asked for, and the most (0: any number). Where the log does not tell them, both
    /// are the number that it got.
    ranges: Vec<(u32, u32)>,
    /// Graphics processors of each job, 0 where the log does not tell.
    gpus: Vec<u32>,
    /// Memory of each job on all its nodes, MiB, 0 where the log does not tell.
    memory: Vec<u32>,
    /// The priority that each was last given, 0 where the log does not tell.
    priorities: Vec<u32>,
    /// How long each job was held, or had to wait for a begin time, from its submission on, seconds.
    holds: Vec<u32>,
    /// The places of a partition in the site, by its number in the log. A number may stand for several partitions.
    partitions: FxHashMap<i32, Vec<u32>>,
    /// The place of a QOS in the site, by the number of the queue in the log.
    qos: FxHashMap<i32, u32>,
    /// The place of an association in the site, by the log's numbers of the user and of the group, which is the
    /// account.
    associations: FxHashMap<(i32, i32), u32>,
    /// Names of the log that the site's files lack.
    missing: Vec<String>,
}

impl JobSite {
    /// A site of which only the number of processors is known.
    pub fn plain(processors: u32, version: Version) -> Self {
        JobSite {
            site: Site::plain(processors, version),
            zero: 0,
            nodes: Vec::new(),
            ranges: Vec::new(),
            gpus: Vec::new(),
            memory: Vec::new(),
            priorities: Vec::new(),
            holds: Vec::new(),
            partitions: FxHashMap::default(),
            qos: FxHashMap::default(),
            associations: FxHashMap::default(),
            missing: Vec::new(),
        }
    }

    /// Joins the site's files with the jobs of a log.
    pub(super) fn of(site: &Site, log: &Log, workload: &Workload) -> Self {
        let mut made = JobSite::plain(0, site.version);
        made.site = site.clone();
        if made.site.nodes.is_empty() {
            let plain = Site::plain(workload.machine.processors, site.version);
            (made.site.nodes, made.site.partitions) = (plain.nodes, plain.partitions);
        }
        made.zero = workload.header.unix_start().unwrap_or(0);
        let of_records = |column: &[i32]| -> Vec<u32> {
            let value = |job| column.get(workload.record(job)).map_or(0, |&value| value.max(0) as u32);
            if column.is_empty() { Vec::new() } else { workload.jobs().map(value).collect() }
        };
        (made.nodes, made.gpus) = (of_records(&log.beyond.nodes), of_records(&log.beyond.gpus));
        made.memory = of_records(&log.beyond.memory);
        if !log.beyond.priorities.is_empty() {
            let own = |job| u32::try_from(log.beyond.priorities[workload.record(job)]).unwrap_or(0);
            made.priorities = workload.jobs().map(own).collect();
        }
        if !log.beyond.least_nodes.is_empty() && !made.nodes.is_empty() {
            let range = |(job, &nodes): (JobId, &u32)| {
                let record = workload.record(job);
                let [least, most] = [&log.beyond.least_nodes, &log.beyond.most_nodes].map(|column| column[record]);
                if least <= 0 { (nodes, nodes) } else { (least as u32, most.max(0) as u32) }
            };
            made.ranges = workload.jobs().zip(&made.nodes).map(range).collect();
        }
        if !log.beyond.eligible.is_empty() {
            let held = |job| {
                let record = workload.record(job);
                let (eligible, submit) = (log.beyond.eligible[record], log.records[record].submit);
                // a job that is not held becomes eligible up to a second after its submission
                u32::try_from(eligible - submit).ok().filter(|&held| held > 1).unwrap_or(0)
            };
            made.holds = workload.jobs().map(held).collect();
        }
        for request in workload.requests() {
            made.place(request, log);
        }
        made
    }

    /// Notes where a job belongs in the site, by its names in the log.
    fn place(&mut self, request: &Request, log: &Log) {
        let name = |names: &[String], number: i32| -> String {
            let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
            at.and_then(|at| names.get(at)).cloned().unwrap_or_default()
        };
        let names = &log.names;
        if !self.partitions.contains_key(&request.partition) {
            // a job may name several partitions
            let own = name(&names.partitions, request.partition);
            let (mut found, mut unknown): (Vec<u32>, Vec<&str>) = Default::default();
            for name in own.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                match self.site.partition(name) {
                    Some(at) if found.contains(&(at as u32)) => {}
                    Some(at) => found.push(at as u32),
                    None => unknown.push(name),
                }
            }
            let usual = self.site.partition("").unwrap_or(0);
            if !unknown.is_empty() {
                let there = found.first().map_or(usual, |&at| at as usize);
                let there = self.site.partitions.get(there).map_or("", |partition| &partition.name);
                let unknown = unknown.join(",");
                self.missing.push(format!("there is no partition {unknown}: its jobs are taken to be of {there}"));
            }
            if found.is_empty() {
                found.push(usual as u32);
            }
            self.partitions.insert(request.partition, found);
        }
        if !self.qos.contains_key(&request.queue) {
            let own = name(&names.queues, request.queue);
            if let Some(at) = self.site.qos.iter().position(|qos| qos.name == own) {
                self.qos.insert(request.queue, at as u32);
            } else if !own.is_empty() && !self.site.qos.is_empty() {
                self.missing.push(format!("there is no QOS {own}: its jobs are taken to have none"));
            }
        }
        if !self.associations.contains_key(&(request.user, request.group)) {
            let (user, account) = (name(&names.users, request.user), name(&names.groups, request.group));
            let accounts = &mut self.site.accounts;
            let at = accounts.of(&account, &user).unwrap_or_else(|| {
                if !accounts.all.is_empty() {
                    self.missing
                        .push(format!("user {user} has no association in account {account}: one share is assumed"));
                }
                add_user(accounts, &account, user)
            });
            self.associations.insert((request.user, request.group), at);
        }
    }

    /// The places of the partitions that a job names; at least one.
    pub fn partitions(&self, request: &Request) -> &[u32] {
        self.partitions.get(&request.partition).map_or(&[0], Vec::as_slice)
    }

    /// The place of the first partition that a job names.
    pub fn partition(&self, request: &Request) -> u32 {
        self.partitions(request).first().copied().unwrap_or(0)
    }

    /// The rules of a job's partition.
    pub fn rules(&self, request: &Request) -> Option<&Partition> {
        self.site.partitions.get(self.partition(request) as usize)
    }

    /// The place of a job's QOS in the site.
    pub fn qos(&self, request: &Request) -> Option<u32> {
        self.qos.get(&request.queue).copied()
    }

    /// The place of a job's association in the site.
    pub fn association(&self, request: &Request) -> Option<u32> {
        self.associations.get(&(request.user, request.group)).copied()
    }

    /// The numbers of nodes and of graphics processors of the job at this place in log order, 0 where the log does not
    /// tell.
    pub fn nodes_and_gpus(&self, job: usize) -> (u32, u32) {
        let of = |column: &[u32]| column.get(job).copied().unwrap_or(0);
        (of(&self.nodes), of(&self.gpus))
    }

    /// The fewest nodes that the job at this place in log order asked for, and the most (0: any number); none where the
    /// log does not tell.
    pub fn node_range(&self, job: usize) -> Option<(u32, u32)> {
        self.ranges.get(job).copied().filter(|&(least, _)| least > 0)
    }

    /// Memory of the job at this place in log order on all its nodes, MiB; 0 where the log does not tell.
    pub fn memory(&self, job: usize) -> u64 {
        self.memory.get(job).copied().map_or(0, u64::from)
    }

    /// The priority that Slurm last gave the job at this place in log order; none where the log does not tell.
    pub fn priority(&self, job: usize) -> Option<u32> {
        self.priorities.get(job).copied().filter(|&priority| priority > 0)
    }

    /// How long the job at this place in log order was held, or had to wait for a begin time, seconds.
    pub fn hold(&self, job: usize) -> Seconds {
        self.holds.get(job).copied().map_or(0, Seconds::from)
    }

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
            priorities: of(&self.priorities),
            holds: of(&self.holds),
            ..self.clone()
        }
    }

    /// What the log names and the site's files lack, in sentences.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }
}

/// A value that few workloads have, as bytes for another worker. The code that unpacks it can then be loaded later
/// there.
pub(super) fn packed<T: Serialize>(value: Option<&T>) -> Vec<u8> {
    // plain data can always be packed
    value.map(|value| postcard::to_stdvec(value).unwrap_or_default()).unwrap_or_default()
}

/// Unpacks the value of [`packed`] bytes.
pub(super) fn unpacked<'de, D: Deserializer<'de>, T: DeserializeOwned>(bytes: D) -> Result<Option<Arc<T>>, D::Error> {
    let bytes = Vec::<u8>::deserialize(bytes)?;
    Ok(if bytes.is_empty() { None } else { postcard::from_bytes(&bytes).ok().map(Arc::new) })
}

/// Adds a user with one share to the account, or to the root where there is no such account. Returns the user's place.
fn add_user(accounts: &mut Accounts, account: &str, user: String) -> u32 {
    if accounts.all.is_empty() {
        let root = Association { account: "root".into(), shares: Some(1), ..Association::default() };
        accounts.all.push(root);
    }
    let is_account = |other: &Association| other.user.is_empty() && other.account == account;
    let parent = accounts.all.iter().position(is_account).unwrap_or(0) as u32;
    let account = account.to_owned();
    accounts.all.push(Association { account, user, parent: Some(parent), shares: Some(1), ..Association::default() });
    accounts.all.len() as u32 - 1
}

impl Workload {
    /// Takes the site of `log`, of which the workload was made.
    pub fn take_site(&mut self, log: &Log) {
        self.site = log.site.as_ref().map(|site| Arc::new(JobSite::of(site, log, self)));
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

    /// The Slurm site beside its jobs, where there is one.
    pub fn site(&self) -> Option<&Arc<JobSite>> {
        self.site.as_ref()
    }
}
