//! Schedules as files for other programs: CSV that a spreadsheet opens without computing anything, starts, kills, Batsim's form.
//!
//! A spreadsheet takes a text that begins with `=`, `+`, `-`, `@`, a tab or the end of a line for a formula, and some
//! formulas start programs (OWASP, "CSV Injection"). Names in results come from logs, files and links. Such a text
//! therefore gets an apostrophe in front, which makes the spreadsheet show it as text. Numbers stay numbers. CSV for
//! programs, which read names exactly, is not changed.

use crate::allocation::{DrawnEnding, DrawnExecution, ProcessorRange, allocate};
use crate::format::exact;
use packfair_engine::metric::fairness::less_than_shares;
use packfair_engine::model::{Execution, KilledBy, NoteId, Schedule};
use packfair_workload::like::{JointClass, Weibull, combinations, gap_shares, gaps};
use packfair_workload::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;

/// The characters with which a formula begins.
const SIGNS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Makes CSV that this crate wrote safe for spreadsheets. In such CSV, only fields with a comma, a quote or an end of
/// line are in quotes.
pub fn for_spreadsheets(csv: &str) -> String {
    let (mut made, mut rest) = (String::with_capacity(csv.len()), csv);
    while !rest.is_empty() {
        let quote = if rest.starts_with('"') { "\"" } else { "" };
        let field = &rest[quote.len()..];
        let length = if quote.is_empty() { field.find([',', '\n']) } else { closing_quote(field) };
        let (field, behind) = field.split_at(length.unwrap_or(field.len()));
        made.push_str(quote);
        if is_formula(field) {
            made.push('\'');
        }
        made.push_str(field);
        // The closing quote, and the separator before the next field.
        let parting = behind.find([',', '\n']).map_or(behind.len(), |at| at + 1);
        made.push_str(&behind[..parting]);
        rest = &behind[parting..];
    }
    made
}

/// The place of the quote that ends a field; a quote within the field is doubled.
fn closing_quote(field: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + field[from..].find('"')?;
        if !field[at + 1..].starts_with('"') {
            return Some(at);
        }
        from = at + 2;
    }
}

fn is_formula(field: &str) -> bool {
    field.starts_with(SIGNS) && field.parse::<f64>().is_err()
}

// A schedule as plain start times.

/// `job,start,estimate`: a line for each job, in log order, with its number in the log, its start on the clock of the
/// log's file, and the estimate made at submission. If the scheduler may kill jobs, there is a column `kills`.
///
/// If fair start times were computed, there are more columns: `fair_strict,fair_relaxed` and, on a machine that is only
/// a number of processors, `fair_hybrid,fair_independent`. A fair start may be later than the start; unfairness is
/// max(0, start - fair start). `equal_share,width_share` are the fair shares less what the job got, processor-seconds.
pub fn starts(workload: &Workload, schedule: &Schedule) -> Vec<u8> {
    let of_fair = schedule.fair.as_ref();
    let in_order = of_fair.filter(|fair| !fair.hybrid.is_empty() && !fair.independent.is_empty());
    let strict = if of_fair.is_some() { ",fair_strict,fair_relaxed" } else { "" };
    let more = if in_order.is_some() { ",fair_hybrid,fair_independent" } else { "" };
    let shares = of_fair.map(|_| less_than_shares(workload, schedule));
    let share = if shares.is_some() { ",equal_share,width_share" } else { "" };
    let kills = kills(workload, schedule);
    let killed = if kills.is_some() { ",kills" } else { "" };
    let mut text = format!("job,start,estimate{killed}{strict}{more}{share}\n");
    for job in workload.jobs() {
        let number = workload.request(job).number;
        let start = workload.own_time(schedule.start(job));
        text.push_str(&format!("{number},{start},{}", exact(schedule.estimate(job))));
        if let Some(kills) = &kills {
            text.push_str(&format!(",{}", kills[job.index()]));
        }
        if let Some((strict, relaxed)) = schedule.fair.as_ref().and_then(|fair| fair.of(job)) {
            text.push_str(&format!(",{},{}", workload.own_time(strict), workload.own_time(relaxed)));
        }
        if let Some(fair) = in_order {
            let (hybrid, independent) = (fair.hybrid[job.index()], fair.independent[job.index()]);
            text.push_str(&format!(",{},{}", workload.own_time(hybrid), workload.own_time(independent)));
        }
        if let Some(shares) = &shares {
            let (equal, by_width) = shares[job.index()];
            text.push_str(&format!(",{},{}", exact(equal), exact(by_width)));
        }
        text.push('\n');
    }
    text.into_bytes()
}

