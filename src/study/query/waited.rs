//! What a job waited for.

use super::classified::classified;
use crate::model::Schedule;
use crate::order;
use crate::scheduler::Order;
use crate::scheduler::dynp::notes;
use crate::workload::{JobId, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// Jobs that are named at most; all are counted.
const NAMED: usize = 100;

/// What a job waited for, as its schedule tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Waited {
    /// Processors of the machine.
    pub processors: u32,
    /// Jobs that ran right after its submission, itself left out.
    pub running: usize,
    /// Processors that they used.
    pub busy: u32,
    /// Jobs submitted before that waited right after its submission.
    pub ahead: usize,
    /// Processors that they asked for.
    pub ahead_width: u64,
    /// How many of those started before it, or with it.
    pub ahead_first: usize,
    /// Jobs submitted later that started earlier.
    pub overtakers: usize,
    /// Their area, processor-seconds.
    pub overtakers_area: f64,
    /// The largest of them by area.
    pub named: Vec<Other>,
    /// Where a classifier was at work, sentence by sentence: what the job was taken for and why, when it was killed, and
    /// what it turned out to be.
    pub classified: Vec<String>,
    /// Where the queue's order changed with what waits (dynP): the policies in force while it waited, in their order.
    pub policies: Vec<String>,
}

/// A job that overtook another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Other {
    /// Its number in the log.
    pub number: i64,
    /// Submit time.
    pub submit: Seconds,
    /// Start.
    pub start: Seconds,
    /// Processors.
    pub processors: u32,
    /// Actual run time, seconds.
    pub run: Seconds,
}

impl Other {
    /// Area r D, processor-seconds.
    pub fn area(&self) -> f64 {
        f64::from(self.processors) * self.run as f64
    }
}

/// What `job` waited for under `schedule`.
pub(super) fn waited(workload: &Workload, schedule: &Schedule, job: JobId) -> Waited {
    let (submit, start) = (workload.request(job).submit, schedule.start(job));
    let mut waited = Waited { processors: workload.machine.processors, ..Waited::default() };
    let mut overtakers = Vec::new();
    for other in workload.jobs().filter(|&other| other != job) {
        let (request, run) = (workload.request(other), workload.run(other));
        let (begin, end) = (schedule.start(other), schedule.end(other));
        if request.submit > start {
            break;
        }
        if begin <= submit && end > submit {
            waited.running += 1;
            waited.busy += request.processors;
        }
        if other < job && begin > submit {
            waited.ahead += 1;
            waited.ahead_width += u64::from(request.processors);
            waited.ahead_first += usize::from(begin <= start);
        }
        if other > job && begin < start {
            overtakers.push(Other {
                number: request.number,
                submit: request.submit,
                start: begin,
                processors: request.processors,
                run,
            });
        }
    }
    waited.overtakers = overtakers.len();
    waited.overtakers_area = overtakers.iter().map(Other::area).sum();
    order::sort_by(&mut overtakers, |a, b| b.area().total_cmp(&a.area()).then(a.number.cmp(&b.number)));
    overtakers.truncate(NAMED);
    waited.named = overtakers;
    waited.classified = classified(workload, schedule, job);
    waited.policies = policies(schedule, submit, start);
    waited
}

/// The policies in force from `submit` to `start`, each once.
fn policies(schedule: &Schedule, submit: Seconds, start: Seconds) -> Vec<String> {
    let course = schedule.notes.course(notes::POLICY);
    let first = course.partition_point(|&(from, _)| from <= submit).saturating_sub(1);
    let during = course[first.min(course.len())..].iter().take_while(|&&(from, _)| from < start.max(submit + 1));
    let mut named: Vec<String> = Vec::new();
    for &(_, order) in during {
        let name = Order::OPTIONS.get(order as usize).map_or("", |option| option.0).to_uppercase();
        if !named.contains(&name) {
            named.push(name);
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Class, Execution, SizeClass};
    use crate::study::testing::workload;

    #[test]
    fn killed_runs_classes_and_policies_are_told() {
        let workload = workload(10, &[(0, 100, 6), (1, 50, 8), (200, 5, 1)]);
        let mut schedule = Schedule::of_starts(&workload, vec![0, 130, 200]);
        schedule.killed.push(Execution { job: JobId(1), start: 100, end: 120 });
        schedule.classes = vec![SizeClass { class: Class::Small, divider: Some(20) }; 3];
        schedule.notes.set_course(notes::POLICY, vec![(0, 0.0), (50, 1.0), (60, 0.0), (150, 2.0)]);
        let second = waited(&workload, &schedule, JobId(1));
        assert_eq!(second.classified[1], "Killed after 20 s, started again 10\u{a0}s later.");
        assert_eq!(second.policies, ["FCFS", "SJF"]);
        assert_eq!(waited(&workload, &schedule, JobId(2)).policies, ["LJF"]);
    }

    #[test]
    fn who_ran_who_was_ahead_and_who_overtook() {
        // submit, run, processors, on 10 processors
        let workload = workload(10, &[(0, 100, 6), (1, 50, 8), (2, 20, 8), (3, 30, 4), (4, 5, 2), (200, 5, 1)]);
        let starts = vec![0, 100, 150, 3, 100, 200];
        let schedule = Schedule::of_starts(&workload, starts);
        let third = waited(&workload, &schedule, JobId(2));
        assert_eq!((third.running, third.busy, third.processors), (1, 6, 10));
        assert_eq!((third.ahead, third.ahead_width, third.ahead_first), (1, 8, 1));
        assert_eq!((third.overtakers, third.overtakers_area), (2, 130.0));
        let named: Vec<_> = third.named.iter().map(|other| (other.number, other.start)).collect();
        assert_eq!(named, [(4, 3), (5, 100)]);
        let fourth = waited(&workload, &schedule, JobId(3));
        assert_eq!((fourth.running, fourth.ahead, fourth.ahead_first, fourth.overtakers), (1, 2, 0, 0));
    }
}
