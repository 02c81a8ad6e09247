//! The workloads of a study: one for each combination of load, number of users, machine, replay or not, and partition.

use super::format::factor;
use super::losses::GroupedWaits;
use super::report::CannotRun;
use super::rules::Rules;
use super::running::{Ended, Running};
use super::{NoFairStarts, Run, Study, Treatment, fair_starts_of, format};
use packfair_engine::metric::{Evaluation, Measure, Metric};
use packfair_workload::{CleanError, JobId, Log, Resampling, Seconds, Workload, shrink};
use serde::{Deserialize, Serialize};

/// The workloads of a study's runs, each made once.
#[derive(Debug)]
pub struct Workloads {
    of_study: Treatment,
    /// Each workload with its treatment; that of the study's treatment comes first.
    each: Vec<(Treatment, Workload)>,
}

impl Workloads {
    /// Makes the workloads from a log, which is filtered and cleaned once for all loads.
    ///
    /// # Errors
    /// As [`Treatment::apply`].
    pub fn of(study: &Study, log: &Log) -> Result<Self, CleanError> {
        let of_study = study.treatment.clone();
        let mut treatments: Vec<Treatment> = vec![of_study.clone()];
        for run in study.runs() {
            let treatment = run.treatment(&of_study);
            if !treatments.contains(&treatment) {
                treatments.push(treatment);
            }
        }
        let at_own_load = |treatment: &Treatment| Treatment { shrink: 1.0, ..treatment.clone() };
        let mut each: Vec<(Treatment, Workload)> = Vec::new();
        while let Some(first) = treatments.first() {
            let own = at_own_load(first);
            let (at_loads, others) = treatments.into_iter().partition(|treatment| at_own_load(treatment) == own);
            treatments = others;
            let mut unshrunk = Some(own.apply(log)?);
            let mut at_loads: std::iter::Peekable<_> = Vec::<Treatment>::into_iter(at_loads).peekable();
            while let Some(treatment) = at_loads.next() {
                // The last load takes the original, because a second copy of a long log is costly.
                let made = if at_loads.peek().is_some() { unshrunk.clone() } else { unshrunk.take() };
                let Some(mut workload) = made else { break };
                shrink(&mut workload, treatment.shrink)?;
                each.push((treatment, workload));
            }
        }
        Ok(Workloads { of_study, each })
    }

    /// The workload of the study's treatment.
    pub fn first(&self) -> &Workload {
        &self.each[0].1
    }

    /// The workload of a run. A run that is not the study's gets the workload of the study's treatment.
    pub fn of_run(&self, run: &Run) -> &Workload {
        let treatment = run.treatment(&self.of_study);
        self.each.iter().find(|(of, _)| *of == treatment).map_or(self.first(), |(_, workload)| workload)
    }
}

// Parts of a workload by submission, workloads drawn from one of them, and runs that compute only some metrics: what a
// search among settings needs.

/// The least span of submissions from which weeks are drawn to confirm anything, seconds. Of fewer than four weeks, draws
/// hardly differ, and an interval would be too narrow.
const LEAST_DRAWN: Seconds = 28 * 86_400;

/// A part of a workload by submission: the jobs submitted first, those after them, or a workload drawn from the last.
///
/// Each part is a workload of its own. It begins with an empty machine and with estimators that have learned nothing.
/// Submit times stay those of the log; users who react wait only for jobs of the same part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum LogPart {
    /// This share of the jobs, those submitted first. Jobs submitted in the same second stay together.
    First(f64),
    /// The first half of the jobs after that first share.
    Middle(f64),
    /// The second half of the jobs after that first share.
    Last(f64),
    /// A workload drawn from [`LogPart::Last`] by users' weeks ([`Resampling::Users`]); empty where that part spans less
    /// than four weeks.
    Drawn {
        /// The first share.
        share: f64,
        seed: u64,
        index: u32,
    },
    /// The part by which a search chooses or selects, of a workload drawn from the whole by users' weeks; empty where none
    /// can be drawn.
    Again {
        /// The first share.
        share: f64,
        seed: u64,
        index: u32,
        /// Whether it is the part that selects ([`LogPart::Middle`]); else it is the one that chooses
        /// ([`LogPart::First`]).
        selects: bool,
    },
    Whole,
}

