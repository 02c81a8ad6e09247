//! What would help a waiting job: the same futures with another request, and what that gains.

use super::band::Band;
use super::futures::{Ensemble, Futures};
use super::past::History;
use super::question::Question;
use super::scene::StartSource;
use super::stage::Change;
use packfair_workload::{Clock, JobId, Request, Seconds, Workload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// What a change of a job's request would gain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Help {
    /// The change, in words.
    pub what: String,
    /// Seconds from now until the changed job is submitted; 0 where it keeps its place.
    pub submitted: Seconds,
    /// The median of its starts with the change, seconds from now.
    pub p50: Seconds,
    /// By how much earlier it starts in the median of the futures, each compared with itself, seconds.
    pub gain_p50: Seconds,
    /// One future in ten gains less.
    pub gain_p10: Seconds,
    /// One in ten gains more.
    pub gain_p90: Seconds,
}

/// The hour of the day that counts as tonight.
const TONIGHT: Seconds = 20;

/// The most other partitions that are tried.
const MOST_PARTITIONS: usize = 8;

/// The changes of a job that can be tried: half the time limit, half the width, each other partition of the log that it may
/// use, and submission tonight, where the clock of the place is known.
pub fn changes(workload: &Workload, job: JobId, now: Seconds) -> Vec<Change> {
    let request = workload.request(job);
    let change = |what: String, request: Request| Change { job, what, request };
    let mut changes = vec![change(
        "half the time limit".to_owned(),
        Request { limit: (request.limit / 2).max(1), ..request.clone() },
    )];
    if request.processors > 1 {
        let processors = request.processors.div_ceil(2);
        let what = format!("half the {}", workload.counting().unit.plural());
        // who asks for cells keeps them: only numbers are known to be divided
        if workload.cluster().is_none() {
            changes.push(change(what, Request { processors, ..request.clone() }));
        }
    }
    if workload.site().is_some() || workload.cluster().is_some() {
        let partitions: BTreeSet<i32> = workload.requests().iter().map(|request| request.partition).collect();
        for partition in partitions
            .into_iter()
            .filter(|&partition| partition != request.partition && partition >= 0)
            .filter(|&partition| may_use(workload, request, partition))
            .take(MOST_PARTITIONS)
        {
            let name = workload.header.name_of("Partition", partition.into());
            let name = name.map_or_else(|| partition.to_string(), str::to_owned);
            changes.push(change(format!("partition {name}"), Request { partition, ..request.clone() }));
        }
    }
    if let Some(submit) = tonight(workload, now) {
        changes.push(change("submitted tonight, at 20:00".to_owned(), Request { submit, ..request.clone() }));
    }
    changes
}

/// Whether a job may use another partition, by what the site's files say; where they do not tell, whether its user did.
fn may_use(workload: &Workload, request: &Request, partition: i32) -> bool {
    let Some(site) = workload.site() else { return true };
    let name = |label: &str, number: i32| workload.header.name_of(label, number.into()).unwrap_or_default();
    let accounts = &site.site.accounts;
    let there = site.partition(request);
    let above = site.association(request, there).into_iter().flat_map(|own| accounts.upwards(own));
    let own = [name("Group", request.group)].into_iter().filter(|own| !own.is_empty());
    let of: Vec<&str> = own.chain(above.map(|at| accounts.all[at as usize].account.as_str())).collect();
    let qos = site.qos(request).map_or_else(|| name("Queue", request.queue), |at| &site.site.qos[at as usize].name);
    let did = || workload.requests().iter().any(|other| other.user == request.user && other.partition == partition);
    let places = site.partitions(&Request { partition, ..request.clone() });
    let mut rules = places.iter().filter_map(|&at| site.site.partitions.get(at as usize));
    rules.any(|rules| rules.permits.allow(&of, qos).unwrap_or_else(did))
}

/// The next evening on the clock of the place; none where its dates are not known.
fn tonight(workload: &Workload, now: Seconds) -> Option<Seconds> {
    let clock = Clock::of_workload(workload);
    clock.weekday(now)?;
    let evening = TONIGHT * 3_600;
    let ahead = (evening - clock.local(now)).rem_euclid(86_400);
    Some(now + if ahead == 0 { 86_400 } else { ahead })
}

/// The futures of a moment in which a job asks for something else.
pub fn changed(
    history: &History,
    question: &Question,
    change: &Change,
    now: Seconds,
    futures: &Range<u32>,
) -> Ensemble {
    let futures_of = Futures::new(history, question, StartSource::Logged).changing(Some(change));
    futures_of.of(&[now], futures).pop().unwrap_or_default()
}

