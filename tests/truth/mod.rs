//! Compares the family `slurm` with what a real Slurm did. The measure is the real Slurm's own spread.
#![allow(dead_code)] // each test file uses its part

pub mod case;

use case::Case;
use std::collections::BTreeMap;
use std::path::Path;

/// The number of simulations in an ensemble.
const DRAWS: usize = 20;

/// The mean of |a - b|, seconds, over the jobs that are in both.
fn distance(a: &BTreeMap<u32, i64>, b: &BTreeMap<u32, i64>) -> f64 {
    let both: Vec<f64> = a.iter().filter_map(|(job, wait)| Some((wait - b.get(job)?).abs() as f64)).collect();
    mean(&both)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// How far a simulation may be from real runs.
#[derive(Clone, Copy)]
pub struct Criterion {
    /// The largest distance, as a multiple of that between real runs or between simulated ones.
    apart: f64,
    /// The largest distance, as a part of the mean wait, if that is larger.
    of_wait: f64,
    /// The part by which the range of the simulated means is widened, in which the real means must lie.
    widened: f64,
}

/// The criterion of the recorded runs.
pub const STRICT: Criterion = Criterion { apart: 1.25, of_wait: 0.15, widened: 0.05 };

/// The criterion of a single run on a machine that does other things too: a second that the controller waits for a
/// processor is twelve seconds of the fast clock.
pub const LOOSE: Criterion = Criterion { apart: 1.5, of_wait: 0.25, widened: 0.15 };

/// Judges a case by the criterion, prints its figures, and returns what does not hold of it.
pub fn judge(name: &str, folder: &Path) -> Vec<String> {
    judge_by(name, &Case::read(folder), STRICT, "")
}

/// As [`judge`], with another criterion and further settings of the simulation.
pub fn judge_by(name: &str, case: &Case, criterion: Criterion, settings: &str) -> Vec<String> {
    let real: Vec<BTreeMap<u32, i64>> =
        case.real.iter().map(|run| run.iter().map(|(job, logged)| (*job, logged.wait)).collect()).collect();
    let draws: Vec<BTreeMap<u32, i64>> = (1..=DRAWS).map(|seed| case.waits(&case.simulated(seed, settings))).collect();
    let between: Vec<f64> =
        (0..DRAWS).flat_map(|i| (0..i).map(|j| distance(&draws[i], &draws[j])).collect::<Vec<_>>()).collect();
    let apart = |run| mean(&draws.iter().map(|draw| distance(run, draw)).collect::<Vec<_>>());
    let of_all = |waits: &BTreeMap<u32, i64>| mean(&waits.values().map(|&wait| wait as f64).collect::<Vec<_>>());
    let real_apart = distance(&real[0], &real[1]);
    let simulated = mean(&[apart(&real[0]), apart(&real[1])]);
    let own = real_apart.max(mean(&between));
    let most = (criterion.apart * own).max(criterion.of_wait * of_all(&real[0]));
    let mut wrong = Vec::new();
    println!(
        "{name}: d(real, real) {real_apart:.0}, d(sim, sim) {:.0}, d(real, sim) {:.0} and {:.0}, at most {most:.0}",
        mean(&between),
        apart(&real[0]),
        apart(&real[1])
    );
    if simulated > most {
        wrong.push(format!("{name}: d(real, sim) is {simulated:.0}, more than {most:.0}"));
    }
    let mut groups: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (job, logged) in &case.real[0] {
        let (user, partition, qos) = (&logged.user, &logged.partition, &logged.qos);
        for group in ["all".to_owned(), format!("user {user}"), format!("partition {partition}"), format!("QOS {qos}")]
        {
            groups.entry(group).or_default().push(*job);
        }
    }
    for (group, jobs) in groups.iter().filter(|(_, jobs)| jobs.len() >= 20) {
        let of = |waits: &BTreeMap<u32, i64>| {
            mean(&jobs.iter().filter_map(|job| waits.get(job)).map(|&wait| wait as f64).collect::<Vec<_>>())
        };
        let mut means: Vec<f64> = draws.iter().map(of).collect();
        means.sort_by(f64::total_cmp);
        let (least, largest) = (means[0] * (1.0 - criterion.widened), means[DRAWS - 1] * (1.0 + criterion.widened));
        let own = [of(&real[0]), of(&real[1])];
        println!(
            "  {group}: mean wait {:.0} and {:.0}, simulated {:.0} to {:.0} (median {:.0})",
            own[0],
            own[1],
            means[0],
            means[DRAWS - 1],
            means[DRAWS / 2]
        );
        for own in own.into_iter().filter(|own| !(least..=largest).contains(own)) {
            wrong.push(format!("{name}: {group}: a mean wait of {own:.0} is not within {least:.0} to {largest:.0}"));
        }
    }
    if std::env::var_os("PACKFAIR_EACH").is_some() {
        each(case, &draws, &real);
    }
    wrong
}

/// Prints for each job its real waits, its simulated waits and its last priority.
fn each(case: &Case, draws: &[BTreeMap<u32, i64>], real: &[BTreeMap<u32, i64>]) {
    for (job, logged) in &case.real[0] {
        let waits: Vec<i64> = draws.iter().take(6).filter_map(|draw| draw.get(job).copied()).collect();
        println!(
            "j{job} {} {} priority {} real {} {:?} simulated {waits:?}",
            logged.user,
            logged.submit,
            logged.priority,
            logged.wait,
            real[1].get(job)
        );
    }
}
