//! The Slurm site of a log, joined with the jobs of a workload that was made of that log.

use super::{JobSite, SitePart, SiteRequest};
use crate::{AskedMemory, JobId, JobOptions, JobPart, Log, Reason, Request, Workload};
use packfair_slurm::{Accounts, Association, MemoryRule, Site, SlurmPartition, allowed_nodes};
use std::sync::Arc;

impl JobSite {
    /// Joins the site's files with the jobs of a log.
    fn of(site: &Site, log: &Log, workload: &Workload) -> Self {
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
        let numbers: Vec<i32> = log.beyond.options.iter().map(|place| place + 1).collect();
        made.options = of_records(&numbers);
        made.option_kinds.clone_from(&log.beyond.option_kinds);
        made.take_parts();
        made.note_unknown_options();
        made.note_parts(log);
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
        for given in &log.beyond.given {
            made.place_partition(given.partition, log);
        }
        if made.site.counts_memory {
            let is_usual = |(job, request): (JobId, &Request)| {
                let asks = made.asks(job.index());
                u32::from(made.is_of_usual_memory(&asks, request.processors, made.rules(request)))
            };
            made.usual_memory = workload.jobs().zip(workload.requests()).map(is_usual).collect();
        }
        made.note_large_memory(workload);
        made
    }

    /// Finds where the parts of heterogeneous jobs belong.
    fn take_parts(&mut self) {
        for number in 1..=self.option_kinds.len() as u32 {
            let parts = self.option_kinds[number as usize - 1].parts.clone();
            if !parts.is_empty() {
                let parts = parts.into_iter().map(|part| self.part(part)).collect();
                self.parts.insert(number, parts);
            }
        }
    }

    fn part(&mut self, part: JobPart) -> SitePart {
        let JobPart { processors, partition, nodes, gpus, memory, node_range, options } = part;
        let options = if options == JobOptions::default() { 0 } else { self.number_of(options) };
        let node_range = node_range.filter(|&(least, _)| least > 0);
        let mut asks = SiteRequest { nodes, gpus, memory, node_range, options, has_usual_memory: false };
        let partitions = self.named_partitions(&partition);
        asks.has_usual_memory = self.site.counts_memory && {
            let rules = partitions.first().and_then(|&at| self.site.partitions.get(at as usize));
            self.is_of_usual_memory(&asks, processors, rules)
        };
        SitePart { processors, partitions, asks }
    }

    /// The number of these options among all, to which they are added if need be.
    fn number_of(&mut self, options: JobOptions) -> u32 {
        let place = self.option_kinds.iter().position(|own| *own == options).unwrap_or(self.option_kinds.len());
        if place == self.option_kinds.len() {
            self.option_kinds.push(options);
        }
        place as u32 + 1
    }

    /// Notes jobs of several parts (hetjobs): readers have put their parts together.
    fn note_parts(&mut self, log: &Log) {
        let parts = log.account.count(Reason::PartOfJob);
        if parts > 0 {
            let what = if self.site.has_backfill {
                "its parts wait each in its partition, and start together once backfill finds room for all"
            } else {
                "its parts start together in the partition of the first, for only backfill would start them in their own"
            };
            self.missing.push(format!(
                "{parts} rows are further parts of heterogeneous jobs (12+1): such a job counts as one, of the nodes of all \
                 its parts; {what}"
            ));
        }
        let asks =
            |&&number: &&u32| number.checked_sub(1).is_some_and(|at| self.option_kinds[at as usize].switches.is_some());
        let asking = self.options.iter().filter(asks).count();
        if asking > 0 && (!self.site.has_tree || self.site.switches.is_empty()) {
            self.missing.push(format!(
                "{asking} jobs ask for a number of switches (--switches): it is read over without topology.conf and \
                 TopologyPlugin=topology/tree"
            ));
        }
    }

    /// Notes jobs that Slurm would refuse for their memory.
    fn note_large_memory(&mut self, workload: &Workload) {
        let is_over = |(job, request): &(JobId, &Request)| {
            let asks = self.asks(job.index());
            self.rules(request).is_some_and(|rules| self.is_over_memory(&asks, request.processors, rules))
        };
        let over = workload.jobs().zip(workload.requests()).filter(is_over).count();
        if over > 0 {
            self.missing.push(format!(
                "{over} jobs want more memory on a node than MaxMemPerNode allows: Slurm refuses such a job; by the log they \
                 ran, so they run here too, and are counted as refused"
            ));
        }
    }

