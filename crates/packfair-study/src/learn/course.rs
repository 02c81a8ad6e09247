//! The few jobs of a lesson under one scheduler, instant by instant, as the engine has them.

use super::{PROCESSORS, TaughtJob, glossary, workload};
use crate::allocation::{ProcessorRange, allocate, allocate_ahead};
use crate::query::waited;
use packfair_engine::estimator::Requested;
use packfair_engine::simulation::{Correction, Expected, Options, Simulation, outlook};
use packfair_schedulers::dynp::decider;
use packfair_schedulers::{Order, Policy};
use packfair_workload::{JobId, Seconds, Unit, Workload};
use std::collections::BTreeSet;

/// A scheduler of a lesson, and what it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaughtRun {
    /// The scheduler, as texts name it.
    pub scheduler: &'static str,
    /// Whether it knows run times and not only limits.
    pub knows_run_times: bool,
}

impl TaughtRun {
    pub(super) const fn of(scheduler: &'static str) -> Self {
        TaughtRun { scheduler, knows_run_times: false }
    }

    pub(super) const fn knowing(scheduler: &'static str) -> Self {
        TaughtRun { scheduler, knows_run_times: true }
    }

    /// The scheduler.
    pub fn policy(self) -> Policy {
        // tests run each
        self.scheduler.parse().expect("a scheduler of the catalogue")
    }

    /// Its name for a person.
    pub fn name(self) -> String {
        let name = self.policy().name();
        if self.knows_run_times { format!("{name}, if run times were known") } else { name }
    }
}

/// What becomes of the jobs of a lesson under a scheduler.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Its name for a person.
    pub name: String,
    /// Whether only the first that waits has a reservation.
    pub reserves_once: bool,
    /// The jobs, one place each as in the lesson, as the scheduler knows them: where it knows run times, they are the
    /// limits.
    pub jobs: Vec<TaughtJob>,
    /// When each job starts.
    pub starts: Vec<Seconds>,
    /// Which processors each job has.
    pub blocks: Vec<Vec<ProcessorRange>>,
    /// Whether each job was backfilled: it started in a gap while an earlier one had to wait.
    pub backfilled: Vec<bool>,
    /// Why each job waited, in words.
    pub waited: Vec<String>,
    /// The instants at which something happens, in order.
    pub moments: Vec<Moment>,
}

/// An instant at which something happens, and what is then the case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    pub at: Seconds,
    /// The jobs that end, by their places.
    pub ended: Vec<usize>,
    pub arrived: Vec<usize>,
    pub started: Vec<Start>,
    /// The jobs that run from now on, and when each ends by its limit.
    pub running: Vec<(usize, Seconds)>,
    /// The jobs that wait, in the order of their arrival.
    pub waiting: Vec<Waiter>,
    /// The reservations of waiting jobs, the soonest first.
    pub reserved: Vec<TaughtReservation>,
    /// The processors that are idle from now on.
    pub free: u32,
    /// The order in which the queue is taken.
    pub order: QueueOrder,
    /// What happens, in sentences.
    pub told: Vec<String>,
}

/// A job that starts, and why it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    pub job: usize,
    pub why: Why,
}

/// Why a job can start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It has just arrived, and nobody waits before it.
    AtOnce,
    /// Nobody waits before it any more.
    Turn,
    /// The order of the queue takes it before jobs that came earlier, such as this one.
    Order { before: usize },
    /// It is backfilled: by its limit it ends before the soonest reservation of those who came earlier.
    Ends { before: usize, reserved: Seconds },
    /// It is backfilled: it still runs when the reservation begins, on processors that this leaves over.
    Beside { reservation_of: usize, reserved: Seconds },
    /// It is backfilled: for this job, which came earlier, nothing is reserved.
    Unreserved { before: usize },
}

impl Why {
    /// Whether it starts in a gap while an earlier job has to wait.
    pub fn is_backfilled(self) -> bool {
        matches!(self, Why::Ends { .. } | Why::Beside { .. } | Why::Unreserved { .. })
    }
}

