//! `packfair explore`.

use super::args::{ExploreArguments, ExploreFormat};
use super::load::source_of;
use super::watch::{OnTerminal, Step, Watch};
use super::{Failure, load, pool, print, say};
use packfair_base::machine::WhatIf;
use packfair_engine::metric::{Measure, Metric};
use packfair_study::explore::{ExploreQuestion, Findings, OtherMachine, PartValues, QuestionFault, Search, StepValues};
use packfair_study::format::whole;
use packfair_study::{Effects, GroupedWaits, Rules, Run, Source, Study, Treatment, Unmeasured, explore, measured};
use packfair_workload::{Log, Resampling, Workload};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// The exit code that shells use for an interrupted program.
const INTERRUPTED: i32 = 130;

/// Set when the program is interrupted; it then reports what it has found.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A part of the log, and the waits on it that losses of groups are measured against.
struct MeasuredPart<'a> {
    workload: &'a Workload,
    before: Vec<GroupedWaits>,
}

/// The conditions under which runs are measured, and the number of threads.
struct Lab<'a> {
    rules: Rules,
    measure: Measure,
    threads: usize,
    watch: &'a dyn Watch,
}

/// The watch of the command line: an interruption stops the search, and what is known by then is told.
struct Interruptions(OnTerminal);

impl Watch for Interruptions {
    fn come(&self, step: &Step) {
        self.0.come(step);
    }

    fn ended(&self) {
        self.0.ended();
    }

    fn is_stopped(&self) -> bool {
        IS_INTERRUPTED.load(Ordering::Relaxed)
    }

    fn goes_on(&self) {
        IS_INTERRUPTED.store(false, Ordering::Relaxed);
    }
}

/// Searches for non-dominated settings.
pub(super) fn explore(arguments: &ExploreArguments) -> Result<(), Failure> {
    arguments.question().check().map_err(Failure::input)?;
    let log = match (&arguments.traces[..], &arguments.study) {
        ([], Some(path)) => match load::study(path)?.source {
            Source::Generated(generated) => generated.generate(),
            Source::Trace { name, .. } => return Err(load::log_missing(&name)),
        },
        (traces, _) => load::logs(traces, arguments.limits.limits(), &[])?,
    };
    answer_interruptions();
    let begin = Instant::now();
    let findings = of_log(arguments, log, &Interruptions(OnTerminal::new()))?;
    if arguments.timing {
        let took = begin.elapsed().as_secs_f64();
        say(&format!("{took:>9.4} s  search of {} settings", whole(findings.tried as i64)));
        if let Some(mib) = pool::most_memory() {
            say(&format!("{mib:>9.1} MiB  peak memory"));
        }
    }
    print(&match arguments.format {
        ExploreFormat::Table => explore::table(&findings),
        ExploreFormat::Csv => explore::csv(&findings),
        ExploreFormat::Json => explore::json(&findings),
    })
}

/// What is found of what the arguments ask of a log.
pub(super) fn of_log(arguments: &ExploreArguments, mut log: Log, watch: &dyn Watch) -> Result<Findings, Failure> {
    let question = arguments.question();
    question.check().map_err(Failure::input)?;
    arguments.site.read(&mut log)?;
    let mut study = match &arguments.study {
        Some(path) => {
            let mut study = load::study(path)?;
            load::put_on(&mut study, &log);
            study
        }
        None => Study::on(source_of(&log)),
    };
    if let Some(site) = &log.site {
        study.treatment.site.clone_from(&site.files);
    }
    arguments.settings.set(&mut study, &log)?;
    arguments.machine.set(&mut study.treatment)?;
    arguments.machine.set_series(&mut study.measure, &log)?;
    let workload = study.treatment.apply(&log).map_err(Failure::input)?;
    let [first, select, last] =
        [question.choosing(), question.selecting(), question.confirming()].map(|part| part.of(&workload));
    if first.is_empty() || select.is_empty() || last.is_empty() {
        return Err(Failure::input(QuestionFault::TooFewJobs));
    }
    let threads =
        arguments.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let lab = Lab { rules: study.rules(), measure: study.measure, threads, watch };
    let mut others = Vec::with_capacity(study.what_ifs.len());
    for what_if in &study.what_ifs {
        let treatment = Treatment { what_if: Some(what_if.clone()), ..study.treatment.clone() };
        others.push((what_if, treatment.apply(&log).map_err(Failure::input)?));
    }
    let mut findings = lab.findings(question, &first, &select, last.len())?;
    lab.confirm(&mut findings, &workload);
    lab.search_again(&mut findings, &workload, arguments.searches);
    findings.machines =
        others.into_iter().map(|(what_if, workload)| lab.on_machine(&findings, what_if, &workload)).collect();
    Ok(findings)
}

