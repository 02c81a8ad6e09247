//! The boxes of a Gantt chart.

use super::{Answer, BoxPart, BoxesAsked, GanttBox};
use crate::allocation::{DrawnEnding, DrawnExecution, ProcessorRange, allocate, allocate_ahead};
use packfair_engine::classifier::evaluation::{Autocorrelation, Shares, autocorrelation, shares};
use packfair_engine::classifier::{CATEGORIES, Category};
use packfair_engine::model::Schedule;
use packfair_engine::simulation::{Expected, Outlook};
use packfair_workload::{Clock, JobId, Seconds, Workload};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The boxes that lie in [from, until), wholly or partly.
///
/// Processors are given out from the beginning of the schedule, so that a job has the same ones in every window.
pub(super) fn gantt(
    workload: &Workload,
    schedule: &Schedule,
    (from, until): (Seconds, Seconds),
    asked: BoxesAsked,
) -> Answer {
    let mut boxes = BoxCollector::new(workload, asked);
    allocate(workload, schedule, until, |placed, blocks| {
        let DrawnExecution { job, start, end, .. } = placed;
        // An execution that takes no time is in the window where it starts.
        if end > from || start >= from {
            boxes.add(job, (start, end), blocks, part_of(placed));
        }
    });
    boxes.answer()
}

/// The boxes of jobs that run at `at` or ran after `from`, up to `at`; and beyond it those that are `expected`: running
/// jobs until their estimated ends, and waiting jobs at their reservations.
pub(super) fn outlook(
    workload: &Workload,
    schedule: &Schedule,
    expected: &Outlook,
    (from, at): (Seconds, Seconds),
    asked: BoxesAsked,
) -> Answer {
    let mut boxes = BoxCollector::new(workload, asked);
    let mut ahead: Vec<(Expected, Vec<ProcessorRange>)> = Vec::new();
    allocate(workload, schedule, at.saturating_add(1), |placed, blocks| {
        let DrawnExecution { job, start, end, .. } = placed;
        if end > from || start >= from {
            boxes.add(job, (start, end.min(at.max(start))), blocks, part_of(placed));
        }
        if end > at
            && let Some(&running) = expected.running.iter().find(|running| running.job == job)
        {
            ahead.push((running, blocks.to_vec()));
        }
    });
    let reserved = allocate_ahead(workload, &ahead, &expected.reserved);
    let expected = ahead.iter().map(|(running, blocks)| (running, blocks, BoxPart::Expected));
    let reserved = reserved.iter().map(|(reserved, blocks)| (reserved, blocks, BoxPart::Reserved));
    for (Expected { job, start, end }, blocks, part) in expected.chain(reserved) {
        let span = (libm::floor(*start) as Seconds, libm::ceil(*end) as Seconds);
        boxes.add(*job, span, blocks, part);
    }
    boxes.answer()
}

fn part_of(placed: DrawnExecution) -> BoxPart {
    match placed.ending {
        DrawnEnding::Completed | DrawnEnding::Suspended => BoxPart::Ran,
        DrawnEnding::Killed => BoxPart::Killed,
    }
}

struct BoxCollector<'a> {
    workload: &'a Workload,
    asked: BoxesAsked,
    clock: Clock,
    /// How many boxes there are; beyond the number asked for they are counted, but not made.
    total: usize,
    made: Vec<GanttBox>,
}

impl<'a> BoxCollector<'a> {
    fn new(workload: &'a Workload, asked: BoxesAsked) -> Self {
        BoxCollector { workload, asked, clock: Clock::of_workload(workload), total: 0, made: Vec::new() }
    }

    fn add(&mut self, job: JobId, span: (Seconds, Seconds), blocks: &[ProcessorRange], part: BoxPart) {
        self.total += blocks.len();
        if self.total > self.asked.most {
            return;
        }
        let request = self.workload.request(job);
        let counts = self.asked.only.is_none_or(|group| group.has(request, self.workload.run(job), &self.clock));
        let (number, user, wait) = (request.number, request.user, span.0 - request.submit);
        let job = self.workload.place_in_log(job);
        let block = |&(first, count)| GanttBox { job, number, user, span, first, count, wait, part, counts };
        self.made.extend(blocks.iter().map(block));
    }

