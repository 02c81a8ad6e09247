//! How true a simulation is to the machine, in a sentence.

use crate::study::format::{correlation, duration, estimate, number};
use crate::study::verdict::{Closeness, Fit, FitGrade};
use crate::study::{RunPartition, RunReport};

/// The scheduler that comes nearest to what the log tells, and how near it comes ([`Fit`]); for each partition where
/// partitions are simulated separately. Where no row claims to be the cluster's own and none starts most jobs as logged,
/// it says first that no row schedules as the cluster did. `None` where the log does not tell.
pub fn how_true<'a>(results: impl IntoIterator<Item = &'a RunReport>) -> Option<String> {
    let results: Vec<&RunReport> = results.into_iter().collect();
    let mut machines: Vec<Option<&RunPartition>> = Vec::new();
    for report in &results {
        let machine = report.run.partition.as_ref();
        if !machines.contains(&machine) {
            machines.push(machine);
        }
    }
    let sentence = |machine: &Option<&RunPartition>| {
        let name = machine.filter(|_| machines.len() > 1).map(|of| format!("{}: ", of.name)).unwrap_or_default();
        let fit = Fit::on(*machine, results.iter().copied())?;
        let is_own = fit.report.run.scheduler.goes_by_site() || fit.grade() == FitGrade::Green;
        let none = if is_own { "" } else { "No row schedules as this cluster did. " };
        Some(format!("{name}{none}{}", nearest(&fit)))
    };
    let sentences: Vec<String> = machines.iter().filter_map(sentence).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn nearest(fit: &Fit<'_>) -> String {
    let Fit { report, closeness: Closeness { near, gap, gap90, rank } } = *fit;
    let ranks = match rank {
        Some(value) => format!("; the ranks of its waits and the log's correlate by {}", correlation(value)),
        None => String::new(),
    };
    format!(
        "{} with {} estimates comes nearest to the log. {} % of its jobs start within 5 min of their logged start, half of \
         its waits are within {} of the logged ones and nine of ten within {}{ranks}.",
        report.run.scheduler.name(),
        estimate(&report.run.estimate),
        number(100.0 * near),
        duration(gap),
        duration(gap90)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::{Curves, Metric};
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
            machine_use: None,
            is_plain: false,
            overfull: None,
            saturation: None,
            is_too_short: false,
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
            "No row schedules as this cluster did. EASY with requested estimates comes nearest to the log. 50.0 % of its jobs start \
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