impl LogPart {
    pub fn of(self, workload: &Workload) -> Workload {
        let range = match self {
            LogPart::First(share) => 0..boundary(workload, share),
            LogPart::Middle(share) => boundary(workload, share)..boundary(workload, (1.0 + share) / 2.0),
            LogPart::Last(share) => boundary(workload, (1.0 + share) / 2.0)..workload.len(),
            LogPart::Whole => 0..workload.len(),
            LogPart::Drawn { share, seed, index } => {
                let last = LogPart::Last(share).of(workload);
                return if spans_weeks(&last) { drawn(&last, seed, index) } else { none_of(&last) };
            }
            LogPart::Again { share, seed, index, selects } => {
                let part = if selects { LogPart::Middle(share) } else { LogPart::First(share) };
                return part.of(&drawn(workload, seed, index));
            }
        };
        let mut part = Workload::empty(workload.name.clone(), workload.machine, workload.header.clone());
        for job in workload.jobs().skip(range.start).take(range.len()) {
            let wait = workload.logged_wait(job).unwrap_or(-1);
            // A log has fewer records than a u32 counts.
            part.push(workload.request(job).clone(), workload.run(job), wait, workload.record(job) as u32);
        }
        part.set_counting(workload.counting().clone());
        part.set_cluster(workload.cluster().cloned());
        part.take_still_running_of(workload);
        let own: Vec<JobId> = workload.jobs().skip(range.start).take(range.len()).collect();
        part.take_site_of(workload, &own);
        part.react_as_part(workload, range.start);
        part
    }
}

/// Whether a part is long enough to draw weeks of it.
fn spans_weeks(part: &Workload) -> bool {
    let requests = part.requests();
    requests.last().is_some_and(|last| last.submit - requests[0].submit >= LEAST_DRAWN)
}

/// A draw of users' weeks of a part; empty where none can be made.
fn drawn(part: &Workload, seed: u64, index: u32) -> Workload {
    Resampling::Users.workload(part, seed, index).unwrap_or_else(|_| none_of(part))
}

/// A workload like this one without jobs.
fn none_of(part: &Workload) -> Workload {
    Workload::empty(part.name.clone(), part.machine, part.header.clone())
}

/// The number of jobs of the first share.
fn boundary(workload: &Workload, share: f64) -> usize {
    let wanted = ((workload.len() as f64 * share) as usize).min(workload.len());
    let requests = workload.requests();
    let last = wanted.checked_sub(1).map(|last| requests[last].submit);
    last.map_or(0, |last| requests.partition_point(|request| request.submit <= last))
}

