//! What a person cares for.

use crate::metric::{Aim, Metric};
use crate::study::RunReport;
use serde::{Deserialize, Serialize};

/// What a person cares for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Concern {
    /// To be better in something and worse in nothing.
    #[default]
    Everything,
    /// That short jobs do not wait long: bounded slowdown.
    Slowdown,
    /// Response time of the average job.
    Response,
    /// Packing efficiency (METRICS §III).
    Packing,
    /// Fairness: unfairness by fair start times and by fair shares (FAIRNESS §3) where they are measured, P²SF (METRICS
    /// §IV) where they are not.
    Fairness,
    /// That nobody waits for very long.
    LongestWait,
    /// Any other measure that is better one way.
    Of(Metric),
}

/// What fairness is judged by where a table has it.
const UNFAIRNESS: [Metric; 3] = [Metric::StrictUnfairness, Metric::RelaxedUnfairness, Metric::UnfairShare];

impl Concern {
    /// Those with a name of their own, in the order in which they are offered.
    pub const NAMED: [Concern; 6] = [
        Concern::Everything,
        Concern::Slowdown,
        Concern::Response,
        Concern::Packing,
        Concern::Fairness,
        Concern::LongestWait,
    ];

    /// What can matter in a table with these columns: everything, and each measure that is better one way. Where none
    /// of them is, the named ones.
    pub fn offered(columns: &[Metric]) -> Vec<Concern> {
        let mut offered = vec![Concern::Everything];
        for concern in columns.iter().filter_map(|&metric| Concern::of(metric)) {
            if !offered.contains(&concern) {
                offered.push(concern);
            }
        }
        if offered.len() == 1 { Concern::NAMED.to_vec() } else { offered }
    }

    /// The one that a measure serves; none where it is better neither way.
    fn of(metric: Metric) -> Option<Concern> {
        match metric {
            Metric::Bsld => Some(Concern::Slowdown),
            Metric::Af => Some(Concern::Response),
            Metric::Awf => Some(Concern::Packing),
            Metric::P2sf | Metric::StrictUnfairness | Metric::RelaxedUnfairness | Metric::UnfairShare => {
                Some(Concern::Fairness)
            }
            Metric::MaxWait => Some(Concern::LongestWait),
            _ => (metric.about().aim != Aim::None).then_some(Concern::Of(metric)),
        }
    }

    /// The measures by which it is judged in a table with these columns and results; none where all count.
    pub(super) fn measures(self, columns: &[Metric], reports: &[&RunReport]) -> Vec<Metric> {
        match self {
            Concern::Everything => Vec::new(),
            Concern::Slowdown => vec![Metric::Bsld],
            Concern::Response => vec![Metric::Af],
            Concern::Packing => vec![Metric::Awf],
            Concern::Fairness => {
                // fair shares follow from any schedule, fair starts only where somebody asked for them
                let is_measured = |metric: &Metric| {
                    columns.contains(metric)
                        || (Metric::OF_FAIR_STARTS.contains(metric)
                            && reports.iter().any(|report| report.values.contains_key(metric)))
                };
                let measured: Vec<Metric> = UNFAIRNESS.into_iter().filter(is_measured).collect();
                if measured.is_empty() { vec![Metric::P2sf] } else { measured }
            }
            Concern::LongestWait => vec![Metric::MaxWait],
            Concern::Of(metric) => vec![metric],
        }
    }

    /// By which of these columns a table is sorted for it.
    pub fn sorts_by(self, columns: &[Metric]) -> Option<Metric> {
        self.measures(columns, &[]).into_iter().find(|metric| columns.contains(metric))
    }

    /// Stable id.
    pub fn id(self) -> &'static str {
        match self {
            Concern::Everything => "everything",
            Concern::Slowdown => "slowdown",
            Concern::Response => "response",
            Concern::Packing => "packing",
            Concern::Fairness => "fairness",
            Concern::LongestWait => "longest-wait",
            Concern::Of(metric) => metric.about().id,
        }
    }

    /// Of that id, or of that metric.
    ///
    /// # Errors
    /// What there is, where there is none of that id.
    pub fn from_id(id: &str) -> Result<Concern, String> {
        let named = Concern::NAMED.into_iter().find(|concern| concern.id() == id);
        let of_metric = || id.parse().ok().and_then(Concern::of);
        named.or_else(of_metric).ok_or_else(|| {
            format!("there are {}, and each column that is better one way", Concern::NAMED.map(Concern::id).join(", "))
        })
    }

    /// By itself, as on a button.
    pub fn title(self) -> &'static str {
        match self {
            Concern::Everything => "Everything",
            Concern::Slowdown => "Slowdown",
            Concern::Response => "Response time",
            Concern::Packing => "Packing",
            Concern::Fairness => "Fairness",
            Concern::LongestWait => "Longest wait",
            Concern::Of(metric) => metric.about().name,
        }
    }
}