/// What a change gains for a job that is told to start `start` seconds from now: the two ensembles are of the same
/// futures. So the start with the change and the gain go together, and no job starts before it is submitted.
pub fn help(change: &Change, start: Seconds, before: &Ensemble, after: &Ensemble) -> Option<Help> {
    let of = |ensemble: &Ensemble| {
        let place = ensemble.waiting.iter().position(|&job| job == change.job)?;
        Some(ensemble.starts[place].clone())
    };
    let now = before.now;
    let (before, after) = (of(before)?, of(after)?);
    let gains: Vec<Seconds> = before.iter().zip(&after).map(|(before, after)| before - after).collect();
    let gain = Band::of(&gains);
    let whole = |value: f64| libm::round(value) as Seconds;
    let submitted = change.later(now).map_or(0, |submit| submit - now);
    Some(Help {
        what: change.what.clone(),
        submitted,
        p50: (start - whole(gain.p50)).max(submitted),
        gain_p50: whole(gain.p50),
        gain_p10: whole(gain.p10),
        gain_p90: whole(gain.p90),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::testing;

    #[test]
    fn partitions_that_a_job_may_not_use_are_not_offered() {
        let conf = "NodeName=n[1-4] CPUs=4\nPartitionName=p Nodes=ALL Default=YES\nPartitionName=all Nodes=ALL AllowAccounts=ALL\n\
            PartitionName=own Nodes=ALL AllowAccounts=bio,lab AllowQos=normal\nPartitionName=other Nodes=ALL AllowAccounts=chem\n\
            PartitionName=denied Nodes=ALL DenyAccounts=lab\nPartitionName=fast Nodes=ALL AllowQos=fast\n\
            PartitionName=slow Nodes=ALL DenyQos=normal\nPartitionName=known Nodes=ALL AllowGroups=g\n\
            PartitionName=group Nodes=ALL AllowGroups=g\nPartitionName=root Nodes=ALL RootOnly=YES\n\
            PartitionName=down Nodes=ALL State=DOWN\nPartitionName=below Nodes=ALL AllowAccounts=institute\n";
        let assoc =
            "Cluster|Account|User|Share|ParentName\nc|root|||\nc|institute||1|root\nc|lab||1|institute\nc|lab|ann|1|\n";
        let offered = |files: &[(&str, &str)]| {
            let partitions =
                ["all", "own", "other", "denied", "fast", "slow", "known", "group", "root", "down", "below"];
            let row = |(n, partition): (usize, &str)| {
                let user = if partition == "known" { "ann" } else { "bob" };
                format!("{n}|{user}|chem|2026-01-01T00:00:00|2026-01-01T00:00:00|600|60|4|COMPLETED|{partition}|fast\n")
            };
            let text: String = partitions.into_iter().enumerate().map(row).collect();
            let text = format!(
                "JobIDRaw|User|Account|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State|Partition|QOS\n{text}\
                 99|ann|lab|2026-01-01T06:00:00|2026-01-01T06:00:00|600|60|2|COMPLETED|p|normal\n"
            );
            let mut log = packfair_workload::reading::read("sacct.txt", text.as_bytes()).unwrap();
            let files = files.iter().map(|(name, text)| packfair_slurm::SiteFile { name, content: text.as_bytes() });
            let site = packfair_slurm::read_site(&files.collect::<Vec<_>>(), packfair_slurm::Version::default());
            let treatment = packfair_study::Treatment { site: site.files.clone(), ..Default::default() };
            log.site = Some(std::sync::Arc::new(site));
            let workload = treatment.apply(&log).unwrap();
            let job = (0..).map(JobId).find(|&job| workload.request(job).number == 99).unwrap();
            let all = changes(&workload, job, workload.request(job).submit);
            let names = all.iter().filter_map(|change| change.what.strip_prefix("partition "));
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(offered(&[("slurm.conf", conf)]), ["all", "own", "known"]);
        assert_eq!(
            offered(&[("slurm.conf", conf), ("assoc.txt", assoc)]),
            ["all", "own", "known"],
            "not known of institute"
        );
        let without = conf.replace("AllowGroups=g", "").replace("RootOnly=YES", "").replace("State=DOWN", "");
        let free = ["all", "own", "known", "group", "root", "down"];
        assert_eq!(offered(&[("slurm.conf", &without)]), free);
    }

    #[test]
    fn the_start_with_a_change_goes_with_its_gain_and_is_not_before_the_submission() {
        let of =
            |starts: Vec<Seconds>| Ensemble { waiting: vec![JobId(0)], starts: vec![starts], ..Ensemble::default() };
        let before = of(vec![1_000; 9]);
        let workload = testing::jobs(4, &[(0, 1, 10, 10)]);
        let request = |submit| Request { submit, ..workload.request(JobId(0)).clone() };
        let change = |submit| Change { job: JobId(0), what: "half".to_owned(), request: request(submit) };
        let told = |submit, start, after| help(&change(submit), start, &before, &of(vec![after; 9])).expect("it waits");
        // told to start at 1,100 by what came before, and 300 s earlier with the change
        let helped = told(0, 1_100, 700);
        assert_eq!((helped.gain_p50, helped.p50, helped.submitted), (300, 800, 0));
        // submitted at 5,000, when it starts at once
        let tonight = told(5_000, 900, 5_000);
        assert_eq!((tonight.gain_p50, tonight.p50, tonight.submitted), (-4_000, 5_000, 5_000));
    }
}
