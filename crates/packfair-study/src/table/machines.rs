//! The sizes of the machines of separate partitions, and the schedulers that ran plainly, in a sentence each.

use super::truth::stuck_grid;
use super::{Grid, GridLine};
use crate::format::{SPACE, duration, estimate, number, whole};
use crate::{RunReport, Study};
use packfair_base::machine::Machine;
use packfair_engine::metric::{MachinePart, MachineUse, ResourceUse, WindowUse};
use packfair_workload::{Clock, write_moment};

/// Sentences on the machines: the size of each separate partition's machine and where the size comes from; which
/// schedulers ran plainly, because their fast form does not know the machine; and whether a scheduler counts the nodes
/// of its site's files instead. `None` where none of this applies.
pub fn machines<'a>(study: &Study, results: impl IntoIterator<Item = &'a RunReport>) -> Option<String> {
    let (mut said, mut plain): (Vec<String>, Vec<String>) = Default::default();
    let mut by_site = None;
    for result in results {
        by_site = by_site.or_else(|| result.run.scheduler.goes_by_site().then(|| result.run.scheduler.name()));
        let name = result.run.scheduler.name();
        if result.is_plain && !plain.contains(&name) {
            plain.push(name);
        }
        let (Some(partition), Some(machine)) = (&result.run.partition, result.machine) else { continue };
        let size = format!("{} {} ({})", partition.name, whole(machine.processors), machine.source.describe());
        if !said.contains(&size) {
            said.push(size);
        }
    }
    let sizes = (!said.is_empty()).then(|| format!("Machine sizes: {}.", said.join(", ")));
    let plainly = (!plain.is_empty()).then(|| {
        format!("Simulated plainly, which takes longer, for the machine has cells or a calendar: {}.", plain.join(", "))
    });
    let own_nodes = by_site.filter(|_| study.treatment.machine.is_some() && !study.treatment.site.is_empty()).map(|name| {
        format!(
            "{name} counts the nodes of its site's files, with their events and reservations, whatever machine the study has."
        )
    });
    let sentences: Vec<String> = sizes.into_iter().chain(plainly).chain(own_nodes).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

// How each run used the cells and resources of the machine, and what windows in which nodes are away cost: as tables,
// and in words.

/// Most runs in these tables; further runs are left out.
const MOST_RUNS_TOLD: usize = 8;

/// Most windows in these tables; further windows are left out.
const MOST_WINDOWS_TOLD: usize = 20;

#[derive(Clone, Debug, PartialEq)]
pub struct TitledGrid {
    pub title: String,
    pub grid: Grid,
}

/// How much of each resource was used, how much was lost while jobs waited for it, and what windows cost. There is a
/// line for each resource of each part of the machine, or for each window, and a column for each run. Empty where the
/// machine is only a number of processors that never changes.
pub fn machine_grids<'a>(results: impl IntoIterator<Item = &'a RunReport>, clock: Option<&Clock>) -> Vec<TitledGrid> {
    let told = |report: &'a RunReport| Some((report, report.machine_use.as_deref()?));
    let mut all: Vec<(&RunReport, &MachineUse)> = results.into_iter().filter_map(told).collect();
    let stuck = stuck_grid(all.iter().map(|(report, _)| *report));
    all.retain(|(_, told)| !told.shares.is_empty());
    let Some((_, first)) = all.first().copied() else { return stuck.into_iter().collect() };
    // Runs on other machines have other lines.
    let first_shape = shape(first);
    let alike = all.iter().filter(|(_, told)| shape(told) == first_shape).take(MOST_RUNS_TOLD);
    let alike: Vec<(&RunReport, &MachineUse)> = alike.copied().collect();
    let more = all.len() - alike.len();
    let of_more = if more == 0 { String::new() } else { format!("; {} more runs are not shown", whole(more as i64)) };
    let headings: Vec<String> = alike.iter().map(|(report, _)| name(report)).collect();
    let share_of = |title: &str, of: fn(&ResourceUse) -> f64| {
        let line = |(place, share): (usize, &ResourceUse)| {
            let value = |(_, told): &(&RunReport, &MachineUse)| percent(of(&told.shares[place]));
            line(vec![part_name(&share.part), resource_name(&share.resource)], alike.iter().map(value).collect())
        };
        let lines = first.shares.iter().enumerate().map(line).collect();
        let labels = vec!["where".to_owned(), "resource".to_owned()];
        TitledGrid { title: format!("{title}{of_more}"), grid: Grid { labels, headings: headings.clone(), lines } }
    };
    let mut grids = vec![
        share_of("Used, of what there was at the time", |share| share.utilisation),
        share_of("Idle while jobs waited that ask for it", |share| share.loss),
    ];
    if !first.windows.is_empty() {
        let window = |(place, window): (usize, &WindowUse)| {
            let value = |(_, told): &(&RunReport, &MachineUse)| costs(&told.windows[place]);
            let labels = vec![write_moment(clock, window.from), format!("{} of {}", whole(window.nodes), window.cell)];
            line(labels, alike.iter().map(value).collect())
        };
        let lines = first.windows.iter().take(MOST_WINDOWS_TOLD).enumerate().map(window).collect();
        let labels = vec!["window".to_owned(), "nodes".to_owned()];
        let before = first.windows.iter().map(|window| window.before).max().unwrap_or(0);
        let left = first.windows.len().saturating_sub(MOST_WINDOWS_TOLD);
        let of_left = if left == 0 { String::new() } else { format!("; {} more follow", whole(left as i64)) };
        let title = format!(
            "Windows: node-hours that idle in the {} before nodes go, of as many nodes as go; who is killed, and the \
             processor-hours lost{of_left}{of_more}",
            duration(before as f64)
        );
        grids.push(TitledGrid { title, grid: Grid { labels, headings, lines } });
    }
    grids.extend(stuck);
    grids
}

