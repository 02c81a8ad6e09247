//! How true a simulation is to the machine, in a sentence.

use super::machines::{TitledGrid, line, name, percent, resource_name};
use super::{Grid, GridLine};
use crate::format::{correlation, duration, estimate, number};
use crate::verdict::{Closeness, Fit, FitGrade};
use crate::{RunPartition, RunReport};
use packfair_engine::metric::StuckBehind;

/// The scheduler that comes nearest to what the log tells, and how near it comes ([`Fit`]); for each partition where
/// partitions are simulated separately. Where no row claims to be the cluster's own and none starts most jobs as logged,
/// it says first that no row schedules as the cluster did. `None` where the log does not tell.
pub fn how_true<'a>(results: impl IntoIterator<Item = &'a RunReport>) -> Option<String> {
    let results: Vec<&RunReport> = results.into_iter().collect();
    let mut machines: Vec<Option<&RunPartition>> = Vec::new();
    for report in &results {
        let machine = report.run.partition.as_ref();
        if !machines.contains(&machine) {
            machines.push(machine);
        }
    }
    let sentence = |machine: &Option<&RunPartition>| {
        let name = machine.filter(|_| machines.len() > 1).map(|of| format!("{}: ", of.name)).unwrap_or_default();
        let fit = Fit::on(*machine, results.iter().copied())?;
        let is_own = fit.report.run.scheduler.goes_by_site() || fit.grade() == FitGrade::Green;
        let none = if is_own { "" } else { "No row schedules as this cluster did. " };
        Some(format!("{name}{none}{}", nearest(&fit)))
    };
    let sentences: Vec<String> = machines.iter().filter_map(sentence).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn nearest(fit: &Fit<'_>) -> String {
    let Fit { report, closeness: Closeness { near, gap, gap90, rank } } = *fit;
    let ranks = match rank {
        Some(value) => format!("; the ranks of its waits and the log's correlate by {}", correlation(value)),
        None => String::new(),
    };
    format!(
        "{} with {} estimates comes nearest to the log. {} % of its jobs start within 5 min of their logged start, half of \
         its waits are within {} of the logged ones and nine of ten within {}{ranks}.",
        report.run.scheduler.name(),
        estimate(&report.run.estimate),
        number(100.0 * near),
        duration(gap),
        duration(gap90)
    )
}

// Who is stuck behind what: what idles on nodes of which the rest is taken, as a table and in words.

/// The most runs of the table; further runs are left out.
const MOST_RUNS_TOLD: usize = 8;

/// What less than this many nodes are stuck behind, in the mean, is not told in words.
const WORTH_TELLING: f64 = 0.05;

/// A line for each resource that idles and what is in the way, a column for each run that knows nodes; none where no run
/// does.
pub(super) fn stuck_grid<'a>(results: impl IntoIterator<Item = &'a RunReport>) -> Option<TitledGrid> {
    let told = |report: &'a RunReport| Some((report, report.machine_use.as_deref()?.stuck.as_slice()));
    let all: Vec<(&RunReport, &[StuckBehind])> =
        results.into_iter().filter_map(told).filter(|(_, stuck)| !stuck.is_empty()).take(MOST_RUNS_TOLD).collect();
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for stuck in all.iter().flat_map(|(_, stuck)| stuck.iter()) {
        let pair = (stuck.resource.as_str(), stuck.obstacle.as_str());
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    let of_pair = |&(resource, obstacle): &(&str, &str)| -> GridLine {
        let value = |(_, told): &(&RunReport, &[StuckBehind])| {
            let own = told.iter().find(|stuck| stuck.resource == resource && stuck.obstacle == obstacle);
            own.map_or("0".to_owned(), |stuck| {
                let held = format!("{} of {} processors used", number(stuck.held), number(stuck.processors));
                format!("{}; {held}", number(stuck.nodes))
            })
        };
        let behind = if obstacle == "others" { "others on the node".to_owned() } else { resource_name(obstacle) };
        line(vec![resource_name(resource), behind], all.iter().map(value).collect())
    };
    let lines: Vec<GridLine> = pairs.iter().map(of_pair).collect();
    let headings = all.iter().map(|(report, _)| name(report)).collect();
    let title = "Stuck: nodes on which something idles that no waiting job can use, in the mean while jobs wait";
    let grid = Grid { labels: vec!["idle".to_owned(), "behind".to_owned()], headings, lines };
    (!all.is_empty()).then(|| TitledGrid { title: title.to_owned(), grid })
}

/// What a run is stuck behind, in words: a sentence for each of the `most` worst, by nodes.
pub fn stuck_in_words(report: &RunReport, most: usize) -> Vec<String> {
    let mut stuck: Vec<&StuckBehind> = report.machine_use.iter().flat_map(|told| &told.stuck).collect();
    stuck.retain(|one| one.nodes >= WORTH_TELLING);
    stuck.sort_by(|a, b| b.nodes.total_cmp(&a.nodes));
    stuck.into_iter().take(most).map(|one| sentence(report, one)).collect()
}

fn sentence(report: &RunReport, stuck: &StuckBehind) -> String {
    let resource = resource_name(&stuck.resource);
    let idle = match stuck.resource.as_str() {
        "memory" => "memory that idles while jobs wait is".to_owned(),
        _ => format!("{resource} that idle while jobs wait are"),
    };
    let nodes = if stuck.nodes > 0.95 && stuck.nodes < 1.05 {
        "1 node".to_owned()
    } else {
        format!("{} nodes", number(stuck.nodes))
    };
    let users = format!("jobs that use {} of {} processors", number(stuck.held), number(stuck.processors));
    let taken = if stuck.is_behind_others() {
        format!("{nodes} are kept from jobs that want a node for themselves, by {users}")
    } else {
        let verb = if stuck.obstacle == "memory" { "is" } else { "are" };
        format!("{} of {nodes} {verb} taken by {users}", resource_name(&stuck.obstacle))
    };
    format!(
        "Under {}, {} of the {idle} of no use to any of them: {taken}, in the mean.",
        name(report),
        percent(stuck.share)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;
    use packfair_engine::metric::{Curves, Metric};

    fn result(scheduler: &str, near: f64, p90: f64) -> RunReport {
        let values =
            [(Metric::NearerLog, near), (Metric::LogGap, 20.0), (Metric::LogGap90, p90), (Metric::LogRank, -0.256)];
        RunReport {
            run: Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap()),
            shrink: 1.0,
            jobs: 10,
            values: values.into(),
            curves: Curves::default(),
            wall_s: 0.0,
            machine: None,
            machine_use: None,
            is_plain: false,
            overfull: None,
            saturation: None,
            is_too_short: false,
        }
    }

    #[test]
    fn the_nearest_scheduler_is_named_with_how_near_it_comes() {
        let all = [result("as-logged", 1.0, 0.0), result("justbf", 0.5, 90.0), result("easy", 0.5, 60.0)];
        let mut foreseen = result("saf-justbf", 0.9, 10.0);
        foreseen.run.estimate = "actual".parse().unwrap();
        let all = [all.as_slice(), &[foreseen]].concat();
        assert_eq!(
            how_true(&all).unwrap().replace('\u{a0}', " "),
            "No row schedules as this cluster did. EASY with requested estimates comes nearest to the log. 50.0 % of its jobs start \
             within 5 min of their logged start, half of its waits are within 20 s of the logged ones and nine of ten \
             within 60 s; the ranks of its waits and the log's correlate by −0.26."
        );
        assert_eq!(how_true(&all[..1]), None, "the log's own is no model");
        let shrunk = RunReport { shrink: 0.8, ..result("easy", 0.9, 1.0) };
        assert_eq!(how_true([&shrunk]), None);
        let mut unknown = result("easy", 0.9, 1.0);
        unknown.values.clear();
        assert_eq!(how_true([&unknown]), None);
    }
}

#[cfg(test)]
mod stuck_tests {
    use super::*;
    use crate::table::tests::result;
    use packfair_engine::metric::MachineUse;

    fn report(id: &str, stuck: Vec<StuckBehind>) -> RunReport {
        let machine_use = Some(Box::new(MachineUse { stuck, ..MachineUse::default() }));
        RunReport { machine_use, ..result(id, "requested", &[]) }
    }

    fn stuck(resource: &str, obstacle: &str, nodes: f64) -> StuckBehind {
        let (resource, obstacle) = (resource.to_owned(), obstacle.to_owned());
        StuckBehind { resource, obstacle, share: 0.25, nodes, held: 3.0, processors: 64.0 }
    }

    #[test]
    fn whoever_is_stuck_is_told_behind_what() {
        let some = report("slurm", vec![stuck("processors", "memory", 14.0), stuck("gpus", "others", 1.0)]);
        let other = report("slurm:seed=2", vec![stuck("gpus", "processors", 2.0)]);
        let grid = stuck_grid([&some, &other, &report("easy", Vec::new())]).unwrap().grid;
        let labels: Vec<String> = grid.lines.iter().map(|line| line.labels.join(" ")).collect();
        assert_eq!(labels, ["processors memory", "GPUs others on the node", "GPUs processors"]);
        assert_eq!(grid.headings.len(), 2);
        assert_eq!(grid.lines[0].values[1], "0");
        assert!(stuck_grid([&report("easy", Vec::new())]).is_none());
        let words = stuck_in_words(&some, 1);
        assert_eq!(words.len(), 1);
        assert!(
            words[0].contains("memory of 14.0 nodes is taken by jobs that use 3.00 of 64.0 processors"),
            "{words:?}"
        );
        assert!(words[0].contains("of the processors that idle while jobs wait are of no use"), "{words:?}");
    }
}
