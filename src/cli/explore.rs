//! `packfair explore`.

use super::args::{ExploreArguments, ExploreFormat};
use super::load::source_of;
use super::{Failure, load, peak, print, say};
use crate::explore::{self, ExploreQuestion, Findings, OtherMachine, PartValues, QuestionFault, Search, StepValues};
use crate::machine::WhatIf;
use crate::metric::{Measure, Metric};
use crate::study::format::{duration, whole};
use crate::study::{Effects, GroupedWaits, Rules, Run, Study, Treatment, Unmeasured, measured};
use crate::workload::Workload;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// The exit code that shells use for an interrupted program.
const INTERRUPTED: i32 = 130;

/// Set when the program is interrupted; it then reports what it has found.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A part of the log, and the waits on it that losses of groups are measured against.
struct Part<'a> {
    workload: &'a Workload,
    before: Vec<GroupedWaits>,
}

/// The conditions under which runs are measured, and the number of threads.
struct Lab {
    rules: Rules,
    measure: Measure,
    threads: usize,
}

/// Searches for non-dominated settings.
pub(super) fn explore(arguments: &ExploreArguments) -> Result<(), Failure> {
    let question = arguments.question();
    question.check().map_err(Failure::input)?;
    let mut log = load::logs(&arguments.traces, arguments.limits.limits(), &[])?;
    arguments.site.read(&mut log)?;
    let mut study = Study::on(source_of(&log));
    if let Some(site) = &log.site {
        study.treatment.site.clone_from(&site.files);
    }
    arguments.settings.set(&mut study, &log)?;
    arguments.machine.set(&mut study.treatment)?;
    arguments.machine.set_series(&mut study.measure, &log)?;
    let workload = study.treatment.apply(&log).map_err(Failure::input)?;
    let [first, rest, last] =
        [question.choosing(), question.judging(), question.confirming()].map(|part| part.of(&workload));
    if first.is_empty() || rest.is_empty() || last.is_empty() {
        return Err(Failure::input(QuestionFault::TooFewJobs));
    }
    let threads =
        arguments.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let lab = Lab { rules: study.rules(), measure: study.measure, threads };
    let mut others = Vec::with_capacity(study.what_ifs.len());
    for what_if in &study.what_ifs {
        let treatment = Treatment { what_if: Some(what_if.clone()), ..study.treatment.clone() };
        others.push((what_if, treatment.apply(&log).map_err(Failure::input)?));
    }
    let begin = Instant::now();
    let mut findings = lab.findings(question, &first, &rest, last.len())?;
    lab.confirm(&mut findings, &workload);
    findings.machines =
        others.into_iter().map(|(what_if, workload)| lab.on_machine(&findings, what_if, &workload)).collect();
    if arguments.timing {
        let took = begin.elapsed().as_secs_f64();
        say(&format!("{took:>9.4} s  search of {} settings", whole(findings.tried as i64)));
        if let Some(mib) = peak::memory() {
            say(&format!("{mib:>9.1} MiB  peak memory"));
        }
    }
    print(&match arguments.format {
        ExploreFormat::Table => explore::table(&findings),
        ExploreFormat::Csv => explore::csv(&findings),
        ExploreFormat::Json => explore::json(&findings),
    })
}