/// What the windows of a run's machine cost, in words: a sentence for each of the `most` costliest, the costliest
/// first.
pub fn windows_in_words(report: &RunReport, clock: Option<&Clock>, most: usize) -> Vec<String> {
    let mut windows: Vec<&WindowUse> =
        report.machine_use.iter().flat_map(|told| &told.windows).filter(|w| w.idle > 0.0 || w.killed > 0).collect();
    windows.sort_by(|a, b| b.idle.total_cmp(&a.idle));
    let sentence = |window: &&WindowUse| {
        let nodes = if window.nodes == 1 { "node" } else { "nodes" };
        let killed = match window.killed {
            0 => String::new(),
            1 => format!(" 1 job is killed, and {} lost.", processor_hours(window.lost)),
            several => format!(" {} jobs are killed, and {} lost.", whole(several), processor_hours(window.lost)),
        };
        format!(
            "Under {}, {} node-hours idle in the {} before {}, when {} {nodes} of {} go.{killed}",
            name(report),
            number(window.idle),
            duration(window.before as f64),
            write_moment(clock, window.from),
            whole(window.nodes),
            window.cell
        )
    };
    windows.iter().take(most).map(sentence).collect()
}

pub fn resource_name(resource: &str) -> String {
    if resource == Machine::GPUS { "GPUs".to_owned() } else { resource.to_owned() }
}

/// The lines of the tables: parts with their resources, and windows with their begin, cell and number of nodes.
type GridShape<'a> = (Vec<(&'a MachinePart, &'a str)>, Vec<(i64, &'a str, u64)>);

fn shape(told: &MachineUse) -> GridShape<'_> {
    let shares = told.shares.iter().map(|share| (&share.part, share.resource.as_str()));
    let windows = told.windows.iter().map(|window| (window.from, window.cell.as_str(), window.nodes));
    (shares.collect(), windows.collect())
}

pub(super) fn line(labels: Vec<String>, values: Vec<String>) -> GridLine {
    GridLine { labels, best: vec![false; values.len()], values }
}

pub(super) fn name(report: &RunReport) -> String {
    let run = &report.run;
    if run.scheduler.is_given() {
        return run.scheduler_name();
    }
    format!("{} ({})", run.scheduler_name(), estimate(&run.estimate))
}

fn part_name(part: &MachinePart) -> String {
    match part {
        MachinePart::Whole => "whole machine".to_owned(),
        MachinePart::Cell(name) => format!("cell {name}"),
        MachinePart::Partition(name) => format!("partition {name}"),
    }
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1}{SPACE}%", 100.0 * share)
}

fn processor_hours(seconds: f64) -> String {
    format!("{} processor-hours are", number(seconds / 3_600.0))
}

