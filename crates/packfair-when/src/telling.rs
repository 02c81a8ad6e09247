//! All that is told of a moment, step by step, so that whoever waits for it sees how far it has come, sees the first
//! bands soon, and may stop it.

use super::back_test::{BackTest, Trial, TriedMoments, known, trials};
use super::band::{Calibration, Scale};
use super::course::MachineCourse;
use super::forecast::{Before, Forecast, before, fan, forecasts, impossible};
use super::futures::{Ensemble, Futures};
use super::help::{Help, changed, changes, help};
use super::past::{Arrivals, History, WEEK};
use super::question::{CannotForecast, FUTURES, HORIZON, Question};
use super::scene::{Scene, StartSource, clock_of};
use packfair_study::{Rules, Run};
use packfair_workload::{Clock, JobId, Seconds};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Over how long before a moment forecasts are tried, seconds.
pub const WEEKS: Seconds = 8 * WEEK;

/// The futures of a forecast that only calibrates others.
pub const CALIBRATING_FUTURES: u32 = 60;

/// The futures in which the machine is followed, and in which what would help is tried.
const FOLLOWED: u32 = 40;
const HELPING: u32 = 60;

/// The futures after which the first bands are told.
const FIRST: u32 = 20;

/// The futures of one step.
const STEP: u32 = 10;

/// The most jobs before another that are told.
const MOST_BEFORE: usize = 20;

/// At how many moments forecasts are tried to calibrate those of so many waiting jobs: few where the queue is long.
pub fn calibrating(waiting: usize) -> u32 {
    (60_000 / waiting.max(1)).clamp(6, 60) as u32
}

/// What is asked of a log: of which moment, and how its futures are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhenAsked {
    /// The scheduler and its estimates.
    pub run: Run,
    /// The rules of the run.
    pub rules: Rules,
    /// The moment as a person writes it; empty: that of the queue or, without one, one at which many wait.
    pub now: String,
    /// The nodes that are drained, as a person writes it (`20@18:00`); empty: none.
    #[serde(default)]
    pub drain: String,
    /// How many futures are drawn.
    pub futures: u32,
    /// The seed of the draws.
    pub seed: u64,
}

impl WhenAsked {
    /// The usual question to a run.
    pub fn of(run: Run, rules: Rules) -> Self {
        WhenAsked { run, rules, now: String::new(), drain: String::new(), futures: FUTURES, seed: 1 }
    }

    /// The question as the engine takes it, without what is drained.
    pub fn question(&self) -> Question {
        Question {
            run: self.run.clone(),
            rules: self.rules,
            arrivals: Arrivals::Drawn,
            futures: self.futures.clamp(2, 10_000),
            seed: self.seed,
            horizon: HORIZON,
        }
    }
}

/// Where who ran and who waited comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Whence {
    /// A list of the queue as it is.
    Queue,
    /// The starts that the log tells.
    Log,
    /// A simulation from the beginning of the log.
    Simulation,
}

/// All that is told of the queue at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhenTold {
    /// What was asked.
    pub asked: WhenAsked,
    /// The moment, on the log's clock.
    pub now: Seconds,
    /// How the log's clock reads.
    pub clock: Clock,
    /// The first and the last submission of the log.
    pub span: (Seconds, Seconds),
    /// Where who runs and who waits is from.
    pub whence: Whence,
    /// What a person should know: sentences.
    pub notes: Vec<String>,
    /// How many futures this rests on so far.
    pub futures: u32,
    /// How the forecasts of the weeks before came out, once it is known.
    pub test: Option<BackTest>,
    /// How many jobs run.
    pub running: usize,
    /// One forecast for each waiting job.
    pub forecasts: Vec<Forecast>,
    /// What becomes of the machine.
    pub course: MachineCourse,
}

/// What is told of one waiting job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobTold {
    /// The number of the job in the log.
    pub job: i64,
    /// The points before which it starts with a probability of 0, 5, ... 100 %, seconds from now.
    pub fan: Vec<Seconds>,
    /// Who starts before it in most futures, the first of them.
    pub before: Vec<Before>,
    /// How many there are.
    pub all_before: usize,
    /// What changes of its request would gain.
    pub help: Vec<Help>,
    /// In how many futures what would help was tried.
    pub futures: u32,
}

/// Who waits for what is told.
pub trait ForecastWatch {
    /// Hears how far it has come, from 0 to 1, and what is known so far where that has changed.
    fn hear(&mut self, share: f64, told: Option<&WhenTold>);

    /// Lets others work. Returns whether it is still wanted.
    fn goes_on(&mut self) -> impl Future<Output = bool>;
}