/// How often each job was killed; `None` where the scheduler kills no job.
fn kills(workload: &Workload, schedule: &Schedule) -> Option<Vec<u32>> {
    if schedule.notes.count(NoteId::KILLS).is_none() && schedule.killed.is_empty() {
        return None;
    }
    let mut kills = vec![0; workload.len()];
    for killed in &schedule.killed {
        kills[killed.job.index()] += 1;
    }
    Some(kills)
}

// The executions that were killed, as a file.

/// `job,start,end,why`: a line for each killed execution, in the order of their ends, with the job's number in the log
/// and times on the clock of the log's file. `None` where no execution was killed.
pub fn killed(workload: &Workload, schedule: &Schedule) -> Option<Vec<u8>> {
    if schedule.killed.is_empty() {
        return None;
    }
    let mut text = "job,start,end,why\n".to_owned();
    for &execution in &schedule.killed {
        let (start, end) = (workload.own_time(execution.start), workload.own_time(execution.end));
        text.push_str(&format!(
            "{},{start},{end},{}\n",
            workload.request(execution.job).number,
            why(execution, schedule)
        ));
    }
    Some(text.into_bytes())
}

/// Why an execution was killed. Where jobs have classes, the safeguard is the only reason (CLASSIFY §5.2).
fn why(execution: Execution, schedule: &Schedule) -> &'static str {
    match execution.by {
        KilledBy::Machine => "its node went",
        KilledBy::Scheduler if schedule.classes.is_empty() => "the scheduler took it back",
        KilledBy::Scheduler => "classified as small and ran past the divider",
    }
}

// What workloads like a log are made from, as CSV.

/// The times between submissions that are above 0: for each, how often it occurs, the share of times that are at most
/// as long, and that share by the Weibull law of maximum likelihood (empty where there is no such law).
pub fn gaps_against_law(workload: &Workload) -> String {
    let law = Weibull::fit(&gaps(workload)).ok().map(|fit| fit.law);
    let mut text = "gap,times,share,weibull\n".to_owned();
    for gap in gap_shares(workload) {
        let by_law = law.map_or_else(String::new, |law| law.share_until(gap.gap as f64).to_string());
        text.push_str(&format!("{},{},{},{by_law}\n", gap.gap, gap.times, gap.share));
    }
    text
}

/// The joint distribution in classes: the lower and the upper bound of each class (the upper one is not in it), and its
/// number of jobs.
pub fn joint_classes(joint: &[JointClass]) -> String {
    let mut text = "width_from,width_below,requested_from,requested_below,run_from,run_below,jobs\n".to_owned();
    for class in joint {
        for (from, below) in [class.width, class.requested, class.run].map(JointClass::bounds) {
            text.push_str(&format!("{from},{below},"));
        }
        text.push_str(&format!("{}\n", class.jobs));
    }
    text
}

/// The joint distribution of width, requested time and run time: each combination with its number of jobs.
pub fn joint_distribution(workload: &Workload) -> String {
    let mut text = "width,requested,run,jobs\n".to_owned();
    for alike in combinations(workload) {
        text.push_str(&format!("{},{},{},{}\n", alike.width, alike.requested, alike.run, alike.jobs));
    }
    text
}

// A schedule in Batsim's form, for evalys and all other programs that read Batsim's `jobs.csv`.

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

    #[test]
    fn formulas_become_texts_and_all_else_stays() {
        let harmless = "scheduler,AF,low\neasy,12.5,-3\n\"a, \"\"b\"\"\",+1e-7,\n";
        assert_eq!(for_spreadsheets(harmless), harmless);
        let formulas =
            "by,group\nuser,=cmd|' /C calc'!A0\nuser,@SUM(1)\nuser,+1+1\nuser,-x\nuser,\"\t=1\"\nuser,\"\r=1\"\n";
        let expected =
            "by,group\nuser,'=cmd|' /C calc'!A0\nuser,'@SUM(1)\nuser,'+1+1\nuser,'-x\nuser,\"'\t=1\"\nuser,\"'\r=1\"\n";
        assert_eq!(for_spreadsheets(formulas), expected);
    }
}

