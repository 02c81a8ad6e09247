//! Tables with intervals, which show how sure their numbers are.

use super::{CellDisplay, Mode, Table, TableCell};
use crate::metric::Metric;
use crate::study::Run;
use crate::study::format::{self, MISSING, TimeUnit};
use crate::study::sureness::{Interval, NoInterval, Repeated};
use crate::study::verdict::{MarkedRow, Measurement, change_interval, keep_sure_marks, value_interval};
use crate::workload::Resampling;
use std::collections::{BTreeMap, BTreeSet};

/// The text before the bounds of a change that is not sure.
pub const NOT_SURE: &str = "not sure: ";

impl Table {
    /// The same table with the intervals of repeats, and a sentence on how sure the changes are.
    pub fn with_repeats(mut self, repeated: &Repeated) -> Self {
        let mut tally = SureChanges::default();
        for row in &mut self.rows {
            let baseline = self.baseline.of(&row.run);
            for cell in row.cells.iter_mut().flatten() {
                cell.set_intervals(repeated, &row.run, baseline.as_ref(), &mut tally);
            }
        }
        let (mode, baseline) = (self.mode, &self.baseline);
        // Where changes are shown, marks compare rows with the same baseline; otherwise all rows.
        let group = |run: &Run| baseline.of(run).filter(|_| mode == Mode::Change).map(|run| run.id());
        let rows = self.rows.iter_mut();
        let mut rows: Vec<MarkedRow> =
            rows.map(|row| MarkedRow { run: &row.run, group: group(&row.run), cells: &mut row.cells }).collect();
        keep_sure_marks(&mut rows, repeated);
        self.sureness = Some(tally.in_words(repeated));
        self
    }
}

/// How many changes are sure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SureChanges {
    all: usize,
    /// The changes whose interval does not contain 0.
    sure: usize,
    /// Shown changes that have no interval.
    unknown: usize,
    /// The metrics with a number that has no interval, by the reason.
    without: BTreeMap<NoInterval, BTreeSet<Metric>>,
}

impl SureChanges {
    fn count(&mut self, cell: &TableCell) {
        if let Some(change) = cell.shown_change_interval() {
            self.all += 1;
            self.sure += usize::from(!change.is_unsure());
        }
        self.unknown += usize::from(cell.shown == CellDisplay::Change && cell.change_interval.is_none());
        if let Some(why) = cell.no_interval.filter(|why| *why != NoInterval::NotRepeated) {
            self.without.entry(why).or_default().insert(cell.metric);
        }
    }

    /// The count in a sentence or two, with an explanation of the intervals.
    pub fn in_words(self, repeated: &Repeated) -> String {
        let SureChanges { all, sure, unknown, without } = self;
        let (complete, count) = (repeated.complete(), repeated.repeats.count as usize);
        let done = if complete == count {
            format::whole(count as i64)
        } else {
            format!("{} of {}", format::whole(complete as i64), format::whole(count as i64))
        };
        let way = match repeated.repeats.way {
            Resampling::Users => "workloads with the users' weeks drawn anew",
            Resampling::Shake => "workloads with shaken submit times",
            Resampling::Draws => "draws of what differs from run to run of a real Slurm",
        };
        let without: String = without.into_iter().map(|(why, metrics)| without_in_words(why, &metrics)).collect();
        let intervals = format!("95 % intervals, from {done} {way}.{without}");
        let told = match all {
            0 => return intervals,
            _ if sure == all && unknown == 0 => return format!("All {all} changes are sure. {intervals}"),
            _ if sure == all => format!("All {all} changes with an interval are sure"),
            _ => format!("{sure} of {all} changes with an interval are sure; of the others it contains 0"),
        };
        match unknown {
            0 => format!("{told}. {intervals}"),
            _ => format!("{told}; {unknown} more have none. {intervals}"),
        }
    }
}

