//! Executions that were killed.

use crate::model::Schedule;
use crate::workload::Workload;

/// Why a scheduler kills a job: there is one reason (CLASSIFY §5.2).
const WHY: &str = "taken for small and ran past the divider";

/// `job,start,end,why`: a line for each execution that was killed, in the order of their ends; job number in the log, times
/// on the clock of the log's file. None where none was.
pub fn killed(workload: &Workload, schedule: &Schedule) -> Option<Vec<u8>> {
    if schedule.killed.is_empty() {
        return None;
    }
    let mut text = "job,start,end,why\n".to_owned();
    for execution in &schedule.killed {
        let (start, end) = (workload.own_time(execution.start), workload.own_time(execution.end));
        text.push_str(&format!("{},{start},{end},{WHY}\n", workload.request(execution.job).number));
    }
    Some(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Execution;
    use crate::study::testing::workload;
    use crate::workload::JobId;

    #[test]
    fn each_execution_that_was_killed_has_a_line() {
        let workload = workload(4, &[(0, 10, 4), (1, 20, 3)]);
        let whole = Schedule::of_starts(&workload, vec![0, 30]);
        assert_eq!(killed(&workload, &whole), None);
        let cut = Execution { job: JobId(1), start: 10, end: 15 };
        let text = killed(&workload, &Schedule { killed: vec![cut], ..whole }).unwrap();
        assert_eq!(text, b"job,start,end,why\n2,10,15,taken for small and ran past the divider\n");
    }
}