/// Why a run has no values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unmeasured {
    #[error("{0}")]
    NoSchedule(#[from] CannotRun),
    #[error("{0}")]
    NotFair(#[from] NoFairStarts),
}

/// Runs `run` on `workload` and gives the values of these metrics only, `None` for a metric that is not defined; then,
/// for each of the waits `before`, the largest loss of a group against it ([`GroupedWaits::largest_loss`]), as a share,
/// 0 where none loses. Fair start times are computed only where a metric needs them.
///
/// # Errors
/// Where the run has no schedule, or a metric needs fair start times that the run does not have.
pub fn measured(
    run: &Run,
    workload: &Workload,
    rules: Rules,
    measure: &Measure,
    metrics: &[Metric],
    before: &[GroupedWaits],
) -> Result<Vec<Option<f64>>, Unmeasured> {
    let Ended { workload, mut schedule } = Running::begin(run, workload, rules)?.ended()?;
    if metrics.iter().any(|metric| Metric::OF_FAIR_STARTS.contains(metric)) {
        schedule.fair = Some(fair_starts_of(run, &workload, rules, &schedule, 0..workload.len())?);
    }
    let loss = |before: &GroupedWaits| {
        let waits = GroupedWaits::of(&workload, &schedule, before.by());
        Some(waits.largest_loss(before).map_or(0.0, |loss| loss.relative()))
    };
    let evaluation = Evaluation::new(&workload, &schedule, measure);
    Ok(metrics.iter().map(|&metric| evaluation.value(metric)).chain(before.iter().map(loss)).collect())
}

// What a change takes out of a study, in words, and how to put it back.

/// What `before` has and `after` lacks, as a sentence. `None` where nothing is gone, or where several kinds of things
/// are gone, as when another study has been opened.
pub fn taken_out(before: &Study, after: &Study) -> Option<String> {
    let schedulers = gone(&before.schedulers, &after.schedulers, |scheduler| scheduler.name());
    let methods = gone(&before.methods, &after.methods, |method| method.name());
    let factors = gone(&before.distortions, &after.distortions, |k| format!("k = {}", factor(*k)));
    let shrinks = gone(&before.shrinks, &after.shrinks, |f| format!("f = {}", factor(*f)));
    let columns = gone(&before.columns, &after.columns, |metric| format!("the column {}", metric.about().name));
    let partitions = gone(&before.partitions, &after.partitions, |of| format!("the partition {}", of.name));
    let what_ifs = gone(&before.what_ifs, &after.what_ifs, |of| format!("the machine with {}", of.name()));
    let lists = [schedulers, methods, factors, shrinks, columns, partitions, what_ifs];
    let touched = lists.iter().filter(|gone| !gone.is_empty()).count();
    let all: Vec<String> = lists.into_iter().flatten().collect();
    match all.as_slice() {
        _ if touched != 1 => None,
        [one] => Some(format!("{one} was taken out.", one = capital(one))),
        several => Some(format!("{} were taken out: {}.", format::whole(several.len() as i64), several.join(", "))),
    }
}

/// Puts back into `study` what `before` had, at its old place. Later additions and changes stay.
pub fn put_back(study: &mut Study, before: &Study) {
    put_in(&mut study.schedulers, &before.schedulers);
    put_in(&mut study.methods, &before.methods);
    put_in(&mut study.distortions, &before.distortions);
    put_in(&mut study.shrinks, &before.shrinks);
    put_in(&mut study.what_ifs, &before.what_ifs);
    put_in(&mut study.columns, &before.columns);
    put_in(&mut study.partitions, &before.partitions);
}

fn gone<T: PartialEq>(before: &[T], after: &[T], name: impl Fn(&T) -> String) -> Vec<String> {
    before.iter().filter(|item| !after.contains(item)).map(name).collect()
}

fn put_in<T: PartialEq + Clone>(list: &mut Vec<T>, before: &[T]) {
    for (place, item) in before.iter().enumerate() {
        if !list.contains(item) {
            list.insert(place.min(list.len()), item.clone());
        }
    }
}

/// Makes the first letter of "the ..." a capital; names stay as they are.
fn capital(text: &str) -> String {
    text.strip_prefix("the ").map_or_else(|| text.to_owned(), |rest| format!("The {rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_factor_has_its_workload_and_it_is_that_of_a_study_of_its_own() {
        let mut study = Study::first_visit();
        let super::super::Source::Generated(generated) = &study.source else { panic!("{:?}", study.source) };
        let log = generated.generate();
        study.set_shrinks(&[0.9, 1.0, 0.5, 0.9]);
        assert_eq!(study.all_shrinks(), [0.9, 1.0, 0.5]);
        let workloads = Workloads::of(&study, &log).unwrap();
        assert_eq!(workloads.first().shrunk(), 0.9);
        let runs = study.runs();
        assert_eq!(runs.len(), 12);
        for run in &runs {
            let alone = run.treatment(&study.treatment).apply(&log).unwrap();
            assert_eq!(workloads.of_run(run).requests(), alone.requests(), "{}", run.id());
        }
        study.shrinks = vec![f64::NAN];
        assert!(Workloads::of(&study, &log).is_err());
    }

    #[test]
    fn each_machine_that_is_otherwise_has_its_workload() {
        let mut study = Study::first_visit();
        let super::super::Source::Generated(generated) = &study.source else { panic!("{:?}", study.source) };
        let log = generated.generate();
        let all = study.runs();
        study.what_ifs = ["nodes=+20", "nodes=-64 from=1000 until=2000"].map(|text| text.parse().unwrap()).to_vec();
        let runs = study.runs();
        assert_eq!(runs.len(), 3 * all.len());
        assert_eq!(runs[1].id(), "easy__requested__if_nodes=+20");
        assert_eq!(runs[1].scheduler_name(), "EASY, 20 more nodes");
        let workloads = Workloads::of(&study, &log).unwrap();
        let size = |run: &Run| workloads.of_run(run).machine.processors;
        assert_eq!([&runs[0], &runs[1], &runs[2]].map(size), [128, 148, 128]);
        assert!(workloads.of_run(&runs[2]).cells().is_some() && workloads.of_run(&runs[1]).cells().is_none());
        assert_eq!(study.baseline_of(&runs[1]).unwrap().what_if, runs[1].what_if, "on the same machine");
        let text = serde_json::to_string(&study).unwrap();
        assert_eq!(serde_json::from_str::<Study>(&text).unwrap(), study);
        let logged = Run::new("as-logged".parse().unwrap(), runs[1].estimate.clone()).what_if(runs[1].what_if.clone());
        assert_eq!(logged.what_if, None, "the log's own schedule is one of its own machine");
        study.repeats = Some(crate::sureness::Repeats::of(5));
        assert_eq!(study.check(), Ok(()), "and all of them can be repeated");
    }

    #[test]
    fn each_partition_is_a_machine_of_its_own() {
        let lines = "1 0 0 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n2 0 0 100 8 -1 -1 8 100 -1 1 1 1 1 1 2 -1 -1\n\
            3 5 0 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n";
        let text = format!("; Partition: 1 small\n; Partition: 2 large\n{lines}");
        let log = packfair_workload::reading::read("log", text.as_bytes()).unwrap();
        let mut study = Study::first_visit();
        let all = study.runs();
        let of =
            |number: i32, name: &str| super::super::RunPartition { number, name: name.to_owned(), processors: None };
        study.partitions = vec![of(1, "small"), of(2, "large")];
        study.shrinks = vec![0.5];
        let runs = study.runs();
        assert_eq!(runs.len(), 4 * all.len(), "of each partition with each factor");
        assert_eq!(
            (runs[0].id(), runs[0].scheduler_name()),
            ("easy__requested__partition1".into(), "small: EASY".into())
        );
        let workloads = Workloads::of(&study, &log).unwrap();
        for run in &runs {
            let workload = workloads.of_run(run);
            let number = run.partition.as_ref().unwrap().number;
            assert_eq!((workload.len(), workload.machine.processors), if number == 1 { (2, 8) } else { (1, 8) });
            assert_eq!(workload.shrunk(), run.shrink.unwrap_or(1.0));
            assert_eq!(
                study.baseline_of(run).unwrap().partition,
                run.partition,
                "a run is compared with its own machine's"
            );
        }
        let text = serde_json::to_string(&study).unwrap();
        assert_eq!(serde_json::from_str::<Study>(&text).unwrap(), study);
        study.removed = vec![runs[0].clone()];
        assert_eq!(study.runs()[..], runs[1..]);
    }
}

#[cfg(test)]
mod part_tests {
    use super::*;
    use crate::{Treatment, execute};
    use packfair_workload::lublin;
    use packfair_workload::testing;

    #[test]
    fn parts_have_all_jobs_between_them_and_share_no_second() {
        let workload = testing::workload(4, &[(0, 5, 1), (1, 5, 1), (1, 6, 2), (1, 7, 1), (3, 5, 1)]);
        for (share, jobs) in [(0.0, [0, 4, 1]), (0.2, [1, 3, 1]), (0.6, [4, 0, 1]), (1.0, [5, 0, 0])] {
            let parts = [LogPart::First(share), LogPart::Middle(share), LogPart::Last(share)];
            let parts = parts.map(|part| part.of(&workload));
            assert_eq!(parts.each_ref().map(Workload::len), jobs, "{share}");
            let runs: Vec<_> = parts.iter().flat_map(|part| part.runs().to_vec()).collect();
            assert_eq!(runs, workload.runs());
        }
    }

    #[test]
    fn parts_of_a_drawn_workload_are_those_of_the_draw() {
        let workload = Treatment::default().apply(&lublin(4_000, 32, 3)).unwrap();
        let drawn = Resampling::Users.workload(&workload, 5, 2).unwrap();
        for (selects, part) in [(false, LogPart::First(0.5)), (true, LogPart::Middle(0.5))] {
            let again = LogPart::Again { share: 0.5, seed: 5, index: 2, selects }.of(&workload);
            assert!(!again.is_empty());
            assert_eq!(again.runs(), part.of(&drawn).runs(), "{selects}");
        }
    }

    #[test]
    fn a_metric_alone_is_the_one_of_a_report() {
        let workload = Treatment::default().apply(&lublin(400, 32, 3)).unwrap();
        let run = Run::new("easy-sjbf".parse().unwrap(), "requested".parse().unwrap());
        let (measure, rules) = (Measure::default(), Rules::default());
        let report = execute(&run, &workload, rules, &measure).unwrap().report;
        let metrics = Metric::OWN;
        let values = measured(&run, &workload, rules, &measure, metrics, &[]).unwrap();
        for (metric, value) in metrics.iter().zip(values) {
            if !Metric::OF_FAIR_STARTS.contains(metric) {
                assert_eq!(value, report.values.get(metric).copied(), "{metric}");
            }
        }
    }
}

#[cfg(test)]
mod taking_out_tests {
    use super::*;
    use packfair_engine::metric::Metric;

    fn changed(change: impl FnOnce(&mut Study)) -> (Study, Study) {
        let before = Study::first_visit();
        let mut after = before.clone();
        change(&mut after);
        (before, after)
    }

    #[test]
    fn what_is_taken_out_is_named_and_comes_back_to_its_place() {
        let (before, mut after) = changed(|study| drop(study.schedulers.remove(1)));
        assert_eq!(taken_out(&before, &after).as_deref(), Some("JustBF was taken out."));
        // Something else changes meanwhile.
        after.columns.push(Metric::Late);
        put_back(&mut after, &before);
        assert_eq!(after.schedulers, before.schedulers);
        assert_eq!(after.columns.last(), Some(&Metric::Late));

        let (before, after) = changed(|study| study.columns.truncate(5));
        assert_eq!(
            taken_out(&before, &after).as_deref(),
            Some("2 were taken out: the column Utilisation, the column Max wait.")
        );
        let (before, after) = changed(|study| study.columns.retain(|&metric| metric != Metric::Af));
        assert_eq!(taken_out(&before, &after).as_deref(), Some("The column AF was taken out."));
    }

    #[test]
    fn what_is_added_or_replaced_is_not_taken_out() {
        let (before, after) = changed(|study| study.columns.push(Metric::Late));
        assert_eq!(taken_out(&before, &after), None);
        let (before, after) = changed(|study| {
            study.schedulers.remove(0);
            study.columns.clear();
        });
        assert_eq!(taken_out(&before, &after), None, "another study");
    }
}