/// Why numbers of these metrics have no interval, as a sentence after others.
fn without_in_words(why: NoInterval, metrics: &BTreeSet<Metric>) -> String {
    let names: Vec<&str> = metrics.iter().map(|metric| metric.about().name).collect();
    format!(" No interval of {}: {}. Nothing is claimed of it.", names.join(", "), why.why())
}

impl TableCell {
    /// Sets the cell's intervals from the repeats of its run, or why it has none, and counts it.
    pub fn set_intervals(&mut self, repeated: &Repeated, run: &Run, baseline: Option<&Run>, tally: &mut SureChanges) {
        let (metric, own) = (self.metric, Measurement { run, value: self.value });
        self.is_repeated = true;
        let of_value = value_interval(repeated, own, metric);
        let than = baseline.zip(self.baseline).map(|(run, value)| Measurement { run, value });
        let of_change = than.zip(self.change).map_or(Err(NoInterval::NotRepeated), |(than, change)| {
            change_interval(repeated, own, than, change, metric)
        });
        (self.interval, self.change_interval) = (of_value.ok(), of_change.ok());
        self.no_interval = match self.shown {
            CellDisplay::Value => of_value.err(),
            CellDisplay::Change => of_change.err(),
            CellDisplay::Nothing => None,
        };
        tally.count(self);
    }

    /// The interval of the change, where the cell shows the change.
    pub fn shown_change_interval(&self) -> Option<Interval> {
        self.change_interval.filter(|_| self.shown == CellDisplay::Change)
    }

    /// Whether the cell shows a change that is no fact: the table has repeats, and the interval of the change contains 0,
    /// does not fit the log, or is not there.
    pub fn is_unsure(&self) -> bool {
        let is_open = self.change_interval.is_none_or(Interval::is_unsure);
        self.shown == CellDisplay::Change && self.is_repeated && is_open
    }

    /// The shown number and its interval; for a change that is not sure only the interval.
    pub(super) fn text_with_interval(&self, unit: TimeUnit) -> String {
        let value = self.value_text(unit);
        match self.interval_text(unit) {
            Some(interval) if self.is_unsure() => interval,
            Some(interval) => format!("{value} ({interval})"),
            None => value,
        }
    }

