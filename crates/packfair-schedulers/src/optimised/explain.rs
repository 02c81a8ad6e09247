//! Why a waiting job does not start: its place in the plan, and what it would cost to start the job now.

use super::decode::Decoder;
use super::objective::{Objective, Weights};
use super::problem::RoundProblem;

/// A waiting job in the plan of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundExplanation {
    /// What the plan minimises.
    pub objective: Objective,
    /// The job's place among the planned starts, from 1. Jobs with equal starts are in the order of the plan.
    pub place: usize,
    /// The number of planned jobs.
    pub jobs: usize,
    /// The planned start of the job, seconds from now.
    pub start: i32,
    /// By how much the objective would rise if the job started now and the others followed in the order of the plan.
    /// None where too few processors are free. It is not negative if the plan is a best one.
    pub extra: Option<f64>,
    /// The objective of the plan.
    pub planned: f64,
}

/// Explains a job of the plan with this `order`; none where the job is not in it.
pub fn explain(problem: &RoundProblem, objective: Objective, order: &[u32], job: u32) -> Option<RoundExplanation> {
    let at = order.iter().position(|&other| other == job)?;
    let mut starts = Vec::new();
    let mut decoder = Decoder::default();
    let planned = decoder.decode(problem, order, &mut starts).value();
    let start = starts[at];
    let before = starts.iter().enumerate().filter(|&(i, &other)| (other, i) < (start, at)).count();
    let mut first = vec![job];
    first.extend(order.iter().copied().filter(|&other| other != job));
    let otherwise = decoder.decode(problem, &first, &mut starts).value();
    let extra = (starts[0] == 0).then_some(otherwise - planned);
    Some(RoundExplanation { objective, place: before + 1, jobs: order.len(), start, extra, planned })
}

impl std::fmt::Display for RoundExplanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "planned {} of {} for {}", Ordinal(self.place), self.jobs, name(self.objective))?;
        match self.extra {
            _ if self.start == 0 => f.write_str("; it starts now"),
            None => f.write_str("; too few processors are free to start it now"),
            Some(extra) => {
                f.write_str("; starting it now would have cost ")?;
                match self.objective {
                    Objective::Weighted(Weights::AF) => write!(f, "{} of response in all", RoundedTime(extra)),
                    Objective::Bsld => write!(f, "{extra:.1} of slowdown in all"),
                    // this objective has no unit that tells a person anything
                    _ => write!(f, "{:.1} % more of it", 100.0 * extra / self.planned.abs().max(f64::MIN_POSITIVE)),
                }
            }
        }
    }
}

fn name(objective: Objective) -> &'static str {
    let unfaded = match objective {
        Objective::Weighted(weights) => Objective::Weighted(Weights { fade: 0.0, ..weights }),
        other => other,
    };
    match unfaded {
        Objective::Bsld => "BSLD",
        Objective::P2sf => "P²SF",
        Objective::P2sfSum => "the numerator of P²SF",
        Objective::Weighted(Weights::AF) => "AF",
        Objective::Weighted(Weights::AWF) => "AWF",
        Objective::Weighted(_) => "the weighted sum",
    }
}

/// A place as a word where the word is short, and as a number otherwise.
struct Ordinal(usize);

impl std::fmt::Display for Ordinal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const WORDS: [&str; 9] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
        match (self.0.checked_sub(1).and_then(|i| WORDS.get(i)), self.0 % 10, self.0 % 100) {
            (Some(word), _, _) => f.write_str(word),
            (None, 1, hundred) if hundred != 11 => write!(f, "{}st", self.0),
            (None, 2, hundred) if hundred != 12 => write!(f, "{}nd", self.0),
            (None, 3, hundred) if hundred != 13 => write!(f, "{}rd", self.0),
            (None, ..) => write!(f, "{}th", self.0),
        }
    }
}

/// A span of time in seconds, written in the largest unit of which it has at least one.
struct RoundedTime(f64);

impl std::fmt::Display for RoundedTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const UNITS: [(f64, &str); 4] = [(86_400.0, "days"), (3_600.0, "h"), (60.0, "min"), (1.0, "s")];
        let (length, unit) = UNITS.into_iter().find(|(length, _)| self.0 >= *length).unwrap_or((1.0, "s"));
        let value = self.0 / length;
        // one digit behind the point, unless that is about 0
        if value < 10.0 && (value - value.round()).abs() > 0.05 {
            write!(f, "{value:.1} {unit}")
        } else {
            write!(f, "{value:.0} {unit}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_as_a_sentence() {
        let objective = Objective::Weighted(Weights::AF);
        let explained =
            RoundExplanation { objective, place: 3, jobs: 14, start: 60, extra: Some(10_800.0), planned: 1.0 };
        let said = explained.to_string();
        assert_eq!(said, "planned third of 14 for AF; starting it now would have cost 3 h of response in all");
        let explained = RoundExplanation { place: 22, jobs: 30, extra: None, ..explained };
        assert_eq!(explained.to_string(), "planned 22nd of 30 for AF; too few processors are free to start it now");
        let explained =
            RoundExplanation { place: 11, extra: Some(5.0), objective: Objective::P2sf, planned: 200.0, ..explained };
        assert_eq!(
            explained.to_string(),
            "planned 11th of 30 for P²SF; starting it now would have cost 2.5 % more of it"
        );
    }

    #[test]
    fn spans_are_in_the_unit_that_fits() {
        let said = [5.0, 90.0, 3_600.0, 100_000.0, 1e7].map(|span| RoundedTime(span).to_string());
        assert_eq!(said, ["5 s", "1.5 min", "1 h", "1.2 days", "116 days"]);
    }
}
