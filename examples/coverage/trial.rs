//! One trial: intervals from one log alone, as the program makes them from repeats.

use super::law::Law;
use packfair::metric::{Measure, Metric};
use packfair::study::sureness::{Interval, Repeats, measured};
use packfair::study::{Rules, Run, Running};
use packfair::workload::Workload;

/// The metrics whose intervals are judged.
pub const METRICS: [Metric; 6] =
    [Metric::Af, Metric::Bsld, Metric::Awf, Metric::P2sf, Metric::Loc, Metric::Utilisation];

/// The seeds of the logs that stand for the truth, and of those from which intervals are made.
const SEEDS: (u64, u64) = (2, 1);

/// A value of EASY in each metric, then the relative change from it to the other scheduler in each.
pub type Values = Vec<f64>;

/// What the intervals of one quantity are worth.
pub struct Worth {
    /// The mean over further logs.
    pub truth: f64,
    /// The share of the intervals that hold it.
    pub coverage: f64,
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
        let values = measured(&ended.workload, &ended.schedule, &Measure::default(), &METRICS);
        values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect()
    };
    let (easy, other) = (of("easy"), of("easy:backfill=sjf"));
    let changes = easy.iter().zip(&other).map(|(easy, other)| other / easy - 1.0);
    easy.iter().copied().chain(changes).collect()
}

/// The worth of the intervals on `logs` logs of a law, `weeks` long, against the mean of `truths` further ones.
pub fn worth(law: &Law, weeks: usize, logs: u64, truths: u64, repeats: u32) -> Vec<Worth> {
    let quantities = 2 * METRICS.len();
    let mut sums = vec![0.0; quantities];
    for index in 0..truths {
        sums.iter_mut().zip(values(&law.log(weeks, SEEDS.0, index))).for_each(|(sum, value)| *sum += value);
    }
    let truth: Vec<f64> = sums.iter().map(|sum| sum / truths as f64).collect();
    let (mut held, mut centres, mut widths) = (vec![0.0; quantities], vec![0.0; quantities], vec![0.0; quantities]);
    for index in 0..logs {
        let log = law.log(weeks, SEEDS.1, index);
        let own = values(&log);
        let drawn = Repeats { seed: index, ..Repeats::of(repeats) };
        let all: Vec<Values> = (0..repeats).map(|repeat| values(&drawn.workload(&log, repeat).unwrap())).collect();
        for quantity in 0..quantities {
            let mut each: Vec<f64> = all.iter().map(|values| values[quantity]).collect();
            let interval = Interval::of(each.clone()).unwrap();
            held[quantity] += f64::from(u8::from(interval.holds(truth[quantity])));
            widths[quantity] += interval.high - interval.low;
            each.sort_by(f64::total_cmp);
            centres[quantity] += each[each.len() / 2] / own[quantity];
        }
    }
    let each = 0..quantities;
    each.map(|quantity| {
        let (truth, logs) = (truth[quantity], logs as f64);
        let unit = if quantity < METRICS.len() { truth } else { 1.0 };
        Worth {
            truth,
            coverage: held[quantity] / logs,
            centre: centres[quantity] / logs,
            width: widths[quantity] / logs / unit,
        }
    })
    .collect()
}