    fn answer(self) -> Answer {
        let boxes = if self.total > self.asked.most { Vec::new() } else { self.made };
        Answer::Gantt { boxes, total: self.total }
    }
}

// How small and large jobs of a workload differ, and how well run times predict later ones (CLASSIFY §3.3, §4.1).

/// The largest lag that is shown (CLASSIFY Fig. 2).
const LAGS: usize = 10;

/// Categories with fewer jobs are left out.
const LEAST: usize = 50;

/// The same limit for categories of one user, who has few jobs.
const LEAST_OF_USER: usize = 20;

/// Number of kinds of categories, as in CLASSIFY Table 4: the jobs of a user with the same requested time, width or
/// weekday.
const KINDS: usize = 3;

/// What a classifier can learn from a workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedSizes {
    /// Shares of small and large jobs by the median run time (Tables 2 and 3); `None` where there are no jobs.
    pub shares: Option<Shares>,
    /// For each kind of categories, the autocorrelation of run times within them, by lag.
    pub lags: Vec<(Category, Vec<Autocorrelation>)>,
    /// The autocorrelation for the user with the most jobs, as in Fig. 2; `None` where no job names a user.
    pub of_user: Option<UserLags>,
}

/// Autocorrelation of the run times of one user (CLASSIFY Fig. 2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserLags {
    pub user: i32,
    /// How many jobs the user submitted.
    pub jobs: u64,
    /// The autocorrelation by lag, over the user's categories of jobs of the same width.
    pub lags: Vec<Autocorrelation>,
}

impl LearnedSizes {
    /// Evaluates a workload.
    pub fn of(workload: &Workload) -> Self {
        let of_kind = |&category: &Category| (category, autocorrelation(workload, category, None, LEAST, LAGS));
        LearnedSizes {
            shares: shares(workload),
            lags: CATEGORIES.iter().take(KINDS).map(of_kind).collect(),
            of_user: of_user(workload),
        }
    }
}

/// The autocorrelation for the user with the most jobs; among equals, the user with the lowest number.
fn of_user(workload: &Workload) -> Option<UserLags> {
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    let users = workload.requests().iter().map(|request| request.user);
    users.filter(|&user| user >= 0).for_each(|user| *counts.entry(user).or_default() += 1);
    let (&user, &jobs) = counts.iter().max_by_key(|&(&user, &jobs)| (jobs, Reverse(user)))?;
    let lags = autocorrelation(workload, Category::UserWidth, Some(user), LEAST_OF_USER, LAGS);
    Some(UserLags { user, jobs, lags })
}

#[cfg(test)]
mod tests {
    use super::super::{Query, answer};
    use super::*;
    use crate::{Rules, Run, execute};
    use packfair_engine::metric::{CountedGroup, Measure};
    use packfair_engine::simulation::Correction;
    use packfair_workload::testing::workload;

