//! A scheduler of one's own, beside those of the catalogue: `cargo run --release --example aging`.
//!
//! Smallest area first, without reservations, starves wide and long jobs. Here the area of a job counts less the longer
//! the job has waited.

use packfair::model::{Actions, Schedule, Scheduler, Token, View, Waiting};
use packfair::scheduler::Policy;
use packfair::simulation::{Driven, Options, Simulation};
use packfair::study::Treatment;
use packfair::workload::{Seconds, Workload, lublin};
use std::error::Error;

/// Starts what fits, smallest r E / (1 + wait / patience) first.
#[derive(Clone)]
struct Aging {
    /// The wait after which a job's area counts half, seconds.
    patience: f64,
}

impl Aging {
    fn rank(&self, job: &Waiting, now: Seconds) -> f64 {
        job.area() / (1.0 + (now - job.submit) as f64 / self.patience)
    }
}

impl Scheduler for Aging {
    fn round(&mut self, view: &View, actions: &mut Actions) {
        let mut queue: Vec<Waiting> = view.waiting().collect();
        queue.sort_by(|a, b| self.rank(a, view.now()).total_cmp(&self.rank(b, view.now())));
        for job in queue {
            if job.processors <= actions.free() {
                actions.start(job, Token::default());
            }
        }
    }
}

fn schedule(workload: &Workload, scheduler: Box<dyn Driven>) -> Result<Schedule, Box<dyn Error>> {
    let estimator = "requested".parse::<packfair::estimator::Estimate>()?.build(workload);
    Ok(Simulation::new(workload, scheduler, estimator, Options::default()).finish())
}

fn main() -> Result<(), Box<dyn Error>> {
    let treatment = Treatment { shrink: 0.6, ..Treatment::default() };
    let workload = treatment.apply(&lublin(5_000, 256, 1))?;
    println!("{:>16} {:>14} {:>14}", "", "mean wait, s", "longest, s");
    let tell = |name: &str, scheduler| {
        let schedule = schedule(&workload, scheduler)?;
        let faults = packfair::simulation::check(&workload, &schedule);
        assert!(faults.is_empty(), "{name}: {faults:?}");
        let waits = || workload.jobs().map(|job| schedule.start(job) - workload.request(job).submit);
        let mean = waits().sum::<Seconds>() as f64 / workload.len() as f64;
        println!("{name:>16} {mean:>14.0} {:>14}", waits().max().unwrap_or(0));
        Ok::<_, Box<dyn Error>>(())
    };
    for preset in ["saf-aggressive", "fcfs", "easy"] {
        tell(preset, preset.parse::<Policy>()?.build().ok_or("it has a scheduler")?)?;
    }
    tell("aging", Box::new(Aging { patience: 3_600.0 }))
}
