//! Studies in parts: `packfair study ... --part I/N` computes a part, and `packfair collect` prints what all parts come
//! to. Runs are independent and deterministic, so any process on any machine may compute any part, and no process needs
//! to know of another.

mod collect;

pub(super) use collect::collect;

use super::args::{Part, PartArguments, StudyArguments};
use super::machine::to_do;
use super::pool::{RunsEnded, run_all};
use super::repeating::{RepeatsEnded, repeat_all};
use super::watch::OnTerminal;
use super::{Failure, load, say};
use collect::{ComputedPart, PartLog, PartResults};
use packfair_engine::metric::Grouping;
use packfair_study::{Ended, GroupedWaits, Run, RunReport, Source, Study, Workloads};
use packfair_workload::{Log, Summary};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

/// Computes a part of `study` on these logs, and writes it to its file.
///
/// # Errors
/// A run cannot be made on a log, or the file cannot be written. Runs that failed by a mistake of Packfair's own are in
/// the file as such.
pub(super) fn compute(
    arguments: &StudyArguments,
    part: Part,
    study: &Study,
    logs: &[Log],
    threads: usize,
) -> Result<(), Failure> {
    let mut computed =
        ComputedPart { engine: packfair_study::Engine::THIS, part, logs: Vec::new(), results: Vec::new() };
    // runs and repeats of all logs are dealt to the parts in turn
    let mut place = 0;
    let (mut all, mut failed) = (0, 0);
    for log in logs {
        let study = Study { source: source_of(study, log, logs.len()), ..study.clone() };
        let share = Share::of(&study, part, &mut place);
        all += share.runs.len() + share.repeats.len();
        let (known, results) = share.compute(&study, log, threads)?;
        failed += results.failed.len() + results.failed_repeats.len();
        computed.logs.push(known);
        computed.results.push(results);
    }
    let path = path_of(arguments, &arguments.part, part);
    computed.write(&path)?;
    say(&format!("packfair: {part} is written to {}", path.display()));
    if failed == 0 { Ok(()) } else { Err(Failure::Failed { failed, runs: all }) }
}

fn source_of(study: &Study, log: &Log, logs: usize) -> Source {
    match &study.source {
        // the log is the generated workload and nothing else
        Source::Generated(generated) if logs == 1 && generated.generate().fingerprint == log.fingerprint => {
            study.source.clone()
        }
        _ => load::source_of(log),
    }
}

fn path_of(arguments: &StudyArguments, part: &PartArguments, Part { number, of }: Part) -> PathBuf {
    let stem = || arguments.study.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    part.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.{number}-of-{of}.part", stem())))
}

struct Share {
    runs: Vec<(usize, Run)>,
    /// Repeats, from 0. All runs of a repeat belong together, because they share its workload.
    repeats: Vec<u32>,
}

impl Share {
    /// The share of a part. `place` is counted on by the number of runs and repeats on the log.
    fn of(study: &Study, part: Part, place: &mut usize) -> Self {
        let mut is_its = || {
            *place += 1;
            part.has(*place - 1)
        };
        let runs = study.runs().into_iter().enumerate().filter(|_| is_its()).collect();
        let repeats = (0..study.repeats.map_or(0, |repeats| repeats.count)).filter(|_| is_its()).collect();
        Share { runs, repeats }
    }

    fn compute(&self, study: &Study, log: &Log, threads: usize) -> Result<(PartLog, PartResults), Failure> {
        let workloads = Workloads::of(study, log).map_err(Failure::input)?;
        let waits = Mutex::new(BTreeMap::new());
        let keep = |run: &Run, _: &RunReport, Ended { workload, schedule }: &Ended| {
            if run.scheduler.goes_by_site() {
                // no thread panics while holding the lock
                waits.lock().unwrap().insert(run.id(), GroupedWaits::of(workload, schedule, Grouping::User));
            }
        };
        let watch = OnTerminal::new();
        let runs: Vec<Run> = self.runs.iter().map(|(_, run)| run.clone()).collect();
        let RunsEnded { finished, mut failed } = run_all(study, &runs, &workloads, threads, &watch, keep)?;
        for failed in &mut failed {
            failed.place = self.runs[failed.place].0;
            say(&format!("packfair: {} failed: {}", failed.run.short_id(), failed.reason));
        }
        let place_of = |run: &Run| self.runs.iter().find(|(_, other)| other == run).map_or(0, |(place, _)| *place);
        let reports = finished.into_iter().map(|finished| {
            if let Some(why) = &finished.no_fair_starts {
                say(&format!("packfair: {}: {why}", finished.report.run.short_id()));
            }
            // without the time that it took, the report is the same wherever it is made
            (place_of(&finished.report.run), RunReport { wall_s: 0.0, ..finished.report })
        });
        let reports = reports.collect();
        let repeated = repeat_all(study, log, &study.columns, &self.repeats, threads, &watch)?;
        let (repeated, failed_repeats) = match repeated {
            Some(RepeatsEnded { repeated, failed }) => (Some(repeated), failed),
            None => Default::default(),
        };
        let known = PartLog {
            study: study.clone(),
            summary: Summary::of(workloads.first()),
            account: workloads.first().account.in_short(log.records_read()),
            to_do: to_do(&study.runs(), workloads.first()),
        };
        // no thread panics while holding the lock
        let waits = waits.into_inner().unwrap();
        Ok((known, PartResults { reports, failed, repeated, failed_repeats, waits }))
    }
}