/// A job that waits, and why it does not start now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiter {
    pub job: usize,
    pub hold: Hold,
}

/// Why a waiting job does not start now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Too few processors are idle.
    NoRoom,
    /// It fits now, but by its limit it would still hold processors that are reserved.
    WouldDelay { job: usize, reserved: Seconds },
    /// It fits now, but nobody passes this job.
    Behind { job: usize },
}

/// The start that a waiting job has been given.
#[derive(Clone, Debug, PartialEq)]
pub struct TaughtReservation {
    pub job: usize,
    pub start: Seconds,
    /// Its end, by its limit.
    pub end: Seconds,
    pub blocks: Vec<ProcessorRange>,
}

/// Idle processors while somebody waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    pub from: Seconds,
    pub until: Seconds,
    pub block: ProcessorRange,
}

fn simulation<'a>(policy: &Policy, workload: &'a Workload) -> Simulation<'a> {
    // tests run each
    let scheduler = policy.build_taught().expect("a scheduler that lessons may show");
    let usual = policy.usual(false);
    let options =
        Options { correction: Correction::default(), reestimation: usual.reestimation, trigger: usual.trigger };
    Simulation::new(workload, scheduler, Box::new(Requested), options)
}

impl Course {
    /// Lets the engine run the jobs under a scheduler.
    pub fn of(run: TaughtRun, jobs: &[TaughtJob]) -> Course {
        let (policy, workload) = (run.policy(), workload(jobs, run.knows_run_times));
        let schedule = simulation(&policy, &workload).finish();
        let places = Places::of(&workload);
        let mut course = Course {
            name: run.name(),
            reserves_once: policy.family().entry.id == "easy",
            jobs: jobs
                .iter()
                .map(|&job| if run.knows_run_times { TaughtJob { limit: job.run, ..job } } else { job })
                .collect(),
            starts: vec![0; jobs.len()],
            blocks: vec![Vec::new(); jobs.len()],
            backfilled: vec![false; jobs.len()],
            waited: vec![String::new(); jobs.len()],
            moments: Vec::new(),
        };
        allocate(&workload, &schedule, Seconds::MAX, |placed, blocks| {
            course.blocks[places.of_job(placed.job)] = blocks.to_vec();
        });
        for job in workload.jobs() {
            course.starts[places.of_job(job)] = schedule.start(job);
            course.waited[places.of_job(job)] = waited(&workload, &schedule, job).in_words(Unit::Processors);
        }
        let mut simulation = simulation(&policy, &workload);
        for at in course.instants() {
            simulation.live_until(at);
            let order = QueueOrder::at(at, &policy, schedule.notes.course(decider::POLICY));
            let moment = course.moment(at, &simulation, order, &workload, &places);
            for start in moment.started.iter().filter(|start| start.why.is_backfilled()) {
                course.backfilled[start.job] = true;
            }
            course.moments.push(moment);
        }
        for place in 0..course.moments.len() {
            let before = place.checked_sub(1).map(|before| &course.moments[before]);
            let told = glossary::of(&course, before, &course.moments[place]);
            course.moments[place].told = told;
        }
        course
    }

    fn instants(&self) -> BTreeSet<Seconds> {
        let of = |job: usize| [self.jobs[job].submit, self.starts[job], self.end(job)];
        (0..self.jobs.len()).flat_map(of).collect()
    }

    /// When a job ends.
    pub fn end(&self, job: usize) -> Seconds {
        self.starts[job] + self.jobs[job].run
    }

    /// How long a job waits.
    pub fn wait(&self, job: usize) -> Seconds {
        self.starts[job] - self.jobs[job].submit
    }

    /// The shadow time at a moment: when the one reservation begins, of a scheduler that makes one alone.
    pub fn shadow_time(&self, moment: &Moment) -> Option<Seconds> {
        moment.reserved.first().filter(|_| self.reserves_once).map(|reserved| reserved.start)
    }

