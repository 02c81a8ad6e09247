//! How near Slurm as configured comes to the log, by user, partition and QOS, and how its priorities compare with those
//! that the log tells.

use super::format::{SPACE, correlation, number, span, whole};
use super::grouped::{waits_as_logged, waits_of};
use super::table::{Grid, GridLine};
use super::{Run, RunReport, Study};
use chrono::DateTime;
use packfair_base::machine::{
    CellDescription, Machine, MachineDescription, NodeAway, PartitionDescription, changes_of_nodes,
};
use packfair_engine::estimator::{Estimate, Method};
use packfair_engine::metric::{Grouping, Measure, logged_outcomes, rank_correlation};
use packfair_engine::model::Schedule;
use packfair_slurm::{Outage, Site};
use packfair_slurmctld::priorities_as_logged;
use packfair_workload::{JobId, Seconds, Summary, Unit, Workload};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// The groupings shown. A log of Slurm has the QOS as its queue.
const GROUPINGS: [Grouping; 3] = [Grouping::User, Grouping::Partition, Grouping::Queue];

/// Groups of fewer jobs are left out, because chance decides their numbers.
const FEWEST_JOBS: usize = 20;

/// Priorities within this share of the log's count as the same: the log does not tell when jobs were weighed.
const SAME: f64 = 0.01;

/// A group of jobs, its logged waits and its simulated ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteFitRow {
    pub by: Grouping,
    pub name: String,
    /// How many jobs count.
    pub jobs: usize,
    /// The mean logged wait of its jobs, seconds.
    pub logged: f64,
    /// The mean simulated wait of its jobs, seconds.
    pub simulated: f64,
    /// The share of its jobs that start within five minutes of their logged start.
    pub near: f64,
    /// The median difference between the simulated wait and the logged one, seconds.
    pub gap: f64,
}

/// How computed priorities at submission compare with the log's, for jobs that ran as logged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriorityFit {
    pub jobs: usize,
    /// The rank correlation with the log's priorities; `None` where all are equal.
    pub rank: Option<f64>,
    /// The share of jobs whose priority is within 1 % of the log's.
    pub same: f64,
}

/// How near a schedule of Slurm as configured comes to the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteFit {
    /// Groups of jobs: users, then partitions, then QOS.
    pub rows: Vec<SiteFitRow>,
    /// How the priorities compare; `None` where the log tells none, or jobs have none (priority/basic).
    pub priorities: Option<PriorityFit>,
}

/// The results of the rows that claim to be the cluster's own: Slurm as configured, where the study has the files of a
/// site. Only of these a fit tells how far a forecast can be believed.
pub fn claiming<'a>(study: &Study, results: impl IntoIterator<Item = &'a RunReport>) -> Vec<&'a RunReport> {
    let has_site = !study.treatment.site.is_empty();
    results.into_iter().filter(|report| has_site && is_configured(&report.run)).collect()
}

/// The results among which the nearest to the log is looked for: those of [`claiming`], or all where no row claims to be
/// the cluster's own.
pub fn models<'a>(study: &Study, results: impl IntoIterator<Item = &'a RunReport>) -> Vec<&'a RunReport> {
    let all: Vec<&RunReport> = results.into_iter().collect();
    let own = claiming(study, all.iter().copied());
    if own.is_empty() { all } else { own }
}

/// The run whose fit is told: Slurm as configured on the log as it is; with requested times where there is such a run,
/// because Slurm goes by these, else the first.
pub fn fitted<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Option<&'a Run> {
    let is_plain = |run: &&Run| **run == Run::new(run.scheduler.clone(), run.estimate.clone());
    let all: Vec<&Run> = runs.into_iter().filter(|run| is_configured(run)).filter(is_plain).collect();
    let requested = Estimate::of(Method::requested());
    all.iter().copied().find(|run| run.estimate == requested).or(all.first().copied())
}

