//! Futures of a moment: draws of what nobody knows yet, each followed by one simulation.

use super::past::{Arrivals, History, Known, Laws, Past};
use super::question::Question;
use super::scene::StartSource;
use super::stage::{Cast, Change, Coming, ENDLESS, Stage};
use packfair_base::random::Random;
use packfair_engine::model::NoteId;
use packfair_engine::simulation::{Present, Simulation};
use packfair_workload::{JobId, Seconds};
use std::ops::Range;

/// The probability with which a job runs long or short together with the other jobs of its user.
const TOGETHER: f64 = 0.5;

const MOST_INSTANTS: usize = 5_000_000;

/// The number of different arrivals for which the whole past is lived through again.
const RELIVED: u32 = 8;

/// Streams of random numbers, so that none depends on another.
const OF_USERS: u64 = 1;
const OF_JOBS: u64 = 2;
const OF_ARRIVALS: u64 = 3;
const OF_SITE: u64 = 4;

/// The futures of the jobs that wait at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ensemble {
    /// The moment.
    pub now: Seconds,
    /// The waiting jobs, as jobs of the log.
    pub waiting: Vec<JobId>,
    /// For each of them its start in each future, seconds from the moment; the horizon where it starts later.
    pub starts: Vec<Vec<Seconds>>,
    /// The start of each if all jobs took their requested times and nobody came; empty where the first of all futures is not
    /// among these.
    pub by_limits: Vec<Seconds>,
    /// Why each waits, in the words of the scheduler; none where it says nothing.
    pub reasons: Vec<Option<String>>,
    /// The processors that no job holds.
    pub free: u32,
    /// Running jobs that the machine as described has no room for.
    pub misplaced: usize,
    /// Running jobs that stand elsewhere than named: the nodes of the machine as described have no room for them.
    pub elsewhere: usize,
}

/// Called after each future; whether to go on with the next.
pub type GoesOn<'a> = &'a (dyn Fn() -> bool + Sync);

/// Draws futures.
pub struct Futures<'a> {
    pub(super) history: &'a History<'a>,
    pub(super) question: &'a Question,
    /// Whether the past is a simulation of the asked scheduler, which can be lived again.
    is_simulated: bool,
    /// A job that asks for something else than in the log.
    change: Option<&'a Change>,
    /// Who looks on, and may stop it.
    goes_on: Option<GoesOn<'a>>,
}

/// A simulation that has come to the moment, and what its jobs are.
struct Begun<'s, 'w> {
    simulation: &'s Simulation<'w>,
    /// The waiting jobs, as jobs of the simulation, in order.
    waiting: &'s [JobId],
    arriving: usize,
    /// The jobs that leave without having started, and when.
    leaving: &'s [(JobId, Seconds)],
}

impl<'a> Futures<'a> {
    /// Futures of a past that the log tells, or that is a simulation of the asked scheduler.
    pub fn new(history: &'a History<'a>, question: &'a Question, starts: StartSource) -> Self {
        Futures { history, question, is_simulated: starts == StartSource::Simulated, change: None, goes_on: None }
    }

    /// The same futures, with somebody who looks on. Once it says no, no further future is followed, and the moment at
    /// which it said so has no ensemble.
    pub fn watched(self, goes_on: GoesOn<'a>) -> Self {
        Futures { goes_on: Some(goes_on), ..self }
    }

    /// The futures of who runs and who waits alone, perhaps with a job that asks for something else.
    pub(super) fn changing(self, change: Option<&'a Change>) -> Self {
        Futures { change, is_simulated: false, ..self }
    }

    pub(super) fn past(&self) -> &'a Past<'a> {
        self.history.past()
    }

