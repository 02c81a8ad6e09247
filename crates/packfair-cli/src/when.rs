//! `packfair when`.

mod told;

use self::told::AskedOf;
use super::args::{WhenArguments, WhenStarts, WhenceArguments};
use super::results::ProgressLine;
use super::watch::{OnTerminal, Watch};
use super::{Failure, print, say};
use packfair_schedulers::Policy;
use packfair_study::format::whole;
use packfair_study::{Rules, Run, Treatment};
use packfair_when::{
    Arrivals, BackTest, CALIBRATING_FUTURES, CannotForecast, Ensemble, FUTURES, Futures, HORIZON, History, Past,
    Question, Scene, StartSource, Trial, TriedMoments, WEEKS,
};
use packfair_workload::{Log, Queue, Seconds, Workload, read_moment};
use std::time::Instant;

struct Asked<'a> {
    arguments: &'a WhenArguments,
    question: Question,
    threads: usize,
    watch: &'a dyn Watch,
}

/// A log, the queue beside it, and how the log is to be treated.
struct Files {
    log: Log,
    queue: Option<Queue>,
    treatment: Treatment,
}

/// Forecasts when jobs start, or tries forecasts.
pub(super) fn when(arguments: &WhenArguments) -> Result<(), Failure> {
    let about = if arguments.back_test.is_some() { AskedOf::Log } else { AskedOf::Moment };
    let given = told::read(&arguments.whence, about)?;
    let begin = Instant::now();
    let text = told(arguments, given, &OnTerminal::new())?;
    if arguments.whence.timing {
        say(&format!("{:>9.4} s  forecast", begin.elapsed().as_secs_f64()));
    }
    print(&text)
}

/// The same of a log that is in memory, with the queue of the arguments, for who looks on.
pub(super) fn of_log(arguments: &WhenArguments, log: Log, watch: &dyn Watch) -> Result<String, Failure> {
    let queue = arguments.whence.queue.as_deref().map(told::queue).transpose()?;
    told(arguments, told::Given { log, queue }, watch)
}

/// The answer of what is asked of a log, in the form that the arguments name.
fn told(arguments: &WhenArguments, given: told::Given, watch: &dyn Watch) -> Result<String, Failure> {
    let WhenArguments { whence, arrivals, futures, horizon, .. } = arguments;
    let Files { log, queue, treatment } = treated(whence, given)?;
    let question = Question {
        arrivals: *arrivals,
        futures: *futures,
        horizon: Seconds::from(*horizon) * 86_400,
        ..question(whence, &log)?
    };
    let asked = Asked { arguments, question, threads: threads(whence), watch };
    match arguments.back_test {
        Some(count) => asked.back_test(&log, &treatment, count),
        None => asked.forecast(&log, queue.as_ref(), &treatment),
    }
}

fn treated(whence: &WhenceArguments, given: told::Given) -> Result<Files, Failure> {
    let told::Given { mut log, queue } = given;
    whence.site.read(&mut log)?;
    let mut treatment = whence.settings.treatment(&log)?;
    if let Some(site) = &log.site {
        treatment.site.clone_from(&site.files);
    }
    whence.machine.set(&mut treatment)?;
    Ok(Files { log, queue, treatment })
}

