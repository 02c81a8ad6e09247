//! How jobs were classified in each week, and the slowdown of small and large jobs over time (CLASSIFY Figs 4 to 8).

use super::line::POINTS;
use super::{CountedJobs, Line, Outcome, Quartiles, outcomes};
use crate::classifier::Weeks;
use crate::classifier::evaluation::{Confusion, shares};
use crate::model::{Class, NoteId, Schedule};
use packfair_workload::{Clock, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// Length of a month where the log has no dates, seconds.
const MONTH: Seconds = 30 * 86_400;

/// Number of features that are kept, the most important ones.
const FEATURES: usize = 8;

/// The small and large jobs of a schedule over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassCourse {
    /// How the jobs of each week were classified; empty where no classifier was at work.
    pub weeks: Vec<WeekOfClasses>,
    /// The importance of each feature over the weeks, the most important feature first. Times are the beginnings of
    /// weeks.
    pub importances: Vec<(String, Line)>,
    /// Bounded slowdowns, added up in the order of completions, against time (Fig. 6).
    pub cumulative: Line,
    /// Average bounded slowdown of the jobs submitted in each month, against the month's first submission (Fig. 7).
    pub months: Line,
    /// Three classes: small jobs that requested no more than the divider, other small jobs, and large jobs (Fig. 8).
    pub classes: [OfClass; 3],
    /// The divider between small and large jobs in `classes`: the median run time, seconds.
    pub divider: Seconds,
    /// Quartiles of the importance of each feature over the weeks, in the order of the features (Fig. 5).
    #[serde(default)]
    pub spreads: Vec<(String, Quartiles)>,
}

/// How the jobs submitted in a week were classified. A share is `None` where no job counts for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeekOfClasses {
    /// When the week begins, seconds of the log's clock.
    pub begin: Seconds,
    /// Share of jobs that were classified correctly.
    pub accuracy: Option<f64>,
    /// Share of small jobs among those classified as small.
    pub precision: Option<f64>,
    /// Share of small jobs that were classified as small.
    pub recall: Option<f64>,
    /// Share of all jobs that were small but classified as large.
    pub false_large: Option<f64>,
    /// Share of all jobs that were large but classified as small.
    pub false_small: Option<f64>,
}

/// The jobs of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OfClass {
    pub jobs: u64,
    /// Their average bounded slowdown.
    pub bsld: f64,
}

impl ClassCourse {
    /// The course for the jobs that count in a schedule of `workload`; `bound` is the τ of the slowdown, seconds.
    pub fn of(workload: &Workload, schedule: &Schedule, counted: CountedJobs, bound: f64) -> Self {
        let all = outcomes(workload, schedule);
        let kept = counted.of(workload, &all);
        let divider = shares(workload).map_or(0, |shares| shares.divider);
        ClassCourse {
            weeks: weeks(workload, schedule, &all),
            importances: importances(schedule),
            cumulative: cumulative(&kept, bound).reduced(POINTS),
            months: months(workload, &kept, bound),
            classes: classes(workload, &kept, divider, bound),
            divider,
            spreads: spreads(schedule),
        }
    }
}

/// Quartiles of the importance of each feature over the weeks.
fn spreads(schedule: &Schedule) -> Vec<(String, Quartiles)> {
    let parts = schedule.notes.course_parts(NoteId::IMPORTANCE);
    let of = |course: &[(Seconds, f64)]| Quartiles::of(course.iter().map(|&(_, worth)| worth).collect());
    parts.filter_map(|(name, course)| Some((name.to_owned(), of(course)?))).collect()
}