impl Lab {
    /// The findings of the search; if it is interrupted, the findings so far.
    fn findings(
        &self,
        question: ExploreQuestion,
        first: &Workload,
        rest: &Workload,
        last: usize,
    ) -> Result<Findings, Failure> {
        answer_interruptions();
        let (first, rest) = (self.part(&question, first)?, self.part(&question, rest)?);
        let metrics = question.metrics();
        let on = |part: &Part<'_>| {
            let Part { workload, before } = part;
            measured(&question.baseline, workload, self.rules, &self.measure, &metrics, before).map_err(unmeasured)
        };
        let baseline = PartValues { chosen: on(&first)?, rest: on(&rest)? };
        let progress = Progress::of(question.runs);
        let mut search = Search::begin(question.clone());
        loop {
            let runs = search.propose();
            if runs.is_empty() {
                break;
            }
            // an incomplete generation would lead to other settings
            let Some(values) = self.all(&runs, &first, &question.metrics()) else { break };
            search.take_in(values);
            progress.tell(&search);
        }
        progress.end();
        if search.tried() < question.runs {
            let why = if IS_INTERRUPTED.load(Ordering::Relaxed) { "interrupted" } else { "there are no more settings" };
            say(&format!(
                "packfair: {why} after {} of {} runs",
                whole(search.tried() as i64),
                whole(question.runs as i64)
            ));
        }
        let mut findings = Findings::of(&search, baseline, [first.workload.len(), rest.workload.len(), last]);
        IS_INTERRUPTED.store(false, Ordering::Relaxed);
        let runs: Vec<Run> = findings.front.iter().map(|member| member.run.clone()).collect();
        // after another interruption, the values on the rest are missing
        let judged = self.all(&runs, &rest, &question.metrics()).unwrap_or_default();
        for (member, values) in findings.front.iter_mut().zip(judged) {
            member.values.rest = values.unwrap_or_else(|| vec![None; question.aspects().len()]);
        }
        Ok(findings)
    }

    /// Confirms the selected setting on the jobs kept for that; after an interruption, nothing is confirmed.
    fn confirm(&self, findings: &mut Findings, workload: &Workload) {
        let Some((steps, [before, after])) = findings.to_confirm(workload.site().is_some()) else { return };
        let mut came = Vec::with_capacity(steps.len());
        for step in steps {
            let part = step.part.of(workload);
            let before = step.losses.map_or(Ok(Vec::new()), |losses| losses.before(&part, self.rules));
            let part = Part { workload: &part, before: before.unwrap_or_default() };
            let Some(values) = self.all(&step.runs, &part, &step.metrics) else { return };
            came.push(values);
        }
        findings.confirm(came, Effects::of([&before, &after], workload, self.rules, &self.measure).ok());
    }

    /// The values of the baseline and of the non-dominated settings on another machine. Interrupted values are missing.
    fn on_machine(&self, findings: &Findings, what_if: &WhatIf, workload: &Workload) -> OtherMachine {
        let question = &findings.question;
        let runs = findings.compared();
        let values = [question.choosing(), question.judging()].map(|part| {
            let workload = part.of(workload);
            let part = self.part(question, &workload).ok();
            part.and_then(|part| self.all(&runs, &part, &question.metrics())).unwrap_or_default()
        });
        OtherMachine::of(findings, what_if.clone(), values)
    }

    /// A part of the log, with the waits that losses are measured against.
    fn part<'a>(&self, question: &ExploreQuestion, workload: &'a Workload) -> Result<Part<'a>, Failure> {
        let before = question.losses().map_or(Ok(Vec::new()), |losses| losses.before(workload, self.rules));
        Ok(Part { workload, before: before.map_err(|why| unmeasured(why.into()))? })
    }

    /// The values of runs on a part of the log, in order; `None` if the program is interrupted before all are known.
    fn all(&self, runs: &[Run], part: &Part<'_>, metrics: &[Metric]) -> Option<StepValues> {
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<_>>> = runs.iter().map(|_| Mutex::new(None)).collect();
        std::thread::scope(|scope| {
            for _ in 0..self.threads.min(runs.len()) {
                scope.spawn(|| {
                    while !IS_INTERRUPTED.load(Ordering::Relaxed) {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(run) = runs.get(i) else { return };
                        let Part { workload, before } = part;
                        let values = measured(run, workload, self.rules, &self.measure, metrics, before).ok();
                        // only this thread locks this element, so no thread can have panicked while holding the lock
                        *results[i].lock().unwrap() = Some(values);
                    }
                });
            }
        });
        // no thread panics while holding a lock
        results.into_iter().map(|result| result.into_inner().unwrap()).collect()
    }
}

fn unmeasured(why: Unmeasured) -> Failure {
    Failure::Input(format!("the baseline cannot be measured: {why}"))
}

/// Makes the first interruption end the search and report what is known; the second ends the program.
fn answer_interruptions() {
    let answer = || {
        if IS_INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    };
    // if the handler cannot be set, an interruption ends the program at once
    let _ = ctrlc::set_handler(answer);
}

/// Shows the progress of the search on a terminal.
struct Progress {
    runs: usize,
    begin: Instant,
    is_told: bool,
}

impl Progress {
    fn of(runs: usize) -> Self {
        Progress { runs, begin: Instant::now(), is_told: io::stderr().is_terminal() }
    }

    fn tell(&self, search: &Search) {
        if self.is_told {
            let tried = search.tried();
            let left = self.begin.elapsed().as_secs_f64() / tried as f64 * (self.runs - tried) as f64;
            let front = search.front().len();
            // if standard error is closed, nothing is lost
            let _ = write!(
                io::stderr(),
                "\r{} of {} runs, {front} settings unbeaten, {} left   ",
                whole(tried as i64),
                whole(self.runs as i64),
                duration(left)
            );
        }
    }

    fn end(&self) {
        if self.is_told {
            let _ = write!(io::stderr(), "\r{:60}\r", "");
        }
    }
}
