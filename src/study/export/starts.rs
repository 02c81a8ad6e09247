//! A schedule as plain start times.

use crate::simulation::Schedule;
use crate::study::format::exact;
use crate::workload::Workload;

/// `job,start,estimate`: job number in the log, start in seconds of the log's clock, estimate made at
/// submission; a line a job, in log order.
pub fn starts(workload: &Workload, schedule: &Schedule) -> Vec<u8> {
    let mut text = String::from("job,start,estimate\n");
    for job in workload.jobs() {
        let number = workload.request(job).number;
        text.push_str(&format!("{number},{},{}\n", schedule.start(job), exact(schedule.estimate(job))));
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::testing::workload;

    #[test]
    fn estimates_come_back_exactly() {
        let workload = workload(4, &[(0, 10, 4), (1, 20, 3)]);
        let schedule = Schedule { starts: vec![0, 10], estimates: vec![20.0, 0.1 + 0.2], ..Schedule::default() };
        let text = String::from_utf8(starts(&workload, &schedule)).unwrap();
        assert_eq!(text, "job,start,estimate\n1,0,20\n2,10,0.30000000000000004\n");
    }
}