fn weeks(workload: &Workload, schedule: &Schedule, all: &[Outcome]) -> Vec<WeekOfClasses> {
    let weeks = Weeks::of(workload);
    // Jobs are in log order, so their weeks ascend.
    let mut told = Vec::new();
    for of_week in all.chunk_by(|a, b| weeks.week(a.submit) == weeks.week(b.submit)) {
        if let Some(counts) = confusion(of_week, schedule) {
            told.push(WeekOfClasses {
                begin: weeks.begin(weeks.week(of_week[0].submit)),
                accuracy: counts.accuracy(),
                precision: counts.precision(),
                recall: counts.recall(),
                false_large: counts.false_large_share(),
                false_small: counts.false_small_share(),
            });
        }
    }
    told
}

fn importances(schedule: &Schedule) -> Vec<(String, Line)> {
    let line = |course: &[(Seconds, f64)]| {
        let (x, y) = course.iter().map(|&(week, worth)| (week as f64, worth)).unzip();
        Line { x, y }
    };
    let parts = schedule.notes.course_parts(NoteId::IMPORTANCE);
    let mut told: Vec<(String, Line)> = parts.map(|(name, course)| (name.to_owned(), line(course))).collect();
    let worth = |line: &Line| line.y.iter().sum::<f64>();
    told.sort_by(|a, b| worth(&b.1).total_cmp(&worth(&a.1)));
    told.truncate(FEATURES);
    told
}

fn cumulative(kept: &[Outcome], bound: f64) -> Line {
    let mut ends: Vec<(Seconds, f64)> = kept.iter().map(|job| (job.end, job.bounded_slowdown(bound))).collect();
    radsort::sort_by_key(&mut ends, |&(end, _)| end);
    let mut line = Line::default();
    let mut sum = 0.0;
    for (i, &(end, slowdown)) in ends.iter().enumerate() {
        sum += slowdown;
        if ends.get(i + 1).is_none_or(|next| next.0 != end) {
            line.x.push(end as f64);
            line.y.push(sum);
        }
    }
    line
}

fn months(workload: &Workload, kept: &[Outcome], bound: f64) -> Line {
    let (Some(first), Some(last)) = (kept.first(), kept.last()) else { return Line::default() };
    let clock = Clock::of(&workload.header, first.submit, last.submit);
    let month = |job: &Outcome| match clock.date(job.submit) {
        // A date begins with its month, as in "1996-09".
        Some(date) => date.get(..7).unwrap_or_default().to_owned(),
        None => ((job.submit - first.submit) / MONTH).to_string(),
    };
    let mut line = Line::default();
    for of_month in kept.chunk_by(|a, b| month(a) == month(b)) {
        let sum: f64 = of_month.iter().map(|job| job.bounded_slowdown(bound)).sum();
        line.x.push(of_month[0].submit as f64);
        line.y.push(sum / of_month.len() as f64);
    }
    line
}

fn classes(workload: &Workload, kept: &[Outcome], divider: Seconds, bound: f64) -> [OfClass; 3] {
    let mut classes = [OfClass::default(); 3];
    for job in kept {
        let class = match Class::of(job.run, divider) {
            Class::Small if workload.request(job.job).limit <= divider => &mut classes[0],
            Class::Small => &mut classes[1],
            Class::Large => &mut classes[2],
        };
        class.jobs += 1;
        class.bsld += job.bounded_slowdown(bound);
    }
    classes.iter_mut().filter(|class| class.jobs > 0).for_each(|class| class.bsld /= class.jobs as f64);
    classes
}

// How often jobs were classified correctly (CLASSIFY §4.3).
//
// A job is small if it runs for less than the divider in force at its submission. Jobs of the first week do not count,
// because there is no divider yet.