/// A forecast under way or at its end: from it questions about single jobs are answered.
pub struct QueueForecast {
    scene: Scene,
    /// The question with what is drained. The forecasts of the weeks before are without it.
    question: Question,
    ensemble: Ensemble,
    scale: Scale,
    told: WhenTold,
}

impl QueueForecast {
    /// What is known of a moment before any future is drawn.
    ///
    /// # Errors
    /// What is to be drained cannot be.
    pub fn new(
        scene: Scene,
        asked: &WhenAsked,
        log: &packfair_workload::Log,
        whence: Whence,
    ) -> Result<Self, CannotForecast> {
        let (question, drained) = asked.question().drained(&scene.workload, &asked.drain, scene.now)?;
        let submits = || log.records.iter().map(|record| record.submit);
        let told = WhenTold {
            asked: asked.clone(),
            now: scene.now,
            clock: clock_of(log),
            span: (submits().min().unwrap_or(scene.now), submits().max().unwrap_or(scene.now)),
            whence,
            notes: drained.into_iter().chain(scene.notes.iter().cloned()).collect(),
            futures: 0,
            test: None,
            running: scene.past().present(scene.now).0.len(),
            forecasts: Vec::new(),
            course: MachineCourse::default(),
        };
        let scale = Calibration::default().scale();
        Ok(QueueForecast { scene, question, ensemble: Ensemble::default(), scale, told })
    }

    /// What is told.
    pub fn told(&self) -> &WhenTold {
        &self.told
    }

    /// Draws all futures, and tries forecasts of the weeks before. Returns whether it came to its end.
    pub async fn run(&mut self, watch: &mut impl ForecastWatch) -> bool {
        let QueueForecast { scene, question, ensemble, scale, told } = self;
        let (past, now) = (scene.past(), scene.now);
        let history = History::of(&past);
        let usual = told.asked.question();
        let futures = Futures::new(&history, question, scene.starts);
        let before = Futures::new(&history, &usual, scene.starts);
        let relives = scene.starts == StartSource::Simulated && !question.is_memoryless(&scene.workload);
        // where the whole past is lived through again for each step, there are few
        let step = if relives { question.futures } else { STEP };
        let waiting = past.present(now).1.len();
        let moments = if relives { 6 } else { calibrating(waiting) };
        let all = f64::from(question.futures) + f64::from(FOLLOWED) + f64::from(moments * CALIBRATING_FUTURES) * 1.3;
        let mut done = 0.0;
        let mut at = 0;
        while at < question.futures {
            let until = (at + if at == 0 { FIRST.max(STEP) } else { step }).min(question.futures);
            let more = futures.of(&[now], &(at..until)).pop().unwrap_or_default();
            if at == 0 {
                *ensemble = more
            } else {
                ensemble.extend(more)
            }
            done += f64::from(until - at);
            let is_first = at == 0;
            at = until;
            if is_first || at == question.futures {
                tell(scene, question, ensemble, scale, told, at);
            }
            watch.hear(done / all, (is_first || at == question.futures).then_some(&*told));
            if !watch.goes_on().await {
                return false;
            }
        }
        if ensemble.misplaced > 0 {
            told.notes.push(format!(
                "{} of the jobs that run do not fit the machine beside the others; they wait here. Is the machine larger?",
                packfair_study::format::whole(ensemble.misplaced as i64)
            ));
        }
        told.notes.extend(ensemble.elsewhere_said());
        let tried = TriedMoments::before(&past, now, WEEKS, moments, question.seed);
        let mut all_trials: Vec<Trial> = Vec::new();
        for &moment in &tried.all {
            all_trials.extend(trials(&before, &past, &[moment], CALIBRATING_FUTURES));
            done += f64::from(CALIBRATING_FUTURES);
            watch.hear((done / all).min(0.99), None);
            if !watch.goes_on().await {
                return false;
            }
        }
        *scale = known(&all_trials, now).scale();
        let test = BackTest::known(&all_trials, &tried, now);
        told.test = Some(test).filter(|test| test.predictions > 0);
        tell(scene, question, ensemble, scale, told, question.futures);
        watch.hear((done / all).min(0.99), Some(&*told));
        let mut lived = Vec::new();
        for future in 0..FOLLOWED.min(question.futures) {
            lived.extend(futures.course(now, future));
            done += 1.0;
            watch.hear((done / all).min(0.99), None);
            if !watch.goes_on().await {
                return false;
            }
        }
        told.course = MachineCourse::of(&lived, scene.workload.machine.processors);
        watch.hear(1.0, Some(&*told));
        true
    }