/// Whether a run is Slurm as the site's files configure it, without changes.
pub(super) fn is_configured(run: &Run) -> bool {
    run.scheduler.goes_by_site() && run.scheduler.as_configured().is_none()
}

impl SiteFit {
    /// The fit of a run of Slurm as configured on a workload with a site. `None` for another run or workload, and where
    /// there is nothing to compare.
    pub fn of(run: &Run, workload: &Workload, schedule: &Schedule, measure: &Measure) -> Option<Self> {
        workload.site().filter(|_| is_configured(run))?;
        let mut rows = Vec::new();
        for by in GROUPINGS {
            let logged = waits_as_logged(workload, by, measure);
            let simulated = waits_of(run, workload, schedule, by, measure);
            let mut own = simulated.iter().filter_map(|row| {
                let told = logged.iter().find(|other| other.waits.group == row.waits.group)?;
                let to_log = row.waits.to_log.filter(|_| row.waits.jobs >= FEWEST_JOBS)?;
                Some(SiteFitRow {
                    by,
                    name: row.name.clone(),
                    jobs: row.waits.jobs,
                    logged: told.waits.wait.mean,
                    simulated: row.waits.wait.mean,
                    near: to_log.nearer,
                    gap: to_log.median_gap,
                })
            });
            rows.extend(&mut own);
        }
        let priorities = PriorityFit::of(workload);
        (!rows.is_empty() || priorities.is_some()).then_some(SiteFit { rows, priorities })
    }

    /// The groups as a table.
    pub fn grid(&self) -> Grid {
        let line = |row: &SiteFitRow| GridLine {
            labels: vec![name_of(row.by).to_owned(), row.name.clone()],
            values: vec![
                whole(row.jobs as i64),
                span(row.logged),
                span(row.simulated),
                format!("{}{SPACE}%", number(100.0 * row.near)),
                span(row.gap),
            ],
            best: vec![false; 5],
        };
        Grid {
            labels: ["By", "Group"].map(str::to_owned).to_vec(),
            headings: ["Jobs", "Wait, log", "Wait, simulated", "Within 5 min", "Off the log"]
                .map(str::to_owned)
                .to_vec(),
            lines: self.rows.iter().map(line).collect(),
        }
    }

    /// The fit of the priorities, in words; `None` where the log tells none.
    pub fn of_priorities(&self) -> Option<String> {
        let PriorityFit { jobs, rank, same } = self.priorities?;
        let ranks =
            rank.map_or_else(|| "do not correlate".to_owned(), |rank| format!("correlate by {}", correlation(rank)));
        Some(format!(
            "Priorities at submission, with the jobs as the log says that they ran: of {} jobs, {}{SPACE}% have the log's, and \
             the ranks {ranks}.",
            whole(jobs as i64),
            number(100.0 * same)
        ))
    }
}

fn name_of(by: Grouping) -> &'static str {
    if by == Grouping::Queue { "QOS" } else { by.name() }
}

impl PriorityFit {
    /// Computes the priorities of a workload with a site, and compares them with the log's; `None` where the log tells
    /// none.
    fn of(workload: &Workload) -> Option<Self> {
        let site = workload.site()?;
        let outcomes = logged_outcomes(workload);
        let ran: Vec<(JobId, Seconds, Seconds)> = outcomes.iter().map(|job| (job.job, job.start, job.end)).collect();
        let told = ran.iter().filter(|(job, ..)| site.priority(job.index()).is_some()).count();
        if told == 0 {
            return None;
        }
        let ours = priorities_as_logged(workload, &ran);
        let known: Vec<(i64, i64)> = ran
            .iter()
            .zip(&ours)
            .filter_map(|((job, ..), own)| Some((i64::from(site.priority(job.index())?), *own as i64)))
            .collect();
        if known.is_empty() {
            return None;
        }
        let is_same = |&&(told, own): &&(i64, i64)| (told - own).abs() as f64 <= SAME * told as f64;
        Some(PriorityFit {
            jobs: known.len(),
            rank: rank_correlation(&known),
            same: known.iter().filter(is_same).count() as f64 / known.len() as f64,
        })
    }
}