    fn boxes(window: (Seconds, Seconds), most: usize) -> (Vec<(i64, u32, u32)>, usize) {
        let workload = workload(10, &[(0, 10, 4), (0, 20, 3), (0, 10, 5), (30, 5, 10)]);
        let schedule = Schedule::of_starts(&workload, vec![0, 0, 10, 30]);
        match gantt(&workload, &schedule, window, BoxesAsked { most, only: None }) {
            Answer::Gantt { boxes, total } => (boxes.iter().map(|b| (b.number, b.first, b.count)).collect(), total),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn jobs_in_the_window_have_boxes() {
        assert_eq!(boxes((0, 10), 9), (vec![(1, 0, 4), (2, 4, 3)], 2));
        assert_eq!(boxes((10, 30), 9), (vec![(2, 4, 3), (3, 0, 4), (3, 7, 1)], 3));
        assert_eq!(boxes((34, 90), 9), (vec![(4, 0, 10)], 1));
        assert_eq!(boxes((35, 90), 9), (vec![], 0));
    }

    #[test]
    fn what_is_expected_lies_ahead_of_the_instant() {
        // Requests are twice the run times: the first is expected until 20, the second until 40.
        let workload = workload(10, &[(0, 10, 4), (0, 20, 3), (0, 10, 5), (5, 5, 10)]);
        let run = Run::new("conservative".parse().unwrap(), "requested".parse().unwrap());
        let schedule = execute(&run, &workload, Correction::Request, &Measure::default()).unwrap().schedule;
        let query =
            Query::Outlook { run, rules: Rules::default(), at: 6, from: 0, boxes: BoxesAsked { most: 9, only: None } };
        let boxes = match answer(&query, &workload, None, &|_| Some(&schedule)).unwrap() {
            Answer::Gantt { boxes, total: 7 } => boxes,
            other => panic!("{other:?}"),
        };
        let told: Vec<_> = boxes.iter().map(|b| (b.number, b.span, b.first, b.count, b.part)).collect();
        let ran = [(1, (0, 6), 0, 4, BoxPart::Ran), (2, (0, 6), 4, 3, BoxPart::Ran)];
        let expected = [(1, (6, 20), 0, 4, BoxPart::Expected), (2, (6, 40), 4, 3, BoxPart::Expected)];
        let third = [(3, (20, 40), 0, 4, BoxPart::Reserved), (3, (20, 40), 7, 1, BoxPart::Reserved)];
        let reserved = [&third[..], &[(4, (40, 50), 0, 10, BoxPart::Reserved)]].concat();
        assert_eq!(told, [&ran[..], &expected, &reserved].concat());
    }

    #[test]
    fn boxes_tell_whether_their_jobs_count() {
        let workload = workload(10, &[(0, 10, 4), (0, 20, 3)]);
        let schedule = Schedule::of_starts(&workload, vec![0, 0]);
        let only = CountedGroup::read("width=3", &workload.header).ok();
        match gantt(&workload, &schedule, (0, 9), BoxesAsked { most: 9, only }) {
            // Widths of 3 and 4 processors are in one class.
            Answer::Gantt { boxes, .. } => assert!(boxes.iter().all(|b| b.counts)),
            other => panic!("{other:?}"),
        }
        let only = CountedGroup::read("width=1", &workload.header).ok();
        match gantt(&workload, &schedule, (0, 9), BoxesAsked { most: 9, only }) {
            Answer::Gantt { boxes, .. } => assert!(boxes.iter().all(|b| !b.counts)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn too_many_boxes_are_only_counted() {
        assert_eq!(boxes((0, 90), 4), (vec![], 5));
        assert_eq!(boxes((0, 90), 5).0.len(), 5);
    }
}

#[cfg(test)]
mod sizes_tests {
    use super::*;
    use packfair_workload::testing;
    use packfair_workload::{Header, Machine, MachineSource, Request};

    /// A workload of jobs given as (user, width, run time), one each second.
    fn of_users(jobs: &[(i32, u32, i64)]) -> Workload {
        let plain = testing::jobs(8, &[(0, 1, 1, 100)]);
        let machine = Machine { processors: 8, source: MachineSource::Given };
        let mut workload = Workload::empty("test", machine, Header::default());
        for (number, &(user, processors, run)) in (1..).zip(jobs) {
            let request = Request { number, user, processors, submit: number, ..plain.requests()[0].clone() };
            workload.push(request, run, -1, 0);
        }
        workload
    }

    #[test]
    fn who_submitted_most_is_told_of() {
        // (user, width, run): the second user's jobs of width 2 alternate; those of width 1 are few.
        let mut jobs: Vec<(i32, u32, i64)> = (0..30).map(|i| (2, 2, 10 + i % 2)).collect();
        jobs.extend([(2, 1, 5); 3]);
        jobs.extend([(1, 4, 7); 20]);
        jobs.extend([(-1, 4, 7); 60]);
        let lags = of_user(&of_users(&jobs)).unwrap();
        assert_eq!((lags.user, lags.jobs, lags.lags.len()), (2, 33, LAGS));
        assert_eq!(
            (lags.lags[0].coefficients.as_slice(), lags.lags[1].coefficients.as_slice()),
            (&[-1.0][..], &[1.0][..])
        );
        assert_eq!(of_user(&of_users(&[(-1, 4, 7)])), None);
    }
}
