//! Waits by group as a table: who waits how long, as logged and with each scheduler.

use super::format::{MISSING, change, correlation, exact, number, span, whole};
use super::table::{Grid, GridLine};
use super::{Run, preset};
use crate::estimator::{Estimate, Method};
use crate::metric::grouping::{OF_DYNP, RUN_TIMES};
use crate::metric::{CountedGroup, GroupWaits, Grouping, Measure, Outcome, logged_outcomes, outcomes, waits_by_group};
use crate::model::Schedule;
use crate::workload::{Header, Workload, width_bounds};
use serde::{Deserialize, Serialize};

/// Waits and slowdowns of a group of jobs in one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitsRow {
    pub by: Grouping,
    /// What the log calls the grouping ([`Grouping::called`]).
    pub word: String,
    pub name: String,
    /// The run; the scheduler "as logged" stands for what the log tells.
    pub run: Run,
    pub waits: GroupWaits,
}

/// A column of numbers of a table of waits by group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WaitsColumn {
    Jobs,
    WaitMean,
    WaitMedian,
    /// 90th percentile of waits.
    Wait90,
    /// 95th percentile of waits.
    Wait95,
    WaitMax,
    /// Median bounded slowdown.
    BsldMedian,
    /// 90th percentile of bounded slowdowns.
    Bsld90,
    /// 95th percentile of bounded slowdowns.
    Bsld95,
    /// Largest bounded slowdown.
    BsldMax,
    /// Share of jobs that start within five minutes of their logged start.
    NearerLog,
    /// Median difference to the logged wait.
    LogGap,
    /// 90th percentile of the difference to the logged wait.
    LogGap90,
    /// Rank correlation with the logged waits.
    LogRank,
    /// Slowdown weighted by width (DYNP §5.1).
    Sldww,
}

// The id is also the heading in CSV and the key in JSON; the name is the heading for a person.
crate::named!(WaitsColumn, "column", {
    Jobs => "jobs", "Jobs", "";
    WaitMean => "wait_mean", "Wait, average", "";
    WaitMedian => "wait_median", "Wait, median", "";
    Wait90 => "wait_p90", "Wait, 90 %", "";
    Wait95 => "wait_p95", "Wait, 95 %", "";
    WaitMax => "wait_max", "Longest wait", "";
    BsldMedian => "bsld_median", "BSLD, median", "";
    Bsld90 => "bsld_p90", "BSLD, 90 %", "";
    Bsld95 => "bsld_p95", "BSLD, 95 %", "";
    BsldMax => "bsld_max", "Largest BSLD", "";
    NearerLog => "near_log_5min", "Within 5 min", "";
    LogGap => "log_gap", "Off the log", "";
    LogGap90 => "log_gap_p90", "Off, 90 %", "";
    LogRank => "log_rank", "Rank corr.", "";
    Sldww => "sldww", "SLDwW", "";
});

impl WaitsColumn {
    /// The value of this column in a row; `None` where it is not defined.
    pub fn value(self, row: &WaitsRow) -> Option<f64> {
        let GroupWaits { jobs, wait, bsld, to_log, sldww, .. } = row.waits;
        match self {
            WaitsColumn::Jobs => Some(jobs as f64),
            WaitsColumn::WaitMean => Some(wait.mean),
            WaitsColumn::WaitMedian => Some(wait.median),
            WaitsColumn::Wait90 => Some(wait.p90),
            WaitsColumn::Wait95 => Some(wait.p95),
            WaitsColumn::WaitMax => Some(wait.max),
            WaitsColumn::BsldMedian => Some(bsld.median),
            WaitsColumn::Bsld90 => Some(bsld.p90),
            WaitsColumn::Bsld95 => Some(bsld.p95),
            WaitsColumn::BsldMax => Some(bsld.max),
            WaitsColumn::NearerLog => Some(to_log?.nearer),
            WaitsColumn::LogGap => Some(to_log?.median_gap),
            WaitsColumn::LogGap90 => Some(to_log?.p90_gap),
            WaitsColumn::LogRank => to_log?.rank_correlation,
            WaitsColumn::Sldww => Some(sldww),
        }
    }

    pub fn text(self, row: &WaitsRow) -> String {
        let Some(value) = self.value(row) else { return MISSING.to_owned() };
        match self {
            WaitsColumn::Jobs => whole(value as i64),
            WaitsColumn::NearerLog => format!("{}\u{a0}%", number(100.0 * value)),
            WaitsColumn::BsldMedian
            | WaitsColumn::Bsld90
            | WaitsColumn::Bsld95
            | WaitsColumn::BsldMax
            | WaitsColumn::Sldww => number(value),
            WaitsColumn::LogRank => correlation(value),
            _ => span(value),
        }
    }
}

