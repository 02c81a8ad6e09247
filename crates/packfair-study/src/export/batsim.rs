//! A schedule in Batsim's form, for evalys and all other programs that read Batsim's `jobs.csv`.

use crate::allocation::{DrawnEnding, DrawnExecution, ProcessorRange, allocate};
use crate::format::exact;
use packfair_engine::model::Schedule;
use packfair_workload::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;

/// Batsim's columns in its order, and `waiting_time`, which evalys also reads.
const COLUMNS: [&str; 17] = [
    "job_id",
    "workload_name",
    "profile",
    "submission_time",
    "requested_number_of_resources",
    "requested_time",
    "success",
    "final_state",
    "starting_time",
    "execution_time",
    "finish_time",
    "waiting_time",
    "turnaround_time",
    "stretch",
    "allocated_resources",
    "consumed_energy",
    "metadata",
];

/// What Batsim writes where no energy was measured.
const NO_ENERGY: &str = "-1";

/// Batsim's `jobs.csv`: a line for each execution, in the order of the starts, with times on the clock of the log's
/// file. A killed execution has a line of its own (`COMPLETED_KILLED`) before that of the completed one. One that was
/// suspended has one line, with the processors that it had last, and its execution time is the time for which it ran.
///
/// Processors are the same as in a Gantt chart, as an interval set counted from 0 (`0-3 7`). The profile is named after
/// the run time. The stretch of a job that takes no time is empty.
pub fn batsim_jobs(workload: &Workload, schedule: &Schedule) -> Vec<u8> {
    let mut out = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail, and every line has the heading's length.
    out.write_record(COLUMNS).unwrap();
    let mut begun: FxHashMap<JobId, (Seconds, Seconds)> = FxHashMap::default();
    allocate(workload, schedule, Seconds::MAX, |placed, blocks| {
        let (start, before) = begun.remove(&placed.job).unwrap_or((placed.start, 0));
        let ran = before + placed.end - placed.start;
        if placed.ending == DrawnEnding::Suspended {
            begun.insert(placed.job, (start, ran));
        } else {
            out.write_record(line(workload, DrawnExecution { start, ..placed }, ran, blocks)).unwrap();
        }
    });
    // Flushing into memory does not fail.
    out.into_inner().unwrap()
}

fn line(
    workload: &Workload,
    placed: DrawnExecution,
    ran: Seconds,
    blocks: &[ProcessorRange],
) -> [String; COLUMNS.len()] {
    let DrawnExecution { job, start, end, ending } = placed;
    let (request, run) = (workload.request(job), workload.run(job));
    let turnaround = end - request.submit;
    let stretch = if ran > 0 { exact(turnaround as f64 / ran as f64) } else { String::new() };
    let (success, state) = match ending {
        DrawnEnding::Completed | DrawnEnding::Suspended => ("1", "COMPLETED_SUCCESSFULLY"),
        DrawnEnding::Killed => ("0", "COMPLETED_KILLED"),
    };
    [
        request.number.to_string(),
        workload.name.clone(),
        format!("delay_{run}"),
        workload.own_time(request.submit).to_string(),
        request.processors.to_string(),
        request.limit.to_string(),
        success.to_owned(),
        state.to_owned(),
        workload.own_time(start).to_string(),
        ran.to_string(),
        workload.own_time(end).to_string(),
        (start - request.submit).to_string(),
        turnaround.to_string(),
        stretch,
        interval_set(blocks),
        NO_ENERGY.to_owned(),
        String::new(),
    ]
}

/// Each block as its first and last processor: `0-3 7`.
fn interval_set(blocks: &[ProcessorRange]) -> String {
    let interval = |&(first, count): &ProcessorRange| match count {
        1 => first.to_string(),
        _ => format!("{first}-{}", first + count - 1),
    };
    blocks.iter().map(interval).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::testing::workload;

    #[test]
    fn jobs_have_batsim_s_columns() {
        let mut workload = workload(10, &[(0, 10, 4), (0, 20, 3), (5, 10, 5), (6, 0, 1)]);
        workload.name = "a, \"b\"".to_owned();
        let schedule = Schedule::of_starts(&workload, vec![0, 0, 10, 10]);
        let file = batsim_jobs(&workload, &schedule);
        let mut reader = csv::Reader::from_reader(&*file);
        assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), COLUMNS);
        let lines: Vec<Vec<String>> =
            reader.records().map(|line| line.unwrap().iter().map(str::to_owned).collect()).collect();
        let third = [
            "3",
            "a, \"b\"",
            "delay_10",
            "5",
            "5",
            "20",
            "1",
            "COMPLETED_SUCCESSFULLY",
            "10",
            "10",
            "20",
            "5",
            "15",
            "1.5",
            "0-3 7",
            "-1",
            "",
        ];
        // The job that takes no time comes first at its instant.
        assert_eq!(lines[3], third);
        assert_eq!((lines[2][0].as_str(), lines[2][13].as_str(), lines[2][14].as_str()), ("4", "", "0"));
    }
}
