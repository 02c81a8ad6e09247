//! A schedule as plain start times.

use crate::format::exact;
use packfair_engine::metric::fair_share::less_than_shares;
use packfair_engine::model::{NoteId, Schedule};
use packfair_workload::Workload;

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

#[cfg(test)]
mod tests {
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