fn threads(whence: &WhenceArguments) -> usize {
    whence.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

fn question(whence: &WhenceArguments, log: &Log) -> Result<Question, Failure> {
    let usual = if log.site.is_some() { "slurm" } else { "easy" };
    let scheduler: Policy = match &whence.scheduler {
        Some(scheduler) => scheduler.clone(),
        None => usual.parse().map_err(Failure::input)?,
    };
    Ok(Question {
        run: Run::new(scheduler, whence.estimator.clone()),
        rules: Rules::default(),
        arrivals: Arrivals::Drawn,
        futures: FUTURES,
        seed: whence.seed,
        horizon: HORIZON,
    })
}

/// A moment as the command line names it, and the question that is asked of it.
pub(super) struct AskedMoment {
    pub(super) scene: Scene,
    pub(super) question: Question,
    pub(super) threads: usize,
    /// Whether the files of a site are there.
    pub(super) has_site: bool,
}

/// The moment that is named.
pub(super) fn moment_of(whence: &WhenceArguments) -> Result<AskedMoment, Failure> {
    let Files { log, queue, treatment } = treated(whence, told::read(whence, AskedOf::Moment)?)?;
    let question = question(whence, &log)?;
    let scene = scene(whence, &question, &log, queue.as_ref(), &treatment)?;
    Ok(AskedMoment { scene, question, threads: threads(whence), has_site: log.site.is_some() })
}

/// The moment that is asked, and what was known then. What is to be said of it is said.
fn scene(
    whence: &WhenceArguments,
    question: &Question,
    log: &Log,
    queue: Option<&Queue>,
    treatment: &Treatment,
) -> Result<Scene, Failure> {
    let scene = match queue {
        Some(queue) => {
            let at = whence.now.as_ref().map(|_| moment(whence, log)).transpose()?;
            Scene::beside(log, queue, treatment, question, at)
        }
        None => {
            let usual = if log.tells_starts() { StartSource::Logged } else { StartSource::Simulated };
            Scene::at(log, treatment, question, moment(whence, log)?, starts(whence).unwrap_or(usual))
        }
    };
    let scene = scene.map_err(|error| failure(&error))?;
    scene.notes.iter().for_each(|note| say(&format!("packfair: {note}")));
    Ok(scene)
}

fn starts(whence: &WhenceArguments) -> Option<StartSource> {
    whence.starts.map(|starts| match starts {
        WhenStarts::Logged => StartSource::Logged,
        WhenStarts::Simulated => StartSource::Simulated,
    })
}

fn moment(whence: &WhenceArguments, log: &Log) -> Result<Seconds, Failure> {
    let Some(text) = &whence.now else {
        return Err(Failure::input("say of which moment (--now TIME), or try forecasts on the log (--backtest 200)"));
    };
    read_moment(Some(&packfair_when::clock_of(log)), text)
        .map_err(|right| Failure::input(format!("--now takes {right}")))
}

impl Asked<'_> {
    fn back_test(&self, log: &Log, treatment: &Treatment, count: u32) -> Result<String, Failure> {
        let starts = starts(&self.arguments.whence).unwrap_or(StartSource::Simulated);
        if starts == StartSource::Logged && !log.tells_starts() {
            return Err(failure(&CannotForecast::NoStarts));
        }
        let submits = || log.records.iter().map(|record| record.submit);
        let (first, last) = (submits().min().unwrap_or(0), submits().max().unwrap_or(0));
        let queued = packfair_when::as_queued(log, treatment, starts);
        let (workload, note) = packfair_when::workload_at(&queued, treatment, first + (last - first) / 10, starts)
            .map_err(|error| failure(&error))?;
        note.iter().for_each(|note| say(&format!("packfair: {note}")));
        let simulated =
            packfair_when::simulated_starts(&self.question, &workload, starts).map_err(|error| failure(&error))?;
        let past = packfair_when::past_of(&workload, simulated);
        let moments = TriedMoments::of(&past, count, self.question.seed);
        if moments.all.iter().all(|&moment| moment < moments.judged_from) {
            return Err(Failure::input(
                "no job waits in the last three quarters of this log, so that there is nothing to forecast",
            ));
        }
        let history = History::of(&past);
        let trials = self.trials(&history, &past, &moments, starts, self.question.futures)?;
        told::back_test(&BackTest::of(&trials, moments.judged_from), self.arguments.format)
    }

    /// The trials at these moments, shared among the threads.
    fn trials(
        &self,
        history: &History,
        past: &Past,
        moments: &TriedMoments,
        starts: StartSource,
        count: u32,
    ) -> Result<Vec<Trial>, Failure> {
        let threads = self.threads.clamp(1, moments.all.len().max(1));
        let progress = ProgressLine::of("futures of moments before", moments.all.len() * count as usize, self.watch);
        let goes_on = || self.goes_on(&progress);
        let of_thread = |thread: usize| {
            let own: Vec<Seconds> = moments.all.iter().copied().skip(thread).step_by(threads).collect();
            let futures = Futures::new(history, &self.question, starts).watched(&goes_on);
            packfair_when::trials(&futures, past, &own, count)
        };
        let mut trials: Vec<Trial> = std::thread::scope(|scope| {
            let of_thread = &of_thread;
            let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || of_thread(thread))).collect();
            let own = of_thread(0);
            own.into_iter().chain(others.into_iter().flat_map(joined)).collect()
        });
        // of one moment they are together and in log order
        trials.sort_by_key(|trial| trial.now);
        self.unless_stopped(trials)
    }

    /// Counts a future; whether to go on with the next.
    fn goes_on(&self, progress: &ProgressLine) -> bool {
        progress.finish(1.0);
        !self.watch.is_stopped()
    }

    /// What was computed, where nobody has stopped it meanwhile.
    fn unless_stopped<T>(&self, computed: T) -> Result<T, Failure> {
        if self.watch.is_stopped() { Err(Failure::Stopped) } else { Ok(computed) }
    }

    fn forecast(&self, log: &Log, queue: Option<&Queue>, treatment: &Treatment) -> Result<String, Failure> {
        let scene = scene(&self.arguments.whence, &self.question, log, queue, treatment)?;
        let Scene { now, starts, ref workload, .. } = scene;
        let past = scene.past();
        let history = History::of(&past);
        let question = &self.what_if(workload, now)?;
        let ensemble = self.ensemble(question, &history, now, starts)?;
        if ensemble.misplaced > 0 {
            say(&format!(
                "packfair: {} of the jobs that run do not fit the machine beside the others; they wait here. Is the \
                 machine larger (--procs)?",
                whole(ensemble.misplaced as i64)
            ));
        }
        ensemble.elsewhere_said().into_iter().for_each(|note| say(&format!("packfair: {note}")));
        let moments = TriedMoments::before(&past, now, WEEKS, self.calibrating(&ensemble), self.question.seed);
        let trials = self.trials(&history, &past, &moments, starts, CALIBRATING_FUTURES)?;
        let test = BackTest::known(&trials, &moments, now);
        say(&format!("packfair: {}", BackTest::sentence(Some(&test))));
        let scale = packfair_when::known(&trials, now).scale();
        let mut forecasts = packfair_when::forecasts(&ensemble, workload, &scale, self.question.horizon);
        if starts == StartSource::Logged {
            forecasts.extend(packfair_when::impossible(&scene.seen, workload, now, self.question.horizon));
        }
        let told: Vec<packfair_when::Forecast> =
            forecasts.into_iter().filter(|forecast| self.is_asked(forecast)).collect();
        if told.is_empty()
            && let Some(job) = self.arguments.job
        {
            return Err(Failure::input(format!("job {job} does not wait at that moment")));
        }
        if self.arguments.job.is_some() {
            let of_job = self.unless_stopped(self.of_job(question, &history, &ensemble, &told))?;
            return told::of_job(&of_job, self.arguments.format);
        }
        told::forecasts(&told, self.arguments.format)
    }

    /// The question with what is tried: nodes that take no jobs.
    fn what_if(&self, workload: &Workload, now: Seconds) -> Result<Question, Failure> {
        let text = self.arguments.drain.as_deref().unwrap_or_default();
        let (question, words) = self.question.drained(workload, text, now).map_err(|error| match error {
            CannotForecast::Drain(why) if workload.site().is_none() => {
                let others = "; of another machine a table of --changes tells which are away";
                Failure::input(format!("--drain {why} (--slurm slurm.conf){others}"))
            }
            CannotForecast::Drain(why) => Failure::input(format!("--drain {why}")),
            other => failure(&other),
        })?;
        words.into_iter().for_each(|words| say(&format!("packfair: {words}")));
        Ok(question)
    }

    /// What is told of one job: who is before it, and what would help.
    fn of_job(
        &self,
        question: &Question,
        history: &History,
        ensemble: &Ensemble,
        told: &[packfair_when::Forecast],
    ) -> Vec<told::OfJob> {
        let now = ensemble.now;
        let workload = history.past().workload();
        let place = |forecast: &packfair_when::Forecast| {
            ensemble.waiting.iter().position(|&job| workload.request(job).number == forecast.job)
        };
        let of_job = |forecast: &packfair_when::Forecast| {
            let place = place(forecast)?;
            let (before, futures) = (packfair_when::before(ensemble, workload, place), 0..self.question.futures);
            let base = Futures::new(history, question, StartSource::Logged).of(&[now], &futures).pop()?;
            let help = |change: &packfair_when::Change| {
                if self.watch.is_stopped() {
                    return None;
                }
                packfair_when::help(
                    change,
                    forecast.p50,
                    &base,
                    &packfair_when::changed(history, question, change, now, &futures),
                )
            };
            let help = packfair_when::changes(workload, ensemble.waiting[place], now).iter().filter_map(help).collect();
            Some(told::OfJob { forecast: forecast.clone(), before, help })
        };
        told.iter().filter_map(of_job).collect()
    }

    fn is_asked(&self, forecast: &packfair_when::Forecast) -> bool {
        let WhenArguments { job, user, .. } = self.arguments;
        job.is_none_or(|job| job == forecast.job)
            && user.as_ref().is_none_or(|user| forecast.user.as_ref() == Some(user))
    }

    /// At how many moments forecasts are tried to calibrate today's: few where the queue is long.
    fn calibrating(&self, ensemble: &Ensemble) -> u32 {
        let fitting = packfair_when::calibrating(ensemble.waiting.len());
        self.arguments.calibrate.unwrap_or(fitting)
    }

    /// The futures of the moment, shared among the threads.
    fn ensemble(
        &self,
        question: &Question,
        history: &History,
        now: Seconds,
        starts: StartSource,
    ) -> Result<Ensemble, Failure> {
        let count = self.question.futures;
        let threads = (self.threads as u32).clamp(1, count.max(1));
        let progress = ProgressLine::of("futures", count as usize, self.watch);
        let goes_on = || self.goes_on(&progress);
        let of_thread = |thread: u32| {
            let range = count * thread / threads..count * (thread + 1) / threads;
            let futures = Futures::new(history, question, starts).watched(&goes_on);
            futures.of(&[now], &range).pop().unwrap_or_default()
        };
        let ensemble = std::thread::scope(|scope| {
            let of_thread = &of_thread;
            let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || of_thread(thread))).collect();
            let mut all = of_thread(0);
            others.into_iter().map(joined).for_each(|more| all.extend(more));
            all
        });
        self.unless_stopped(ensemble)
    }
}

pub(super) fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What stands in the way of a forecast, with the options that help.
fn failure(error: &CannotForecast) -> Failure {
    let hint = match error {
        CannotForecast::NoStarts => " (--starts=simulated)",
        CannotForecast::NoMoment => " (--now TIME, or --queue FILE)",
        CannotForecast::Reacting => " (leave out --feedback)",
        _ => "",
    };
    Failure::input(format!("{error}{hint}"))
}
