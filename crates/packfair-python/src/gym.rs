//! Environments for learning agents: many stepped simulations side by side, which read actions from arrays and write
//! observations into arrays.

use crate::keywords::{Function, Options};
use crate::log::Log;
use crate::working::value_error;
use numpy::{PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2};
use packfair::cli::embedded::Asked;
use packfair::estimator::Estimate;
use packfair::metric::{Aim, Counted, Evaluation, Measure, Metric};
use packfair::model::Schedule;
use packfair::scheduler::Policy;
use packfair::simulation::{Options as Rules, Question, Simulation, SteppedSimulation, SteppedWorkload};
use packfair::study::{Rules as StudyRules, Run};
use packfair::workload::{Seconds, Workload};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// How many numbers tell of a job.
const FEATURES: usize = 8;

/// The wait that counts as the longest in RLScheduler's observations, seconds.
const LONGEST_WAIT: f64 = 12.0 * 3600.0;

/// As near to 0 and 1 as RLScheduler's numbers come.
const NEAR: f64 = 1e-5;

/// How jobs are described.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Preset {
    /// As RLScheduler does (Zhang et al., SC 2020).
    RlScheduler,
    /// Times by their logarithms, and what is free.
    Logarithmic,
}

/// What numbers are divided by: the most that the log has.
struct Scales {
    limit: f64,
    processors: f64,
    user: f64,
    group: f64,
    executable: f64,
}

/// The reward of an episode.
struct Reward {
    metric: Metric,
    measure: Measure,
    /// What the value is compared with.
    baseline: Option<Run>,
    /// The values of the baseline, by the first job of an episode.
    known: HashMap<usize, f64>,
}

struct Episode {
    simulation: SteppedSimulation,
    random: u64,
    /// Whether the next step begins anew.
    is_over: bool,
}

/// Many environments, advanced together. The classes of `packfair.gym` are made of it.
#[pyclass(module = "packfair")]
pub struct Gym {
    of: Arc<SteppedWorkload>,
    rules: Rules,
    estimate: Estimate,
    episodes: Vec<Episode>,
    slots: usize,
    jobs: usize,
    /// Where episodes may begin.
    first: Range<usize>,
    preset: Preset,
    scales: Scales,
    reward: Reward,
}

/// The arrays of a step, a row or a value for each environment.
struct Row<'a> {
    observation: &'a mut [f32],
    mask: &'a mut [bool],
}

