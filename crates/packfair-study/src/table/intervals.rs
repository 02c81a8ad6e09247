//! Tables with intervals, which show how sure their numbers are.

use super::{Cell, CellDisplay, Mode, Table};
use packfair_engine::metric::Metric;
use crate::Run;
use crate::format::{self, MISSING, TimeUnit};
use crate::sureness::{Interval, Repeated, share_held};
use crate::verdict::{MarkedRow, Measurement, change_interval, keep_sure_marks, value_interval};
use packfair_workload::Resampling;
use std::collections::BTreeSet;

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
    /// Changes that are shown with an interval.
    all: usize,
    /// The changes whose interval does not contain 0.
    sure: usize,
    /// Shown changes for which there is no interval that fits the log.
    unknown: usize,
    /// The metrics with a number that lies outside its interval.
    outside: BTreeSet<Metric>,
}

impl SureChanges {
    /// Counts one more cell.
    fn count(&mut self, cell: &Cell) {
        if let Some(change) = cell.shown_change_interval() {
            self.all += 1;
            self.sure += usize::from(!change.is_unsure());
        }
        self.unknown += usize::from(cell.shown == CellDisplay::Change && cell.change_interval.is_none());
    }

    /// Notes that a number of this metric lies outside its interval.
    fn misfits(&mut self, metric: Metric) {
        self.outside.insert(metric);
    }

    /// The count in a sentence or two, with an explanation of the intervals.
    pub fn in_words(self, repeated: &Repeated) -> String {
        let SureChanges { all, sure, unknown, outside } = self;
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
        let names: Vec<&str> = outside.iter().map(|metric| metric.about().name).collect();
        let misfit = if names.is_empty() {
            String::new()
        } else {
            format!(
                " Repeats do not fit this log by {}: its own numbers lie outside what they hold. No interval is shown of \
                 these, and nothing is claimed.",
                names.join(", ")
            )
        };
        let intervals = format!("Intervals hold {} of the values on {done} {way}.{misfit}", share_held(complete));
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

impl Cell {
    /// Sets the cell's intervals from the repeats of its run, where they fit the log, and counts it.
    pub fn set_intervals(&mut self, repeated: &Repeated, run: &Run, baseline: Option<&Run>, tally: &mut SureChanges) {
        let (metric, own) = (self.metric, Measurement { run, value: self.value });
        self.is_repeated = true;
        self.interval = value_interval(repeated, own, metric);
        let than = baseline.zip(self.baseline).map(|(run, value)| Measurement { run, value });
        let compared = than.zip(self.change);
        self.change_interval = compared.and_then(|(than, change)| change_interval(repeated, own, than, change, metric));
        let is_dropped = match self.shown {
            CellDisplay::Value => self.interval.is_none() && repeated.interval(run, metric).is_some(),
            CellDisplay::Change => {
                let was_there = baseline.and_then(|baseline| repeated.change(run, baseline, metric)).is_some();
                self.change_interval.is_none() && was_there
            }
            CellDisplay::Nothing => false,
        };
        if is_dropped {
            tally.misfits(metric);
        }
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
    use packfair_engine::metric::Curves;
    use crate::sureness::Repeats;
    use crate::table::{Mode, csv, json, text};
    use crate::{Baseline, RunReport};

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
        }
    }

    /// Two runs and three repeats: AF falls in each repeat, AWF rises in some.
    fn table() -> Table {
        let reports = [report("justbf", 100.0, 100.0), report("easy", 80.0, 101.0)];
        let runs = reports.each_ref().map(|report| report.run.clone());
        let mut repeated = Repeated::new(Repeats::of(3), vec![Metric::Af, Metric::Awf], &runs);
        for (repeat, (af, awf)) in [(75.0, 98.0), (85.0, 105.0), (80.0, 100.0)].into_iter().enumerate() {
            repeated.set(&runs[0], repeat as u32, vec![Some(100.0), Some(100.0)]);
            repeated.set(&runs[1], repeat as u32, vec![Some(af), Some(awf)]);
        }
        let baseline = Baseline::Scheduler("justbf".parse().unwrap());
        Table::of(&reports, &[Metric::Af, Metric::Awf], &baseline, Mode::Change).with_repeats(&repeated)
    }

    #[test]
    fn changes_have_intervals_and_those_that_could_be_none_say_so() {
        let table = table();
        let easy: Vec<&Cell> = table.rows[1].cells.iter().flatten().collect();
        assert_eq!(easy[0].text(TimeUnit::Seconds), "−20\u{a0}% (−25 to −15\u{a0}%)");
        assert_eq!(easy[1].text(TimeUnit::Seconds), "not sure: −2 to +5\u{a0}%");
        assert!(!easy[0].is_unsure() && easy[1].is_unsure());
        assert_eq!(table.rows[0].cells[0].unwrap().text(TimeUnit::Seconds), "100.0 (100.0–100.0)");
        assert_eq!(
            table.sureness.as_deref().unwrap(),
            "1 of 2 changes with an interval are sure; of the others it contains 0. Intervals hold all of the values on 3 \
             workloads with the users' weeks drawn anew."
        );
        assert!(text(&table, TimeUnit::Seconds).contains("not sure: −2 to +5"));
    }

    #[test]
    fn a_number_outside_its_interval_says_why() {
        let (justbf, easy) = (report("justbf", 100.0, 100.0), report("easy", 80.0, 135.0));
        let runs = [justbf.run.clone(), easy.run.clone()];
        let mut repeated = Repeated::new(Repeats::of(2), vec![Metric::Af, Metric::Awf], &runs);
        for (repeat, awf) in [143.0, 292.0].into_iter().enumerate() {
            repeated.set(&runs[0], repeat as u32, vec![Some(100.0), Some(100.0)]);
            repeated.set(&runs[1], repeat as u32, vec![Some(80.0), Some(awf)]);
        }
        let baseline = Baseline::Scheduler("justbf".parse().unwrap());
        let table = Table::of([&justbf, &easy], &[Metric::Af, Metric::Awf], &baseline, Mode::Change);
        let table = table.with_repeats(&repeated);
        assert_eq!(table.rows[1].cells[1].unwrap().text(TimeUnit::Seconds), "+35\u{a0}%");
        assert!(table.rows[1].cells[1].unwrap().is_unsure(), "nothing is claimed of it");
        let said = table.sureness.unwrap();
        assert!(said.ends_with(
            "Repeats do not fit this log by AWF: its own numbers lie outside what they hold. No interval is shown of these, \
             and nothing is claimed."
        ), "{said}");
    }

    #[test]
    fn programs_get_bounds() {
        let csv = csv(&table());
        let heading = "AF,AF_change,AF_low,AF_high,AF_change_low,AF_change_high,AWF,";
        assert!(csv.lines().next().unwrap().contains(heading), "{csv}");
        assert!(csv.lines().nth(2).unwrap().contains("80,-0.2,75,85,-0.25,-0.15,101,0.01,98,105,-0.02,0.05"), "{csv}");
        let json: serde_json::Value = serde_json::from_str(&json(&table())).unwrap();
        assert_eq!(json[1]["intervals"]["AF"]["high"], 85.0);
        assert_eq!(json[1]["change_intervals"]["AWF"]["low"], -0.02);
    }
}