    /// What is told of one waiting job; `None` where it does not wait, or nobody waits for the answer any more.
    pub async fn of_job(&self, number: i64, watch: &mut impl ForecastWatch) -> Option<JobTold> {
        let QueueForecast { scene, question, ensemble, scale, told: all_told } = self;
        let workload = &scene.workload;
        let start = all_told.forecasts.iter().find(|forecast| forecast.job == number)?.p50;
        let is_it = |&job: &JobId| workload.request(job).number == number;
        let place = ensemble.waiting.iter().position(is_it)?;
        let job = ensemble.waiting[place];
        let all = before(ensemble, workload, place);
        let mut told = JobTold {
            job: number,
            fan: fan(&ensemble.starts[place], scale, question.horizon),
            all_before: all.len(),
            before: all.into_iter().take(MOST_BEFORE).collect(),
            help: Vec::new(),
            futures: HELPING.min(question.futures),
        };
        let (past, now, futures) = (scene.past(), scene.now, 0..told.futures);
        let history = History::of(&past);
        let changes = changes(workload, job, now);
        let steps = (changes.len() + 1) as f64;
        // queue of now as it is, of which the changes are changes
        let base = self
            .in_steps(
                &futures,
                |few| Futures::new(&history, question, StartSource::Logged).of(&[now], few).pop(),
                (0.0, steps),
                watch,
            )
            .await?;
        for (place, change) in changes.iter().enumerate() {
            let of = |few: &Range<u32>| Some(changed(&history, question, change, now, few));
            let after = self.in_steps(&futures, of, (place as f64 + 1.0, steps), watch).await?;
            told.help.extend(help(change, start, &base, &after));
        }
        Some(told)
    }

    /// The futures of a question, some at a time.
    async fn in_steps(
        &self,
        futures: &Range<u32>,
        of: impl Fn(&Range<u32>) -> Option<Ensemble>,
        (before, steps): (f64, f64),
        watch: &mut impl ForecastWatch,
    ) -> Option<Ensemble> {
        let mut all: Option<Ensemble> = None;
        let mut at = futures.start;
        while at < futures.end {
            let until = (at + STEP).min(futures.end);
            let more = of(&(at..until))?;
            match &mut all {
                Some(all) => all.extend(more),
                None => all = Some(more),
            }
            at = until;
            watch.hear((before + f64::from(at) / f64::from(futures.end)) / steps, None);
            if !watch.goes_on().await {
                return None;
            }
        }
        all
    }
}

/// Makes forecasts of the futures so far.
fn tell(scene: &Scene, question: &Question, ensemble: &Ensemble, scale: &Scale, told: &mut WhenTold, futures: u32) {
    told.futures = futures;
    told.forecasts = forecasts(ensemble, &scene.workload, scale, question.horizon);
    if scene.starts == StartSource::Logged {
        told.forecasts.extend(impossible(&scene.seen, &scene.workload, scene.now, question.horizon));
    }
}

impl BackTest {
    /// One line on how true the forecasts of the weeks before were.
    pub fn sentence(test: Option<&BackTest>) -> String {
        let Some(test) = test.filter(|test| test.predictions > 0) else {
            return "nobody waited in the weeks before, so that nothing tells how true these forecasts are".to_owned();
        };
        let duration = packfair_study::format::duration;
        format!(
            "at {} earlier moments, up to 8 weeks before, {:.0} % of {} starts fell into the band; median error {}, that \
             of the limits {}",
            test.moments,
            100.0 * test.coverage_80,
            packfair_study::format::whole(test.predictions as i64),
            duration(test.median_error_s),
            duration(test.limits_median_error_s)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WhenLink;
    use packfair_study::Treatment;
    use packfair_workload::lublin;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// Notes what it hears, and goes on for so many steps.
    #[derive(Default)]
    struct Listener {
        shares: Vec<f64>,
        /// The futures behind each answer.
        told: Vec<u32>,
        most: usize,
    }

    impl ForecastWatch for Listener {
        fn hear(&mut self, share: f64, told: Option<&WhenTold>) {
            self.shares.push(share);
            self.told.extend(told.map(|told| told.futures));
        }

        async fn goes_on(&mut self) -> bool {
            self.shares.len() < self.most
        }
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return value;
            }
        }
    }

