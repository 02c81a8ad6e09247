//! The verdict on a table with separate partitions: one for each partition, and one for all together.

use super::fit::{Closeness, Fit, FitGrade, share};
use super::{Concern, Judged, Verdict, judge};
use crate::metric::{Curves, Line, Metric};
use crate::study::{Baseline, Run, RunPartition, RunReport};
use std::collections::BTreeMap;

const COUNTED: [Metric; 5] = [Metric::Kills, Metric::JobsKilled, Metric::LostArea, Metric::Late, Metric::Remade];

/// The verdict on a table of several partitions.
#[derive(Clone, Debug, PartialEq)]
pub struct Apart {
    pub each: Vec<OfPartition>,
    /// How much of all partitions the cluster's own scheduler explains, in words, with its grade; `None` where the log does
    /// not tell, and where no row claims to be the cluster's own.
    pub fit: Option<(FitGrade, String)>,
    /// The run that serves all partitions best. Each measure is the mean over the partitions, weighted by their jobs;
    /// but the longest wait is the maximum, and counts are added up.
    pub total: Verdict,
}

impl Apart {
    /// The title of the verdict on all partitions.
    pub const ALL: &str = "All partitions, weighted by their jobs";
}

#[derive(Clone, Debug, PartialEq)]
pub struct OfPartition {
    pub partition: RunPartition,
    /// How many of its jobs count; `None` before a run on it has ended.
    pub jobs: Option<usize>,
    /// How much of it the cluster's own scheduler explains, in words, with its grade.
    pub fit: Option<(FitGrade, String)>,
    /// The run that serves it best.
    pub verdict: Verdict,
}

/// The verdict on a table of several partitions for a concern. `None` where its rows are on one machine, or where there
/// is nothing to choose from.
pub fn judge_apart(table: &Judged<'_>, concern: Concern) -> Option<Apart> {
    let partitions = partitions(table);
    if partitions.len() < 2 {
        return None;
    }
    let each: Vec<OfPartition> = partitions.iter().filter_map(|of| of_partition(table, of, concern)).collect();
    let (reports, missing) = totals(table, &partitions);
    let baseline = match table.baseline {
        Baseline::Run(run) => Baseline::Run(run.clone().on_partition(None)),
        other => other.clone(),
    };
    let all = Judged {
        reports: reports.iter().collect(),
        missing: missing.iter().collect(),
        columns: table.columns,
        baseline: &baseline,
        repeated: None,
        load: None,
        has_site: table.has_site,
    };
    Some(Apart { each, fit: fit_of_all(table, &partitions), total: judge(&all, concern)? })
}

fn partitions(table: &Judged<'_>) -> Vec<RunPartition> {
    let runs = table.reports.iter().map(|report| &report.run).chain(table.missing.iter().copied());
    let mut partitions: Vec<RunPartition> = Vec::new();
    for partition in runs.filter_map(|run| run.partition.as_ref()) {
        if !partitions.contains(partition) {
            partitions.push(partition.clone());
        }
    }
    partitions
}

fn of_partition(table: &Judged<'_>, partition: &RunPartition, concern: Concern) -> Option<OfPartition> {
    let is_of = |run: &Run| run.partition.as_ref() == Some(partition);
    let own = Judged {
        reports: table.reports.iter().copied().filter(|report| is_of(&report.run)).collect(),
        missing: table.missing.iter().copied().filter(|run| is_of(run)).collect(),
        // The known load is that of the whole log.
        load: None,
        ..table.clone()
    };
    let fit = Fit::of(own.claiming()).map(|fit| (fit.grade(), fit.in_words()));
    let jobs = own.reports.iter().map(|report| report.jobs).max();
    Some(OfPartition { partition: partition.clone(), jobs, fit, verdict: judge(&own, concern)? })
}

/// How much of all jobs the rows that claim to be the cluster's own explain together. The grade only uses the share of starts,
/// because waits on different machines have no common ranks.
fn fit_of_all(table: &Judged<'_>, partitions: &[RunPartition]) -> Option<(FitGrade, String)> {
    let on = |of: &RunPartition| Fit::on(Some(of), table.claiming());
    let fits = partitions.iter().map(on).collect::<Option<Vec<Fit>>>()?;
    let jobs: usize = fits.iter().map(|fit| fit.report.jobs).sum();
    let near = fits.iter().map(|fit| fit.closeness.near * fit.report.jobs as f64).sum::<f64>() / jobs.max(1) as f64;
    let grade = Closeness { near, gap: 0.0, gap90: 0.0, rank: None }.grade();
    Some((grade, format!("By itself each, the partitions explain {} of the logged starts.", share(near))))
}

