//! One trial: intervals from one log alone, as the program makes them from repeats.

use super::law::Law;
use packfair::metric::{Measure, Metric};
use packfair::study::sureness::{Interval, Repeats, measured};
use packfair::study::{Rules, Run, Running};
use packfair::workload::Workload;

/// The metrics whose intervals are judged.
pub const METRICS: [Metric; 7] =
    [Metric::Af, Metric::Bsld, Metric::Awf, Metric::P2sf, Metric::Loc, Metric::Utilisation, Metric::MaxWait];

/// The seeds of the logs that stand for the truth, and of those from which intervals are made.
const SEEDS: (u64, u64) = (2, 1);

/// Changes are told to a tenth of a percent: an interval that misses the truth by less than half of it holds it.
const TOLD: f64 = 0.0005;

/// A value of EASY in each metric, then the relative change from it to the other scheduler in each; `None` where it is
/// not defined.
pub type Values = Vec<Option<f64>>;

/// What the intervals of one quantity are worth.
pub struct Worth {
    /// The mean over further logs.
    pub truth: f64,
    /// The share of the intervals that hold it.
    pub coverage: f64,
    /// The share of the logs that have no interval.
    pub without: f64,
    /// The mean of the median of the repeats over the log's own value.
    pub centre: f64,
    /// The mean width of the intervals, relative to the truth for values.
    pub width: f64,
}

/// The values of a log under EASY, and their changes under EASY that backfills the shortest first.
pub fn values(log: &Workload) -> Values {
    let of = |id: &str| -> Values {
        let run = Run::new(id.parse().unwrap(), "requested".parse().unwrap());
        let ended = Running::begin(&run, log, Rules::default()).unwrap().ended().unwrap();
        measured(&ended.workload, &ended.schedule, &Measure::default(), &METRICS)
    };
    let (easy, other) = (of("easy"), of("easy:backfill=sjf"));
    let change = |(easy, other): (&Option<f64>, &Option<f64>)| Some((*other)? / (*easy)? - 1.0);
    let changes: Values = easy.iter().zip(&other).map(change).collect();
    easy.into_iter().chain(changes).collect()
}

/// The worth of the intervals on `logs` logs of a law, `weeks` long, against the mean of `truths` further ones.
pub fn worth(law: &Law, weeks: usize, logs: u64, truths: u64, repeats: u32) -> Vec<Worth> {
    let further: Vec<Values> = (0..truths).map(|index| values(&law.log(weeks, SEEDS.0, index))).collect();
    let each: Vec<(Values, Vec<Values>)> = (0..logs)
        .map(|index| {
            let log = law.log(weeks, SEEDS.1, index);
            let drawn = Repeats { seed: index, ..Repeats::of(repeats) };
            (values(&log), (0..repeats).map(|repeat| values(&drawn.workload(&log, repeat).unwrap())).collect())
        })
        .collect();
    (0..2 * METRICS.len())
        .map(|quantity| {
            let of_further: Vec<f64> = further.iter().filter_map(|values| values[quantity]).collect();
            let truth = of_further.iter().sum::<f64>() / of_further.len() as f64;
            of_quantity(quantity, truth, &each)
        })
        .collect()
}

fn of_quantity(quantity: usize, truth: f64, each: &[(Values, Vec<Values>)]) -> Worth {
    let is_change = quantity >= METRICS.len();
    let (unit, told) = if is_change { (1.0, TOLD) } else { (truth, 0.0) };
    let (mut held, mut centres, mut widths, mut with) = (0, 0.0, 0.0, 0);
    for (own, repeats) in each {
        let Some(own) = own[quantity] else { continue };
        let repeats: Vec<Option<f64>> = repeats.iter().map(|values| values[quantity]).collect();
        let mut sorted: Vec<f64> = repeats.iter().flatten().copied().collect();
        sorted.sort_by(f64::total_cmp);
        centres += sorted[sorted.len() / 2] / own;
        let interval = if is_change { Interval::of_change(own, &repeats) } else { Interval::of_value(own, &repeats) };
        let Ok(Interval { low, high }) = interval else { continue };
        held += usize::from((low - told..=high + told).contains(&truth));
        widths += (high - low) / unit;
        with += 1;
    }
    let (logs, with) = (each.len() as f64, with as f64);
    Worth {
        truth,
        coverage: held as f64 / with,
        without: 1.0 - with / logs,
        centre: centres / logs,
        width: widths / with,
    }
}