#[cfg(test)]
mod starts_tests {
    use super::*;
    use packfair_engine::model::FairStarts;
    use packfair_workload::testing::workload;

    #[test]
    fn estimates_come_back_exactly() {
        let workload = workload(4, &[(0, 10, 4), (1, 20, 3)]);
        let schedule = Schedule { estimates: vec![20.0, 0.1 + 0.2], ..Schedule::of_starts(&workload, vec![0, 10]) };
        let text = String::from_utf8(starts(&workload, &schedule)).unwrap();
        assert_eq!(text, "job,start,estimate\n1,0,20\n2,10,0.30000000000000004\n");
        let fair = FairStarts { strict: vec![0, 7], relaxed: vec![0, 8], ..FairStarts::default() };
        let of = |fair: FairStarts| {
            String::from_utf8(starts(&workload, &Schedule { fair: Some(fair), ..schedule.clone() })).unwrap()
        };
        // From 0 to 10 the first job has 4 processors; its equal share is 4, and 2 from 1 on. From 10 to 30 the second
        // has 3.
        let text = of(fair.clone());
        assert!(
            text.starts_with(
                "job,start,estimate,fair_strict,fair_relaxed,equal_share,width_share\n1,0,20,0,0,-18,-15.42"
            )
        );
        assert!(text.contains("\n2,10,0.30000000000000004,7,8,18,15.42"), "{text}");
        let text = of(FairStarts { hybrid: vec![0, 9], independent: vec![0, 10], ..fair });
        let second = "2,10,0.30000000000000004,7,8,9,10,18,";
        assert!(
            text.contains("fair_relaxed,fair_hybrid,fair_independent,equal_share") && text.contains(second),
            "{text}"
        );
    }
}

#[cfg(test)]
mod killed_tests {
    use super::*;
    use packfair_engine::model::{Class, SizeClass};
    use packfair_workload::JobId;
    use packfair_workload::testing::workload;

    #[test]
    fn each_execution_that_was_killed_has_a_line() {
        let workload = workload(4, &[(0, 10, 4), (1, 20, 3)]);
        let whole = Schedule::of_starts(&workload, vec![0, 30]);
        assert_eq!(killed(&workload, &whole), None);
        let cut = Execution { job: JobId(1), start: 10, end: 15, by: KilledBy::Scheduler };
        let lost = Execution { end: 17, by: KilledBy::Machine, ..cut };
        let mut schedule = Schedule { killed: vec![cut, lost], ..whole };
        let text = |schedule: &Schedule| String::from_utf8(killed(&workload, schedule).unwrap()).unwrap();
        assert_eq!(text(&schedule), "job,start,end,why\n2,10,15,the scheduler took it back\n2,10,17,its node went\n");
        schedule.classes = vec![SizeClass { class: Class::Small, divider: Some(5) }; 2];
        assert_eq!(
            text(&schedule),
            "job,start,end,why\n2,10,15,classified as small and ran past the divider\n2,10,17,its node went\n"
        );
    }
}

#[cfg(test)]
mod likeness_tests {
    use super::*;
    use packfair_workload::testing;

    #[test]
    fn a_line_says_what_occurs_how_often() {
        let workload = testing::jobs(4, &[(0, 1, 9, 10), (0, 1, 9, 10), (7, 2, 5, 5), (14, 2, 5, 6)]);
        let classes = joint_classes(&packfair_workload::like::Analysis::of(&workload).joint);
        assert!(classes.ends_with("\n1,2,8,16,8,16,2\n2,4,4,8,4,8,2\n"), "{classes}");
        assert_eq!(joint_distribution(&workload), "width,requested,run,jobs\n1,10,9,2\n2,5,5,1\n2,6,5,1\n");
        assert_eq!(gaps_against_law(&workload), "gap,times,share,weibull\n7,2,1,\n", "one gap has no law");
        let workload = testing::jobs(4, &[(0, 1, 9, 10), (7, 2, 5, 5), (16, 2, 5, 6)]);
        let text = gaps_against_law(&workload);
        assert!(text.starts_with("gap,times,share,weibull\n7,1,0.5,0."), "{text}");
    }
}

#[cfg(test)]
mod batsim_tests {
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
