//! How true a simulation is to the machine, in one sentence.

use crate::estimator::Method;
use crate::metric::Metric;
use crate::study::RunReport;
use crate::study::format::{correlation, duration, estimate, number};

/// Which of the schedulers comes nearest to what the log tells, and how near that is: the one with which most jobs
/// start within five minutes of their logged start, of equals the one whose waits are off by less. None where the log
/// does not tell when jobs started, or no scheduler was simulated: a schedule of a file is none. Runs under another load are not what the log tells of.
pub fn how_true<'a>(results: impl IntoIterator<Item = &'a RunReport>) -> Option<String> {
    let simulated =
        results.into_iter().filter(|r| !r.run.scheduler.is_given() && r.shrink == 1.0 && r.run.partition.is_none());
    let (foreseen, real): (Vec<_>, Vec<_>) = simulated.partition(|r| r.run.estimate.method == Method::actual());
    // no cluster knows run times beforehand, so a run that does is no model of one
    let mut nearest: Option<(&RunReport, [f64; 3])> = None;
    for result in if real.is_empty() { foreseen } else { real } {
        let value = |metric| result.values.get(&metric).copied();
        let (Some(near), Some(gap), Some(p90)) =
            (value(Metric::NearerLog), value(Metric::LogGap), value(Metric::LogGap90))
        else {
            continue;
        };
        if nearest.is_none_or(|(_, [most, _, least])| near > most || (near == most && p90 < least)) {
            nearest = Some((result, [near, gap, p90]));
        }
    }
    let (result, [near, gap, p90]) = nearest?;
    let ranks = match result.values.get(&Metric::LogRank) {
        Some(value) => format!("; the ranks of its waits and the log's correlate by {}", correlation(*value)),
        None => String::new(),
    };
    Some(format!(
        "How true the model is: {} with {} estimates comes nearest to the log. {} % of its jobs start within 5 min of \
         their logged start, half of its waits are within {} of the logged ones and nine of ten within {}{ranks}.",
        result.run.scheduler.name(),
        estimate(&result.run.estimate),
        number(100.0 * near),
        duration(gap),
        duration(p90)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Curves;
    use crate::study::Run;

    fn result(scheduler: &str, near: f64, p90: f64) -> RunReport {
        let values =
            [(Metric::NearerLog, near), (Metric::LogGap, 20.0), (Metric::LogGap90, p90), (Metric::LogRank, -0.256)];
        RunReport {
            run: Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap()),
            shrink: 1.0,
            jobs: 10,
            values: values.into(),
            curves: Curves::default(),
            wall_s: 0.0,
            machine: None,
            overfull: None,
            saturation: None,
        }
    }

    #[test]
    fn the_nearest_scheduler_is_named_with_how_near_it_comes() {
        let all = [result("as-logged", 1.0, 0.0), result("justbf", 0.5, 90.0), result("easy", 0.5, 60.0)];
        let mut foreseen = result("saf-justbf", 0.9, 10.0);
        foreseen.run.estimate = "actual".parse().unwrap();
        let all = [all.as_slice(), &[foreseen]].concat();
        assert_eq!(
            how_true(&all).unwrap().replace('\u{a0}', " "),
            "How true the model is: EASY with requested estimates comes nearest to the log. 50.0 % of its jobs start \
             within 5 min of their logged start, half of its waits are within 20 s of the logged ones and nine of ten \
             within 60 s; the ranks of its waits and the log's correlate by −0.26."
        );
        assert_eq!(how_true(&all[..1]), None, "the log's own is no model");
        let shrunk = RunReport { shrink: 0.8, ..result("easy", 0.9, 1.0) };
        assert_eq!(how_true([&shrunk]), None);
        let mut unknown = result("easy", 0.9, 1.0);
        unknown.values.clear();
        assert_eq!(how_true([&unknown]), None);
    }
}
