//! A second simulator of schedulers: simple, slow, and without any code of the first.
//!
//! Time advances second by second, and plans are in arrays of half seconds. So estimates must be multiples of half a
//! second.

use packfair::workload::{Seconds, Workload};

/// Half seconds in a second.
const TICKS: usize = 2;

/// What a round does. Keys sort ascending, and jobs with equal keys stay in log order.
pub enum Rule {
    /// Starts in log order until a job does not fit.
    Strict,
    /// Starts whatever fits.
    Greedy(Key),
    /// Every job that does not fit gets a reservation, and later jobs respect it.
    Reserving(Key),
    /// One reservation for the first job, by the first key, that does not fit; the others are tried by the second.
    Easy(Key, Key),
}

/// A sort key from a job's processors, its estimate and its wait so far, seconds.
pub type Key = fn(u32, f64, f64) -> (f64, f64);

#[derive(Clone, Copy)]
struct Job {
    id: usize,
    processors: u32,
    estimate: f64,
    /// How long it has waited, seconds.
    wait: f64,
}

struct Running {
    id: usize,
    processors: u32,
    start: usize,
    end: usize,
    estimate: f64,
    limit: f64,
}

/// The start times of `workload` under `rule`; `estimate` is from (run time, requested time).
/// Estimates that run out become the requested time, then last until the next second.
pub fn simulate(workload: &Workload, rule: &Rule, estimate: impl Fn(Seconds, Seconds) -> f64) -> Vec<Seconds> {
    let jobs = workload.len();
    let mut starts = vec![Seconds::MIN; jobs];
    let mut queue: Vec<Job> = Vec::new();
    let mut running: Vec<Running> = Vec::new();
    let mut arrived = 0;
    let mut now = 0;
    while arrived < jobs || !queue.is_empty() || !running.is_empty() {
        let present = running.len();
        running.retain(|job| job.end > now);
        let mut something_happens = running.len() < present;
        while let Some(request) = workload.requests().get(arrived).filter(|request| request.submit == now as Seconds) {
            let estimate = estimate(workload.runs()[arrived], request.limit);
            queue.push(Job { id: arrived, processors: request.processors, estimate, wait: 0.0 });
            arrived += 1;
            something_happens = true;
        }
        let mut more_at_once = false;
        if something_happens {
            for job in &mut queue {
                job.wait = (now as Seconds - workload.requests()[job.id].submit) as f64;
            }
            let mut plan = Plan::new(workload.machine.processors, now, &running, &queue);
            for id in round(rule, &queue, &mut plan) {
                let place = queue.iter().position(|job| job.id == id).expect("a started job waited");
                let job = queue.remove(place);
                let run = workload.runs()[id];
                starts[id] = now as Seconds;
                more_at_once |= run == 0;
                running.push(Running {
                    id,
                    processors: job.processors,
                    start: now,
                    end: now + run as usize,
                    estimate: job.estimate,
                    limit: workload.requests()[id].limit as f64,
                });
            }
        }
        // a job that runs for no time ends within the same second
        if !more_at_once {
            now += 1;
        }
    }
    starts
}

/// The jobs that start now. `queue` is in log order.
fn round(rule: &Rule, queue: &[Job], plan: &mut Plan) -> Vec<usize> {
    let mut started = Vec::new();
    match rule {
        Rule::Strict => {
            for job in queue {
                if !plan.fits_now(job) {
                    break;
                }
                plan.place(job, 0);
                started.push(job.id);
            }
        }
        Rule::Greedy(key) => {
            for job in sorted(queue, *key) {
                // whatever was planned for later does not matter
                if plan.free[0] >= job.processors {
                    plan.free[0] -= job.processors;
                    started.push(job.id);
                }
            }
        }
        Rule::Reserving(key) => {
            for job in sorted(queue, *key) {
                let tick = plan.earliest(&job);
                plan.place(&job, tick);
                if tick == 0 {
                    started.push(job.id);
                }
            }
        }
        Rule::Easy(initial, backfill) => {
            let order = sorted(queue, *initial);
            let blocked = order.iter().find(|job| {
                let fits = plan.fits_now(job);
                if fits {
                    plan.place(job, 0);
                    started.push(job.id);
                }
                !fits
            });
            if let Some(head) = blocked {
                let shadow = plan.earliest(head);
                plan.place(head, shadow);
                for job in sorted(queue, *backfill) {
                    if job.id != head.id && !started.contains(&job.id) && plan.fits_now(&job) {
                        plan.place(&job, 0);
                        started.push(job.id);
                    }
                }
            }
        }
    }
    started
}

fn sorted(queue: &[Job], key: Key) -> Vec<Job> {
    let mut jobs = queue.to_vec();
    jobs.sort_by(|a, b| {
        let (a, b) = (key(a.processors, a.estimate, a.wait), key(b.processors, b.estimate, b.wait));
        a.partial_cmp(&b).expect("keys are numbers")
    });
    jobs
}

/// Free processors in each half second from now on.
struct Plan {
    free: Vec<u32>,
}

impl Plan {
    fn new(processors: u32, now: usize, running: &[Running], queue: &[Job]) -> Self {
        let ticks = |seconds: f64| {
            assert_eq!((seconds * TICKS as f64).fract(), 0.0, "not a multiple of half a second");
            (seconds * TICKS as f64) as usize
        };
        let remaining = |job: &Running| {
            let ran = (now - job.start) as f64;
            let believed = if job.estimate <= ran { job.estimate.max(job.limit) } else { job.estimate };
            ticks(if believed <= ran { 1.0 } else { believed - ran })
        };
        let longest = running.iter().map(remaining).max().unwrap_or(0);
        let waiting: usize = queue.iter().map(|job| ticks(job.estimate)).sum();
        let mut free = vec![processors; longest + waiting + 1];
        for job in running {
            for tick in &mut free[..remaining(job)] {
                *tick = tick.checked_sub(job.processors).unwrap_or_else(|| panic!("no room for job {}", job.id));
            }
        }
        Plan { free }
    }

    fn length(job: &Job) -> usize {
        (job.estimate * TICKS as f64) as usize
    }

    fn fits(&self, job: &Job, tick: usize) -> bool {
        self.free[tick..].iter().take(Self::length(job)).all(|&free| free >= job.processors)
    }

    fn fits_now(&self, job: &Job) -> bool {
        self.fits(job, 0)
    }

    /// The first half second from now on, 0 for now, from which the job fits.
    fn earliest(&self, job: &Job) -> usize {
        (0..self.free.len()).find(|&tick| self.fits(job, tick)).expect("all is free in the end")
    }

    fn place(&mut self, job: &Job, tick: usize) {
        for free in self.free[tick..].iter_mut().take(Self::length(job)) {
            *free -= job.processors;
        }
    }
}
