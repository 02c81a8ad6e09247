//! A Slurm site beside the jobs of a workload: what their users, accounts, QOS and partitions are in its files.

mod of_log;

use super::{AskedMemory, JobOptions, Portion, Request, Seconds};
use crate::{HeldNodes, JobId, Workload};
use packfair_slurm::{Association, MemoryRule, NodePlaces, Site, SlurmPartition, Version};
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
    /// The moment of a forecast, after which backfill looks less often; none where every cycle counts.
    pub forecast_from: Option<Seconds>,
    /// The number of nodes of each job in log order, 0 where the log does not tell.
    nodes: Vec<u32>,
    /// The fewest nodes that each job asked for, and the most (0: any number). Where the log does not tell them, both
    /// are the number that it got.
    ranges: Vec<(u32, u32)>,
    /// Graphics processors of each job, 0 where the log does not tell.
    gpus: Vec<u32>,
    /// Memory of each job on all its nodes, MiB, 0 where the log does not tell.
    memory: Vec<u32>,
    /// What each asks for beyond these: 0 for nothing, else the number of its options from 1 on.
    options: Vec<u32>,
    option_kinds: Vec<JobOptions>,
    /// The parts of heterogeneous jobs, by the number of their options.
    parts: FxHashMap<u32, Vec<SitePart>>,
    /// 1 for each that has the memory which the site gives jobs that ask for none, or of whose memory nothing is known.
    usual_memory: Vec<u32>,
    /// The priority that each was last given, 0 where the log does not tell.
    priorities: Vec<u32>,
    /// How long each job was held, or had to wait for a begin time, from its submission on, seconds.
    holds: Vec<u32>,
    /// The nodes that jobs hold which run as a forecast begins, and the processors of each job there (0: not told), by
    /// their places in log order.
    held: FxHashMap<u32, Vec<(u32, u32)>>,
    /// The places of a partition in the site, by its number in the log. A number may stand for several partitions.
    partitions: FxHashMap<i32, Vec<u32>>,
    /// The place of a QOS in the site, by the number of the queue in the log.
    qos: FxHashMap<i32, u32>,
    /// The place of an association in the site, by the log's numbers of the user and of the group, which is the
    /// account.
    associations: FxHashMap<(i32, i32), u32>,
    /// The place of an association for the jobs of a single partition, by these numbers and the place of the partition.
    associations_of_partitions: FxHashMap<(i32, i32, u32), u32>,
    /// Names of the log that the site's files lack.
    missing: Vec<String>,
}

/// What a job, or a part of one, asks of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteRequest {
    /// Nodes, and graphics processors on all of them; 0 where the log does not tell.
    pub nodes: u32,
    pub gpus: u32,
    /// Memory on all nodes, MiB; 0 where the log does not tell.
    pub memory: u32,
    /// The fewest nodes, and the most (0: any number); none where the log does not tell.
    pub node_range: Option<(u32, u32)>,
    /// The number of the options among [`JobSite::option_kinds`], from 1 on; 0 for none.
    pub options: u32,
    /// Whether it has the memory that the site gives those who ask for none.
    pub has_usual_memory: bool,
}

/// A part of a heterogeneous job on a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SitePart {
    pub processors: u32,
    /// The places of its partitions; at least one.
    pub partitions: Vec<u32>,
    pub asks: SiteRequest,
}

impl JobSite {
    /// A site of which only the number of processors is known.
    pub fn plain(processors: u32, version: Version) -> Self {
        JobSite {
            site: Site::plain(processors, version),
            zero: 0,
            forecast_from: None,
            nodes: Vec::new(),
            ranges: Vec::new(),
            gpus: Vec::new(),
            memory: Vec::new(),
            options: Vec::new(),
            option_kinds: Vec::new(),
            parts: FxHashMap::default(),
            usual_memory: Vec::new(),
            priorities: Vec::new(),
            holds: Vec::new(),
            held: FxHashMap::default(),
            partitions: FxHashMap::default(),
            qos: FxHashMap::default(),
            associations: FxHashMap::default(),
            associations_of_partitions: FxHashMap::default(),
            missing: Vec::new(),
        }
    }

