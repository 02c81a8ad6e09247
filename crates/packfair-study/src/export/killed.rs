//! The executions that were killed, as a file.

use packfair_engine::model::{Execution, KilledBy, Schedule};
use packfair_workload::Workload;

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

#[cfg(test)]
mod tests {
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