#[pymethods]
impl Gym {
    #[new]
    #[pyo3(signature = (log, question, *, num_envs, jobs, slots, part, observation, reward, baseline, estimates, treatment))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        log: &Bound<'_, Log>,
        question: &str,
        num_envs: usize,
        jobs: usize,
        slots: usize,
        part: (f64, f64),
        observation: &str,
        reward: &str,
        baseline: Option<String>,
        estimates: &str,
        treatment: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let question = match question {
            "next" => Question::Next { backfills: false },
            "next-backfilling" => Question::Next { backfills: true },
            _ => Question::Backfill,
        };
        let preset = match observation {
            "rlscheduler" => Preset::RlScheduler,
            "log" => Preset::Logarithmic,
            other => return Err(value_error(format!("there is no observation {other}; there are rlscheduler, log"))),
        };
        let metric: Metric = reward.parse().map_err(value_error)?;
        if metric.about().aim == Aim::None {
            return Err(value_error(format!(
                "{reward} is no reward, for neither more nor less of it is better; take AF, BSLD or AWF"
            )));
        }
        let estimate: Estimate = estimates.parse().map_err(value_error)?;
        let mut options = Options::of(treatment, Function::Run)?.0;
        // a study, of which only what is done to the log is wanted
        options.extend(["--scheduler=easy", "--estimator=requested"].map(str::to_owned));
        let log = log.get().log.clone();
        let workload = py.detach(|| -> Result<Workload, String> {
            let asked = Asked::of(&options, log.clone()).map_err(|refusal| refusal.to_string())?;
            asked.study.treatment.apply(&log).map_err(|error| error.to_string())
        });
        let of = SteppedWorkload::new(workload.map_err(value_error)?, &estimate).map_err(value_error)?;
        let all = of.jobs().len();
        let (begin, end) = part;
        if !(0.0..1.0).contains(&begin) || !(begin..=1.0).contains(&end) {
            return Err(value_error(format!(
                "the part {begin} to {end} of the log is none; take shares such as (0, 0.7)"
            )));
        }
        let (begin, end) = ((begin * all as f64) as usize, (end * all as f64).round() as usize);
        if jobs == 0 || end - begin < jobs {
            let there = end - begin;
            return Err(value_error(format!(
                "an episode has {jobs} jobs, and this part of the log {there}; let it have between 1 and {there}"
            )));
        }
        if slots < 2 || num_envs == 0 {
            return Err(value_error("there must be an environment, and at least two slots for jobs"));
        }
        let baseline = baseline.map(|baseline| -> PyResult<Run> {
            Ok(Run::new(baseline.parse::<Policy>().map_err(value_error)?, estimate.clone()))
        });
        let baseline = baseline.transpose()?;
        if baseline.as_ref().is_some_and(|run| run.scheduler.build().is_none()) {
            return Err(value_error("the baseline of a reward is a scheduler that decides; take easy or fcfs"));
        }
        let usual = Run::new("easy".parse().map_err(value_error)?, estimate.clone());
        let rules = StudyRules::default().options(&usual);
        let most =
            |of_job: fn(&packfair::simulation::SteppedJob) -> f64| of.jobs().iter().map(of_job).fold(1.0, f64::max);
        let scales = Scales {
            limit: most(|job| job.limit as f64),
            processors: f64::from(of.workload().machine.processors),
            user: most(|job| f64::from(job.user)),
            group: most(|job| f64::from(job.group)),
            executable: most(|job| f64::from(job.executable)),
        };
        let of = Arc::new(of);
        let first = begin..end - jobs + 1;
        let simulation = SteppedSimulation::new(of.clone(), question, rules, begin..begin + jobs);
        let episode = |number: usize| Episode { simulation: simulation.clone(), random: number as u64, is_over: true };
        let episodes = (0..num_envs).map(episode).collect();
        let measure = Measure { counted: Counted::All, ..Measure::default() };
        let reward = Reward { metric, measure, baseline, known: HashMap::new() };
        Ok(Gym { of, rules, estimate, episodes, slots, jobs, first, preset, scales, reward })
    }

    /// How many numbers an observation has.
    #[getter]
    fn observed(&self) -> usize {
        self.slots * FEATURES
    }

    /// How many jobs the log has.
    #[getter]
    fn all_jobs(&self) -> usize {
        self.of.jobs().len()
    }

    /// Where episodes may begin: the first such job, and the one after the last.
    #[getter]
    fn first_jobs(&self) -> (usize, usize) {
        (self.first.start, self.first.end)
    }

    /// Draws the streams of random numbers anew from a seed.
    fn seed(&mut self, seed: u64) {
        for (episode, number) in self.episodes.iter_mut().zip(0_u64..) {
            episode.random = mixed(seed ^ mixed(number));
        }
    }

    /// Begins an episode in an environment: with this job, or with one that is drawn.
    #[pyo3(signature = (env, first = None))]
    fn begin(&mut self, env: usize, first: Option<usize>) -> PyResult<()> {
        let (lowest, highest) = (self.first.start, self.first.end - 1);
        if let Some(first) = first.filter(|first| !self.first.contains(first)) {
            return Err(value_error(format!("no episode begins with job {first}; it may be {lowest} to {highest}")));
        }
        let Some(episode) = self.episodes.get_mut(env) else { return Err(value_error("there is no such environment")) };
        let first = first.unwrap_or_else(|| drawn(&mut episode.random, &self.first));
        begin(episode, first, self.jobs);
        Ok(())
    }

    /// Writes what there is to see, and what may be chosen, into arrays.
    fn observe(
        &self,
        mut observations: PyReadwriteArray2<'_, f32>,
        mut masks: PyReadwriteArray2<'_, bool>,
    ) -> PyResult<()> {
        let (observations, masks) = (observations.as_slice_mut()?, masks.as_slice_mut()?);
        for (episode, row) in self.episodes.iter().zip(rows(observations, masks, self.slots)) {
            self.describe(&episode.simulation, row);
        }
        Ok(())
    }

    /// Decides in each environment, and writes what came of it into arrays: observations, masks, rewards, whether the
    /// episode is over, and then the metric's value and the baseline's. An environment whose episode was over begins anew,
    /// whatever the action.
    #[allow(clippy::too_many_arguments, reason = "an array each")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut observations: PyReadwriteArray2<'_, f32>,
        mut masks: PyReadwriteArray2<'_, bool>,
        mut rewards: PyReadwriteArray1<'_, f64>,
        mut over: PyReadwriteArray1<'_, bool>,
        mut values: PyReadwriteArray2<'_, f64>,
    ) -> PyResult<()> {
        let (actions, observations, masks) = (actions.as_slice()?, observations.as_slice_mut()?, masks.as_slice_mut()?);
        let (rewards, over, values) = (rewards.as_slice_mut()?, over.as_slice_mut()?, values.as_slice_mut()?);
        let envs = self.episodes.len();
        let is_right = actions.len() == envs
            && observations.len() == envs * self.slots * FEATURES
            && masks.len() == envs * self.slots
            && rewards.len() == envs
            && over.len() == envs
            && values.len() == 2 * envs;
        if !is_right {
            return Err(value_error(format!("there are {envs} environments, and the arrays are of others")));
        }
        py.detach(|| {
            for (env, row) in rows(observations, masks, self.slots).enumerate() {
                let episode = &mut self.episodes[env];
                let value = &mut values[2 * env..2 * env + 2];
                value.fill(f64::NAN);
                rewards[env] = 0.0;
                if episode.is_over {
                    let first = drawn(&mut episode.random, &self.first);
                    begin(episode, first, self.jobs);
                } else {
                    // what is no place in the queue cannot be chosen
                    let choice = usize::try_from(actions[env]).ok().filter(|&choice| choice < self.slots);
                    episode.simulation.step(choice.unwrap_or(usize::MAX));
                    if episode.simulation.is_done() {
                        episode.is_over = true;
                        rewards[env] = self.reward.of(&self.of, &self.estimate, self.rules, &episode.simulation, value);
                    }
                }
                over[env] = self.episodes[env].is_over;
                self.describe(&self.episodes[env].simulation, row);
            }
        });
        Ok(())
    }

    /// When each job of an environment's episode has started, seconds of the log; none where it has not.
    fn starts(&self, env: usize) -> Vec<Option<Seconds>> {
        let starts = self.episodes[env].simulation.starts();
        starts.iter().map(|&start| (start != Seconds::MIN).then_some(start)).collect()
    }

    /// The first job of an environment's episode, by its place in the log.
    fn first_job(&self, env: usize) -> usize {
        self.episodes[env].simulation.range().start
    }
}