    fn outlook(scheduler: &str) -> QueueForecast {
        let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap());
        let asked = WhenAsked { futures: 40, ..WhenAsked::of(run, Rules::default()) };
        let log = lublin(300, 32, 2);
        let scene = Scene::of(&log, None, &Treatment::default(), &asked.question(), None).unwrap();
        QueueForecast::new(scene, &asked, &log, Whence::Simulation).unwrap()
    }

    #[test]
    fn first_bands_come_soon_and_all_that_is_told_at_the_end() {
        let mut outlook = outlook("easy");
        let mut listener = Listener { most: usize::MAX, ..Listener::default() };
        assert!(block_on(outlook.run(&mut listener)));
        assert_eq!(listener.told.first(), Some(&FIRST));
        assert!(listener.shares.is_sorted() && listener.shares.last() == Some(&1.0), "{:?}", listener.shares);
        let told = outlook.told();
        assert_eq!(told.futures, 40);
        assert!(!told.forecasts.is_empty() && told.test.is_some());
        assert_eq!(told.course.queue.len(), told.course.times.len());
        let free = |band: &[f64; 3]| band.is_sorted() && band[2] <= f64::from(told.course.processors);
        assert!(told.course.free.iter().all(free), "{:?}", told.course);
        let job = told.forecasts.last().unwrap().job;
        let of_job = block_on(outlook.of_job(job, &mut listener)).unwrap();
        assert!(of_job.fan.is_sorted() && of_job.fan.len() == 21);
        assert!(of_job.help.iter().any(|help| help.what == "half the time limit"), "{of_job:?}");
        assert!(block_on(outlook.of_job(-77, &mut listener)).is_none(), "no such job waits");

        // an answer comes back from its link, of all jobs or of one, and a changed one does not
        let source = packfair_study::Source::Generated(packfair_study::Generated::FIRST_VISIT);
        for of_job in [None, Some(&of_job)] {
            let link = WhenLink::of(source.clone(), told, of_job);
            let text = link.to_text().unwrap();
            assert_eq!(WhenLink::parse(&text), Ok(link.clone()));
            assert!(WhenLink::parse(&text[..text.len() - 9]).is_err());
            assert_eq!(link.told.forecasts.len(), if of_job.is_some() { 1 } else { told.forecasts.len() });
            let mut wrong = link;
            wrong.told.forecasts[0].within_1h = 7.0;
            assert!(wrong.to_text().is_err());
        }
    }

    #[test]
    fn nodes_of_a_slurm_site_are_drained_as_a_question() {
        let conf = "ClusterName=c\nNodeName=n[1-32] CPUs=1\nPartitionName=p Nodes=ALL Default=YES\n";
        let file = packfair_slurm::SiteFile { name: "slurm.conf", content: conf.as_bytes() };
        let site = packfair_slurm::read_site(&[file], packfair_slurm::Version::default());
        let mut log = lublin(60, 32, 2);
        let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
        log.site = Some(std::sync::Arc::new(site));
        let of = |scheduler: &str, drain: &str| {
            let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap());
            let asked = WhenAsked { drain: drain.to_owned(), ..WhenAsked::of(run, Rules::default()) };
            let scene = Scene::of(&log, None, &treatment, &asked.question(), None).unwrap();
            QueueForecast::new(scene, &asked, &log, Whence::Simulation).map_err(|error| error.to_string())
        };
        let drained = of("slurm", " 20@18:00 ").unwrap();
        let said = &drained.told().notes[0];
        assert!(said.starts_with("with n[1-20]") && said.contains("drained from"), "{said}");
        assert_ne!(drained.question.run, drained.told().asked.run, "what calibrates is without it");
        assert_eq!(of("slurm", "").unwrap().question.run, drained.told().asked.run);
        let source = packfair_study::Source::Generated(packfair_study::Generated::FIRST_VISIT);
        let link = WhenLink::of(source, drained.told(), None);
        assert_eq!(WhenLink::parse(&link.to_text().unwrap()), Ok(link));
        let refused = |scheduler: &str, drain: &str| of(scheduler, drain).err().unwrap();
        assert!(
            refused("slurm", "20").starts_with("the drain takes how many nodes, or which"),
            "{}",
            refused("slurm", "20")
        );
        assert!(refused("slurm", "40@18:00").contains("takes 1 to 32 nodes"), "{}", refused("slurm", "40@18:00"));
        assert!(refused("easy", "20@18:00").contains("Slurm site"), "{}", refused("easy", "20@18:00"));
    }

    #[test]
    fn it_stops_when_nobody_wants_it_any_more() {
        let mut outlook = outlook("easy");
        let mut listener = Listener { most: 2, ..Listener::default() };
        assert!(!block_on(outlook.run(&mut listener)));
        assert_eq!(listener.shares.len(), 2);
    }

    #[test]
    fn families_that_remember_more_tell_the_same_things() {
        let mut outlook = outlook("conservative");
        let mut listener = Listener { most: usize::MAX, ..Listener::default() };
        assert!(block_on(outlook.run(&mut listener)));
        assert!(!outlook.told().forecasts.is_empty() && listener.shares.last() == Some(&1.0));
    }
}