    /// The places of the partitions that a job names; at least one.
    pub fn partitions(&self, request: &Request) -> &[u32] {
        self.partitions.get(&request.partition).map_or(&[0], Vec::as_slice)
    }

    pub fn partition(&self, request: &Request) -> u32 {
        self.partitions(request).first().copied().unwrap_or(0)
    }

    pub fn rules(&self, request: &Request) -> Option<&SlurmPartition> {
        self.site.partitions.get(self.partition(request) as usize)
    }

    /// The place of a job's QOS in the site.
    pub fn qos(&self, request: &Request) -> Option<u32> {
        self.qos.get(&request.queue).copied()
    }

    /// The place of the association by which a job goes that waits or runs in a partition.
    pub fn association(&self, request: &Request, partition: u32) -> Option<u32> {
        let Request { user, group, .. } = *request;
        let single = self.associations_of_partitions.get(&(user, group, partition));
        single.or_else(|| self.associations.get(&(user, group))).copied()
    }

    /// What the job at this place in log order asks for.
    pub fn asks(&self, job: usize) -> SiteRequest {
        let of = |column: &[u32]| column.get(job).copied().unwrap_or(0);
        SiteRequest {
            nodes: of(&self.nodes),
            gpus: of(&self.gpus),
            memory: of(&self.memory),
            node_range: self.ranges.get(job).copied().filter(|&(least, _)| least > 0),
            options: of(&self.options),
            has_usual_memory: of(&self.usual_memory) == 1,
        }
    }

    /// The parts of the job at this place in log order, where it is a heterogeneous one that asks for so many processors.
    pub fn parts(&self, job: usize, processors: u32) -> &[SitePart] {
        let parts = self.options.get(job).and_then(|number| self.parts.get(number)).map_or(&[][..], Vec::as_slice);
        let sum: u64 = parts.iter().map(|part| u64::from(part.processors)).sum();
        if sum == u64::from(processors) { parts } else { &[] }
    }

