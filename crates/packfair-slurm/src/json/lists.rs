//! The lists of a site in JSON, each as the text that stands for it.

use super::{at, flags, moment, number, text};
use crate::quantity::written;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Lines of `Key=Value`, one for each object.
#[derive(Default)]
struct KeyLines(String);

impl KeyLines {
    fn add(&mut self, key: &str, value: impl AsRef<str>) {
        let value = value.as_ref();
        let quote = if value.contains(char::is_whitespace) { "\"" } else { "" };
        if !value.is_empty() {
            let _ = write!(self.0, "{key}={quote}{}{quote} ", value.replace('"', "'"));
        }
    }

    fn add_of(&mut self, item: &Value, keys: &[(&str, &[&str])]) {
        for (key, paths) in keys {
            self.add(key, at(item, paths).map(text).unwrap_or_default());
        }
    }

    fn end(&mut self) {
        self.0.push('\n');
    }
}

pub(super) fn nodes(items: &[Value]) -> String {
    let mut lines = KeyLines::default();
    for item in items {
        lines.add_of(
            item,
            &[
                ("NodeName", &["name", "hostname"]),
                ("CPUTot", &["cpus"]),
                ("Boards", &["boards"]),
                ("Sockets", &["sockets"]),
                ("CoresPerSocket", &["cores"]),
                ("ThreadsPerCore", &["threads"]),
                ("RealMemory", &["real_memory"]),
                ("AvailableFeatures", &["features"]),
                ("Gres", &["gres"]),
                ("Weight", &["weight"]),
                ("Partitions", &["partitions"]),
            ],
        );
        for (key, path) in [
            ("CoreSpecCount", "specialized_cores"),
            ("CpuSpecList", "specialized_cpus"),
            ("MemSpecLimit", "specialized_memory"),
        ] {
            lines.add(key, at(item, &[path]).map(text).filter(|value| value != "0").unwrap_or_default());
        }
        let state = [flags(item, &["state"]), flags(item, &["state_flags"])].concat();
        lines.add("State", state.join("+"));
        let reason = at(item, &["reason"]).map(text).filter(|reason| !reason.is_empty());
        let since = reason.and_then(|_| moment(at(item, &["reason_changed_at"])?));
        if let Some(since) = since {
            // the words of the reason may look like keys
            lines.0.push_str(&format!("Reason=told [slurm@{since}] "));
        }
        lines.end();
    }
    lines.0
}

/// What the bits of a partition's memory rule say: whether it is for a processor, and how much.
fn memory_of(value: u64) -> Option<(bool, u64)> {
    const OF_CPU: u64 = 1 << 63;
    let amount = value & !OF_CPU;
    (amount > 0 && number(&value.into()).flatten().is_some()).then_some((value & OF_CPU > 0, amount))
}

