//! `packfair run` and `packfair study`.

use super::args::{OutputArguments, RunArguments, StartsForm, StudyArguments};
use super::asked::study_of;
use super::charted::ChartFiles;
use super::charted::Starts;
use super::load::better_fit;
use super::pool::{Finished, RunsEnded, run_all};
use super::repeating::repeat_all;
use super::results::{Collected, Printout};
use super::watch::OnTerminal;
use super::{Failure, load, machine, pool, print, results, say, spread};
use packfair_base::catalogue::NamedFile;
use packfair_engine::classifier::evaluation::shares;
use packfair_engine::estimator::Method;
use packfair_engine::metric::{Grouping, Metric};
use packfair_engine::model::{Printed, Schedule};
use packfair_papers::printed::{Facts, PrintedComparison, PrintedTable};
use packfair_papers::recipe::Recipe;
use packfair_study::check::Problem;
use packfair_study::format::{duration, whole};
use packfair_study::table::FailedRun;
use packfair_study::{
    CannotRun, Ended, GroupedWaits, NeededFile, Run, RunReport, SiteFit, Source, Study, Verification, Workloads,
    advice, claiming, compare_with_plain, export, fitted, verify,
};
use packfair_workload::{External, Log, Summary, Workload, write_swf};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The largest number of records that are kept while schedulers run: of a larger log they take more memory than what is
/// tried with them is worth, a better fit.
const MOST_KEPT: usize = 1_000_000;

/// The largest number of faults of a schedule that are listed.
const FAULTS_TOLD: usize = 20;

/// Simulates the runs that the arguments describe.
pub(super) fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let limits = arguments.limits.limits();
    let (mut log, parsing) = timed(|| load::logs(&arguments.traces, limits, &arguments.mapped()))?;
    let files = arguments.external.read(&mut log, limits)?;
    arguments.site.read(&mut log)?;
    let study = checked(study_of(arguments, &log, &files)?)?;
    // forms for programs contain all metrics, unless columns are given
    let columns = if arguments.metrics().is_empty() { Vec::new() } else { study.columns.clone() };
    let recipe = arguments.recipe.map(|recipe| (recipe, arguments.take_for));
    perform(&study, log, parsing, &columns, recipe, &arguments.output)
}

pub(super) fn study(arguments: &StudyArguments) -> Result<(), Failure> {
    let mut study = load::study(&arguments.study)?;
    if let Some(part) = arguments.part.part {
        let logs = match (&arguments.traces[..], &study.source) {
            ([], Source::Generated(generated)) => vec![generated.generate()],
            ([], Source::Trace { name, .. }) => return Err(load::log_missing(name)),
            (traces, _) => {
                let each = traces.iter().map(|trace| load::log(trace, arguments.limits.limits()));
                each.collect::<Result<Vec<_>, _>>()?
            }
        };
        let logs = with_files(arguments, &study, logs)?;
        let study = checked(study)?;
        check_baseline(&study)?;
        return spread::compute(arguments, part, &study, &logs, threads(&arguments.output));
    }
    let (mut log, parsing) = match (&arguments.traces[..], &study.source) {
        ([trace], _) => {
            let (log, parsing) = timed(|| load::log(trace, arguments.limits.limits()))?;
            load::put_on(&mut study, &log);
            (log, parsing)
        }
        ([], Source::Generated(generated)) => timed(|| Ok(generated.generate()))?,
        ([], Source::Trace { name, .. }) => return Err(load::log_missing(name)),
        _ => {
            return Err(Failure::input(
                "several logs need --part; each is then a workload of its own. --part 1/1 computes all of it",
            ));
        }
    };
    arguments.external.read(&mut log, arguments.limits.limits())?;
    arguments.site.read(&mut log)?;
    check_files(&study, std::slice::from_ref(&log))?;
    let study = checked(study)?;
    let columns = study.columns.clone();
    perform(&study, log, parsing, &columns, None, &arguments.output)
}

fn with_files(arguments: &StudyArguments, study: &Study, mut logs: Vec<Log>) -> Result<Vec<Log>, Failure> {
    for log in &mut logs {
        arguments.external.read(log, arguments.limits.limits())?;
        arguments.site.read(log)?;
    }
    check_files(study, &logs)?;
    Ok(logs)
}