    /// The moment that is in force at a time; none before the first job arrives.
    pub fn moment_at(&self, at: Seconds) -> Option<&Moment> {
        self.moments[..self.moments.partition_point(|moment| moment.at <= at)].last()
    }

    /// When the last job ends.
    pub fn last_end(&self) -> Seconds {
        (0..self.jobs.len()).map(|job| self.end(job)).max().unwrap_or(0)
    }

    /// The mean of all waits, seconds.
    pub fn mean_wait(&self) -> f64 {
        (0..self.jobs.len()).map(|job| self.wait(job) as f64).sum::<f64>() / self.jobs.len().max(1) as f64
    }

    /// The job that waits for the longest, the first of several.
    pub fn longest_wait(&self) -> Option<usize> {
        (0..self.jobs.len()).rev().max_by_key(|&job| self.wait(job))
    }

    /// Idle processors while somebody waited.
    pub fn holes(&self) -> Vec<Hole> {
        let mut holes = Vec::new();
        for pair in self.moments.windows(2) {
            let (now, next) = (&pair[0], &pair[1]);
            if now.waiting.is_empty() {
                continue;
            }
            let taken = |processor: u32| {
                let has = |&(job, _): &(usize, Seconds)| {
                    self.blocks[job].iter().any(|&(first, count)| (first..first + count).contains(&processor))
                };
                now.running.iter().any(has)
            };
            let mut free = (0..PROCESSORS).filter(|&processor| !taken(processor)).peekable();
            while let Some(first) = free.next() {
                let mut count = 1;
                while free.next_if_eq(&(first + count)).is_some() {
                    count += 1;
                }
                holes.push(Hole { from: now.at, until: next.at, block: (first, count) });
            }
        }
        holes
    }

    fn moment(
        &self,
        at: Seconds,
        simulation: &Simulation,
        order: QueueOrder,
        workload: &Workload,
        places: &Places,
    ) -> Moment {
        let expected = outlook(simulation, at);
        let of_running = |running: &Expected| (*running, self.blocks[places.of_job(running.job)].clone());
        let running: Vec<_> = expected.running.iter().map(of_running).collect();
        let reservation = |(reserved, blocks): (Expected, Vec<ProcessorRange>)| TaughtReservation {
            job: places.of_job(reserved.job),
            start: reserved.start as Seconds,
            end: reserved.end as Seconds,
            blocks,
        };
        let ahead = allocate_ahead(workload, &running, &expected.reserved);
        let taken: u32 = running.iter().map(|(running, _)| workload.request(running.job).processors).sum();
        let all = || 0..self.jobs.len();
        let mut waiting: Vec<usize> =
            all().filter(|&job| self.jobs[job].submit <= at && self.starts[job] > at).collect();
        waiting.sort_by_key(|&job| places.in_log[job]);
        let mut moment = Moment {
            at,
            ended: all().filter(|&job| self.end(job) == at).collect(),
            arrived: all().filter(|&job| self.jobs[job].submit == at).collect(),
            running: running.iter().map(|(running, _)| (places.of_job(running.job), running.end as Seconds)).collect(),
            reserved: ahead.into_iter().map(reservation).collect(),
            free: PROCESSORS - taken,
            order,
            ..Moment::default()
        };
        let mut starting: Vec<usize> = all().filter(|&job| self.starts[job] == at).collect();
        starting.sort_by_key(|&job| places.in_log[job]);
        moment.started = starting
            .into_iter()
            .map(|job| {
                let passed = waiting.iter().copied().filter(|&other| places.in_log[other] < places.in_log[job]);
                Start { job, why: self.why(job, &passed.collect::<Vec<_>>(), &moment) }
            })
            .collect();
        moment.waiting = waiting.iter().map(|&job| Waiter { job, hold: self.hold(job, &waiting, &moment) }).collect();
        moment
    }