pub(super) fn partitions(items: &[Value]) -> String {
    let mut lines = KeyLines::default();
    for item in items {
        // one of the totals is what tells such a text
        lines.add_of(
            item,
            &[
                ("PartitionName", &["name"]),
                ("AllowGroups", &["groups/allowed", "allowed_groups"]),
                ("AllowAccounts", &["accounts/allowed", "allowed_accounts"]),
                ("DenyAccounts", &["accounts/deny", "denied_accounts"]),
                ("AllowQos", &["qos/allowed", "allowed_qos"]),
                ("DenyQos", &["qos/deny", "denied_qos"]),
                ("QoS", &["qos/assigned", "qos"]),
                ("DefaultTime", &["defaults/time", "default_time_limit"]),
                ("JobDefaults", &["defaults/job"]),
                ("DefMemPerCPU", &["defaults/partition_memory_per_cpu", "default_memory_per_cpu"]),
                ("DefMemPerNode", &["defaults/partition_memory_per_node", "default_memory_per_node"]),
                ("MaxMemPerCPU", &["maximums/partition_memory_per_cpu", "maximum_memory_per_cpu"]),
                ("MaxMemPerNode", &["maximums/partition_memory_per_node", "maximum_memory_per_node"]),
                ("MaxCPUsPerNode", &["maximums/cpus_per_node", "maximum_cpus_per_node"]),
                ("MaxTime", &["maximums/time", "max_time_limit"]),
                ("MaxNodes", &["maximums/nodes", "maximum_nodes_per_job"]),
                ("MinNodes", &["minimums/nodes", "min nodes per job"]),
                ("OverTimeLimit", &["maximums/over_time_limit", "over_time_limit"]),
                ("PriorityJobFactor", &["priority/job_factor", "priority_job_factor"]),
                ("PriorityTier", &["priority/tier", "priority_tier"]),
                ("State", &["partition/state", "state"]),
                ("TRESBillingWeights", &["tres/billing_weights", "billing_weights"]),
            ],
        );
        let own = at(item, &["nodes/configured", "nodes"]).map(text).filter(|nodes| !nodes.is_empty());
        lines.add("Nodes", own.unwrap_or("(null)".to_owned()));
        let off_after = at(item, &["suspend_time"]).and_then(number).flatten();
        lines.add("SuspendTime", off_after.map(|seconds| seconds.to_string()).unwrap_or_default());
        lines.add("TotalNodes", at(item, &["nodes/total", "total_nodes"]).map_or("0".to_owned(), text));
        let rules = [("Def", "defaults/memory_per_cpu"), ("Max", "maximums/memory_per_cpu")];
        for (what, path) in rules {
            let bits = at(item, &[path]).and_then(|rule| rule.as_u64().or(rule.as_i64().map(i64::cast_unsigned)));
            if let Some((is_of_cpu, amount)) = bits.and_then(memory_of) {
                let of = if is_of_cpu { "CPU" } else { "Node" };
                lines.add(&format!("{what}MemPer{of}"), amount.to_string());
            }
        }
        lines.add("OverSubscribe", shared(item).unwrap_or_default());
        let own = flags(item, &["flags"]);
        for (key, names) in [
            ("Default", ["DEFAULT", "DEFAULT"]),
            ("RootOnly", ["ROOT_ONLY", "ROOT_ONLY"]),
            ("ReqResv", ["REQ_RESV", "RESERVATION_REQUIRED"]),
            ("LLN", ["LLN", "LEAST_LOADED_NODES"]),
            ("ExclusiveUser", ["EXCLUSIVE_USER", "USER_EXCLUSIVE"]),
        ] {
            lines.add(key, if own.iter().any(|flag| names.contains(&flag.as_str())) { "YES" } else { "" });
        }
        let modes = flags(item, &["preempt_mode", "preemption_mode"]);
        let mode = |flag: &String| match flag.as_str() {
            "DISABLED" => "OFF".to_owned(),
            "GANG_SCHEDULE" => "GANG".to_owned(),
            _ => flag.clone(),
        };
        let is_own = |flag: &&String| *flag != "CLUSTER_GLOBAL";
        lines.add("PreemptMode", modes.iter().filter(is_own).map(mode).collect::<Vec<_>>().join(","));
        lines.end();
    }
    lines.0
}

/// How jobs share the nodes of a partition.
fn shared(item: &Value) -> Option<String> {
    const FORCE: u64 = 0x8000;
    let jobs = at(item, &["maximums/oversubscribe/jobs"]).and_then(number).flatten();
    let (jobs, is_forced) = match jobs {
        Some(jobs) => (jobs as u64, flags(item, &["maximums/oversubscribe/flags"]).contains(&"FORCE".to_owned())),
        None => {
            let shares = number(at(item, &["maximums/shares"])?)?? as u64;
            (shares & !FORCE, shares & FORCE > 0)
        }
    };
    Some(match (jobs, is_forced) {
        (0, _) => "EXCLUSIVE".to_owned(),
        (jobs, true) => format!("FORCE:{jobs}"),
        (1, false) => "NO".to_owned(),
        (jobs, false) => format!("YES:{jobs}"),
    })
}

pub(super) fn reservations(items: &[Value]) -> String {
    let mut lines = KeyLines::default();
    for item in items {
        lines.add_of(item, &[("ReservationName", &["name"])]);
        for (key, path) in [("StartTime", "start_time"), ("EndTime", "end_time")] {
            lines.add(key, at(item, &[path]).and_then(moment).unwrap_or_default());
        }
        lines.add_of(
            item,
            &[
                ("Nodes", &["node_list"]),
                ("NodeCnt", &["node_count"]),
                ("CoreCnt", &["core_count"]),
                ("PartitionName", &["partition"]),
                ("Users", &["users"]),
                ("Groups", &["groups"]),
                ("Accounts", &["accounts"]),
                ("Licenses", &["licenses"]),
            ],
        );
        lines.add("Flags", flags(item, &["flags"]).join(","));
        let cores = at(item, &["core_specializations"]).and_then(Value::as_array);
        for own in cores.into_iter().flatten() {
            lines.add_of(own, &[("CoreIDs", &["core"])]);
        }
        lines.end();
    }
    lines.0
}