// The machine that a Slurm site's files describe (docs/machine.md).

/// How long before its begin a reservation is known of which nobody tells when it was made, seconds: ten years.
const LONG_BEFORE: i64 = 10 * 365 * 86_400;

/// What nodes of a cell have in common: their partitions, processors, graphics processors and memory.
type NodeClass = (Vec<usize>, u32, u32, u64);

/// The machine of a site. Nodes in the same partitions and of the same size form a cell, which is named after their
/// first partition. Where there are partitions, nodes of no partition are left out. Events and reservations form the
/// calendar: jobs on a node that goes down are killed; a reserved node is away while it is reserved, announced when the
/// reservation was made, or `announced` seconds before where no file tells that.
///
/// # Errors
/// Where the files have no nodes.
pub fn machine_of_site(site: &Site, announced: Option<u64>) -> Result<MachineDescription, String> {
    let mut partitions_of: Vec<Vec<usize>> = vec![Vec::new(); site.nodes.len()];
    for (place, partition) in site.partitions.iter().enumerate() {
        // A site names only nodes that it has.
        partition.nodes.iter().for_each(|&node| partitions_of[node as usize].push(place));
    }
    let mut cells: Vec<CellDescription> = Vec::new();
    let mut known: BTreeMap<NodeClass, usize> = BTreeMap::new();
    let mut cell_of: HashMap<&str, usize> = HashMap::new();
    for (node, partitions) in site.nodes.iter().zip(&partitions_of) {
        if node.cpus == 0 || (partitions.is_empty() && !site.partitions.is_empty()) {
            continue;
        }
        let memory = if site.counts_memory { node.memory } else { 0 };
        let class = (partitions.clone(), node.cpus, node.gpus, memory);
        let place = *known.entry(class).or_insert_with(|| {
            let first = partitions.first().map_or("nodes", |&place| site.partitions[place].name.as_str());
            let same = cells.iter().filter(|cell| cell.name.split('-').next() == Some(first)).count();
            let name = if same == 0 { first.to_owned() } else { format!("{first}-{}", same + 1) };
            let has = [
                (Machine::PROCESSORS, u64::from(node.cpus)),
                (Machine::GPUS, u64::from(node.gpus)),
                (Machine::MEMORY, memory),
            ];
            let has = has.into_iter().filter(|(_, amount)| *amount > 0);
            let node = has.map(|(name, amount)| (name.to_owned(), amount)).collect();
            cells.push(CellDescription { name, nodes: 0, node });
            cells.len() - 1
        });
        cells[place].nodes += 1;
        cell_of.insert(&node.name, place);
    }
    if cells.is_empty() {
        return Err("there are no nodes in it; give slurm.conf, and beside it events and reservations".to_owned());
    }
    let used = |place: usize| known.iter().filter(move |((of, ..), _)| of.contains(&place)).map(|(_, &cell)| cell);
    let partition = |(place, partition): (usize, &packfair_slurm::SlurmPartition)| PartitionDescription {
        name: partition.name.clone(),
        cells: used(place).map(|cell| cells[cell].name.clone()).collect(),
        whole_nodes: partition.is_exclusive || site.is_linear,
    };
    let partitions = site.partitions.iter().enumerate().map(partition).filter(|of| !of.cells.is_empty()).collect();
    let events = site.events.iter().map(|event| NodeAway {
        node: event.node.clone(),
        from: date(event.from),
        until: event.until.map(date),
        announced: None,
        kills: event.what == Outage::Down,
    });
    let before = announced.and_then(|before| i64::try_from(before).ok()).unwrap_or(LONG_BEFORE);
    let reserved = site.reservations.iter().flat_map(|reservation| {
        reservation.nodes.iter().map(|node| NodeAway {
            node: node.clone(),
            from: date(reservation.time.from),
            until: Some(date(reservation.time.until)),
            announced: Some(date(reservation.time.announced.unwrap_or(reservation.time.from - before))),
            kills: false,
        })
    });
    // Unknown nodes are reported where the site's files are read.
    let away = events.chain(reserved).filter(|away| cell_of.contains_key(away.node.as_str())).collect();
    let name_of = |node: &str| Ok(cell_of.get(node).map(|&place| cells[place].name.clone()));
    let changes = changes_of_nodes(away, name_of)?;
    Ok(MachineDescription { cells, partitions, changes, ..MachineDescription::default() })
}

