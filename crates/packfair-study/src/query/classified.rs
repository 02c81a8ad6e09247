//! The class that a job was taken for, why, and what came of it (CLASSIFY §4, §5.2).

use crate::format::{duration, whole};
use packfair_engine::classifier::Because;
use packfair_engine::model::{Class, NoteId, Schedule, SizeClass};
use packfair_workload::{JobId, Workload};

/// Sentences for a person: the class that `job` was taken for and why, when it was killed, and which class it turned
/// out to have. Empty where no classifier was at work.
pub(super) fn classified(workload: &Workload, schedule: &Schedule, job: JobId) -> Vec<String> {
    let Some(&SizeClass { class, divider }) = schedule.classes.get(job.index()) else { return Vec::new() };
    let why = schedule.notes.of_job(NoteId::BECAUSE, job).and_then(Because::of_note);
    let mut told = Vec::new();
    told.push(match (divider, class) {
        (None, _) => "Classified as large: nothing was known yet of how long jobs run.".to_owned(),
        (Some(divider), class) => {
            let taken = match class {
                Class::Small => format!("Classified as small (less than {} s)", whole(divider)),
                Class::Large => format!("Classified as large ({} s or more)", whole(divider)),
            };
            match why {
                Some(why) => format!("{taken}: {why}."),
                None => format!("{taken}."),
            }
        }
    });
    let killed: Vec<_> = schedule.killed_of(job).collect();
    let starts = killed.iter().skip(1).map(|later| later.start).chain([schedule.start(job)]);
    for (killed, again) in killed.iter().zip(starts) {
        let (ran, later) = (whole(killed.end - killed.start), again - killed.end);
        told.push(match later {
            0 => format!("Killed after {ran} s, started again at once."),
            _ => format!("Killed after {ran} s, started again {} later.", duration(later as f64)),
        });
    }
    if let Some(divider) = divider {
        let run = workload.run(job);
        let is = if Class::of(run, divider).is_small() { "small" } else { "large" };
        told.push(format!("It ran for {} s: it was {is}.", whole(run)));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::classifier::{KnownClasses, Vote};
    use packfair_engine::model::{Execution, KilledBy};
    use packfair_workload::testing::workload;

    #[test]
    fn what_a_job_was_taken_for_and_why_is_told_with_what_came_of_it() {
        let workload = workload(10, &[(0, 1_000, 6), (1, 50, 8), (2, 5, 1)]);
        let mut schedule = Schedule::of_starts(&workload, vec![900, 0, 2]);
        assert!(classified(&workload, &schedule, JobId(0)).is_empty(), "no classifier was at work");
        let small = SizeClass { class: Class::Small, divider: Some(847) };
        schedule.classes = vec![small, SizeClass { class: Class::Large, ..small }, SizeClass::default()];
        schedule.killed.push(Execution { job: JobId(0), start: 10, end: 857, by: KilledBy::Scheduler });
        let same = KnownClasses { latest: [Some(Class::Small); 3], known: 9, small: 8 };
        let vote = Because::Vote(Vote { small: 0.7, trees_for: 14, trees: 20, same });
        schedule.notes.set_of_jobs(NoteId::BECAUSE, vec![vote.noted(), Because::EveryJob.noted()]);
        assert_eq!(
            classified(&workload, &schedule, JobId(0)),
            [
                "Classified as small (less than 847 s): 14 of 20 trees say small; the last three jobs of this user with \
                 this requested time were small.",
                "Killed after 847 s, started again 43\u{a0}s later.",
                "It ran for 1,000 s: it was large.",
            ]
        );
        assert_eq!(
            classified(&workload, &schedule, JobId(1)),
            ["Classified as large (847 s or more): every job is tried.", "It ran for 50 s: it was small."]
        );
        let first = classified(&workload, &schedule, JobId(2));
        assert_eq!(first, ["Classified as large: nothing was known yet of how long jobs run."]);
    }
}