pub(super) fn licences(items: &[Value]) -> String {
    let mut lines = KeyLines::default();
    for item in items {
        lines.add_of(item, &[("LicenseName", &["LicenseName", "name"]), ("Total", &["Total", "total"])]);
        lines.end();
    }
    lines.0
}

/// What `scontrol show config` prints. The keys are those of `slurm.conf`.
pub(super) fn configuration(keys: &Map<String, Value>) -> String {
    let mut found = "Configuration data as of JSON\n".to_owned();
    // written in seconds, and in slurm.conf in minutes
    const SPANS: [&str; 4] = ["PreemptExemptTime", "PriorityDecayHalfLife", "PriorityCalcPeriod", "PriorityMaxAge"];
    // what slurm.conf does not have
    const OTHERS: [&str; 6] = [
        "AccountingStoreFlags",
        "CommunicationParametersFlags",
        "ConfFlags",
        "DefRuntimePlugin",
        "HostUnreachRetryCount",
        "SlurmdParametersFlags",
    ];
    for (key, value) in keys.iter().filter(|(key, _)| !OTHERS.contains(&key.as_str())) {
        let value = match number(value) {
            Some(Some(seconds)) if SPANS.contains(&key.as_str()) => written(Some(seconds as i64)),
            _ => match value {
                Value::Bool(is_so) => u8::from(*is_so).to_string(),
                _ => text(value),
            },
        };
        let _ = writeln!(found, "{key} = {value}");
    }
    found
}

/// A table of sacctmgr: its columns, with the paths of their values, and how a value is changed.
fn table(items: &[Value], columns: &[(&str, &[&str])], change: impl Fn(&str, String) -> String) -> String {
    let mut found = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("|") + "\n";
    for item in items {
        let value = |(name, paths): &(&str, &[&str])| {
            let value = at(item, paths).map(text).filter(|value| value != "UNLIMITED").unwrap_or_default();
            change(name, value)
        };
        found += &(columns.iter().map(value).collect::<Vec<_>>().join("|") + "\n");
    }
    found
}

pub(super) fn associations(items: &[Value]) -> String {
    let columns: &[(&str, &[&str])] = &[
        ("Cluster", &["cluster"]),
        ("Account", &["account"]),
        ("User", &["user"]),
        ("Partition", &["partition"]),
        ("ParentName", &["parent_account"]),
        ("Share", &["shares_raw"]),
        ("Priority", &["priority"]),
        ("GrpJobs", &["max/jobs/per/count"]),
        ("GrpSubmit", &["max/jobs/per/submitted"]),
        ("GrpTRES", &["max/tres/total"]),
        ("GrpTRESMins", &["max/tres/group/minutes"]),
        ("GrpTRESRunMins", &["max/tres/group/active"]),
        ("GrpWall", &["max/per/account/wall_clock"]),
        ("MaxJobs", &["max/jobs/active"]),
        ("MaxSubmit", &["max/jobs/total"]),
        ("MaxTRES", &["max/tres/per/job"]),
        ("MaxWall", &["max/jobs/per/wall_clock"]),
        ("DefQOS", &["default/qos"]),
    ];
    table(items, columns, |name, value| match (name, value.as_str()) {
        // SLURMDB_FS_USE_PARENT
        ("Share", "2147483647") => "parent".to_owned(),
        ("Share", "") => "1".to_owned(),
        _ => value,
    })
}