    /// The futures with these numbers, of each of the moments, which must be in order; where it is stopped, of the first
    /// of them.
    pub fn of(&self, moments: &[Seconds], futures: &Range<u32>) -> Vec<Ensemble> {
        if !self.is_simulated || self.question.arrivals == Arrivals::Drawn {
            return moments.iter().map_while(|&now| self.staged(now, futures)).collect();
        }
        let workload = self.past().workload();
        let Some(mut simulation) = self.question.run.simulation(workload, self.question.rules) else {
            return Vec::new();
        };
        let at = |&now: &Seconds| {
            simulation.live_until(now);
            self.lived(&simulation, now, futures)
        };
        moments.iter().map_while(at).collect()
    }

    /// Futures of a simulation of the whole log that has come to the moment; none where it is stopped.
    fn lived(&self, simulation: &Simulation, now: Seconds, futures: &Range<u32>) -> Option<Ensemble> {
        let past = self.past();
        let Present { running, mut waiting } = simulation.present();
        let present = waiting.clone();
        waiting.retain(|&job| !past.is_held(job, now));
        let submitted = past.submitted(now);
        let arriving = match self.question.arrivals {
            Arrivals::None => submitted,
            Arrivals::Again | Arrivals::Drawn => past.submitted(now + self.question.horizon),
        };
        let open = |of, elapsed| (of, Cast { of, elapsed, is_open: true });
        let coming = (submitted as u32..arriving as u32).map(JobId);
        let cast: Vec<(JobId, Cast)> = running
            .iter()
            .map(|&(job, start)| open(job, now - start))
            .chain(present.into_iter().map(|job| open(job, 0)))
            .chain(coming.map(|job| open(job, 0)))
            .collect();
        let mut runs = vec![ENDLESS; past.workload().len()];
        let laws = self.history.at(now);
        let begun = Begun { simulation, waiting: &waiting, arriving, leaving: &[] };
        let mut ensemble = self.ensemble(&begun, now, waiting.clone());
        if futures.start == 0 {
            self.by_limits(&begun, submitted, &cast, &mut runs, &mut ensemble);
        }
        for future in futures.clone() {
            self.draw(&laws, &cast, future, &mut runs);
            self.follow(&begun, &runs, future, &mut ensemble)?;
        }
        Some(ensemble)
    }

    /// Futures of the jobs that are there at the moment, as jobs of a workload of their own; none where it is stopped.
    fn staged(&self, now: Seconds, futures: &Range<u32>) -> Option<Ensemble> {
        let past = self.past();
        let (running, mut waiting) = past.present(now);
        waiting.truncate(self.question.most_waiting());
        let later = self.later(&mut waiting, now);
        let relives = self.is_simulated && !self.question.is_memoryless(past.workload());
        let used = if relives { Vec::new() } else { past.used_before(&running, now) };
        let laws = self.history.at(now);
        let streams = match self.question.arrivals {
            Arrivals::Drawn if relives => RELIVED,
            Arrivals::Drawn => u32::MAX,
            Arrivals::None | Arrivals::Again => 1,
        };
        let mut ensemble: Option<Ensemble> = None;
        // futures with the same arrivals follow each other
        let mut order: Vec<u32> = futures.clone().collect();
        order.sort_by_key(|future| future % streams);
        for same in order.chunk_by(|a, b| a % streams == b % streams) {
            let stream = same[0] % streams;
            let mut coming = self.coming(now, stream);
            let stage = if relives {
                Stage::relived(past, &coming, now)
            } else if let Some((was, late)) = later {
                let place = coming.partition_point(|&(_, submit)| submit <= late.1);
                coming.insert(place, late);
                Stage::of(past, &running, &waiting, &coming, now).with_usage(&used).coarsely(now).with_late(was, place)
            } else {
                Stage::of(past, &running, &waiting, &coming, now).with_usage(&used).coarsely(now).with(self.change)
            };
            let stage = if relives { stage } else { stage.with_leaving(self.question.arrivals, past) };
            let Some(simulation) = self.question.run.simulation(&stage.workload, self.question.rules) else { break };
            let mut simulation = simulation.with_runs(&stage.runs);
            if relives {
                simulation.live_until(now);
            } else {
                simulation = simulation.opening(stage.running, now);
                simulation.live_until(now - 1);
            }
            self.follow_stage(&stage, &simulation, &laws, (same, now), &mut ensemble)?;
        }
        Some(ensemble.unwrap_or_else(|| Ensemble::empty(now)))
    }

