//! What matters to a person who reads a table.

use crate::RunReport;
use packfair_engine::metric::{Aim, Metric};
use serde::{Deserialize, Serialize};

/// What matters to a person who reads a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Concern {
    /// To be better in something and worse in nothing.
    #[default]
    Everything,
    /// Short jobs should not wait long: bounded slowdown.
    Slowdown,
    /// Response time of the average job.
    Response,
    /// Packing efficiency (METRICS §III).
    Packing,
    /// Fairness: unfairness by fair start times and by fair shares (FAIRNESS §3) where they are measured, P²SF (METRICS
    /// §IV) where they are not.
    Fairness,
    /// No job should wait for very long.
    LongestWait,
    /// Any other measure that has a better direction.
    Of(Metric),
}

/// The measures of fairness, where a table has any of them.
const UNFAIRNESS: [Metric; 3] = [Metric::StrictUnfairness, Metric::RelaxedUnfairness, Metric::UnfairShare];

impl Concern {
    /// The concerns that have names of their own, in the order in which they are offered.
    pub const NAMED: [Concern; 6] = [
        Concern::Everything,
        Concern::Slowdown,
        Concern::Response,
        Concern::Packing,
        Concern::Fairness,
        Concern::LongestWait,
    ];

    /// The concerns offered for a table with these columns: everything, and one for each measure that has a better
    /// direction. Where no column has one, the named concerns.
    pub fn offered(columns: &[Metric]) -> Vec<Concern> {
        let mut offered = vec![Concern::Everything];
        for concern in columns.iter().filter_map(|&metric| Concern::of(metric)) {
            if !offered.contains(&concern) {
                offered.push(concern);
            }
        }
        if offered.len() == 1 { Concern::NAMED.to_vec() } else { offered }
    }

    /// The concern that a measure serves; `None` where neither direction is better.
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

    /// The measures that a concern is judged by, in a table with these columns and results; empty for
    /// [`Concern::Everything`].
    pub(super) fn measures(self, columns: &[Metric], reports: &[&RunReport]) -> Vec<Metric> {
        match self {
            Concern::Everything => Vec::new(),
            Concern::Slowdown => vec![Metric::Bsld],
            Concern::Response => vec![Metric::Af],
            Concern::Packing => vec![Metric::Awf],
            Concern::Fairness => {
                // Fair shares follow from any schedule; fair starts are only there where a person asked for them.
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

    /// The column by which a table is sorted for the concern.
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

    /// The concern with that id; it may be the id of a metric.
    ///
    /// # Errors
    /// A message that lists the known ids, where there is none of that id.
    pub fn from_id(id: &str) -> Result<Concern, String> {
        let named = Concern::NAMED.into_iter().find(|concern| concern.id() == id);
        let of_metric = || id.parse().ok().and_then(Concern::of);
        named.or_else(of_metric).ok_or_else(|| {
            format!("there are {}, and each column that is better one way", Concern::NAMED.map(Concern::id).join(", "))
        })
    }

    /// The name of the concern, as on a button.
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