impl WaitsColumn {
    /// The value of this column in a row, as a change relative to `base`, for a person. It stays absolute where `base`
    /// is missing or is the same run, and in columns that count jobs or compare with the log.
    pub fn text_beside(self, row: &WaitsRow, base: Option<&WaitsRow>) -> String {
        let is_cost = !matches!(
            self,
            WaitsColumn::Jobs
                | WaitsColumn::NearerLog
                | WaitsColumn::LogGap
                | WaitsColumn::LogGap90
                | WaitsColumn::LogRank
        );
        let Some(base) = base.filter(|base| is_cost && base.run != row.run) else { return self.text(row) };
        match (self.value(row), self.value(base)) {
            (Some(value), Some(base)) if value == base => change(0.0),
            (Some(value), Some(base)) => change(value / base - 1.0),
            _ => MISSING.to_owned(),
        }
    }
}

/// The log's own schedule as a run.
pub fn as_logged() -> Run {
    Run::new(preset("as-logged"), Estimate::of(Method::requested()))
}

pub fn waits_of(run: &Run, workload: &Workload, schedule: &Schedule, by: Grouping, measure: &Measure) -> Vec<WaitsRow> {
    rows(run, workload, &outcomes(workload, schedule), by, measure)
}

/// Waits by group as the log tells them, for the jobs whose waits it tells.
pub fn waits_as_logged(workload: &Workload, by: Grouping, measure: &Measure) -> Vec<WaitsRow> {
    rows(&as_logged(), workload, &logged_outcomes(workload), by, measure)
}

fn rows(run: &Run, workload: &Workload, all: &[Outcome], by: Grouping, measure: &Measure) -> Vec<WaitsRow> {
    let groups = waits_by_group(workload, &measure.jobs().of(workload, all), by, measure);
    let row = |waits: GroupWaits| WaitsRow {
        by,
        word: by.called(&workload.header).to_owned(),
        name: group_name(by, waits.group, &workload.header),
        run: run.clone(),
        waits,
    };
    groups.into_iter().map(row).collect()
}

pub(super) fn group_name(by: Grouping, group: i64, header: &Header) -> String {
    match by {
        Grouping::Width => {
            // A width class is below 33.
            let (from, to) = width_bounds(group.clamp(0, 32) as u32);
            if from == to { whole(from) } else { format!("{} to {}", whole(from), whole(to)) }
        }
        Grouping::RunTime => RUN_TIMES.get(group as usize).map_or("", |(_, name)| name).to_owned(),
        Grouping::RunTimeDynp => OF_DYNP.get(group as usize).map_or("", |(_, name)| name).to_owned(),
        Grouping::Hour => format!("{group:02}:00"),
        Grouping::Week => (group + 1).to_string(),
        _ if group < 0 => "unknown".to_owned(),
        _ => {
            let named = by.header_label().and_then(|label| header.name_of(label, group));
            named.map_or_else(|| group.to_string(), str::to_owned)
        }
    }
}

/// A heading within a sentence; an abbreviation such as QOS keeps its capitals.
pub fn in_a_sentence(word: &str) -> String {
    if word.chars().all(char::is_uppercase) { word.to_owned() } else { word.to_lowercase() }
}

/// A group of jobs, for a person: `user ann`, `width 33 to 64`, `run time 1 to 4 h`.
pub fn describe_group(CountedGroup { by, group }: CountedGroup, header: &Header) -> String {
    format!("{} {}", in_a_sentence(by.called(header)), group_name(by, group, header))
}

/// Sorts rows by group, keeping the order of runs within a group. With `sort`, sorts by a column instead, the largest
/// first where the flag is set; rows without a value come last. Rows with different groupings stay apart.
pub fn sort_waits(rows: &mut [WaitsRow], sort: Option<(WaitsColumn, bool)>) {
    let place = |row: &WaitsRow| Grouping::ALL.iter().position(|other| *other == row.by);
    rows.sort_by(|a, b| {
        let within = match sort {
            None => a.waits.group.cmp(&b.waits.group),
            Some((column, descending)) => match (column.value(a), column.value(b)) {
                (Some(a), Some(b)) if descending => b.total_cmp(&a),
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a, b) => b.is_some().cmp(&a.is_some()),
            },
        };
        place(a).cmp(&place(b)).then(within)
    });
}

/// The rows as a table for a person, with the columns in which any row has a value.
pub fn waits_grid(rows: &[WaitsRow]) -> Grid {
    let columns: Vec<WaitsColumn> =
        WaitsColumn::ALL.into_iter().filter(|column| rows.iter().any(|row| column.value(row).is_some())).collect();
    let line = |row: &WaitsRow| GridLine {
        labels: vec![row.word.clone(), row.name.clone(), row.run.scheduler_name(), row.run.estimate.to_string()],
        values: columns.iter().map(|column| column.text(row)).collect(),
        best: vec![false; columns.len()],
    };
    Grid {
        labels: ["By", "Group", "Scheduler", "Estimate"].map(str::to_owned).to_vec(),
        headings: columns.iter().map(|column| column.name().to_owned()).collect(),
        lines: rows.iter().map(line).collect(),
    }
}

