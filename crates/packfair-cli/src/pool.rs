//! Makes runs on all processors, and returns their results in order.

use super::results::ProgressLine;
use super::watch::Watch;
use packfair_engine::metric::Evaluation;
use packfair_engine::model::{FairStarts, Printed, Schedule};
use packfair_study::table::FailedRun;
use packfair_study::{CannotRun, Ended, NoFairStarts, Run, RunReport, Running, Study, Workloads, fair_start_search};
use packfair_workload::Workload;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The number of jobs whose fair start times a thread computes at a time: few enough that all threads end at about the
/// same time.
const FAIR_AT_A_TIME: usize = 256;

/// The most instants that are simulated between two looks at how far a run has come.
const STRIDE: usize = 4_096;

/// The time between two looks that is aimed at: whoever stops a run does not want to wait.
const LOOKS: Duration = Duration::from_millis(40);

/// The result of a run.
pub(super) struct Finished {
    pub(super) report: RunReport,
    /// How long the simulation took.
    pub(super) simulated: Duration,
    /// How long fair start times took; zero if they were not asked for.
    pub(super) made_fair: Duration,
    /// How long the metrics took.
    pub(super) measured: Duration,
    /// How long the curves of charts took.
    pub(super) made_curves: Duration,
    /// What the scheduler has printed, if it is a user's script.
    pub(super) printed: Printed,
    /// Why there are no fair start times although they were asked for.
    pub(super) no_fair_starts: Option<NoFairStarts>,
}

pub(super) struct RunsEnded {
    pub(super) finished: Vec<Finished>,
    /// The runs that failed by a mistake of Packfair's own or in a user's script.
    pub(super) failed: Vec<FailedRun>,
}

/// Makes all runs of `study` on its workloads, on several threads, and passes each report and schedule to `keep`, on the
/// thread that made it.
///
/// # Errors
/// The log does not contain the schedule that is asked for, or the watch has stopped the runs; then no further run is
/// started.
pub(super) fn run_all(
    study: &Study,
    runs: &[Run],
    workloads: &Workloads,
    threads: usize,
    watch: &dyn Watch,
    keep: impl Fn(&Run, &RunReport, &Ended) + Sync,
) -> Result<RunsEnded, CannotRun> {
    let at_a_time = threads.min(runs.len()).max(1);
    let progress = ProgressLine::of("runs", runs.len(), watch);
    let one = |run: &Run| {
        let counted = Cell::new(0.0);
        let come = |part: f64| {
            progress.advance(part - counted.replace(part));
            !watch.is_stopped()
        };
        let (finished, ended) = simulate(run, study, workloads.of_run(run), threads / at_a_time, come)?;
        keep(run, &finished.report, &ended);
        progress.finish(1.0 - counted.get());
        Ok(finished)
    };
    let mut ended = each(runs, at_a_time, one)?;
    for failed in &mut ended.failed {
        failed.shrink = workloads.of_run(&failed.run).shrunk();
    }
    Ok(ended)
}

/// The outcome of an attempt at a run: a result, the reason why it cannot be made, or a mistake of Packfair's own.
type Attempt = Result<Result<Finished, CannotRun>, Mistake>;

/// Makes all these runs by calling `one`, `at_a_time` of them at the same time.
fn each(
    runs: &[Run],
    at_a_time: usize,
    one: impl Fn(&Run) -> Result<Finished, CannotRun> + Sync,
) -> Result<RunsEnded, CannotRun> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<Attempt>>> = runs.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..at_a_time {
            scope.spawn(|| {
                // each thread takes the next run that no thread has taken
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(run) = runs.get(i) else { return };
                    let result = guarded(|| one(run));
                    if matches!(&result, Ok(Err(cannot)) if !cannot.is_of_one_run()) {
                        next.store(runs.len(), Ordering::Relaxed);
                    }
                    // only this thread locks this element
                    *results[i].lock().unwrap() = Some(result);
                }
            });
        }
    });
    let mut ended = RunsEnded { finished: Vec::new(), failed: Vec::new() };
    for (place, (run, result)) in runs.iter().zip(results).enumerate() {
        // no thread panics while holding the lock
        match result.into_inner().unwrap() {
            Some(Ok(Ok(finished))) => ended.finished.push(finished),
            Some(Ok(Err(cannot))) if cannot.is_of_one_run() => {
                ended.failed.push(FailedRun { run: run.clone(), place, shrink: 1.0, reason: cannot.to_string() });
            }
            Some(Ok(Err(cannot))) => return Err(cannot),
            Some(Err(mistake)) => {
                ended.failed.push(FailedRun { run: run.clone(), place, shrink: 1.0, reason: mistake.to_string() });
            }
            // runs after one that cannot be made are not started
            None => {}
        }
    }
    Ok(ended)
}

/// Advances a run to the end of its simulation. `come` is told now and then which fraction of it is done, and says
/// whether to go on.
///
/// # Errors
/// The run was stopped.
pub(super) fn advance(running: &mut Running<'_>, come: impl Fn(f64) -> bool) -> Result<(), CannotRun> {
    let mut stride = 64;
    loop {
        let begin = Instant::now();
        let progress = running.advance(stride);
        if progress.is_done() {
            return Ok(());
        }
        if !come(progress.completed as f64 / progress.jobs as f64) {
            return Err(CannotRun::Stopped);
        }
        stride = if begin.elapsed() > LOOKS { (stride / 2).max(1) } else { (2 * stride).min(STRIDE) };
    }
}