/// A moment on the site's clock as a date on the log's local clock.
fn date(local: i64) -> String {
    DateTime::from_timestamp(local, 0).map_or_else(|| local.to_string(), |date| date.naive_utc().to_string())
}

// The machine that the partitions of a log form, as far as the log tells (docs/machine.md).

/// A summary lists at most this many partitions. Where it lists so many, there may be more.
const MOST: usize = Summary::MOST_CHOICES;

/// A machine with a cell of single processors for each partition of the log, as large as the most that its jobs held at
/// once. A log does not say which partitions share nodes; where the cells together exceed the log's machine, some do.
///
/// # Errors
/// Where the log does not tell enough: it names no partitions or too many, starts are unknown, or jobs are not counted
/// in processors.
pub fn machine_of_partitions(summary: &Summary) -> Result<MachineDescription, String> {
    if summary.partitions.is_empty() {
        return Err("the log names no partitions".to_owned());
    }
    if summary.counting.unit != Unit::Processors {
        let counted = summary.counting.unit.plural();
        return Err(format!("jobs are counted in {counted}; count them in processors, of which cells are made, first"));
    }
    if summary.partitions.len() >= MOST {
        return Err(format!("the log names {MOST} partitions or more; describe the machine's cells in a file"));
    }
    let mut machine = MachineDescription::default();
    for (choice, peak) in summary.partitions.iter().zip(&summary.partition_peaks) {
        let name = choice.name.clone().unwrap_or_else(|| choice.id.to_string());
        let Some(nodes) = *peak else {
            return Err(format!("the log does not say when the jobs of partition {name} started"));
        };
        let node = BTreeMap::from([(Machine::PROCESSORS.to_owned(), 1)]);
        machine.cells.push(CellDescription { name: name.clone(), nodes, node });
        machine.partitions.push(PartitionDescription { cells: vec![name.clone()], name, whole_nodes: false });
    }
    Ok(machine)
}

