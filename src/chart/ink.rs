//! The inks of runs: a scheduler has the same colour on every chart.

use super::Ink;
use super::theme::{COLOURS, PATTERN_COUNT};
use crate::study::Run;

/// The colours of schedulers that are often drawn together, by their ids. All schedulers that one paper compares have
/// different colours. A scheduler's colour never changes.
const OF_SCHEDULERS: [(&str, usize); 36] = [
    ("easy", 0),
    ("justbf", 1),
    ("saf-justbf", 2),
    ("laf-justbf", 3),
    ("easy-sjbf", 4),
    ("fcfs", 5),
    ("as-logged", 6),
    ("conservative", 7),
    ("saf-easy", 5),
    ("sjf-justbf", 7),
    ("spf-justbf", 6),
    ("sjf-aggressive", 7),
    ("saf-aggressive", 2),
    ("laf-aggressive", 3),
    ("pc", 2),
    ("dc", 3),
    ("dynp", 1),
    ("unicef-easy", 6),
    ("f1-easy", 4),
    ("fcfs-ci", 5),
    ("spf-ci", 1),
    ("saf-ci", 2),
    ("wfp-ci", 3),
    ("fcfs-c", 5),
    ("spf-c", 1),
    ("saf-c", 2),
    ("wfp-c", 3),
    ("class-clairvoyant", 6),
    ("classes-bounded", 7),
    ("opt-bsld", 4),
    ("opt-af", 5),
    ("opt-awf", 6),
    ("opt-p2sf", 7),
    ("opt-balanced", 4),
    ("off-af", 5),
    ("off-p2sf", 7),
];

/// The colours of estimation methods, by their ids, for charts with a single scheduler. A method's colour never
/// changes.
const OF_ESTIMATES: [(&str, usize); 7] =
    [("requested", 0), ("actual", 1), ("last2", 2), ("hierarchy", 3), ("cvh", 4), ("sp2", 5), ("sp4", 7)];

/// The inks of the runs on one chart. The colour is that of the scheduler or, if all runs have the same scheduler, that
/// of the estimation method. Runs of the same colour get different patterns, in order of appearance. No two runs have
/// the same ink as long as there are enough inks.
pub fn inks(runs: &[Run]) -> Vec<Ink> {
    let is_of_one = runs.len() > 1 && runs.iter().all(|run| run.scheduler == runs[0].scheduler);
    let mut taken: Vec<usize> = Vec::with_capacity(runs.len());
    for run in runs {
        let colour = match is_of_one {
            true => colour(&OF_ESTIMATES, &run.estimate.method.to_string()),
            false => colour(&OF_SCHEDULERS, &run.scheduler.to_string()),
        };
        let of_colour = (0..PATTERN_COUNT).map(|pattern| colour + COLOURS * pattern);
        let any = 0..COLOURS * PATTERN_COUNT;
        let free = of_colour.chain(any).find(|ink| !taken.contains(ink));
        taken.push(free.unwrap_or(colour));
    }
    taken.into_iter().map(Ink::Series).collect()
}

/// The colour of an id: the listed one, or one that depends only on the id.
fn colour(known: &[(&str, usize)], id: &str) -> usize {
    let listed = known.iter().find(|(other, _)| *other == id).map(|(_, colour)| *colour);
    // the FNV-1a hash
    let mixed = || {
        id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
    };
    listed.unwrap_or_else(|| (mixed() >> 32) as usize % COLOURS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::Policy;

    fn of(runs: &[(&str, &str)]) -> Vec<usize> {
        let runs: Vec<Run> = runs
            .iter()
            .map(|(scheduler, estimate)| Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap()))
            .collect();
        let number = |ink| match ink {
            Ink::Series(number) => number,
            other => panic!("{other:?}"),
        };
        inks(&runs).into_iter().map(number).collect()
    }

    #[test]
    fn a_scheduler_keeps_its_colour_whoever_is_beside_it() {
        assert_eq!(of(&[("easy", "actual"), ("justbf", "actual"), ("saf-justbf", "actual")]), [0, 1, 2]);
        assert_eq!(of(&[("saf-justbf", "requested"), ("fcfs", "requested")]), [2, 5]);
        assert_eq!(of(&[("justbf", "actual"), ("easy", "actual"), ("easy", "requested")]), [1, 0, 8], "by pattern");
        let written = of(&[("easy:threshold=60", "actual"), ("fcfs", "actual")]);
        assert_eq!(written[0] % 8, of(&[("fcfs", "actual"), ("easy:threshold=60", "actual")])[1] % 8);
    }

    #[test]
    fn estimates_of_one_scheduler_differ_in_colour() {
        assert_eq!(of(&[("easy", "requested"), ("easy", "actual"), ("easy", "last2")]), [0, 1, 2]);
        assert_eq!(of(&[("easy", "last2")]), [0], "alone it is a scheduler");
    }

    #[test]
    fn no_two_runs_of_a_chart_have_the_same_ink() {
        let estimates: Vec<String> = (1..=12).map(|halves| format!("actual*{}", f64::from(halves) / 2.0)).collect();
        let mut runs: Vec<(&str, &str)> = estimates.iter().map(|estimate| ("easy", estimate.as_str())).collect();
        runs.push(("fcfs", "actual"));
        let mut found = of(&runs);
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 13);
    }

    #[test]
    fn what_has_a_colour_is_in_the_catalogue() {
        for (id, colour) in OF_SCHEDULERS {
            assert_eq!(id.parse::<Policy>().map(|policy| policy.to_string()).as_deref(), Ok(id));
            assert!(colour < COLOURS);
        }
        for (id, colour) in OF_ESTIMATES {
            assert!(id.parse::<crate::estimator::Method>().is_ok_and(|method| method.to_string() == id), "{id}");
            assert!(colour < COLOURS);
        }
    }
}
