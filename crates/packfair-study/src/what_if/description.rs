//! What was read from a site's files, part by part.

use crate::format::{counted, duration, span, whole};
use packfair_slurm::{PreemptBy, Site, SlurmPartition};

/// The parts of a site by name, and the settings of each, for a person.
pub fn described(site: &Site) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    let mut add = |name: &str, words: String| parts.push((name.to_owned(), words));
    let gpus: u64 = site.nodes.iter().map(|node| u64::from(node.gpus)).sum();
    let mut machine = format!(
        "{} of {}",
        counted(site.nodes.len() as u64, "node", "nodes"),
        counted(site.cpus(), "processor", "processors")
    );
    if gpus > 0 {
        machine.push_str(&format!(" and {}", counted(gpus, "graphics processor", "graphics processors")));
    }
    if site.counts_memory {
        machine.push_str("; memory is counted");
    }
    add("Nodes", machine);
    for rules in &site.partitions {
        add(&format!("Partition {}", rules.name), partition(rules));
    }
    let changed = site.parameters.text();
    let defaults = || "all at their defaults".to_owned();
    add("SchedulerParameters", if changed.is_empty() { defaults() } else { changed.replace(',', ", ") });
    add("Priority", priority(site));
    let users = site.accounts.all.iter().filter(|association| !association.user.is_empty()).count();
    if !site.accounts.all.is_empty() {
        let limits = if site.enforced.limits { "limits hold" } else { "limits do not hold (AccountingStorageEnforce)" };
        let accounts = counted((site.accounts.all.len() - users) as u64, "account", "accounts");
        add("Accounts", format!("{accounts}, {} in them; {limits}", counted(users as u64, "user", "users")));
    }
    if !site.qos.is_empty() {
        let names: Vec<String> = site.qos.iter().map(|qos| format!("{} ({})", qos.name, whole(qos.priority))).collect();
        add("QOS (priority)", names.join(", "));
    }
    let preempt = match site.preempt_by {
        PreemptBy::Nobody => None,
        PreemptBy::Partition => Some("by partition tier"),
        PreemptBy::Qos => Some("by QOS"),
    };
    if let Some(preempt) = preempt {
        let how = match (site.kills_preempted(), site.suspends_preempted()) {
            (true, true) => "who is preempted waits again, or is suspended",
            (true, false) => "who is preempted waits again",
            (false, true) => "who is preempted is suspended",
            (false, false) => "nobody is (PreemptMode)",
        };
        add("Preemption", format!("{preempt}; {how}"));
    }
    for reservation in &site.reservations {
        let length = duration((reservation.time.until - reservation.time.from) as f64);
        let nodes = counted(reservation.nodes.len() as u64, "node", "nodes");
        add(&format!("Reservation {}", reservation.name), format!("{nodes} for {length}"));
    }
    if !site.events.is_empty() {
        add(
            "Outages",
            counted(site.events.len() as u64, "node was drained or down", "times a node was drained or down"),
        );
    }
    parts
}

fn partition(rules: &SlurmPartition) -> String {
    let mut words = vec![counted(rules.nodes.len() as u64, "node", "nodes")];
    words.extend(rules.is_default.then(|| "default".to_owned()));
    words.push(rules.max_time.map_or("any limit".to_owned(), |most| format!("up to {}", span(most as f64))));
    words.extend(rules.max_nodes.map(|most| format!("at most {}", counted(most, "node", "nodes"))));
    words.push(format!("tier {}, factor {}", whole(rules.tier), whole(rules.factor)));
    words.extend(rules.is_exclusive.then(|| "whole nodes".to_owned()));
    words.extend(rules.qos.as_ref().map(|qos| format!("QOS {qos}")));
    words.extend((!rules.is_up).then(|| "not up".to_owned()));
    words.join(", ")
}

fn priority(site: &Site) -> String {
    let plan = &site.priority;
    if !plan.is_multifactor {
        return "order of submission (priority/basic)".to_owned();
    }
    let weights = &plan.weights;
    let mut words = Vec::new();
    let named = [
        ("age", weights.age),
        ("fair share", weights.fair_share),
        ("job size", weights.job_size),
        ("partition", weights.partition),
        ("QOS", weights.qos),
    ];
    words.extend(
        named
            .iter()
            .filter(|(_, weight)| *weight > 0.0)
            .map(|(name, weight)| format!("{name} {}", whole(*weight as i64))),
    );
    words.push(format!("full age after {}", span(plan.max_age as f64)));
    words.push(
        plan.half_life.map_or("usage does not decay".to_owned(), |half| format!("half-life {}", span(half as f64))),
    );
    words.push(if plan.is_fair_tree { "fair tree" } else { "classic fair share" }.to_owned());
    words.extend(plan.favors_small.then(|| "small jobs favoured".to_owned()));
    words.join(", ")
}
