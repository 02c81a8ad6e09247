//! The words of lessons, each with a picture that the engine makes.

use super::{Course, TaughtJob, TaughtRun};
use packfair_workload::Seconds;

/// A word and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The id of its picture.
    pub id: &'static str,
    /// The word.
    pub word: &'static str,
    /// What it means, in a sentence or two.
    pub text: &'static str,
    /// The jobs of its picture.
    pub jobs: &'static [TaughtJob],
    /// Who schedules them.
    pub run: TaughtRun,
    /// The moment that the picture shows.
    pub at: Seconds,
    /// The lesson that tells more.
    pub lesson: &'static str,
}

impl Term {
    /// What its picture shows.
    pub fn course(&self) -> Course {
        Course::of(self.run, self.jobs)
    }
}

const fn job(submit: i64, processors: u32, run: i64) -> TaughtJob {
    TaughtJob::of_minutes(submit, processors, run, run)
}

/// One runs, a wide one waits, a small one fits between.
const FOUR: &[TaughtJob] = &[job(0, 4, 90), job(0, 2, 60), job(15, 6, 60), job(30, 2, 45)];

/// More and more arrive than the processors can do.
const MANY: &[TaughtJob] = &[
    job(0, 5, 60),
    job(0, 4, 60),
    job(15, 5, 60),
    job(30, 6, 60),
    job(45, 5, 60),
    job(60, 6, 60),
    job(75, 5, 60),
    job(90, 6, 60),
];

/// The words, in the order in which they build on each other.
pub const GLOSSARY: &[Term] = &[
    Term {
        id: "reservation",
        word: "Reservation",
        text: "A start that a waiting job is given, with processors that are kept for it until then. Here job 3 has one, dashed.",
        jobs: FOUR,
        run: TaughtRun::of("easy"),
        at: 15 * 60,
        lesson: "conservative",
    },
    Term {
        id: "shadow-time",
        word: "Shadow time",
        text: "The earliest time at which the first waiting job can start, if every running job takes its limit. It is where its \
               reservation begins.",
        jobs: FOUR,
        run: TaughtRun::of("easy"),
        at: 15 * 60,
        lesson: "backfilling",
    },
    Term {
        id: "backfilling",
        word: "Backfilling",
        text: "Starting a job in a gap before jobs that came earlier, where it delays no reservation. Job 4 ends before job 3 \
               starts.",
        jobs: FOUR,
        run: TaughtRun::of("easy"),
        at: 30 * 60,
        lesson: "backfilling",
    },
    Term {
        id: "response-time",
        word: "Response time",
        text: "From a job's arrival to its end: its wait and its run. Job 3 arrives at 8:15, waits until 9:30 and ends at 10:30: \
               2 h 15 min.",
        jobs: FOUR,
        run: TaughtRun::of("easy"),
        at: 150 * 60,
        lesson: "fcfs",
    },
    Term {
        id: "slowdown",
        word: "Slowdown",
        text: "The response time as a multiple of the run time. Job 3 runs for an hour and is done after 2 h 15 min: 2.25. Bounded \
               slowdown counts very short jobs as if they ran for some seconds, so that they do not outweigh all.",
        jobs: FOUR,
        run: TaughtRun::of("easy"),
        at: 150 * 60,
        lesson: "fairness",
    },
    Term {
        id: "saturated",
        word: "Saturated",
        text: "More work arrives than the processors can do, so that the queue grows for as long as that lasts, whoever schedules. \
               Waits then tell of the length of the log, and not of the scheduler.",
        jobs: MANY,
        run: TaughtRun::of("easy"),
        at: 90 * 60,
        lesson: "fairness",
    },
];

#[cfg(test)]
mod tests {
    use super::super::lessons::LESSONS;
    use super::*;

    fn term(id: &str) -> (Term, Course) {
        let term = *GLOSSARY.iter().find(|term| term.id == id).unwrap();
        (term, term.course())
    }

    #[test]
    fn each_word_leads_to_a_lesson() {
        for term in GLOSSARY {
            assert!(LESSONS.iter().any(|lesson| lesson.id == term.lesson), "{}", term.id);
            assert!(term.course().moment_at(term.at).is_some(), "{}", term.id);
        }
    }

    #[test]
    fn pictures_show_what_the_words_say() {
        let (reservation, course) = term("reservation");
        let moment = course.moment_at(reservation.at).unwrap();
        assert_eq!(
            moment.reserved.iter().map(|reserved| (reserved.job, reserved.start)).collect::<Vec<_>>(),
            [(2, 90 * 60)]
        );
        let by_limits = moment.running.iter().map(|&(_, end)| end).max();
        assert_eq!(by_limits, Some(90 * 60), "the shadow time is when the running jobs have reached their limits");
        let (_, course) = term("backfilling");
        assert!(course.backfilled[3] && course.end(3) <= course.starts[2]);
        let (_, course) = term("response-time");
        assert_eq!((course.jobs[2].submit, course.starts[2], course.end(2)), (15 * 60, 90 * 60, 150 * 60));
        let response = (course.end(2) - course.jobs[2].submit) as f64;
        assert_eq!((response, response / course.jobs[2].run as f64), (2.25 * 3_600.0, 2.25));
    }

    #[test]
    fn the_queue_of_a_saturated_machine_grows() {
        let (saturated, course) = term("saturated");
        let waiting = |at: Seconds| course.moment_at(at).unwrap().waiting.len();
        assert!((1..=6).all(|quarter| waiting(quarter * 900) >= waiting((quarter - 1) * 900)));
        assert!(waiting(saturated.at) >= 4);
    }
}