pub(super) fn qos(items: &[Value]) -> String {
    let columns: &[(&str, &[&str])] = &[
        ("Name", &["name"]),
        ("Priority", &["priority"]),
        ("Preempt", &["preempt/list"]),
        ("PreemptMode", &["preempt/mode"]),
        ("PreemptExemptTime", &["preempt/exempt_time"]),
        ("Flags", &["flags"]),
        ("UsageThres", &["usage_threshold"]),
        ("UsageFactor", &["usage_factor"]),
        ("LimitFactor", &["limits/factor"]),
        ("GrpTRES", &["limits/max/tres/total"]),
        ("GrpTRESMins", &["limits/max/tres/minutes/total"]),
        ("GrpTRESRunMins", &["limits/max/tres/minutes/per/qos"]),
        ("GrpJobs", &["limits/max/active_jobs/count"]),
        ("GrpSubmit", &["limits/max/jobs/count"]),
        ("GrpWall", &["limits/max/wall_clock/per/qos"]),
        ("MaxTRES", &["limits/max/tres/per/job"]),
        ("MaxTRESPU", &["limits/max/tres/per/user"]),
        ("MaxTRESPA", &["limits/max/tres/per/account"]),
        ("MaxTRESRunMinsPU", &["limits/max/tres/minutes/per/user"]),
        ("MaxTRESRunMinsPA", &["limits/max/tres/minutes/per/account"]),
        ("MaxJobsPU", &["limits/max/jobs/active_jobs/per/user"]),
        ("MaxJobsPA", &["limits/max/jobs/active_jobs/per/account"]),
        ("MaxSubmitPU", &["limits/max/jobs/per/user"]),
        ("MaxWall", &["limits/max/wall_clock/per/job"]),
    ];
    table(items, columns, |name, value| match name {
        "Flags" => value.split(',').map(qos_flag).collect::<Vec<_>>().join(","),
        // written in seconds
        "PreemptExemptTime" => value.parse().map_or(value, |seconds| written(Some(seconds))),
        "Priority" if value.is_empty() => "0".to_owned(),
        "PreemptMode" if value == "DISABLED" => "cluster".to_owned(),
        _ => value,
    })
}

/// A flag of a QOS as sacctmgr prints it.
fn qos_flag(name: &str) -> &str {
    match name {
        "NO_RESERVE" => "NoReserve",
        "OVERRIDE_PARTITION_QOS" => "OverPartQOS",
        "NO_DECAY" => "NoDecay",
        "USAGE_FACTOR_SAFE" => "UsageFactorSafe",
        "ENFORCE_USAGE_THRESHOLD" => "EnforceUsageThreshold",
        "REQUIRED_RESERVATION" => "RequiresReservation",
        "RELATIVE" => "Relative",
        other => other,
    }
}

// What `sshare --json` writes, as the table of `sshare -P -a -l`.

/// Puts what is so far to the right before all others.
fn push<'a>(open: &mut Vec<(usize, &'a Value)>, of: Option<Vec<&'a Value>>, depth: usize) {
    open.extend(of.into_iter().flatten().rev().map(|item| (depth, item)));
}

/// The table, in which an account stands behind the one above it, further to the right.
pub(super) fn shares(items: &[Value]) -> String {
    let word = |item: &Value, path: &str| at(item, &[path]).map(text).unwrap_or_default();
    let is_user = |item: &Value| flags(item, &["type"]).iter().any(|kind| kind == "USER");
    let names: FxHashSet<String> = items.iter().filter(|item| !is_user(item)).map(|item| word(item, "name")).collect();
    // what is below each account; what hangs on no account that is there stands at the top
    let mut below: FxHashMap<String, Vec<&Value>> = FxHashMap::default();
    for item in items {
        let parent =
            Some(word(item, "parent")).filter(|parent| names.contains(parent) && *parent != word(item, "name"));
        below.entry(parent.filter(|_| word(item, "name") != "root").unwrap_or_default()).or_default().push(item);
    }
    let mut found = "Account|User|Partition|RawShares|RawUsage\n".to_owned();
    let mut open: Vec<(usize, &Value)> = Vec::new();
    let top = below.remove("");
    push(&mut open, top, 0);
    while let Some((depth, item)) = open.pop() {
        let (name, parent) = (word(item, "name"), word(item, "parent"));
        let (account, user) = if is_user(item) { (&parent, name.as_str()) } else { (&name, "") };
        let own = word(item, "shares");
        let shares = match own.as_str() {
            "2147483647" => "parent",
            // the root has none
            "UNLIMITED" => "",
            number => number,
        };
        let indent = " ".repeat(depth.min(100));
        found += &format!("{indent}{account}|{user}|{}|{shares}|{}\n", word(item, "partition"), word(item, "usage"));
        if !is_user(item) {
            let own = below.remove(&name);
            push(&mut open, own, depth + 1);
        }
    }
    found
}