fn rows<'a>(observations: &'a mut [f32], masks: &'a mut [bool], slots: usize) -> impl Iterator<Item = Row<'a>> {
    let rows = observations.chunks_exact_mut(slots * FEATURES).zip(masks.chunks_exact_mut(slots));
    rows.map(|(observation, mask)| Row { observation, mask })
}

fn begin(episode: &mut Episode, first: usize, jobs: usize) {
    episode.simulation.begin(first..first + jobs);
    // an episode without a decision is over with the next step
    episode.is_over = false;
}

/// SplitMix64, which is the same everywhere.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn drawn(random: &mut u64, range: &Range<usize>) -> usize {
    *random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = mixed(*random);
    range.start + ((u128::from(number) * range.len() as u128) >> 64) as usize
}

impl Reward {
    /// The reward of an episode that is over; `values` get the metric and the baseline's.
    fn of(
        &mut self,
        of: &SteppedWorkload,
        estimate: &Estimate,
        rules: Rules,
        simulation: &SteppedSimulation,
        values: &mut [f64],
    ) -> f64 {
        let range = simulation.range();
        let part = of.part(range.clone());
        let value = self.value(&part, &simulation.schedule(&part));
        values[0] = value;
        let is_low = self.metric.about().aim == Aim::Low;
        let Some(run) = self.baseline.clone() else {
            return if value.is_nan() {
                0.0
            } else if is_low {
                -value
            } else {
                value
            };
        };
        let known = self.known.get(&range.start).copied();
        let baseline = known.unwrap_or_else(|| {
            let scheduler = run.scheduler.build();
            let schedule =
                scheduler.map(|scheduler| Simulation::new(&part, scheduler, estimate.build(&part), rules).finish());
            schedule.map_or(f64::NAN, |schedule| self.value(&part, &schedule))
        });
        self.known.insert(range.start, baseline);
        values[1] = baseline;
        let better = if is_low { baseline - value } else { value - baseline };
        match better / baseline.abs() {
            share if share.is_finite() => share,
            // the baseline's is 0 or not defined
            _ if better == 0.0 || better.is_nan() => 0.0,
            _ => better.signum(),
        }
    }

