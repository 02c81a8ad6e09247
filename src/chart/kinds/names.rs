//! Short names of runs that stand beside each other.

use crate::study::Run;
use crate::study::format::factor;

/// A name for each run, without what all have in common: the scheduler alone where the estimates are
/// the same, the estimate alone where the schedulers are.
pub fn run_names(runs: &[&Run]) -> Vec<String> {
    let same_estimate = runs.windows(2).all(|w| w[0].estimate == w[1].estimate);
    let same_scheduler = runs.windows(2).all(|w| w[0].scheduler == w[1].scheduler);
    let name = |run: &&Run| match (same_scheduler, same_estimate) {
        _ if run.scheduler.is_as_logged() => run.scheduler.name(),
        (_, true) => run.scheduler.name(),
        (true, false) => estimate_name(run),
        (false, false) => format!("{}, {}", run.scheduler.name(), estimate_name(run)),
    };
    runs.iter().map(name).collect()
}

/// What [`run_names`] leaves out: "estimates: requested", or the scheduler.
pub fn common_of(runs: &[&Run]) -> String {
    let Some(first) = runs.first() else { return String::new() };
    if runs.iter().all(|run| run.estimate == first.estimate) {
        format!("estimates: {}", estimate_name(first))
    } else if runs.iter().all(|run| run.scheduler == first.scheduler) {
        first.scheduler.name()
    } else {
        String::new()
    }
}

/// "actual × 1.5".
fn estimate_name(run: &Run) -> String {
    let method = &run.estimate.method;
    if run.estimate.k == 1.0 { method.to_string() } else { format!("{method} × {}", factor(run.estimate.k)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_have_in_common_is_not_said() {
        let run = |scheduler: &str, estimate: &str| Run {
            scheduler: scheduler.parse().unwrap(),
            estimate: estimate.parse().unwrap(),
        };
        let (a, b, c) = (run("easy", "actual"), run("justbf", "actual"), run("easy", "requested*1.5"));
        assert_eq!(run_names(&[&a, &b]), ["EASY", "JustBF"]);
        assert_eq!(run_names(&[&a, &c]), ["actual", "requested × 1.5"]);
        assert_eq!(run_names(&[&a, &b, &c]), ["EASY, actual", "JustBF, actual", "EASY, requested × 1.5"]);
        assert_eq!(run_names(&[&a]), ["EASY"]);
        let left_out = [vec![&a, &b], vec![&a, &c], vec![&a, &b, &c], vec![]].map(|runs| common_of(&runs));
        assert_eq!(left_out, ["estimates: actual", "EASY", "", ""]);
    }
}