/// Checks that every file which the study needs is given.
fn check_files(study: &Study, logs: &[Log]) -> Result<(), Failure> {
    let is_here = |needed: &NeededFile| {
        let is_it =
            |external: &External| external.kind() == needed.kind && external.file.digest() == needed.file.digest();
        let is_of_site = |log: &Log| {
            let is_same = |file: &NamedFile| file.digest() == needed.file.digest();
            log.site.as_ref().is_some_and(|site| site.files.iter().any(is_same))
        };
        logs.iter().all(|log| log.external.iter().any(is_it) || is_of_site(log))
    };
    match study.needed_files().into_iter().find(|needed| !is_here(needed)) {
        Some(NeededFile { file, kind }) => Err(CannotRun::NoFile { file, kind }.into()),
        None => Ok(()),
    }
}

pub(super) fn threads(output: &OutputArguments) -> usize {
    output.jobs.map_or_else(all_processors, usize::from)
}

/// Runs `study` on `log` and prints its results. If `recipe` made the study, also prints the paper's numbers for the
/// log that this one is or is taken for.
fn perform(
    study: &Study,
    mut log: Log,
    parsing: Duration,
    columns: &[Metric],
    recipe: Option<(&Recipe, Option<&'static str>)>,
    output: &OutputArguments,
) -> Result<(), Failure> {
    check_baseline(study)?;
    let (workloads, cleaning) = timed(|| Workloads::of(study, &log).map_err(Failure::input))?;
    tell_before(study, &log, workloads.first());
    let (jobs, account) = (log.records.len(), workloads.first().account.in_short(log.records_read()));
    let is_written = output.starts_as.contains(&StartsForm::Swf);
    let is_kept = jobs <= MOST_KEPT || study.repeats.is_some() || output.starts.is_some() && is_written;
    if !is_kept {
        log.records = Vec::new();
    }
    let log = log;
    let starts = Starts::of(study, output.starts.as_deref())?;
    starts.answer_interruptions();
    let collected = Collected::of(study, output);
    let charted = ChartFiles::of(study, output)?;
    let wrong = AtomicUsize::new(0);
    let waits = Mutex::new(BTreeMap::new());
    let runs = study.runs();
    let fitted = fitted(&runs).filter(|_| output.site_fit);
    let site_fit = Mutex::new(None);
    let keep = |run: &Run, _: &RunReport, Ended { workload, schedule }: &Ended| {
        if output.check && !is_right(run, study, workload, schedule) {
            wrong.fetch_add(1, Ordering::Relaxed);
        }
        collected.add(run, workload, schedule);
        if run.scheduler.goes_by_site() {
            // no thread panics while holding the lock
            waits.lock().unwrap().insert(run.id(), GroupedWaits::of(workload, schedule, Grouping::User));
            if fitted == Some(run) {
                *site_fit.lock().unwrap() = SiteFit::of(run, workload, schedule, &study.measure);
            }
        }
        charted.add(run, workload, schedule);
        starts.keep(run, || schedule_files(&output.starts_as, &log, workload, schedule))
    };
    let (threads, watch) = (threads(output), OnTerminal::new());
    let begin = Instant::now();
    let RunsEnded { finished, failed } = run_all(study, &runs, &workloads, threads, &watch, keep)?;
    if output.timing {
        tell_times(workloads.first(), parsing, cleaning, &finished, begin.elapsed());
    }
    tell_after(&finished, &failed, &workloads);
    let reports: Vec<RunReport> = finished.into_iter().map(|run| run.report).collect();
    let (mut failed_repeats, mut values) = (0, None);
    if !(output.format.is_for_programs() && collected.is_asked_for()) {
        let columns = results::columns(study, &reports, columns, output.format);
        let repeats: Vec<u32> = (0..study.repeats.map_or(0, |repeats| repeats.count)).collect();
        let begin = Instant::now();
        let repeated = repeat_all(study, &log, &columns, &repeats, threads, &watch)?;
        if output.timing && repeated.is_some() {
            say(&format!("{:>9.4} s  all repeats", begin.elapsed().as_secs_f64()));
        }
        failed_repeats = repeated.as_ref().map_or(0, |ended| ended.failed.len());
        values = repeated.map(|ended| ended.repeated);
        // no thread panics while holding the lock
        let (waits, site_fit) = (waits.into_inner().unwrap(), site_fit.into_inner().unwrap());
        // beside what a paper prints, how near its schedulers come to what some cluster did says nothing
        let tells_fit = recipe.is_none() || !claiming(study, &reports).is_empty();
        let printout = Printout {
            study,
            summary: &Summary::of(workloads.first()),
            account,
            reports: &reports,
            failed: &failed,
            repeated: values.as_ref(),
            tells_fit,
            waits: &waits,
            to_do: &machine::to_do(&runs, workloads.first()),
            site_fit: site_fit.as_ref(),
        };
        print(&printout.text(&columns, output.matters, output.format))?;
        if tells_fit
            && is_kept
            && !output.format.is_for_programs()
            && let Some(offer) = better_fit(study, &log, workloads.first(), &reports, threads)
        {
            say(&format!("packfair: {} ({})", offer.text, offer.remedy.options()));
        }
    }
    if collected.is_asked_for() {
        print(&collected.render(workloads.first()))?;
    }
    charted.write(recipe.map(|(recipe, _)| recipe), workloads.first(), &reports, values.as_ref())?;
    if let Some((recipe, taken_for)) = recipe
        && let Some(table) = PrintedTable::of_recipe(recipe.entry.id)
    {
        match beside_printed(recipe, taken_for, study, (workloads.first(), jobs), &reports) {
            Some(comparison) => print(&results::beside_printed(&comparison, output.format))?,
            None => say(&format!("packfair: {}", results::not_printed(table, taken_for))),
        }
    }
    starts.check()?;
    match wrong.into_inner() {
        0 if failed.len() + failed_repeats == 0 => Ok(()),
        0 => Err(Failure::Failed { failed: failed.len().max(failed_repeats), runs: failed.len() + reports.len() }),
        wrong => Err(Failure::Wrong { wrong, runs: reports.len() }),
    }
}

/// Reports what is to be known of a study's log and machine before its results are read.
pub(super) fn tell_before(study: &Study, log: &Log, workload: &Workload) {
    let summary = Summary::of(workload);
    if advice::asks_for_more(study) {
        let lacking = advice::lacking(&summary, study);
        lacking.iter().for_each(|lacking| say(&format!("packfair: {lacking}")));
    }
    if let Some(why) = advice::requested_times(&summary, &study.methods)
        && study.runs().iter().any(|run| run.estimate.method == Method::requested())
    {
        say(&format!("packfair: {why}"));
    }
    let (account, records) = (&workload.account, log.records_read());
    if account.jobs_of(records) < records {
        say(&format!("packfair: {}", account.in_short(records)));
    }
    log.account.doubts(log.records.len()).for_each(|doubt| say(&format!("packfair: {doubt}")));
    if let Some(both) = summary.both_utilisations(&log.account) {
        say(&format!("packfair: utilisation as logged: {}", both.in_words()));
    }
    if let Some(uncounted) = summary.uncounted_in_words() {
        let begin = if summary.counted() > 0 { "not counted: " } else { "" };
        say(&format!("packfair: {begin}{uncounted}"));
    }
    if workload.cluster().is_some() {
        let left_out = workload.account.entries().iter().filter(|line| line.reason.is_of_machine());
        left_out.for_each(|line| say(&format!("packfair: {line}")));
    }
}

/// Reports what is to be known of runs that have ended.
pub(super) fn tell_after(finished: &[Finished], failed: &[FailedRun], workloads: &Workloads) {
    for failed in failed {
        say(&format!("packfair: {} failed: {}", failed.run.short_id(), failed.reason));
    }
    for run in finished {
        tell_of_run(run, workloads.of_run(&run.report.run));
    }
}

/// Says what a person should know of a run that has ended well.
pub(super) fn tell_of_run(Finished { report, printed, no_fair_starts, .. }: &Finished, workload: &Workload) {
    let name = report.run.short_id();
    tell_printed(&report.run, printed);
    if let Some(why) = no_fair_starts {
        say(&format!("packfair: {name}: {why}"));
    }
    if let Some(late) = advice::late_jobs(report, workload) {
        say(&format!("packfair: {name}: {late}"));
    }
    if let Some(saturation) = &report.saturation {
        say(&format!("packfair: {name}: {saturation}."));
    }
    if let Some(overfull) = &report.overfull {
        let of_machine = overfull.in_unit(workload.counting().unit);
        say(&format!("packfair: {name}: {of_machine} (--procs {}).", overfull.used));
    }
}

/// Reports what a user's script has printed.
fn tell_printed(run: &Run, printed: &Printed) {
    for line in &printed.lines {
        say(&format!("{}, {} s: {}", run.scheduler.name(), line.at, line.text));
    }
    if printed.others > 0 {
        say(&format!("{}: and {} more lines", run.scheduler.name(), printed.others));
    }
}

/// The files of a schedule in these forms, with the endings of their names.
fn schedule_files(
    forms: &[StartsForm],
    log: &Log,
    workload: &Workload,
    schedule: &Schedule,
) -> Vec<(&'static str, Vec<u8>)> {
    let file = |form: &StartsForm| match form {
        StartsForm::Starts => (".csv", export::starts(workload, schedule)),
        StartsForm::Jobs => ("_jobs.csv", export::batsim_jobs(workload, schedule)),
        StartsForm::Swf => {
            let mut text = Vec::new();
            // writing into memory cannot fail
            write_swf(&mut text, log, workload, Some(&schedule.starts)).unwrap();
            (".swf", text)
        }
    };
    let killed = export::killed(workload, schedule).map(|text| ("_killed.csv", text));
    forms.iter().map(file).chain(killed).collect()
}

/// Compares the results of `study` with those that the paper of `recipe` prints, if it prints some of this log.
pub(super) fn beside_printed(
    recipe: &Recipe,
    taken_for: Option<&'static str>,
    study: &Study,
    (workload, records): (&Workload, usize),
    reports: &[RunReport],
) -> Option<PrintedComparison> {
    let facts = Facts { taken_for, ..Facts::of(workload, records) };
    let has_shares = PrintedTable::of_recipe(recipe.entry.id).is_some_and(PrintedTable::has_shares);
    let shares = has_shares.then(|| shares(workload)).flatten();
    PrintedComparison::of(recipe, study, &facts, shares.as_ref(), reports)
}

/// Checks a schedule and reports the faults. Returns whether it is correct.
fn is_right(run: &Run, study: &Study, workload: &Workload, schedule: &Schedule) -> bool {
    let Verification { rules, faults } = verify(run, study.rules(), workload, schedule);
    let told = |text: String| say(&format!("packfair: {}: {text}", run.short_id()));
    if faults.is_empty() {
        told(format!("valid: {}", rules.join("; ")));
    }
    let more = faults.len().saturating_sub(FAULTS_TOLD);
    faults.iter().take(FAULTS_TOLD).cloned().for_each(told);
    if more > 0 {
        told(format!("and {more} more faults"));
    }
    let comparison = compare_with_plain(run, study.rules(), workload, schedule);
    told(comparison.as_ref().map_or_else(ToString::to_string, ToString::to_string));
    faults.is_empty() && comparison.map_or(true, |comparison| comparison.is_equal())
}

/// The study, if it can be run.
pub(super) fn checked(study: Study) -> Result<Study, Failure> {
    let words = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    study.checked().map_err(|problems| Failure::Input(words(problems)))
}

/// Checks that every run's baseline is in the study.
pub(super) fn check_baseline(study: &Study) -> Result<(), Failure> {
    let runs = study.runs();
    let missing = runs.iter().filter_map(|run| study.baseline_of(run)).find(|baseline| !runs.contains(baseline));
    missing.map_or(Ok(()), |run| {
        let Run { scheduler, estimate, .. } = run;
        Err(Failure::Input(format!(
            "the baseline {scheduler} with {estimate} is not among the runs; add it to them, or give another baseline, \
             or none"
        )))
    })
}

pub(super) fn all_processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn timed<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<(T, Duration), Failure> {
    let begin = Instant::now();
    let done = work()?;
    Ok((done, begin.elapsed()))
}

fn tell_times(workload: &Workload, parsing: Duration, cleaning: Duration, finished: &[Finished], all: Duration) {
    let seconds = |time: Duration| format!("{:>9.4} s", time.as_secs_f64());
    say(&format!("{}  parse", seconds(parsing)));
    say(&format!("{}  clean: {} jobs", seconds(cleaning), whole(workload.len() as i64)));
    for run in finished {
        say(&format!("{}  simulate {}", seconds(run.simulated), run.report.run.short_id()));
        if run.made_fair > Duration::ZERO {
            say(&format!("{}  fair     {}", seconds(run.made_fair), run.report.run.short_id()));
        }
        say(&format!("{}  measure  {}", seconds(run.measured), run.report.run.short_id()));
        say(&format!("{}  curves   {}", seconds(run.made_curves), run.report.run.short_id()));
    }
    say(&format!("{}  all runs, {} elapsed", seconds(all), duration(all.as_secs_f64())));
    if let Some(mib) = pool::most_memory() {
        say(&format!("{mib:>9.1} MiB  peak memory"));
    }
}
