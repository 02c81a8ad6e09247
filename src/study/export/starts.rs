//! A schedule as plain start times.

use crate::model::{NoteId, Schedule};
use crate::study::format::exact;
use crate::workload::Workload;

/// `job,start,estimate`: job number in the log, start on the clock of the log's file, estimate made at submission; a line a
/// job, in log order. If the scheduler may kill jobs, a column `kills`. If fair start times were computed, two more columns,
/// `fair_strict,fair_relaxed`: they may be later than the start, and unfairness is max(0, start - fair start).
pub fn starts(workload: &Workload, schedule: &Schedule) -> Vec<u8> {
    let more = if schedule.fair.is_some() { ",fair_strict,fair_relaxed" } else { "" };
    let kills = kills(workload, schedule);
    let killed = if kills.is_some() { ",kills" } else { "" };
    let mut text = format!("job,start,estimate{killed}{more}\n");
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
        text.push('\n');
    }
    text.into_bytes()
}

/// How often each job was killed; none where the scheduler kills nobody.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FairStarts;
    use crate::study::testing::workload;

    #[test]
    fn estimates_come_back_exactly() {
        let workload = workload(4, &[(0, 10, 4), (1, 20, 3)]);
        let schedule = Schedule { estimates: vec![20.0, 0.1 + 0.2], ..Schedule::of_starts(&workload, vec![0, 10]) };
        let text = String::from_utf8(starts(&workload, &schedule)).unwrap();
        assert_eq!(text, "job,start,estimate\n1,0,20\n2,10,0.30000000000000004\n");
        let fair = Some(FairStarts { strict: vec![0, 7], relaxed: vec![0, 8] });
        let text = String::from_utf8(starts(&workload, &Schedule { fair, ..schedule })).unwrap();
        assert_eq!(text, "job,start,estimate,fair_strict,fair_relaxed\n1,0,20,0,0\n2,10,0.30000000000000004,7,8\n");
    }
}