fn costs(window: &WindowUse) -> String {
    let idle = number(window.idle);
    match window.killed {
        0 => idle,
        killed => format!("{idle}; {} killed, {} lost", whole(killed), number(window.lost / 3_600.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunPartition;
    use crate::table::tests::result;
    use packfair_base::catalogue::NamedFile;
    use packfair_base::machine::MachineDescription;
    use packfair_workload::{Machine, MachineSource};

    #[test]
    fn each_partition_is_named_once_with_the_size_of_its_machine() {
        let of = |partition: Option<(&str, u32, MachineSource)>| {
            let mut of = result("easy", "requested", &[]);
            if let Some((name, processors, source)) = partition {
                of.run.partition = Some(RunPartition { number: 1, name: name.to_owned(), processors: None });
                of.machine = Some(Machine { processors, source });
            }
            of
        };
        let mut study = Study::first_visit();
        assert_eq!(machines(&study, &[of(None)]), None);
        let plain = crate::RunReport { is_plain: true, ..of(None) };
        assert_eq!(
            machines(&study, &[plain.clone(), plain]).unwrap(),
            "Simulated plainly, which takes longer, for the machine has cells or a calendar: EASY."
        );
        let small = || of(Some(("small", 64, MachineSource::Given)));
        let large = of(Some(("large", 1_024, MachineSource::WidestJob)));
        assert_eq!(
            machines(&study, &[small(), small(), large]).unwrap(),
            "Machine sizes: small 64 (as given), large 1,024 (assumed: the width of the widest job (no usable size in the \
             header))."
        );
        // Slurm beside others on a machine with cells.
        let mut slurm = of(None);
        slurm.run.scheduler = "slurm".parse().unwrap();
        study.treatment.machine = Some(Box::new(MachineDescription::of_processors(8)));
        assert_eq!(machines(&study, &[slurm.clone()]), None, "without a site it is refused there");
        study.treatment.site = vec![NamedFile::new("slurm.conf", 1)];
        let told = machines(&study, &[slurm]).unwrap();
        assert!(told.starts_with("Slurm counts the nodes of its site's files, "), "{told}");
    }
}

#[cfg(test)]
mod machine_use_tests {
    use super::*;
    use crate::table::tests::result;

    fn report(id: &str, windows: usize) -> RunReport {
        let share = |part, resource: &str, utilisation| ResourceUse {
            part,
            resource: resource.to_owned(),
            utilisation,
            loss: 0.125,
        };
        let shares = vec![
            share(MachinePart::Whole, "processors", 0.5),
            share(MachinePart::Cell("gpu".into()), "gpus", 0.75),
            share(MachinePart::Partition("batch".into()), "memory", 1.0),
        ];
        let window = |at: usize| WindowUse {
            cell: "gpu".into(),
            from: 100 * at as i64,
            until: None,
            nodes: 2,
            before: 7_200,
            idle: 3.5 + at as f64,
            killed: at as u64,
            lost: 36_000.0,
        };
        let machine_use =
            Some(Box::new(MachineUse { shares, windows: (0..windows).map(window).collect(), stuck: Vec::new() }));
        RunReport { machine_use, ..result(id, "requested", &[]) }
    }

    #[test]
    fn every_resource_has_a_line_and_every_run_a_column() {
        let grids = machine_grids(&[report("easy", 2), report("justbf", 2), report("dc", 1)], None);
        assert_eq!(grids.len(), 3);
        assert_eq!(grids[0].title, "Used, of what there was at the time; 1 more runs are not shown");
        let texts: Vec<String> = grids[0].grid.lines.iter().map(|line| line.labels.join(" ")).collect();
        assert_eq!(texts, ["whole machine processors", "cell gpu GPUs", "partition batch memory"]);
        assert_eq!(grids[0].grid.lines[1].values, [format!("75.0{SPACE}%"), format!("75.0{SPACE}%")]);
        assert_eq!(grids[2].grid.lines[1].values[0], "4.50; 1 killed, 10.0 lost");
        assert!(machine_grids(&[result("easy", "requested", &[])], None).is_empty());
    }

    #[test]
    fn windows_are_told_in_words_the_dearest_first() {
        let told = windows_in_words(&report("easy", 3), None, 2);
        assert_eq!(told.len(), 2);
        assert_eq!(
            told[0].replace(SPACE, " "),
            "Under EASY (requested), 5.50 node-hours idle in the 2 h before 200, when 2 nodes of gpu go. 2 jobs are \
             killed, and 10.0 processor-hours are lost."
        );
        assert!(windows_in_words(&report("easy", 0), None, 2).is_empty());
    }
}