/// Makes one run, on several threads where they help. `come` is as for [`advance`].
///
/// # Errors
/// The log does not contain the schedule that is asked for, or the run was stopped.
pub(super) fn simulate<'a>(
    run: &Run,
    study: &Study,
    workload: &'a Workload,
    threads: usize,
    come: impl Fn(f64) -> bool,
) -> Result<(Finished, Ended<'a>), CannotRun> {
    let begin = Instant::now();
    let mut running = Running::begin(run, workload, study.rules())?;
    advance(&mut running, come)?;
    let simulated = begin.elapsed();
    let printed = running.printed();
    let Ended { workload, mut schedule } = running.ended()?;
    let (mut made_fair, mut no_fair_starts) = (Duration::ZERO, None);
    if study.asks_for_fair_starts() {
        let begin = Instant::now();
        match fair_starts(run, study, &workload, &schedule, threads) {
            Ok(fair) => schedule.fair = Some(fair),
            Err(why) => no_fair_starts = Some(why),
        }
        made_fair = begin.elapsed();
    }
    let begin = Instant::now();
    let evaluation = Evaluation::new(&workload, &schedule, &study.measure);
    let mut report = RunReport::without_curves(run.clone(), &workload, &schedule, &evaluation, simulated.as_secs_f64());
    let measured = begin.elapsed();
    report.curves = evaluation.curves();
    let made_curves = begin.elapsed() - measured;
    drop(evaluation);
    let finished = Finished { report, simulated, made_fair, measured, made_curves, printed, no_fair_starts };
    Ok((finished, Ended { workload, schedule }))
}

/// Computes the fair start times of all jobs, on several threads. Each thread simulates the run once.
fn fair_starts(
    run: &Run,
    study: &Study,
    workload: &Workload,
    schedule: &Schedule,
    threads: usize,
) -> Result<FairStarts, NoFairStarts> {
    run.check_fair_starts()?;
    let parts = workload.len().div_ceil(FAIR_AT_A_TIME);
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    let results: Vec<Mutex<FairStarts>> = (0..parts).map(|_| Mutex::default()).collect();
    std::thread::scope(|scope| {
        let search = || {
            // this cannot be refused: it was checked before
            let Ok(mut search) = fair_start_search(run, workload, study.rules(), schedule) else { return };
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(result) = results.get(i) else {
                    // no thread panics while holding the lock
                    let mut failure = failure.lock().unwrap();
                    *failure = failure.take().or_else(|| search.failure());
                    return;
                };
                let first = i * FAIR_AT_A_TIME;
                let fair = search.of(first..(first + FAIR_AT_A_TIME).min(workload.len()));
                // only this thread locks this element
                *result.lock().unwrap() = fair;
            }
        };
        let threads: Vec<_> = (0..threads.clamp(1, parts.max(1))).map(|_| scope.spawn(search)).collect();
        for thread in threads {
            if let Err(thrown) = thread.join() {
                // passes the panic on, so that the caller can report it
                resume_unwind(thrown);
            }
        }
    });
    // no thread panics while holding the lock
    if let Some(failure) = failure.into_inner().unwrap() {
        return Err(NoFairStarts::Mistaken(failure));
    }
    let mut all = FairStarts::default();
    for result in results {
        // no thread panics while holding the lock
        all.append(result.into_inner().unwrap());
    }
    Ok(all)
}

// Work that may end by a mistake of Packfair's own: the mistake is reported, and all other work goes on.

/// The error of work that ended by a mistake of Packfair's own; contains the message of the panic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a mistake of Packfair's own ({0}); please report it, with the lines above and the log")]
pub(super) struct Mistake(String);

/// Does work that is independent of all other work: state that it leaves half done is dropped with it, or is behind a
/// lock that reports the panic.
///
/// # Errors
/// The work panics. By then, the place in the code has been written to standard error.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Mistake> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|thrown| Mistake(said(&*thrown)))
}

/// The message of a panic.
fn said(thrown: &(dyn Any + Send)) -> String {
    let text = thrown.downcast_ref::<String>().map(String::as_str).or_else(|| thrown.downcast_ref::<&str>().copied());
    text.unwrap_or("it says no more").to_owned()
}

// The peak memory of the process.

/// The most memory that the process has held at a time, MiB; `None` if the system does not tell.
pub(super) fn most_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_one_run_leaves_the_others_their_results() {
        let mut study = Study::first_visit();
        study.schedulers = ["fcfs", "easy", "saf-justbf"].map(|id| id.parse().unwrap()).into();
        study.methods.truncate(1);
        let packfair_study::Source::Generated(generated) = &study.source else { panic!("it is generated") };
        let workload = study.treatment.apply(&generated.generate()).unwrap();
        let one = |run: &Run| {
            assert!(run.scheduler.to_string() != "easy", "easy fails here");
            Ok(simulate(run, &study, &workload, 1, |_| true)?.0)
        };
        for at_a_time in [1, 3] {
            let ended = each(&study.runs(), at_a_time, one).unwrap();
            let finished: Vec<String> = ended.finished.iter().map(|run| run.report.run.scheduler.to_string()).collect();
            assert_eq!(finished, ["fcfs", "saf-justbf"]);
            assert_eq!(ended.failed.len(), 1);
            assert_eq!(ended.failed[0].place, 1);
            assert!(ended.failed[0].reason.contains("easy fails here"), "{}", ended.failed[0].reason);
        }
    }
}

#[cfg(test)]
mod guarded_tests {
    use super::*;

    #[test]
    fn a_mistake_is_told_and_what_goes_well_is_given() {
        assert_eq!(guarded(|| 3), Ok(3));
        let jobs: Vec<u32> = Vec::new();
        assert!(guarded(|| jobs[0]).unwrap_err().to_string().contains("index out of bounds"));
        assert!(guarded(|| panic!("of job {}", 7)).unwrap_err().to_string().contains("(of job 7)"));
        assert!(guarded(|| std::panic::panic_any(3)).unwrap_err().to_string().contains("(it says no more)"));
    }
}