    /// The interval of the shown number, for a person: `60.2–75.0`, `−75 to −60 %`, `not sure: −2 to +5 %`.
    pub fn interval_text(&self, unit: TimeUnit) -> Option<String> {
        match self.shown {
            CellDisplay::Value => self.interval.map(|Interval { low, high }| {
                let [low, high] = [low, high].map(|bound| format::value(self.metric, bound, unit));
                format!("{low}{MISSING}{high}")
            }),
            CellDisplay::Change => self.change_interval.map(|change| {
                let [low, high] = [change.low, change.high].map(format::change);
                let low = low.trim_end_matches('%').trim_end_matches(format::SPACE);
                format!("{}{low} to {high}", if change.is_unsure() { NOT_SURE } else { "" })
            }),
            CellDisplay::Nothing => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Curves;
    use crate::study::sureness::Repeats;
    use crate::study::table::{Mode, csv, json, text};
    use crate::study::{Baseline, RunReport};

    fn report(id: &str, af: f64, awf: f64) -> RunReport {
        RunReport {
            run: Run::new(id.parse().unwrap(), "actual".parse().unwrap()),
            shrink: 1.0,
            jobs: 10,
            values: [(Metric::Af, af), (Metric::Awf, awf)].into(),
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

    /// Repeats of two runs: of each, these values of AF and AWF come in turn.
    fn repeated(runs: &[Run], [one, other]: [&[[f64; 2]]; 2]) -> Repeated {
        let mut repeated = Repeated::new(Repeats::of(60), vec![Metric::Af, Metric::Awf], runs);
        for (run, values) in runs.iter().zip([one, other]) {
            for (repeat, values) in (0..60).zip(values.iter().cycle()) {
                repeated.set(run, repeat, values.map(Some).to_vec());
            }
        }
        repeated
    }

    /// Two runs and their repeats: AF falls in each repeat, AWF rises in some.
    fn table() -> Table {
        let reports = [report("justbf", 100.0, 100.0), report("easy", 80.0, 101.0)];
        let runs = reports.each_ref().map(|report| report.run.clone());
        let repeated = repeated(&runs, [&[[100.0; 2]], &[[78.0, 98.0], [82.0, 105.0], [80.0, 100.0]]]);
        let baseline = Baseline::Scheduler("justbf".parse().unwrap());
        Table::of(&reports, &[Metric::Af, Metric::Awf], &baseline, Mode::Change).with_repeats(&repeated)
    }

    #[test]
    fn changes_have_intervals_and_those_that_could_be_none_say_so() {
        let table = table();
        let easy: Vec<&TableCell> = table.rows[1].cells.iter().flatten().collect();
        assert_eq!(easy[0].text(TimeUnit::Seconds), "−20\u{a0}% (−23 to −17\u{a0}%)");
        assert_eq!(easy[1].text(TimeUnit::Seconds), "not sure: −4 to +6\u{a0}%");
        assert!(!easy[0].is_unsure() && easy[1].is_unsure());
        assert_eq!(table.rows[0].cells[0].unwrap().text(TimeUnit::Seconds), "100.0 (100.0–100.0)");
        assert_eq!(
            table.sureness.as_deref().unwrap(),
            "1 of 2 changes with an interval are sure; of the others it contains 0. 95 % intervals, from 60 workloads \
             with the users' weeks drawn anew."
        );
        assert!(text(&table, TimeUnit::Seconds).contains("not sure: −4 to +6"));
    }

    #[test]
    fn a_number_without_an_interval_says_why() {
        let reports = [report("justbf", 100.0, 100.0), report("easy", 80.0, 135.0)];
        let runs = reports.each_ref().map(|report| report.run.clone());
        let repeated = repeated(&runs, [&[[100.0; 2]], &[[80.0, 240.0], [80.0, 270.0], [80.0, 292.0]]]);
        let baseline = Baseline::Scheduler("justbf".parse().unwrap());
        let table = Table::of(&reports, &[Metric::Af, Metric::Awf], &baseline, Mode::Change).with_repeats(&repeated);
        let awf = table.rows[1].cells[1].unwrap();
        assert_eq!(awf.text(TimeUnit::Seconds), "+35\u{a0}%");
        assert!(awf.is_unsure() && awf.no_interval == Some(NoInterval::Misfit), "nothing is claimed of it");
        let said = table.sureness.clone().unwrap();
        assert!(said.ends_with(
            " No interval of AWF: repeats do not resemble this log by it: nearly all lie to one side of its own number. \
             Nothing is claimed of it."
        ), "{said}");
        let json: serde_json::Value = serde_json::from_str(&json(&table)).unwrap();
        assert_eq!(json[1]["no_intervals"]["AWF"], NoInterval::Misfit.why());
        assert!(json[0].get("no_intervals").is_none(), "the baseline has them all: {json}");
    }

    #[test]
    fn programs_get_bounds() {
        let csv = csv(&table());
        let heading = "AF,AF_change,AF_low,AF_high,AF_change_low,AF_change_high,AWF,";
        assert!(csv.lines().next().unwrap().contains(heading), "{csv}");
        assert!(csv.lines().nth(1).unwrap().contains("100,0,100,100,0,0,100,0,100,100,0,0"), "{csv}");
        let json: serde_json::Value = serde_json::from_str(&json(&table())).unwrap();
        let bounds = |kind: &str, metric: &str| ["low", "high"].map(|end| json[1][kind][metric][end].as_f64().unwrap());
        let af = bounds("intervals", "AF");
        assert!(csv.lines().nth(2).unwrap().contains(&format!("80,-0.2,{},{},", af[0], af[1])), "{csv}");
        assert!(af[0] < 78.0 && af[1] > 82.0 && (af[0] * af[1] - 6_400.0).abs() < 1e-9, "{af:?}");
        let awf = bounds("change_intervals", "AWF");
        assert!(awf[0] < -0.02 && awf[1] > 0.05, "{awf:?}");
    }
}