/// The rows as CSV: a heading line, then a line for each group and run with the grouping, the group, the ids of
/// scheduler and estimator, and the exact numbers. Times are in seconds.
pub fn waits_csv(rows: &[WaitsRow]) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    let mut write = |line: Vec<String>| {
        // Writing to memory does not fail, and every line has the heading's length.
        out.write_record(&line).unwrap();
    };
    let labels = ["by", "group", "scheduler", "estimator"].map(str::to_owned);
    write(labels.into_iter().chain(WaitsColumn::ALL.into_iter().map(|column| column.to_string())).collect());
    for row in rows {
        let labels =
            [row.by.to_string(), row.name.clone(), row.run.scheduler.to_string(), row.run.estimate.to_string()];
        let values = WaitsColumn::ALL.into_iter().map(|column| column.value(row).map_or_else(String::new, exact));
        write(labels.into_iter().chain(values).collect());
    }
    // Flushing into memory does not fail, and all fields are UTF-8.
    String::from_utf8(out.into_inner().unwrap()).unwrap()
}

/// The same rows as JSON: a list of objects.
pub fn waits_json(rows: &[WaitsRow]) -> String {
    let object = |row: &WaitsRow| {
        let mut object = serde_json::Map::new();
        object.insert("by".to_owned(), row.by.id().into());
        object.insert("group".to_owned(), row.name.clone().into());
        object.insert("scheduler".to_owned(), row.run.scheduler.to_string().into());
        object.insert("estimator".to_owned(), row.run.estimate.to_string().into());
        object.insert(WaitsColumn::Jobs.to_string(), row.waits.jobs.into());
        for column in WaitsColumn::ALL.into_iter().skip(1) {
            object.insert(column.to_string(), column.value(row).into());
        }
        serde_json::Value::Object(object)
    };
    // The data are plain and have text keys, so this does not fail.
    serde_json::to_string_pretty(&rows.iter().map(object).collect::<Vec<_>>()).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{Cleaning, Filter, clean, reading};

    const LOG: &str = "; Partition: 1 short\n; User: 7 ann\n\
        1 0 10 50 1 -1 -1 1 60 -1 1 7 1 1 1 1 -1 -1\n\
        2 5 20 600 4 -1 -1 4 600 -1 1 8 1 1 1 2 -1 -1\n\
        3 6 0 60 2 -1 -1 2 600 -1 1 -1 1 1 1 1 -1 -1\n";

    fn workload() -> Workload {
        let log = reading::read("log", LOG.as_bytes()).unwrap();
        clean(&log, &Filter::default(), Cleaning::Metrics, Some(8)).unwrap()
    }

    fn all(by: Grouping) -> Vec<WaitsRow> {
        let workload = workload();
        let measure = Measure { counted: crate::metric::Counted::All, ..Measure::default() };
        let easy = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
        let schedule = Schedule::of_starts(&workload, vec![0, 5, 6]);
        let mut rows = waits_as_logged(&workload, by, &measure);
        rows.extend(waits_of(&easy, &workload, &schedule, by, &measure));
        sort_waits(&mut rows, None);
        rows
    }

    #[test]
    fn groups_have_their_names_and_a_row_of_every_run() {
        let told = |by| all(by).iter().map(|row| format!("{} {}", row.name, row.run.scheduler)).collect::<Vec<_>>();
        assert_eq!(told(Grouping::Partition), ["short as-logged", "short easy", "2 as-logged", "2 easy"]);
        assert_eq!(told(Grouping::User)[..3], ["unknown as-logged", "unknown easy", "ann as-logged"]);
        assert_eq!(told(Grouping::Width)[4..], ["3 to 4 as-logged", "3 to 4 easy"]);
        assert_eq!(told(Grouping::RunTime)[0], "below 1 min as-logged");
        assert_eq!(told(Grouping::Hour)[0], "00:00 as-logged");
    }

    #[test]
    fn rows_are_sorted_by_any_column_and_what_has_no_number_stays_last() {
        let mut rows = all(Grouping::Partition);
        sort_waits(&mut rows, Some((WaitsColumn::Wait90, true)));
        assert_eq!(rows.iter().map(|row| row.waits.wait.p90).collect::<Vec<_>>(), [20.0, 10.0, 0.0, 0.0]);
        sort_waits(&mut rows, Some((WaitsColumn::LogRank, false)));
        assert_eq!(WaitsColumn::LogRank.value(&rows[3]), None);
    }

    #[test]
    fn every_form_carries_them() {
        let rows = all(Grouping::Partition);
        let csv = waits_csv(&rows);
        assert!(csv.starts_with("by,group,scheduler,estimator,jobs,wait_mean,wait_median,"), "{csv}");
        assert!(csv.contains("\npartition,short,as-logged,requested,2,5,0,10,10,10,"), "{csv}");
        let json: serde_json::Value = serde_json::from_str(&waits_json(&rows)).unwrap();
        assert_eq!((&json[0]["group"], &json[0]["wait_p90"]), (&"short".into(), &10.0.into()));
        let grid = waits_grid(&rows);
        assert_eq!(grid.lines[0].labels, ["Partition", "short", "As logged", "requested"]);
        assert!(WaitsColumn::ALL.into_iter().all(|column| column.id().parse() == Ok(column)));
    }
}
