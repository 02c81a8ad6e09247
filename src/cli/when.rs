//! `packfair when`.

mod snapshot;
mod told;

use super::args::{WhenArguments, WhenStarts};
use super::{Failure, print, say};
use crate::scheduler::Policy;
use crate::study::format::{duration, whole};
use crate::study::{Rules, Run, Treatment};
use crate::when::{self, Arrivals, BackTest, Ensemble, Futures, History, Later, Past, Question, Trial, TriedMoments};
use crate::workload::{Clock, InitialJobs, Log, Queue, Seconds, Workload, read_moment};
use std::time::Instant;

/// Over how long before a moment forecasts are tried, seconds.
const WEEKS: Seconds = 8 * 7 * 86_400;

/// The futures of a forecast that only calibrates others.
const CALIBRATING_FUTURES: u32 = 60;

struct Asked<'a> {
    arguments: &'a WhenArguments,
    question: Question,
    threads: usize,
}

/// Forecasts when jobs start, or tries forecasts.
pub(super) fn when(arguments: &WhenArguments) -> Result<(), Failure> {
    let snapshot::Given { mut log, queue } = snapshot::read(arguments)?;
    arguments.site.read(&mut log)?;
    let mut treatment = arguments.settings.treatment(&log)?;
    if let Some(site) = &log.site {
        treatment.site.clone_from(&site.files);
    }
    arguments.machine.set(&mut treatment)?;
    let begin = Instant::now();
    let threads =
        arguments.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let asked = Asked { arguments, question: question(arguments, &log)?, threads };
    let text = match arguments.back_test {
        Some(count) => asked.back_test(&log, &treatment, count),
        None => asked.forecast(log, queue.as_ref(), &treatment),
    }?;
    if arguments.timing {
        say(&format!("{:>9.4} s  forecast", begin.elapsed().as_secs_f64()));
    }
    print(&text)
}

fn question(arguments: &WhenArguments, log: &Log) -> Result<Question, Failure> {
    let usual = if log.site.is_some() { "slurm" } else { "easy" };
    let scheduler: Policy = match &arguments.scheduler {
        Some(scheduler) => scheduler.clone(),
        None => usual.parse().map_err(Failure::input)?,
    };
    Ok(Question {
        run: Run::new(scheduler, arguments.estimator.clone()),
        rules: Rules::default(),
        arrivals: arguments.arrivals,
        futures: arguments.futures,
        seed: arguments.seed,
        horizon: Seconds::from(arguments.horizon) * 86_400,
    })
}

/// The workload of a log, in which nothing is known that nobody can know at `until`.
fn workload_of(log: &Log, treatment: &Treatment, until: Seconds, is_simulated: bool) -> Result<Workload, Failure> {
    // as logged, jobs from before the log's first moment ran as they did
    let initial = if is_simulated { treatment.initial } else { Some(InitialJobs::Ordinary) };
    let treatment = Treatment { initial, ..treatment.clone() };
    let mut workload = treatment.apply(log).map_err(Failure::input)?;
    if let Some((count, limit)) = when::without_run_times(&mut workload, log, until) {
        say(&format!(
            "packfair: {} of {} jobs have no requested time; each counts as asking for {}",
            whole(count as i64),
            whole(workload.len() as i64),
            duration(limit as f64)
        ));
    }
    Ok(workload)
}

/// Who ran and waited: as the log tells it, or as the asked scheduler would have had it.
fn past_of<'a>(question: &Question, workload: &'a Workload, is_simulated: bool) -> Result<Past<'a>, Failure> {
    if !is_simulated {
        return Ok(Past::as_logged(workload));
    }
    let simulation = question.run.simulation(workload, question.rules);
    let simulation = simulation.ok_or_else(|| Failure::input("the scheduler cannot run on this log"))?;
    Ok(Past::new(workload, simulation.finish().starts))
}