/// The results of each run on all partitions together, and the runs that have yet to end on some partition. A run that
/// failed on a partition is in neither list.
fn totals(table: &Judged<'_>, partitions: &[RunPartition]) -> (Vec<RunReport>, Vec<Run>) {
    let (mut reports, mut missing): (Vec<RunReport>, Vec<Run>) = (Vec::new(), Vec::new());
    for run in table.missing.iter().map(|run| (*run).clone().on_partition(None)) {
        if !missing.contains(&run) {
            missing.push(run);
        }
    }
    for report in &table.reports {
        let run = report.run.clone().on_partition(None);
        if missing.contains(&run) || reports.iter().any(|other| other.run == run) {
            continue;
        }
        let on = |of: &RunPartition| {
            let own = run.clone().on_partition(Some(of.clone()));
            table.reports.iter().copied().find(|other| other.run == own)
        };
        let parts = partitions.iter().map(on).collect::<Option<Vec<&RunReport>>>();
        reports.extend(parts.map(|parts| total(run, &parts)));
    }
    (reports, missing)
}

fn total(run: Run, parts: &[&RunReport]) -> RunReport {
    let jobs: usize = parts.iter().map(|part| part.jobs).sum();
    let of = |metric: Metric| {
        // Where a scheduler has no count, such as of kills, on some machine, it counts 0 there.
        if COUNTED.contains(&metric) {
            return Some(parts.iter().filter_map(|part| part.values.get(&metric)).sum());
        }
        let values = parts.iter().map(|part| Some((part.jobs, *part.values.get(&metric)?)));
        let values = values.collect::<Option<Vec<(usize, f64)>>>()?;
        if metric == Metric::MaxWait {
            return values.iter().map(|&(_, value)| value).reduce(f64::max);
        }
        Some(values.iter().map(|&(jobs, value)| jobs as f64 * value).sum::<f64>() / jobs.max(1) as f64)
    };
    let metrics = parts.iter().flat_map(|part| part.values.keys().copied());
    let values: BTreeMap<Metric, f64> = metrics.filter_map(|metric| Some((metric, of(metric)?))).collect();
    // The share of jobs that start at once, which is all that the verdict needs of the curves.
    let at_once = |part: &&RunReport| {
        let waits = &part.curves.waits;
        let share = match (waits.x.first()?, waits.y.first()?) {
            (&least, &share) if least <= 0.0 => share,
            _ => 0.0,
        };
        Some(share * part.jobs as f64)
    };
    let at_once = parts.iter().map(at_once).sum::<Option<f64>>();
    let waits = at_once
        .map_or_else(Line::default, |at_once| Line { x: vec![0.0, 1.0], y: vec![at_once / jobs.max(1) as f64, 1.0] });
    RunReport {
        run,
        shrink: parts[0].shrink,
        jobs,
        values,
        curves: Curves { waits, ..Curves::default() },
        wall_s: parts.iter().map(|part| part.wall_s).sum(),
        machine: None,
        machine_use: None,
        is_plain: parts.iter().any(|part| part.is_plain),
        overfull: None,
        // If one machine is saturated, the average over all tells how long the log is.
        saturation: parts.iter().find_map(|part| part.saturation),
        is_too_short: parts.iter().any(|part| part.is_too_short),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Saturation;
    use crate::study::format::SPACE;

    const COLUMNS: [Metric; 3] = [Metric::Bsld, Metric::Af, Metric::MaxWait];

    fn partition(number: i32, name: &str) -> RunPartition {
        RunPartition { number, name: name.to_owned(), processors: None }
    }

    /// A run of `jobs` jobs, half of which wait.
    fn run(scheduler: &str, on: &RunPartition, jobs: usize, values: [f64; 3], near: f64) -> RunReport {
        let mut values: BTreeMap<Metric, f64> = COLUMNS.into_iter().zip(values).collect();
        values.extend([(Metric::NearerLog, near), (Metric::LogGap, 30.0), (Metric::LogGap90, 60.0)]);
        RunReport {
            run: Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap()).on_partition(Some(on.clone())),
            shrink: 1.0,
            jobs,
            values,
            curves: Curves { waits: Line { x: vec![0.0, 50.0], y: vec![0.5, 1.0] }, ..Curves::default() },
            wall_s: 0.0,
            machine: None,
            machine_use: None,
            is_plain: false,
            overfull: None,
            saturation: None,
            is_too_short: false,
        }
    }

    fn table<'a>(reports: &'a [RunReport], baseline: &'a Baseline) -> Judged<'a> {
        Judged {
            reports: reports.iter().collect(),
            missing: Vec::new(),
            columns: &COLUMNS,
            baseline,
            repeated: None,
            load: Some(0.2),
            has_site: false,
        }
    }

    fn both(small: f64) -> [RunReport; 4] {
        let (large, narrow) = (partition(1, "large"), partition(2, "narrow"));
        [
            run("justbf", &large, 3_000, [100.0, 1_000.0, 9_000.0], 0.4),
            run("easy", &large, 3_000, [80.0, 1_000.0, 9_000.0], 0.3),
            run("justbf", &narrow, 1_000, [10.0, 1_000.0, 500.0], 1.0),
            run("easy", &narrow, 1_000, [small, 1_000.0, 700.0], 0.9),
        ]
    }

    fn said(text: &str) -> String {
        text.replace(SPACE, " ")
    }

    #[test]
    fn each_partition_has_its_answer_and_all_have_one_weighted_by_jobs() {
        let baseline = Baseline::Scheduler("justbf".parse().unwrap());
        let reports = both(90.0);
        let apart = judge_apart(&table(&reports, &baseline), Concern::Slowdown).unwrap();
        let each: Vec<(&str, Option<usize>, String)> =
            apart.each.iter().map(|of| (&*of.partition.name, of.jobs, said(&of.verdict.text))).collect();
        assert_eq!(
            each,
            [
                (
                    "large",
                    Some(3_000),
                    "For slowdown: EASY (requested). Against JustBF: slowdown 20 % lower; it costs nothing else."
                        .into()
                ),
                ("narrow", Some(1_000), "For slowdown, nothing here is better than JustBF (requested).".into()),
            ]
        );
        // From 3 × 100 + 10 to 3 × 80 + 90: 77.5 and 82.5.
        assert_eq!(said(&apart.total.text), "For slowdown, nothing here is better than JustBF (requested).");
        let reports = both(11.0);
        let apart = judge_apart(&table(&reports, &baseline), Concern::Slowdown).unwrap();
        assert_eq!(
            said(&apart.total.text),
            "For slowdown: EASY (requested). Against JustBF: slowdown 19 % lower; it costs nothing else.",
            "the longest wait of all is that of the large one"
        );
        assert_eq!((apart.each[0].fit.as_ref(), apart.fit), (None, None), "no row claims to be the cluster's own");
    }

    #[test]
    fn the_fit_is_that_of_the_cluster_s_own_scheduler_on_each_partition() {
        let baseline = Baseline::Scheduler("slurm".parse().unwrap());
        let own =
            both(11.0).map(|report| match report.run.scheduler.preset().is_some_and(|preset| preset.id == "easy") {
                true => report,
                false => RunReport { run: Run { scheduler: "slurm".parse().unwrap(), ..report.run }, ..report },
            });
        let judged = Judged { has_site: true, ..table(&own, &baseline) };
        let apart = judge_apart(&judged, Concern::Slowdown).unwrap();
        let grades: Vec<FitGrade> = apart.each.iter().filter_map(|of| Some(of.fit.as_ref()?.0)).collect();
        assert_eq!(grades, [FitGrade::Red, FitGrade::Green]);
        let (grade, fit) = apart.fit.unwrap();
        assert_eq!(
            (grade, said(&fit).as_str()),
            (FitGrade::Amber, "By itself each, the partitions explain 55 % of the logged starts.")
        );
    }

    #[test]
    fn one_machine_is_not_apart_and_what_is_missing_or_grows_somewhere_is_so_in_all() {
        let baseline = Baseline::Scheduler("justbf".parse().unwrap());
        let reports = both(11.0);
        assert_eq!(judge_apart(&table(&reports[..2], &baseline), Concern::Slowdown), None);
        let missing = reports[3].run.clone();
        let some = Judged { missing: vec![&missing], ..table(&reports[..3], &baseline) };
        let apart = judge_apart(&some, Concern::Slowdown).unwrap();
        assert!(said(&apart.total.text).starts_with("So far 1 of 2 runs is done"), "{:?}", apart.total);
        assert_eq!(apart.each[0].verdict.run.as_ref(), Some(&reports[1].run), "what is done is told");
        let mut reports = reports;
        reports[3].saturation = Some(Saturation { left_s: 86_400.0, share: 0.04 });
        let apart = judge_apart(&table(&reports, &baseline), Concern::Slowdown).unwrap();
        assert!(apart.total.text.contains("EASY is left out: it is saturated"), "{:?}", apart.total);
    }
}