    /// Why a job can start while those of `passed`, who came earlier, go on waiting.
    fn why(&self, job: usize, passed: &[usize], moment: &Moment) -> Why {
        let own = &self.jobs[job];
        let Some(&first) = passed.first() else {
            return if own.submit == moment.at { Why::AtOnce } else { Why::Turn };
        };
        if passed.iter().all(|&other| moment.order.is_before(own, &self.jobs[other])) {
            return Why::Order { before: first };
        }
        let end = moment.at + own.limit;
        // those with a reservation, the soonest first
        match moment.reserved.iter().find(|reserved| passed.contains(&reserved.job)) {
            Some(soonest) if end <= soonest.start => Why::Ends { before: soonest.job, reserved: soonest.start },
            Some(soonest) => Why::Beside { reservation_of: soonest.job, reserved: soonest.start },
            None => Why::Unreserved { before: first },
        }
    }

    /// Why one of those who wait does not start.
    fn hold(&self, job: usize, waiting: &[usize], moment: &Moment) -> Hold {
        let own = &self.jobs[job];
        if own.processors > moment.free {
            return Hold::NoRoom;
        }
        let end = moment.at + own.limit;
        match moment.reserved.iter().find(|reserved| reserved.job != job && reserved.start < end) {
            Some(reserved) => Hold::WouldDelay { job: reserved.job, reserved: reserved.start },
            None => Hold::Behind { job: waiting.iter().copied().find(|&other| other != job).unwrap_or(job) },
        }
    }
}

/// Places in the lesson and in log order, from each other.
struct Places {
    /// By [`JobId`], the place in the lesson.
    in_lesson: Vec<usize>,
    /// By the place in the lesson, the place in log order.
    in_log: Vec<usize>,
}

impl Places {
    fn of(workload: &Workload) -> Places {
        let in_lesson: Vec<usize> = workload.requests().iter().map(|request| request.number as usize - 1).collect();
        let mut in_log = vec![0; in_lesson.len()];
        in_lesson.iter().enumerate().for_each(|(place, &job)| in_log[job] = place);
        Places { in_lesson, in_log }
    }

    fn of_job(&self, job: JobId) -> usize {
        self.in_lesson[job.index()]
    }
}

// The orders in which the schedulers of lessons take the queue.

/// The order in which a queue is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueOrder {
    /// First come, first served.
    #[default]
    Fcfs,
    /// The shortest limit first.
    Sjf,
    /// The longest limit first.
    Ljf,
}

impl QueueOrder {
    /// The order in force at a time: that of `course`, which has places among all orders, or else the policy's own.
    pub(super) fn at(at: Seconds, policy: &Policy, course: &[(Seconds, f64)]) -> QueueOrder {
        let of_course = course[..course.partition_point(|&(from, _)| from <= at)].last();
        let own = || policy.settings().iter().find(|(parameter, _)| parameter.id == "order");
        match of_course {
            Some(&(_, place)) => QueueOrder::of_id(Order::OPTIONS.get(place as usize).map_or("", |&(id, _)| id)),
            None => own().map_or(QueueOrder::Fcfs, |_| QueueOrder::of_id(policy.settings().choice("order"))),
        }
    }

    fn of_id(id: &str) -> QueueOrder {
        match id {
            "sjf" => QueueOrder::Sjf,
            "ljf" => QueueOrder::Ljf,
            _ => QueueOrder::Fcfs,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            QueueOrder::Fcfs => "FCFS",
            QueueOrder::Sjf => "SJF",
            QueueOrder::Ljf => "LJF",
        }
    }

    /// What it takes first.
    pub fn first(self) -> &'static str {
        match self {
            QueueOrder::Fcfs => "first come first",
            QueueOrder::Sjf => "shortest limit first",
            QueueOrder::Ljf => "longest limit first",
        }
    }

    /// Whether it takes a job before one that came earlier.
    pub(super) fn is_before(self, job: &TaughtJob, earlier: &TaughtJob) -> bool {
        match self {
            QueueOrder::Fcfs => false,
            QueueOrder::Sjf => job.limit < earlier.limit,
            QueueOrder::Ljf => job.limit > earlier.limit,
        }
    }
}
