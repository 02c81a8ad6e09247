//! Intervals hold the truth as often as they say, on logs whose law is known: the quick form of examples/coverage.

// the program prints more than is checked here
#![allow(dead_code)]

#[path = "../../examples/coverage/law.rs"]
pub mod law;
#[path = "../../examples/coverage/trial.rs"]
mod trial;

#[test]
fn intervals_from_one_log_alone_hold_the_truth() {
    let worth = trial::worth(&law::Law::lublin(0.5), 8, 16, 60, 20);
    let mean = |of: &[trial::Worth]| of.iter().map(|worth| worth.coverage).sum::<f64>() / of.len() as f64;
    let (values, changes) = worth.split_at(trial::METRICS.len());
    let coverage = (mean(values), mean(changes));
    assert!(coverage.0 > 0.88 && coverage.1 > 0.88, "they hold the truth in {coverage:.2?} of the logs");
    for (metric, worth) in trial::METRICS.iter().zip(values) {
        assert!((0.8..1.2).contains(&worth.centre), "{metric}: the median of the repeats is {:.2} times", worth.centre);
        assert!(worth.width < 3.0, "{metric}: intervals that hold everything are worth nothing: {:.2}", worth.width);
        assert!(worth.without < 0.2, "{metric}: {:.2} of the logs have no interval", worth.without);
    }
}