impl Asked<'_> {
    fn back_test(&self, log: &Log, treatment: &Treatment, count: u32) -> Result<String, Failure> {
        let is_simulated = self.arguments.starts != Some(WhenStarts::Logged);
        if !is_simulated && !log.tells_starts() {
            return Err(no_starts());
        }
        let submits = || log.records.iter().map(|record| record.submit);
        let (first, last) = (submits().min().unwrap_or(0), submits().max().unwrap_or(0));
        let workload = workload_of(log, treatment, first + (last - first) / 10, is_simulated)?;
        self.question.check(&workload).map_err(Failure::input)?;
        let past = past_of(&self.question, &workload, is_simulated)?;
        let moments = TriedMoments::of(&past, count, self.question.seed);
        if moments.all.iter().all(|&moment| moment < moments.judged_from) {
            return Err(Failure::input(
                "no job waits in the last three quarters of this log, so that there is nothing to forecast",
            ));
        }
        let history = History::of(&past);
        let trials = self.trials(&history, &past, &moments, is_simulated, self.question.futures);
        told::back_test(&BackTest::of(&trials, moments.judged_from), self.arguments.format)
    }

    /// The trials at these moments, shared among the threads.
    fn trials(
        &self,
        history: &History,
        past: &Past,
        moments: &TriedMoments,
        is_simulated: bool,
        count: u32,
    ) -> Vec<Trial> {
        let threads = self.threads.clamp(1, moments.all.len().max(1));
        let of_thread = |thread: usize| {
            let own: Vec<Seconds> = moments.all.iter().copied().skip(thread).step_by(threads).collect();
            let futures = Futures::new(history, &self.question, is_simulated);
            when::trials(&futures, past, &own, count)
        };
        let mut trials: Vec<Trial> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || of_thread(thread))).collect();
            let own = of_thread(0);
            own.into_iter().chain(others.into_iter().flat_map(joined)).collect()
        });
        // of one moment they are together and in log order
        trials.sort_by_key(|trial| trial.now);
        trials
    }

    /// The log as it looked at the moment that is asked, the moment, and whether a simulation tells who ran.
    fn seen(&self, log: Log, queue: Option<&Queue>) -> Result<(Log, Seconds, bool), Failure> {
        let later = if self.question.arrivals == Arrivals::Again { Later::Submitted } else { Later::Unknown };
        if let Some(queue) = queue {
            let at = self.arguments.now.as_ref().map(|_| self.moment(&log)).transpose()?;
            let now = at.or_else(|| queue.moment(&log)).ok_or_else(|| {
                Failure::input("nothing in the queue tells of which moment it is: say so with --now TIME")
            })?;
            let joined = queue.beside(when::cut(&log, now, later), &log, now);
            joined.notes.iter().for_each(|note| say(&format!("packfair: {note}")));
            return Ok((joined.log, now, false));
        }
        let now = self.moment(&log)?;
        let is_simulated = match self.arguments.starts {
            Some(starts) => starts == WhenStarts::Simulated,
            None => !log.tells_starts(),
        };
        if !is_simulated && !log.tells_starts() {
            return Err(no_starts());
        }
        // a simulation of the past needs to know how long jobs ran that had ended in the log only later
        let seen = if is_simulated { when::without_later(&log, now, later) } else { when::cut(&log, now, later) };
        Ok((seen, now, is_simulated))
    }

    fn forecast(&self, log: Log, queue: Option<&Queue>, treatment: &Treatment) -> Result<String, Failure> {
        let (seen, now, is_simulated) = self.seen(log, queue)?;
        let workload = workload_of(&seen, treatment, now, is_simulated)?;
        self.question.check(&workload).map_err(Failure::input)?;
        let past = past_of(&self.question, &workload, is_simulated)?;
        let history = History::of(&past);
        if history.started(now) == 0 {
            say("packfair: no job had started by then, so that run times are drawn up to the requested times");
        }
        let (waiting, most) = (past.present(now).1.len(), self.question.most_waiting());
        if waiting > most && !is_simulated {
            say(&format!(
                "packfair: {} jobs wait, of which the first {} are looked at: {} plans for each of them in every \
                 round; easy looks at all",
                whole(waiting as i64),
                whole(most as i64),
                self.question.run.scheduler.name()
            ));
        }
        let ensemble = self.ensemble(&history, now, is_simulated);
        if ensemble.misplaced > 0 {
            say(&format!(
                "packfair: {} of the jobs that run do not fit the machine beside the others; they wait here. Is the \
                 machine larger (--procs)?",
                whole(ensemble.misplaced as i64)
            ));
        }
        let moments = TriedMoments::before(&past, now, WEEKS, self.calibrating(&ensemble), self.question.seed);
        let trials = self.trials(&history, &past, &moments, is_simulated, CALIBRATING_FUTURES);
        say(&told::before(&BackTest::known(&trials, &moments, now)));
        let scale = when::known(&trials, now).scale();
        let mut forecasts = when::forecasts(&ensemble, &workload, &scale, self.question.horizon);
        if !is_simulated {
            forecasts.extend(when::impossible(&seen, &workload, now, self.question.horizon));
        }
        let told: Vec<when::Forecast> = forecasts.into_iter().filter(|forecast| self.is_asked(forecast)).collect();
        if told.is_empty()
            && let Some(job) = self.arguments.job
        {
            return Err(Failure::input(format!("job {job} does not wait at that moment")));
        }
        if self.arguments.job.is_some() {
            let of_job = self.of_job(&history, &ensemble, &told, now);
            return told::of_job(&of_job, self.arguments.format);
        }
        told::forecasts(&told, self.arguments.format)
    }

    /// What is told of one job: who is before it, and what would help.
    fn of_job(
        &self,
        history: &History,
        ensemble: &Ensemble,
        told: &[when::Forecast],
        now: Seconds,
    ) -> Vec<told::OfJob> {
        let workload = history.past().workload();
        let place = |forecast: &when::Forecast| {
            ensemble.waiting.iter().position(|&job| workload.request(job).number == forecast.job)
        };
        let of_job = |forecast: &when::Forecast| {
            let place = place(forecast)?;
            let (before, futures) = (when::before(ensemble, workload, place), 0..self.question.futures);
            let base = Futures::new(history, &self.question, false).of(&[now], &futures).pop()?;
            let help = |change: &when::Change| {
                when::help(change, &base, &when::changed(history, &self.question, change, now, &futures))
            };
            let help = when::changes(workload, ensemble.waiting[place]).iter().filter_map(help).collect();
            Some(told::OfJob { forecast: forecast.clone(), before, help })
        };
        told.iter().filter_map(of_job).collect()
    }

    fn is_asked(&self, forecast: &when::Forecast) -> bool {
        let WhenArguments { job, user, .. } = self.arguments;
        job.is_none_or(|job| job == forecast.job)
            && user.as_ref().is_none_or(|user| forecast.user.as_ref() == Some(user))
    }

    fn moment(&self, log: &Log) -> Result<Seconds, Failure> {
        let submits = || log.records.iter().map(|record| record.submit);
        let clock = Clock::of(&log.header, submits().min().unwrap_or(0), submits().max().unwrap_or(0));
        let Some(text) = &self.arguments.now else {
            return Err(Failure::input(
                "say of which moment (--now TIME), or try forecasts on the log (--backtest 200)",
            ));
        };
        read_moment(Some(&clock), text).map_err(|right| Failure::input(format!("--now takes {right}")))
    }

    /// At how many moments forecasts are tried to calibrate today's: few where the queue is long.
    fn calibrating(&self, ensemble: &Ensemble) -> u32 {
        let fitting = (60_000 / ensemble.waiting.len().max(1)).clamp(6, 60) as u32;
        self.arguments.calibrate.unwrap_or(fitting)
    }

    /// The futures of the moment, shared among the threads.
    fn ensemble(&self, history: &History, now: Seconds, is_simulated: bool) -> Ensemble {
        let (count, threads) = (self.question.futures, self.threads as u32);
        let of_thread = |thread: u32| {
            let range = count * thread / threads..count * (thread + 1) / threads;
            let futures = Futures::new(history, &self.question, is_simulated);
            futures.of(&[now], &range).pop().unwrap_or_default()
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || of_thread(thread))).collect();
            let mut all = of_thread(0);
            others.into_iter().map(joined).for_each(|more| all.extend(more));
            all
        })
    }
}

fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn no_starts() -> Failure {
    Failure::input("the log does not tell when its jobs started: take --starts simulated")
}
