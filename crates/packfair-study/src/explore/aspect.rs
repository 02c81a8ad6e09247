//! What a search measures of a run.

use crate::format::{SPACE, TimeUnit, number, unit, value};
use packfair_engine::metric::{Aim, Grouping, Metric};
use packfair_workload::UnitText;
use std::fmt;
use std::str::FromStr;

/// What a search measures of a run. As text: `max_wait`, `loss(user)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    Metric(Metric),
    /// The largest loss of a group against the baseline, as a share: by how much the mean wait of its jobs grows; 0
    /// where no group loses ([`crate::GroupedWaits`]).
    Loss(Grouping),
}

impl Aspect {
    pub fn name(self) -> String {
        match self {
            Aspect::Metric(metric) => metric.about().name.to_owned(),
            // what SWF calls a queue is a QOS in a log of Slurm
            Aspect::Loss(Grouping::Queue) => "Loss by queue or QOS".to_owned(),
            Aspect::Loss(by) => format!("Loss by {}", by.name().to_lowercase()),
        }
    }

    /// The name as a heading of values in hours, with the unit.
    pub fn heading(self, part: &str) -> String {
        let unit = match self {
            Aspect::Metric(metric) => unit(metric, TimeUnit::Hours),
            Aspect::Loss(_) => "",
        };
        let name = self.name();
        if unit.is_empty() { format!("{name}{part}") } else { format!("{name}{part} ({unit})") }
    }

    pub fn help(self) -> UnitText {
        match self {
            Aspect::Metric(metric) => metric.about().help,
            Aspect::Loss(_) => UnitText::new(
                "By how much the mean wait of the group that loses most is longer than under the baseline, of groups \
                 with 20 jobs and more and by more than a minute; of a wait before of at least a minute",
            ),
        }
    }

    /// Whether much or little of it is better.
    pub fn aim(self) -> Aim {
        match self {
            Aspect::Metric(metric) => metric.about().aim,
            Aspect::Loss(_) => Aim::Low,
        }
    }

    /// Whether its values are times, in seconds.
    pub fn is_time(self) -> bool {
        matches!(self, Aspect::Metric(metric) if metric.about().unit == "s")
    }

    pub fn text(self, of: f64, time: TimeUnit) -> String {
        match self {
            Aspect::Metric(metric) => value(metric, of, time),
            Aspect::Loss(_) => format!("{}{SPACE}%", number(100.0 * of)),
        }
    }

    /// Whether a change of its value relative to the baseline's says anything: a loss is one already.
    pub fn has_changes(self) -> bool {
        matches!(self, Aspect::Metric(_))
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aspect::Metric(metric) => metric.fmt(f),
            Aspect::Loss(by) => write!(f, "loss({by})"),
        }
    }
}

impl FromStr for Aspect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("loss(").and_then(|rest| rest.strip_suffix(')')) {
            Some(by) if by.eq_ignore_ascii_case("qos") => Ok(Aspect::Loss(Grouping::Queue)),
            Some(by) => by.parse().map(Aspect::Loss).map_err(|error| format!("{error}")),
            None => text.parse().map(Aspect::Metric).map_err(|error| format!("{error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aspect_is_its_text_again() {
        for text in ["max_wait", "loss(user)", "loss(runtime-dynp)"] {
            assert_eq!(text.parse::<Aspect>().unwrap().to_string(), text);
        }
        let loss: Aspect = "loss(partition)".parse().unwrap();
        assert_eq!((loss.heading(", select"), loss.is_time()), ("Loss by partition, select".to_owned(), false));
        assert_eq!(loss.text(0.125, TimeUnit::Hours).replace(SPACE, " "), "12.5 %");
        let of_slurm: Aspect = "loss(QOS)".parse().unwrap();
        assert_eq!((of_slurm, of_slurm.name()), (Aspect::Loss(Grouping::Queue), "Loss by queue or QOS".to_owned()));
        assert!("loss(nobody)".parse::<Aspect>().unwrap_err().contains("there is no"));
        assert!("loss(user".parse::<Aspect>().unwrap_err().contains("there is no metric"));
    }
}