    /// Takes the changed job out of those that wait, if it is submitted later. Returns its place among them, the job, and
    /// when it is submitted.
    fn later(&self, waiting: &mut Vec<JobId>, now: Seconds) -> Option<(usize, (JobId, Seconds))> {
        let change = self.change?;
        let submit = change.later(now)?;
        let was = waiting.iter().position(|&job| job == change.job)?;
        Some((was, (waiting.remove(was), submit)))
    }

    /// Adds the futures `same` that begin from one stage; none where it is stopped.
    fn follow_stage(
        &self,
        stage: &Stage,
        simulation: &Simulation,
        laws: &Laws,
        (same, now): (&[u32], Seconds),
        ensemble: &mut Option<Ensemble>,
    ) -> Option<()> {
        let present = simulation.present();
        let (waiting, there): (Vec<JobId>, usize) = if stage.running + stage.waiting > 0 {
            let waiting = stage.running as u32..(stage.running + stage.waiting) as u32;
            let asked = waiting.chain(stage.late.map(|(_, place)| place as u32));
            (asked.map(JobId).collect(), stage.running + stage.waiting)
        } else {
            let is_free = |job: &JobId| !self.past().is_held(stage.cast[job.index()].of, now);
            (present.waiting.iter().copied().filter(is_free).collect(), self.past().submitted(now))
        };
        let begun = Begun { simulation, waiting: &waiting, arriving: stage.workload.len(), leaving: &stage.leaving };
        let cast = stage.in_order_of_draws();
        let mut runs = stage.runs.clone();
        let ensemble = match ensemble {
            Some(ensemble) => ensemble,
            None => {
                let of_log = waiting.iter().map(|job| stage.cast[job.index()].of).collect();
                let mut first = self.ensemble(&begun, now, of_log);
                first.misplaced = stage.running.saturating_sub(present.running.len());
                first.elsewhere = simulation.reported().count(NoteId::ELSEWHERE).unwrap_or(0.0) as usize;
                if same.contains(&0) {
                    self.by_limits(&begun, there, &cast, &mut runs, &mut first);
                }
                ensemble.insert(first)
            }
        };
        for &future in same {
            self.draw(laws, &cast, future, &mut runs);
            self.follow(&begun, &runs, future, ensemble)?;
        }
        Some(())
    }

    /// An ensemble without futures yet.
    fn ensemble(&self, begun: &Begun, now: Seconds, waiting: Vec<JobId>) -> Ensemble {
        let reasons = begun.waiting.iter().map(|&job| begun.simulation.reason(job)).collect();
        let starts = vec![Vec::with_capacity(self.question.futures as usize); waiting.len()];
        Ensemble { waiting, starts, reasons, free: begun.simulation.free(), ..Ensemble::empty(now) }
    }

    pub(super) fn coming(&self, now: Seconds, stream: u32) -> Coming {
        let mut random = Random::of([self.question.seed, u64::from(stream), OF_ARRIVALS, now as u64]);
        self.question.arrivals.coming(self.past(), now, self.question.horizon, &mut random)
    }

