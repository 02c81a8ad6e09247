//! Whether a log that was read can be true, whatever its format.

use super::summary::works;
use super::{Account, Reason, Record, Seconds};

const UNITS: [(Seconds, Reason); 2] = [(60, Reason::LimitInMinutes), (3_600, Reason::LimitInHours)];

/// The fewest jobs with limits from which their unit is told.
const FEWEST: usize = 20;

/// The longest median run time that is no doubt, and the longest time between submissions, seconds.
const LONGEST_MEDIAN: Seconds = 60 * 86_400;
const LONGEST_SPAN: Seconds = 50 * 366 * 86_400;

/// Notes in the account what in these records can hardly be true. The unit of limits is put right where
/// `may_change_unit` says that the format does not tell it.
pub(super) fn check(records: &mut [Record], account: &mut Account, may_change_unit: bool) {
    check_limits(records, account, may_change_unit);
    // -1 is unknown; below it two times contradict each other
    for record in records.iter() {
        if record.wait < -1 {
            account.note(Reason::StartsBeforeSubmit, record.line);
        }
        if record.run < -1 {
            account.note(Reason::EndsBeforeStart, record.line);
        }
    }
    let mut runs: Vec<Seconds> = records.iter().map(|record| record.run).filter(|&run| run >= 0).collect();
    if runs.len() >= FEWEST {
        let middle = runs.len() / 2;
        let (_, &mut median, _) = runs.select_nth_unstable(middle);
        if !(1..=LONGEST_MEDIAN).contains(&median) {
            account.note(Reason::RunsDoubtful, 0);
        }
    }
    let submits = || records.iter().map(|record| record.submit);
    if let (Some(first), Some(last)) = (submits().min(), submits().max())
        && last - first > LONGEST_SPAN
    {
        account.note(Reason::SpanDoubtful, 0);
    }
    let both = || records.iter().filter(|record| record.allocated > 0 && record.requested > 0);
    let differ = || both().filter(|record| record.allocated != record.requested);
    if 100 * differ().count() > both().count() {
        differ().for_each(|record| account.note(Reason::WidthsDiffer, record.line));
        let width = |width: i32| width.max(0).unsigned_abs();
        // a job of which one is not known counts by the other in both
        let widths = records.iter().map(|record| {
            let (given, asked) = (width(record.allocated), width(record.requested));
            (if given > 0 { given } else { asked }, if asked > 0 { asked } else { given }, record.run)
        });
        let (used, asked) = works(widths);
        account.set_works(used, asked);
    }
}

/// Tells limits that are in minutes or hours from those in seconds, by how many jobs outlive them.
fn check_limits(records: &mut [Record], account: &mut Account, may_change: bool) {
    let limited = |record: &&Record| record.requested_time > 0 && record.run > 0;
    let all = records.iter().filter(limited).count();
    let outlive = |unit: Seconds| {
        let over = |record: &&Record| record.run > record.requested_time.saturating_mul(unit);
        records.iter().filter(limited).filter(over).count()
    };
    if all < FEWEST || 5 * outlive(1) <= all {
        return;
    }
    let Some(&(unit, reason)) = UNITS.iter().find(|(unit, _)| 50 * outlive(*unit) < all) else { return };
    for record in records.iter_mut().filter(|record| record.requested_time > 0) {
        if may_change {
            record.requested_time = record.requested_time.saturating_mul(unit);
            account.note(reason, record.line);
        } else if record.run > record.requested_time {
            account.note(Reason::LimitDoubtful, record.line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::ColumnMap;
    use crate::workload::reading::{Limits, Reader, read, read_by};

    fn table(limit: i64) -> String {
        let rows = (0..40).map(|i| format!("{i},{},{},{limit},4\n", 1_700_000_000 + i, 600 + i));
        "id,submit,run,limit,processors\n".to_owned() + rows.collect::<String>().as_str()
    }

    #[test]
    fn limits_in_minutes_and_hours_are_told_and_can_be_overruled() {
        for (limit, seconds, reason) in [(20, 1_200, Reason::LimitInMinutes), (1, 3_600, Reason::LimitInHours)] {
            let log = read("table", table(limit).as_bytes()).unwrap();
            assert_eq!((log.records[0].requested_time, log.account.count(reason)), (seconds, 40));
        }
        let map = ColumnMap { columns: vec!["limit=limit:s".parse().unwrap()] };
        let log = read_by(Reader::mapped("table", Limits::default(), map), table(20).as_bytes()).unwrap();
        assert_eq!(log.records[0].requested_time, 20);
        assert_eq!(read("table", table(900).as_bytes()).unwrap().records[0].requested_time, 900);
    }

    #[test]
    fn times_of_swf_that_contradict_each_other_are_told_and_are_doubts_where_they_are_many() {
        let line = |wait: i64, run: i64| format!("1 0 {wait} {run} 4 -1 -1 8 60 -1 1 1 1 1 1 1 -1 -1\n");
        let text = |many: usize| line(-3_600, 50) + line(0, -7).as_str() + line(-1, 50).repeat(many).as_str();
        for (many, doubts) in [(10, 2), (2_000, 0)] {
            let log = read("log", text(many).as_bytes()).unwrap();
            let told = [Reason::StartsBeforeSubmit, Reason::EndsBeforeStart].map(|reason| log.account.count(reason));
            let is_time = |reason| matches!(reason, Reason::StartsBeforeSubmit | Reason::EndsBeforeStart);
            let found = log.account.doubts(log.records.len()).filter(|entry| is_time(entry.reason)).count();
            assert_eq!((told, found), ([1, 1], doubts), "{many}");
        }
    }

    #[test]
    fn widths_that_differ_are_told() {
        let told = |widths: [i32; 2]| {
            let lines = widths.map(|width| format!("1 0 0 50 {width} -1 -1 8 60 -1 1\n")).concat();
            read("log", format!("; Version: 2.2\n{lines}").as_bytes()).unwrap().account.count(Reason::WidthsDiffer)
        };
        assert_eq!((told([4, 8]), told([8, 8])), (1, 0));
    }
}
