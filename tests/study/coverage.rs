//! Intervals hold the truth as often as they say, on logs whose law is known: the quick form of examples/coverage.

// the program prints more than is checked here
#![allow(dead_code)]

#[path = "../../examples/coverage/law.rs"]
pub mod law;
#[path = "../../examples/coverage/trial.rs"]
mod trial;

#[test]
fn intervals_from_one_log_alone_hold_the_truth() {
    let worth = trial::worth(&law::Law::lublin(0.5), 8, 12, 60, 20);
    let coverage = worth.iter().map(|worth| worth.coverage).sum::<f64>() / worth.len() as f64;
    assert!(coverage > 0.8, "they hold the truth in {coverage:.2} of the logs");
    for (metric, worth) in trial::METRICS.iter().zip(&worth) {
        assert!((0.8..1.2).contains(&worth.centre), "{metric}: the median of the repeats is {:.2} times", worth.centre);
        assert!(worth.width < 3.0, "{metric}: intervals that hold everything are worth nothing: {:.2}", worth.width);
    }
}