    fn value(&self, part: &Workload, schedule: &Schedule) -> f64 {
        Evaluation::new(part, schedule, &self.measure).value(self.metric).unwrap_or(f64::NAN)
    }
}

impl Gym {
    /// Describes the visible jobs, and says which may be chosen.
    fn describe(&self, simulation: &SteppedSimulation, row: Row<'_>) {
        let Row { observation, mask } = row;
        let (described, _) = observation.as_chunks_mut::<FEATURES>();
        let mut slots = described.iter_mut().zip(mask.iter_mut());
        for place in simulation.visible().take(self.slots) {
            let Some((features, may_choose)) = slots.next() else { break };
            *may_choose = simulation.may_choose(place);
            *features = match self.preset {
                Preset::RlScheduler => self.as_rlscheduler(simulation, place),
                Preset::Logarithmic => self.by_logarithms(simulation, place),
            };
        }
        let nobody = match self.preset {
            Preset::RlScheduler => [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0],
            Preset::Logarithmic => [0.0; FEATURES],
        };
        for (features, may_choose) in slots {
            (*features, *may_choose) = (nobody, false);
        }
    }

    /// Wait, requested time, processors, memory (which logs rarely tell, and workloads do not keep), user, group,
    /// executable, whether it could start now.
    fn as_rlscheduler(&self, simulation: &SteppedSimulation, place: u32) -> [f32; FEATURES] {
        let job = simulation.job(place);
        let share = |number: f64, of: f64| (number / of).clamp(0.0, 1.0 - NEAR) as f32;
        let named = |number: i32, of: f64| if number < 0 { 1.0 } else { share(f64::from(number), of) };
        [
            share((simulation.now() - job.submit) as f64, LONGEST_WAIT),
            share(job.limit as f64, self.scales.limit),
            share(f64::from(job.processors), self.scales.processors),
            1.0,
            named(job.user, self.scales.user),
            named(job.group, self.scales.group),
            named(job.executable, self.scales.executable),
            if simulation.may_start(place) { (1.0 - NEAR) as f32 } else { NEAR as f32 },
        ]
    }

    /// Wait, estimate, processors and area by their logarithms, whether it could start now, what is free, how many wait,
    /// and whether it is the head of the queue or any other job.
    fn by_logarithms(&self, simulation: &SteppedSimulation, place: u32) -> [f32; FEATURES] {
        let job = simulation.job(place);
        let times = |seconds: f64| libm::log1p(seconds.max(0.0)) as f32 / 16.0;
        let wide = f64::from(job.processors);
        [
            times((simulation.now() - job.submit) as f64),
            times(job.estimate),
            (libm::log1p(wide) / libm::log1p(self.scales.processors)) as f32,
            times(job.estimate * wide) / 2.0,
            f32::from(u8::from(simulation.may_start(place))),
            (f64::from(simulation.free()) / self.scales.processors) as f32,
            (libm::log1p(simulation.queue_length() as f64) / 10.0) as f32,
            if simulation.visible().next() == Some(place) { 1.0 } else { 0.5 },
        ]
    }
}