/// Counts these jobs of a schedule by predicted and true class; `None` if no job was classified.
pub(super) fn confusion(jobs: &[Outcome], schedule: &Schedule) -> Option<Confusion> {
    // Most schedulers have no classes.
    if schedule.classes.is_empty() {
        return None;
    }
    let mut counts = Confusion::default();
    for job in jobs {
        let Some(taken) = schedule.classes.get(job.job.index()) else { continue };
        let Some(divider) = taken.divider else { continue };
        counts.count(taken.class, Class::of(job.run, divider));
    }
    (counts != Confusion::default()).then_some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classifier::WEEK;
    use crate::model::SizeClass;
    use packfair_workload::testing;

    #[test]
    fn jobs_are_told_by_week_by_month_and_by_class() {
        // (submit, processors, run, request).
        let jobs = [(0, 1, 10, 10), (5, 1, 10, 400), (WEEK + 1, 1, 300, 400), (5 * WEEK, 1, 300, 400)];
        let workload = testing::jobs(4, &jobs);
        let mut schedule = Schedule::of_starts(&workload, vec![0, 95, WEEK + 1, 5 * WEEK + 300]);
        let bare = ClassCourse::of(
            &workload,
            &schedule,
            CountedJobs { counted: crate::metric::Counted::All, only: None },
            10.0,
        );
        assert!(bare.weeks.is_empty() && bare.importances.is_empty());
        assert_eq!(bare.divider, 155);
        assert_eq!(bare.classes.map(|class| (class.jobs, class.bsld)), [(1, 1.0), (1, 10.0), (2, 1.5)]);
        assert_eq!(bare.cumulative.y, [1.0, 11.0, 12.0, 14.0]);
        assert_eq!(bare.months, Line { x: vec![0.0, 5.0 * WEEK as f64], y: vec![4.0, 2.0] });
        let taken = |class, divider| SizeClass { class, divider };
        schedule.classes = vec![
            SizeClass::default(),
            SizeClass::default(),
            taken(Class::Small, Some(100)),
            taken(Class::Large, Some(100)),
        ];
        schedule.notes.set_course_part(NoteId::IMPORTANCE, "a", vec![(WEEK, 0.25)]);
        schedule.notes.set_course_part(NoteId::IMPORTANCE, "b", vec![(WEEK, 0.75)]);
        let course = ClassCourse::of(
            &workload,
            &schedule,
            CountedJobs { counted: crate::metric::Counted::All, only: None },
            10.0,
        );
        let weeks: Vec<_> = course.weeks.iter().map(|week| (week.begin, week.accuracy, week.false_small)).collect();
        assert_eq!(weeks, [(WEEK, Some(0.0), Some(1.0)), (5 * WEEK, Some(1.0), Some(0.0))]);
        assert_eq!(course.importances[0], ("b".to_owned(), Line { x: vec![WEEK as f64], y: vec![0.75] }));
        let spread = |worth| Quartiles { low: worth, first: worth, median: worth, third: worth, high: worth };
        assert_eq!(course.spreads, [("a".to_owned(), spread(0.25)), ("b".to_owned(), spread(0.75))]);
    }
}

#[cfg(test)]
mod classes_tests {
    use super::super::outcomes;
    use super::*;
    use crate::model::SizeClass;
    use packfair_workload::testing;

    #[test]
    fn jobs_are_counted_by_predicted_and_true_class() {
        let runs = [5, 5, 50, 50, 50, 10];
        let jobs: Vec<_> = runs.iter().map(|&run| (0, 1, run, 100)).collect();
        let workload = testing::jobs(8, &jobs);
        let mut schedule = Schedule::of_starts(&workload, vec![0; 6]);
        assert_eq!(confusion(&outcomes(&workload, &schedule), &schedule), None);
        let taken = [Class::Small, Class::Large, Class::Small, Class::Large, Class::Large, Class::Small];
        schedule.classes = taken.iter().map(|&class| SizeClass { class, divider: Some(10) }).collect();
        schedule.classes[4].divider = None;
        let counts = confusion(&outcomes(&workload, &schedule), &schedule).expect("five jobs were classified");
        assert_eq!(counts, Confusion { true_small: 1, true_large: 1, false_small: 2, false_large: 1 });
        assert_eq!((counts.accuracy(), counts.precision(), counts.recall()), (Some(0.4), Some(1.0 / 3.0), Some(0.5)));
        assert_eq!((counts.false_large_share(), counts.false_small_share()), (Some(0.2), Some(0.4)));
    }
}