/// A warning where the partitions together have more processors than the log's machine; `None` otherwise.
pub fn overlap_of_partitions(summary: &Summary, machine: &MachineDescription) -> Option<String> {
    let all: u64 = machine.cells.iter().map(|cell| u64::from(cell.nodes)).sum();
    let own = u64::from(summary.machine.processors);
    (all > own).then(|| {
        format!(
            "together they are {all} processors, more than the {own} of the log's machine: some share nodes, or changed size; \
             put shared nodes into a cell of their own"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::{SiteFile, Version, read_site};

    const CONF: &str = "ClusterName=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n\
        GresTypes=gpu\nNodeName=cpu[1-4] CPUs=8 RealMemory=1000\nNodeName=gpu[1-2] CPUs=8 RealMemory=2000 Gres=gpu:2\n\
        NodeName=spare CPUs=8 RealMemory=1000\n\
        PartitionName=batch Nodes=cpu[1-4],gpu[1-2] Default=YES\nPartitionName=accel Nodes=gpu[1-2] OverSubscribe=EXCLUSIVE\n";

    const EVENTS: &str = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n\
        c|gpu1|2026-01-02T00:00:00|2026-01-03T00:00:00|DOWN|disk|root\n\
        c|gpu2|2026-01-02T00:00:00|2026-01-03T00:00:00|DRAIN|disk|root\n";

    fn described(files: &[(&str, &str)]) -> Result<MachineDescription, String> {
        let files: Vec<SiteFile<'_>> =
            files.iter().map(|(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
        machine_of_site(&read_site(&files, Version::default()), Some(7 * 86_400))
    }

    #[test]
    fn classes_of_nodes_are_cells_and_events_are_the_calendar() {
        let machine = described(&[("slurm.conf", CONF), ("events", EVENTS)]).unwrap();
        let cells: Vec<_> = machine.cells.iter().map(|cell| (cell.name.as_str(), cell.nodes)).collect();
        assert_eq!(cells, [("batch", 4), ("batch-2", 2)]);
        assert_eq!(machine.cells[1].node.get("gpus"), Some(&2));
        assert_eq!(machine.cells[1].node.get("memory"), Some(&2_000));
        let partitions: Vec<_> =
            machine.partitions.iter().map(|of| (of.name.as_str(), of.cells.join(","), of.whole_nodes)).collect();
        assert_eq!(partitions, [("batch", "batch,batch-2".to_owned(), false), ("accel", "batch-2".to_owned(), true)]);
        let changes: Vec<_> = machine.changes.iter().map(|of| (of.from.to_string(), of.nodes, of.what)).collect();
        assert_eq!(changes.len(), 2, "{changes:?}");
        assert_eq!((changes[0].0.as_str(), changes[0].1), ("2026-01-02 00:00:00", -1));
        let shown = "ReservationName=m StartTime=2026-02-08T08:00:00 EndTime=2026-02-08T20:00:00 Nodes=cpu1\n";
        let machine = described(&[("slurm.conf", CONF), ("reservations", shown)]).unwrap();
        let announced = machine.changes[0].announced.as_ref().map(ToString::to_string);
        assert_eq!(announced.as_deref(), Some("2026-02-01 08:00:00"));
        assert!(described(&[("events", EVENTS)]).unwrap_err().starts_with("there are no nodes in it"));
    }
}

#[cfg(test)]
mod log_machine_tests {
    use super::*;
    use packfair_workload::{Cleaning, Filter, clean, reading};

    fn summary(text: &str) -> Summary {
        let log = reading::read("small", text.as_bytes()).unwrap();
        Summary::of(&clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap())
    }

    const LOG: &str = "; MaxProcs: 8\n; Partition: 2 wide nodes\n\
        1 0 0 100 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n\
        2 0 0 100 5 -1 -1 5 -1 -1 1 1 1 1 1 2 -1 -1\n";

    #[test]
    fn each_partition_is_a_cell_as_large_as_what_its_jobs_held() {
        let summary = summary(LOG);
        let machine = machine_of_partitions(&summary).unwrap();
        let cells: Vec<_> = machine.cells.iter().map(|cell| (cell.name.as_str(), cell.nodes)).collect();
        assert_eq!(cells, [("1", 4), ("wide nodes", 5)]);
        assert_eq!(machine.partitions[1].cells, ["wide nodes"]);
        machine.clone().on(&summary).unwrap();
        let told = overlap_of_partitions(&summary, &machine).unwrap();
        assert!(told.starts_with("together they are 9 processors, more than the 8"), "{told}");
    }

    #[test]
    fn what_a_log_does_not_tell_is_said() {
        let none = summary("1 0 0 100 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n");
        assert_eq!(machine_of_partitions(&none).unwrap_err(), "the log names no partitions");
        let without_starts = summary("1 0 -1 100 4 -1 -1 4 -1 -1 1 1 1 1 1 3 -1 -1\n");
        let said = machine_of_partitions(&without_starts).unwrap_err();
        assert_eq!(said, "the log does not say when the jobs of partition 3 started");
    }
}