    /// Makes what the job at this place in log order asks for `new / old` times as large, each number rounded up.
    pub(super) fn scale(&mut self, job: usize, new: u32, old: u32) {
        let scaled = |count: u32| {
            let count = (u64::from(count) * u64::from(new)).div_ceil(u64::from(old.max(1)));
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        for column in [&mut self.nodes, &mut self.gpus, &mut self.memory] {
            column.get_mut(job).into_iter().for_each(|count| *count = scaled(*count));
        }
        self.ranges.get_mut(job).into_iter().for_each(|range| *range = (scaled(range.0), scaled(range.1)));
    }

    /// Has the job at this place in log order hold what it was given.
    pub(super) fn take_given(&mut self, job: usize, given: &Portion) {
        let known = |count: i32| count.max(0).unsigned_abs();
        let columns = [(&mut self.nodes, given.nodes), (&mut self.gpus, given.gpus), (&mut self.memory, given.memory)];
        for (column, count) in columns {
            column.get_mut(job).into_iter().for_each(|own| *own = known(count));
        }
        let (least, most) = (known(given.least_nodes), known(given.most_nodes));
        let range = if least > 0 { (least, most) } else { (known(given.nodes), known(given.nodes)) };
        self.ranges.get_mut(job).into_iter().for_each(|own| *own = range);
    }

    /// The options of jobs, each once.
    pub fn option_kinds(&self) -> &[JobOptions] {
        &self.option_kinds
    }

    /// What jobs with these options, given by their place from 1, ask for of GPUs by type.
    pub fn gpus_by_type(&self, options: u32) -> &[(String, u32)] {
        options.checked_sub(1).map_or(&[], |at| self.option_kinds[at as usize].gpus.as_slice())
    }

    /// How a job asks for memory.
    pub fn asked_memory(&self, asks: &SiteRequest) -> AskedMemory {
        asks.options.checked_sub(1).map(|at| self.option_kinds[at as usize].memory).unwrap_or_default()
    }

    /// The memory of a job on each of its nodes, MiB, in a partition with these rules; none where nothing tells it.
    fn memory_on_node(&self, asks: &SiteRequest, processors: u32, partition: &SlurmPartition) -> Option<u64> {
        let on_each = |all: u32| u64::from(all.div_ceil(asks.nodes.max(1)));
        let whole = || partition.nodes.first().map(|&node| self.site.nodes[node as usize].memory);
        match self.asked_memory(asks) {
            // all of a node: Slurm looks at the first one
            AskedMemory::OfNode(0) => whole(),
            AskedMemory::OfNode(each) => Some(u64::from(each)),
            AskedMemory::OfCpu(each) => Some(u64::from(each) * on_each(processors)),
            AskedMemory::OfGpu(each) => Some(u64::from(each) * on_each(asks.gpus)),
            AskedMemory::Unsaid if asks.has_usual_memory => {
                match partition.memory.usual(&self.site.memory, asks.gpus > 0)? {
                    MemoryRule::OfCpu(each) => Some(each * on_each(processors)),
                    MemoryRule::OfNode(each) => Some(each),
                    MemoryRule::OfGpu(each) => Some(each * on_each(asks.gpus)),
                }
            }
            AskedMemory::Unsaid => Some(on_each(asks.memory)).filter(|&memory| memory > 0),
        }
    }

    /// Whether a job wants more memory on a node than MaxMemPerNode allows in a partition, so that Slurm refuses it.
    pub fn is_over_memory(&self, asks: &SiteRequest, processors: u32, partition: &SlurmPartition) -> bool {
        match partition.memory.most(&self.site.memory) {
            Some(MemoryRule::OfNode(most)) => {
                self.memory_on_node(asks, processors, partition).is_some_and(|memory| memory > most)
            }
            _ => false,
        }
    }

    /// The priority that Slurm last gave the job at this place in log order; none where the log does not tell.
    pub fn priority(&self, job: usize) -> Option<u32> {
        self.priorities.get(job).copied().filter(|&priority| priority > 0)
    }

    /// How long the job at this place in log order was held, or had to wait for a begin time, seconds.
    pub fn hold(&self, job: usize) -> Seconds {
        self.holds.get(job).copied().map_or(0, Seconds::from)
    }

    /// What the log names and the site's files lack, in sentences.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }
}

/// A value that few workloads have, as bytes for another worker. The code that unpacks it can then be loaded later
/// there.
pub(super) fn packed<T: Serialize>(value: Option<&T>) -> Vec<u8> {
    value.map(|value| SeldomPacked(value).bytes()).unwrap_or_default()
}

/// What is packed only where a workload has it: the code that packs it is not needed for a first view.
struct SeldomPacked<'a, T>(&'a T);

impl<T: Serialize> SeldomPacked<'_, T> {
    #[inline(never)]
    fn bytes(&self) -> Vec<u8> {
        // plain data can always be packed
        postcard::to_stdvec(self.0).unwrap_or_default()
    }
}

/// Unpacks the value of [`packed`] bytes.
pub(super) fn unpacked<'de, D: Deserializer<'de>, T: DeserializeOwned>(bytes: D) -> Result<Option<Arc<T>>, D::Error> {
    let bytes = Vec::<u8>::deserialize(bytes)?;
    Ok(if bytes.is_empty() { None } else { postcard::from_bytes(&bytes).ok().map(Arc::new) })
}

// The Slurm site beside copies of jobs: of users who were drawn, and of parts of a log.

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

// The nodes of jobs that run as a forecast begins, and since when its jobs have been seen.

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