    pub(super) fn draw(&self, laws: &Laws, cast: &[(JobId, Cast)], future: u32, runs: &mut [Seconds]) {
        let Question { seed, .. } = *self.question;
        let (past, workload) = (self.past(), self.past().workload());
        let mut random = Random::of([seed, u64::from(future), OF_JOBS]);
        let mut of_users: rustc_hash::FxHashMap<i32, f64> = rustc_hash::FxHashMap::default();
        for &(place, Cast { of, elapsed, is_open }) in cast {
            if !is_open {
                continue;
            }
            let (own, together) = (random.uniform(), random.chance(TOGETHER));
            // a copy of a job that has ended runs as long as that did
            if let Known::Ran(run) = past.known(of, laws.now()) {
                runs[place.index()] = run;
                continue;
            }
            let user = workload.request(of).user;
            let of_user = || Random::of([seed, u64::from(future), OF_USERS, u64::from(user.cast_unsigned())]).uniform();
            let uniform = if together && user >= 0 { *of_users.entry(user).or_insert_with(of_user) } else { own };
            let limit =
                self.change.filter(|change| change.job == of).map_or(Seconds::MAX, |change| change.request.limit);
            runs[place.index()] = laws.draw(of, elapsed, uniform).min(limit.max(elapsed + 1));
        }
    }

    /// Adds a future; none where it is stopped.
    fn follow(&self, begun: &Begun, runs: &[Seconds], future: u32, ensemble: &mut Ensemble) -> Option<()> {
        let starts = self.starts(begun, (runs, Some(future)), begun.arriving, ensemble.now);
        ensemble.starts.iter_mut().zip(starts).for_each(|(all, start)| all.push(start));
        self.goes_on.is_none_or(|goes_on| goes_on()).then_some(())
    }

    /// The seed of what differs from run to run of a batch system, in the future with this number.
    pub(super) fn seed_of_run(&self, future: u32) -> u64 {
        Random::of([self.question.seed, u64::from(future), OF_SITE]).uniform().to_bits()
    }

    /// The start of each waiting job with these run times, seconds from the moment; in the future with this number the
    /// batch system draws anew.
    fn starts(
        &self,
        begun: &Begun,
        (runs, future): (&[Seconds], Option<u32>),
        arriving: usize,
        now: Seconds,
    ) -> Vec<Seconds> {
        let Begun { simulation, waiting, leaving, .. } = begun;
        let mut starts = vec![self.question.horizon; waiting.len()];
        let Some(mut followed) = simulation.future(runs, arriving) else { return starts };
        future.into_iter().for_each(|future| followed.redraw(self.seed_of_run(future), now));
        let mut is_asked = vec![true; waiting.len()];
        followed.follow(waiting.len(), now + self.question.horizon, MOST_INSTANTS, leaving, |job, at| {
            let Ok(place) = waiting.binary_search(&job) else { return false };
            // a job that was killed starts again
            let is_first = std::mem::take(&mut is_asked[place]);
            if is_first {
                starts[place] = at - now;
            }
            is_first
        });
        starts
    }

    /// Finds the starts that limits promise. Of the jobs of the simulation the first `there` have arrived.
    fn by_limits(
        &self,
        begun: &Begun,
        there: usize,
        cast: &[(JobId, Cast)],
        runs: &mut [Seconds],
        ensemble: &mut Ensemble,
    ) {
        for &(place, Cast { of, elapsed, is_open }) in cast {
            if is_open {
                runs[place.index()] = self.past().workload().request(of).limit.max(elapsed + 1);
            }
        }
        ensemble.by_limits = self.starts(begun, (runs, None), there, ensemble.now);
    }
}

impl Ensemble {
    /// An ensemble of a moment at which nobody waits.
    fn empty(now: Seconds) -> Self {
        Ensemble { now, ..Ensemble::default() }
    }

    /// What is to be said of running jobs that stand elsewhere than named.
    pub fn elsewhere_said(&self) -> Option<String> {
        let jobs = match self.elsewhere {
            0 => return None,
            1 => "1 running job is".to_owned(),
            some => format!("{} running jobs are", packfair_study::format::whole(some as i64)),
        };
        Some(format!(
            "{jobs} on nodes that have no room for all who run there, and placed where Slurm would place them"
        ))
    }

    /// Adds further futures of the same moment.
    pub fn extend(&mut self, other: Ensemble) {
        self.starts.iter_mut().zip(other.starts).for_each(|(all, more)| all.extend(more));
    }
}
