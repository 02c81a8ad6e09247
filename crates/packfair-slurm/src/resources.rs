//! What a site has besides nodes, and what jobs get of memory that ask for none: DefMemPer..., MaxMemPer..., Licenses.

use super::lines::words;
use serde::{Deserialize, Serialize};

/// The memory of jobs that ask for none, and the most that they may ask for, MiB; none where nothing is set. A partition
/// has its own in place of the site's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryRules {
    /// For each processor (DefMemPerCPU).
    pub of_cpu: Option<u64>,
    /// On each node (DefMemPerNode).
    pub of_node: Option<u64>,
    /// For each GPU of jobs that have some (DefMemPerGPU).
    pub of_gpu: Option<u64>,
    /// The most for each processor (MaxMemPerCPU); who asks for more gets more processors.
    pub most_of_cpu: Option<u64>,
    /// The most on each node (MaxMemPerNode); who asks for more is refused.
    pub most_of_node: Option<u64>,
}

/// Memory that a rule gives, MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryRule {
    OfCpu(u64),
    OfNode(u64),
    OfGpu(u64),
}

impl MemoryRules {
    /// Sets a key, in lower case. None where the key is no rule of memory, false where its value is none.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Option<bool> {
        // for a processor or for a node: the last that is set counts
        let place = match key {
            "defmempercpu" => {
                self.of_node = None;
                &mut self.of_cpu
            }
            "defmempernode" => {
                self.of_cpu = None;
                &mut self.of_node
            }
            "defmempergpu" => &mut self.of_gpu,
            "maxmempercpu" => {
                self.most_of_node = None;
                &mut self.most_of_cpu
            }
            "maxmempernode" => {
                self.most_of_cpu = None;
                &mut self.most_of_node
            }
            _ => return None,
        };
        if value.eq_ignore_ascii_case("unlimited") {
            *place = None;
            return Some(true);
        }
        let Ok(amount) = value.parse::<u64>() else { return Some(false) };
        *place = Some(amount).filter(|&amount| amount > 0);
        Some(true)
    }

    /// Sets what JobDefaults names, `DefCpuPerGPU=8,DefMemPerGPU=32000`.
    pub(super) fn set_defaults(&mut self, list: &str) {
        for (key, value) in list.split(',').filter_map(|pair| pair.split_once('=')) {
            self.set(&key.trim().to_ascii_lowercase(), value.trim());
        }
    }

    /// What a job gets that asks for no memory, with the rules of its partition before those of the site; none where it
    /// gets all memory of its nodes.
    pub fn usual(&self, site: &MemoryRules, has_gpus: bool) -> Option<MemoryRule> {
        let own = |rules: &MemoryRules| {
            let of_gpu = rules.of_gpu.filter(|_| has_gpus).map(MemoryRule::OfGpu);
            let of_cpu = rules.of_cpu.map(MemoryRule::OfCpu);
            of_gpu.or(of_cpu).or(rules.of_node.map(MemoryRule::OfNode))
        };
        own(self).or_else(|| own(site))
    }

    /// The most memory of a job, for each processor or on each node, with the rules of its partition before those of the
    /// site; none where there is no such limit.
    pub fn most(&self, site: &MemoryRules) -> Option<MemoryRule> {
        let own = |rules: &MemoryRules| {
            rules.most_of_cpu.map(MemoryRule::OfCpu).or(rules.most_of_node.map(MemoryRule::OfNode))
        };
        own(self).or_else(|| own(site))
    }
}

/// Licences of the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Licence {
    pub name: String,
    pub count: u32,
}

/// Reads a list of licences, `matlab:10,ansys*4,fluent`. Without a number there is one.
///
/// # Errors
/// If an item is not one: which.
pub(super) fn licences(text: &str) -> Result<Vec<Licence>, String> {
    let mut found: Vec<Licence> = Vec::new();
    for item in text.split([',', ';']).map(str::trim).filter(|item| !item.is_empty()) {
        let (name, count) = item.rsplit_once([':', '=', '*']).unwrap_or((item, "1"));
        let count: u32 = count.parse().map_err(|_| format!("{item:.60} has no number of licences"))?;
        match found.iter_mut().find(|other| other.name == name) {
            Some(other) => other.count = count,
            None => found.push(Licence { name: name.to_owned(), count }),
        }
    }
    Ok(found)
}

/// The licences that `scontrol show licenses` prints, also those of other servers, which slurm.conf does not have.
pub(super) fn shown_licences(text: &str) -> Vec<Licence> {
    let mut found: Vec<Licence> = Vec::new();
    for (key, value) in words(text) {
        match (key.as_str(), value) {
            ("LicenseName", Some(name)) => found.push(Licence { name, count: 0 }),
            ("Total", Some(total)) => {
                found.last_mut().into_iter().for_each(|licence| licence.count = total.parse().unwrap_or(0));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_a_partition_go_before_those_of_the_site() {
        let (mut site, mut own) = (MemoryRules::default(), MemoryRules::default());
        assert_eq!(own.usual(&site, false), None);
        assert_eq!((site.set("defmempercpu", "2000"), site.set("defmempergpu", "x")), (Some(true), Some(false)));
        assert_eq!(own.usual(&site, true), Some(MemoryRule::OfCpu(2000)));
        own.set("defmempernode", "500");
        assert_eq!(own.usual(&site, false), Some(MemoryRule::OfNode(500)));
        own.set("defmempergpu", "100");
        assert_eq!(own.usual(&site, true), Some(MemoryRule::OfGpu(100)));
        assert_eq!((site.set("maxmempercpu", "4000"), own.most(&site)), (Some(true), Some(MemoryRule::OfCpu(4000))));
        own.set("maxmempernode", "9000");
        assert_eq!(own.most(&site), Some(MemoryRule::OfNode(9000)));
        own.set("maxmempernode", "0");
        assert_eq!(own.most(&site), Some(MemoryRule::OfCpu(4000)), "0 is no limit");
        own.set("defmempercpu", "UNLIMITED");
        assert_eq!((own.of_cpu, own.of_node, own.set("weight", "1")), (None, None, None));
    }

    #[test]
    fn licences_have_numbers() {
        let of = |text: &str| {
            licences(text)
                .map(|all| all.into_iter().map(|one| format!("{} {}", one.name, one.count)).collect::<Vec<_>>())
        };
        assert_eq!(of("matlab:10, ansys*4,fluent").unwrap(), ["matlab 10", "ansys 4", "fluent 1"]);
        assert_eq!(of("").unwrap(), Vec::<String>::new());
        assert!(of("matlab:many").is_err());
    }
}