impl Lab<'_> {
    /// The findings of the search; if it is interrupted, the findings so far.
    fn findings(
        &self,
        question: ExploreQuestion,
        first: &Workload,
        select: &Workload,
        last: usize,
    ) -> Result<Findings, Failure> {
        let (first, select) = (self.part(&question, first)?, self.part(&question, select)?);
        let metrics = question.metrics();
        let on = |part: &MeasuredPart<'_>| {
            let MeasuredPart { workload, before } = part;
            measured(&question.baseline, workload, self.rules, &self.measure, &metrics, before).map_err(unmeasured)
        };
        let baseline = PartValues { choose: on(&first)?, select: on(&select)? };
        let begin = Instant::now();
        let search = self.search(&question, &first, |search| {
            let (tried, took) = (search.tried(), begin.elapsed());
            self.watch.come(&Step { what: "runs", items: tried, work: tried as f64, all: question.runs, took });
        });
        self.watch.ended();
        if search.tried() < question.runs {
            let why = if self.watch.is_stopped() { "interrupted" } else { "there are no more settings" };
            say(&format!(
                "packfair: {why} after {} of {} runs",
                whole(search.tried() as i64),
                whole(question.runs as i64)
            ));
        }
        let mut findings = Findings::of(&search, baseline, [first.workload.len(), select.workload.len(), last]);
        self.watch.goes_on();
        // after another interruption, the values on the select part are missing
        self.measure_front(&mut findings, &select);
        Ok(findings)
    }

    /// The search of a question on its choose part, as far as it is not interrupted.
    fn search(&self, question: &ExploreQuestion, first: &MeasuredPart<'_>, tell: impl Fn(&Search)) -> Search {
        let mut search = Search::begin(question.clone());
        loop {
            let runs = search.propose();
            if runs.is_empty() {
                return search;
            }
            // an incomplete generation would lead to other settings
            let Some(values) = self.all(&runs, first, &question.metrics()) else { return search };
            search.take_in(values);
            tell(&search);
        }
    }

    /// Measures the settings that nothing beats on the select part.
    fn measure_front(&self, findings: &mut Findings, select: &MeasuredPart<'_>) {
        let runs: Vec<Run> = findings.front.iter().map(|member| member.run.clone()).collect();
        let judged = self.all(&runs, select, &findings.question.metrics()).unwrap_or_default();
        let aspects = findings.question.aspects().len();
        for (member, values) in findings.front.iter_mut().zip(judged) {
            member.values.select = values.unwrap_or_else(|| vec![None; aspects]);
        }
    }

    /// Searches again on drawn workloads, where something is recommended: how often does the same come out? After an
    /// interruption, what is known so far is told.
    fn search_again(&self, findings: &mut Findings, workload: &Workload, searches: u32) {
        if findings.recommended().is_none() {
            return;
        }
        let begin = Instant::now();
        for index in 0..searches {
            let question = findings.asked_again(index);
            let Ok(drawn) = Resampling::Users.workload(workload, findings.question.seed, index) else { return };
            let (all, work, took) = (searches as usize, f64::from(index), begin.elapsed());
            self.watch.come(&Step { what: "searches on drawn workloads", items: index as usize, work, all, took });
            let Some(selected) = self.selected_on(&question, &drawn) else { break };
            let whole = MeasuredPart { workload, before: Vec::new() };
            let values = match selected.map(|run| self.all(&[run], &whole, &question.minimise)) {
                None => None,
                Some(None) => break,
                Some(Some(mut values)) => values.pop().flatten(),
            };
            findings.take_again(values.as_deref());
        }
        self.watch.ended();
        self.watch.goes_on();
    }

    /// What a search on a drawn workload selects, if anything; `None` if it is interrupted, or cannot be made.
    fn selected_on(&self, question: &ExploreQuestion, drawn: &Workload) -> Option<Option<Run>> {
        let [first, select] = [question.choosing(), question.selecting()].map(|part| part.of(drawn));
        let (first, select) = (self.part(question, &first).ok()?, self.part(question, &select).ok()?);
        let on = |part: &MeasuredPart<'_>| {
            self.all(std::slice::from_ref(&question.baseline), part, &question.metrics())?.pop().flatten()
        };
        let baseline = PartValues { choose: on(&first)?, select: on(&select)? };
        let search = self.search(question, &first, |_| ());
        let mut found = Findings::of(&search, baseline, [first.workload.len(), select.workload.len(), 0]);
        self.measure_front(&mut found, &select);
        if self.watch.is_stopped() {
            return None;
        }
        Some(found.selected().map(|place| found.front[place].run.clone()))
    }

    /// Confirms the selected setting on the jobs kept for that; after an interruption, nothing is confirmed.
    fn confirm(&self, findings: &mut Findings, workload: &Workload) {
        let Some((steps, [before, after])) = findings.to_confirm(workload.site().is_some()) else { return };
        let mut came = Vec::with_capacity(steps.len());
        for step in steps {
            let part = step.part.of(workload);
            let before = step.losses.map_or(Ok(Vec::new()), |losses| losses.before(&part, self.rules));
            let part = MeasuredPart { workload: &part, before: before.unwrap_or_default() };
            let Some(values) = self.all(&step.runs, &part, &step.metrics) else { return };
            came.push(values);
        }
        findings.confirm(came, Effects::of([&before, &after], workload, self.rules, &self.measure).ok());
    }

    /// The values of the baseline and of the non-dominated settings on another machine. Interrupted values are missing.
    fn on_machine(&self, findings: &Findings, what_if: &WhatIf, workload: &Workload) -> OtherMachine {
        let question = &findings.question;
        let runs = findings.compared();
        let values = [question.choosing(), question.selecting()].map(|part| {
            let workload = part.of(workload);
            let part = self.part(question, &workload).ok();
            part.and_then(|part| self.all(&runs, &part, &question.metrics())).unwrap_or_default()
        });
        OtherMachine::of(findings, what_if.clone(), values)
    }

    /// A part of the log, with the waits that losses are measured against.
    fn part<'a>(&self, question: &ExploreQuestion, workload: &'a Workload) -> Result<MeasuredPart<'a>, Failure> {
        let before = question.losses().map_or(Ok(Vec::new()), |losses| losses.before(workload, self.rules));
        Ok(MeasuredPart { workload, before: before.map_err(|why| unmeasured(why.into()))? })
    }

    /// The values of runs on a part of the log, in order; `None` if the program is interrupted before all are known.
    fn all(&self, runs: &[Run], part: &MeasuredPart<'_>, metrics: &[Metric]) -> Option<StepValues> {
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<_>>> = runs.iter().map(|_| Mutex::new(None)).collect();
        std::thread::scope(|scope| {
            for _ in 0..self.threads.min(runs.len()) {
                scope.spawn(|| {
                    while !self.watch.is_stopped() {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(run) = runs.get(i) else { return };
                        let MeasuredPart { workload, before } = part;
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
