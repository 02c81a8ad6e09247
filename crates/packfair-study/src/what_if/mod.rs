//! What if a line of a Slurm site's configuration were different: common questions, and answers that can be applied.
//!
//! A question is a row: the scheduler `slurm` with changes of the site ([`SiteChange`](packfair_slurm::SiteChange)). It
//! is compared with the site as configured, over the same random draws of what differs between runs of a real Slurm.

mod card;
mod nodes;
mod plan;
mod question;
mod words;

use crate::format::{change, counted, duration, instead_of, relative, span, time_instead_of, whole};
use crate::sureness::Repeated;
use crate::verdict::WORTH_ACTING_ON;
use crate::{GroupedWaits, Loss, RunReport};
pub use card::{CARD_METRICS, CardEffect, ChangeCard, RunDraw, Standing, UserChange, finding, ranked};
pub(crate) use nodes::resized;
pub use nodes::{nodes_in_words, nodes_patch};
use packfair_engine::metric::{Aim, Metric};
use packfair_schedulers::Policy;
use packfair_slurm::{Patch, PreemptBy, Site, SlurmPartition, patch};
pub use plan::{PlanKind, combined, drained, planned};
pub use question::{QUESTIONS, Question, WorkloadSpan, with_changes, without_one_limit};
pub use words::changed_in_words;

// Answers to what-if questions: what to change, the effect, the price, and how sure that is.

/// What an answer was judged on, in words.
pub fn judged_on(log: &str, jobs: usize) -> String {
    format!("{} of {log}, beside Slurm as configured", counted(jobs as u64, "job", "jobs"))
}

/// An answer, for a person.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIfAnswer {
    pub name: String,
    pub patch: Patch,
    /// What users have to do, where the administrator alone is not enough; else empty.
    pub asks: String,
    /// The effect on the mean wait.
    pub effect: String,
    pub price: String,
    /// How sure the effect is.
    pub certainty: String,
}

/// A row of a table, and the waits of its users if its schedule is at hand.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredRow<'a> {
    pub report: &'a RunReport,
    pub waits: Option<&'a GroupedWaits>,
}

/// The patch that makes the changes of a row at a site, and what users have to do for it (empty where nothing).
pub fn to_do(policy: &Policy, site: &Site) -> (Patch, String) {
    let limits = policy.settings().real("limits");
    let asks = if limits == 1.0 {
        String::new()
    } else {
        format!("users ask for {} of the time that they ask for now, on average", change(limits - 1.0))
    };
    (patch(site, &policy.site_changes()), asks)
}

/// The answer for a row with changes of a site, compared with the site as configured; `to_do` is [`to_do`] at this site.
/// `None` where the row changes nothing, or where `base` is not the matching row.
pub fn answer(
    row: AnsweredRow<'_>,
    base: AnsweredRow<'_>,
    columns: &[Metric],
    repeated: Option<&Repeated>,
    to_do: impl FnOnce(&Policy) -> (Patch, String),
) -> Option<WhatIfAnswer> {
    let policy = &row.report.run.scheduler;
    let is_beside = policy.as_configured()? == base.report.run.scheduler
        && row.report.run.estimate == base.report.run.estimate
        && row.report.run.shares_workload(&base.report.run);
    let (patch, asks) = is_beside.then(|| to_do(policy))?;
    Some(WhatIfAnswer {
        name: policy.to_string(),
        patch,
        asks,
        effect: effect(row.report, base.report),
        price: price(row, base, columns),
        certainty: certainty(row.report, base.report, repeated),
    })
}

/// A metric in both runs: before, after, and the relative change.
fn both(report: &RunReport, base: &RunReport, metric: Metric) -> Option<(f64, f64, f64)> {
    let (new, old) = (*report.values.get(&metric)?, *base.values.get(&metric)?);
    Some((old, new, if old == 0.0 { 0.0 } else { (new - old) / old }))
}

fn effect(report: &RunReport, base: &RunReport) -> String {
    let Some((old, new, relative)) = both(report, base, Metric::Aq) else {
        return "the mean wait is not defined here".to_owned();
    };
    let is_worth = relative.abs() >= WORTH_ACTING_ON;
    let but = if is_worth { "" } else { ": no difference worth acting on" };
    // where watts are known, and the change is one of energy
    let energy = both(report, base, Metric::Energy).filter(|&(.., relative)| relative != 0.0);
    let energy = energy.map(|(.., relative)| format!(", energy {}", change(relative))).unwrap_or_default();
    format!("mean wait {} ({}){but}{energy}", time_instead_of(new, old), change(relative))
}

fn price(row: AnsweredRow<'_>, beside: AnsweredRow<'_>, columns: &[Metric]) -> String {
    let (report, base) = (row.report, beside.report);
    let mut told = Vec::new();
    let is_worse = |metric: Metric, relative: f64| match metric.about().aim {
        Aim::Low => relative > WORTH_ACTING_ON,
        Aim::High => relative < -WORTH_ACTING_ON,
        Aim::None => false,
    };
    let mut shown: Vec<Metric> = columns.iter().copied().filter(|metric| *metric != Metric::Aq).collect();
    if !shown.contains(&Metric::MaxWait) {
        shown.push(Metric::MaxWait);
    }
    for metric in shown {
        if let Some((old, new, relative)) = both(report, base, metric)
            && is_worse(metric, relative)
        {
            told.push(format!("{} {} ({})", metric.about().name, instead_of(metric, new, old), change(relative)));
        }
    }
    if let (Some(waits), Some(before)) = (row.waits, beside.waits)
        && let Some(loss) = waits.largest_loss(before)
    {
        let Loss { group, before, by } = loss;
        told.push(format!(
            "user {group} waits {} on average ({})",
            time_instead_of(before + by, before),
            change(loss.relative())
        ));
    }
    let refused = |report: &RunReport| {
        let metric = "refused".parse::<Metric>().ok()?;
        report.values.get(&metric).copied()
    };
    let more = refused(report).unwrap_or(0.0) - refused(base).unwrap_or(0.0);
    if more > 0.0 {
        told.push(format!(
            "{} would have been refused as they were submitted, and run here all the same",
            counted(more as u64, "job", "jobs")
        ));
    }
    if told.is_empty() { "no metric gets worse".to_owned() } else { told.join("; ") }
}

fn certainty(report: &RunReport, base: &RunReport, repeated: Option<&Repeated>) -> String {
    let Some(repeated) = repeated else {
        return "not known: one run of each; repeats over the same draws tell".to_owned();
    };
    let repeats = whole(repeated.complete() as i64);
    let wait = |report: &RunReport| report.values.get(&Metric::Aq).copied();
    let own = wait(report).zip(wait(base)).and_then(|(now, before)| relative(now, before));
    let Some(own) = own else { return "not known: the mean wait is no column".to_owned() };
    match repeated.change(&report.run, &base.run, Metric::Aq, own) {
        Ok(interval) if interval.is_unsure() => {
            format!("may be nothing: {} to {} over {repeats} repeats", change(interval.low), change(interval.high))
        }
        Ok(interval) => format!("sure: {} to {} over {repeats} repeats", change(interval.low), change(interval.high)),
        Err(none) => format!("not known: {}", none.why()),
    }
}

// What was read from a site's files, part by part.

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