    /// Notes what jobs ask for and the site's files do not have.
    fn note_unknown_options(&mut self) {
        let mut missing: Vec<String> = Vec::new();
        let site = &self.site;
        let has_reservation = |name: &str| site.reservations.iter().any(|own| own.name == name);
        for JobOptions { constraint, gpus, licences, reservation, .. } in &self.option_kinds {
            if !reservation.is_empty() && !reservation.split(',').any(has_reservation) {
                missing.push(format!(
                    "there is no reservation {reservation:.60} in the site's files (scontrol show reservations): its jobs are \
                     taken to be in none"
                ));
            }
            if !constraint.is_empty() && allowed_nodes(constraint, &site.nodes).is_none_or(|nodes| nodes.are_none()) {
                missing.push(format!("no nodes have what --constraint={constraint:.60} asks for: it is read over"));
            }
            let has_kind = |kind: &str| site.nodes.iter().any(|node| node.gpu_kinds.iter().any(|(own, _)| own == kind));
            // without types in slurm.conf, gres.conf has them
            let knows_kinds = site.nodes.iter().any(|node| !node.gpu_kinds.is_empty());
            let unknown = gpus.iter().filter(|(kind, _)| knows_kinds && !has_kind(kind));
            missing.extend(unknown.map(|(kind, _)| format!("no node has GPUs of type {kind:.60}: any type will do")));
            let has_licence = |name: &str| site.licences.iter().any(|own| own.name == name);
            let unknown = licences.iter().filter(|(name, _)| !has_licence(name));
            missing.extend(unknown.map(|(name, _)| format!("there are no licences {name:.60}: they are not counted")));
        }
        let is_named =
            |name: &str| self.option_kinds.iter().any(|own| own.reservation.split(',').any(|own| own == name));
        for own in site.reservations.iter().filter(|own| !own.owners.is_empty() && !own.nodes.is_empty()) {
            if !is_named(&own.name) && !own.is_magnetic {
                missing.push(format!(
                    "no job of the log is in the reservation {:.60} of {:.60} (sacct's column Reservation, or SubmitLine): its \
                     nodes serve nobody while it lasts",
                    own.name,
                    own.owners.join(",")
                ));
            }
        }
        missing.sort_unstable();
        missing.dedup();
        self.missing.append(&mut missing);
    }

    /// Whether a job with these processors has as much memory as its partition gives those who ask for none, or nothing is
    /// known of its memory.
    fn is_of_usual_memory(&self, asks: &SiteRequest, processors: u32, rules: Option<&SlurmPartition>) -> bool {
        if self.asked_memory(asks) != AskedMemory::Unsaid {
            return false;
        }
        let SiteRequest { nodes, gpus, .. } = *asks;
        let own = rules.map(|rules| rules.memory).unwrap_or_default();
        let usual = match own.usual(&self.site.memory, gpus > 0) {
            Some(MemoryRule::OfCpu(each)) => each * u64::from(processors),
            Some(MemoryRule::OfNode(each)) => each * u64::from(nodes.max(1)),
            Some(MemoryRule::OfGpu(each)) => each * u64::from(gpus),
            None => 0,
        };
        let memory = u64::from(asks.memory);
        memory == 0 || memory == usual
    }

    /// The places of the partitions that a job names, which may be several; at least one.
    fn named_partitions(&mut self, own: &str) -> Vec<u32> {
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
            let text = format!("there is no partition {unknown}: its jobs are taken to be of {there}");
            if !self.missing.contains(&text) {
                self.missing.push(text);
            }
        }
        if found.is_empty() {
            found.push(usual as u32);
        }
        found
    }

    /// Notes which partitions of the site a number of the log stands for.
    fn place_partition(&mut self, number: i32, log: &Log) {
        if !self.partitions.contains_key(&number) {
            let found = self.named_partitions(&name(&log.names.partitions, number));
            self.partitions.insert(number, found);
        }
    }

    /// Notes where a job belongs in the site, by its names in the log.
    fn place(&mut self, request: &Request, log: &Log) {
        let names = &log.names;
        self.place_partition(request.partition, log);
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
            for (at, partition) in self.site.accounts.of_partitions(at) {
                if let Some(partition) = self.site.partition(partition) {
                    self.associations_of_partitions.insert((request.user, request.group, partition as u32), at);
                }
            }
        }
    }
}

/// The name for which a number of a log stands; empty where there is none.
fn name(names: &[String], number: i32) -> String {
    let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    at.and_then(|at| names.get(at)).cloned().unwrap_or_default()
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
    /// Takes the site of `log`, of which the workload was made, or what is made of that site. Reservations of which no file
    /// tells when they were made are known `announced` seconds before they begin, or from the beginning.
    pub fn take_site(&mut self, site: &Site, log: &Log, announced: Option<u64>) {
        let mut made = JobSite::of(site, log, self);
        announced.into_iter().for_each(|before| made.site.announce(i64::try_from(before).unwrap_or(i64::MAX)));
        self.site = Some(Arc::new(made));
    }
}
